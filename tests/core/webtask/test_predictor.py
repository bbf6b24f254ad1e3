"""A solver as a model: what is read from the page after it, what a lost page leaves, and whole evaluations."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from stepscope.core.domain.prediction import FieldsAnswer, PredictionStatus, Task
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.domain.webtask import FieldType, WebField, WebInstance, WebTask
from stepscope.core.evaluation.predictor import Cancellable, FieldsRequest, ModelInfo, Releasable, is_batching
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.webtask.actions import ModifyRadio, ModifyText
from stepscope.core.webtask.exchange import Exchange
from stepscope.core.webtask.page import BlockedRequest, PageError, PageGone
from stepscope.core.webtask.pool import PagePool
from stepscope.core.webtask.predictor import PagePredictor
from stepscope.core.webtask.solving import Notes, trace_from_json
from tests.core.webtask.fake import FakeBrowser, FakePage, field

FIELDS = (WebField("good", FieldType.RADIO, ("0", "1")), WebField("why", FieldType.TEXT), WebField("gone", "text"))
TASK = WebTask("Rate", "Rate it", "", "<p>${goal}</p>", ("goal",), FIELDS)
INFO = ModelInfo("test", "Test", Task.WEBTASK, "", "tests", batches=True)


def request(number: int = 0, goal: str = "tea") -> FieldsRequest:
    return FieldsRequest(f"Rate/{number}", TASK, {"goal": goal})


def rate(source, **more) -> FakePage:
    return FakePage(field("why", value="soup"), field("good", "radio", ["0", "1"]), field("other"), **more)


class Yes:
    """Says yes, and what it was asked for; ends badly where the goal says so."""

    def solve(self, page, look, request) -> Notes:
        page.do(ModifyRadio("good", "1"), raw="good = 1")
        with pytest.raises(PageError):
            page.do(ModifyText("nowhere", "x"))
        if request.inputs["goal"] == "odd":
            raise KeyError("odd")
        if request.inputs["goal"] == "hang":
            page.do(ModifyText("why", "x"))
        if request.inputs["goal"] == "nonsense":
            return Notes((Exchange("blah"),), PredictionStatus.MALFORMED, "It wrote no program.")
        return Notes((Exchange("first", field="good"), Exchange("second", tokens_in=7)))


def predictor(*, solver=None, page_of=rate, processes: int = 1, **how) -> PagePredictor:
    pool = PagePool(processes, make=lambda: FakeBrowser(page_of, **how))
    return PagePredictor(INFO, solver or Yes(), pool=pool, batch=2)


def test_the_fields_are_read_from_the_page_after_the_solver() -> None:
    blocked = BlockedRequest("https://a.b/c.png", "image", "a.b")
    asked = predictor(page_of=lambda source: rate(source, blocked=[blocked], dialogs=["hello"]))
    found = asked.predict(request())
    assert found.answer == FieldsAnswer((("good", "1"), ("why", "soup")), ("gone",))
    assert (found.episode, found.step, found.raw, found.status) == ("Rate/0", None, "first\n\nsecond", "ok")
    assert found.latency_ms is not None and found.latency_ms >= 0
    trace = trace_from_json(found.trace)
    assert [(one.action, one.ok, one.raw) for one in trace.log] == [
        (ModifyRadio("good", "1"), True, "good = 1"),
        (ModifyText("nowhere", "x"), False, ""),
    ]
    assert (trace.loaded, trace.left) == ({"good": "", "why": "soup"}, {"good": "1", "why": "soup"})
    assert (trace.missing, trace.blocked, trace.dialogs) == (("gone",), (blocked,), ("hello",))
    assert trace.tokens == (7, 0) and trace.seconds >= 0
    asked.close()


@pytest.mark.parametrize(("goal", "why"), [("odd", "KeyError: 'odd'"), ("hang", "runs without end")])
def test_a_broken_solver_and_a_lost_page_fail_with_what_was_done(goal: str, why: str) -> None:
    asked = predictor(page_of=lambda source: rate(source, hang=["modify_text"]))
    asked.solver = Careless()
    found = asked.predict(request(goal=goal))
    assert (found.status, found.answer) == (PredictionStatus.FAILED, None) and why in found.why
    trace = trace_from_json(found.trace)
    assert [one.action for one in trace.log] == [ModifyRadio("good", "1")] and trace.left == {}


class Careless:
    def solve(self, page, look, request) -> Notes:
        page.do(ModifyRadio("good", "1"))
        if request.inputs["goal"] == "odd":
            raise KeyError("odd")
        page.do(ModifyText("why", "x"))
        return Notes()


def test_an_unusable_answer_is_told_as_the_solver_tells_it() -> None:
    found = predictor().predict(request(goal="nonsense"))
    assert (found.status, found.answer, found.why) == (PredictionStatus.MALFORMED, None, "It wrote no program.")
    assert (found.raw, trace_from_json(found.trace).left["good"]) == ("blah", "1")


class Pages:
    """One task, one instance for each goal; one worker said yes to all."""

    format = "test"
    path = Path("data/test")

    def __init__(self, *goals: str) -> None:
        self.goals = goals
        self.units = [f"Rate/{number}" for number in range(len(goals))]

    def scan(self):
        return iter(())

    def read(self, episode_id, place=""):
        raise NotImplementedError

    def read_task(self, name):
        return TASK

    def read_instance(self, instance_id, place=""):
        goal = self.goals[int(instance_id.rpartition("/")[2])]
        return WebInstance(instance_id, "Rate", {"goal": goal}, ({"good": "1", "why": "tea", "gone": "x"},))


def test_an_evaluation_counts_lost_pages_as_failed_and_goes_on() -> None:
    def page_of(source) -> FakePage:
        if "crash" in source.html:
            raise PageGone("The page crashed.")
        return rate(source, hang=["modify_text"] if "hang" in source.html else [])

    asked = predictor(solver=Careless(), page_of=lambda source: page_of(source), processes=2)
    pages = Pages("hang", "crash", "tea", "odd", "soup")
    found = list(evaluate(pages, pages.units, asked, run_scorer("fields"), {"rules": "official"}))
    assert [one.score.status for one in found] == [
        ScoreStatus.ERROR, ScoreStatus.ERROR, ScoreStatus.SCORED, ScoreStatus.ERROR, ScoreStatus.SCORED
    ]  # fmt: skip
    assert [one.score.why for one in found[:2]] == [one.prediction.why for one in found[:2]]
    assert "crashed" in found[1].score.why
    # good right, why wrong by every word, gone is not on the page
    assert found[2].score.value == 0.5 and "does not have it: gone" in found[2].score.why
    assert dict(found[2].score.parts) == {"radio": 1, "radio_fields": 1, "text": 0, "text_fields": 1}


def test_a_run_that_ends_lets_the_browsers_go() -> None:
    made: list[FakeBrowser] = []

    def make() -> FakeBrowser:
        made.append(FakeBrowser(rate))
        return made[-1]

    asked = PagePredictor(INFO, Yes(), pool=PagePool(1, make=make))
    assert is_batching(asked) and isinstance(asked, Cancellable) and isinstance(asked, Releasable)
    pages = Pages("tea", "soup", "cake")
    for _ in range(2):
        assert len(list(evaluate(pages, pages.units, asked, run_scorer("fields"), {"rules": "official"}))) == 3
    assert [one.closed for one in made] == [True, True] and [one.starts for one in made] == [1, 1]
    begun = evaluate(pages, pages.units, asked, run_scorer("fields"), {"rules": "official"})
    next(begun)
    begun.close()
    assert len(made) == 3 and made[-1].closed


def test_a_cancelled_run_waits_for_no_page() -> None:
    wait, token = threading.Event(), CancelToken()
    opened = threading.Event()

    class Telling(FakeBrowser):
        def open(self, source, *, patience: float = 20.0):
            opened.set()
            return super().open(source)

    def cancel() -> None:
        opened.wait(10)
        token.cancel()

    pool = PagePool(1, make=lambda: Telling(rate, wait=wait))
    canceller = threading.Thread(target=cancel)
    canceller.start()
    pages = Pages("tea", "soup")
    asked = PagePredictor(INFO, Yes(), pool=pool)
    assert list(evaluate(pages, pages.units, asked, run_scorer("fields"), {"rules": "official"}, token=token)) == []
    canceller.join()


def test_a_solver_that_waits_for_others_is_told_of_the_end() -> None:
    heard: list[CancelToken] = []

    class Waiting(Yes):
        def set_token(self, token) -> None:
            heard.append(token)

    token = CancelToken()
    predictor(solver=Waiting()).set_token(token)
    assert heard == [token]
