"""Evaluations in a process of their own: the same numbers, pause, cancel, and a death that costs nothing."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from stepscope.app.services import worker as worker_module
from stepscope.app.services.evaluation import EvaluationRequest, queue, start
from stepscope.app.services.library import open_indexed
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.training import TrainingRequest
from stepscope.app.services.worker import ExportJob, Job, TextJob, TrainingJob, WorkProcess
from stepscope.core import limits
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunState
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.evaluation.runs import withdraw
from stepscope.core.evaluation.summaries import summary
from stepscope.core.imaging.draw import encode_png
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.abandoned_runs import mark_interrupted
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from stepscope.models.ocr.lines import TextLine
from stepscope.models.ocr.text_cache import TextCache


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkProcess]:
    child = WorkProcess()
    yield child
    child.close()


class Place:
    """A store with the sample in its index."""

    def __init__(self, folder: Path) -> None:
        self.url = store_url(folder / "store.db")
        self.database = Database.open(self.url)
        *_, self.indexed = open_indexed(self.database, SAMPLE, CancelToken())

    def job(self, **changes: object) -> Job:
        request = EvaluationRequest(**{"model": "noisy-copy", **changes})  # type: ignore[arg-type]
        queued = queue(self.database, self.indexed.source, self.indexed.source_id, request)
        return Job(self.url, queued.run_id, queued.worker.claim)

    def state(self, job: Job) -> RunState:
        with self.database.reading() as db:
            return runs.get(db, job.run).state


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    found = Place(tmp_path)
    yield found
    found.database.close()


def test_the_numbers_are_those_of_this_process(place: Place, worker: WorkProcess) -> None:
    job = place.job(limit=10)
    assert place.state(job) is RunState.QUEUED
    *_, last = worker.run(job, CancelToken())
    assert (last.state, last.outcome) == (RunState.DONE, None)
    source = place.indexed.source
    here = start(place.database, source, place.indexed.source_id, EvaluationRequest(model="noisy-copy", limit=10)).run
    list(here.updates())
    there, own = summary(place.database, job.run), summary(place.database, here.run_id)
    assert {**there, "run": ""} == {**own, "run": ""}


def test_cancelled_before_it_begins_and_resumed(
    place: Place, worker: WorkProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "LOADING_PATIENCE", 60.0)  # a busy machine takes longer to start a process
    job, token = place.job(limit=4), CancelToken()
    token.cancel()
    *_, last = worker.run(job, token)
    assert last.state in (RunState.CANCELLED, RunState.DONE)  # short as it is, it may have been quicker
    job = place.job(limit=4)
    queued = place.database
    with queued.reading() as db:
        (claimed,) = runs.claimed(db, job.run)
    withdraw(queued, job.run, claimed.worker)
    assert place.state(job) is RunState.CANCELLED
    *_, last = worker.run(Job(job.store, job.run), CancelToken())
    assert last.state is RunState.DONE


def test_paused_and_let_go_on(place: Place, worker: WorkProcess) -> None:
    token, states = CancelToken(), []
    token.pause()
    for update in worker.run(place.job(), token):
        states.append(update.state)
        if update.state is RunState.PAUSED:
            token.resume()
    assert states[-1] is RunState.DONE


def test_a_worker_that_dies_leaves_a_run_to_be_resumed(place: Place) -> None:
    child, job = WorkProcess(), place.job()
    with pytest.raises(UserError, match=r"ended by SIGKILL.*resume the run"):
        for _ in child.run(job, CancelToken()):
            assert child.pid is not None
            os.kill(child.pid, signal.SIGKILL)
    assert place.state(job) in (RunState.RUNNING, RunState.QUEUED)
    assert mark_interrupted(place.database) == [job.run]
    *_, last = child.run(Job(job.store, job.run), CancelToken())
    assert (last.state, last.committed) == (RunState.DONE, 260)
    child.close()


def test_one_that_was_dying_when_it_was_asked_is_replaced(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    child, job = WorkProcess(), place.job(limit=4)
    child.wait_until_ready()
    first = child.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)  # it hears nothing any more, and its end is not seen yet
    say = child._send

    def say_and_end_the_first(message: object) -> None:
        say(message)  # type: ignore[arg-type]
        if message is job and child.pid == first:
            os.kill(first, signal.SIGKILL)

    monkeypatch.setattr(child, "_send", say_and_end_the_first)
    *_, last = child.run(job, CancelToken())
    assert last.state is RunState.DONE
    assert child.pid not in {None, first}
    child.close()


def test_starting_it_ahead_leaves_a_run_that_dies_alone(place: Place) -> None:
    child, job = WorkProcess(), place.job()
    with pytest.raises(UserError, match="ended by SIGKILL"):
        for _ in child.run(job, CancelToken()):
            first = child.pid
            if first is not None:
                os.kill(first, signal.SIGKILL)
                while child.pid is not None:
                    pass
            child.start()
            assert child.pid is None, "two would be started, and one of them ended for the other"
    child.start()
    assert child.pid is not None
    child.close()


def test_limits_that_a_person_chose_hold_for_each_next_job(place: Place, worker: WorkProcess) -> None:
    errors = []
    try:
        for most in (100, 1 << 20):
            limits.choose({"json-bytes": most})
            *_, last = worker.run(place.job(limit=2), CancelToken())
            errors.append(last.metrics.errors)
    finally:
        limits.choose({})
    assert errors == [2, 0], "no episode's file has 100 bytes or less"


def test_what_cannot_begin_is_failed_with_the_reason(place: Place, worker: WorkProcess, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"episode": _ids(place)[0], "feasibility": "feasible"}))
    job = place.job(model="", predictions=file, task=Task.FEASIBILITY)
    file.unlink()
    with pytest.raises(UserError, match="there is no such file"):
        list(worker.run(job, CancelToken()))
    assert place.state(job) is RunState.FAILED
    with place.database.reading() as db:
        assert "there is no such file" in runs.get(db, job.run).message
    *_, last = worker.run(place.job(limit=1), CancelToken())
    assert last.state is RunState.DONE, "the worker goes on with the next job"


def _ids(place: Place) -> list[str]:
    from stepscope.core.store import queries

    with place.database.reading() as db:
        return queries.matching(db, place.indexed.source_id)


def test_trainings_and_exports_come_back_with_what_they_raise(place: Place, tmp_path: Path) -> None:
    child = WorkProcess("the training", "")
    try:
        request = TrainingRequest(Task.WEBTASK)
        with pytest.raises(UsageError, match="nothing to train for webtask"):
            list(child.run(TrainingJob(place.url, SAMPLE, "recording", request), CancelToken()))
        with pytest.raises(UserError, match="there is no trained model here"):
            list(child.run(ExportJob(tmp_path), CancelToken()))
    finally:
        child.close()


def test_words_of_pictures_come_out_of_a_process_that_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One picture was read before, so that no reader is needed; the other is none."""
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    pixels = np.full((60, 40, 3), 90, np.uint8)
    TextCache().put(pixels, [TextLine("Hello", (1, 2, 30, 20), 0.9)])
    good, bad = (Picture(tmp_path / name, Size(40, 60)) for name in ("good.png", "bad.png"))
    good.path.write_bytes(encode_png(pixels))
    bad.path.write_bytes(b"no picture")
    child = WorkProcess("the text", "")
    try:
        found = dict(child.run(TextJob((good, bad)), CancelToken()))
    finally:
        child.close()
    assert [element.text for element in found[good]] == ["Hello"]
    assert isinstance(found[bad], SourceError) and "bad.png" in str(found[bad])
