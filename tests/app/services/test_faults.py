"""Models, windows and stores that break while the process for evaluations works: the window is told what to do, nothing
else is harmed, and a resumed run comes to the numbers of one that nothing happened to."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import stepscope.app.services.worker
from stepscope.app.gui.features.evaluate import evaluation_work
from stepscope.app.services.evaluation import EvaluationRequest, queue, start
from stepscope.app.services.library import IndexProgress, open_indexed
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.worker import Job, WorkProcess
from stepscope.core.domain.run import Run, RunState
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.runs import RunUpdate, reopen_errors
from stepscope.core.evaluation.summaries import means_by_feasibility, summary
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store import queries
from stepscope.core.store.abandoned_runs import mark_interrupted
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs

ROOT = Path(__file__).resolve().parents[3]
EPISODES = 8
SOUND_ITEMS = 40
"""As in `faulty_models.py`."""
PATIENCE = 30.0


class Place:
    """A store with the sample in its index, and a process for evaluations."""

    def __init__(self, folder: Path) -> None:
        self.url = store_url(folder / "store.db")
        self.database = Database.open(self.url)
        self.worker = WorkProcess()
        self.indexed = self.open(SAMPLE)
        here = self._start("noisy-copy").run
        list(here.updates())
        self.undisturbed = summary(self.database, here.run_id)
        self.by_feasibility = means_by_feasibility(self.database, self.run_of(here.run_id))
        self.keys = self.keys_of(here.run_id)

    def run_of(self, run: str) -> Run:
        with self.database.reading() as db:
            return runs.get(db, run)

    def open(self, data: Path) -> IndexProgress:
        *_, found = open_indexed(self.database, data, CancelToken())
        return found

    def _start(self, model: str) -> Any:
        request = EvaluationRequest(model=model, limit=EPISODES)
        return start(self.database, self.indexed.source, self.indexed.source_id, request)

    def job(self, model: str, indexed: IndexProgress | None = None) -> Job:
        data = indexed or self.indexed
        queued = queue(self.database, data.source, data.source_id, EvaluationRequest(model=model, limit=EPISODES))
        return Job(self.url, queued.run_id, queued.worker.claim)

    def work(self, job: Job, token: CancelToken | None = None) -> list[RunUpdate]:
        """As the window does it."""
        return list(evaluation_work.elsewhere(self.database, job, token or CancelToken()))

    def go_on(self, job: Job) -> None:
        """Resume to the end: every item once, with the numbers of an undisturbed run."""
        assert self.work(Job(job.store, job.run))[-1].state is RunState.DONE
        assert Counter(self.keys_of(job.run)) == Counter(self.keys)
        found = summary(self.database, job.run)
        assert {**found, "run": "", "model": ""} == {**self.undisturbed, "run": "", "model": ""}

    def keys_of(self, run: str) -> list[Any]:
        with self.database.reading() as db:
            return [item.key for item in queries.each_item(db, run)]

    def stored(self, job: Job) -> Any:
        with self.database.reading() as db:
            return runs.get(db, job.run)

    def close(self) -> None:
        self.worker.close()
        self.database.close()


@pytest.fixture(scope="module")
def _place(tmp_path_factory: pytest.TempPathFactory, _package: object) -> Iterator[Place]:
    found = Place(tmp_path_factory.mktemp("place"))
    yield found
    found.close()


@pytest.fixture
def place(_place: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(stepscope.app.services.worker, "evaluation_worker", lambda: _place.worker)
    return _place


def when(fact: Callable[[], object], act: Callable[[], object]) -> threading.Thread:
    """Do it as soon as the fact holds."""

    def watch() -> None:
        pause = threading.Event()
        for _ in range(int(PATIENCE * 100)):
            if fact():
                act()
                return
            pause.wait(0.01)

    watching = threading.Thread(target=watch)
    watching.start()
    return watching


# -- the process ends

DEATHS = {
    "kills": r"was ended by SIGKILL\. Memory may have run out",
    "segfaults": "was ended by SIGSEGV",
    "exits": "was ended with exit status 7",
}


@pytest.mark.parametrize("death", DEATHS)
@pytest.mark.parametrize("on", ["load", "work"])
def test_a_model_that_ends_its_process_costs_nothing_that_was_committed(place, faults, death, on):
    job = place.job(f"{death}-{on}")
    with pytest.raises(UserError, match=DEATHS[death] + r".*What was scored is kept: resume the run"):
        place.work(job)
    assert place.stored(job).state is RunState.INTERRUPTED, "the window says so at once"
    left = place.keys_of(job.run)
    assert left == place.keys[: len(left)] and len(left) <= SOUND_ITEMS
    assert bool(left) == (on == "work")
    faults.mend()
    place.go_on(job)


def test_a_process_left_behind_does_not_hide_the_end(place, faults, monkeypatch):
    """It keeps the pipes open, so that they never end."""
    monkeypatch.setattr(stepscope.app.services.worker, "_END_SECONDS", 0.1)
    job = place.job("forks-work")
    with pytest.raises(UserError, match="exit status 5"):
        place.work(job)
    os.kill(int((faults.folder / "left").read_text()), signal.SIGKILL)
    assert place.stored(job).state is RunState.INTERRUPTED
    faults.mend()
    place.go_on(job)


def test_a_process_that_talks_nonsense_is_ended(place, faults, monkeypatch):
    monkeypatch.setattr(stepscope.app.services.worker, "_END_SECONDS", 0.1)
    job = place.job("scribbles-work")
    with pytest.raises(UserError, match="was ended by SIGKILL"):
        place.work(job)
    assert place.stored(job).state is RunState.INTERRUPTED
    faults.mend()
    place.go_on(job)


# -- the process stays

REASONS = {
    "leaves": ("SystemExit: 3", r"called sys\.exit\(3\)"),
    "no-memory": ("MemoryError", "MemoryError"),
    "own-error": ("It went wrong 42. Ask its author.", r"It went wrong 42\. Ask its author"),
    "breaks": ("RuntimeError: no such layer", "RuntimeError: no such layer"),
}


@pytest.mark.parametrize("fault", REASONS)
def test_a_model_that_cannot_be_loaded_fails_its_run_alone(place, faults, fault):
    list(place.worker.run(place.job("noisy-copy"), CancelToken()))
    pid, job = place.worker.pid, place.job(f"{fault}-load")
    with pytest.raises(UserError, match=REASONS[fault][0].split(":")[0]):
        place.work(job)
    assert (place.stored(job).state, place.stored(job).message) == (RunState.FAILED, REASONS[fault][0])
    assert place.worker.pid == pid, "loaded models stay"
    faults.mend()
    place.go_on(job)


@pytest.mark.parametrize("fault", ["leaves", "own-error"])
def test_a_model_that_breaks_while_it_works_costs_its_items(place, faults, fault):
    job = place.job(f"{fault}-work")
    assert place.work(job)[-1].state is RunState.DONE
    with place.database.reading() as db:
        failed = [item.score.why for item in queries.each_item(db, job.run, "error")]
    assert len(failed) == len(place.keys) - SOUND_ITEMS
    assert set(failed) == {failed[0]} and REASONS[fault][1].replace("\\", "") in failed[0]
    faults.mend()
    assert reopen_errors(place.database, job.run) == len(failed)
    place.go_on(job)


@pytest.mark.parametrize(("habit", "on"), [("prints", "work"), ("threads", "load")])
def test_noise_and_threads_of_a_model_disturb_nobody(place, faults, habit, on):
    job = place.job(f"{habit}-{on}")
    assert place.work(job)[-1].state is RunState.DONE
    assert faults.said and summary(place.database, job.run)["errors"] == 0
    found = summary(place.database, job.run)
    assert {**found, "run": "", "model": ""} == {**place.undisturbed, "run": "", "model": ""}


@pytest.mark.parametrize("fault", ["breaks", "leaves"])
def test_a_model_that_cannot_be_closed_harms_no_other(place, faults, fault):
    assert place.work(place.job(f"{fault}-close"))[-1].state is RunState.DONE
    pid = place.worker.pid
    place.worker.unload()
    assert place.work(place.job("noisy-copy"))[-1].state is RunState.DONE
    assert faults.said and place.worker.pid == pid


# -- cancelling what does not answer


@pytest.mark.parametrize("on", ["load", "work"])
def test_what_does_not_answer_is_ended_when_cancelled(place, faults, on, monkeypatch):
    for name in ("LOADING_PATIENCE", "WORKING_PATIENCE"):
        monkeypatch.setattr(stepscope.app.services.worker, name, 0.2)
    job, token = place.job(f"hangs-{on}"), CancelToken()
    watching = when(lambda: faults.said, token.cancel)
    updates = place.work(job, token)
    watching.join()
    assert place.stored(job).state is RunState.CANCELLED
    left = place.keys_of(job.run)
    assert left == place.keys[: len(left)] and len(left) <= SOUND_ITEMS
    assert [update.state for update in updates][-1:] == ([RunState.CANCELLED] if on == "work" else [])
    faults.mend()
    place.go_on(job)


def test_a_cancel_that_comes_too_late_is_for_nobody(place, faults):
    list(place.worker.run(place.job("noisy-copy"), CancelToken()))
    place.worker._send("cancel")
    place.worker._send("pause")
    assert place.work(place.job("noisy-copy"))[-1].state is RunState.DONE


# -- several processes


def test_a_run_is_worked_on_by_one_process_only(place, faults):
    """Two windows resume the same run; then the first one is killed."""
    job, other = place.job("hangs-work"), WorkProcess()
    ended: list[BaseException] = []

    def first() -> None:
        try:
            list(other.run(job, CancelToken()))
        except UserError as error:
            ended.append(error)

    working = threading.Thread(target=first)
    working.start()
    when(lambda: faults.said, lambda: None).join()
    with pytest.raises(UsageError, match=rf"Run {job.run} is at work on .*Cancel it there first"):
        place.work(Job(job.store, job.run))
    assert place.stored(job).state is RunState.RUNNING, "the refused one has changed nothing"
    assert mark_interrupted(place.database) == []
    other.close()
    working.join()
    assert "SIGKILL" in str(ended[0])
    faults.mend()
    place.go_on(job)


WINDOW = """
import sys
from stepscope.app.services.worker import WorkProcess, Job
from stepscope.core.progress import CancelToken
worker = WorkProcess()
worker.start()
print(worker.pid, flush=True)
list(worker.run(Job(*sys.argv[1:]), CancelToken()))
"""


@pytest.mark.parametrize("on", ["load", "work"])
def test_a_window_that_is_killed_takes_its_process_along(place, faults, on):
    job = place.job(f"hangs-{on}")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), os.environ["PYTHONPATH"]))}
    command = [sys.executable, "-c", WINDOW, job.store, job.run, job.claim]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as window:
        child = int(window.stdout.readline())
        when(lambda: faults.said, window.kill).join()
    gone = when(lambda: not _lives(child), lambda: None)
    gone.join()
    assert not _lives(child)
    if on == "load":
        evaluating_claims(job)
    assert mark_interrupted(place.database) == [job.run]
    left = place.keys_of(job.run)
    assert left == place.keys[: len(left)]
    faults.mend()
    place.go_on(job)


def evaluating_claims(job: Job) -> None:
    """The window that queued it is gone: here it was this process."""
    from stepscope.core.store.worker import let_go_claim

    let_go_claim(job.claim)


def _lives(pid: int) -> bool:
    from stepscope.core.store.worker import process_start

    return process_start(pid) is not None


# -- data that goes away


def test_data_that_is_deleted_and_put_back(place, faults, tmp_path):
    data = Path(shutil.copytree(SAMPLE, tmp_path / "data"))
    job = place.job("hangs-work", place.open(data))
    away = when(lambda: faults.said, lambda: (data.rename(tmp_path / "away"), place.worker.close()))
    with pytest.raises(UserError, match="resume the run"):
        place.work(job)
    away.join()
    faults.mend()
    with pytest.raises(UsageError, match=r"The run's data is not there any more\. Put it back, then resume"):
        place.work(Job(job.store, job.run))
    assert place.stored(job).state is RunState.INTERRUPTED
    (tmp_path / "away").rename(data)
    place.go_on(job)


def test_pictures_and_episodes_that_vanish_cost_themselves(place, faults, tmp_path):
    data = Path(shutil.copytree(SAMPLE, tmp_path / "data"))
    job, token = place.job("noisy-copy", place.open(data)), CancelToken()
    token.pause()
    for update in evaluation_work.elsewhere(place.database, job, token):
        if update.state is RunState.PAUSED:
            data.rename(tmp_path / "away")
            token.resume()
    assert place.stored(job).state is RunState.DONE
    failed = summary(place.database, job.run)["errors"]
    assert failed > 0
    (tmp_path / "away").rename(data)
    assert reopen_errors(place.database, job.run) == failed
    place.go_on(job)


# -- the command line


@pytest.fixture
def evaluate(place: Place, faults: Any) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """`evaluate(model, …)` starts `stepscope evaluate` on the sample."""
    begun: list[subprocess.Popen[str]] = []

    def call(*arguments: str) -> subprocess.Popen[str]:
        command = [
            sys.executable,
            "-m",
            "stepscope.app.main",
            "evaluate",
            "automation",
            str(SAMPLE),
            *arguments,
            "--json",
        ]
        command += ["--store", place.url] + ([] if "--resume" in arguments else ["--limit", str(EPISODES)])
        environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), os.environ["PYTHONPATH"]))}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        begun.append(subprocess.Popen(command, text=True, env=environment, **pipes))  # type: ignore[call-overload]
        return begun[-1]

    yield call
    for process in begun:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_interrupt_ends_at_once_and_keeps_what_is_done(place, faults, evaluate, number):
    process = evaluate("--model", "hangs-work")
    run = process.stderr.readline().split()[2].rstrip(":")
    when(lambda: faults.said, lambda: process.send_signal(number)).join()
    assert process.poll() is None, "the first one waits for the item in hand"
    threading.Event().wait(0.5)  # two signals that come together are one, and nobody says that one was seen
    process.send_signal(number)
    _out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "interrupted" in err and "Traceback" not in err
    job = Job(place.url, run)
    assert place.stored(job).state is RunState.CANCELLED
    assert place.keys_of(run) == place.keys[:SOUND_ITEMS], "nothing that was answered is lost"
    faults.mend()
    again = evaluate("--resume", run)
    out, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, err
    assert {**json.loads(out), "run": "", "model": "", "remembered": 0} == {
        **place.undisturbed, **place.by_feasibility, "run": "", "model": "", "remembered": 0
    }  # fmt: skip
    assert Counter(place.keys_of(run)) == Counter(place.keys)


def test_a_reader_of_messages_that_goes_away_is_no_trouble(place, faults, evaluate):
    process = evaluate("--model", "prints-work")
    process.stderr.close()
    out = process.stdout.read()
    assert process.wait(PATIENCE) == 0
    assert out.endswith("}\n")
    assert json.loads(out[out.rindex("\n{\n") :])["n"] == place.undisturbed["n"]
