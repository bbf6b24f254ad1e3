"""`stepscope formats`: what can be read."""

from __future__ import annotations

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.output import print_json, table, tell


def formats(json: JsonFlag = False) -> int:
    """Prints the formats, of plug-ins too; plug-ins that break are told on stderr. Gives 0."""
    from stepscope.core.sources.registry import broken_plugins, listed_formats

    rows = [
        {
            "name": known.name,
            "title": known.title,
            "platform": known.platform.value,
            "kind": known.kind,
            "checked": known.checked,
        }
        for known in listed_formats()
    ]
    for sentence in broken_plugins():
        tell(f"stepscope: warning: {sentence}")
    if json:
        print_json(rows)
    else:
        table(list(rows[0]), [list(row.values()) for row in rows])
    return 0
