"""Models ▸ Add Model… with the URL of a server: asked for its models, tried on one screen, added, evaluated."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit

from stepscope.app.services.agent_trials import try_agent
from stepscope.app.services.worker import AgentTrialJob, AnyJob
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store import queries
from stepscope.models.chat import servers
from stepscope.widgets.models.adding import AddModelPage
from tests.app.gui.conftest import OpenWindow, Person
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Act, Stage, completion
from tests.models.checkpoints.teaching import png

pytestmark = pytest.mark.needs("openai", "keyring")

SIZE = Size(280, 588)
"""Multiples of 28: a model of Qwen2.5-VL's kind sees the picture as it is."""
TAP = Tap(Point(70, 294, SIZE))
SAID = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [70, 294]}}\n</tool_call>'
MODELS = '{"object": "list", "data": [{"id": "qwen2.5-vl-7b"}, {"id": "other"}]}'


@pytest.fixture
def screens(tmp_path: Path) -> Path:
    place = tmp_path / "screens"
    place.mkdir()
    (place / "screen.png").write_bytes(png(SIZE))
    seen = Observation(SIZE, Picture(place / "screen.png", SIZE))
    write_recording(Episode("one", "recording", Platform.ANDROID, "Open", (Step(0, seen, TAP),)), place / "one")
    return place


def write(person: Person, line: QLineEdit, words: str) -> None:
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, words)
    QTest.keyClick(line, Qt.Key.Key_Return)
    person.settle()


def choose(person: Person, combo: QComboBox, value: str) -> None:
    combo.setCurrentIndex(combo.findData(value))
    combo.activated.emit(combo.currentIndex())
    person.settle()


def page_of(person: Person, url: str) -> AddModelPage:
    person.choose("models.add")
    person.settle()
    page = person.window.findChild(AddModelPage)
    write(person, page.path, url)
    return page


def here(job: AnyJob, token: CancelToken, heard: Callable[[str], object]) -> object:
    """The worker's answer, made in this process."""
    assert isinstance(job, AgentTrialJob)
    return try_agent(job.request, token, heard)


def test_a_server_is_asked_for_its_models_tried_added_and_evaluated(
    open_window: OpenWindow,
    screens: Path,
    stage: Stage,  # noqa: F811 - a fixture
    ring: dict[tuple[str, str], str],  # noqa: F811 - a fixture
) -> None:
    stage.plays(Act('{"error": {"message": "no key"}}', status=401), MODELS, Act(completion(SAID)))
    person = open_window(screens)
    person.bench.add_model.listen = here
    page = page_of(person, stage.url)
    assert "key" in page.told().lower() and not page.add.isEnabled(), "it refuses who has no key"

    key = page.where.editor("key")
    assert isinstance(key, QLineEdit) and key.echoMode() is QLineEdit.EchoMode.Password
    write(person, key, "sesame")
    assert stage.seen[-1][1]["Authorization"] == "Bearer sesame" and "Authorization" not in stage.seen[0][1]
    assert page.told() == "Say which model is meant."
    model = page.where.editor("model")
    assert isinstance(model, QComboBox) and model.findData("other") >= 0, "what it lists can be chosen"
    choose(person, model, "qwen2.5-vl-7b")
    adapter = page.speaks.editor("adapter")
    assert isinstance(adapter, QComboBox) and adapter.currentData() == "qwen2.5-vl", "by the model's name"
    write(person, page.where.editor("name"), "lab")
    assert page.command() == f"stepscope models add {stage.url} --name lab --model qwen2.5-vl-7b --key"

    data = page.trial.data
    data.setCurrentIndex(data.findData(str(screens)))
    data.activated.emit(data.currentIndex())
    person.settle()
    assert page.trial.verdict() == "answered", page.trial.verdict()
    assert stage.bodies[-1]["model"] == "qwen2.5-vl-7b" and not servers.load(), "tried before it is added"
    if place := os.environ.get("STEPSCOPE_PICTURES"):
        page.window().grab().save(f"{place}/add-server.png")

    QTest.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert "served:lab/qwen2.5-vl-7b is one of your own models now." in " ".join(person.told)
    assert servers.find("lab").model == "qwen2.5-vl-7b" and list(ring.values()) == ["sesame"]
    assert "sesame" not in servers.LIST.file.read_text("utf-8")

    person.choose("evaluate.automation")
    forms = person.window.evaluate.fields.model
    name = "served:lab/qwen2.5-vl-7b#automation"
    person.until(lambda: forms.findData(name) >= 0, "the model in the form")
    run = person.evaluate(name, "aitw")
    with person.bench.context.database.reading() as db:
        (item,) = queries.items(db, run, limit=None).rows
    assert item.prediction.action == TAP and item.score.right


def test_the_key_of_another_server_is_not_sent_and_its_name_not_taken(
    person: Person,
    stage: Stage,  # noqa: F811 - a fixture
    ring: dict[tuple[str, str], str],  # noqa: F811 - a fixture
) -> None:
    servers.add(servers.ChatServer("server", "https://models.example/v1", "m"))
    ring["stepscope", "server"] = "anothers"
    stage.plays('{"data": [{"id": "small"}]}')
    page = page_of(person, stage.url)
    assert all("Authorization" not in headers for _, headers, _ in stage.seen)
    assert page.add.isEnabled(), "its only model is taken"
    page.add.click()
    person.settle()
    assert "There is a server 'server' already." in page.trial.verdict()
    assert servers.find("server").url == "https://models.example/v1"


@pytest.mark.parametrize(
    ("url", "told"), [("http://", "no URL of a server"), ("https://me:word@models.example", "must not hold a secret")]
)
def test_a_url_that_cannot_be_is_told(person: Person, url: str, told: str) -> None:
    page = page_of(person, url)
    assert told in page.told() and not page.add.isEnabled()
