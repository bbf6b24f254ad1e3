"""Try the agent's question here: asked at a recorded step, answered by a person or the data, asked again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepscope.app.gui.features.replay.trial_words import TrialLetters, free_letters
from stepscope.app.services import question_trials
from stepscope.core.domain.action import AskUser, Tap, Type
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.layers import run_layer
from stepscope.core.domain.mark import BubbleMark, PillMark, PointMark
from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.widgets.live.conversation import TurnKind
from tests.app.gui.conftest import OpenWindow, Person
from tests.app.services.live.scripted import Script, does, info

QUESTION = "Which one?"
ALONE, ANSWERED = run_layer(6), run_layer(7)
"""No run is shown: the last two letters are free."""


def types_the_answer(request: StepRequest) -> Prediction:
    """Taps the corner of the first screen; from the second on it asks, and types what it was answered, unless that is
    "again?", about which it asks once more."""
    if request.step == 0:
        return does(Tap(Point(1, 2, request.observation.size)))(request)
    if request.reply is None or request.reply[1] == "again?":
        return does(AskUser(QUESTION))(request)
    return does(Type(request.reply[1]))(request)


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch) -> Script:
    model = Script([types_the_answer] * 12, info(title="Scripted"))
    monkeypatch.setattr(question_trials, "asking_models", lambda: (model.info,))
    monkeypatch.setattr(question_trials, "live_model", lambda name: model)
    return model


class Trier:
    """Somebody at the Ask tab."""

    def __init__(self, person: Person) -> None:
        self.person, self.until = person, person.until
        self.trial = next(one for one in person.bench.features if one.id == "replay").trial
        person.bench.viewer.open_episode("lamp", 1)
        self.until(lambda: person.bench.context.selection.episode is not None, "the episode")
        person.choose("question.try")
        self.until(lambda: self.page.model() == "scripted", "the agents")

    @property
    def page(self):
        return self.trial.page

    @property
    def talk(self):
        return self.page.talk

    def try_it(self) -> None:
        self.page.button.click()
        self.until(lambda: self.page.button.isEnabled(), "what it says")

    def turns(self) -> list[tuple[TurnKind, str]]:
        return [(turn.kind, turn.text) for turn in self.talk.turns.turns().turns()]

    def marks(self, layer: object) -> list[object]:
        return [mark for mark in self.person.window.replay.view.content.marks if mark.layer is layer]


@pytest.fixture
def trier(open_window: OpenWindow, own_shop: Path, agent: Script) -> Trier:
    return Trier(open_window(own_shop))


def test_the_data_then_a_person_answer_and_both_streams_are_drawn_and_kept(trier: Trier, agent: Script) -> None:
    trier.try_it()
    assert trier.turns() == [(TurnKind.GOAL, "Buy a lamp"), (TurnKind.ASK, QUESTION)]
    assert trier.talk.changes.rows() == (("Recorded question", "Which lamp?"), ("Was due", "here"))
    assert not trier.marks(ANSWERED)
    bubble = trier.marks(ALONE)
    assert [(mark.text,) for mark in bubble if isinstance(mark, BubbleMark)] == [(QUESTION,)]
    assert not trier.talk.take_over.isVisible()

    QTest.keyClick(trier.talk, Qt.Key.Key_0)
    trier.until(lambda: len(trier.turns()) == 4, "the second stream")
    assert trier.turns()[2] == (TurnKind.SAY, "The red one")
    assert trier.turns()[3][0] is TurnKind.ACTION and "with the answer" in trier.turns()[3][1]
    assert any("The red one" in mark.text for mark in trier.marks(ANSWERED) if isinstance(mark, PillMark))
    assert [request.reply for request in agent.requests] == [None, (QUESTION, "The red one")]

    trier.try_it()
    trier.talk.answer.field.setPlainText("The blue one")
    trier.talk.answer.button.click()
    trier.until(lambda: len(trier.turns()) == 4, "the second stream")
    assert any("The blue one" in mark.text for mark in trier.marks(ANSWERED) if isinstance(mark, PillMark))
    trier.person.settle()

    trier.person.choose("step.previous")  # nothing was tried there; back it stands again, also when it is read anew
    trier.until(lambda: not trier.turns(), "the other step")
    assert not trier.marks(ANSWERED)
    trier.person.bench.viewer.open_episode("chair", 0)
    trier.until(lambda: trier.person.bench.context.selection.episode.id == "chair", "another episode")
    trier.person.bench.viewer.open_episode("lamp", 1)
    trier.until(lambda: len(trier.turns()) == 4, "what was kept")
    assert trier.turns()[2] == (TurnKind.SAY, "The blue one")
    trier.until(lambda: trier.marks(ANSWERED), "its marks")


def test_where_it_acts_without_a_question_and_where_it_asks_for_ever(trier: Trier, agent: Script) -> None:
    trier.person.choose("step.previous")
    trier.try_it()
    assert [kind for kind, _words in trier.turns()] == [TurnKind.GOAL, TurnKind.ACTION]
    assert next(mark for mark in trier.marks(ALONE) if isinstance(mark, PointMark)).point.x == 1
    assert not trier.talk.answer.field.isEnabled()

    trier.person.choose("step.next")
    trier.try_it()
    for count in (2, 3):
        trier.talk.answer.field.setPlainText("again?")
        trier.talk.answer.button.click()
        trier.until(lambda count=count: [kind for kind, _words in trier.turns()].count(TurnKind.SAY) == count - 1,
                    "the answer in the talk")  # fmt: skip
        trier.until(lambda: trier.page.button.isEnabled(), "what it says")
    assert trier.turns()[-1] == (
        TurnKind.NEWS, f"It asks again: “{QUESTION}” 2 questions about one step are the limit."
    )  # fmt: skip
    assert agent.requests[-1].goal == f"Buy a lamp\nQuestion: {QUESTION} Answer: again?"


def test_a_step_that_was_left_and_an_agent_that_fails(trier: Trier, agent: Script) -> None:
    agent.held = True
    trier.page.button.click()
    trier.until(lambda: agent.requests, "the question to the agent")
    trier.person.bench.viewer.open_episode("chair", 0)
    trier.until(lambda: trier.person.bench.context.selection.episode.id == "chair", "another episode")
    agent.release()
    trier.person.settle()
    assert trier.turns() == [] and trier.page.button.isEnabled()

    agent.held, agent.answers = False, [RuntimeError("the server is away")]
    trier.try_it()
    assert trier.page.words() == "The server is away"
    assert trier.turns() == []


def test_letters_that_no_run_has() -> None:
    assert free_letters(()) == TrialLetters(6, 7)
    assert free_letters((0, 6)) == TrialLetters(5, 7)
    assert free_letters(range(7)) == TrialLetters(None, 7)
    assert free_letters(range(8)) == TrialLetters(None, None)
