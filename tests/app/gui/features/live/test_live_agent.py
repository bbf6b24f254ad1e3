"""An agent at work on a scripted phone, with a person at the window: approving, correcting, answering, stopping."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

import stepscope.app.services.live.devices
from stepscope.app.gui.features.live.confirmation_words_dialog import ConfirmationWordsDialog
from stepscope.app.services.live.agent_events import Phase
from stepscope.app.services.live.agent_store import PREDICTIONS_FILE
from stepscope.core.device.confirmation_policy import DEFAULT_WORDS, ConfirmationPolicy
from stepscope.core.domain.action import Tap
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.layers import run_layer
from stepscope.core.domain.mark import BubbleMark, Mark, PillMark, PointMark
from stepscope.core.domain.run import RunState
from stepscope.core.sources.recording import read_recording
from stepscope.core.store.repositories import runs
from stepscope.widgets.live import OWN, AgentPhase, SurveyAnswers
from stepscope.widgets.live.conversation import TurnKind
from tests.app.gui.conftest import OpenWindow, Person
from tests.core.device.fake import FakeDevice


class NoWatch:
    """adb tells nothing new."""

    def __init__(self, tell: object) -> None:
        del tell

    def start(self) -> None:
        """Nothing to watch."""

    def close(self) -> None:
        """Nothing to end."""


class AgentPerson:
    """Somebody who lets an agent act on the phone."""

    def __init__(self, person: Person, phone: FakeDevice) -> None:
        self.person, self.phone, self.until = person, phone, person.until
        self.bench = person.bench
        self.live, self.recording, self.agent = self.bench.live.device, self.bench.live.recording, self.bench.live.agent

    @property
    def parts(self):
        return self.person.window.live

    @property
    def view(self):
        return self.parts.centre.view

    @property
    def card(self):
        return self.parts.centre.card.proposal

    @property
    def tapped(self) -> list[str]:
        return [one.target.text for one in self.phone.done if isinstance(one, Tap) and one.target is not None]

    def connect(self) -> None:
        self.person.choose("workspace.live")
        self.live.open_with(self.phone.info, lambda _progress: self.phone)
        self.until(lambda: self.view.frame is not None and not self.view.notice, "the picture")

    def touch(self, text: str) -> None:
        """Click on the row of that text and wait until the phone has seen it."""
        done = len(self.phone.done)
        left, top = self.view.viewport.to_view(self.phone.place(text))
        QTest.mouseClick(self.view, Qt.MouseButton.LeftButton, pos=QPointF(left, top).toPoint())
        self.until(lambda: len(self.phone.done) > done, f"the tap on {text}")

    def recorded(self) -> list[str]:
        """Kinds of the recorded actions."""
        return [step.action.kind if step.action else "" for step in self.recording.session.recorded.steps]

    def save(self, survey: SurveyAnswers) -> Path:
        folders: list[Path] = []
        self.recording.finished.connect(lambda folder, _episode: folders.append(folder))
        self.parts.left.label.show_survey(survey)
        self.parts.left.label.save.click()
        self.until(lambda: folders, "the recording on the disk")
        return folders[0]

    def let_act(self, goal: str, *, mode: str = "", limit: float = 0.6) -> None:
        task = self.parts.left.task
        self.until(lambda: task.agents.count() > 1, "the agents in the list")
        task.set_goal(goal)
        task.set_agents(self.agent._choices, "text-match")
        task.set_limit(limit)
        if mode:
            task.set_mode(mode)
        assert task.start.isEnabled(), task.words()
        task.start.click()
        self.until(lambda: self.agent.run is not None, "the agent")

    def proposed(self, label: str) -> None:
        self.until(lambda: self.card is not None and not self.card.question and self.card.choices[0].label == label,
                   f"the proposal {label}")  # fmt: skip

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self.view, key)

    def turns(self, kind: TurnKind) -> list[str]:
        return [turn.text for turn in self.parts.side.conversation.turns.turns().turns() if turn.kind is kind]


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> FakeDevice:
    device = FakeDevice()
    monkeypatch.setattr(stepscope.app.services.live.devices, "list_devices", lambda: ((device.info,), ""))
    monkeypatch.setattr(stepscope.app.services.live.devices, "DeviceWatch", NoWatch)
    monkeypatch.setattr(stepscope.app.services.live.devices, "open_device", lambda serial: device)
    return device


@pytest.fixture
def somebody(open_window: OpenWindow, shop: Path, phone: FakeDevice) -> Iterator[AgentPerson]:
    found = AgentPerson(open_window(shop), phone)
    found.connect()
    yield found
    phone.come_back()


def test_from_the_goal_to_the_stored_run(somebody: AgentPerson) -> None:
    somebody.let_act("tap Shop and tap Kettle")
    somebody.proposed("Shop")
    assert somebody.phone.done == []
    assert somebody.recording.is_running
    somebody.press(Qt.Key.Key_Return)
    somebody.proposed("Kettle")
    somebody.person.choose("agent.approve")
    somebody.until(lambda: somebody.phone.page == "kettle", "the kettle")
    somebody.until(lambda: somebody.card is not None and somebody.card.question, "the question")  # nothing is left
    somebody.person.choose("agent.stop")
    somebody.until(lambda: somebody.parts.left.label.save.isEnabled(), "the survey")
    assert somebody.turns(TurnKind.GOAL) == ["tap Shop and tap Kettle"]
    assert somebody.turns(TurnKind.ACTION) == ["Tap Shop", "Tap Kettle"]

    stored: list[str] = []
    somebody.agent.stored.connect(lambda run, _folder, _episode: stored.append(run))
    folder = somebody.save(SurveyAnswers("feasible"))
    somebody.until(lambda: stored, "the stored run")
    lines = [json.loads(line) for line in (folder / PREDICTIONS_FILE).read_text("utf-8").splitlines()]
    assert lines[0]["run"]["model"] == "text-match"
    assert [line["action"]["kind"] for line in lines[1:]] == ["tap", "tap", "ask"]
    assert [step.action.kind for step in read_recording(folder).steps if step.action][:3] == ["tap", "tap", "ask"]
    with somebody.bench.context.database.reading() as db:
        run = runs.get(db, stored[0])
    assert (run.state, run.spec.source) == (RunState.DONE, str(folder.parent.resolve()))
    assert somebody.bench.context.selection.runs_on(run.spec.source) == {stored[0]: 0}, "as A over its data"
    somebody.until(lambda: any("first proposed" in told for told in somebody.person.told), "the message")


def test_a_person_steps_in_with_touch_and_keys(somebody: AgentPerson) -> None:
    somebody.let_act("tap Clock and tap Kettle and tap Buy now")
    somebody.proposed("Clock")
    somebody.press(Qt.Key.Key_Backspace)  # no
    somebody.proposed("Shop")
    somebody.person.press("Ctrl+Space")  # wait
    somebody.until(lambda: somebody.agent.run.phase is Phase.PAUSED and somebody.card is None, "the pause")
    somebody.parts.side.conversation.take_over.click()
    somebody.until(lambda: "You have taken over." in somebody.turns(TurnKind.NEWS), "the news")
    somebody.touch("Clock")
    somebody.until(lambda: somebody.turns(TurnKind.ACTION) == ["Tap Clock"], "the person's tap")
    assert somebody.agent.run.phase is Phase.PAUSED
    somebody.person.choose("device.home")
    somebody.until(lambda: somebody.phone.page == "home", "the start page")
    somebody.touch("Shop")
    somebody.parts.left.task.resume.click()
    somebody.until(lambda: somebody.card is not None, "what it proposes now")
    somebody.touch("Kettle")  # that instead, whatever it is
    somebody.until(lambda: somebody.phone.page == "kettle", "the kettle")
    somebody.proposed("Buy now")
    assert "“buy” is a word that always asks" in somebody.card.instruction
    somebody.press(Qt.Key.Key_2)  # the second choice
    somebody.until(lambda: somebody.tapped[-1] == "Steel, 1.7 l", "the second choice")
    assert somebody.phone.page == "kettle"
    assert somebody.agent.run.memory.predictions[0].action.target.text == "Clock"

    somebody.person.choose("device.disconnect")
    assert not somebody.bench.commands.actions["agent.stop"].isEnabled()
    assert somebody.parts.left.task.words() == "No phone is connected. Choose one above."
    somebody.person.settle()


def test_on_its_own_it_asks_and_waits_where_it_must(somebody: AgentPerson) -> None:
    somebody.let_act("tap the thing and tap Buy now", mode=OWN)
    talk = somebody.parts.side.conversation
    somebody.until(lambda: talk.offers.offer(0) is not None, "the answers")
    assert somebody.parts.left.task._state.phase is AgentPhase.ASKING
    assert somebody.turns(TurnKind.ASK) == [somebody.card.question]
    somebody.press(Qt.Key.Key_1)
    assert talk.answer_text() == talk.offers.offer(0).text
    somebody.phone.pages = {**somebody.phone.pages, "list": somebody.phone.pages["kettle"]}
    QTest.keyClick(talk.answer.field, Qt.Key.Key_Return)
    somebody.proposed("Buy now")
    assert (somebody.tapped, somebody.turns(TurnKind.SAY)) == (["Shop"], ["Shop"])
    assert somebody.recorded() == ["ask", "tap"]
    assert somebody.card.waits
    assert "“buy” is a word that always asks." in somebody.parts.left.task.words()
    somebody.press(Qt.Key.Key_Return)
    somebody.until(lambda: somebody.phone.page == "bought", "the purchase")

    talk.not_feasible.click()
    somebody.until(lambda: not somebody.recording.is_running, "the end of the recording")
    somebody.until(lambda: somebody.parts.left.label.survey().label == "infeasible", "the survey")
    assert not somebody.agent.is_at_work
    assert somebody.card is None


def test_the_goal_while_it_happens_and_the_offer_of_help(somebody: AgentPerson) -> None:
    """A model on the picture guesses after each step; once it stays with a guess, an agent may go on."""
    talk, task = somebody.parts.side.conversation, somebody.parts.left.task
    somebody.until(lambda: task.agents.count() > 1, "the agents in the list")
    somebody.bench.live.overlay.toggle("template", True)
    somebody.person.choose("record.toggle")
    somebody.until(lambda: somebody.recording.is_running, "the recording")
    somebody.touch("Shop")
    told = "Goal so far by B: Open Shop"
    somebody.until(lambda: somebody.turns(TurnKind.NEWS), "the first guess")
    assert somebody.turns(TurnKind.NEWS) == [told]
    assert somebody.bench.live.goals.offer is None, "said once, it may be anything"
    somebody.person.choose("device.home")
    somebody.until(lambda: talk.offers.offer(0) is not None, "the offer")
    (asked,) = somebody.turns(TurnKind.ASK)
    assert asked == "You seem to be after this: Open Shop. May I go on from here?"
    assert somebody.turns(TurnKind.NEWS) == [told], "what is as before is not told again"
    assert not talk.decide.isVisible(), "no agent waits"
    if place := os.environ.get("STEPSCOPE_PICTURES"):
        somebody.person.settle()
        somebody.person.window.grab().save(f"{place}/live-help.png")

    talk.choose_offer(3)
    QTest.keyClick(talk.answer.field, Qt.Key.Key_Return)
    assert (somebody.turns(TurnKind.ASK), talk.offers.offer(0), task.goal()) == ([], None, "")
    somebody.touch("Clock")
    somebody.until(lambda: any("+ Clock" in one for one in somebody.turns(TurnKind.NEWS)), "how it changed")
    somebody.person.choose("device.home")
    somebody.until(lambda: talk.offers.offer(0) is not None, "another offer")
    assert "Open Clock" in somebody.turns(TurnKind.ASK)[0]
    talk.choose_offer(1)
    QTest.keyClick(talk.answer.field, Qt.Key.Key_Return)
    somebody.until(lambda: somebody.agent.run is not None, "the agent")
    assert task.goal() == "Open Clock"
    somebody.proposed("Clock")
    assert somebody.recorded()[:4] == ["tap", "press_key", "tap", "press_key"], "the same recording goes on"
    somebody.bench.live.overlay.toggle("template", False)


def test_a_goal_of_ones_own_in_answer_to_the_offer(somebody: AgentPerson) -> None:
    talk, task = somebody.parts.side.conversation, somebody.parts.left.task
    somebody.bench.live.overlay.toggle("template", True)
    somebody.person.choose("record.toggle")
    somebody.until(lambda: somebody.recording.is_running, "the recording")
    somebody.touch("Shop")
    somebody.until(lambda: somebody.turns(TurnKind.NEWS), "the first guess")
    somebody.person.choose("device.home")
    somebody.until(lambda: talk.offers.offer(0) is not None, "the offer")
    talk.answer.field.show_text("Buy a kettle")
    QTest.keyClick(talk.answer.field, Qt.Key.Key_Return)
    assert task.goal() == "Buy a kettle" and talk.offers.offer(0) is None
    somebody.until(lambda: somebody.turns(TurnKind.GOAL) == ["Buy a kettle"], "the goal of the recording")
    assert somebody.agent.run is None
    somebody.bench.live.overlay.toggle("template", False)


def test_models_on_the_picture_and_words_that_always_ask(somebody: AgentPerson) -> None:
    overlay, view = somebody.bench.live.overlay, somebody.view
    somebody.parts.left.task.set_goal("tap Clock")
    somebody.person.choose("device.models")
    somebody.until(lambda: overlay._menu is not None, "the menu")
    (entry,) = (one for one in overlay._menu.actions() if one.text() == "Text match")
    entry.trigger()
    overlay._menu.close()
    somebody.until(lambda: point_of(view.overlay.marks) == somebody.phone.place("Clock"), "a mark on Clock")
    somebody.parts.left.task.goal_field.changed.emit("tap Shop")
    somebody.until(lambda: point_of(view.overlay.marks) == somebody.phone.place("Shop"), "a mark on Shop")
    chip = somebody.parts.centre.tools.chip(run_layer(1))
    somebody.until(lambda: "answers a second" in chip.toolTip(), "how it keeps up")
    overlay.toggle("text-match", False)
    assert view.overlay.marks == ()

    overlay.toggle("template", True)
    overlay.toggle("never-feasible", True)
    somebody.until(lambda: len(view.overlay.marks) == 2, "what both make of it")
    goal, guess = view.overlay.marks
    assert isinstance(goal, PillMark) and goal.text == "empty", "nothing was done, so there is no goal to guess"
    assert isinstance(guess, PillMark) and guess.text.startswith("infeasible")
    somebody.person.choose("record.toggle")
    somebody.until(lambda: somebody.recording.is_running, "the recording")
    somebody.touch("Shop")
    somebody.until(lambda: any(isinstance(mark, BubbleMark) for mark in view.overlay.marks), "the goal of one tap")
    assert "Shop" in next(mark.text for mark in view.overlay.marks if isinstance(mark, BubbleMark))
    if place := os.environ.get("STEPSCOPE_PICTURES"):
        somebody.person.window.grab().save(f"{place}/live-guesses.png")
    before = overlay._menu
    somebody.person.choose("device.models")
    somebody.until(lambda: overlay._menu is not before, "the menu")
    assert {"Feasibility: Never feasible", "Goal identification: Template"} <= {
        one.text() for one in overlay._menu.actions() if one.isChecked()
    }
    overlay._menu.close()
    overlay.toggle("template", False)
    overlay.toggle("never-feasible", False)

    somebody.person.choose("agent.words")
    (dialog,) = somebody.person.window.findChildren(ConfirmationWordsDialog)
    assert dialog.words() == DEFAULT_WORDS
    dialog._words.setPlainText(" kettle \n\nkettle\nshop")
    dialog._apps.setPlainText("org.example.bank")
    dialog.accept()
    preferences = somebody.bench.context.preferences
    assert (preferences.asking_words, preferences.asking_apps) == (("kettle", "shop"), ("org.example.bank",))
    assert somebody.agent._settings().confirmation == ConfirmationPolicy(("kettle", "shop"), ("org.example.bank",))
    somebody.person.settle()


def point_of(marks: tuple[Mark, ...]) -> Point | None:
    return next((mark.point for mark in marks if isinstance(mark, PointMark)), None)
