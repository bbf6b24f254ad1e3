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
    from stepscope.app.services.machine import examine, report_lines

    if json:
        print_json(examine(store))
    else:
        say(*report_lines(store))
    return DONE
