"""Asks of an evaluation, step by step, and how the steps of an episode come together to what `ask_match` judges.

Where the model says what it does besides, whether that is right (`ask_actor`) makes the streams whole, and success is
judged like that of records; where it only asks, the timing and the questions count alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import NamedTuple

from stepscope.core.domain.episode import Step
from stepscope.core.scoring.ask_match import AskEpisode, AskStep, AskVerdict, judge_episode
from stepscope.core.scoring.scored_items import ScoredItems

_LIKENESS = ("cos_sim", "meteor")


class DueAsk(NamedTuple):
    """The question by which a step is judged: the step at which a question is due, None where nothing is missing, and
    that question; and the step itself, with its reference action, for what an agent does there.

    `due` before `step` is a question that has been due already.
    """

    step: int
    due: int | None
    question: str = ""
    reference: Step | None = None

    @property
    def now(self) -> bool:
        return self.due == self.step

    @property
    def later(self) -> bool:
        return self.due is not None and self.step < self.due


class ScoredAskStep(NamedTuple):
    """A scored step, read back out of its parts. `due` None: nothing is missing."""

    step: int
    due: int | None
    asked: bool
    likeness: dict[str, float]
    """`cos_sim` and `meteor` of the question, as far as they were measured."""
    judged: bool = False
    """Whether the step has a reference that an action can be compared with."""
    right: bool | None = None
    """Whether the first stream's action is right; None without one."""
    right_after: bool | None = None
    """The same of the second stream."""


def parts_of(reference: DueAsk, *, asked: bool, **likeness: float) -> dict[str, float]:
    """The parts of a step's score: whether a question was `due` and whether it was `asked`, as 0 and 1; `due_step`,
    where there is one."""
    parts = {"due": float(reference.now), "asked": float(asked)}
    if reference.due is not None:
        parts["due_step"] = float(reference.due)
    return parts | likeness


def asked_steps(items: ScoredItems) -> Iterator[ScoredAskStep]:
    """Reads what `parts_of` wrote back out of the scored items, in their order; a part that is NaN was not measured."""
    names = ("due_step", "asked", *_LIKENESS, "judged", "right", "right_after")
    columns = [items.part(name).tolist() for name in names]
    for step, due, asked, *rest in zip(items.step.tolist(), *columns, strict=True):
        *likeness, judged, right, after = rest
        measured = {name: value for name, value in zip(_LIKENESS, likeness, strict=True) if not isnan(value)}
        where = None if isnan(due) else int(due)
        yield ScoredAskStep(step, where, bool(asked), measured, judged == 1.0, _known(right), _known(after))


def _known(value: float) -> bool | None:
    return None if isnan(value) else bool(value)


def verdicts(
    steps: Sequence[ScoredAskStep], *, dual: bool, credit: bool
) -> Iterator[tuple[AskVerdict, ScoredAskStep | None]]:
    """The verdicts on an episode's steps, of which those about one question form a stretch; each with the step whose
    ask is its true positive. For timing and questions: the counts of right steps are those of `successes`."""
    for part, place in _stretches(steps):
        verdict = judge_episode(_episode(part, place), dual=dual, credit=credit)
        if verdict is not None:
            yield verdict, None if verdict.counted is None else part[verdict.counted]


def successes(steps: Sequence[ScoredAskStep], *, dual: bool, credit: bool) -> Iterator[AskVerdict]:
    """The verdicts of episodes in which the model acts: the counts of right steps mean what they do for records.

    Steps whose reference no action can be compared with are left out, and the due step where it could not be scored; a
    due step needs no reference. A step without an action is wrong.
    """
    for part, place in _stretches(steps):
        due = None if place is None or place == len(part) else part[place]
        kept = [step for step in part if step.judged or step is due]
        where = None if place is None else len(kept) if due is None else kept.index(due)
        verdict = judge_episode(_episode(kept, where), dual=dual, credit=credit)
        if verdict is not None:
            lost = place is not None and due is None
            yield verdict._replace(steps=verdict.steps - lost)


def _episode(part: Sequence[ScoredAskStep], place: int | None) -> AskEpisode:
    """The stretch in the form of a record, its steps counted from 0."""
    first = tuple(AskStep(number, step.asked, bool(step.right)) for number, step in enumerate(part))
    second = tuple(
        AskStep(number, False, step.right_after) for number, step in enumerate(part) if step.right_after is not None
    )
    return AskEpisode(0, "", place, first, second or None)


def _stretches(steps: Sequence[ScoredAskStep]) -> Iterator[tuple[list[ScoredAskStep], int | None]]:
    """The steps about each question with the place of the one where it is due."""
    by_due: dict[int | None, list[ScoredAskStep]] = {}
    for step in sorted(steps, key=lambda one: one.step):
        by_due.setdefault(step.due, []).append(step)
    for due, stretch in by_due.items():
        yield from _parts(due, stretch)


def _parts(due: int | None, stretch: list[ScoredAskStep]) -> Iterator[tuple[list[ScoredAskStep], int | None]]:
    """The stretch with the place of its due step. Where that step could not be scored, the steps before it, which did
    not reach it, and those after it, at which nothing is missing any more."""
    places = [place for place, step in enumerate(stretch) if step.step == due]
    if due is None or places:
        yield stretch, places[0] if places else None
        return
    before = [step for step in stretch if step.step < due]
    yield before, len(before)
    yield stretch[len(before) :], None
