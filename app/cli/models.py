"""`stepscope models`: what can be evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli import own_models, training
from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.frame import DONE
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.evaluation.predictor import ModelInfo
    from stepscope.models import registry
else:
    registry = lazy_module("stepscope.models.registry")

group = typer.Typer(help="Models that can be evaluated.", rich_markup_mode=None)


def register(application: typer.Typer) -> None:
    """Adds the group `models`, with training and export, adding and removing in it."""
    training.register(group)
    own_models.register(group)
    application.add_typer(group, name="models")


_LISTED = ("name", "task", "runtime", "weights", "trained_on")


@group.command("list", help="All models, one line each.")
def list_models(json: JsonFlag = False) -> int:
    found = registry.registry()
    for problem in found.problems:
        tell(f"stepscope: warning: the plug-in {problem.name} is broken: {problem.message}")
    rows = [_form(model.info) for model in found.models.values()]
    if json:
        print_json([{name: row[name] for name in _LISTED} for row in rows])
    else:
        columns = ["name", "task", "runtime", "weights", "trained_on", "stand_in", "description"]
        table(columns, [[row[name] for name in columns] for row in rows])
    return DONE


@group.command("info", help="What a model says of itself.")
def info(name: Annotated[str, typer.Argument(metavar="NAME", help="The model's name.")], json: JsonFlag = False) -> int:
    form = _form(registry.model_info(name)) | _own_form(name)
    if json:
        print_json(form)
        return DONE
    say(f"{form['title']} ({form['name']})", str(form["description"]), "")
    rest = {key: value for key, value in form.items() if key not in ("title", "name", "description", "settings")}
    table(["", "value"], [(key, ", ".join(value) if isinstance(value, list) else value) for key, value in rest.items()])
    if form["settings"]:
        say("")
        columns = ["name", "default", "allowed", "help"]
        table(["setting", *columns[1:]], [[one[name] for name in columns] for one in form["settings"]])
    return DONE


def _own_form(name: str) -> dict[str, Any]:
    """What is known besides of a file that the person added."""
    from stepscope.models.own.own_models import find_own

    added = find_own(name)
    if added is None:
        return {}
    told = {"licence": added.manifest.licence or None, "file": str(added.file), "manifest": str(added.place)}
    return told | {"sha256": added.manifest.sha256}


def _form(model: ModelInfo) -> dict[str, Any]:
    from stepscope.core.scoring.options import allowed

    return {
        "name": model.name,
        "title": model.title,
        "task": model.task.value,
        "runtime": model.runtime,
        "weights": model.weights,
        "trained_on": model.trained_on,
        "stand_in": model.stand_in,
        "needs_reference": model.needs_reference,
        "inputs": list(model.inputs),
        "batches": model.batches,
        "version": model.version,
        "devices": list(model.devices),
        "weights_from": model.weights_from,
        "source": model.source,
        "description": model.description,
        "settings": [
            {"name": one.name, "default": one.default, "allowed": allowed(one), "help": one.help}
            for one in model.settings
        ],
    }
