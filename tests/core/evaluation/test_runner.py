"""Predicting and scoring step by step: what is an item, what a model may see, and what a broken one costs."""

from dataclasses import replace

import pytest

from stepscope.core.domain.action import Finish, Tap
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.evaluation.imported_predictions import NO_LINE, ImportedPredictor
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.progress import CancelToken

OPTIONS = {"limit": 0.5}


def keys(outcomes):
    return [(outcome.key.episode, outcome.key.step) for outcome in outcomes]


def test_items_are_the_steps_with_a_reference_action_a_finish_included(fakes):
    source = fakes.FakeSource.of(a=2, b=0)
    found = list(evaluate(source, ["b", "a"], fakes.FakePredictor(), fakes.FakeScorer(), OPTIONS))
    assert keys(found) == [("b", 0), ("a", 0), ("a", 1), ("a", 2)]
    assert [outcome.reference for outcome in found] == ["finish", "tap", "tap", "finish"]


def test_verdicts_are_the_rules(fakes):
    found = list(evaluate(fakes.FakeSource.of(a=3), ["a"], fakes.FakePredictor(), fakes.FakeScorer(), OPTIONS))
    assert [outcome.score for outcome in found] == [
        Score.scored(1, "0 away", away=0.0),
        Score.scored(1, "0 away", away=0.0),
        Score.scored(0, "1 away", away=1.0),
        Score.unscored("A finish is not judged."),
    ]


@pytest.mark.parametrize("shown", [True, False])
def test_only_a_model_that_says_so_sees_the_reference(fakes, shown):
    predictor = fakes.FakePredictor(needs_reference=shown)
    list(evaluate(fakes.FakeSource.of(a=1), ["a"], predictor, fakes.FakeScorer(), OPTIONS))
    first, second = predictor.requests
    assert [type(request.reference) for request in (first, second)] == ([Tap, Finish] if shown else [type(None)] * 2)
    assert (first.goal, first.app, first.history) == ("Goal of a", "app", ())
    assert second.history == (Tap(first.observation and second.history[0].point),)


def test_what_is_done_is_not_done_again_but_stays_in_the_history(fakes):
    predictor = fakes.FakePredictor()
    done = frozenset({ItemKey("a", 0), ItemKey("b", 0)})
    found = evaluate(fakes.FakeSource.of(a=1, b=0), ["a", "b"], predictor, fakes.FakeScorer(), OPTIONS, done=done)
    assert keys(found) == [("a", 1)]
    assert len(predictor.requests[0].history) == 1


def test_a_broken_item_is_an_error_and_not_the_end(fakes):
    class Breaking(fakes.FakePredictor):
        def predict(self, request):
            if request.step == 0:
                raise RuntimeError("out of\nmemory")
            if request.step == 1:
                return replace(super().predict(request), step=9)
            return super().predict(request)

    class BreakingScorer(fakes.FakeScorer):
        def score_step(self, step, prediction, options):
            if step.index == 2:
                raise ZeroDivisionError
            if step.index == 3:
                return Score.scored(float("nan"), "hm")
            return super().score_step(step, prediction, options)

    found = list(evaluate(fakes.FakeSource.of(a=5), ["a"], Breaking(), BreakingScorer(), OPTIONS))
    assert [outcome.score.status for outcome in found[:4]] == [ScoreStatus.ERROR] * 4
    assert [outcome.score.why for outcome in found[:4]] == [
        "The model failed: RuntimeError: out of memory",
        "The model failed: ValueError: it answered step 9 of episode a",
        "The rule failed: ZeroDivisionError",
        "The rule gave nan as value. hm",
    ]
    assert [outcome.prediction.status for outcome in found[:4]] == [PredictionStatus.FAILED] * 2 + [
        PredictionStatus.OK
    ] * 2
    assert found[4].score.value == 1.0


def test_an_unreadable_episode_is_one_error_and_not_the_end(fakes):
    source = fakes.FakeSource({"bad": None, "a": fakes.episode("a", 0)})
    found = list(evaluate(source, ["bad", "gone", "a"], fakes.FakePredictor(), fakes.FakeScorer(), OPTIONS))
    assert keys(found) == [("bad", -1), ("gone", -1), ("a", 0)]
    assert found[0].score == Score.error("The episode cannot be read: data/fake:bad: goal is missing")
    assert found[0].prediction.step is None
    again = evaluate(
        source, ["bad", "a"], fakes.FakePredictor(), fakes.FakeScorer(), OPTIONS, done=frozenset({ItemKey("bad", -1)})
    )
    assert keys(again) == [("a", 0)]


def test_numbers_of_a_model_that_are_none_are_left_out(fakes):
    class Odd(fakes.FakePredictor):
        def predict(self, request):
            return replace(super().predict(request), confidence=float("nan"), latency_ms=float("inf"))

    (found,) = evaluate(fakes.FakeSource.of(a=0), ["a"], Odd(), fakes.FakeScorer(), OPTIONS)
    assert (found.prediction.confidence, found.prediction.latency_ms) == (None, None)


def test_a_cancelled_token_ends_the_work_before_the_next_item(fakes):
    token, predictor = CancelToken(), fakes.FakePredictor()
    work = evaluate(fakes.FakeSource.of(a=5), ["a"], predictor, fakes.FakeScorer(), OPTIONS, token=token)
    next(work)
    token.cancel()
    assert list(work) == []
    assert len(predictor.requests) == 1


def test_a_model_that_waits_for_others_gets_the_token_when_the_run_begins(fakes):
    class Waits(fakes.FakePredictor):
        def set_token(self, token):
            self.heeded = (token, len(self.requests))

    token, predictor = CancelToken(), Waits()
    list(evaluate(fakes.FakeSource.of(a=1), ["a"], predictor, fakes.FakeScorer(), OPTIONS, token=token))
    assert predictor.heeded == (token, 0)


@pytest.mark.parametrize("end", ["done", "closed", "broken"])
def test_a_model_that_holds_something_is_told_when_the_run_is_over(fakes, end):
    class Holds(fakes.FakePredictor):
        rests = 0

        def release(self):
            self.rests += 1

    class Broken(fakes.FakeSource):
        def read(self, episode_id):
            raise KeyboardInterrupt

    predictor = Holds()
    source = Broken({"a": None}) if end == "broken" else fakes.FakeSource.of(a=3)
    work = evaluate(source, ["a"], predictor, fakes.FakeScorer(), OPTIONS)
    if end == "broken":
        with pytest.raises(KeyboardInterrupt):
            next(work)
    elif end == "closed":
        next(work)
        assert predictor.rests == 0
        work.close()
    else:
        assert len(list(work)) == 4, "three taps and the end"
    assert predictor.rests == 1


def test_an_imported_file_answers_and_its_gaps_are_wrong(fakes, tmp_path):
    line = fakes.FakePredictor().predict
    tap = Prediction("a", 0, line(type("R", (), {"episode": "a", "step": 0})).answer)
    predictor = ImportedPredictor.of(
        [tap, Prediction("a", None, None, PredictionStatus.MALFORMED)], path=tmp_path / "p.jsonl"
    )
    assert predictor.info.name == "p"
    assert ImportedPredictor({}, model="GPT", note="v2").info.name == "GPT"
    assert predictor.covered(["c", "a", "b"]) == ("a",)
    found = list(evaluate(fakes.FakeSource.of(a=2), ["a"], predictor, fakes.FakeScorer(), OPTIONS))
    assert found[0].score.right
    assert found[1].prediction.status is PredictionStatus.FAILED
    assert found[1].score == Score.unusable(NO_LINE, null=True)
