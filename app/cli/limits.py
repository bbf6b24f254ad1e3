"""`stepscope limits`: how much of the machine data from strangers may take, and why so much."""

from __future__ import annotations

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.output import print_json, say, table
from stepscope.core import limits as figures


def limits(json: JsonFlag = False) -> int:
    """Print every limit with the figure in force."""
    if json:
        print_json(
            [
                {
                    "name": row.name,
                    "value": figures.limit(row.name),
                    "usual": row.value,
                    "unit": row.unit,
                    "bounds": row.words,
                    "reason": row.reason,
                }
                for row in figures.LIMITS.values()
            ]
        )
        return 0
    chosen = figures.chosen_limits()
    rows = (
        (
            row.name,
            figures.written_figure(row.unit, figures.limit(row.name)) + (" (raised)" if row.name in chosen else ""),
            row.words,
            row.reason,
        )
        for row in figures.LIMITS.values()
    )
    table(("limit", "value", "bounds", "reason"), rows, numbers=("value",))
    say("", "Raise one for a command with --limit-NAME VALUE, such as --limit-json-bytes 512MB.")
    return 0
