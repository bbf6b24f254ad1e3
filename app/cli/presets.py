"""`stepscope presets`: settings for evaluations that were saved under a name."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.frame import DONE
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import presets
else:
    presets = lazy_module("stepscope.app.services.presets")

group = typer.Typer(help="Settings for evaluations, saved under a name.", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The preset's name.")]


def register(application: typer.Typer) -> None:
    """Adds the group `presets`."""
    application.add_typer(group, name="presets")


@group.command("list", help="All presets, one line each.")
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


@group.command("show", help="What a preset says.")
def show(name: Name, json: JsonFlag = False) -> int:
    form = {"name": name, **asdict(presets.load_presets().preset(name))}
    if json:
        print_json(form)
    else:
        options = ", ".join(f"{option}={value}" for option, value in form["options"])
        table(["", "value"], [[key, options if key == "options" else value] for key, value in form.items()])
    return DONE


@group.command("delete", help="Forget a preset.")
def delete(name: Name) -> int:
    presets.save_presets(presets.load_presets().without(name))
    tell(f"stepscope: forgot the preset {name!r}")
    return DONE
