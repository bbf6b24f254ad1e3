"""A question that was tried at a step, as turns of a conversation and as marks on the screen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from stepscope.app.gui.shell.step_words import element_words
from stepscope.app.services.question_trials import QuestionTrial, StreamAnswer, reference_ask
from stepscope.core.domain.action import Action, AskUser
from stepscope.core.domain.episode import Ask, Episode, Step
from stepscope.core.domain.layers import RUN_LETTERS
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.overlay import RunMarks
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.inspector.question_trial_page import BESIDE, NOTE
from stepscope.widgets.live.conversation import Origin, PendingQuestion, Turn, TurnKind

ALONE, ANSWERED = "the goal alone", "with the answer"
DATA, PERSON = "data", "person"


@dataclass(frozen=True, slots=True)
class TrialLetters:
    """Places of the letters with which the two streams are drawn; None where no letter is free."""

    alone: int | None = None
    answered: int | None = None


def free_letters(used: Collection[int]) -> TrialLetters:
    """The last two letters that no shown run has."""
    free = [place for place in range(len(RUN_LETTERS)) if place not in used][-2:]
    return TrialLetters(*free) if len(free) == 2 else TrialLetters(None, free[0] if free else None)


def marks_of(trial: QuestionTrial, letters: TrialLetters) -> tuple[RunMarks, ...]:
    """What the two streams do, as marks without a verdict; a question is a bubble."""
    alone: Action | None = AskUser(trial.question) if trial.question else trial.first
    both = ((letters.alone, alone), (letters.answered, trial.second))
    return tuple(
        RunMarks(place, Prediction(trial.episode, trial.step, ActionAnswer(action)))
        for place, action in both
        if place is not None and action is not None
    )


def goal_turn(goal: str) -> Turn:
    return Turn(TurnKind.GOAL, goal, "", origin=Origin.RECORDED)


def ask_turn(question: str, title: str, step: int, letters: TrialLetters, *, waiting: bool = False) -> Turn:
    return Turn(TurnKind.ASK, question, title, run=letters.alone, step=step, waiting=waiting)


def say_turn(answer: str, by: str, step: int) -> Turn:
    """The answer, and whose it is."""
    if by == DATA:
        return Turn(TurnKind.SAY, answer, "answer, from the data", origin=Origin.RECORDED, step=step)
    return Turn(TurnKind.SAY, answer, "You", step=step)


def act_turn(action: Action, step: Step, run: int | None, stream: str) -> Turn:
    """What it does in a stream."""
    words = action_words(action, element=element_words(step, action))
    said = f"{words.word} {words.detail}" if words.detail else words.exact
    return Turn(TurnKind.ACTION, f"{said}, {stream}", icon=words.icon, run=run, step=step.index)


def news_turn(words: str, step: int) -> Turn:
    """What the workbench says of it."""
    return Turn(TurnKind.NEWS, words, step=step)


def closed(turns: Sequence[Turn]) -> list[Turn]:
    """The turns with no question that waits."""
    return [replace(turn, waiting=False) for turn in turns]


def said_turn(said: StreamAnswer, step: Step, letters: TrialLetters, *, replied: bool) -> Turn:
    """What came of a stream that put no question."""
    if said.action is None:
        return news_turn(f"No action: {said.why}", step.index)
    run, stream = (letters.answered, ANSWERED) if replied else (letters.alone, ALONE)
    return act_turn(said.action, step, run, stream)


def trial_turns(trial: QuestionTrial, episode: Episode, title: str, letters: TrialLetters) -> list[Turn]:
    """A kept trial, told again."""
    turns, step = [goal_turn(episode.goal)], step_of(episode, trial.step)
    if trial.first is not None:
        turns.append(act_turn(trial.first, step, letters.alone, ALONE))
    if trial.question:
        turns.append(ask_turn(trial.question, title, trial.step, letters))
    if trial.answer:
        turns.append(say_turn(trial.answer, trial.by, trial.step))
    if trial.second is not None:
        turns.append(act_turn(trial.second, step, letters.answered, ANSWERED))
    return turns


def step_of(episode: Episode, index: int) -> Step:
    return episode.steps[episode.position_of(index)]


def recorded_rows(episode: Episode, index: int) -> tuple[tuple[str, str], ...]:
    """What was recorded at this step, and the question that was due nearest."""
    step, reference = step_of(episode, index), reference_ask(episode, index)
    words = action_words(step.action, element=element_words(step, step.action))
    rows = [("Recorded here", f"{words.word} {words.detail}".strip())]
    return (*((("Recorded question", reference.question),) if reference is not None else ()), *rows)


def asking_of(said: StreamAnswer, reference: Ask | None, step: int) -> PendingQuestion:
    """The question beside the recorded one, whose answer is the data's."""
    rows = []
    if said.wordless:
        rows.append(("Why it asks", "it asked without words; these are ours"))
    if reference is None:
        rows.append(("Recorded question", "none: the data has no answer"))
        return PendingQuestion((), tuple(rows), NOTE, of_agent=False, about=BESIDE)
    rows.append(("Recorded question", reference.question))
    rows.append(("Was due", "here" if reference.step == step else f"at step {reference.step + 1}"))
    if not reference.answer.strip():
        rows.append(("In the data", "no answer"))
    return PendingQuestion((), tuple(rows), NOTE, of_agent=False, from_data=reference.answer.strip(), about=BESIDE)
