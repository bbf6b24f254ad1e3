"""Evaluations and trainings of the forms as command lines, so that they can be repeated on a server."""

from __future__ import annotations

import shlex
from pathlib import Path

from stepscope.widgets.forms.evaluate_choices import PREDICTIONS, EvaluateRequest
from stepscope.widgets.training import RecipeChoice, TrainRequest
from stepscope.widgets.training.form import USUAL


def command_line(source: Path | None, form: EvaluateRequest) -> str:
    """The same evaluation on the command line; data below the working folder is named from there."""
    words = ["stepscope", "evaluate", form.task.value, _named(source)]
    words += ["--predictions", form.predictions] if form.model == PREDICTIONS else ["--model", form.model]
    if form.instructions != "given":
        words += ["--instructions", form.instructions]
    words += ["--protocol", form.protocol]
    for name, value in form.options:
        words += ["--set", f"{name}={value}"]
    if form.split:
        words += ["--split", form.split]
    if form.filter:
        words += ["--filter", form.filter]
    if form.seed:
        words += ["--seed", str(form.seed)]
    if form.limit is not None:
        words += ["--limit", str(form.limit)]
    if form.per_app is not None:
        words += ["--per-app", str(form.per_app)]
    if form.device != "auto":
        words += ["--device", form.device]
    if form.runtime != "auto":
        words += ["--runtime", form.runtime]
    return shlex.join(words)


_SPLITS = ("--train-split", "--validation-split", "--held-out-split")


def training_line(source: Path | None, form: TrainRequest, recipe: RecipeChoice | None) -> str:
    """The same training on the command line; what is the recipe's own setting is left out."""
    words = ["stepscope", "models", "train", form.task.value, "--data", _named(source), "--name", form.name]
    words += ["--recipe", form.recipe]
    for option, name, usual in zip(_SPLITS, (form.train, form.validation, form.held_out), USUAL, strict=True):
        if name != usual and (form.train or option == "--train-split"):
            words += [option, name]
    if form.filter:
        words += ["--filter", form.filter]
    if recipe is None or form.seeds != recipe.seeds:
        words += [word for seed in form.seeds for word in ("--seed", str(seed))]
    for name in ("epochs", "rate", "batch", "patience"):
        value = getattr(form, name)
        if recipe is None or value != getattr(recipe, name):
            words += [f"--{name}", f"{value:g}" if name == "rate" else str(value)]
    if form.device != "auto":
        words += ["--device", form.device]
    if not form.onnx:
        words.append("--no-onnx")
    return shlex.join(words)


def _named(source: Path | None) -> str:
    if source is None:
        return "PATH"
    here = Path.cwd()
    return str(source.relative_to(here)) if source != here and source.is_relative_to(here) else str(source)
