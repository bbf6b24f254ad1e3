"""Asks of an evaluation, step by step, and how the steps of an episode come together to what `ask_match` judges.

Where the model says what it does besides, whether that is right (`ask_actor`) makes the streams whole (`ask_streams`);
where it only asks, the timing and the questions count alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    partial: bool = False
    """Whether the goal that is told leaves out something of a whole goal that is known."""

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
    right_whole: bool | None = None
    """The same of what it does when told the whole goal."""
    right_unasked: bool | None = None
    """The same of what it does when it may not ask, where that is not the first stream's."""
    asks_after: bool | None = None
    """Whether the second stream asks once more; None where it was not run."""
    asks_whole: bool | None = None
    """Whether it asks when told the whole goal; None where it was not told it."""
    chance: float | None = None
    """P(a question is due), as the agent said."""
    partial: bool = False
    """Whether the goal that was told leaves out something of a whole goal that is known."""
    unread: bool = False
    """Whether the answer could not be used."""


def parts_of(reference: DueAsk, *, asked: bool, **likeness: float) -> dict[str, float]:
    """The parts of a step's score: whether a question was `due` and whether it was `asked`, as 0 and 1; `due_step`,
    where there is one; `partial`, 1 where a whole goal is known that is not the one that was told."""
    parts = {"due": float(reference.now), "asked": float(asked)}
    if reference.due is not None:
        parts["due_step"] = float(reference.due)
    if reference.partial:
        parts["partial"] = 1.0
    return parts | likeness


_VERDICTS = ("right", "right_after", "right_whole", "right_unasked", "asks_after", "asks_whole")


def asked_steps(items: ScoredItems) -> Iterator[ScoredAskStep]:
    """Reads what `parts_of` and `ask_actor` wrote back out of the scored items, in their order; a part that is NaN was
    not measured."""
    names = ("due_step", "asked", *_LIKENESS, "judged", *_VERDICTS, "chance", "partial", "unread")
    columns = [items.part(name).tolist() for name in names]
    for step, *values in zip(items.step.tolist(), *columns, strict=True):
        found = dict(zip(names, values, strict=True))
        due, chance = found["due_step"], found["chance"]
        yield ScoredAskStep(
            step,
            None if isnan(due) else int(due),
            bool(found["asked"]),
            {name: found[name] for name in _LIKENESS if not isnan(found[name])},
            judged=found["judged"] == 1.0,
            chance=None if isnan(chance) else chance,
            partial=found["partial"] == 1.0,
            unread=found["unread"] == 1.0,
            **{name: _known(found[name]) for name in _VERDICTS},
        )


def acts(episodes: Iterable[Sequence[ScoredAskStep]]) -> bool:
    """Whether the agent does anything but ask. One of which no answer at all could be used is taken to (ours): all its
    steps are wrong, as those of a record without a first stream."""
    steps = [step for episode in episodes for step in episode]
    return any(step.right is not None for step in steps) or (bool(steps) and all(step.unread for step in steps))


def _known(value: float) -> bool | None:
    return None if isnan(value) else bool(value)


def steps_by_episode(items: ScoredItems) -> list[list[ScoredAskStep]]:
    """The scored steps of each episode, in the items' order; an entry for each of `items.names`."""
    found: list[list[ScoredAskStep]] = [[] for _ in range(items.episodes)]
    for unit, step in zip(items.unit.tolist(), asked_steps(items), strict=True):
        found[unit].append(step)
    return found


def verdicts(
    steps: Sequence[ScoredAskStep], *, dual: bool, credit: bool
) -> Iterator[tuple[AskVerdict, ScoredAskStep | None]]:
    """The verdicts on an episode's steps, of which those about one question form a stretch; each with the step whose
    ask is its true positive. For timing and questions alone: how many steps are right `ask_streams` says."""
    for part, place in _stretches(steps):
        first = tuple(AskStep(number, step.asked, correct=False) for number, step in enumerate(part))
        verdict = judge_episode(AskEpisode(0, "", place, first, None), dual=dual, credit=credit)
        if verdict is not None:
            yield verdict, None if verdict.counted is None else part[verdict.counted]


def by_due(steps: Sequence[ScoredAskStep]) -> dict[int | None, list[ScoredAskStep]]:
    """The steps about each question, in their order, by the step at which it is due."""
    found: dict[int | None, list[ScoredAskStep]] = {}
    for step in sorted(steps, key=lambda one: one.step):
        found.setdefault(step.due, []).append(step)
    return found


def _stretches(steps: Sequence[ScoredAskStep]) -> Iterator[tuple[list[ScoredAskStep], int | None]]:
    """The steps about each question with the place of the one where it is due."""
    for due, stretch in by_due(steps).items():
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
