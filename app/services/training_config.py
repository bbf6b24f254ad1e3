"""Settings of a training out of a file (TOML): those of a paper's table that come with Stepscope, a person's own.

A file has `title`, `source` and `task` (and may have `recipe`, with its `classifier` and `language`), a table
`settings` whose fields are those of `Hyper`, and may have a table `encoders` with `texts` and `views`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.regular_files import open_regular
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.learned.encoder_choice import USUAL, ClassifierChoice, EncoderNames
from stepscope.models.learned.recipe import Hyper
from stepscope.models.training.schedules import OPTIMIZERS, PRECISIONS, SCHEDULES

_MOST_BYTES = 1_000_000
_MOST_WEIGHT = 1000
_WEIGHT = re.compile(r"\d+(\.\d+)?|\.\d+")
_WORDS = ("title", "source", "recipe", "classifier", "language")
_NOUGHT = ("pretrain", "layers", "grid", "threads", "prefixes", "head_first")
"""Settings of which 0 says something too."""
_TABLES = (*_WORDS, "task", "settings", "encoders")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """What a file says. `settings` are those that it names, checked."""

    name: str
    task: Task | None = None
    title: str = ""
    source: str = ""
    recipe: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    encoders: EncoderNames = USUAL
    classifier: str = ""
    language: str = ""

    def over(self, own: Hyper) -> Hyper:
        """These settings, the recipe's own where nothing is said."""
        return replace(own, **self.settings)


def presets_folder() -> Path:
    """Where the settings lie that come with the program."""
    from stepscope import resources

    return Path(resources.__file__).parent / "training"


def presets() -> tuple[TrainingConfig, ...]:
    """The settings that come with the program, by name."""
    return tuple(read_config(file) for file in sorted(presets_folder().glob("*.toml")))


def preset(name: str) -> TrainingConfig:
    """Raises UsageError naming the nearest."""
    known = {one.name: one for one in presets()}
    if name not in known:
        raise UsageError(f"There is no preset {name!r}.", hint=f"{did_you_mean(name, known)}{', '.join(known)}.")
    return known[name]


