"""`stepscope devices`: what can be mirrored."""

from __future__ import annotations

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.frame import DONE
from stepscope.app.cli.output import print_json, say, table, tell


def register(application: typer.Typer) -> None:
    """Adds `devices` to the program."""
    application.command("devices", help="Devices that can be used, one line each: the simulated phone, then adb's.")(
        devices
    )


def devices(json: JsonFlag = False) -> int:
    """Prints the devices. Why there are none of adb's is told on stderr and is no error. Gives 0."""
    from stepscope.app.services.live.devices import list_devices

    found, problem = list_devices()
    rows = [
        {
            "serial": info.serial,
            "name": info.name,
            "kind": info.kind.value,
            "state": info.state.value,
            "detail": info.detail,
            "hint": info.hint,
        }
        for info in found
    ]
    if problem:
        tell(f"stepscope: note: {problem}")
    if json:
        print_json(rows)
        return DONE
    columns = ["serial", "name", "kind", "state", "detail"]
    table(columns, [[row[name] for name in columns] for row in rows])
    for row in rows:
        if row["hint"]:
            say(f"{row['serial']}: {row['hint']}")
    return DONE
