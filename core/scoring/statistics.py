"""Metrics as functions of sums over clusters, and drawing clusters with replacement.

A bootstrap resamples whole clusters (episodes, tasks, apps), never single steps. A metric that is a function of sums
needs only the clusters' sums for a draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
Statistic = Callable[[FloatArray], FloatArray]
"""From sums of shape (draws, columns) to one value a draw, NaN where the metric has no value."""

_FEW_KINDS = 2048
"""Up to so many different clusters, drawing how often each kind comes is cheaper than drawing clusters."""
_CELLS_AT_ONCE = 1 << 22


def ratio(numerator: int, denominator: int) -> Statistic:
    """The quotient of two columns' sums; no value where the denominator is 0."""

    def statistic(sums: FloatArray) -> FloatArray:
        return quotient(sums[:, numerator], sums[:, denominator])

    return statistic


def quotient(above: FloatArray, below: FloatArray, empty: float = np.nan) -> FloatArray:
    """Element by element; `empty` where the denominator is 0."""
    zero = below == 0
    return np.where(zero, empty, above / np.where(zero, 1.0, below))


def resampled_sums(sums: FloatArray, *, draws: int, seed: int) -> FloatArray:
    """Column sums of `draws` samples of as many clusters as there are, with replacement: (draws, columns)."""
    generator = np.random.default_rng(seed)
    kinds, counts = np.unique(sums, axis=0, return_counts=True)
    if len(kinds) > _FEW_KINDS:
        return np.concatenate([weights @ sums for weights in _weights(len(sums), draws, generator)])
    shares = counts / len(sums)
    rows = max(1, _CELLS_AT_ONCE // len(kinds))
    parts = [
        generator.multinomial(len(sums), shares, size=min(rows, draws - start)) @ kinds
        for start in range(0, draws, rows)
    ]
    return np.concatenate(parts)


def drawn_weights(clusters: int, *, draws: int, seed: int) -> Iterator[FloatArray]:
    """How often each cluster is drawn in each of `draws` samples: arrays of shape (some draws, clusters)."""
    return _weights(clusters, draws, np.random.default_rng(seed))


def _weights(clusters: int, draws: int, generator: np.random.Generator) -> Iterator[FloatArray]:
    rows = max(1, _CELLS_AT_ONCE // clusters)
    for start in range(0, draws, rows):
        count = min(rows, draws - start)
        weights = np.empty((count, clusters))
        for row in weights:
            row[:] = np.bincount(generator.integers(0, clusters, size=clusters), minlength=clusters)
        yield weights


def group_sums(groups: NDArray[np.int64], values: ArrayLike, count: int) -> FloatArray:
    """Sum of `values` over the items of each of `count` groups."""
    weights: FloatArray = np.asarray(values, dtype=np.float64)
    return np.bincount(groups, weights=weights, minlength=count).astype(np.float64, copy=False)
