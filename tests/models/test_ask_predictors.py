"""One answer to everything, and what that is worth on the sample."""

from collections.abc import Callable
from typing import Any

import pytest

from stepscope.core.domain.prediction import AskAnswer
from stepscope.core.errors import UnavailableError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.scoring.meteor import Meteor
from stepscope.models.ask.constant import QUESTION, AlwaysAsk, NeverAsk


def test_the_answer_is_always_the_same(request_for: Callable[..., StepRequest]) -> None:
    for goal in ("", "Send it to her"):
        request = request_for(goal=goal, step=4)
        assert NeverAsk().predict(request).answer == AskAnswer(None)
        found = AlwaysAsk(seed=2).predict(request)
        assert (found.episode, found.step, found.answer) == ("e", 4, AskAnswer(QUESTION))


def test_on_the_sample_they_miss_all_or_alarm_everywhere(
    run_on_sample: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """7 questions are due in the sample; 8 steps lie before one in its episode."""

    def missing() -> None:
        raise UnavailableError("WordNet takes seconds to load")

    monkeypatch.setattr(Meteor, "load", missing)
    never = run_on_sample("never-ask", "ask")
    steps = never["n"]
    assert (never["ask_recall"], never["ask_fpr"], never["ask_f1"], never["ask_precision"]) == (0, 0, 0, None)
    always = run_on_sample("always-ask", "ask")
    assert (always["ask_recall"], always["n"]) == (1, steps)
    assert always["ask_precision"] == pytest.approx(7 / (steps - 8))
    assert always["ask_fpr"] == pytest.approx((steps - 7 - 8) / (steps - 7))
    plain = run_on_sample("always-ask", "ask", dual="off")
    assert (plain["ask_precision"], plain["ask_fpr"]) == (pytest.approx(7 / steps), 1)
    assert {always[name] for name in ("ssr", "sr", "ssr_before", "ssr_after")} == {None}


def test_asking_where_the_data_says_so_brings_steps_back(
    run_on_sample: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The actor is the same, and is told the answers of the seven questions: the steps after them gain by it."""

    def missing() -> None:
        raise UnavailableError("WordNet takes seconds to load")

    monkeypatch.setattr(Meteor, "load", missing)
    oracle, never = (run_on_sample(f"{name}?actor=text-match", "ask") for name in ("ask-oracle", "never-ask"))
    assert (oracle["ask_f1"], oracle["ask_precision"], never["ask_f1"]) == (1, 1, 0)
    assert oracle["ssr_before"] == never["ssr_before"]
    assert oracle["ssr"] > never["ssr"] and oracle["ssr_after"] >= never["ssr_after"]
