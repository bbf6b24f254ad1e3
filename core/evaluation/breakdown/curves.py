"""Scores against outcomes: precision and recall at each threshold, and calibration.

In a feasibility run the score is P(infeasible), and an item is positive when its reference is infeasible. In any other
run the score is the confidence, and an item is positive when it is right: its curve tells how right the run would be if
it answered only where it is confident.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.breakdown.groups import wilson
from stepscope.core.evaluation.breakdown.selection import (
    FEASIBLE,
    INFEASIBLE,
    SCORE_PART,
    Field,
    ItemSelection,
    NumberRange,
    code_of,
    counted_infeasible,
)
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.statistics import FloatArray
from stepscope.core.store.column_reading import BoolArray, CodeArray
from stepscope.core.store.columns import SCORED, RunColumns


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve over `thresholds` (descending), from each of which on all counts as positive: `found` items rightly, of
    `come_in` that do so at all, of `positives` that there are. `n` items are scored, `missing` of them have no score.

    `average_precision` is that of the feasibility protocol: None where a score is missing or nothing is positive.
    """

    thresholds: FloatArray
    found: CodeArray
    come_in: CodeArray
    positives: int
    n: int
    missing: int
    average_precision: float | None

    @cached_property
    def precision(self) -> FloatArray:
        return self.found / self.come_in

    @cached_property
    def recall(self) -> FloatArray:
        return self.found / (self.positives or 1)

    @cached_property
    def coverage(self) -> FloatArray:
        """The share of items that count as positive."""
        return self.come_in / (self.n or 1)

    def shown(self, points: int = 1000) -> Curve:
        """A curve that looks the same in a plot some `points` wide: of the points that fall together, the first and the
        last."""
        column = np.floor(self.recall * points)
        changes = np.flatnonzero(np.diff(column)) if len(column) else np.zeros(0, np.intp)
        kept = np.unique(np.concatenate([changes, changes + 1, [0, len(column) - 1]])) if len(column) else changes
        thresholds, found, come_in = self.thresholds[kept], self.found[kept], self.come_in[kept]
        return replace(self, thresholds=thresholds, found=found, come_in=come_in)


@dataclass(frozen=True, eq=False)
class ThresholdMetrics:
    """Counts and ratios if the threshold were this one; a ratio without a denominator is 0. `flips` is the mask of the
    items that would be decided otherwise than they are stored."""

    threshold: float
    tp: int
    fn: int
    fp: int
    tn: int
    precision: float
    recall: float
    f1: float
    flips: BoolArray

    @property
    def flip_count(self) -> int:
        return int(np.count_nonzero(self.flips))


@dataclass(frozen=True, slots=True)
class ScoreBin:
    """Scores above `low` up to `high` (the first bin has 0 too): `n` items with the mean score `score`, of which the
    share `right` is positive, with its 95 % interval. Without items both are None."""

    low: float
    high: float
    n: int
    score: float | None
    right: float | None
    interval: tuple[float, float]
    selection: ItemSelection


@dataclass(frozen=True, slots=True)
class Calibration:
    """`error` is the expected calibration error, None over nothing. `n` scored items have a score from 0 to 1,
    `missing` have none."""

    bins: tuple[ScoreBin, ...]
    error: float | None
    n: int
    missing: int


@dataclass(frozen=True, eq=False)
class _CurveScores:
    """`part`: the items that are meant; `has`: those with a score from 0 to 1, anything else is none; `stored`: those
    that the run decided to be positive."""

    field: Field
    scores: FloatArray
    positive: BoolArray
    stored: BoolArray
    part: BoolArray
    has: BoolArray


def pr_curve(columns: RunColumns, mask: BoolArray | None = None) -> Curve:
    """Over the scored items. Those without a score count as the protocol counts them at every threshold: the wrong
    class in a feasibility run; elsewhere they are never answered."""
    of = _scores(columns, mask)
    has = of.part & of.has
    n = int(np.count_nonzero(of.part))
    missing = n - int(np.count_nonzero(has))
    thresholds, found, come_in = _steps(of.scores, of.positive, has)
    come_in += _always_positive(columns, of, has)
    positives = int(np.count_nonzero(of.positive & of.part))
    average = None if missing or not positives else _average(found, come_in) / positives
    return Curve(thresholds, found, come_in, positives, n, missing, average)


def as_decided(columns: RunColumns, usual: float, mask: BoolArray | None = None) -> tuple[ThresholdMetrics, bool]:
    """What the run decided, as its metrics have it, and whether one threshold explains all of it. That is `usual` where
    this does, else the least score that the run took for positive, or just above the highest where it took none."""
    of = _scores(columns, mask)
    decided = of.stored & of.part
    tp = int(np.count_nonzero(decided & of.positive))
    fp = int(np.count_nonzero(decided)) - tp
    fn = int(np.count_nonzero(of.positive & of.part)) - tp
    tn = int(np.count_nonzero(of.part)) - tp - fp - fn
    has = of.part & of.has
    highest_below = float(of.scores[has & ~of.stored].max(initial=-np.inf))
    lowest = float(of.scores[has & of.stored].min(initial=np.inf))
    explained = highest_below < lowest
    own = lowest if np.isfinite(lowest) else float(np.nextafter(highest_below, np.inf))
    threshold = usual if highest_below < usual <= lowest else own
    none = np.zeros(columns.n, np.bool_)
    ratios = _ratio(tp, tp + fp), _ratio(tp, tp + fn), _ratio(2 * tp, 2 * tp + fp + fn)
    return ThresholdMetrics(threshold, tp, fn, fp, tn, *ratios, none), explained


