"""`stepscope formats`: what can be read."""

from __future__ import annotations

import typer

from app.cli.arguments import JsonFlag
from app.cli.output import print_json, table


def register(application: typer.Typer) -> None:
    application.command("formats", help="Formats that can be read, one line each.")(formats)


def formats(json: JsonFlag = False) -> int:
    from core.sources.registry import FORMATS

    rows = [
        {
            "name": known.name,
            "title": known.title,
            "platform": known.platform.value,
            "kind": known.kind,
            "checked": known.checked,
        }
        for known in FORMATS
    ]
    if json:
        print_json(rows)
    else:
        table(list(rows[0]), [list(row.values()) for row in rows])
    return 0
