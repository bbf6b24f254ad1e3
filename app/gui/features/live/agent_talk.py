"""What an agent on a device does, as the values that panels, mirror and conversation show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stepscope.app.services.live.agent_events import (
    ActionOrigin,
    ActionPerformed,
    ActionProposed,
    ActionStarted,
    AgentEvent,
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
from stepscope.app.services.live.agent_words import label_of, said
from stepscope.core.domain.action import Action, Type, action_point, action_target
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.domain.prediction import Candidate
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.format import confidence, counted
from stepscope.widgets.live import AgentPhase, TaskState
from stepscope.widgets.live.conversation import AnswerSuggestion, Origin, PendingQuestion, Turn, TurnKind
from stepscope.widgets.live.mirror import ActionCandidate, Proposal

AGENT_RUN = 0
"""The agent is run A."""
_STOPS = {PauseReason.PERSON, PauseReason.STEP}
"""Pauses that a person has ordered."""


def task_state(event: AgentEvent, mode: Mode) -> TaskState:
    """What the task panel says after the event."""
    match event:
        case PredictionStarted(step):
            return TaskState(AgentPhase.THINKING, f"Looks at the screen before step {step + 1}.")
        case ActionProposed():
            words = f"{said(event.choices[0].action)}? Enter approves, Backspace rejects, a touch corrects."
            return TaskState(AgentPhase.PROPOSED, f"{words}{_why(event.reasons)}", attention=bool(event.reasons))
        case QuestionAsked():
            return TaskState(AgentPhase.ASKING, "It asks. Answer at the right.", attention=True)
        case ActionStarted(_step, action):
            return TaskState(AgentPhase.ACTING, f"{_told(action, event.by)}.")
        case ActionPerformed(step, action, by):
            return TaskState(AgentPhase.ACTING, f"Step {step + 1}: {_told(action, by)}.")
        case AgentPaused(stop, why):
            return TaskState(AgentPhase.PAUSED, why, attention=stop not in _STOPS)
        case AgentFinished(_how, steps, why):
            return TaskState(AgentPhase.IDLE, f"{why} {counted(steps, 'action')}.")
        case _:
            return TaskState(AgentPhase.THINKING, "Weighs your answer.")


def _why(reasons: Sequence[str]) -> str:
    return f" {'. '.join(reasons)}." if reasons else ""


def _told(action: Action, by: ActionOrigin) -> str:
    """What a person types is not repeated: it may be a password."""
    if by is ActionOrigin.PERSON and isinstance(action, Type):
        return f"Type {counted(len(action.text), 'character')}"
    return said(action)


def proposal_of(event: ActionProposed | QuestionAsked, settings: AgentSettings) -> Proposal:
    """What the mirror draws."""
    if isinstance(event, QuestionAsked):
        step, best = event.step + 1, event.confidence
        choices = choices_of(event.offers, event.seen.tree, best)
        limit = settings.ask_below if event.unsure else None
        target = around([choice.box for choice in choices])
        return Proposal(AGENT_RUN, "", choices, limit, target, event.question, step)
    choices = choices_of(event.choices, event.seen.tree, event.prediction.confidence)
    waits = bool(event.reasons) or settings.mode is Mode.APPROVE
    words = ". ".join(event.reasons) or said(event.choices[0].action)
    limit = settings.ask_below if event.prediction.confidence is not None and not event.reasons else None
    return Proposal(AGENT_RUN, words, choices, limit, choices[0].box, "", event.step + 1, waits)


def choices_of(candidates: Sequence[Candidate], tree: UITree | None, best: float | None) -> tuple[ActionCandidate, ...]:
    """The candidates with a score each in 0..1: the best one's is the model's confidence, where it tells one, and the
    others' are in proportion: models score candidates in units of their own."""
    lead = candidates[0].score if candidates else 0.0
    scale = best / lead if best is not None and lead > 0 else 1.0
    scores = [one.score * scale for one in candidates]
    if scores and best is not None:
        scores[0] = best
    return tuple(
        ActionCandidate(label_of(one.action), min(max(score, 0.0), 1.0), box_of(one.action, tree))
        for one, score in zip(candidates, scores, strict=True)
    )


