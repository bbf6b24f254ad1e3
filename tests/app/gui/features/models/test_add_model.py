"""Models ▸ Add Model… in the whole window: a file is looked at, asked about, tried and added."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit

from stepscope.app.services import model_trials
from stepscope.app.services.adding_models import look_at
from stepscope.app.services.worker import AnyJob, ModelLookJob, ModelTrialJob, trying_worker
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.models.registry import registry
from stepscope.widgets.models import ModelsView
from stepscope.widgets.models.adding import AddModelPage
from stepscope.widgets.models.adding.listed_delegate import ListedRole
from tests.app import losing_model

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

SCRIPT = Path(__file__).parents[5] / "docs/examples/own_models/make_models.py"
MANIFEST = "stepscope-model.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example of a classifier of feasibility over a screen, with its manifest."""
    runpy.run_path(str(SCRIPT))["screen_feasibility"](tmp_path / "screen-feasibility")
    return tmp_path / "screen-feasibility"


@pytest.fixture
def bare(folder: Path) -> Path:
    """Its file alone."""
    (folder / MANIFEST).unlink()
    return folder / "model.onnx"


def here(job: AnyJob, token: CancelToken) -> object:
    """The worker's answer, made in this process."""
    if isinstance(job, ModelLookJob):
        return look_at(job.path)
    assert isinstance(job, ModelTrialJob)
    return model_trials.try_model(job.request, token)


@pytest.fixture
def page(person) -> AddModelPage:
    person.bench.add_model.ask = here
    person.choose("models.add")
    person.settle()
    found = person.window.findChild(AddModelPage)
    assert found is not None and found.isVisible()
    return found


def name_path(person, page: AddModelPage, path: Path) -> None:
    page.path.setFocus()
    page.path.selectAll()
    QTest.keyClicks(page.path, str(path))
    QTest.keyClick(page.path, Qt.Key.Key_Return)
    person.settle()


def choose(person, page: AddModelPage, field: str, value: str) -> None:
    editor = page.where.editor(field) or page.speaks.editor(field) or page.runs.editor(field)
    if isinstance(editor, QComboBox):
        place = editor.findData(value)
        assert place >= 0, [editor.itemData(one) for one in range(editor.count())]
        editor.setCurrentIndex(place)
        editor.activated.emit(place)
    else:
        assert isinstance(editor, QLineEdit), field
        editor.setFocus()
        editor.selectAll()
        QTest.keyClicks(editor, value)
        QTest.keyClick(editor, Qt.Key.Key_Return)
    person.settle()


def test_a_file_is_asked_about_tried_and_added(person, page, bare: Path) -> None:
    name_path(person, page, bare)
    assert "what the model answers" in page.told() and not page.add.isEnabled()
    choose(person, page, "task", "feasibility")
    assert "which numbers the colours become" in page.told() and not page.trial.try_it.isEnabled()
    choose(person, page, "inputs.image.values", "ImageNet")
    choose(person, page, "outputs.chances.labels", "no, yes")
    choose(person, page, "outputs.chances.positive", "yes")
    choose(person, page, "name", "from-the-window")
    assert page.told() == "" and page.add.isEnabled()
    QTest.keyClick(page, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert page.trial.verdict() == "answered"
    assert not (bare.parent / MANIFEST).exists()
    page.copy.click()
    command = QGuiApplication.clipboard().text()
    assert command == page.command().strip() and "--task feasibility" in command
    assert "'inputs.image.values=ImageNet'" in command or "inputs.image.values=ImageNet" in command
    QTest.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert "from-the-window" in registry().models
    form = tomllib.loads((bare.parent / MANIFEST).read_text("utf-8"))
    assert (form["name"], form["outputs"][0]["positive"]) == ("from-the-window", "yes")
    assert person.window.findChild(AddModelPage) is None
    assert "from-the-window is one of your own models now." in " ".join(person.told)


def test_a_manifest_beside_the_file_answers_all(person, page, folder: Path) -> None:
    name_path(person, page, folder)
    assert page.told() == "" and page.add.isEnabled()
    page.add.click()  # it is tried first
    person.settle()
    assert "screen-feasibility" in registry().models


def test_what_cannot_be_added_is_told_where_one_looks(person, page, folder: Path) -> None:
    (folder / "net.pkl").write_bytes(b"\x80\x04N.")
    name_path(person, page, folder / "net.pkl")
    assert "holds pickled weights" in page.told() and not page.add.isEnabled()
    name_path(person, page, folder / "none.onnx")
    assert "is not there" in page.told()
    name_path(person, page, folder)
    assert page.told() == ""


def test_one_that_does_not_answer_is_added_only_when_it_is_wanted(person, page, bare: Path, monkeypatch) -> None:
    import onnx

    model = onnx.load(bare)
    weights = model.graph.initializer[0]
    weights.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(weights) * float("nan"), "weights"))
    onnx.save(model, bare)
    name_path(person, page, bare)
    for field, value in (("task", "feasibility"), ("inputs.image.values", "0 to 1"),
                         ("outputs.chances.labels", "no, yes"), ("outputs.chances.positive", "yes"),
                         ("name", "nan")):  # fmt: skip
        choose(person, page, field, value)
    asked = []
    module = "stepscope.app.gui.features.models.add_model_controller.confirmed"
    monkeypatch.setattr(module, lambda *words: bool(asked.append(words)))
    page.add.click()
    person.settle()
    assert "NaN" in page.trial.verdict() and "NaN" in asked[0][2]
    assert "nan" not in registry().models
    monkeypatch.setattr(module, lambda *_words: True)
    page.add.click()
    person.settle()
    assert "nan" in registry().models


