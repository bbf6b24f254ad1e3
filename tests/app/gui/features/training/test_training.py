"""Training from the menu, in the whole window, with a recipe small enough to follow."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QComboBox, QPushButton

from stepscope.app.gui.features.training import training_work
from stepscope.app.services import own_models
from stepscope.app.services.worker import training_worker
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import Task
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording_writer import write_recording
from stepscope.models.learned.model_folders import own_folder
from stepscope.models.training import loop
from stepscope.models.training.state import Epoch
from tests.app.gui.learned import only_toy
from tests.models.training.toy import Toy

pytestmark = pytest.mark.needs("torch")


SIZE = Size(100, 200)
SPLITS = ["train"] * 24 + ["validation"] * 12 + ["app_unseen"] * 12


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Toy:
    return only_toy(monkeypatch)


@pytest.fixture(scope="module")
def goals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """48 episodes in three splits; infeasible are goals of more than four words."""
    folder = tmp_path_factory.mktemp("data") / "goals"
    for number, split in enumerate(SPLITS):
        words = 1 + number % 8
        label = FeasibilityLabel.INFEASIBLE if words > 4 else FeasibilityLabel.FEASIBLE
        found = Episode(
            f"{number:03}", "recording", Platform.ANDROID, " ".join(["abcde"] * words),
            (Step(0, Observation(SIZE), Tap(Point(1, 1, SIZE))),), app=f"org.example.{number % 7}",
            feasibility=Feasibility(label), splits=(split,),
        )  # fmt: skip
        write_recording(found, folder / found.id)
    return folder


@pytest.fixture
def trainer(open_window, goals):
    """At a window with these episodes and the Train dock."""
    person = open_window(goals)
    person.choose("models.train")
    person.settle()
    return person


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
                assert permits.acquire(timeout=20), "nobody let the training go on"
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
