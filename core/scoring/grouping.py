"""Episode metrics out of step verdicts: the shares that AitW-like protocols report.

Source (code): step accuracy over all steps, partial match = mean over episodes of the right share, complete match =
share of episodes that are right throughout. Unscored steps are left out of their episode, and an episode without a
scored step out of the means (ours).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stepscope.core.scoring.statistics import FloatArray, Statistic, group_sums, ratio
from stepscope.core.scoring.tally import IntArray, Tally

if TYPE_CHECKING:
    from stepscope.core.scoring.scored_items import ScoredItems

BoolArray = NDArray[np.bool_]

STEP_METRICS: dict[str, Statistic] = {
    "step_accuracy": ratio(0, 1),
    "partial_match": ratio(2, 4),
    "complete_match": ratio(3, 4),
}
"""By metric; the columns are those of `episode_sums`."""


def numbered(names: Iterable[Hashable]) -> tuple[IntArray, int]:
    """Each name's number in order of first appearance, and how many there are."""
    numbers: dict[Hashable, int] = {}
    found = [numbers.setdefault(name, len(numbers)) for name in names]
    return np.array(found, dtype=np.int64), len(numbers)


def step_tally(groups: IntArray, scored: NDArray[np.bool_], right: NDArray[np.bool_]) -> Tally:
    """The tally of step verdicts. All arrays have one entry a step; `groups` numbers the episodes, and may have any
    numbers from 0. `right` counts where `scored`."""
    present = np.bincount(groups[scored], minlength=1) > 0
    number = np.cumsum(present) - 1
    unit_of = np.full(len(groups), -1, dtype=np.int64)
    unit_of[scored] = number[groups[scored]]
    sums = episode_sums(unit_of[scored], right[scored], int(present.sum()))
    steps = np.where(scored, right, np.nan)
    return Tally(sums, STEP_METRICS, unit_of, yes_no={"step_accuracy": steps, "complete_match": sums[:, 3]})


def step_tally_of(items: ScoredItems) -> tuple[Tally, dict[str, int]]:
    """The tally of an evaluation's scored items, with the counts of the metrics over episodes."""
    tally = step_tally(items.unit, np.ones(len(items), dtype=np.bool_), items.right)
    return tally, {"partial_match": tally.units, "complete_match": tally.units}


def episode_sums(groups: IntArray, right: NDArray[np.bool_], count: int) -> FloatArray:
    """One row an episode, each with a step at least: right steps, steps, right share, all right, 1."""
    steps = group_sums(groups, np.ones(len(groups)), count)
    good = group_sums(groups, right, count)
    return np.stack([good, steps, good / steps, good == steps, np.ones(count)], axis=1)


def widened_sums(tally: Tally, *of_steps: FloatArray) -> FloatArray:
    """The tally's sums with further columns after them: what each unit's steps add up to. One entry a step."""
    part = tally.unit_of >= 0
    added = [group_sums(tally.unit_of[part], values[part], tally.units) for values in of_steps]
    return np.column_stack([tally.sums, *added])
