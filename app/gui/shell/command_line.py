"""Evaluations and trainings of the forms as command lines, so that they can be repeated on a server."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from stepscope.widgets.forms.evaluate_choices import PREDICTIONS, EvaluateRequest
from stepscope.widgets.training import RecipeChoice, TrainRequest
from stepscope.widgets.training.form import USUAL
from stepscope.widgets.training.training_choices import SETTINGS


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


_ENCODERS = ("texts", "views")
_INPUTS = ("classifier", "language")
_OPTIONS = tuple(name for name in SETTINGS if name != "seeds")


def training_line(source: Path | None, form: TrainRequest, base: RecipeChoice | None) -> str:
    """The same training on the command line; settings and encoders that are those of `base` (the recipe's own, under
    those of the form's preset) are left out."""
    words = ["stepscope", "models", "train", form.task.value, "--data", _weighted(source, form.weight)]
    for one in form.others:
        words += ["--data", _weighted(Path(one.path), one.weight)]
    words += ["--name", form.name, "--recipe", form.recipe]
    for option, name, usual in zip(_SPLITS, (form.train, form.validation, form.held_out), USUAL, strict=True):
        if name != usual and (form.train or option == "--train-split"):
            words += [option, name]
    if form.filter:
        words += ["--filter", form.filter]
    words += [*_settings(form, base)]
    if form.device != "auto":
        words += ["--device", form.device]
    if not form.onnx:
        words.append("--no-onnx")
    return shlex.join(words)


def _settings(form: TrainRequest, base: RecipeChoice | None) -> Iterator[str]:
    """Preset, encoders, seeds and the other settings, as far as they are not those of `base`."""
    if form.preset:
        yield from ("--preset", form.preset)
    for name in _ENCODERS:
        value = getattr(form, name)
        if value and not form.classifier and (base is None or value != getattr(base, name)):
            yield from (f"--{name}", value)
    for name in _INPUTS:
        value = getattr(form, name)
        if value and (base is None or value != getattr(base, name)):
            yield from (f"--{name}", value)
    if base is None or form.seeds != base.seeds:
        for seed in form.seeds:
            yield from ("--seed", str(seed))
    for name in _OPTIONS:
        value = getattr(form, name)
        if base is None or value != getattr(base, name):
            yield from (f"--{name.replace('_', '-')}", _number(value) if isinstance(value, float) else str(value))


def _weighted(source: Path | None, weight: float) -> str:
    """A path with its weight, which is left out where it is 1."""
    return _named(source) if weight == 1 else f"{_named(source)}:{_number(weight)}"


def _number(value: float) -> str:
    """The number as the form has it, without what its binary form adds."""
    return f"{value:.13g}"


def _named(source: Path | None) -> str:
    if source is None:
        return "PATH"
    here = Path.cwd()
    return str(source.relative_to(here)) if source != here and source.is_relative_to(here) else str(source)