def best_f1(curve: Curve) -> tuple[float, float] | None:
    """The largest F1 and the (highest) threshold that has it; None for a curve without points."""
    if not len(curve.thresholds):
        return None
    f1 = curve.found / (curve.come_in + curve.positives)
    best = int(np.argmax(f1))
    return 2 * float(f1[best]), float(curve.thresholds[best])


def at_threshold(columns: RunColumns, threshold: float, mask: BoolArray | None = None) -> ThresholdMetrics:
    """What would come out if just the items with a score of at least `threshold` were positive."""
    of = _scores(columns, mask)
    decided = of.has & (of.scores >= threshold)
    if columns.task is Task.FEASIBILITY:
        decided |= ~(of.has | of.positive)
    tp = int(np.count_nonzero(decided & of.positive & of.part))
    fn = int(np.count_nonzero(of.positive & of.part)) - tp
    fp = int(np.count_nonzero(decided & of.part)) - tp
    tn = int(np.count_nonzero(of.part)) - tp - fn - fp
    flips = (decided != of.stored) & of.part & of.has
    return ThresholdMetrics(
        threshold, tp, fn, fp, tn, _ratio(tp, tp + fp), _ratio(tp, tp + fn), _ratio(2 * tp, 2 * tp + fp + fn), flips
    )


def calibration(columns: RunColumns, bins: int = 10, mask: BoolArray | None = None) -> Calibration:
    """How often what has a score is positive, in bins of equal width.

    The expected calibration error is the sum over bins of n_b / n * |share positive in b - mean score in b| (Guo et al.
    2017, "On Calibration of Modern Neural Networks", equation 3). Each bin has its upper end, as there.
    """
    of = _scores(columns, mask)
    edges = np.arange(bins + 1) / bins
    has = of.part & of.has
    scores = of.scores[has]
    place = np.clip(np.ceil(scores * bins).astype(np.intp) - 1, 0, bins - 1)
    place -= (scores <= edges[place]) & (place > 0)  # where the product was rounded across an edge
    place += scores > edges[place + 1]
    n = np.bincount(place, minlength=bins)
    sums = np.bincount(place, weights=scores, minlength=bins)
    right = np.bincount(place * 2 + of.positive[has], minlength=2 * bins)[1::2]
    found = tuple(
        _bin(of.field, low, high, *row, first=not at)
        for at, (low, high, *row) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), n.tolist(), sums.tolist(),
                                                   right.tolist(), strict=True))
    )  # fmt: skip
    error = float(np.abs(right - sums).sum() / n.sum()) if n.any() else None
    return Calibration(found, error, int(n.sum()), int(np.count_nonzero(of.part)) - int(n.sum()))


def _bin(field: Field, low: float, high: float, n: int, total: float, right: int, *, first: bool) -> ScoreBin:
    selection = ItemSelection.of((field, NumberRange(low, high, above=not first)), ("verdict", "scored"))
    return ScoreBin(low, high, n, total / n if n else None, right / n if n else None, wilson(right, n), selection)


def _scores(columns: RunColumns, mask: BoolArray | None) -> _CurveScores:
    part = columns.status == SCORED if mask is None else (columns.status == SCORED) & mask
    if columns.task is not Task.FEASIBILITY:
        scores, positive, stored = columns.confidence, columns.right, np.ones(columns.n, np.bool_)
        return _CurveScores("confidence", scores, positive, stored, part, _usable(scores))
    positive = columns.reference == code_of(columns.kinds, INFEASIBLE)
    part &= positive | (columns.reference == code_of(columns.kinds, FEASIBLE))
    scores = columns.part(SCORE_PART)
    return _CurveScores("score", scores, positive, counted_infeasible(columns), part, _usable(scores))


def _usable(scores: FloatArray) -> BoolArray:
    found: BoolArray = (scores >= 0) & (scores <= 1)
    return found


def _always_positive(columns: RunColumns, of: _CurveScores, has: BoolArray) -> int:
    """Feasible items without a score: they count as infeasible at every threshold."""
    if columns.task is not Task.FEASIBILITY:
        return 0
    return int(np.count_nonzero(of.part & ~has & ~of.positive))


def _steps(scores: FloatArray, positive: BoolArray, has: BoolArray) -> tuple[FloatArray, CodeArray, CodeArray]:
    """Each score of those that have one, once, descending; how many positive items and how many items have at least
    that."""
    # Numbers from 0 on are in the order of their bits; the shift makes -0.0 a 0.0 and room to sort positives along,
    # which is four times as fast as finding an order. Inverted, they come out descending.
    keys = scores.view(np.uint64) << 1
    keys |= positive
    ranked = np.invert(keys, out=keys)[has]
    ranked.sort()
    low = ranked.astype(np.uint8)  # the lowest bit is in the lowest byte, and bytes are added up quickly
    found = np.cumsum(np.bitwise_and(np.invert(low, out=low), 1, out=low), dtype=np.int32)
    is_last = np.ones(len(ranked), np.bool_)
    np.greater(ranked[1:] ^ ranked[:-1], 1, out=is_last[:-1])
    last = np.flatnonzero(is_last)
    if len(last) < len(ranked):
        ranked, found = ranked[last], found[last]
    np.invert(ranked, out=ranked)
    ranked >>= 1
    return ranked.view(np.float64), found, last.astype(np.int32) + 1


def _average(found: CodeArray, come_in: CodeArray) -> float:
    """Sum over thresholds of precision times the positive items that come in there."""
    products = found / come_in
    products[1:] *= np.diff(found)
    products[:1] *= found[:1]
    return float(products.sum())  # no dot product: its threads would wait for cores that others use


def _ratio(above: int, below: int) -> float:
    return above / below if below else 0.0