def read_config(file: Path) -> TrainingConfig:
    """What the file says. Raises UserError naming file and field."""
    try:
        with open_regular(file) as stream:
            form = tomllib.loads(stream.read(_MOST_BYTES).decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(f"cannot be read: {error}", place=file, hint="Write it as TOML.") from error
    for name in form:
        if name not in _TABLES:
            raise _wrong(file, name, f"is not known. {did_you_mean(name, _TABLES)}There are {', '.join(_TABLES)}")
    for name in _WORDS:
        if not isinstance(form.get(name, ""), str):
            raise _wrong(file, name, "is no text")
    try:
        task = Task(form["task"]) if "task" in form else None
    except ValueError as error:
        raise _wrong(file, "task", f"{form['task']!r} is no task") from error
    words = {name: str(form.get(name, "")) for name in _WORDS}
    return TrainingConfig(
        file.stem, task, settings=_settings(file, form.get("settings", {})), encoders=_encoders(file, form), **words
    )


def encoders_over(given: Sequence[TrainingConfig], texts: str = "", views: str = "") -> EncoderNames:
    """The encoders that are named last: by the person, by files, else the usual ones."""
    for one in reversed(given):
        texts = texts or _other(one.encoders.texts, USUAL.texts)
        views = views or _other(one.encoders.views, USUAL.views)
    return EncoderNames(texts or USUAL.texts, views or USUAL.views)


def choice_over(given: Sequence[TrainingConfig], own: ClassifierChoice) -> ClassifierChoice:
    """Classifier and language that are named last: by the person, by files."""
    for one in reversed(given):
        own = ClassifierChoice(own.classifier or one.classifier, own.language or one.language)
    return own


def hyper_over(own: Hyper, task: Task, given: Sequence[TrainingConfig], options: Mapping[str, Any]) -> Hyper:
    """The recipe's settings under those of files, in order, under those of the person (None: not given). Raises
    UsageError for files of another task, and for names of optimizers, schedules or precisions that there are not."""
    for one in given:
        if one.task not in (None, task):
            raise UsageError(f"{one.name} is about {one.task}, not about {task}.", hint="Name another.")
        own = one.over(own)
    made = replace(own, **{name: value for name, value in options.items() if value is not None})
    for name, known in (("optimizer", OPTIMIZERS), ("schedule", SCHEDULES), ("precision", PRECISIONS)):
        if (value := getattr(made, name)) not in known:
            raise UsageError(f"There is no {name} {value!r}.", hint=f"{did_you_mean(value, known)}{', '.join(known)}.")
    return made


def typed_settings(settings: Mapping[str, str]) -> dict[str, Any]:
    """Settings that are written as text, each as the field of `Hyper` has it. Raises UsageError for one that there is
    not, and for a value that is none."""
    kinds = get_type_hints(Hyper)
    found: dict[str, Any] = {}
    for name, value in settings.items():
        if kinds.get(name) not in (int, float, str):
            known = [one for one, kind in kinds.items() if kind in (int, float, str)]
            hint = f"{did_you_mean(name, known)}There are {', '.join(known)}."
            raise UsageError(f"A training has no setting {name!r}.", hint=hint)
        try:
            found[name] = kinds[name](value)
        except ValueError:
            raise UsageError(f"{name} of a training cannot be {value!r}.", hint="Write a number.") from None
    return found


def weighted(text: str) -> tuple[Path, float]:
    """A path with the weight behind its last colon, 1 without; a path that exists as it is written has none. Raises
    UsageError for a weight that is none."""
    path, _, weight = text.rpartition(":")
    if not path or Path(text).exists() or _WEIGHT.fullmatch(weight) is None:
        return Path(text), 1.0
    share = float(weight)
    if not 0 < share <= _MOST_WEIGHT:
        raise UsageError(f"{weight} is no weight for {path}.", hint=f"Give one above 0, {_MOST_WEIGHT} at most.")
    return Path(path), share


def _other(name: str, usual: str) -> str:
    return "" if name == usual else name


def _settings(file: Path, table: Any) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise _wrong(file, "settings", "is no table")
    kinds = get_type_hints(Hyper)
    names = tuple(one.name for one in fields(Hyper))
    found: dict[str, Any] = {}
    for name, value in table.items():
        if name not in names:
            raise _wrong(
                file, f"settings.{name}", f"is not known. {did_you_mean(name, names)}There are {', '.join(names)}"
            )
        found[name] = _checked(file, f"settings.{name}", value, kinds[name])
    return found


def _checked(file: Path, name: str, value: Any, kind: Any) -> Any:
    """The value as the setting has it. Raises UserError."""
    if kind is str and isinstance(value, str):
        return value
    if kind is float and type(value) in (int, float) and 0 <= value < float("inf"):
        return float(value)
    least = -1 if name.endswith("workers") else 0 if name.endswith(_NOUGHT) else 1
    if kind is int and type(value) is int and value >= least:
        return value
    if (
        name.endswith("seeds")
        and isinstance(value, list)
        and value
        and all(type(one) is int and one >= 0 for one in value)
    ):
        return tuple(dict.fromkeys(value))
    wanted = {str: "a text", float: "a number from 0 on", int: "a whole number from 1 on"}.get(kind, "a list of seeds")
    raise _wrong(file, name, f"{value!r} is not {wanted}")


def _encoders(file: Path, form: Mapping[str, Any]) -> EncoderNames:
    table = form.get("encoders", {})
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise _wrong(file, "encoders", "is no table of names")
    if strange := set(table) - {"texts", "views"}:
        raise _wrong(file, f"encoders.{min(strange)}", "is not known. There are texts and views")
    return replace(USUAL, **table)


def _wrong(file: Path, name: str, why: str) -> UserError:
    return UserError(f"{name}: {why}.", place=file, hint="See docs/models/training.md.")
