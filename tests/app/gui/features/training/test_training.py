"""Training from the menu, in the whole window, with a recipe small enough to follow."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QComboBox, QPushButton

from stepscope.app.gui.features.training import training_work
from stepscope.app.gui.features.training.presenter import stopped_words
from stepscope.app.services import own_models, training
from stepscope.app.services.worker import training_worker
from stepscope.core.domain.prediction import Task
from stepscope.core.progress import CancelToken
from stepscope.models.learned.model_folders import own_folder
from stepscope.models.training import loop
from stepscope.models.training.pace import TrainingPace
from stepscope.models.training.state import Epoch
from tests.patience import PATIENCE

pytestmark = pytest.mark.needs("torch")


def button(person, words: str) -> QPushButton:
    """A button of a message."""
    return next(one for one in person.window.messages.findChildren(QPushButton) if one.text() == words)


def field(person, name: str) -> QComboBox:
    return person.window.training.findChild(QComboBox, f"training_{name}")


def gated(person) -> Any:
    """The training goes on only when it is let; `let(n)` gives n epochs."""
    permits, inner = threading.Semaphore(0), training_work.here

    def events(job: Any, token: CancelToken) -> Iterator[Any]:
        for event in inner(job, token):
            if isinstance(event, Epoch):
                assert permits.acquire(timeout=PATIENCE), "nobody let the training go on"
            yield event

    person.bench.training.work = events
    return lambda count: permits.release(count)


def test_the_form_offers_what_the_data_and_the_recipe_allow(trainer, goals) -> None:
    form = trainer.window.training.form
    assert trainer.window.training.isVisible() and form.problem() == ""
    request = form.request()
    assert (request.task, request.recipe, request.name) == (Task.FEASIBILITY, "toy", "my-toy")
    assert (request.train, request.validation, request.held_out) == ("train", "validation", "app_unseen")
    assert (request.epochs, request.batch, request.rate, request.patience) == (6, 8, 0.05, 30)
    assert "Counts." in form.fields.explained.text()
    line = f"stepscope models train feasibility --data {goals} --name my-toy --recipe toy"
    assert form.command() == line
    form.fields.seeds.setText("0-2, 7")
    form.fields.rate.setValue(0.001)
    form.fields.onnx.setChecked(False)
    assert form.command().endswith("--seed 0 --seed 1 --seed 2 --seed 7 --rate 0.001 --no-onnx")
    form.fields.held_out.setCurrentIndex(form.fields.held_out.findData(""))
    assert "--recipe toy --held-out-split '' --seed 0" in form.command()
    form.fields.train.setCurrentIndex(form.fields.train.findData(""))
    assert "--recipe toy --train-split '' --seed 0" in form.command()
    assert "dealt out" in form.fields.dealt.text() and not field(trainer, "validation").isVisible()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda fields: fields.validation.setCurrentIndex(fields.validation.findData("train")), "another split"),
        (lambda fields: fields.held_out.setCurrentIndex(fields.held_out.findData("train")), "nothing was learned"),
        (lambda fields: fields.name.setText("../up"), "Give the model a name"),
        (lambda fields: fields.name.setText("text-match"), "not yours"),
        (lambda fields: fields.seeds.setText("two"), "Write seeds as numbers"),
    ],
)
def test_what_does_not_fit_is_told_before_it_is_trained(trainer, change, words) -> None:
    form = trainer.window.training.form
    change(form.fields)
    assert words in form.problem()
    form.run()
    assert not trainer.bench.training.is_running


def test_trained_with_curves_and_evaluated(trainer) -> None:
    panel = trainer.window.training
    panel.form.fields.onnx.setChecked(False)
    trainer.press("Ctrl+Return", panel.form)
    trainer.until(lambda: trainer.told, "the end of the training")
    trainer.settle()
    (told,) = trainer.told
    assert told.startswith("my-toy is trained. On held-out episodes accuracy is ") and "against always-feasible" in told
    assert {file.name for file in (own_folder() / "my-toy").iterdir()} == {"card.json", "weights.safetensors"}
    assert panel.page() == "curves"
    loss, measure = panel.curves._plots
    assert loss.accessibleDescription().startswith("Seed 0, epoch 6: loss ")
    assert "Best: Seed 0" in measure.accessibleDescription()
    assert not trainer.window.task_chip.isVisible() and not panel.curves.pause.isVisible()

    trainer.click(button(trainer, "Evaluate with it"))
    trainer.settle()
    form = trainer.window.evaluate
    assert form.isVisible() and not panel.isVisible()
    assert (form.request().task, form.request().model) == (Task.FEASIBILITY, "my-toy")
    runtime = form.findChild(QComboBox, "runtime")
    runtime.setCurrentIndex(runtime.findData("torch"))
    assert form.command().endswith("--runtime torch")
    form.run()
    run = trainer.done(set())
    assert trainer.bench.results.current.spec.runtime == "torch"
    assert trainer.state_of(run).value == "done"


def test_paused_stopped_and_gone_on_with(trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    let, panel, chip = gated(trainer), trainer.window.training, trainer.window.task_chip
    panel.form.fields.onnx.setChecked(False)
    panel.form.run()
    let(2)
    trainer.until(lambda: "2 of 6" in chip.words(), "two epochs in the chip")
    assert "my-toy is being trained" in panel.form.problem()
    trainer.click(chip.pause)
    assert "paused" in panel.curves._doing.text() and panel.curves.pause.text() == "Go on"
    trainer.click(panel.curves.pause)
    trainer.click(panel.curves.stop)
    let(10)
    trainer.until(lambda: trainer.told, "the end of the training")
    trainer.settle()
    assert trainer.told[0].startswith("Stopped. What my-toy learned in ")
    assert "it goes on from there" in own_models.name_note("my-toy")
    kept = len(panel.curves._status.points)
    assert 2 <= kept < 6
    trainer.window.messages.clear_messages()
    seen: list[int] = []
    worked: list[float] = []
    inner, end_of = training_work.here, loop._Fitting._end_of_epoch
    monkeypatch.setattr(loop._Fitting, "_end_of_epoch", lambda fitting: worked.append(0.0) or end_of(fitting))

    def watched(job: Any, token: CancelToken) -> Iterator[Any]:
        for event in inner(job, token):
            seen.extend([event.epoch] if isinstance(event, Epoch) else [])
            yield event

    trainer.bench.training.work = watched
    panel.form.run()
    trainer.until(lambda: any("is trained" in words for words in trainer.told), "the end of the training")
    trainer.settle()
    assert seen == list(range(6)), "those from before are told again, for the curves"
    assert len(worked) == 6 - kept


def by_batch(person) -> tuple[Any, list[tuple[int, int]]]:
    """The training goes on only when it is let; `let(n)` gives n batches. And the epochs and batches that were told."""
    permits, inner, told = threading.Semaphore(0), training_work.here, list[tuple[int, int]]()

    def events(job: Any, token: CancelToken) -> Iterator[Any]:
        for event in inner(job, token):
            yield event
            if isinstance(event, TrainingPace):
                told.append((event.epoch, event.batch))
                assert permits.acquire(timeout=PATIENCE), "nobody let the training go on"

    person.bench.training.work = events
    return (lambda count: permits.release(count)), told


def test_the_pace_is_shown_and_a_stop_in_mid_epoch_goes_on_there(trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    """24 episodes in batches of 8: three batches an epoch, six epochs."""
    monkeypatch.setattr("stepscope.models.training.pace.SECONDS", 0.0)
    (let, told), panel = by_batch(trainer), trainer.window.training
    panel.form.fields.onnx.setChecked(False)
    panel.form.run()
    pace = panel.curves.pace
    let(4)
    trainer.until(lambda: told == [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2)], "the second batch of the second epoch")
    trainer.until(lambda: "Batch 2 of 3" in pace.words(), "the pace in the panel")
    assert pace.isVisible() and panel.curves._doing.text() == "Seed 0, epoch 2 of 6"
    assert pace.bar.share == pytest.approx(2 / 3) and "rate 0.05 · loss " in pace.words()
    assert "items/s" in pace.words() and "Memory " in pace.words()
    trainer.click(panel.curves.stop)
    let(1)
    trainer.until(lambda: trainer.told, "the end of the training")
    trainer.settle()
    assert trainer.told[0].startswith("Stopped. What my-toy learned in 1 epoch is kept.")
    assert not pace.isVisible()

    trainer.window.messages.clear_messages()
    panel.form.run()
    let(50)
    trainer.until(lambda: trainer.told, "the end of the training")
    trainer.settle()
    assert told == [(epoch, batch) for epoch in range(6) for batch in (1, 2, 3)], "each batch once"


def test_a_stop_in_the_first_epoch_says_so(trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepscope.models.training.pace.SECONDS", 0.0)
    (let, told), panel = by_batch(trainer), trainer.window.training
    panel.form.run()
    trainer.until(lambda: told, "the first batch")
    trainer.click(panel.curves.stop)
    let(1)
    trainer.until(lambda: trainer.told, "the end of the training")
    trainer.settle()
    assert trainer.told[0].startswith("Stopped. What my-toy learned in a part of its first epoch is kept.")


def test_a_batch_that_does_not_fit_is_told_in_the_notes(trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    learned = loop._Fitting._learned

    def narrow(fitting: Any, batch: Any) -> float:
        if fitting.done.parts < 2:
            raise MemoryError
        return learned(fitting, batch)

    monkeypatch.setattr(loop._Fitting, "_learned", narrow)
    form = trainer.window.training.form
    form.fields.epochs.setValue(1)
    form.fields.onnx.setChecked(False)
    form.run()
    trainer.until(lambda: trainer.told, "the end of the training")
    trainer.settle()
    notes = trainer.window.training.curves._notes.text().splitlines()
    assert notes == ["Seed 0: A batch of 8 does not fit into memory: it is computed 4 items at a time."]


PACE = TrainingPace(0, 1, 6, 10, 40, 0.5, 0.01, 100.0, 0.25, 0.25, 0.4, 2**30)


def test_the_newest_pace_stays_through_all_but_a_new_stage() -> None:
    """What is not looked at in time is skipped: so each state has all of it, and no pace but the newest."""
    paces = [replace(PACE, batch=batch) for batch in range(1, 5001)]
    epoch = Epoch(0, 1, 6, 0.5, 0.6, 0.7, True)
    warning = loop.TrainingWarning(0, "A warning.")
    told = list(training_work.states(iter([*paces, epoch, warning, training.Stage("Measuring")]), 8))
    assert [state.pace.batch for state in told[:5000]] == list(range(1, 5001))
    assert told[9].pace.seconds_left == pytest.approx(30 * 8 / 100)  # 30 batches of 8 at 100 items a second
    assert told[5000].pace == told[5001].pace == told[4999].pace, "while the validation split is looked at"
    assert len(told[5001].points) == 1 and told[5001].notes == ("Seed 0: A warning.",)
    assert told[5002].pace is None
    stalled = replace(PACE, items_per_second=0.0)
    assert next(training_work.states(iter([stalled]), 8)).pace.seconds_left is None


def test_a_pretraining_is_told_as_an_epoch_and_so_is_a_stop_in_it() -> None:
    before = replace(PACE, stage="pretraining")
    epoch = Epoch(0, 0, 2, 0.5, 0.6, 0.7, True, stage="pretraining")
    told = list(training_work.states(iter([training.Stage("Reading"), before, epoch, PACE]), 8))
    assert [state.doing for state in told] == [
        "Reading", "Pretraining, seed 0, epoch 2 of 6", "Pretraining, seed 0, epoch 1 of 2", "Seed 0, epoch 2 of 6",
    ]  # fmt: skip
    assert [(state.in_epochs, state.in_pretraining) for state in told] == [
        (False, False), (True, True), (True, True), (True, False),
    ]  # fmt: skip
    assert "a part of its pretraining is kept" in stopped_words("mine", 0, in_epoch=True, in_pretraining=True)


def test_closing_while_training_asks(trainer, answer) -> None:
    let = gated(trainer)
    asked = answer("Go back")
    trainer.window.training.form.fields.onnx.setChecked(False)
    trainer.window.training.form.run()
    let(1)
    trainer.until(lambda: "1 of 6" in trainer.window.task_chip.words(), "an epoch")
    trainer.bench.commands.run("app.quit")
    assert asked == ["A training is running."] and trainer.window.isVisible()
    let(50)
    trainer.until(lambda: not trainer.bench.training.is_running, "the end")
    trainer.settle()


def test_what_fails_is_told_and_the_window_lives(trainer) -> None:
    form = trainer.window.training.form
    form.fields.epochs.setValue(1)
    form.fields.train.setCurrentIndex(form.fields.train.findData("app_unseen"))
    form.fields.held_out.setCurrentIndex(form.fields.held_out.findData(""))
    (own_folder()).mkdir(parents=True)
    (own_folder() / "my-toy").write_text("in the way")
    form.run()
    trainer.until(lambda: trainer.told, "the trouble")
    trainer.settle()
    assert "my-toy" in trainer.told[0] and not trainer.bench.training.is_running
    assert trainer.alive()


def test_a_dead_process_is_told(trainer, monkeypatch) -> None:
    """The real child: killed as soon as it lives."""
    trainer.bench.training.work = training_work.elsewhere
    monkeypatch.setattr("stepscope.app.gui.features.training.training_work.request_of", lambda _form: None)
    worker = training_worker()
    worker.close()  # one that waits and dies is replaced
    trainer.window.training.form.run()
    trainer.until(lambda: worker.pid is not None, "the child")
    os.kill(worker.pid, signal.SIGKILL)
    trainer.until(lambda: trainer.told, "the death")
    trainer.settle()
    assert "process that works on the training was ended by SIGKILL" in trainer.told[0]
    assert "same settings" in trainer.told[0]
    assert worker.pid is None
