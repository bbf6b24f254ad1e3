"""`stepscope doctor`: what this machine has. Looks only: opens no window, makes and migrates nothing."""

from __future__ import annotations

from typing import Any

import typer

from app.cli.arguments import JsonFlag, StoreOption
from app.cli.frame import DONE
from app.cli.output import print_json, say


def register(application: typer.Typer) -> None:
    application.command("doctor", help="What this machine has: libraries, window, GPU, adb, fonts, store.")(doctor)


def doctor(store: StoreOption = None, json: JsonFlag = False) -> int:
    from app.cli.machine import examine

    report = examine(store)
    if json:
        print_json(report)
    else:
        _show(report)
    return DONE


def _show(report: dict[str, Any]) -> None:
    for section, content in report.items():
        say(section)
        for name, value in content.items():
            say(f"  {name}: {_words(value)}")


def _words(value: object) -> str:
    if value is None or value == []:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
