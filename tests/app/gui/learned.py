"""A recipe small enough to follow, in place of all others, and a model trained by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import stepscope.models.features.vectors
import stepscope.models.learned.recipes
from stepscope.core.domain.prediction import Task
from stepscope.models.encoders.encoder import EncoderInfo, EncoderKind
from stepscope.models.features.vectors import Features
from stepscope.models.learned.card import ModelCard
from stepscope.models.learned.model_folders import TrainedModel
from stepscope.models.training.save import save, shapes_of
from tests.models.plain_encoders import PlainTexts
from tests.models.training.toy import Toy, toy_data

ENCODERS = {
    one.name: one
    for one in (
        EncoderInfo("minilm", "Sentences", EncoderKind.TEXT, 4, "", "here"),
        EncoderInfo("mobilenet-v2", "Screens", EncoderKind.IMAGE, 4, "", "here"),
        EncoderInfo("my-clip", "A CLIP", EncoderKind.JOINT, 4, "", "here", outputs=("pooled", "tokens"), added=True),
        EncoderInfo("my-bert", "A BERT", EncoderKind.TEXT, 4, "", "Its folder is gone: add it again.", "absent"),
    )
}
"""Encoders that there seem to be, one of them without its weights."""


def features() -> Features:
    return Features([PlainTexts()])


def only_toy(patch: pytest.MonkeyPatch) -> Toy:
    """Make it the only recipe, for feasibility, without encoders."""
    found = Toy()
    found.hyper = replace(found.hyper, epochs=6)
    patch.setattr(
        stepscope.models.learned.recipes, "_RECIPES", {"toy": (Task.FEASIBILITY, "tests.models.training.toy")}
    )
    patch.setattr(stepscope.models.learned.recipes, "recipe", lambda _name: found)
    for place in ("stepscope.app.services.training.recipe_named", "stepscope.app.services.own_models.recipe"):
        patch.setattr(place, lambda _name: found)
    for place in (
        "stepscope.models.features.vectors.load_features",
        "stepscope.models.learned.predictor.load_features",
    ):
        patch.setattr(place, lambda *_, **__: features())
    patch.setattr("stepscope.models.encoders.registry.find", lambda **_: "here")
    patch.setattr("stepscope.models.encoders.registry.encoders", lambda: ENCODERS)
    patch.setattr("stepscope.models.registry.find_encoders", lambda **_: "here")
    return found


def trained_toy(folder: Path, name: str = "long-goals") -> TrainedModel:
    """A model with the weights that torch drew, and a card."""
    import torch

    torch.manual_seed(0)
    config = {"shapes": shapes_of(toy_data(5, 0).examples), "chosen": 0.5}
    told = {"source": "goals", "hash": "0" * 64, "splits": {"held_out": {"name": "app_unseen", "episodes": 12}}}
    held_out = {
        "protocol": "feasibility", "metric": "accuracy", "n": 12, "metrics": {"accuracy": 0.75},
        "ci": {"accuracy": [0.5, 0.9]}, "over_seeds": {"n": 1, "mean": 0.75, "deviation": None},
        "against": {"always-feasible": {"baseline": 0.5, "difference": 0.25, "ci": [0.1, 0.4], "p": 0.01}},
    }  # fmt: skip
    card = ModelCard(
        name, Task.FEASIBILITY, "toy", "1", config, features().fingerprint, "", "0.1", told, {"epochs": 6},
        ({"seed": 0},), held_out, "Trained for a test.",
    )  # fmt: skip
    return save(Toy(), name, Toy().network(config).state_dict(), folder, card, onnx=False)
