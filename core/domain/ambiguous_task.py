"""Tasks from which something was left out on purpose, how they were made, and what people say of them.

Source: Navi-plus, section 2.2 and appendices C and D: a step is informative when the goal decides what is done in it,
transactional when it is done whatever is wanted; an ambiguous task leaves out what an informative step needs, and a
question with its answer gives it back. The forms, and the way of telling what was cut, are ours.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from stepscope.core.domain.episode import Ask
from stepscope.core.frozen import dataclass

RULES = "rules"
"""`made_by` of what the deterministic baseline makes."""
MOST_REMOVED = 9
"""Steps that one variant leaves out at most (ours)."""
LONGEST_TASK_TEXT = 10_000
"""Characters of a goal, question, answer or remark (ours)."""


class StepRole(StrEnum):
    """Whether the goal decides what a step does (appendix C)."""

    INFORMATIVE = "informative"
    TRANSACTIONAL = "transactional"


class PieceKind(StrEnum):
    """The kind of what is left out."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    OPTION = "option"
    APP = "app"
    PLACE = "place"
    PERSON = "person"
    OTHER = "other"


class ReviewVerdict(StrEnum):
    """What a person says of a task."""

    ACCEPTED = "accepted"
    EDITED = "edited"
    REJECTED = "rejected"


class TaskStanding(StrEnum):
    """What all reviews of a task come to. DISPUTED: as many reject it as let it stand."""

    OPEN = "open"
    ACCEPTED = "accepted"
    EDITED = "edited"
    REJECTED = "rejected"
    DISPUTED = "disputed"

    @property
    def is_good(self) -> bool:
        """Whether people let it stand."""
        return self in (TaskStanding.ACCEPTED, TaskStanding.EDITED)


class Cut(NamedTuple):
    """The characters `start` up to `end` of the original goal are gone; `instead` stands there now, maybe nothing."""

    start: int
    end: int
    instead: str = ""


@dataclass(frozen=True, slots=True)
class StepReading:
    """A step in words. `words` are those of the goal that the step needs, "" for a transactional step."""

    index: int
    instruction: str
    role: StepRole = StepRole.TRANSACTIONAL
    words: str = ""


@dataclass(frozen=True, slots=True)
class MissingPiece:
    """What a goal leaves out of step `step`, and how an agent gets it back.

    `cuts` are those of the original goal, in order; the first holds `value`, the words that the step needs and that the
    answer has to give back.
    """

    step: int
    value: str
    question: str
    answer: str
    kind: PieceKind = PieceKind.OTHER
    cuts: tuple[Cut, ...] = ()


