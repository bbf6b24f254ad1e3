"""`stepscope models`: what can be evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.checkpoints_add import checkpoint_form
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE
from stepscope.core.domain.model_name import LOCAL, TASK_MARK
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.cli import measuring, own_models, training, tuning, tuning_curve
    from stepscope.models import registry
    from stepscope.models.checkpoints import facts, needs, snapshots
    from stepscope.models.learned import real_sets
    from stepscope.models.learned.real_sets import RealResult
    from stepscope.models.registry import InstalledModel
else:
    measuring = lazy_module("stepscope.app.cli.measuring")
    own_models = lazy_module("stepscope.app.cli.own_models")
    training = lazy_module("stepscope.app.cli.training")
    tuning = lazy_module("stepscope.app.cli.tuning")
    tuning_curve = lazy_module("stepscope.app.cli.tuning_curve")
    registry = lazy_module("stepscope.models.registry")
    snapshots = lazy_module("stepscope.models.checkpoints.snapshots")
    facts = lazy_module("stepscope.models.checkpoints.facts")
    needs = lazy_module("stepscope.models.checkpoints.needs")
    real_sets = lazy_module("stepscope.models.learned.real_sets")

COMMANDS = {
    "list": CommandRow("All models, one line each.", lambda: list_models),
    "info": CommandRow("What a model says of itself.", lambda: info),
    "train": CommandRow("Train a model on episodes; stopped, the same command goes on.", lambda: training.train),
    "presets": CommandRow("Settings of papers' tables, for 'train --preset'.", lambda: training.presets),
    "export": CommandRow("Write a trained model for another runtime.", lambda: training.export),
    "tune": CommandRow(
        "Fine-tune a checkpoint by LoRA on episodes; stopped, the command goes on.", lambda: tuning.tune
    ),
    "tune-curve": CommandRow(
        "Fine-tune at several ranks and measure on the way; stopped, the command goes on.",
        lambda: tuning_curve.tune_curve,
    ),
    "measure": CommandRow(
        "Measure a trained model and the rules on real data, into its card.", lambda: measuring.measure
    ),
    "add": CommandRow(
        "Add a model of your own: a file, after trying it on one item, a folder or a server.", lambda: own_models.add
    ),
    "remove": CommandRow("Take a model of your own out of the list; its file stays.", lambda: own_models.remove),
}


_LISTED = ("name", "task", "runtime", "weights", "trained_on", "below_rules")


def list_models(json: JsonFlag = False) -> int:
    found = registry.registry()
    for problem in found.problems:
        tell(f"stepscope: warning: the plug-in {problem.name} is broken: {problem.message}")
    rows = [_form(model) for model in found.models.values()]
    if json:
        print_json([{name: row[name] for name in _LISTED} for row in rows])
    else:
        columns = ["name", "task", "runtime", "weights", "below_rules", "trained_on", "stand_in", "description"]
        table(columns, [[_cell(row[name]) for name in columns] for row in rows])
    return DONE


def info(name: Annotated[str, typer.Argument(metavar="NAME", help="The model's name.")], json: JsonFlag = False) -> int:
    model = registry.installed_model(name)
    form, real = _form(model) | _own_form(model), _real(model)
    if json:
        print_json(form | {"real": [real_sets.as_form(one) for one in real]})
        return DONE
    say(f"{form['title']} ({form['name']})", str(form["description"]), "")
    rest = {key: value for key, value in form.items() if key not in ("title", "name", "description", "settings")}
    table(["", "value"], [(key, _cell(value)) for key, value in rest.items()])
    _show_real(name, real)
    if form["settings"]:
        say("")
        columns = ["name", "default", "allowed", "help"]
        table(["setting", *columns[1:]], [[one[name] for name in columns] for one in form["settings"]])
    return DONE


def _own_form(installed: InstalledModel) -> dict[str, Any]:
    """What is known besides of a file or a checkpoint that the person added."""
    if installed.info.name.startswith(LOCAL) and installed.info.weights == "present":
        kept = snapshots.find(installed.info.name.removeprefix(LOCAL).partition(TASK_MARK)[0])
        found = facts.facts_of(kept)
        return checkpoint_form(kept, found, needs.needs_of(found, kept.dtype))
    added = installed.own
    if added is None:
        return {}
    told = {"licence": added.manifest.licence or None, "file": str(added.file), "manifest": str(added.place)}
    return told | {"sha256": added.manifest.sha256}


def _cell(value: Any) -> Any:
    return ", ".join(value) if isinstance(value, list) else value


def _show_real(name: str, real: tuple[RealResult, ...]) -> None:
    """The real sets beside the rules, and where the model loses to one."""
    if not real:
        return
    say("")
    rows = [
        (
            *(one.set, one.split, one.items, one.metric, real_sets.number(one.value), one.best_rule),
            *(real_sets.number(best.value), f"{real_sets.number(best.difference)} ({real_sets.interval(best.ci)})"),
        )
        for one in real
        if (best := one.against.get(one.best_rule)) is not None
    ]
    table(["real set", "split", "n", "metric", name, "best rule", "its value", "difference (95 %)"], rows)
    words = real_sets.below_words(real) or real_sets.level_words(real)
    if words:
        say("", f"{words}.")


def _real(model: InstalledModel) -> tuple[RealResult, ...]:
    return () if model.trained is None else model.trained.card.real


def _form(installed: InstalledModel) -> dict[str, Any]:
    from stepscope.core.scoring.options import allowed

    model = installed.info
    return {
        "name": model.name,
        "title": model.title,
        "task": model.task.value,
        "runtime": model.runtime,
        "weights": model.weights,
        "trained_on": model.trained_on,
        "below_rules": [one.set for one in real_sets.below_rules(_real(installed))],
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
