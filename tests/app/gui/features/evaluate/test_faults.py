"""Evaluations that break under the window: what the person is told, and that every item comes back once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import stepscope.app.services.worker
from stepscope.app.services.evaluation import EvaluationRequest, start
from stepscope.app.services.library import open_indexed
from stepscope.app.services.worker import evaluation_worker
from stepscope.core.domain.run import RunState
from stepscope.core.evaluation.summaries import summary
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.abandoned_runs import mark_interrupted
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import each_item
from stepscope.core.store.repositories import runs
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[5]
ITEMS, SOUND = 29, 5
"""Items of the shop; how many of them a model answers before it misbehaves."""


@pytest.fixture(autouse=True)
def broken_models(faults, monkeypatch) -> Iterator[None]:
    """The process for evaluations knows them, and is not waited for for long."""
    faults.after(SOUND)
    evaluation_worker().close()
    for name in ("LOADING_PATIENCE", "WORKING_PATIENCE"):
        monkeypatch.setattr(stepscope.app.services.worker, name, 0.2)
    yield
    evaluation_worker().close()


def begin(person, model: str) -> str:
    """Press Run for a model; the id of the run when it stands in the list."""
    before = set(person.bench.results.run_ids)
    person.choose("evaluate.automation")
    person.bench.evaluate.show_form(model=model, protocol="aitw")
    person.window.evaluate.run()
    person.until(lambda: set(person.bench.results.run_ids) - before, "the run in the list")
    (run,) = set(person.bench.results.run_ids) - before
    return run


def keys(person, run: str) -> list[tuple[str, int]]:
    with person.bench.context.database.reading() as db:
        return [(outcome.key.episode, outcome.key.step) for outcome in each_item(db, run)]


@pytest.fixture(scope="module")
def undisturbed(shop, empty_store, tmp_path_factory) -> dict:
    """The same evaluation that nothing happens to."""
    with Database.open(store_url(Path(shutil.copy(empty_store, tmp_path_factory.mktemp("whole"))))) as database:
        *_, index = open_indexed(database, shop, CancelToken())
        prepared = start(database, index.source, index.source_id, EvaluationRequest("aitw", "noisy-copy"))
        list(prepared.run.updates())
        return summary(database, prepared.run.run_id)


def go_on(person, run: str, undisturbed: dict) -> None:
    person.bench.results.choose(run)
    person.settle()
    person.choose("run.resume")
    person.until(lambda: person.state_of(run) is RunState.DONE, "the whole run")
    person.settle()
    found = keys(person, run)
    assert len(found) == len(set(found)) == ITEMS
    mine = summary(person.bench.context.database, run)
    assert {**mine, "run": "", "model": ""} == {**undisturbed, "run": "", "model": ""}


def test_models_that_break_under_the_window(open_window, shop, faults, undisturbed) -> None:
    """One after the other; then they are mended, and every run goes on."""
    person, broken = open_window(shop, worker=True), {}
    for model, state, words, kept in (
        (
            "segfaults-work",
            RunState.INTERRUPTED,
            "was ended by SIGSEGV. What was scored is kept: resume the run.",
            SOUND,
        ),
        ("kills-load", RunState.INTERRUPTED, "was ended by SIGKILL. Memory may have run out.", 0),
        ("breaks-load", RunState.FAILED, "RuntimeError: no such layer", 0),
        ("hangs-load", RunState.CANCELLED, "", 0),
    ):
        faults.again()
        faults.after(SOUND)
        person.window.messages.clear_messages()
        run = broken[model] = begin(person, model)
        if state is RunState.CANCELLED:
            person.until(lambda: faults.said, "the model being loaded")
            assert person.window.task_chip.isVisible()
            person.press("Ctrl+.")
        person.until(lambda run=run, state=state: person.state_of(run) is state, f"the end of {model} in the list")
        person.settle()
        assert len(person.told) == bool(words) and words in "".join(person.told)
        assert len(keys(person, run)) <= kept
        assert not person.window.task_chip.isVisible()
        assert person.alive()
    faults.mend()
    for run in broken.values():
        go_on(person, run, undisturbed)


@pytest.mark.parametrize("model", ["hangs-load", "hangs-work"])
def test_the_window_closes_on_a_model_that_does_not_answer(
    open_window, shop, faults, undisturbed, answer, model
) -> None:
    person = open_window(shop, worker=True)
    first = begin(person, model)
    person.until(lambda: faults.said, "the model at its end")
    second = begin(person, "noisy-copy")
    asked = answer("Stop and keep results")
    person.close()
    assert asked == ["An evaluation is running."]
    faults.mend()
    again = open_window(worker=True)
    assert (again.state_of(first), again.state_of(second)) == (RunState.CANCELLED, RunState.CANCELLED)
    assert len(keys(again, first)) <= SOUND
    go_on(again, first, undisturbed)
    go_on(again, second, undisturbed)


WINDOW = """
import sys
from pathlib import Path
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.main import make_application
from stepscope.app.gui.walk import wait_for
from stepscope.app.gui.workbench import Workbench
application = make_application()
bench = Workbench(application, AppFolders.of_user(sys.argv[1]))
bench.start([Path(sys.argv[2])])
wait_for(lambda: bench.context.selection.episode is not None, "the first episode")
bench.evaluate.show_form(model=sys.argv[3], protocol="aitw")
wait_for(lambda: not bench.window.evaluate.problem(), "the models in the form")
bench.window.evaluate.run()
application.exec()
"""


def test_a_window_that_is_killed_is_made_good_at_the_next_start(
    open_window, shop, store, faults, undisturbed, qtbot
) -> None:
    url = store_url(store)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), os.environ["PYTHONPATH"]))}
    command = [sys.executable, "-c", WINDOW, url, str(shop), "hangs-work"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as window:
        qtbot.waitUntil(lambda: faults.said, timeout=round(1000 * PATIENCE))
        window.kill()
    with Database.open(url) as database, database.reading() as db:
        (claimed,) = runs.claimed(db)
    qtbot.waitUntil(lambda: not Path(f"/proc/{claimed.worker.pid}").exists(), timeout=round(1000 * PATIENCE))
    faults.mend()
    person = open_window(worker=True)
    assert any("An evaluation was interrupted. What was scored is kept." in told for told in person.told)
    assert person.state_of(claimed.run_id) is RunState.INTERRUPTED
    go_on(person, claimed.run_id, undisturbed)


def test_two_windows_on_one_store(open_window, shop, faults, undisturbed) -> None:
    first = open_window(shop, worker=True)
    run = begin(first, "hangs-work")
    first.until(lambda: faults.said, "the model in its sixth item")
    second = open_window()
    assert second.state_of(run) is RunState.RUNNING, "it is not taken for interrupted"
    second.bench.evaluate.resume(run)
    second.until(lambda: second.told, "a message")
    second.settle()
    assert f"Run {run} is at work on" in second.told[0] and "Cancel it there first." in second.told[0]
    assert mark_interrupted(second.bench.context.database) == []
    second.close()
    first.choose("run.cancel")
    first.until(lambda: first.state_of(run) is RunState.CANCELLED, "the end")
    first.settle()
    faults.mend()
    go_on(first, run, undisturbed)


def test_a_run_that_another_program_deletes(open_window, shop, store, gated) -> None:
    person = open_window(shop)
    run = begin(person, "noisy-copy")
    gated.let(3)
    person.until(lambda: "3 of 29" in person.window.task_chip.words(), "three items")
    with Database.open(store_url(store)) as other, other.unit_of_work() as db:
        runs.remove(db, run)
    gated.let(ITEMS)
    person.until(lambda: not person.bench.evaluate.is_running, "the end")
    person.settle()
    assert len(person.told) == 1, person.told
    (told,) = person.told
    assert "was taken over by another worker or deleted" in told
    assert person.bench.results.run_ids == ()
    assert person.evaluate("text-match") != run


def test_a_silent_run_turns_amber_until_it_is_heard_of(person, gated) -> None:
    now = [0.0]
    person.bench.evaluate.clock = lambda: now[0]
    begin(person, "noisy-copy")
    chip, look = person.window.task_chip, person.bench.evaluate._refresh.timeout.emit
    gated.let(2)
    person.until(lambda: "2 of 29" in chip.words() and gated.asked == 3, "the third item begun")
    now[0] += 59
    look()
    assert "no answer" not in chip.words()
    now[0] += 1
    look()
    assert chip.words().endswith("2 of 29 · no answer for 60 s")
    person.choose("run.pause")
    assert "paused" in chip.words(), "a run that rests is expected to be silent"
    now[0] += 600
    look()
    person.choose("run.pause")
    assert "no answer" not in chip.words()
    now[0] += 61
    look()
    assert "no answer" in chip.words()
    gated.let(1)
    person.until(lambda: "3 of 29" in chip.words(), "the fourth item begun")
    assert "no answer" not in chip.words()
    gated.let(ITEMS)
    person.until(lambda: not person.bench.evaluate.is_running, "the end")
    person.settle()
