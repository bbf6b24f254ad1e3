"""An agent asks in the conversation: the person answers, or the data does, and the dialogue opens in Replay."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt

import stepscope.app.services.live.predicting
from stepscope.core.domain.action import AskUser, Finish, FinishStatus, PressKey
from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.widgets.live import OWN, SurveyAnswers
from stepscope.widgets.live.conversation import TurnKind
from tests.app.gui.features.live.test_live_agent import AgentPerson, phone, somebody  # noqa: F401 - fixtures
from tests.app.services.live.scripted import Script, does, info, taps

Said = Callable[[StepRequest], Prediction]
QUESTION = "Which one do you mean?"


def by_the_answer(request: StepRequest) -> Prediction:
    """Asks, opens the shop for the red one and the clock for anything else, and has done."""
    if request.history:
        return does(Finish(FinishStatus.COMPLETE))(request)
    if request.reply is None:
        return does(AskUser(QUESTION))(request)
    return taps("Shop" if request.reply[1] == "The red one" else "Clock")(request)


@pytest.fixture
def asker(monkeypatch: pytest.MonkeyPatch) -> Script:
    model = Script([by_the_answer] * 12, info(title="Scripted"))
    monkeypatch.setattr(stepscope.app.services.live.predicting, "live_model", lambda name: model)
    return model


def test_the_answer_of_the_data_by_one_key_and_the_dialogue_in_replay(
    somebody: AgentPerson,  # noqa: F811 - a fixture
    asker: Script,
) -> None:
    talk = somebody.parts.side.conversation
    somebody.let_act("buy a lamp", mode=OWN)  # the episode `lamp` asks "Which lamp?" at its step 2
    somebody.until(talk.has_data_answer, "the data's answer")
    assert talk.changes.rows() == (
        ("At step", "1"), ("Question", "1 of 5"), ("In the data", "“The red one”, due at step 2"),
    )  # fmt: skip
    assert talk.answer.from_data.isVisible() and "The red one" in talk.answer.from_data.toolTip()
    somebody.press(Qt.Key.Key_0)
    somebody.until(lambda: not somebody.agent.is_at_work, "the end")
    assert somebody.tapped == ["Shop"]
    turn = next(one for one in talk.turns.turns().turns() if one.kind is TurnKind.SAY)
    assert (turn.text, turn.who, turn.step) == ("The red one", "answer, from the data", 1)
    assert [request.reply for request in asker.requests] == [None, (QUESTION, "The red one"), None]

    somebody.until(lambda: somebody.parts.left.label.save.isEnabled(), "the survey")
    somebody.person.settle()
    assert (somebody.turns(TurnKind.ASK), somebody.turns(TurnKind.SAY)) == ([QUESTION], ["The red one"]), "they stay"
    folder = somebody.save(SurveyAnswers("feasible"))
    somebody.person.choose("record.open")
    selection = somebody.bench.context.selection
    somebody.until(lambda: selection.episode is not None and selection.episode.id == folder.name, "it in Replay")
    inspector = somebody.person.window.inspector
    somebody.until(lambda: inspector.talk_page._turns, "the talk")
    assert [(one.kind, one.text, one.step) for one in inspector.talk_page._turns if one.kind in ("ask", "say")] == [
        ("ask", QUESTION, 0), ("say", "The red one", 0),
    ]  # fmt: skip
    somebody.person.settle()


def test_the_person_says_something_else_the_data_answers_and_has_none(
    somebody: AgentPerson,  # noqa: F811
    asker: Script,
) -> None:
    talk, task = somebody.parts.side.conversation, somebody.parts.left.task
    _let_act(somebody, "Buy a lamp")
    somebody.until(talk.has_data_answer, "the question")
    talk.answer.field.setPlainText("The blue one")
    talk.answer.button.click()
    somebody.until(lambda: somebody.turns(TurnKind.NEWS), "the end")
    assert somebody.tapped == ["Clock"]
    _save_and_go_home(somebody)

    _let_act(somebody, "Buy a lamp")
    somebody.until(talk.has_data_answer, "the question")
    task.data_answers.setChecked(True)  # from here on nobody is needed
    somebody.until(lambda: somebody.turns(TurnKind.NEWS), "the end")
    assert somebody.tapped[1:] == ["Shop"]
    assert somebody.turns(TurnKind.SAY) == ["The red one"]
    _save_and_go_home(somebody)

    _let_act(somebody, "Order a chair")
    somebody.until(lambda: len(somebody.turns(TurnKind.NEWS)) == 2, "the end")
    assert somebody.turns(TurnKind.NEWS) == [
        "The data has no answer: no episode with questions has this goal.",
        f"It was told to go on without an answer, and asked again: “{QUESTION}”",
    ]
    assert "asked again" in task.words()
    assert somebody.recorded()[0] == "ask"
    _save_and_go_home(somebody)

    somebody.bench.context.prefer(question_limit=0)
    _let_act(somebody, "Buy a lamp")
    somebody.until(lambda: len(somebody.turns(TurnKind.NEWS)) == 2, "the end")
    assert somebody.turns(TurnKind.NEWS)[0] == (
        "0 questions were put, which is the limit of a task. It is told to go on without an answer."
    )
    assert not talk.answer.field.isEnabled()


def _let_act(somebody: AgentPerson, goal: str) -> None:  # noqa: F811
    before = somebody.agent.run
    somebody.let_act(goal, mode=OWN)
    somebody.until(lambda: somebody.agent.run is not before, "another agent")


def _save_and_go_home(somebody: AgentPerson) -> None:  # noqa: F811
    somebody.until(lambda: somebody.parts.left.label.save.isEnabled(), "the survey")
    somebody.save(SurveyAnswers("feasible"))
    somebody.person.settle()
    somebody.phone.perform(PressKey("home"))
    somebody.phone.done.pop()
