"""The words for a goal are changed in the window beside what is sent, kept, and the run has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPlainTextEdit

from stepscope.core.domain.model_call import SentMessage
from stepscope.core.store.repositories import model_calls
from stepscope.models.chat import servers
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
