"""The card of a trained model: the JSON file beside its weights."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.prediction import Task
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_json
from stepscope.models.learned.encoder_choice import without_of
from stepscope.models.learned.real_sets import RealResult, as_form, from_forms

CARD, WEIGHTS, ONNX = "card.json", "weights.safetensors", "model.onnx"
FORMAT = 1

NAME = re.compile(r"\w[\w.-]{0,99}")
"""What a trained model can be called: nothing that leads to another folder or stands for more than it says."""

MACHINERY = (
    "Trained and measured on episodes that this project made itself. The numbers show the machinery at work; "
    "they are no finding about any published data."
)

MIXED = (
    "Trained on episodes that this project made itself and on real ones; what it reaches on each stands apart. No "
    "number on its own episodes is a finding about any published data."
)

_UNSEEN = {"pictures": ("screens",), "texts": ("text",), "tree": ("text",), "elements": ("tree",)}
"""What a model that does without these does not look at; the boxes of a tree's elements it does."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """`recipe` names what was trained (`models.training.recipes`), `recipe_version` how; `config` is what the recipe
    decided while training and needs to answer: sizes, calibration, vocabularies. `features` names the encoders whose
    vectors the weights belong to, `weights` is the SHA-256 of the weights' file.

    `data` (what it was trained on, with its hash and how many items each split had), `training` (settings), `seeds`
    (what each training reached) and `held_out` (metrics with intervals, differences to the baselines) are for people.
    `real` is what was measured on real sets with these weights.
    """

    name: str
    task: Task
    recipe: str
    recipe_version: str
    config: Mapping[str, Any]
    features: str
    weights: str
    code_version: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    seeds: tuple[Mapping[str, Any], ...] = ()
    held_out: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    real: tuple[RealResult, ...] = ()

    @property
    def is_of_own_apps(self) -> bool:
        """Whether it learned, alone or among other data, from episodes of this project's own apps."""
        sources = self.data.get("sources", ())
        return self.note == MACHINERY or any(isinstance(one, dict) and one.get("generated") is True for one in sources)

    def learned_from(self, source: str) -> Mapping[str, Any] | None:
        """What the card tells of the data of that name that it learned from; None where it did not."""
        for one in self.data.get("sources", ()) or (self.data,):
            if isinstance(one, dict) and one.get("source") == source and isinstance(one.get("splits"), dict):
                return one
        return None

    def write(self, folder: Path) -> None:
        """Into `folder`, whole or not at all. Raises UserError."""
        form = {"format": FORMAT, **{name: getattr(self, name) for name in self.__slots__}}
        form["real"] = [as_form(one) for one in self.real]
        file = folder / CARD
        text = json.dumps(form, indent=1, ensure_ascii=False, default=list)
        try:
            write_whole(file, f"{text}\n".encode())
        except OSError as error:
            raise UserError(f"cannot be written: {reason(error)}", place=file, hint=advice(error)) from error


def read_card(folder: Path) -> ModelCard:
    """The card in a folder. Raises UserError naming the file and the field."""
    file = folder / CARD
    hint = "Name a folder that `stepscope models train` wrote."
    try:
        form = read_json(file)
    except FileNotFoundError as error:
        raise UserError("there is no trained model here.", place=file, hint=hint) from error
    except (OSError, ValueError) as error:
        raise UserError(f"cannot be read: {error}", place=file, hint=hint) from error
    if not isinstance(form, dict) or form.get("format") != FORMAT:
        raise UserError("is no card of a model that this version reads.", place=file, hint=hint)
    words = ("name", "recipe", "recipe_version", "features", "weights", "code_version", "note")
    tables = ("config", "data", "training", "held_out")
    for name, kind in (*((word, str) for word in words), *((table, dict) for table in tables), ("seeds", list)):
        if not isinstance(form.get(name), kind):
            raise UserError(f"{name} is missing or of the wrong kind.", place=file, hint=hint)
    if NAME.fullmatch(form["name"]) is None:
        raise UserError(f"the name {form['name'][:60]!r} is none that a model can have.", place=file, hint=hint)
    try:
        task = Task(form["task"])
    except (KeyError, ValueError, TypeError) as error:
        raise UserError("its task is none that is known.", place=file, hint=hint) from error
    if not all(isinstance(one, dict) for one in form["seeds"]):
        raise UserError("seeds is missing or of the wrong kind.", place=file, hint=hint)
    try:
        real = from_forms(form.get("real", []))  # which files of before do not have
    except ValueError as error:
        raise UserError(f"its table of real sets cannot be read: {error}.", place=file, hint=hint) from error
    rest = {name: form[name] for name in (*words, *tables)}
    return ModelCard(task=task, seeds=tuple(form["seeds"]), real=real, **rest)


@contextmanager
def sound_config(file: Path) -> Iterator[None]:
    """Around what reads a card's config, which only its recipe understands. Raises UserError naming the card for what
    breaks on it, whatever that is: of numbers, of tables, of memory."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        why = " ".join(str(error).split())[:200]
        raise UserError(
            f"its config does not fit its recipe: {type(error).__name__}: {why}",
            place=file,
            hint="Put the card back, or train the model again.",
        ) from error


def trained_on_words(card: ModelCard) -> str:
    """What it was trained on, for people: "1,500 episodes that Stepscope generated in its own apps, train split 939",
    else the data's name and the same numbers; "" where the card does not tell."""
    source, splits = str(card.data.get("source", "")), card.data.get("splits")
    parts = splits if isinstance(splits, Mapping) else {}
    sizes = {
        name: one["episodes"]
        for name, one in parts.items()
        if isinstance(one, Mapping) and type(one.get("episodes")) is int
    }
    whole = f"{sum(sizes.values()):,} episodes"
    train = f", train split {sizes['train']:,}" if "train" in sizes else ""
    if card.note == MACHINERY or (card.is_of_own_apps and source):
        own = f"{whole if sizes else 'episodes'} that Stepscope generated in its own apps{train}"
        return "; ".join((own, *_others_of(card)))
    return f"{source}: {whole}{train}" if source and sizes else source


def _others_of(card: ModelCard) -> Iterator[str]:
    """The other data that it learned from, each with its size."""
    for one in card.data.get("sources", ())[1:]:
        train = one.get("splits", {}).get("train", {}) if isinstance(one, dict) else {}
        yield f"{one['source']}: train split {train.get('items', 0):,}"


def info_of(card: ModelCard, plain: ModelInfo) -> ModelInfo:
    """What the recipe says of its models, with what the card tells of this one."""
    title = plain.title if card.name == plain.name else f"{plain.title}: {card.name}"
    unseen = {name for part in without_of(card.config) for name in _UNSEEN.get(part, ())}
    return replace(
        plain,
        inputs=tuple(one for one in plain.inputs if one not in unseen),
        name=card.name,
        title=title,
        weights="present",
        weights_from=f"{card.name}, sha256 {card.weights[:16]}",
        trained_on=trained_on_words(card) or None,
        version=f"{card.recipe_version} {card.weights[:8]}",
        step_instructions=plain.step_instructions or card.config.get("language") in ("instruction", "both"),
    )
