"""`stepscope devices`: what can be mirrored."""

from __future__ import annotations

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE


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
