"""Asks of an evaluation, step by step, and how the steps of an episode come together to what `ask_match` judges.

An evaluation of asks has no actor: whether steps are right is not known, so only the timing and the questions count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import NamedTuple

from core.scoring.ask_match import AskEpisode, AskStep, AskVerdict, judge_episode
from core.scoring.scored_items import ScoredItems

_LIKENESS = ("cos_sim", "meteor")


class DueAsk(NamedTuple):
    """What a step is judged by: the step at which a question is due, None where nothing is missing, and that question.

    `due` before `step` is a question that has been due already.
    """

    step: int
    due: int | None
    question: str = ""

    @property
    def now(self) -> bool:
        return self.due == self.step

    @property
    def later(self) -> bool:
        return self.due is not None and self.step < self.due


class AskedStep(NamedTuple):
    """A scored step, read back out of its parts. `due` None: nothing is missing."""

    step: int
    due: int | None
    asked: bool
    likeness: dict[str, float]
    """`cos_sim` and `meteor` of the question, as far as they were measured."""


def parts_of(reference: DueAsk, *, asked: bool, **likeness: float) -> dict[str, float]:
    """The parts of a step's score: whether a question was `due` and whether it was `asked`, as 0 and 1; `due_step`,
    where there is one."""
    parts = {"due": float(reference.now), "asked": float(asked)}
    if reference.due is not None:
        parts["due_step"] = float(reference.due)
    return parts | likeness


def asked_steps(items: ScoredItems) -> Iterator[AskedStep]:
    columns = [items.part(name).tolist() for name in ("due_step", "asked", *_LIKENESS)]
    for step, due, asked, *likeness in zip(items.step.tolist(), *columns, strict=True):
        measured = {name: value for name, value in zip(_LIKENESS, likeness, strict=True) if not isnan(value)}
        yield AskedStep(step, None if isnan(due) else int(due), bool(asked), measured)


def verdicts(steps: Sequence[AskedStep], *, dual: bool, credit: bool) -> Iterator[tuple[AskVerdict, AskedStep | None]]:
    """The verdicts on an episode's steps, of which those about one question form a stretch; each with the step whose
    ask is its true positive. The counts of right steps in them mean nothing."""
    stretches: dict[int | None, list[AskedStep]] = {}
    for step in sorted(steps):
        stretches.setdefault(step.due, []).append(step)
    for due, stretch in stretches.items():
        for part, place in _parts(due, stretch):
            first = tuple(AskStep(number, step.asked, False) for number, step in enumerate(part))
            verdict = judge_episode(AskEpisode(0, "", place, first, None), dual=dual, credit=credit)
            if verdict is not None:
                yield verdict, None if verdict.counted is None else part[verdict.counted]


def _parts(due: int | None, stretch: list[AskedStep]) -> Iterator[tuple[list[AskedStep], int | None]]:
    """The stretch with the place of its due step. Where that step could not be scored, the steps before it, which did
    not reach it, and those after it, at which nothing is missing any more."""
    places = [place for place, step in enumerate(stretch) if step.step == due]
    if due is None or places:
        yield stretch, places[0] if places else None
        return
    before = [step for step in stretch if step.step < due]
    yield before, len(before)
    yield stretch[len(before) :], None
