"""Models ▸ Add Model… with the folder of a vision-language model: looked at, tried on one screen, added, evaluated."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from stepscope.app.services.agent_trials import try_agent
from stepscope.app.services.worker import AgentTrialJob, AnyJob
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Point
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store import queries
from stepscope.models.agents import adapter as adapters
from stepscope.models.checkpoints import checkpoint
from stepscope.widgets.models.adding import AddModelPage
from tests.app.gui.conftest import OpenWindow, Person
from tests.models.checkpoints.conftest import knowing, tiny  # noqa: F401 - fixtures
from tests.models.checkpoints.teaching import ANSWER, SMALL, png, put_short_adapter
from tests.models.checkpoints.test_checkpoint import folder

pytestmark = [
    pytest.mark.needs("torch", "transformers", "torchvision"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]

WANTED = Point(56 / 140 * 224, 168 / 308 * 448, SMALL)


@pytest.fixture
def screens(tmp_path: Path) -> Path:
    place = tmp_path / "screens"
    place.mkdir()
    (place / "screen.png").write_bytes(png(SMALL))
    seen = Observation(SMALL, Picture(place / "screen.png", SMALL))
    for name in ("one", "two"):
        step = Step(0, seen, Tap(WANTED))
        write_recording(Episode(name, "recording", Platform.ANDROID, "Open", (step,)), place / name)
    return place


def page_of(person: Person, path: Path) -> AddModelPage:
    person.choose("models.add")
    person.settle()
    page = person.window.findChild(AddModelPage)
    page.path.setFocus()
    QTest.keyClicks(page.path, str(path))
    QTest.keyClick(page.path, Qt.Key.Key_Return)
    person.settle()
    return page


def here(job: AnyJob, token: CancelToken, heard: Callable[[str], object]) -> object:
    """The worker's answer, made in this process, on its processor."""
    assert isinstance(job, AgentTrialJob)
    return try_agent(job.request, token, heard)


def test_a_checkpoint_is_tried_added_and_evaluated(
    open_window: OpenWindow, screens: Path, knowing: Path  # noqa: F811 - a fixture
) -> None:  # fmt: skip
    put_short_adapter()
    person = open_window(screens)
    person.bench.add_model.listen = here
    page = page_of(person, knowing)
    adapter = page.speaks.editor("adapter")
    assert isinstance(adapter, QComboBox) and adapter.currentData() == "qwen2.5-vl", "by its config"
    adapter.setCurrentIndex(adapter.findData("short"))
    adapter.activated.emit(adapter.currentIndex())
    name = page.where.editor("name")
    name.selectAll()
    QTest.keyClicks(name, "mine")
    QTest.keyClick(name, Qt.Key.Key_Return)
    person.settle()
    assert page.command() == f"stepscope models add {knowing} --name mine --adapter short"
    data = page.trial.data
    data.setCurrentIndex(data.findData(str(screens)))
    heard: list[str] = []
    person.bench.add_model._heard.connect(heard.append)
    QTest.keyClick(page, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    data.activated.emit(data.currentIndex())
    person.settle()
    assert page.trial.verdict() == "answered", page.trial.verdict()
    assert "".join(heard).endswith(ANSWER[-20:]) and len(heard) > 20, "it is shown while it is written"
    shown = page.trial._texts.text()
    assert "user: Open" in shown and ANSWER.splitlines()[1] in shown and "as said: 56, 168" in shown
    assert "as Pixels of the picture sent: 90, 244 (right)" in shown
    assert [title.text() for title in page.trial._titles] == ["As sent, 140 × 308", "On the screen, 224 × 448"]
    if place := os.environ.get("STEPSCOPE_PICTURES"):
        page.window().grab().save(f"{place}/add-checkpoint.png")
    QTest.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert "local:mine is one of your own models now." in " ".join(person.told)
    assert checkpoint.find("mine").adapter == "short"

    person.choose("evaluate.automation")
    model = person.window.evaluate.fields.model
    person.until(lambda: model.findData("local:mine#automation") >= 0, "the checkpoint in the form")
    run = person.evaluate("local:mine#automation", "aitw")
    with person.bench.context.database.reading() as db:
        items = queries.items(db, run, limit=None).rows
    assert [one.prediction.why for one in items] == ["", ""]
    assert [one.prediction.action for one in items] == [Tap(WANTED)] * 2 and all(one.score.right for one in items)


def test_its_prompt_is_read_and_changed_into_an_adapter_of_ones_own(person, tmp_path: Path) -> None:
    page = page_of(person, folder(tmp_path / "m"))
    assert page.prompt.isVisibleTo(page)
    page.prompt.click()
    dialog = person.bench.add_model.prompt_dialog
    assert dialog is not None and [dialog.tabs.tabText(n) for n in range(dialog.tabs.count())] == ["Phone", "Web page"]
    system, user = dialog.edit("prompt")
    assert "{width}x{height}" in system.toPlainText() and not dialog.save.isEnabled()
    user.setPlainText("Task: {nobody}")
    dialog.save.click()
    assert "names {nobody}" in dialog._trouble.text()
    user.setPlainText("Be quick. Task: {goal}")
    dialog.name.setText("quick")
    if place := os.environ.get("STEPSCOPE_PICTURES"):
        dialog.grab().save(f"{place}/prompt.png")
    dialog.save.click()
    person.settle()
    adapter = page.speaks.editor("adapter")
    assert adapter.currentData() == "quick" and page.command().endswith("--adapter quick")
    kept = adapters.adapter_named("quick")
    assert kept.prompt is not None and (kept.prompt.version, kept.prompt.user) == ("1+1", "Be quick. Task: {goal}")
    page.window().close()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"chat_template__jinja": None}, "lacks a chat template"),
        ({"model__safetensors": None, "pytorch_model__bin": "x"}, "pickled weights only"),
    ],
)
def test_what_is_wrong_with_the_folder_is_told_on_the_page(person, tmp_path: Path, changes: dict, told: str) -> None:
    page = page_of(person, folder(tmp_path / "model", **changes))
    assert told in page.told()
    page.window().close()


def test_code_of_its_own_must_be_allowed(person, tmp_path: Path) -> None:
    config = (folder(tmp_path / "m") / "config.json").read_text()
    page = page_of(person, folder(tmp_path / "m", config__json=config[:-1] + ', "auto_map": {"AutoModel": "m.M"}}'))
    assert "brings Python code of its own: say whether that may run" in page.told()
    code = page.runs.editor("code")
    code.setCurrentIndex(code.findData("yes"))
    code.activated.emit(code.currentIndex())
    person.settle()
    assert page.command().endswith("--run-its-code") and page.trial.try_it.isEnabled()
    page.window().close()
