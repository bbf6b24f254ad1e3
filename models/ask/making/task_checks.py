"""Checks of an ambiguous task by rule, before a person sees it (ours).

What the paper asks of a task (section 2.2, appendix D) is looked at word by word: the goal does not have the value any
more and all the rest; the question is one, and its answer gives the value back; the step is there and informative.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from stepscope.core.domain.ambiguous_task import AmbiguousTask, MissingPiece, StepRole
from stepscope.core.domain.goal_words import PartState, goal_parts
from stepscope.models.ask.making.goal_cutting import NOTHING_LEFT
from stepscope.models.ask.making.shared_words import SMALL, holds, plain_words, value_words

MOST_LOST = 0.2
"""The share of the goal's other words that may be worded otherwise; more is a failed check (ours)."""
MOST_ADDED = 8
"""Words that may stand where the value stood; more say something new (ours)."""
_ASKING = """
    what which who whom whose when where why how do does did is are was were can could would will should may shall have
    has please
"""
_ASKED = frozenset(_ASKING.split())


def failed_checks(task: AmbiguousTask, steps: Collection[int] | None = None) -> tuple[str, ...]:
    """What is wrong with the task, in sentences; nothing for one that has not enough to leave out. `steps` are the
    indices of the episode's steps, None where they are not known."""
    if not task.is_enough:
        return ()
    return tuple(dict.fromkeys(_failed(task, steps)))


def lost_words(task: AmbiguousTask) -> tuple[str, ...]:
    """The words of the original goal that are gone though no step's value has them, in order: told beside a task, and
    too many of them are a failed check."""
    gone = _of(task, PartState.REMOVED)
    allowed = {word for piece in task.pieces for word in plain_words(piece.value)} | SMALL
    return tuple(word for word in gone if word not in allowed and not _is_near(task, word))


def _failed(task: AmbiguousTask, steps: Collection[int] | None) -> Iterator[str]:
    goal = plain_words(task.goal)
    if not task.goal.strip():
        yield "The goal is empty."
    elif not [word for word in value_words(goal) if word not in NOTHING_LEFT]:
        yield "The goal says nothing any more."
    if goal == plain_words(task.original):
        yield "The goal is the original one."
    if len(task.pieces) != task.slot.removed:
        yield f"It leaves out {len(task.pieces)} steps, not {task.slot.removed}."
    places = [piece.step for piece in task.pieces]
    if len(set(places)) < len(places):
        yield "Two questions are of one step."
    roles = {reading.index: reading.role for reading in task.readings}
    for piece in task.pieces:
        yield from _of_piece(task, piece, goal, many=len(places) > 1)
        if (steps is not None and piece.step not in steps) or (roles and piece.step not in roles):
            yield f"There is no step {piece.step}."
        elif roles and roles[piece.step] is not StepRole.INFORMATIVE:
            yield f"Step {piece.step} is not informative."
    yield from _rest(task)


def _of_piece(task: AmbiguousTask, piece: MissingPiece, goal: Sequence[str], *, many: bool) -> Iterator[str]:
    about = f" (step {piece.step})" if many else ""
    value, answer, question = (plain_words(text) for text in (piece.value, piece.answer, piece.question))
    counted = value_words(value) or value
    if not counted:
        yield f"Nothing is left out{about}."
    elif holds(plain_words(task.original), value) < 0 and not set(counted) <= set(plain_words(task.original)):
        yield f"What is left out was never in the goal{about}."
    if value and holds(goal, value) >= 0:
        yield f"The goal still says “{piece.value}”{about}."
    if not piece.question.strip():
        yield f"The question is empty{about}."
    elif not _is_question(piece.question):
        yield f"The question asks nothing{about}."
    elif value and holds(question, value) >= 0:
        yield f"The question gives the answer away{about}."
    if not piece.answer.strip():
        yield f"The answer is empty{about}."
    elif counted and not _answers(counted, answer):
        yield f"The answer does not give back what is left out{about}."
    elif goal and answer and not set(value_words(answer) or answer) - set(goal):
        yield f"The goal says the answer already{about}."


def _answers(counted: Sequence[str], answer: Sequence[str]) -> bool:
    """Whether the answer has the value: all its numbers, and at least half of its words that count."""
    there = [word for word in counted if word in answer]
    numbers = [word for word in counted if word[0].isdigit()]
    return all(word in answer for word in numbers) and 2 * len(there) >= len(counted) and bool(there)


def _is_question(text: str) -> bool:
    words = plain_words(text)
    return text.rstrip().rstrip("\"'”’)").endswith("?") or (bool(words) and words[0] in _ASKED and len(words) > 1)


def _rest(task: AmbiguousTask) -> Iterator[str]:
    lost = lost_words(task)
    values = {word for piece in task.pieces for word in plain_words(piece.value)}
    others = [word for word in value_words(plain_words(task.original)) if word not in values]
    if others and len(lost) > MOST_LOST * len(others):
        yield f"The goal lost more than what is left out: {', '.join(lost)}."
    added = [word for word in _of(task, PartState.ADDED) if word not in NOTHING_LEFT | SMALL]
    if len(added) > MOST_ADDED * max(1, len(task.pieces)):
        yield f"The goal says what it did not say before: {', '.join(added[:MOST_ADDED])} …"


def _of(task: AmbiguousTask, state: PartState) -> list[str]:
    """The words that were removed or added, without those that only moved."""
    parts = goal_parts(task.original, task.goal)
    other = PartState.ADDED if state is PartState.REMOVED else PartState.REMOVED
    moved = [word for part in parts if part.state is other for word in plain_words(part.text)]
    found = []
    for word in (word for part in parts if part.state is state for word in plain_words(part.text)):
        if word in moved:
            moved.remove(word)
        else:
            found.append(word)
    return found


def _is_near(task: AmbiguousTask, word: str) -> bool:
    """Whether the word hangs on a value: it lies in its cut, as "called" does in "called Airport"."""
    return any(
        word in plain_words(task.original[cut.start : cut.end])
        for piece in task.pieces
        for cut in piece.cuts
        if len(value_words(plain_words(task.original[cut.start : cut.end]))) <= len(plain_words(piece.value)) + 1
    )
