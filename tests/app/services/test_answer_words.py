"""The words of an answer on their way out of the process for evaluations, while they are written."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stepscope.app.services import worker_child
from stepscope.app.services.worker import AnswerWords
from stepscope.app.services.worker_child import AnswerListener, WalkTeller
from stepscope.core.domain.run import RunState
from stepscope.core.domain.walk import WalkUnderWay
from stepscope.core.evaluation.prediction_cache import CachedPredictor, PredictionCache
from stepscope.core.evaluation.predictor import Speaking
from stepscope.core.evaluation.runs import RunUpdate
from stepscope.core.progress import ProgressMeter
from stepscope.models.automation.shown import goal_alone


class Writer:
    """A model that tells its words, as far as anybody listens."""

    heard: Any = None

    def listen(self, heard: Any) -> None:
        self.heard = heard


class Asked(Writer):
    """One that is asked in batches, as far as others look at it."""

    info: Any = SimpleNamespace(batches=True)
    batch_size, fingerprint = 1, "asked"

    def prepare(self, request: Any) -> Any:
        return request

    def predict_batch(self, prepared: Any) -> Any:
        return prepared


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(worker_child.time, "monotonic", lambda: now[0])
    return now


def test_of_a_walk_not_more_is_sent_than_anybody_can_see(clock: list[float]) -> None:
    sent: list[object] = []
    teller = WalkTeller(sent.append)
    walk = WalkUnderWay("1", "goal", "", (), "1/0", ("1/0",), 0)
    teller.tell(walk)
    clock[0] = 0.01
    teller.tell(replace(walk, last="1/1"))
    clock[0] = 0.06
    teller.tell(replace(walk, last="1/2"))
    assert sent == [walk, replace(walk, last="1/2")]


def test_the_end_of_an_answer_is_sent_now_and_then_and_the_next_begins_anew(clock: list[float]) -> None:
    sent: list[object] = []
    writer = Writer()
    listener = AnswerListener(lambda _name, **_more: writer, sent.append)
    assert listener.load("m", seed=0) is writer
    writer.heard("click(")
    clock[0] = 0.01
    writer.heard("12, ")
    clock[0] = 0.06
    writer.heard("34)")
    assert sent == [AnswerWords("click("), AnswerWords("click(12, 34)")]
    update = RunUpdate("r", RunState.RUNNING, ProgressMeter(2).snapshot(), 1)
    assert listener.after(update) == update
    clock[0] = 1.0
    writer.heard("x" * 1000)
    assert sent[-1] == AnswerWords("x" * 300)
    listener.leave()
    assert writer.heard is None, "a model that is kept for another run tells nobody"


def test_a_model_whose_answers_are_remembered_and_that_sees_the_goal_alone_tells_its_words_too(tmp_path: Path) -> None:
    inner = Asked()
    with closing(PredictionCache(tmp_path / "answers.db")) as cache:
        kept = CachedPredictor(goal_alone(inner, inner.info), cache)
        assert isinstance(kept, Speaking)
        heard: list[str] = []
        kept.listen(heard.append)
        inner.heard("a word")
        assert heard == ["a word"]


def test_a_model_that_says_nothing_is_left_alone() -> None:
    silent = object()
    listener = AnswerListener(lambda _name, **_more: silent, lambda _answer: None)
    assert listener.load("m") is silent
    listener.leave()
