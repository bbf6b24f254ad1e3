"""`stepscope presets`: settings for evaluations that were saved under a name."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import presets
else:
    presets = lazy_module("stepscope.app.services.presets")

COMMANDS = {
    "list": CommandRow("All presets, one line each.", lambda: list_presets),
    "show": CommandRow("What a preset says.", lambda: show),
    "delete": CommandRow("Forget a preset.", lambda: delete),
}

Name = Annotated[str, typer.Argument(metavar="NAME", help="The preset's name.")]


def list_presets(json: JsonFlag = False) -> int:
    named = presets.load_presets().named
    if json:
        print_json([{"name": name, **asdict(preset)} for name, preset in named.items()])
    elif not named:
        say("There are no presets. Save one: stepscope evaluate … --save-preset NAME.")
    else:
        rows = [[name, one.task, one.model or one.predictions, one.protocol or "(the task's own)"]
                for name, one in named.items()]  # fmt: skip
        table(["name", "task", "model", "protocol"], rows)
    return DONE


def show(name: Name, json: JsonFlag = False) -> int:
    form = {"name": name, **asdict(presets.load_presets().preset(name))}
    if json:
        print_json(form)
    else:
        options = ", ".join(f"{option}={value}" for option, value in form["options"])
        table(["", "value"], [[key, options if key == "options" else value] for key, value in form.items()])
    return DONE


def delete(name: Name) -> int:
    presets.save_presets(presets.load_presets().without(name))
    tell(f"stepscope: forgot the preset {name!r}")
    return DONE
