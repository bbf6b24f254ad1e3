"""Shares of wrong items by app, kind, place and length, with Wilson intervals."""

from __future__ import annotations

from math import sqrt
from typing import Literal

import numpy as np

from stepscope.core.evaluation.breakdown.feasibility_answers import evidence_of
from stepscope.core.evaluation.breakdown.selection import (
    FEASIBLE,
    INFEASIBLE,
    LENGTHS,
    Criterion,
    Field,
    ItemSelection,
    NumberRange,
    code_of,
    counted_infeasible,
)
from stepscope.core.frozen import dataclass
from stepscope.core.store.column_reading import BoolArray
from stepscope.core.store.columns import SCORED, RunColumns

By = Literal["app", "kind", "step", "length", "reason", "label", "evidence"]
Order = Literal["worst", "most", "name"]

_Z = 1.959963984540054
"""The 97.5 % point of the normal distribution, for intervals of 95 %."""


@dataclass(frozen=True, slots=True)
class Group:
    """`count` of `n` scored items are what is counted (wrong; for recall, found), with the 95 % interval of the share.
    `selection` are the items that are counted, `all` those of the whole group."""

    name: str
    n: int
    count: int
    share: float
    interval: tuple[float, float]
    selection: ItemSelection
    all: ItemSelection


@dataclass(frozen=True, slots=True)
class Grouping:
    """`total` groups there are; `groups` are those with enough items, in their own order (apps and kinds by name)."""

    groups: tuple[Group, ...]
    total: int

    def sorted(self, order: Order) -> tuple[Group, ...]:
        """worst: the largest share first, of equal ones the one with more items; most: the one with most items first;
        name: in their own order."""
        if order == "worst":
            return tuple(sorted(self.groups, key=lambda group: (-group.share, -group.n)))
        if order == "most":
            return tuple(sorted(self.groups, key=lambda group: (-group.n, -group.share)))
        return self.groups


def wilson(count: float, n: float) -> tuple[float, float]:
    """The score interval of 95 % for `count` of `n` (Wilson 1927, without correction); of nothing it is 0 to 1."""
    if not n:
        return 0.0, 1.0
    share, z = count / n, _Z * _Z / n
    middle = (share + z / 2) / (1 + z)
    half = _Z * sqrt(share * (1 - share) / n + z / (4 * n)) / (1 + z)
    return (0.0 if count == 0 else middle - half), (1.0 if count == n else middle + half)


def wrong_by(columns: RunColumns, by: By, mask: BoolArray | None = None, *, least: int = 10) -> Grouping:
    """Scored items below 1 in each group, groups of fewer than `least` scored items left out. Kinds are those of the
    reference, steps count from 0, lengths are counted together as in `LENGTHS`."""
    scored = columns.status == SCORED if mask is None else (columns.status == SCORED) & mask
    codes, names = _groups(columns, by)
    return _grouping(codes, scored, ~columns.right, names, ("verdict", "wrong"), least)


def recall_by_reason(columns: RunColumns, mask: BoolArray | None = None, *, least: int = 1) -> Grouping:
    """How many of the infeasible ones were found, by the reason why they are infeasible."""
    return _of_infeasible(columns, "reason", INFEASIBLE, mask, least)


def missed_by(
    columns: RunColumns, by: Literal["reason", "app", "evidence"], mask: BoolArray | None = None, *, least: int = 1
) -> Grouping:
    """How many of the infeasible ones were called feasible, or have no usable answer, in each group; `evidence` is what
    weighed most in the answer, and of runs that tell none there are no groups."""
    if by == "evidence" and not columns.said.tells_evidence:
        return Grouping((), 0)
    return _of_infeasible(columns, by, FEASIBLE, mask, least)


def _of_infeasible(columns: RunColumns, by: By, counted: str, mask: BoolArray | None, least: int) -> Grouping:
    """How many of the infeasible ones count as having been called `counted`."""
    positive = columns.reference == code_of(columns.kinds, INFEASIBLE)
    scored = positive & (columns.status == SCORED)
    if mask is not None:
        scored &= mask
    codes, names = _groups(columns, by)
    said = counted_infeasible(columns)
    found = _grouping(codes, scored, said if counted == INFEASIBLE else ~said, names, ("counted", counted), least)
    reference = ItemSelection.of(("reference", INFEASIBLE))
    groups = tuple(
        Group(g.name, g.n, g.count, g.share, g.interval, reference.with_(g.selection), reference.with_(g.all))
        for g in found.groups
    )
    return Grouping(groups, found.total)


def _groups(columns: RunColumns, by: By) -> tuple[np.ndarray, list[Criterion]]:
    """The group of each item, and what each group is; -1 for none. Groups are in the order in which they are shown."""
    if by == "kind":
        return _by_name(columns.reference, columns.kinds, "kind")
    if by == "step":
        top = int(columns.step.max(initial=-1))
        return columns.step + 1, [Criterion("step", step) for step in range(-1, top + 1)]
    if by == "length":
        starts = [low for low, _ in LENGTHS]
        of_episode = np.searchsorted(starts, columns.steps, side="right") - 1
        return of_episode[columns.episode], [Criterion("length", NumberRange(low, high)) for low, high in LENGTHS]
    if by == "evidence":
        places, pieces = evidence_of(columns)
        return places, [Criterion("evidence", name) for name in pieces]
    codes, names = {
        "app": (columns.app, columns.apps),
        "reason": (columns.reason, columns.reasons),
        "label": (columns.label, columns.labels),
    }[by]
    ordered, criteria = _by_name(codes, names, by)
    return ordered[columns.episode], criteria


def _by_name(codes: np.ndarray, names: tuple[str, ...], field: Field) -> tuple[np.ndarray, list[Criterion]]:
    order = sorted(range(len(names)), key=lambda code: (names[code] == "", names[code].casefold()))
    place = np.empty(len(names), np.intp)
    place[order] = range(len(names))
    return place[codes], [Criterion(field, names[code]) for code in order]


def _grouping(
    codes: np.ndarray,
    scored: BoolArray,
    counted: BoolArray,
    criteria: list[Criterion],
    what: tuple[Field, str],
    least: int,
) -> Grouping:
    places = codes.astype(np.intp)
    places += 1
    places *= 2
    places += counted
    places[~scored] = 0  # with those of no group
    both = np.bincount(places, minlength=2 * len(criteria) + 2)[2:].reshape(-1, 2)
    groups = []
    for criterion, (rest, count) in zip(criteria, both.tolist(), strict=True):
        n = rest + count
        if n and n >= least:
            whole = ItemSelection((criterion,))
            chosen = whole.with_(ItemSelection.of(what))
            name = str(criterion).split(": ", 1)[1]
            groups.append(Group(name, n, count, count / n, wilson(count, n), chosen, whole))
    return Grouping(tuple(groups), int(np.count_nonzero(both.sum(axis=1))))