def box_of(action: Action, tree: UITree | None) -> Box | None:
    """The element under the action, None where there is none."""
    target, point = action_target(action), action_point(action)
    if target is not None and target.box is not None:
        return target.box
    element = tree.target_at(point) if tree is not None and isinstance(point, Point) else None
    return element.box if element is not None else None


def around(boxes: Sequence[Box | None]) -> Box | None:
    """The box around all of them."""
    there = [box for box in boxes if box is not None]
    if not there:
        return None
    return Box(
        min(box.left for box in there),
        min(box.top for box in there),
        max(box.right for box in there),
        max(box.bottom for box in there),
        there[0].size,
    )


def asking_of(event: QuestionAsked, settings: AgentSettings) -> PendingQuestion:
    """What the conversation offers as answers."""
    rows = [("At step", str(event.step + 1))]
    if event.count:
        rows.append(("Question", f"{event.count} of {settings.question_limit}"))
    if event.wordless:
        rows.insert(0, ("Why it asks", "it asked without words; these are ours"))
    if event.unsure and event.confidence is not None:
        rows.insert(0, ("Why it asks", f"best {confidence(event.confidence)}, limit {confidence(settings.ask_below)}"))
    offers = tuple(AnswerSuggestion(label_of(one.action), said(one.action)) for one in event.offers)
    return PendingQuestion(offers, tuple(rows))


class Talk:
    """The turns of one run; `clock` values are seconds since it began."""

    def __init__(self, goal: str, title: str) -> None:
        self._title = title
        self._is_over = False
        """it was said that the person has taken over"""
        self.turns: list[Turn] = [Turn(TurnKind.GOAL, goal, "You", 0.0)]

    def take(self, event: AgentEvent, seconds: float) -> bool:
        """The turns after the event; whether they are others than before."""
        match event:
            case QuestionAsked():
                self._close()
                turn = Turn(
                    TurnKind.ASK, event.question, self._title, seconds, run=AGENT_RUN, step=event.step, waiting=True
                )
            case QuestionAnswered():
                self._close()
                turn = _answer_turn(event, seconds)
            case ActionPerformed(step, action, by):
                self._close()
                words, run = action_words(action), None if by is ActionOrigin.PERSON else AGENT_RUN
                turn = Turn(TurnKind.ACTION, _told(action, by), "", seconds, icon=words.icon, run=run, step=step)
            case AgentPaused(stop, why) if stop is not PauseReason.STEP and not (
                stop is PauseReason.TAKEN_OVER and self._is_over
            ):
                self._is_over = stop is PauseReason.TAKEN_OVER
                turn = Turn(TurnKind.NEWS, why, time=seconds)
            case AgentFinished(how, _steps, why):
                self._close()
                turn = Turn(
                    TurnKind.NEWS, why if how is not AgentOutcome.STOPPED else "The agent was stopped.", time=seconds
                )
            case _:
                self._is_over = self._is_over and not isinstance(event, PredictionStarted)
                return False
        self.turns.append(turn)
        return True

    def _close(self) -> None:
        """Close the question: none waits any more."""
        self.turns = [replace(turn, waiting=False) if turn.waiting else turn for turn in self.turns]


def _answer_turn(event: QuestionAnswered, seconds: float) -> Turn:
    """What was answered and by whom; where nobody did, why."""
    if event.by is AnswerOrigin.NOBODY:
        return Turn(TurnKind.NEWS, event.why, time=seconds, step=event.step)
    if event.by is AnswerOrigin.DATA:
        return Turn(TurnKind.SAY, event.answer, "answer, from the data", seconds, Origin.RECORDED, step=event.step)
    return Turn(TurnKind.SAY, event.answer, "You", seconds, step=event.step)
