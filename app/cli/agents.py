"""`stepscope agents`: adapters of published GUI agents, and what their raw outputs say."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.cli import agents_act, agents_diagnose, agents_try
    from stepscope.models.agents import adapter as adapters
    from stepscope.models.agents.adapter import Adapter
    from stepscope.models.agents.spaces import Space
else:
    agents_act = lazy_module("stepscope.app.cli.agents_act")
    agents_diagnose = lazy_module("stepscope.app.cli.agents_diagnose")
    agents_try = lazy_module("stepscope.app.cli.agents_try")
    adapters = lazy_module("stepscope.models.agents.adapter")

COMMANDS = {
    "list": CommandRow("All adapters, one line each.", lambda: list_agents),
    "info": CommandRow("What an adapter says: its words, coordinates, picture size and source.", lambda: info),
    "parse": CommandRow(
        "Raw outputs as actions in pixels of the recorded screen, one JSON object a line.", lambda: parse
    ),
    "try": CommandRow("Ask an agent about one screen: what is sent, said and meant.", lambda: agents_try.try_agent),
    "diagnose": CommandRow(
        "Whether a run's places would be right in another coordinate space.", lambda: agents_diagnose.diagnose
    ),
    "act": CommandRow(
        "Let an agent act on a device; its questions are answered on stdin, by the data, or not at all.",
        lambda: agents_act.act,
    ),
}

STDIN = "-"


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


def info(
    name: Annotated[str, typer.Argument(metavar="NAME", help="An adapter's name, or a TOML file.")],
    json: JsonFlag = False,
) -> int:
    found = adapters.adapter_named(name)
    form = _form(found) | {
        "forms": [*found.forms],
        "dialect": found.dialect,
        "scroll": found.scroll,
        "newline_submits": found.newline_submits,
        "resize": asdict(found.resize),
        "actions": [*found.actions],
        "screens": found.screens,
        "note": found.note,
        "file": str(adapters.file_of(found)),
    }
    prompts = {name: asdict(one) for name in adapters.PROMPTS if (one := getattr(found, name)) is not None}
    if json:
        print_json(form | prompts | {"writes": dict(found.writes), "writes_web": dict(found.writes_web)})
        return DONE
    say(f"{found.title} ({found.name})", found.note, "")
    rest = {key: value for key, value in form.items() if key not in ("name", "title", "note")}
    table(["", "value"], [[key, _cell(value)] for key, value in rest.items()])
    for name, one in prompts.items():
        say("", f"{name}, version {one['version']}:", "", *filter(None, (one["system"].strip(), one["user"].strip())))
    return DONE


def parse(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help='JSON Lines of {"id", "raw", "sent": [w, h]}.')],
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

    own = record["sent"]
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


def _records(file: str) -> Iterator[dict[str, Any]]:
    """Each line's object. Raises UserError with file, line and field."""
    from stepscope.core.drafts import reason
    from stepscope.core.scoring.records import Records

    place = "stdin" if file == STDIN else file
    try:
        with nullcontext(sys.stdin.buffer) if file == STDIN else Path(file).open("rb") as stream:
            yield from Records.from_stream(stream).each(_record, exact=True)
    except OSError as error:
        raise UserError(
            f"cannot be read: {reason(error)}.", place=place, hint="Name a file, or - for stdin."
        ) from error
    except UserError as error:
        raise UserError(error.message, place=place, record=error.record, hint=error.hint) from error


def _record(line: int, form: Mapping[str, Any]) -> dict[str, Any]:
    from stepscope.core.scoring import fields

    raw, sent = fields.required(form, "raw", line), form.get("sent")
    if not isinstance(raw, str | dict | list):
        raise fields.bad_field(line, "raw", "is neither a text nor an object")
    size = None if sent is None else [fields.whole(one, "sent", line) for one in fields.list_of(sent, "sent", line)]
    if size is not None and (len(size) != 2 or min(size) < 1):
        raise fields.bad_field(line, "sent", "is not [width, height] in pixels")
    return {"id": fields.required(form, "id", line), "raw": raw, "sent": size}


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
        "platform": [*one.platform],
        "source": one.source,
        "version": one.version,
    }


def _cell(value: object) -> object:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    return value
