"""An agent's events as what panels, mirror and conversation show."""

from __future__ import annotations

from stepscope.app.gui.features.live.agent_talk import Talk, asking_of, choices_of, proposal_of, task_state
from stepscope.app.services.live.agent_events import (
    ActionOrigin,
    ActionPerformed,
    ActionProposed,
    AgentFinished,
    AgentOutcome,
    AgentPaused,
    AgentSettings,
    AnswerOrigin,
    Mode,
    PauseReason,
    PredictionStarted,
    QuestionAnswered,
    QuestionAsked,
)
from stepscope.app.services.live.agent_words import GO_ON
from stepscope.core.device.session import ScreenSnapshot, observe
from stepscope.core.domain.action import Tap, Type
from stepscope.core.domain.prediction import ActionAnswer, Candidate, Prediction
from stepscope.widgets.live import AgentPhase
from stepscope.widgets.live.conversation import Origin, TurnKind
from tests.core.device.fake import FakeDevice


def seen() -> ScreenSnapshot:
    return observe(FakeDevice(), lambda: None)


def candidates(look: ScreenSnapshot, *scores: float) -> tuple[Candidate, ...]:
    assert look.tree is not None
    buttons = [element for element in look.tree if element.clickable]
    return tuple(Candidate(Tap(one.box.centre), score) for one, score in zip(buttons, scores, strict=True))


def test_scores_of_candidates_are_in_proportion_to_the_confidence() -> None:
    look = seen()
    both = candidates(look, 2.0, 1.0)
    assert [one.score for one in choices_of(both, look.tree, 0.8)] == [0.8, 0.4]
    assert [one.score for one in choices_of(both, look.tree, None)] == [1.0, 1.0]
    assert [one.score for one in choices_of(candidates(look, 0.0, 0.5), look.tree, 0.3)] == [0.3, 0.5]
    assert choices_of(both, look.tree, None)[0].box == FakeDevice()._elements()[1].box


def test_what_must_be_confirmed_is_said_instead_of_the_limit() -> None:
    look = seen()
    both = candidates(look, 0.9, 0.1)
    prediction = Prediction("live", 0, ActionAnswer(both[0].action, both), confidence=0.9)
    own = AgentSettings(mode=Mode.OWN)
    asks = ActionProposed(1, 4, prediction, both, ("“buy” is a word that always asks",), look)
    plain = ActionProposed(1, 4, prediction, both, (), look)
    assert (proposal_of(asks, own).instruction, proposal_of(asks, own).waits) == (asks.reasons[0], True)
    assert (proposal_of(plain, own).limit, proposal_of(plain, own).waits, proposal_of(plain, own).step) == (
        0.6,
        False,
        5,
    )
    assert task_state(asks, own.mode).attention
    question = QuestionAsked(2, 4, "Which?", both, True, 0.2, look)
    box = proposal_of(question, own).target
    assert box is not None
    assert (box.left, box.top, box.right, box.bottom) == (4, 20, 104, 56)  # around the rows Shop and Clock


def test_the_conversation_of_a_run() -> None:
    look = seen()
    talk = Talk("buy tea", "Text match")
    events = (
        PredictionStarted(0),
        QuestionAsked(1, 0, "Which?", (), True, 0.2, look),
        QuestionAnswered(0, "Which?", "green"),
        ActionPerformed(1, Tap(None), ActionOrigin.AGENT),
        ActionPerformed(2, Type("hunter2"), ActionOrigin.PERSON),
        AgentPaused(PauseReason.STEP, "One step was done."),
        AgentPaused(PauseReason.TAKEN_OVER, "You have taken over."),
        AgentPaused(PauseReason.TAKEN_OVER, "You have taken over."),
        PredictionStarted(3),
        AgentPaused(PauseReason.TAKEN_OVER, "You have taken over."),
        AgentFinished(AgentOutcome.STOPPED, 2, "Stopped."),
    )
    changed = [talk.take(event, 1.0) for event in events]
    assert changed == [False, True, True, True, True, False, True, False, False, True, True]
    assert [turn.kind for turn in talk.turns] == [
        TurnKind.GOAL, TurnKind.ASK, TurnKind.SAY, TurnKind.ACTION, TurnKind.ACTION, TurnKind.NEWS, TurnKind.NEWS,
        TurnKind.NEWS,
    ]  # fmt: skip
    assert not any(turn.waiting for turn in talk.turns)
    assert "hunter2" not in "".join(turn.text for turn in talk.turns)


def test_who_answered_is_told() -> None:
    talk = Talk("buy tea", "Text match")
    for event in (
        QuestionAnswered(0, "Which?", "green", AnswerOrigin.DATA),
        QuestionAnswered(1, "Which?", GO_ON, AnswerOrigin.NOBODY, "Nobody answers."),
        QuestionAnswered(2, "Which?", "You decide.", AnswerOrigin.LEFT_TO_AGENT),
    ):
        assert talk.take(event, 1.0)
    assert [(turn.kind, turn.text, turn.who, turn.origin) for turn in talk.turns[1:]] == [
        (TurnKind.SAY, "green", "answer, from the data", Origin.RECORDED),
        (TurnKind.NEWS, "Nobody answers.", "", Origin.LIVE),
        (TurnKind.SAY, "You decide.", "You", Origin.LIVE),
    ]


def test_the_question_says_how_many_there_may_be_and_whether_its_words_are_ours() -> None:
    rules = AgentSettings(question_limit=3)
    own_words = asking_of(QuestionAsked(1, 0, "Which?", (), False, None, seen(), count=2), rules)
    assert own_words.changes == (("At step", "1"), ("Question", "2 of 3"))
    ours = asking_of(QuestionAsked(1, 0, "What?", (), False, None, seen(), wordless=True, count=1), rules)
    assert ours.changes[0] == ("Why it asks", "it asked without words; these are ours")


def test_the_task_panel_follows() -> None:
    assert task_state(AgentPaused(PauseReason.PROBLEM, "The server is away."), Mode.OWN).attention
    assert not task_state(AgentPaused(PauseReason.PERSON, "Paused."), Mode.OWN).attention
    ended = task_state(AgentFinished(AgentOutcome.COMPLETE, 1, "It says that the goal is reached."), Mode.OWN)
    assert (ended.phase, ended.words) == (AgentPhase.IDLE, "It says that the goal is reached. 1 action.")
