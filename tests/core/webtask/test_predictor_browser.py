"""Solving in real browsers: pages that hang, processes that are killed, a run that is cancelled."""

from __future__ import annotations

import importlib.util
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.core.domain.prediction import FieldsAnswer, Task
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.domain.webtask import FieldType, WebField, WebInstance, WebTask
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.webtask.actions import ModifyRadio
from stepscope.core.webtask.page import PageGone, PageSource
from stepscope.core.webtask.pool import PagePool
from stepscope.core.webtask.predictor import PagePredictor
from stepscope.core.webtask.solving import Notes, trace_from_json

INFO = ModelInfo("test", "Test", Task.WEBTASK, "", "tests", batches=True)
PAGE = """<p>${goal}</p><label><input type=radio name=good value=1>yes</label>
<input name=why value="so far"><script>while ("${goal}" === "forever") {}</script>"""
TASK = WebTask("Rate", "Rate it", "", PAGE, ("goal",), (
    WebField("good", FieldType.RADIO, ("1",)), WebField("why", FieldType.TEXT), WebField("gone", FieldType.TEXT),
))  # fmt: skip


class Yes:
    def solve(self, page, look, request) -> Notes:
        page.do(ModifyRadio("good", "1"))
        return Notes()


class Pages:
    """One instance for each goal; one worker said yes to all."""

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
        return WebInstance(instance_id, "Rate", {"goal": goal}, ({"good": "1", "why": "so far", "gone": "x"},))


@pytest.fixture(scope="module")
def pool() -> Iterator[PagePool]:
    if importlib.util.find_spec("PySide6") is None:
        pytest.skip("there is no browser engine (PySide6)")
    pool = PagePool(2)
    yield pool
    pool.close()


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pids: list[int], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while any(map(lives, pids)) and time.monotonic() < end:
        threading.Event().wait(0.02)
    return not any(map(lives, pids))


def test_a_page_whose_script_never_ends_is_killed_and_counted_and_the_others_are_solved(pool: PagePool) -> None:
    asked = PagePredictor(INFO, Yes(), pool=pool, patience=2)
    pages = Pages("tea", "forever", "soup", "cake")
    found = list(evaluate(pages, pages.units, asked, run_scorer("fields"), {"rules": "official"}))
    assert [one.score.status for one in found] == [
        ScoreStatus.SCORED, ScoreStatus.ERROR, ScoreStatus.SCORED, ScoreStatus.SCORED
    ]  # fmt: skip
    assert "did not answer for 2 s" in found[1].score.why and found[1].prediction.why == found[1].score.why
    answer = found[0].prediction.answer
    assert answer == FieldsAnswer((("good", "1"), ("why", "so far")), ("gone",)) and found[0].score.right
    trace = trace_from_json(found[0].prediction.trace)
    assert (trace.loaded, trace.left) == ({"good": "", "why": "so far"}, {"good": "1", "why": "so far"})
    assert [one.action for one in trace.log] == [ModifyRadio("good", "1")]


def test_a_killed_browser_costs_its_page_and_starts_again(pool: PagePool) -> None:
    pids: list[int] = []

    def work(browser, kill: bool) -> str:
        page = browser.open(PageSource("test", "<input name=a value=1>", ("a",)))
        pids.append(browser.pid)
        if kill:
            os.kill(browser.pid, signal.SIGKILL)
        return page.look().values["a"]

    first, killed, third, fourth = pool.each(work, [False, True, False, False])
    assert (first, third, fourth) == ("1", "1", "1") and isinstance(killed, PageGone)
    pool.release()
    assert gone(pids), "processes are left behind"


def test_cancelling_ends_a_run_within_a_second_and_leaves_no_process(pool: PagePool) -> None:
    pids: list[int] = []
    token, waiting = CancelToken(), threading.Event()

    def work(browser, _number: int) -> None:
        browser.start()
        pids.append(browser.pid)
        waiting.set()
        browser.open(PageSource("test", "<script>while (true) {}</script>", ()))

    def cancel() -> None:
        waiting.wait(30)
        token.cancel()
        cancelled.append(time.monotonic())

    cancelled: list[float] = []
    canceller = threading.Thread(target=cancel)
    canceller.start()
    found = pool.each(work, [1, 2, 3], token)
    canceller.join()
    assert time.monotonic() - cancelled[0] < 1
    assert all(isinstance(one, PageGone) for one in found)
    assert gone(pids), "processes are left behind"
