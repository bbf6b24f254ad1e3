"""What a trained model says when what it stands on is not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UnavailableError, UserError
from stepscope.models.catalog import TRAINED
from stepscope.models.features.vectors import Features
from stepscope.models.learned.card import ModelCard, read_card
from stepscope.models.learned.model_folders import TrainedModel
from stepscope.models.learned.predictor import LearnedPredictor
from stepscope.models.learned.recipes import recipe, recipes_of
from stepscope.models.registry import registry
from tests.models.plain_encoders import PlainTexts
from tests.models.training.toy import Toy


class Head:
    device, fingerprint, computed_by = "cpu", "head", "tests"

    def run(self, *inputs: Any) -> Any:
        return [np.zeros(len(inputs[0]), np.float32)]

    def close(self) -> None:
        pass


def card(features: str = "no words; no pictures") -> ModelCard:
    return ModelCard("toy", Task.FEASIBILITY, "toy", "1", {"shapes": {}}, features, "0" * 64)


def test_weights_of_other_encoders_are_refused(tmp_path: Path) -> None:
    features = Features([PlainTexts()])
    head: Any = Head()
    assert LearnedPredictor(TrainedModel(tmp_path, card()), Toy(), features, head, "onnx").info.name == "toy"
    with pytest.raises(UserError, match="was trained on vectors of other encoders"):
        LearnedPredictor(TrainedModel(tmp_path, card("words of 50 numbers")), Toy(), features, head, "onnx")


def test_absent_encoders_are_told_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(**_: str) -> str:
        raise UnavailableError("the weights of MobileNetV2 are not here.", hint="Install it.")

    monkeypatch.setattr("stepscope.models.registry.find_encoders", missing)
    info = registry().models["pairwise-pointer"].info
    assert info.weights == "absent" and "MobileNetV2" in info.weights_from


def test_cards_that_cannot_be_read_name_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no trained model here"):
        read_card(tmp_path)
    file = tmp_path / "card.json"
    file.write_text("{", "utf-8")
    with pytest.raises(UserError, match="cannot be read"):
        read_card(tmp_path)
    file.write_text("[]", "utf-8")
    with pytest.raises(UserError, match="no card of a model"):
        read_card(tmp_path)
    card().write(tmp_path)
    whole = json.loads(file.read_text("utf-8"))
    for field in ("name", "config", "seeds", "weights"):
        file.write_text(json.dumps({**whole, field: None}), "utf-8")
        with pytest.raises(UserError, match=f"{field} is missing"):
            read_card(tmp_path)
    file.write_text(json.dumps({**whole, "task": "cooking"}), "utf-8")
    with pytest.raises(UserError, match="task"):
        read_card(tmp_path)


def test_a_broken_card_harms_no_other_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path))
    folder = tmp_path / "data" / "models" / "mine"
    folder.mkdir(parents=True)
    (folder / "card.json").write_text("{}", "utf-8")
    found = registry()
    assert "text-match" in found.models
    assert any(str(folder) in problem.message for problem in found.problems)


@pytest.mark.parametrize("name", TRAINED)
def test_the_catalogue_says_what_the_recipe_says(name: str) -> None:
    assert recipe(name).info is TRAINED[name] and name in recipes_of(TRAINED[name].task)
