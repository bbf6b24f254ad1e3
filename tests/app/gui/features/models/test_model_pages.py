"""The page of a model that is there: what it is and needs, tried, changed, removed; by the list at its left."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QTreeWidgetItemIterator
from safetensors.numpy import save_file

from stepscope.app.services.agent_trials import AgentTrialRequest, NewServer
from stepscope.app.services.worker import AgentTrialJob, AnyJob
from stepscope.core.errors import UserError
from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer
from stepscope.models.checkpoints import checkpoint, needs
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.runtimes.devices import ComputeDevice
from stepscope.widgets.models import ModelsView
from stepscope.widgets.models.adding import AddModelPage
from tests.app.gui.conftest import Person
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Stage
from tests.models.checkpoints.test_checkpoint import folder

pytestmark = pytest.mark.needs("openai", "keyring")

GIB = 2**30
CONFIRMED = "stepscope.app.gui.features.models.add_model_controller.confirmed"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkpoint:
    """A checkpoint of 3,000 numbers on a machine of 16 GiB."""
    place = folder(tmp_path / "pelican-3b")
    save_file({"one": np.zeros((10, 300), np.float16)}, place / "model.safetensors")
    monkeypatch.setattr(needs, "devices", lambda: (ComputeDevice("cpu", memory=16 * GIB),))
    checkpoint.add(Checkpoint("mine", str(place), adapter="qwen2.5-vl"))
    return checkpoint.find("mine")


@pytest.fixture
def asked(person: Person) -> list[AgentTrialRequest]:
    """What models are tried on; none answers."""
    requests: list[AgentTrialRequest] = []

    def listen(job: AnyJob, *_: object) -> object:
        assert isinstance(job, AgentTrialJob)
        requests.append(job.request)
        raise UserError("is silent.")

    person.bench.add_model.listen = listen
    return requests


def page_of(person: Person, name: str = "") -> AddModelPage:
    """The window of models with this one chosen in its list, as a person does it: by the arrow keys."""
    person.choose("models.add")
    person.settle()
    page = person.window.findChild(AddModelPage)
    assert page is not None
    return go(person, page, name)


def go(person: Person, page: AddModelPage, name: str) -> AddModelPage:
    page.models.setFocus()
    wanted = row_of(page, name)
    QTest.keyClick(page.models, Qt.Key.Key_Home)
    while page.models.currentItem() is not wanted:
        QTest.keyClick(page.models, Qt.Key.Key_Down)
    person.settle()
    return page


def row_of(page: AddModelPage, name: str):
    rows = QTreeWidgetItemIterator(page.models)
    while (item := rows.value()) is not None:
        if item.data(0, Qt.ItemDataRole.UserRole) == name:
            return item
        rows += 1
    raise AssertionError(f"{name} is not listed")


def choose(person: Person, page: AddModelPage, field: str, value: str) -> None:
    combo = page.where.editor(field) or page.speaks.editor(field) or page.runs.editor(field)
    assert isinstance(combo, QComboBox)
    combo.setCurrentIndex(combo.findData(value))
    combo.activated.emit(combo.currentIndex())
    person.settle()


def write(person: Person, line: object, words: str) -> None:
    assert isinstance(line, QLineEdit)
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, words)
    QTest.keyClick(line, Qt.Key.Key_Return)
    person.settle()


def found_words(page: AddModelPage) -> str:
    parts = (page._found_is, page._found_detail, page._checks, page._doubts)
    return "\n".join(one.text() for one in parts if one.isVisibleTo(page))


def test_a_checkpoint_says_what_it_is_and_needs_and_how_it_speaks(person: Person, mine: Checkpoint) -> None:
    page = page_of(person, "local:mine")
    size = Path(mine.folder, "model.safetensors").stat().st_size
    assert page._head.text() == "local:mine" and page.path.text() == mine.folder and page.path.isReadOnly()
    told = found_words(page)
    assert told.startswith(f"qwen2_5_vl\ncheckpoint, 3 K parameters, {size / 1024:.4g} KB, bfloat16\n")
    assert "✓ licence apache-2.0" in told
    assert "✓ its weights take 5.859 KB of the 16 GB of this machine" in told
    facts = page.speaks.facts
    assert facts["coordinates"] == "pixels of the picture sent"
    assert facts["resize"] == "sides in steps of 28, 3,136 to 12,845,056 pixels in all"
    assert facts["history"] == "text of past actions, 1 picture" and facts["actions"].startswith("16: key, click")
    assert page.trial.try_it.isEnabled() and page.remove.isVisibleTo(page) and page.evaluate.isVisibleTo(page)
    assert not page.add.isEnabled() and page.add.text().strip() == "Save changes"
    if place := os.environ.get("STEPSCOPE_PICTURES"):
        page.window().grab().save(f"{place}/model-page.png")
    page.window().close()


def test_what_is_too_large_and_what_is_not_installed_is_told(
    person: Person, mine: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needs, "devices", lambda: (ComputeDevice("cuda", name="Small", memory=5000),))
    monkeypatch.setattr(needs, "torch_lack", lambda: None)
    monkeypatch.setattr(needs, "find_spec", lambda name: None if name == "transformers" else object())
    page = page_of(person, "local:mine")
    told = found_words(page)
    # 3,000 numbers of bfloat16 have 6,000 bytes: 5.859 KB of 4.883.
    assert "its weights take 5.859 KB of the 4.883 KB of Small: choose a smaller one" in told
    assert "transformers is not installed: pip install 'stepscope[vlm]'" in told
    choose(person, page, "dtype", "float32")
    assert "its weights take 11.72 KB of" in found_words(page)
    monkeypatch.setattr(CONFIRMED, lambda *_, **_named: True)
    page.window().close()


def test_it_is_changed_there_and_the_page_stays(person: Person, mine: Checkpoint) -> None:
    page = page_of(person, "local:mine")
    choose(person, page, "adapter", "ui-tars-1.5")
    write(person, page.runs.editor("batch"), "3")
    assert page.command() == f"stepscope models add {mine.folder} --name mine --adapter ui-tars-1.5 --batch 3 --replace"
    assert page.add.isEnabled() and checkpoint.find("mine") == mine, "nothing counts before it is saved"
    QTest.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    kept = checkpoint.find("mine")
    assert (kept.adapter, kept.batch, kept.folder) == ("ui-tars-1.5", 3, mine.folder)
    assert page.isVisible() and page._head.text() == "local:mine" and not page.add.isEnabled()
    assert "Saved local:mine." in " ".join(person.told)
    write(person, page.runs.editor("batch"), "three")
    QTest.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert "'three' questions at once cannot be." in page.trial.verdict() and checkpoint.find("mine") == kept
    write(person, page.runs.editor("batch"), "3")
    page.window().close()


def test_changes_wait_while_one_looks_at_another_and_are_not_lost_unasked(
    person: Person, mine: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answers = [False, True]

    def answer(_parent: object, question: str, *_more: object, **_named: object) -> bool:
        asked.append(question)
        return answers.pop(0)

    monkeypatch.setattr(CONFIRMED, answer)
    page = page_of(person)
    write(person, page.path, str(folder(tmp_path / "other")))
    assert page.command() == f"stepscope models add {tmp_path / 'other'}"
    go(person, page, "local:mine")
    choose(person, page, "dtype", "float32")
    go(person, page, "text-match")
    assert page._head.text() == "text-match" and not page.remove.isVisibleTo(page) and not page.add.isVisibleTo(page)
    assert page.where.facts["task"] == "Task automation" and "verb, place and typed text" in page.where.facts["does"]
    go(person, page, "local:mine")
    assert page.runs.editor("dtype").currentData() == "float32" and page.add.isEnabled()
    go(person, page, "")
    assert page.command() == f"stepscope models add {tmp_path / 'other'}", "the new one waits too"
    page.window().close()
    assert asked == ["Close without saving local:mine?"] and page.isVisible()
    QTest.keyClick(page, Qt.Key.Key_Escape)
    person.until(lambda: person.window.findChild(AddModelPage) is None, "the window closed")
    assert len(asked) == 2
    assert checkpoint.find("mine") == mine


def test_it_is_tried_as_it_stands_on_the_page(person: Person, mine: Checkpoint, asked: list[AgentTrialRequest]) -> None:
    page = page_of(person, "local:mine")
    choose(person, page, "dtype", "float32")
    QTest.keyClick(page, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert isinstance(asked[0].model, Checkpoint) and asked[0].model.dtype == "float32"
    assert "is silent" in page.trial.verdict()
    assert asked[0].goal == "" and page.trial.goal.isVisibleTo(page)
    write(person, page.trial.goal, "Open the clock")
    assert asked[-1].goal == "Open the clock", "Enter tries it with the person's own goal"
    choose(person, page, "dtype", "auto")
    go(person, page, "text-match")
    assert not page.trial.goal.isVisibleTo(page)
    page.window().close()


def test_one_whose_folder_is_gone_says_so_and_is_removed(
    person: Person, mine: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(mine.folder, "config.json").unlink()
    page = page_of(person, "local:mine")
    assert "has no config.json" in page.told() and not page.trial.try_it.isEnabled() and not page.evaluate.isEnabled()
    monkeypatch.setattr(CONFIRMED, lambda *_, **_named: True)
    page.remove.click()
    person.settle()
    assert checkpoint.load() == () and page._head.text() == "Add model"
    assert "Removed local:mine." in " ".join(person.told) and Path(mine.folder).is_dir()
    with pytest.raises(AssertionError, match="not listed"):
        row_of(page, "local:mine")
    page.window().close()


def test_a_server_is_asked_changed_and_keeps_its_key(
    person: Person,
    stage: Stage,  # noqa: F811 - a fixture
    ring: dict[tuple[str, str], str],  # noqa: F811 - a fixture
    asked: list[AgentTrialRequest],
) -> None:
    servers.add(ChatServer("lab", stage.url, "small", adapter="qwen2.5-vl"))
    ring["stepscope", "lab"] = "sesame"
    stage.plays('{"data": [{"id": "small"}, {"id": "large"}]}')
    page = page_of(person, "served:lab/small")
    assert stage.seen[-1][1]["Authorization"] == "Bearer sesame", "it is its own server"
    key = page.where.editor("key")
    assert isinstance(key, QLineEdit) and key.text() == "" and "Its key is kept" in key.toolTip()
    model = page.where.editor("model")
    assert isinstance(model, QComboBox) and model.findData("large") >= 0
    choose(person, page, "model", "?")
    write(person, page.where.editor("model"), "fine-tuned")
    QTest.keyClick(page, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    tried = asked[0].model
    assert isinstance(tried, NewServer) and (tried.model, tried.key) == ("fine-tuned", None)
    stage.plays('{"data": [{"id": "small"}, {"id": "large"}]}')
    QTest.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    kept = servers.find("lab")
    assert (kept.model, kept.adapter) == ("fine-tuned", "qwen2.5-vl") and list(ring.values()) == ["sesame"]
    assert page._head.text() == "served:lab/fine-tuned" and row_of(page, "served:lab/fine-tuned")
    page.window().close()


def test_the_list_of_models_leads_to_the_page_and_the_page_to_the_form(person: Person, mine: Checkpoint) -> None:
    person.choose("models.list")
    person.settle()
    view = person.window.findChild(ModelsView)
    view.table.setCurrentIndex(view.model.index(view.model.place_of("local:mine#feasibility"), 0))
    assert "licence" in view.details.toPlainText() and "apache-2.0" in view.details.toPlainText()
    person.click(view.page)
    person.settle()
    page = person.window.findChild(AddModelPage)
    assert page._head.text() == "local:mine"
    person.click(page.evaluate)
    person.until(lambda: person.window.evaluate.fields.model.currentData() == "local:mine#automation", "the form")
    person.settle()