def test_another_item_and_a_late_answer(person, page, folder: Path) -> None:
    name_path(person, page, folder)
    seen = []

    def noted(job: AnyJob, token: CancelToken) -> object:
        seen.append(job)
        return here(job, token)

    person.bench.add_model.ask = noted
    page.trial.try_it.click()
    person.settle()
    page.trial.other.click()
    person.settle()
    assert [job.request.skip for job in seen] == [0, 1]
    page.trial.try_it.click()
    page.cancel.click()  # what comes back has no page any more
    person.settle()
    assert person.window.findChild(AddModelPage) is None
    assert "screen-feasibility" not in registry().models


def test_the_list_of_models_knows_own_files(person, page, folder: Path, monkeypatch) -> None:
    losing_model.keep_losing_model()
    name_path(person, page, folder)
    page.add.click()
    person.settle()
    person.choose("models.list")
    person.settle()
    view = person.window.findChild(ModelsView)
    view.table.setCurrentIndex(view.model.index(view.model.place_of("screen-feasibility"), 0))
    row = [view.model.index(view.model.place_of("screen-feasibility"), column).data() for column in range(6)]
    assert row == ["screen-feasibility", "Feasibility", "onnx", "present", "your own file", "–"]
    assert "Apache-2.0" in view.details.toPlainText() and view.remove.isEnabled() and not view.export.isEnabled()
    monkeypatch.setattr("stepscope.app.gui.features.models.models_controller.confirmed", lambda *_words: True)
    view.remove.click()
    person.settle()
    assert "screen-feasibility" not in registry().models and (folder / "model.onnx").is_file()
    view.add.click()
    person.settle()
    page = person.window.findChild(AddModelPage)
    groups = [page.models.topLevelItem(place).text(0) for place in range(page.models.topLevelItemCount())]
    assert groups[0] == "New model" and groups[-1].startswith("Shipped with Stepscope")
    items = [page.models.topLevelItem(place) for place in range(page.models.topLevelItemCount())]
    listed = [item.child(n).data(0, ListedRole) for item in items for n in range(item.childCount())]
    told = {one.name: one for one in listed}
    assert told[losing_model.NAME].detail == "Task automation · below the rules"
    assert told[losing_model.NAME].below_rules == losing_model.WORDS
    assert told["text-match"].detail == "Task automation" and not told["text-match"].below_rules
    page.window().close()
    view.window().close()


def test_the_process_for_trials_answers_and_outlives_errors(folder: Path) -> None:
    worker = trying_worker()
    try:
        (draft,) = worker.run(ModelLookJob(folder), CancelToken())
        assert draft.questions == ()
        (folder / "net.pkl").write_bytes(b"\x80\x04N.")
        with pytest.raises(UserError, match="holds pickled weights"):
            list(worker.run(ModelLookJob(folder / "net.pkl"), CancelToken()))
        from stepscope.app.services.adding_models import manifest_of

        request = model_trials.TrialRequest(manifest_of(draft), draft.facts.file.parent)
        (trial,) = worker.run(ModelTrialJob(request), CancelToken())
        assert trial.problem == "" and trial.picture is not None
    finally:
        worker.close()
