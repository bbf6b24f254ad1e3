"""Two runs item by item: which steps one has right and the other wrong."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from stepscope.core.frozen import dataclass
from stepscope.core.store.column_reading import BoolArray, CodeArray, FloatArray, IntArray
from stepscope.core.store.columns import SCORED, RunColumns

_CELLS = 1 << 24
"""Up to so many places items of two runs are matched by a table of all places."""


@dataclass(frozen=True, eq=False)
class _ItemMatch:
    """Run b seen from run a, one entry for each of a's items: `place` is b's item of the same episode and step, -1
    where there is none; `value` is its score, NaN without one."""

    place: CodeArray
    value: FloatArray
    right: BoolArray


_met: WeakKeyDictionary[RunColumns, WeakKeyDictionary[RunColumns, _ItemMatch]] = WeakKeyDictionary()
"""Runs that met before: to find the places takes several times as long as all the rest of a comparison."""


@dataclass(frozen=True, eq=False)
class PairedComparison:
    """Run a against run b on the items that both have and both could score, in a's order.

    `a` and `b` are these items' indices in each run's columns. `right_a`, `right_b` and `difference` (value of a less
    that of b) have one entry for each. `only_in_a`, `only_in_b` items are in one run; `unscored` are in both, and one
    of them has no score.
    """

    a: IntArray
    b: CodeArray
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


def versus(
    a: RunColumns, b: RunColumns, mask_a: BoolArray | None = None, mask_b: BoolArray | None = None
) -> PairedComparison:
    """The two runs matched by episode and step; with masks, of the items that these leave."""
    met = _meeting(a, b)
    common = met.place >= 0
    if mask_a is not None:
        common &= mask_a
    if mask_b is not None and b.n:
        common &= mask_b[met.place]  # where there is no place, nothing is common anyway
    n = int(np.count_nonzero(common))
    difference = a.value - met.value
    common &= a.status == SCORED
    common &= ~np.isnan(met.value)
    at_a = np.flatnonzero(common)
    return PairedComparison(
        at_a,
        met.place[common],
        a.right[common],
        met.right[common],
        difference[common],
        (a.n if mask_a is None else int(np.count_nonzero(mask_a))) - n,
        (b.n if mask_b is None else int(np.count_nonzero(mask_b))) - n,
        n - len(at_a),
    )


def _meeting(a: RunColumns, b: RunColumns) -> _ItemMatch:
    """Found once, then kept as long as both runs are."""
    known = _met.setdefault(a, WeakKeyDictionary())
    if b not in known:
        place = places(a, b)
        value = np.append(np.where(b.status == SCORED, b.value, np.nan), np.nan)  # the last one is that of no item, -1
        found = value[place]
        known[b] = _ItemMatch(place, found, found == 1.0)
    return known[b]


def places(a: RunColumns, b: RunColumns) -> CodeArray:
    """The index of b's item of the same episode and step for each of a's items, -1 where there is none."""
    same = a.episodes == b.episodes and np.array_equal(a.episode, b.episode) and np.array_equal(a.step, b.step)
    found = np.arange(b.n, dtype=np.int32) if same else _places_by_episode(a, b)
    return _places_by_item(a, b) if found is None else found


def _places_by_episode(a: RunColumns, b: RunColumns) -> CodeArray | None:
    """`places` where the items of each episode stand together in both runs, and an episode that both have has the same
    steps in the same order in both; else None. As a rule runs over one data set are like this."""
    first_a, first_b = a.first_items, b.first_items
    if first_a is None or first_b is None or not b.n:
        return None
    at = a.episodes_in(b)
    lengths = np.diff(first_a, append=a.n)
    known = at >= 0
    if not np.array_equal(lengths[known], np.diff(first_b, append=b.n)[at[known]]):
        return None
    place = np.repeat((first_b[at] - first_a).astype(np.int32), lengths)
    place += np.arange(a.n, dtype=np.int32)
    there: BoolArray | slice = slice(None)
    if not known.all():
        there = listed = np.repeat(known, lengths)
        place[~listed] = -1
    few = b.step.max() <= np.iinfo(np.int8).max  # what is looked up all over a small array is looked up in the cache
    steps = b.step.astype(np.int8) if few else b.step
    return place if np.array_equal(steps.take(place[there]), a.step[there]) else None


def _places_by_item(a: RunColumns, b: RunColumns) -> CodeArray:
    """`places` of any two runs."""
    width = int(max(a.step.max(initial=-1), b.step.max(initial=-1))) + 2
    keys_a = _keys(np.arange(len(a.episodes)), a, width)
    keys_b = _keys(b.episodes_in(a), b, width)
    in_b = np.arange(b.n, dtype=np.int32)
    known = keys_b >= 0
    if not known.all():
        keys_b, in_b = keys_b[known], in_b[known]
    if not len(in_b):
        return np.full(a.n, -1, np.int32)
    size = len(a.episodes) * width
    if size <= _CELLS:
        table = np.full(size, -1, np.int32)
        table[keys_b] = in_b
        return table[keys_a]
    order = np.argsort(keys_b, kind="stable")
    place = np.minimum(np.searchsorted(keys_b, keys_a, sorter=order), len(order) - 1)
    return np.where(keys_b[order[place]] == keys_a, in_b[order[place]], np.int32(-1))


def _keys(codes: IntArray | CodeArray, columns: RunColumns, width: int) -> IntArray:
    """One number for each item's episode and step; `codes` number the episodes, and are -1 for one that the other run
    does not have: its items have numbers below 0."""
    begins = codes.astype(np.int64) * width
    begins += 1
    keys: IntArray = begins[columns.episode]
    keys += columns.step
    return keys
