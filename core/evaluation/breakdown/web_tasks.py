"""Scores of web tasks by type of field and by task, and two runs task by task.

Source of the views: TurkingBench (Xu et al. 2024), section 4.1: figures 8 (by type of field) and 6 (by task, text
against text and vision). Means are over fields, as the protocol's; how the intervals are made is ours.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from stepscope.core.evaluation.breakdown.groups import wilson
from stepscope.core.evaluation.breakdown.matching import places
from stepscope.core.evaluation.breakdown.selection import ItemSelection
from stepscope.core.evaluation.breakdown.web_items import TYPES, WebItems, web_items
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.bootstrap import LEVEL, interval_of
from stepscope.core.scoring.distributions import students_t
from stepscope.core.scoring.statistics import drawn_weights, group_sums, quotient
from stepscope.core.store.column_reading import BoolArray, FloatArray
from stepscope.core.store.columns import RunColumns

DRAWS = 1000
"""Bootstrap draws of the intervals by type, over whole tasks; the seed is 0."""

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """The mean score of `fields` scored fields in `pages` scored pages, with its 95 % interval; `selection` are these
    pages. An interval is None where there is only one thing to draw from."""

    name: str
    mean: float
    fields: int
    pages: int
    interval: Interval | None
    selection: ItemSelection


@dataclass(frozen=True, slots=True)
class TaskPair:
    """A task's means in two runs over the `pages` that both scored. `difference` is that of b less that of a;
    `notable`: its 95 % interval leaves out 0."""

    name: str
    a: float
    b: float
    pages: int
    interval: Interval | None
    selection: ItemSelection

    @property
    def difference(self) -> float:
        return self.b - self.a

    @property
    def notable(self) -> bool:
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)


def by_type(columns: RunColumns, mask: BoolArray | None = None) -> tuple[FieldGroup, ...]:
    """Types with a scored field, in the order of `FieldType`. The interval is a percentile bootstrap that draws whole
    tasks, as that of the score itself."""
    items = web_items(columns)
    rows = _rows(items, mask)
    tasks, count = items.task[rows].astype(np.int64), len(items.tasks)
    present = np.bincount(tasks, minlength=count) > 0
    kinds = [place for place in range(len(TYPES)) if items.counts[:, place].any()]
    if not kinds or not len(rows):
        return ()
    sums, fields = (
        np.array([group_sums(tasks, part[:, kind][rows], count)[present] for kind in kinds]).T
        for part in (items.sums, items.counts)
    )
    pages = [np.count_nonzero(items.counts[:, kind][rows]) for kind in kinds]
    drawn = _drawn_means(sums, fields)
    total, number = sums.sum(axis=0), fields.sum(axis=0)
    return tuple(
        FieldGroup(
            TYPES[kind],
            float(total[place] / number[place]),
            int(number[place]),
            int(pages[place]),
            interval_of(drawn[:, place]) if np.count_nonzero(fields[:, place]) > 1 else None,
            ItemSelection.of(("type", TYPES[kind])),
        )
        for place, kind in enumerate(kinds)
        if number[place]
    )


def by_task(columns: RunColumns, mask: BoolArray | None = None) -> tuple[FieldGroup, ...]:
    """Tasks with a scored field, in order of first appearance.

    The interval is Wilson's for a mean of as many draws as there are pages, fewer where pages differ in their number of
    fields (Kish 1965: the square of the sum over the sum of squares). It is exact for pages that are right or wrong,
    and too wide rather than too narrow for those in between.
    """
    items = web_items(columns)
    rows = _rows(items, mask)
    tasks, count = items.task[rows].astype(np.int64), len(items.tasks)
    total, fields, squares = (
        group_sums(tasks, part, count) for part in (items.total[rows], items.fields[rows], items.fields[rows] ** 2)
    )
    means, worth = quotient(total, fields), quotient(fields**2, squares)
    pages = np.bincount(tasks, minlength=count)
    return tuple(
        FieldGroup(
            name,
            float(means[place]),
            int(fields[place]),
            int(pages[place]),
            _wilson(float(means[place]), float(worth[place])),
            ItemSelection.of(("task", name)),
        )
        for place, name in enumerate(items.tasks)
        if pages[place]
    )


def task_pairs(a: RunColumns, b: RunColumns, mask: BoolArray | None = None) -> tuple[TaskPair, ...]:
    """Each task that both runs have scored pages of, in a's order; with a mask, of a's pages that it has.

    Both means are over the same pages. The interval of their difference treats pages as draws: the variance of a
    difference of two ratios (Cochran 1977, section 6.4), Student's t with one degree of freedom less than pages.
    """
    items, other = web_items(a), web_items(b)
    place = places(a, b)
    common = items.scored & (place >= 0) if mask is None else items.scored & (place >= 0) & mask
    rows = np.flatnonzero(common)
    rows = rows[other.scored[place[rows]]]
    theirs = place[rows]
    tasks, count = items.task[rows].astype(np.int64), len(items.tasks)
    mean_a, rest_a = _means_and_rests(items.total[rows], items.fields[rows], tasks, count)
    mean_b, rest_b = _means_and_rests(other.total[theirs], other.fields[theirs], tasks, count)
    pages = np.bincount(tasks, minlength=count)
    spread = group_sums(tasks, (rest_b - rest_a) ** 2, count)
    return tuple(
        TaskPair(
            name,
            float(mean_a[number]),
            float(mean_b[number]),
            int(pages[number]),
            _of_difference(float(mean_b[number] - mean_a[number]), float(spread[number]), int(pages[number])),
            ItemSelection.of(("task", name)),
        )
        for number, name in enumerate(items.tasks)
        if pages[number]
    )


def _rows(items: WebItems, mask: BoolArray | None) -> np.ndarray:
    return np.flatnonzero(items.scored if mask is None else items.scored & mask)


def _drawn_means(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """Each type's mean in every draw of as many tasks as there are, NaN where it has no field: (draws, types)."""
    parts = [quotient(weights @ sums, weights @ counts) for weights in drawn_weights(len(sums), draws=DRAWS, seed=0)]
    return np.concatenate(parts)


def _wilson(mean: float, n: float) -> Interval:
    """Wilson's interval of a mean from 0 to 1; the released rule for sliders can put one below 0, which counts as 0."""
    return wilson(min(max(mean, 0.0), 1.0) * n, n)


def _means_and_rests(
    total: FloatArray, fields: FloatArray, tasks: np.ndarray, count: int
) -> tuple[FloatArray, FloatArray]:
    """Each task's mean, and what each page adds to it beyond its share."""
    number = group_sums(tasks, fields, count)
    means = quotient(group_sums(tasks, total, count), number)
    return means, (total - means[tasks] * fields) / number[tasks]


def _of_difference(difference: float, spread: float, pages: int) -> Interval | None:
    """`spread` is the sum of squares of what the pages add; one page says nothing about others."""
    if pages < 2:
        return None
    half = students_t((1 + LEVEL) / 2, pages - 1) * sqrt(spread * pages / (pages - 1))
    return difference - half, difference + half
