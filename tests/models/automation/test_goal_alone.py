"""A model that is shown the goal alone: no step instruction reaches it, and it is told apart by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import Wait
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.model_name import without_instructions
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.prediction_cache import CachedPredictor, PredictionCache
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest, is_batching
from stepscope.core.progress import CancelToken
from stepscope.models.automation.goal_alone import goal_alone
from stepscope.models.catalog import TEXT_MATCH
from stepscope.models.registry import load, model_info

ASKED = StepRequest("e", 0, "Wait here.", Platform.ANDROID, Observation(Size(10, 10)), instruction="Press home.")
INFO = replace(TEXT_MATCH, batches=True)


class Batches:
    """Says what it was shown."""

    batch_size, fingerprint = 4, "weights 1"
    weight_files = (Path("/w"),)

    def __init__(self, info: ModelInfo = INFO) -> None:
        self.info, self.called = info, list[str]()

    def prepare(self, request: StepRequest) -> str:
        return f"{request.goal}|{request.instruction}"

    def predict_batch(self, prepared: Sequence[str]) -> list[Prediction]:
        return [Prediction("e", 0, ActionAnswer(Wait()), raw=one) for one in prepared]

    def predict(self, request: StepRequest) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def warm_up(self) -> None:
        self.called.append("warm_up")

    def close(self) -> None:
        self.called.append("close")

    def release(self) -> None:
        self.called.append("release")

    def set_token(self, _token: CancelToken) -> None:
        self.called.append("set_token")


def test_a_rule_reads_the_goal_where_the_instruction_is_hidden() -> None:
    assert load("text-match").predict(ASKED).answer.action.kind == "press_key"
    assert load("text-match?instructions=hidden").predict(ASKED).answer.action.kind == "wait"


def test_it_never_sees_an_instruction_and_hands_all_else_on() -> None:
    inner = Batches()
    found: Any = goal_alone(inner, INFO)
    assert is_batching(found) and found.batch_size == 4 and found.weight_files == inner.weight_files
    assert found.predict(ASKED).raw == found.predict_batch([found.prepare(ASKED)])[0].raw == "Wait here.|None"
    for name in ("warm_up", "close", "release"):
        getattr(found, name)()
    found.set_token(CancelToken())
    assert inner.called == ["warm_up", "close", "release", "set_token"]


def test_answers_to_the_whole_question_are_not_taken_for_answers_to_the_goal(tmp_path: Path) -> None:
    cache = PredictionCache(tmp_path / "kept.db")
    given, hidden = CachedPredictor(Batches(), cache), CachedPredictor(goal_alone(Batches(), INFO), cache)
    assert given.predict(ASKED).raw == "Wait here.|Press home."
    assert hidden.predict(ASKED).raw == "Wait here.|None"
    assert hidden.predict(ASKED).raw == "Wait here.|None" and hidden.remembered == 1
    cache.close()
    bare = Batches()
    bare.fingerprint = ""
    assert goal_alone(bare, INFO).fingerprint == "", "what is never kept is not kept here either"


def test_its_name_tells_it_apart() -> None:
    info = model_info("text-match?instructions=hidden")
    assert (info.name, info.title) == ("text-match?instructions=hidden", "Text match, goal alone")
    assert info.stand_in and info.task is TEXT_MATCH.task
    assert without_instructions("page:lab/m?demos=3") == "page:lab/m?demos=3&instructions=hidden"
    assert without_instructions(info.name) == info.name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("text-match?instructions=given", "instructions of a model can only be hidden"),
        ("always-feasible?instructions=hidden", "always-feasible is shown no step instructions"),
        ("nobody?instructions=hidden", "There is no model 'nobody'"),
        ("text-match?demos=3&instructions=hidden", "has no option"),
    ],
)
def test_what_cannot_be_hidden_is_refused(name: str, words: str) -> None:
    for ask in (model_info, load):
        with pytest.raises(UsageError, match=words):
            ask(name)
