"""A training of the form as a command line; apart from that of evaluations, which would load the form of trainings."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from stepscope.app.gui.shell.command_line import named_path
from stepscope.widgets.training import RecipeChoice, TrainRequest
from stepscope.widgets.training.form import USUAL
from stepscope.widgets.training.training_choices import SETTINGS

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
    return named_path(source) if weight == 1 else f"{named_path(source)}:{_number(weight)}"


def _number(value: float) -> str:
    """The number as the form has it, without what its binary form adds."""
    return f"{value:.13g}"
