"""`stepscope doctor`: what this machine has. Looks only: opens no window, makes and migrates nothing."""

from __future__ import annotations

import typer

from stepscope.app.cli.arguments import JsonFlag, StoreOption
from stepscope.app.cli.frame import DONE
from stepscope.app.cli.output import print_json, say


def register(application: typer.Typer) -> None:
    """Adds `doctor` to the program."""
    application.command("doctor", help="What this machine has: libraries, window, GPU, adb, fonts, store.")(doctor)


def doctor(store: StoreOption = None, json: JsonFlag = False) -> int:
    """Prints the report, whatever is missing; gives 0."""
    from stepscope.app.cli.machine import examine

    if json:
        print_json(examine(store))
    else:
        say(*report_lines(store))
    return DONE


def report_lines(store: str | None) -> list[str]:
    """The report in words, a line each; the window shows the same."""
    from stepscope.app.cli.machine import examine

    lines = []
    for section, content in examine(store).items():
        lines.append(section)
        lines += [f"  {name}: {_words(value)}" for name, value in content.items()]
    return lines


def _words(value: object) -> str:
    if value is None or value == []:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
