"""Comparing orders of items: positions, common parts, inversions. Everything by columns, a row for each comparison.

Source: Wu et al. 2022, section 5.1 (paper); the choice among several references (ours, see `best_of`).

A *ranking* is a predicted order written in a reference's numbers: entry k is the reference position of the item that
the prediction puts at k, so the reference itself is 0, 1, 2, … Rows of different lengths share a matrix: a row of n
items goes on with n, n + 1, … up to the matrix's width, which adds no inversion, no distance, and as many right
positions and steps of the common subsequence as there are entries added.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from stepscope.core.scoring.statistics import FloatArray
from stepscope.core.scoring.tally import IntArray

METRICS = ("accuracy", "pmr", "distance", "lcs_subsequence", "lcs_substring", "kendall_tau")

JOINT_ORDER = ("accuracy", "pmr", "lcs_substring", "lcs_subsequence", "kendall_tau", "distance")
"""What is compared, one after the other, to find the one reference that is best."""

_EXACT_WIDTHS = 16
_CELLS_AT_ONCE = 1 << 20

Ranks = NDArray[np.int32]
Measures = Mapping[str, IntArray]
"""By metric a whole number for each row, larger is better: right positions, 1 for a perfect match, the sum of
distances below 0, two lengths, inversions below 0."""


def width_for(items: int) -> int:
    """Entries of the matrix in which a row of so many items stands: few widths, so that mixed lengths stay few
    matrices."""
    return items if items <= _EXACT_WIDTHS else 1 << (items - 1).bit_length()


def measure(rankings: Ranks, items: IntArray) -> dict[str, IntArray]:
    """`rankings` is (rows, width), `items` the number of items of each row."""
    rows = max(1, _CELLS_AT_ONCE // max(1, rankings.shape[1]))
    parts = [_measure(rankings[at : at + rows], items[at : at + rows]) for at in range(0, len(rankings), rows)]
    return {name: np.concatenate([part[name] for part in parts]) for name in METRICS}


def scores(measures: Measures, items: IntArray) -> FloatArray:
    """The metrics' values, (rows, 6) in the order of `METRICS`, each row with an item at least."""
    pairs = np.maximum(items * (items - 1) // 2, 1)  # one item has no pair, no inversion, and a tau of 1
    columns = {
        "accuracy": measures["accuracy"] / items,
        "distance": 0 - measures["distance"] / items,  # 0 less 0 is 0, where -0 would be shown as -0.0
        "kendall_tau": 1 + 2 * measures["kendall_tau"] / pairs,
    }
    return np.stack([columns.get(name, measures[name]) for name in METRICS], axis=1).astype(np.float64)


def best_of(measures: Measures, first: IntArray, owner: IntArray, *, joint: bool) -> tuple[Measures, IntArray]:
    """The best value of each metric for each document, and which of its references (from 0) was taken.

    Rows of a document stand together, from `first`; `owner` is each row's document. `joint`: all metrics against the
    one reference that is best by `JOINT_ORDER`, a longer distance being worse (ours: the released code prefers it);
    otherwise each metric against its own best, and the reference is that of `accuracy`.
    """
    best: dict[str, IntArray] = {}
    alive = np.ones(len(owner), dtype=np.bool_)
    for name in JOINT_ORDER:
        values = measures[name]
        worst = np.iinfo(np.int64).min
        best[name] = np.maximum.reduceat(np.where(alive, values, worst) if joint else values, first)
        if joint or name == JOINT_ORDER[0]:
            alive &= values == best[name][owner]
    rows = np.flatnonzero(alive)
    earliest = np.unique(owner[rows], return_index=True)[1]
    return best, rows[earliest] - first


def _measure(rankings: Ranks, items: IntArray) -> dict[str, IntArray]:
    width = rankings.shape[1]
    places = np.arange(width, dtype=rankings.dtype)
    added = width - items
    right = np.count_nonzero(rankings == places, axis=1) - added
    return {
        "accuracy": right,
        "pmr": (right == items).astype(np.int64),
        "distance": -np.abs(rankings - places).sum(axis=1, dtype=np.int64),
        "lcs_subsequence": longest_increasing(rankings) - added,
        "lcs_substring": _longest_run(rankings, items),
        "kendall_tau": -inversions(rankings),
    }


def _longest_run(rankings: Ranks, items: IntArray) -> IntArray:
    """Length of the longest stretch in which each entry is one more than the one before: the common substring."""
    run = np.ones(len(rankings), dtype=np.int64)
    longest = run.copy()
    for place in range(1, rankings.shape[1]):
        goes_on = (rankings[:, place] == rankings[:, place - 1] + 1) & (place < items)
        run = np.where(goes_on, run + 1, 1)
        np.maximum(longest, run, out=longest)
    return longest


def longest_increasing(rankings: Ranks) -> IntArray:
    """Length of the longest increasing subsequence of each row: the common subsequence of the two orders.

    `ends[:, k]` is the smallest entry with which an increasing subsequence of k + 1 entries ends; each entry takes the
    place of the first end that is not smaller, found in all rows at once by halving.
    """
    count, width = rankings.shape
    steps = [1 << bit for bit in reversed(range(width.bit_length()))]
    ends = np.full((count, width + steps[0]), width, dtype=rankings.dtype)
    flat, row = ends.reshape(-1), np.arange(count, dtype=np.int64) * ends.shape[1]
    for place in range(width):
        entry = rankings[:, place]
        at = row.copy()
        for step in steps:
            at += np.where(flat[at + (step - 1)] < entry, step, 0)
        flat[at] = entry
    lengths: IntArray = np.count_nonzero(ends < width, axis=1)
    return lengths


def inversions(rankings: Ranks) -> IntArray:
    """Pairs that stand the wrong way round, of each row.

    From the highest bit to the lowest: among entries alike above the bit, an inversion is a one before a zero. Then the
    zeros move before the ones and keep their order, so that entries alike above the next bit stand together again.
    """
    count, width = rankings.shape
    total = np.zeros(count, dtype=np.int64)
    current = rankings.astype(np.int64)
    for bit in reversed(range((width - 1).bit_length())):
        ones = (current >> bit) & 1
        start = (current >> (bit + 1)) << (bit + 1)
        before = np.cumsum(ones, axis=1) - ones
        before -= np.take_along_axis(before, start, axis=1)  # ones before it among those that are alike
        total += (before * (1 - ones)).sum(axis=1)
        place = np.where(ones, start + (1 << bit) + before, np.arange(width) - before)
        moved = np.empty_like(current)
        np.put_along_axis(moved, place, current, axis=1)
        current = moved
    return total
