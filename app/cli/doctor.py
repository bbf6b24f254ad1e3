"""`stepscope doctor`: what this machine has. Looks only: opens no window, makes and migrates nothing."""

from __future__ import annotations

from stepscope.app.cli.arguments import JsonFlag, StoreOption
from stepscope.app.cli.output import print_json, say
from stepscope.app.cli.statuses import DONE


def doctor(store: StoreOption = None, json: JsonFlag = False) -> int:
    """Prints the report, whatever is missing; gives 0."""
    from stepscope.app.services.machine import examine, report_lines

    if json:
        print_json(examine(store))
    else:
        say(*report_lines(store))
    return DONE
