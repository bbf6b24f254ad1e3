"""Models that are shown less or something else than the data has: no step instruction, of the steps before their own
answers or nothing; each is told apart by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import Key, PressKey, Wait
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.model_name import without_instructions
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.prediction_cache import CachedPredictor, PredictionCache
from stepscope.core.evaluation.predictor import ModelInfo, OwnAnswer, StepRequest, is_batching
from stepscope.core.progress import CancelToken
from stepscope.models.automation.shown import goal_alone, shown_history
from stepscope.models.catalog import TEXT_MATCH
from stepscope.models.history_choice import HISTORY, with_history
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


def test_of_the_steps_before_it_is_shown_its_own_answers_or_nothing() -> None:
    """Where an answer could not be read nothing was done."""
    recorded = (Wait(), PressKey(Key.HOME), Wait())
    own = (OwnAnswer(PressKey(Key.BACK), "back"), OwnAnswer(None, "???"))
    asked, seen = replace(ASKED, history=recorded, own=own), list[StepRequest]()

    class Keeping(Batches):
        def prepare(self, request: StepRequest) -> str:
            seen.append(request)
            return ""

    marks, info_set = set[str](), replace(INFO, settings=(HISTORY,))
    for history in ("recorded", "predicted", "none"):
        info = with_history(info_set, history)
        shown = shown_history(Keeping(), info)
        assert is_batching(shown)
        shown.prepare(asked)
        marks.add(shown.fingerprint)
    assert [one.history for one in seen] == [recorded, (PressKey(Key.BACK), Wait()), ()]
    assert seen[0].own == own and not seen[1].own and len(marks) == 3, "answers of the three are kept apart"


def test_its_name_and_title_tell_the_history() -> None:
    for name, title, own in (
        ("two-tower", "Two-tower", False),
        ("two-tower?history=recorded", "Two-tower", False),
        ("two-tower?history=predicted", "Two-tower, own history", True),
        ("two-tower?history=none&instructions=hidden", "Two-tower, no history, goal alone", False),
    ):
        info = model_info(name)
        assert (info.title, info.own_history) == (title, own)
        assert info.name == name.replace("?history=recorded", "")


def test_who_looks_at_no_history_cannot_be_set() -> None:
    for name in ("seq2act", "text-match", "feasibility-mlp", "ask-timing"):
        with pytest.raises(UsageError, match="has no option 'history'"):
            model_info(f"{name}?history=none")
    with pytest.raises(UsageError, match="history cannot be 'all'"):
        load("two-tower?history=all")


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
