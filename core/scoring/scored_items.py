"""The scored items of an evaluation as columns: what a protocol's tally is made from, whether they come out of the
columns of a stored run or are scores in hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.grouping import BoolArray, numbered
from stepscope.core.scoring.rule import ScoredItem
from stepscope.core.scoring.statistics import FloatArray
from stepscope.core.scoring.tally import IntArray

Part = Callable[[str], FloatArray]


@dataclass(frozen=True, eq=False)
class ScoredItems:
    """One entry an item in `unit` (its episode's index in `names`, which has the episodes in order of first
    appearance), `step` (-1 for a whole episode) and `value`."""

    names: Sequence[str]
    unit: IntArray
    step: IntArray
    value: FloatArray
    _part: Part

    @classmethod
    def of(cls, items: Sequence[ScoredItem]) -> ScoredItems:
        """Scores in hand, every one of which has a value."""
        unit, _ = numbered(item.episode for item in items)
        names = list(dict.fromkeys(item.episode for item in items))
        step = np.fromiter((item.step for item in items), np.int64, len(items))
        value = np.array([item.score.value for item in items], np.float64)
        return cls(names, unit, step, value, _parts_of(items))

    def __len__(self) -> int:
        return len(self.unit)

    @property
    def episodes(self) -> int:
        return len(self.names)

    @property
    def right(self) -> BoolArray:
        found: BoolArray = self.value == 1.0
        return found

    def part(self, name: str) -> FloatArray:
        """The rule's intermediate value of this name, NaN where a score has none."""
        return self._part(name)

    def parts(self, *names: str) -> FloatArray:
        """Several, side by side: (items, names)."""
        return np.stack([self.part(name) for name in names], axis=1) if names else np.empty((len(self), 0))


def _parts_of(items: Sequence[ScoredItem]) -> Part:
    """Looks through the scores once, when the first part is asked for."""
    columns: dict[str, FloatArray] = {}

    def part(name: str) -> FloatArray:
        if not columns:
            names = dict.fromkeys(chain.from_iterable((key for key, _ in item.score.parts) for item in items))
            columns.update({key: np.full(len(items), np.nan) for key in names})
            for place, item in enumerate(items):
                for key, value in item.score.parts:
                    columns[key][place] = value
        return columns.get(name, np.full(len(items), np.nan))

    return part
