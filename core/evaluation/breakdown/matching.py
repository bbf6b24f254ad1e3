"""Two runs item by item: which steps one has right and the other wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.store.column_reading import BoolArray, CodeArray, FloatArray, IntArray
from core.store.columns import SCORED, RunColumns

_CELLS = 1 << 24
"""Up to so many places items of two runs are matched by a table of all places."""


@dataclass(frozen=True, eq=False)
class Versus:
    """Run a against run b on the items that both have and both could score, in a's order.

    `a` and `b` are these items' indices in each run's columns. `right_a`, `right_b` and `difference` (value of a less
    that of b) have one entry for each. `only_in_a`, `only_in_b` items are in one run; `unscored` are in both, and one
    of them has no score.
    """

    a: IntArray
    b: IntArray
    right_a: BoolArray
    right_b: BoolArray
    difference: FloatArray
    only_in_a: int
    only_in_b: int
    unscored: int

    @property
    def n(self) -> int:
        return len(self.a)

    @property
    def both_right(self) -> BoolArray:
        return self.right_a & self.right_b

    @property
    def only_a(self) -> BoolArray:
        """Right in a, wrong in b: what a fixed, if b came first."""
        return self.right_a & ~self.right_b

    @property
    def only_b(self) -> BoolArray:
        """Right in b, wrong in a: what a broke, if b came first."""
        return self.right_b & ~self.right_a

    @property
    def both_wrong(self) -> BoolArray:
        return ~(self.right_a | self.right_b)

    def by_difference(self, which: BoolArray | None = None) -> IntArray:
        """Places in `a` and `b`, the largest difference in a's favour first, equal ones in a's order. Of all items that
        differ, or of these."""
        places = np.flatnonzero(self.difference != 0 if which is None else which)
        return places[np.argsort(-self.difference[places], kind="stable")]


def versus(a: RunColumns, b: RunColumns, mask_a: BoolArray | None = None, mask_b: BoolArray | None = None) -> Versus:
    """The two runs matched by episode and step; with masks, of the items that these leave."""
    in_a = np.arange(a.n) if mask_a is None else np.flatnonzero(mask_a)
    in_b = np.arange(b.n) if mask_b is None else np.flatnonzero(mask_b)
    found = _matched(a, b, in_a, in_b)
    both = found >= 0
    at_a, at_b = in_a[both], found[both]
    scored = (a.status[at_a] == SCORED) & (b.status[at_b] == SCORED)
    common = len(at_a)
    if not scored.all():
        at_a, at_b = at_a[scored], at_b[scored]
    return Versus(
        at_a,
        at_b,
        a.right[at_a],
        b.right[at_b],
        a.value[at_a] - b.value[at_b],
        len(in_a) - common,
        len(in_b) - common,
        common - len(at_a),
    )


def _matched(a: RunColumns, b: RunColumns, in_a: IntArray, in_b: IntArray) -> IntArray:
    """For each of a's items the index of b's of the same episode and step, -1 where there is none."""
    width = int(max(a.step.max(initial=-1), b.step.max(initial=-1))) + 2
    keys_a = _keys(a.episode, a.step, in_a, width)
    keys_b = _keys(_episodes_in(b, a), b.step, in_b, width)
    if np.array_equal(keys_a, keys_b):
        return in_b
    known = keys_b >= 0
    keys_b, in_b = keys_b[known], in_b[known]
    if not len(in_b):
        return np.full(len(in_a), -1, np.int64)
    size = len(a.episodes) * width
    if size <= _CELLS:
        table = np.full(size, -1, np.int32)
        table[keys_b] = in_b
        return table[keys_a].astype(np.int64)
    order = np.argsort(keys_b, kind="stable")
    place = np.minimum(np.searchsorted(keys_b, keys_a, sorter=order), len(order) - 1)
    return np.where(keys_b[order[place]] == keys_a, in_b[order[place]], -1)


def _keys(episode: CodeArray, step: CodeArray, chosen: IntArray, width: int) -> IntArray:
    """One number for each episode and step, negative for an episode that the other run does not have."""
    keys = episode.astype(np.int64)
    keys *= width
    keys += step
    keys += 1
    keys[episode < 0] = -1
    return keys if len(chosen) == len(keys) else keys[chosen]


def _episodes_in(columns: RunColumns, other: RunColumns) -> CodeArray:
    """The other run's code of each item's episode, -1 where it does not have it."""
    codes = columns.episodes_in(other)
    return columns.episode if codes is None else codes[columns.episode]
