"""What happens on a device, the recording of it, and what models would do there, in words, cells and marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stepscope.app.services.goal_changes import changed_words
from stepscope.core.device.device import DeviceInfo, DeviceState
from stepscope.core.device.mirror import MirrorPhase, MirrorState
from stepscope.core.device.recorded import Entry, EntryKind, RecordingStatus, SurveyOutcome
from stepscope.core.device.recorded import Survey as Said
from stepscope.core.device.session import PerformedAction
from stepscope.core.domain.action import Type
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.layers import Layers, run_layer
from stepscope.core.domain.mark import Mark
from stepscope.core.domain.prediction import FeasibilityAnswer
from stepscope.core.imaging.overlay import RunMarks, build_marks
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.format import confidence, counted, duration
from stepscope.widgets.live import CellKind, DeviceRow, RecordedCell, RecordingState, RowState, SurveyAnswers
from stepscope.widgets.live.conversation import AnswerSuggestion, PendingQuestion, Turn, TurnKind
from stepscope.widgets.live.mirror import reconnecting, starting

if TYPE_CHECKING:
    from stepscope.app.services.live.goal_guesses import GoalGuess
    from stepscope.app.services.live.overlay import OverlayPrediction, OverlayState

_STATES = {
    DeviceState.READY: RowState.READY,
    DeviceState.UNAUTHORISED: RowState.UNAUTHORISED,
    DeviceState.OFFLINE: RowState.OFFLINE,
    DeviceState.NO_PERMISSION: RowState.NO_PERMISSION,
    DeviceState.UNKNOWN: RowState.UNKNOWN,
}


def acted_line(acted: PerformedAction) -> str:
    """One line of the log. Typed text is not told: where the screen was not looked at it may be a password."""
    if isinstance(acted.action, Type):
        return f"Type {counted(len(acted.action.text), 'character')}"
    said = action_words(acted.action)
    return f"{said.word} {said.detail}".strip()


def device_row(
    info: DeviceInfo, *, state: RowState | None = None, detail: str = "", forgettable: bool = False
) -> DeviceRow:
    """A device of the list; `state` and `detail` replace its own while it is open."""
    kind = info.kind.value
    own = info.detail if kind == "simulated" else f"{kind[:1].upper()}{kind[1:]} · {info.detail}".rstrip(" ·")
    return DeviceRow(info.serial, info.name, kind, state or _STATES[info.state], detail or own, info.hint, forgettable)


def starting_words(name: str) -> str:
    """ "Starting the simulated phone", "Starting Pixel 7"."""
    return starting(f"the {name[:1].lower()}{name[1:]}" if name.startswith("Simulated") else name)


def notice(state: MirrorState, name: str) -> str:
    """Words over the picture, "" when it is live."""
    match state.phase:
        case MirrorPhase.CONNECTING:
            return starting_words(name)
        case MirrorPhase.LOST:
            return reconnecting(state.attempt)
        case MirrorPhase.FAILED:
            return f"No picture: {state.why}"
        case _:
            return ""


NOTHING_TO_UNDO = "Nothing is recorded yet"


def cells_of(recorded: RecordingStatus) -> list[RecordedCell]:
    """One cell an entry; steps are numbered from 1."""
    cells, number = [], 0
    for entry in recorded.entries:
        number += entry.step is not None
        cells.append(_cell(entry, number))
    return cells


def _cell(entry: Entry, number: int) -> RecordedCell:
    if entry.step is not None:
        return _step_cell(entry, number)
    took = "" if entry.seconds is None else f" {duration(entry.seconds)}"
    if entry.kind is EntryKind.LOGIN:
        left_out = counted(entry.actions, "action")
        return RecordedCell(CellKind.LOGIN, "Log-in", time=entry.at, whole=f"Log-in, {left_out} left out")
    word = "away" if entry.kind is EntryKind.GAP else "paused"
    return RecordedCell(CellKind.GAP, f"{word}{took}", time=entry.at, whole=f"{word.capitalize()}{took}")


def _step_cell(entry: Entry, number: int) -> RecordedCell:
    assert entry.step is not None
    if entry.ask is not None:
        answer = f" – {entry.ask.answer}" if entry.ask.answer else ""
        whole = f"{entry.ask.question}{answer}"
        return RecordedCell(CellKind.ASK, entry.ask.question, number, entry.at, "ask", whole, entry.note)
    said = action_words(entry.step.action)
    words = said.detail or said.word
    if entry.step.action is None:
        words = "Last screen"
    whole = f"{said.word} {said.detail}".strip() if entry.step.action is not None else words
    note = " ".join(filter(None, (entry.note, entry.remark)))
    return RecordedCell(CellKind.ACTION, words, number, entry.at, said.icon, whole, note)


def state_of(recorded: RecordingStatus | None, *, active: bool, message: str = "") -> RecordingState:
    """What the strip's buttons show."""
    if recorded is None:
        return RecordingState(message=message)
    why_not = "" if recorded.can_undo else NOTHING_TO_UNDO
    return RecordingState(active, recorded.paused, recorded.login, why_not, message)


