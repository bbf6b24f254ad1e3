"""Which encoders a trained model stands on, as its config names them. Imports nothing large: lists use it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stepscope.core.frozen import dataclass
from stepscope.models.encoders.registry import TEXTS, VIEWS

Config = Mapping[str, Any]
"""What training decided and a network needs to answer. JSON."""
TEXT_SIZE, VIEW_SIZE = 384, 1280
"""Of the usual encoders."""


@dataclass(frozen=True, slots=True)
class EncoderNames:
    """The encoders that a model stands on, by reference (`models.encoders.registry`); `views` "" for none."""

    texts: str = TEXTS
    views: str = VIEWS


USUAL = EncoderNames()


@dataclass(frozen=True, slots=True)
class VectorSizes:
    """How many numbers the vectors of a text and of a picture have."""

    text: int = TEXT_SIZE
    view: int = VIEW_SIZE


@dataclass(frozen=True, slots=True)
class Tuning:
    """What of its encoders a tuned recipe learns: all but the parameters whose names one of the patterns of `freeze`
    (regular expressions) is found in; or, with `lora`, matrices of that rank beside their linear layers alone (Hu et
    al. 2022)."""

    freeze: tuple[str, ...] = ()
    lora: int = 0


WHOLE = Tuning()


@dataclass(frozen=True, slots=True)
class ClassifierChoice:
    """What a recipe whose inputs are chosen by name reads (`models.feasibility.classifier_name`), and what the command
    is: `goal`, `instruction` or `both`. "": the recipe's own."""

    classifier: str = ""
    language: str = ""


OWN_CHOICE = ClassifierChoice()


def classifier_of(config: Config) -> ClassifierChoice:
    """What a config says of it."""
    return ClassifierChoice(str(config.get("classifier", "")), str(config.get("language", "")))


def without_of(config: Config) -> tuple[str, ...]:
    """What of its recipe's parts a model does without, as its config says."""
    return tuple(config.get("without", ()))


def tuning_of(config: Config) -> Tuning:
    """What a config says of it."""
    return Tuning(tuple(config.get("freeze", ())), int(config.get("lora", 0)))


def cut_of(config: Config) -> tuple[int, int]:
    """The `layers` and the `grid` of a config (`models.learned.recipe.Hyper`)."""
    return int(config.get("layers", 0)), int(config.get("grid", 0))


def encoders_of(config: Config) -> EncoderNames:
    """The encoders that a config names; the usual ones where it names none, as those of earlier versions."""
    return EncoderNames(**config.get("encoders", {}))


def sizes_of(config: Config) -> VectorSizes:
    """The sizes of the vectors of the encoders that a config names."""
    return VectorSizes(**config.get("sizes", {}))
