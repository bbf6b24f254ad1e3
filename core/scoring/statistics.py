"""Confidence intervals by resampling whole clusters (episodes, tasks, records), never single steps.

Every metric here is a function of sums over clusters, so a draw needs the clusters' sums only. Source: percentile
bootstrap at 95 %, clusters drawn with replacement (ours; the papers give no intervals).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import UsageError

FloatArray = NDArray[np.float64]
Statistic = Callable[[FloatArray], FloatArray]
"""From sums of shape (draws, columns) to one value a draw, NaN where the metric has no value."""
Intervals = tuple[tuple[str, tuple[float, float]], ...]

LEVEL = 0.95
_FEW_KINDS = 2048
"""Up to so many different clusters, drawing how often each kind comes is cheaper than drawing clusters."""
_CELLS_AT_ONCE = 1 << 22


def ratio(numerator: int, denominator: int) -> Statistic:
    """The quotient of two columns' sums; no value where the denominator is 0."""

    def statistic(sums: FloatArray) -> FloatArray:
        above, below = sums[:, numerator], sums[:, denominator]
        empty = below == 0
        return np.where(empty, np.nan, above / np.where(empty, 1.0, below))

    return statistic


def value_of(statistic: Statistic, sums: FloatArray) -> float | None:
    """The metric over all clusters, None where it has no value."""
    value = float(statistic(sums.sum(axis=0, keepdims=True))[0])
    return None if np.isnan(value) else value


def cluster_intervals(
    sums: FloatArray, statistics: Mapping[str, Statistic], *, draws: int, seed: int, level: float = LEVEL
) -> Intervals:
    """Percentile intervals of metrics over clusters; `sums` has one row a cluster.

    A metric without a value has no interval. Draws in which a metric has no value are left out of its interval.
    """
    if draws < 0 or seed < 0:
        raise UsageError("bootstrap draws and seed cannot be negative.", hint="Write for example --bootstrap 1000.")
    if not draws or not len(sums):
        return ()
    drawn = resampled_sums(sums, draws=draws, seed=seed)
    tails = (50 * (1 - level), 50 * (1 + level))
    found = []
    for name, statistic in statistics.items():
        if value_of(statistic, sums) is None:
            continue
        values = statistic(drawn)
        values = values[~np.isnan(values)]
        if len(values):
            low, high = np.percentile(values, tails)
            found.append((name, (float(low), float(high))))
    return tuple(found)


def resampled_sums(sums: FloatArray, *, draws: int, seed: int) -> FloatArray:
    """Column sums of `draws` samples of as many clusters as there are, with replacement: (draws, columns)."""
    generator = np.random.default_rng(seed)
    kinds, counts = np.unique(sums, axis=0, return_counts=True)
    if len(kinds) > _FEW_KINDS:
        return _drawn_one_by_one(sums, draws, generator)
    shares = counts / len(sums)
    rows = max(1, _CELLS_AT_ONCE // len(kinds))
    parts = [
        generator.multinomial(len(sums), shares, size=min(rows, draws - start)) @ kinds
        for start in range(0, draws, rows)
    ]
    return np.concatenate(parts)


def _drawn_one_by_one(sums: FloatArray, draws: int, generator: np.random.Generator) -> FloatArray:
    count = len(sums)
    drawn = np.empty((draws, sums.shape[1]))
    for row in drawn:
        row[:] = np.bincount(generator.integers(0, count, size=count), minlength=count) @ sums
    return drawn


def group_sums(groups: NDArray[np.int64], values: ArrayLike, count: int) -> FloatArray:
    """Sum of `values` over the items of each of `count` groups."""
    weights: FloatArray = np.asarray(values, dtype=np.float64)
    return np.bincount(groups, weights=weights, minlength=count).astype(np.float64, copy=False)