class TaskSlot(NamedTuple):
    """There is one task at most for each.

    `source` is the path of the data, `made_by` a model's name or RULES, `removed` how many steps were to be left out.
    """

    source: str
    episode: str
    made_by: str
    removed: int

    @property
    def id(self) -> str:
        """Ten hex digits that name the task inside its data, for commands and links."""
        words = "\0".join((self.episode, self.made_by, str(self.removed)))
        return hashlib.sha256(words.encode("utf-8", "backslashreplace")).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class AmbiguousTask:
    """A goal of an episode without what `pieces` hold. Where the episode had not enough informative steps there are no
    pieces, and `goal` is the original one.

    `version` says by which rules or prompts it was made. `readings` are all steps of the episode. `failed` are the
    checks that it does not stand, in words. `made` has a time zone.
    """

    slot: TaskSlot
    original: str
    goal: str
    pieces: tuple[MissingPiece, ...]
    readings: tuple[StepReading, ...]
    made: datetime
    version: str = ""
    app: str = ""
    failed: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.slot.id

    @property
    def is_enough(self) -> bool:
        """Whether there were enough informative steps to leave out (appendix H.2)."""
        return bool(self.pieces)

    @property
    def informative(self) -> tuple[StepReading, ...]:
        return tuple(reading for reading in self.readings if reading.role is StepRole.INFORMATIVE)

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that are due, in the order of their steps."""
        pieces = sorted(self.pieces, key=lambda piece: piece.step)
        return tuple(Ask(piece.step, piece.question, piece.answer, piece.kind.value) for piece in pieces)

    @property
    def wording(self) -> str:
        """A digest of the words that a person reviews: it changes when the task is made anew with others."""
        words = [self.original, self.goal]
        for piece in self.pieces:
            words += [str(piece.step), piece.value, piece.question, piece.answer]
        return hashlib.sha256("\0".join(words).encode("utf-8", "backslashreplace")).hexdigest()[:16]


class PieceEdit(NamedTuple):
    """A person's question and answer in place of those of the piece at `step`."""

    step: int
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class AskReview:
    """What one person says of a task; nobody has two of one.

    `wording` is `AmbiguousTask.wording` of what they saw. `goal` and `pieces` are theirs where the verdict is EDITED,
    else empty. `seconds` they spent on it. `made` has a time zone.
    """

    slot: TaskSlot
    reviewer: str
    verdict: ReviewVerdict
    wording: str
    made: datetime
    goal: str = ""
    pieces: tuple[PieceEdit, ...] = ()
    note: str = ""
    seconds: float = 0.0

    @property
    def key(self) -> tuple[TaskSlot, str]:
        return self.slot, self.reviewer

    def is_of(self, task: AmbiguousTask) -> bool:
        """Whether it is about the words that the task has now."""
        return self.slot == task.slot and self.wording == task.wording


def edit_of(
    task: AmbiguousTask, reviewer: str, made: datetime, goal: str, pieces: Sequence[PieceEdit], *, seconds: float = 0.0
) -> AskReview:
    """The review of a person who changed words; ACCEPTED where they are the task's own. Raises ValueError for an empty
    goal or question or answer, a step that is none of the task's, or one that is named twice."""
    own = {piece.step: PieceEdit(piece.step, piece.question, piece.answer) for piece in task.pieces}
    given = {piece.step: piece for piece in pieces}
    if len(given) != len(pieces) or not given.keys() <= own.keys():
        raise ValueError("each question is of one step that the task leaves out")
    said = tuple((own | given).values())
    if not goal.strip() or any(not piece.question.strip() or not piece.answer.strip() for piece in said):
        raise ValueError("the goal, the questions and the answers must not be empty")
    if goal == task.goal and said == tuple(own.values()):
        return AskReview(task.slot, reviewer, ReviewVerdict.ACCEPTED, task.wording, made, seconds=seconds)
    return AskReview(task.slot, reviewer, ReviewVerdict.EDITED, task.wording, made, goal, said, seconds=seconds)


def edited(task: AmbiguousTask, review: AskReview) -> AmbiguousTask:
    """The task in the words of an EDITED review; the same task for any other."""
    if review.verdict is not ReviewVerdict.EDITED:
        return task
    words = {piece.step: piece for piece in review.pieces}
    pieces = [
        replace(piece, question=words[piece.step].question, answer=words[piece.step].answer)
        if piece.step in words
        else piece
        for piece in task.pieces
    ]
    return replace(task, goal=review.goal, pieces=tuple(pieces))


def standing(task: AmbiguousTask, reviews: Iterable[AskReview]) -> tuple[TaskStanding, AmbiguousTask]:
    """What the reviews of the task's words come to, and the task in the words of the latest edit, if it stands.

    Ours: it stands where more people accept or edit it than reject it; the latest edit counts.
    """
    mine = sorted((one for one in reviews if one.is_of(task)), key=lambda one: one.made)
    against = sum(one.verdict is ReviewVerdict.REJECTED for one in mine)
    if not mine:
        return TaskStanding.OPEN, task
    if 2 * against >= len(mine):
        return (TaskStanding.DISPUTED if 2 * against == len(mine) else TaskStanding.REJECTED), task
    edits = [one for one in mine if one.verdict is ReviewVerdict.EDITED]
    return (TaskStanding.EDITED, edited(task, edits[-1])) if edits else (TaskStanding.ACCEPTED, task)
