"""`stepscope agents`: adapters of published GUI agents, and what their raw outputs say."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.frame import DONE
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.models.agents import adapter as adapters
    from stepscope.models.agents.adapter import Adapter
    from stepscope.models.agents.spaces import Space
else:
    adapters = lazy_module("stepscope.models.agents.adapter")

group = typer.Typer(help="Published GUI agents: how each writes, and what it wrote.", rich_markup_mode=None)

_LONGEST_LINE = 64 << 20
"""Bytes of a line (ours)."""


def register(application: typer.Typer) -> None:
    """Adds the group `agents`."""
    application.add_typer(group, name="agents")


@group.command("list", help="All adapters, one line each.")
def list_agents(json: JsonFlag = False) -> int:
    known, problems = adapters.adapters()
    for problem in problems:
        tell(f"stepscope: warning: {problem}")
    if json:
        print_json([_form(one) for one in known.values()])
    else:
        columns = ["name", "title", "space", "platform", "version"]
        table(columns, [[_cell(_form(one)[name]) for name in columns] for one in known.values()])
    return DONE


@group.command("info", help="What an adapter says: its words, coordinates, picture size and source.")
def info(
    name: Annotated[str, typer.Argument(metavar="NAME", help="An adapter's name, or a TOML file.")],
    json: JsonFlag = False,
) -> int:
    found = adapters.adapter_named(name)
    resize = found.resize
    form = _form(found) | {
        "forms": [*found.forms],
        "dialect": found.dialect,
        "scroll": "finger" if found.finger else "content",
        "newline_submits": found.submits,
        "resize": {"rule": resize.kind.value, "factor": resize.factor, "least": resize.least, "most": resize.most,
                   "tiles": resize.tiles},
        "actions": [*found.actions],
        "note": found.note,
    }  # fmt: skip
    if json:
        print_json(form)
        return DONE
    say(f"{found.title} ({found.name})", found.note, "")
    rest = {key: value for key, value in form.items() if key not in ("name", "title", "note")}
    table(["", "value"], [[key, _cell(value)] for key, value in rest.items()])
    return DONE


@group.command("parse", help="Raw outputs as actions in pixels of the recorded screen, one JSON object a line.")
def parse(
    file: Annotated[Path, typer.Argument(metavar="FILE|-", help='JSON Lines of {"id", "raw", "sent": [w, h]}.')],
    adapter: Annotated[str, typer.Option(metavar="NAME", help="The adapter's name, or a TOML file.")],
    size: Annotated[str, typer.Option(metavar="WxH", help="Size of the recorded screen in pixels.")],
    sent: Annotated[
        str, typer.Option(metavar="WxH", help="Size of the picture as the model saw it; by the adapter's rule else.")
    ] = "",
    space: Annotated[
        str,
        typer.Option(metavar="unit|thousand|nine99|resized|original", help="Space in the place of the adapter's."),
    ] = "",
) -> int:
    found, screen = adapters.adapter_named(adapter), _size(size, "--size")
    seen = _size(sent, "--sent") if sent else None
    chosen = _space(space) if space else None
    for record in _records(file):
        sys.stdout.write(_line(found, record, screen, seen, chosen) + "\n")
    return DONE


def _line(adapter: Adapter, record: dict[str, Any], screen: Size, sent: Size | None, space: Space | None) -> str:
    from stepscope.core.domain.wire import action_to_json
    from stepscope.core.plain_text import safe_json

    own = record.get("sent")
    read = adapters.read_answer(adapter, record["raw"], screen, Size(*own) if own else sent, space)
    form = {
        "id": record["id"],
        "actions": [action_to_json(action) for action in read.actions],
        "space": read.space.value,
        "said": [[*one] for one in read.said],
        "problem": read.problem or None,
    }
    if read.problem:
        form["stopped"] = read.stopped
    return safe_json(form)


def _records(file: Path) -> Iterator[dict[str, Any]]:
    """Each line's object. Raises UserError with file, line and field."""
    for number, line in _lines(file):
        if not line.strip():
            continue
        record = _object(line, file, number)
        for name in ("id", "raw"):
            if name not in record:
                raise UserError(f"the field {name} is missing.", place=file, record=number, hint=_HINT)
        if not isinstance(record["raw"], str | dict | list):
            raise UserError("the field raw is neither a text nor an object.", place=file, record=number, hint=_HINT)
        own = record.get("sent")
        if own is not None and not _is_size(own):
            what = "the field sent is not [width, height] in whole pixels."
            raise UserError(what, place=file, record=number, hint=_HINT)
        yield record


_HINT = 'A line is {"id": …, "raw": …} and may have "sent": [width, height].'


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    stream = sys.stdin.buffer if str(file) == "-" else None
    try:
        with stream or file.open("rb") as opened:
            number = 0
            while line := opened.readline(_LONGEST_LINE):
                number += 1
                if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
                    raise UserError("the line is longer than 64 MB.", place=file, record=number, hint=_HINT)
                yield number, line
    except OSError as error:
        from stepscope.core.drafts import reason

        raise UserError(f"cannot be read: {reason(error)}.", place=file, hint="Name a file, or - for stdin.") from error


def _object(line: bytes, file: Path, number: int) -> dict[str, Any]:
    from stepscope.core.json_bounds import bounded_loads

    try:
        found = bounded_loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"the line is no JSON: {error}.", place=file, record=number, hint=_HINT) from error
    if not isinstance(found, dict):
        raise UserError("the line is no JSON object.", place=file, record=number, hint=_HINT)
    return found


def _is_size(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(one, int) and not isinstance(one, bool) and one > 0 for one in value)
    )


def _size(text: str, option: str) -> Size:
    found = re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", text.strip())
    if not found or not int(found[1]) or not int(found[2]):
        raise UsageError(f"{option} {text!r} is no size.", hint="Write width and height in pixels: 1080x2400.")
    return Size(int(found[1]), int(found[2]))


def _space(text: str) -> Space:
    from stepscope.models.agents.spaces import Space

    try:
        return Space(text)
    except ValueError as error:
        raise UsageError(f"--space {text!r} is none.", hint=f"Choose one of {', '.join(Space)}.") from error


def _form(one: Adapter) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "space": one.space.value,
        "platform": [*one.platforms],
        "source": one.source,
        "version": one.version,
    }


def _cell(value: object) -> object:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    return value