def turns_of(recorded: RecordingStatus) -> list[Turn]:
    """What a person does without an agent, as a conversation: the goal and the actions."""
    turns = [Turn(TurnKind.GOAL, recorded.goal, "You", 0.0)] if recorded.goal else []
    number = -1
    for entry in recorded.entries:
        number += entry.step is not None
        if entry.step is None or entry.step.action is None or entry.ask is not None:
            continue
        said = action_words(entry.step.action)
        words = f"{said.word} {said.detail}".strip()
        turns.append(Turn(TurnKind.ACTION, words, time=entry.at, icon=said.icon, step=number))
    return turns


def with_guesses(turns: Sequence[Turn], guesses: Sequence[tuple[GoalGuess, str | None]], letters: str) -> list[Turn]:
    """The turns with what models made of them, each behind the step after which it was said."""
    found, left = [], list(guesses)
    for turn in turns:
        if turn.step is not None:
            found += [_guess_turn(*left.pop(0), letters) for _ in range(_told_before(left, turn.step))]
        found.append(turn)
    return found + [_guess_turn(guess, before, letters) for guess, before in left]


def _told_before(guesses: Sequence[tuple[GoalGuess, str | None]], step: int) -> int:
    return sum(guess.steps <= step for guess, _before in guesses)


def _guess_turn(guess: GoalGuess, before: str | None, letters: str) -> Turn:
    sure = "" if guess.confidence is None else f", {confidence(guess.confidence)}"
    changed = "" if before is None else f" ({changed_words(before, guess.text)})"
    run = letters.index(guess.letter) + 1
    return Turn(TurnKind.NEWS, f"Goal so far by {guess.letter}{sure}: {guess.text}{changed}", run=run)


def help_turn(guess: GoalGuess, title: str, letters: str) -> Turn:
    """The offer of help as something that a model says."""
    words = f"You seem to be after this: {guess.text}. May I go on from here?"
    return Turn(TurnKind.ASK, words, title, run=letters.index(guess.letter) + 1, waiting=True)


def help_question(offers: Sequence[str]) -> PendingQuestion:
    """What the person can say to an offer of help."""
    suggestions = tuple(AnswerSuggestion(one) for one in offers)
    return PendingQuestion(
        suggestions, note="Words of your own are taken as the goal", of_agent=False, title="What you can say"
    )


def said_of(survey: SurveyAnswers) -> Said | None:
    """The panel's survey as the recording keeps it; None: nothing was said yet."""
    if not survey.label:
        return None
    outcome = SurveyOutcome.DONE if survey.label == "feasible" else SurveyOutcome(survey.reason)
    return Said(outcome, survey.why, survey.follow_up)


def overlay_marks(told: OverlayPrediction, run: int) -> tuple[Mark, ...]:
    """The model's answer over the screen that it was given for; `run` is the place of its letter."""
    answer = told.prediction.answer
    last = max(0, len(answer.curve) - 1) if isinstance(answer, FeasibilityAnswer) else 0
    step = Step(last, Observation(told.seen.size, None, told.seen.tree))
    return build_marks(step, [RunMarks(run, told.prediction)], layers=Layers.of(run_layer(run)))


def overlay_words(state: OverlayState) -> str:
    """ "1.5 answers a second, 40 ms each, 2 too late"."""
    parts = [f"{state.per_second:.1f} answers a second"]
    if state.latency_ms is not None:
        parts.append(f"{state.latency_ms:.0f} ms each")
    if state.late:
        parts.append(f"{state.late} too late")
    return ", ".join((*parts, state.problem) if state.problem else parts)
