"""The words for a goal are changed in the window beside what is sent, kept, and the run has them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit

from stepscope.core.domain.model_call import SentMessage
from stepscope.core.store.repositories import model_calls
from stepscope.models.chat import consents, redaction_rules, servers
from stepscope.models.chat.redaction import GREY
from stepscope.models.chat.servers import ChatServer
from stepscope.models.goal.prompts import goal_prompt
from stepscope.widgets.evaluate.goal_prompt_dialog import GoalPromptDialog
from tests.app.gui.conftest import OpenWindow, Person
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Stage, completion

pytestmark = pytest.mark.needs("openai")

MODEL = "served:lab/m"


@pytest.fixture
def person(open_window: OpenWindow, shop: Path, stage: Stage, ring: object) -> Person:  # noqa: F811 - fixtures
    servers.add(ChatServer("lab", stage.url, "m", parallel=1))
    stage.plays(completion('{"steps": ["a"], "goal": "Buy a lamp"}'))
    found = open_window(shop)
    found.choose("evaluate.goal")
    form = found.window.evaluate
    found.until(lambda: form.fields.model.findData(MODEL) >= 0, "the server's model")
    form.fields.model.setCurrentIndex(form.fields.model.findData(MODEL))
    return found


def dialog_of(person: Person) -> GoalPromptDialog:
    person.window.evaluate.fields.prompt.click()
    (found,) = person.window.findChildren(GoalPromptDialog)
    return found


def test_changed_words_are_seen_kept_and_sent(person: Person) -> None:
    dialog = dialog_of(person)
    assert not dialog.save.isEnabled()
    person.until(lambda: "Step 1" in dialog.preview.words(), "what is sent")
    assert "blue plus" in dialog.preview.words()
    edit = dialog.edit("user")
    assert isinstance(edit, QPlainTextEdit)
    edit.setPlainText("Well, what was it? One JSON object.")
    person.until(lambda: "Well, what was it?" in dialog.preview.words(), "the new words")
    dialog.name.setText("mine")
    dialog.save.click()
    form = person.window.evaluate
    person.until(lambda: form.fields.model_name() == f"{MODEL}?prompt=mine", "the prompt is chosen")
    assert f"--model '{MODEL}?prompt=mine'" in form.command() and goal_prompt("mine").version == "1+1"
    before = set(person.bench.results.run_ids)
    form.run()
    run = person.done(before)
    with person.bench.context.database.reading() as db:
        ((call,),) = model_calls.of_episode(db, run, "lamp").values()
    system, user = call.messages
    assert isinstance(system, SentMessage) and "begins with a verb" in str(system.parts[0])
    assert user.parts[-1] == "Well, what was it? One JSON object."


def test_words_that_are_none_are_told_and_nothing_is_kept(person: Person) -> None:
    dialog = dialog_of(person)
    person.until(lambda: "Step 1" in dialog.preview.words(), "what is sent")
    dialog.edit("user").setPlainText(" ")
    person.until(lambda: "system or user is empty" in dialog._trouble.text(), "why not")
    dialog.save.click()
    assert "system or user is empty" in dialog._trouble.text() and dialog.isVisible()
    dialog.edit("user").setPlainText("What?")
    dialog.name.setText("sentence")
    dialog.save.click()
    assert "is a prompt of the program" in dialog._trouble.text() and dialog.isVisible()
    dialog.close_button.click()
    person.until(lambda: not person.window.findChildren(GoalPromptDialog), "it is closed")


def test_other_models_have_no_prompt(person: Person) -> None:
    fields = person.window.evaluate.fields
    assert fields.prompt.isVisibleTo(person.window.evaluate)
    fields.model.setCurrentIndex(fields.model.findData("template"))
    assert not fields.prompt.isVisibleTo(person.window.evaluate)


def test_an_element_is_pointed_at_in_the_preview_and_never_sent(person: Person) -> None:
    """The first screen of `lamp` is all of one grey, 40; the button Search spans 34 to 74 by 110 to 130 of 108 by 240,
    and has no id. The tap's mark is in its middle."""
    dialog = dialog_of(person)
    person.until(lambda: "Step 1" in dialog.preview.words(), "what is sent")
    assert "Search" in dialog.preview.words()
    x, y = 38 / 108, 127 / 240

    def shade() -> int:
        shown = dialog.preview.pictures[0].pixmap().toImage()
        return shown.pixelColor(round(shown.width() * x), round(shown.height() * y)).red()

    assert abs(shade() - 40) < 8
    dialog.preview.pictures[0].pointed.emit(x, y)
    person.until(lambda: dialog.undo.isVisible(), "the rule")
    (rule,) = redaction_rules.load()
    assert (rule.name, rule.id, rule.text, rule.app) == ("Search", "", "Search", "org.example.shop")
    person.until(lambda: abs(shade() - GREY) < 8, "it is painted over")
    assert "Search" not in dialog.preview.words()
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        dialog.grab().save(f"{folder}/goal-prompt-redacted.png")
    person.click(dialog.undo)
    person.until(lambda: not dialog.undo.isVisible(), "it is sent again")
    person.until(lambda: abs(shade() - 40) < 8, "as before")
    assert "Search" in dialog.preview.words()
    assert redaction_rules.load() == ()
    dialog.preview.pictures[0].pointed.emit(2.0, 2.0)
    person.until(lambda: "no element here" in dialog._trouble.text(), "nothing is there")


def test_the_menu_of_a_picture_says_where_it_was_opened(person: Person) -> None:
    dialog = dialog_of(person)
    person.until(lambda: bool(dialog.preview.pictures), "what is sent")
    picture = dialog.preview.pictures[-1]
    heard: list[tuple[int, float, float]] = []
    dialog.redacted.disconnect()
    dialog.redacted.connect(lambda *where: heard.append(where))
    at = QPoint(picture.width() // 2, picture.height() // 4)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, picture.mapToGlobal(at))
    QApplication.sendEvent(picture, event)
    (menu,) = picture.findChildren(QMenu)
    menu.actions()[0].trigger()
    ((number, x, y),) = heard
    assert number == len(dialog.preview.pictures) - 1
    assert x == pytest.approx(0.5, abs=0.01) and y == pytest.approx(0.25, abs=0.01)
    menu.close()


def test_recordings_go_to_a_server_elsewhere_only_once_the_person_agrees(
    person: Person,
    stage: Stage,  # noqa: F811 - a fixture
    shop: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The listener is this machine's, called another one in this process for the test."""
    monkeypatch.setattr(ChatServer, "is_here", property(lambda _self: False))
    asked: list[str] = []
    answers = iter([False, True])

    def confirmed(_parent: object, question: str, detail: str, *_words: str, **_more: object) -> bool:
        asked.append(f"{question} {detail}")
        return next(answers)

    monkeypatch.setattr("stepscope.app.gui.shell.recordings_question.confirmed", confirmed)
    form = person.window.evaluate
    before = set(person.bench.results.run_ids)
    form.run()
    person.until(lambda: len(asked) == 1, "the question")
    person.until(lambda: not person.bench.evaluate.is_running, "nothing begins")
    person.settle()
    assert set(person.bench.results.run_ids) == before and not stage.seen and consents.load() == ()
    assert "Send these recordings to lab?" in asked[0] and str(shop) in asked[0] and stage.url in asked[0]
    form.run()
    person.done(before)
    assert stage.seen and [one.data for one in consents.load()] == [str(shop.resolve())]
    known = set(person.bench.results.run_ids)
    form.run()
    person.done(known)
    assert len(asked) == 2, "it is asked once"
