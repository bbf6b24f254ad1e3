"""What metrics are computed from: sums over units, so that a value, an interval and a paired difference all come from
the same numbers.

A unit is the smallest thing that is resampled whole: an episode, a task, a document, a record. Nearly every metric is a
function of sums over units; one that is not (average precision) is given as a function of the units' weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.statistics import FloatArray, Statistic

IntArray = NDArray[np.int64]
Weighted = Callable[[FloatArray], FloatArray]
"""From weights of shape (draws, units), how often each unit was drawn, to one value a draw, NaN for no value."""


@dataclass(frozen=True, slots=True)
class Tally:
    """`sums` has one row a unit. `unit_of` gives for each accepted record its unit, -1 when it has no part in any.

    `statistics` are the metrics by name in the order in which they are shown, as functions of column sums (`ratio`);
    `weighted` holds those that need the units' weights; a metric is in one of the two. `yes_no` has, for each metric
    that is a mean of yes/no scores, these scores as 0.0 and 1.0 (NaN where a record has none): per record, or per unit.
    """

    sums: FloatArray
    statistics: Mapping[str, Statistic]
    unit_of: IntArray
    weighted: Mapping[str, Weighted] = field(default_factory=dict)
    yes_no: Mapping[str, FloatArray] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    @property
    def units(self) -> int:
        return len(self.sums)

    @property
    def names(self) -> tuple[str, ...]:
        """All metrics, in the order in which they are shown."""
        return self.order or (*self.statistics, *self.weighted)

    def values(self) -> tuple[tuple[str, float | None], ...]:
        """Each metric over all units; None where it has no value."""
        total = self.sums.sum(axis=0, keepdims=True)
        alike = np.ones((1, self.units))
        found: dict[str, float] = {name: float(of(total)[0]) for name, of in self.statistics.items()}
        found |= {name: float(of(alike)[0]) if self.units else np.nan for name, of in self.weighted.items()}
        return tuple((name, None if np.isnan(found[name]) else found[name]) for name in self.names)
