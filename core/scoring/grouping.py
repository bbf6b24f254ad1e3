"""Episode metrics out of step verdicts: the shares that AitW-like protocols report.

Source (code): step accuracy over all steps, partial match = mean over episodes of the right share, complete match =
share of episodes that are right throughout. Unscored steps are left out of their episode, and an episode without a
scored step out of the means (ours).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import NDArray

from core.scoring.statistics import FloatArray, Intervals, Statistic, cluster_intervals, group_sums, ratio, value_of

STEP_METRICS: dict[str, Statistic] = {
    "step_accuracy": ratio(0, 1),
    "partial_match": ratio(2, 4),
    "complete_match": ratio(3, 4),
}
"""By metric; the columns are those of `episode_sums`."""


def numbered(names: Iterable[Hashable]) -> tuple[NDArray[np.int64], int]:
    """Each name's number in order of first appearance, and how many there are."""
    numbers: dict[Hashable, int] = {}
    found = [numbers.setdefault(name, len(numbers)) for name in names]
    return np.array(found, dtype=np.int64), len(numbers)


def episode_sums(groups: NDArray[np.int64], right: NDArray[np.bool_], count: int) -> FloatArray:
    """One row an episode with steps: right steps, steps, right share, all right, 1."""
    steps = group_sums(groups, np.ones(len(groups)), count)
    good = group_sums(groups, right, count)[steps > 0]
    steps = steps[steps > 0]
    return np.stack([good, steps, good / steps, good == steps, np.ones(len(steps))], axis=1)


def step_metrics(sums: FloatArray) -> tuple[tuple[str, float | None], ...]:
    return tuple((name, value_of(statistic, sums)) for name, statistic in STEP_METRICS.items())


def step_intervals(sums: FloatArray, draws: int, seed: int) -> Intervals:
    return cluster_intervals(sums, STEP_METRICS, draws=draws, seed=seed)
