"""What the models of runs read: by card, by a classifier's name, and as one without something."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from stepscope.app.services import feature_names as service
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunLabels, RunSpec, RunState
from stepscope.core.errors import UserError
from stepscope.core.evaluation.ablation import FeatureName


def run(model: str, name: str = "") -> Run:
    spec = RunSpec(Task.FEASIBILITY, model, "data", "motif", "feasibility")
    return Run(f"{model}|{name}", spec, RunState.DONE, datetime(2026, 1, 2, tzinfo=UTC), 1, 1, labels=RunLabels(name))


def names(*runs: Run) -> dict[str, FeatureName]:
    return service.feature_names(runs)


def test_a_classifier_by_its_name_whatever_became_of_the_model() -> None:
    assert names(run("clip( screen,ET )+cat"), run("gone"), run("a+b")) == {
        "clip( screen,ET )+cat|": FeatureName("clip(screen,et)", "cat")
    }
    assert names(run("gone", "fasttext(et)+lstm")) == {"gone|fasttext(et)+lstm": FeatureName("fasttext(et)", "lstm")}


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"classifier": "clip(screen,et,id)+cat", "language": "goal"}, FeatureName("clip(screen,et,id)", "cat")),
        ({"classifier": "clip(screen)+avg", "language": "both"}, FeatureName("clip(screen)", "avg, both")),
        ({"classifier": "nonsense"}, None),
        ({"classifier": 3}, None),
        ({}, None),
    ],
)
def test_a_trained_model_by_its_card(monkeypatch: pytest.MonkeyPatch, config: dict, name: FeatureName | None) -> None:
    asked: list[str] = []

    def find(model: str) -> SimpleNamespace:
        asked.append(model)
        return SimpleNamespace(card=SimpleNamespace(config=config))

    monkeypatch.setattr(service, "find_trained", find)
    assert set(names(run("mine?x=1"), run("mine", "again")).values()) == ({name} if name else set())
    assert asked == ["mine"], "a card is read once"


def test_a_card_that_cannot_be_read_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_model: str) -> None:
        raise UserError("is no card")

    monkeypatch.setattr(service, "find_trained", broken)
    assert names(run("mine")) == {}


def test_one_without_something_stands_beside_the_whole() -> None:
    found = names(run("set-transformer"), run("set-transformer-without-texts"), run("other"),
                  run("m", "set-transformer without pictures"))  # fmt: skip
    assert found == {
        "set-transformer|": FeatureName("set-transformer", "whole"),
        "set-transformer-without-texts|": FeatureName("set-transformer", "without texts"),
        "m|set-transformer without pictures": FeatureName("set-transformer", "without pictures"),
    }
