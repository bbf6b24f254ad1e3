"""Two tallies over the same items: differences with intervals, and how likely chance alone makes such a difference.

Sources: McNemar 1947 in its exact form (two-sided binomial test on the items on which just one is right) for yes/no
scores; paired percentile bootstrap for all others, p = twice the smaller share of draws on the other side of 0, each
share with one draw added; Holm 1979 over the metrics. Which test goes with what is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.bootstrap import Interval, check, drawn_together, interval_of
from stepscope.core.scoring.distributions import fair_coins
from stepscope.core.scoring.statistics import FloatArray
from stepscope.core.scoring.tally import IntArray, Tally

Test = Literal["mcnemar", "bootstrap"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of two runs. `difference` is a − b, `ci` its 95 % interval by paired draws of whole clusters.

    `p` is two-sided, `p_holm` corrected for all metrics of the comparison; `test` says where it is from. None: there is
    no such value.
    """

    metric: str
    a: float | None
    b: float | None
    difference: float | None
    ci: Interval | None
    p: float | None
    p_holm: float | None
    test: Test


def compare(a: Tally, b: Tally, *, draws: int, seed: int, cluster_of: IntArray | None = None) -> tuple[Difference, ...]:
    """Every metric of two tallies whose units, and yes/no scores, are those of the same items in the same order. A
    metric that just one of them has, since the other's answers tell nothing of it, is left out.

    Raises UsageError for negative draws or seed, ValueError for tallies of different items.
    """
    check(draws, seed)
    names = [name for name in a.names if name in b.names]
    if a.units != b.units or not names:
        raise ValueError(f"not the same items: {a.units} and {b.units} units")
    clusters = a.units if cluster_of is None else len(np.unique(cluster_of))
    several = clusters > 1  # one alone says nothing about its like
    drawn = drawn_together((a, b), draws=draws, seed=seed, cluster_of=cluster_of) if draws and several else None
    values_a, values_b = dict(a.values()), dict(b.values())
    found = []
    for name in names:
        gaps = drawn[0][name] - drawn[1][name] if drawn else np.empty(0)
        yes_no = a.yes_no.get(name), b.yes_no.get(name)
        found.append(_difference(name, values_a[name], values_b[name], gaps, yes_no))
    corrected = holm({one.metric: one.p for one in found if one.p is not None})
    return tuple(_corrected(one, corrected.get(one.metric)) for one in found)


def mcnemar(a: FloatArray, b: FloatArray) -> float | None:
    """Two-sided exact p of two rows of yes/no scores (1.0, 0.0, NaN for none) of the same items; 1 when they never
    differ, None over no items.

    Source: McNemar's exact test, the binomial test of one half; that is symmetric, so twice the smaller tail."""
    both = ~(np.isnan(a) | np.isnan(b))
    if not both.any():
        return None
    only_a = int(((a == 1) & (b == 0) & both).sum())
    only_b = int(((a == 0) & (b == 1) & both).sum())
    return min(1.0, 2.0 * fair_coins(min(only_a, only_b), only_a + only_b))


def bootstrap_p(gaps: FloatArray) -> float | None:
    """Two-sided p of paired differences; draws without a value are left out, None when none is left."""
    gaps = gaps[~np.isnan(gaps)]
    if not len(gaps):
        return None
    smaller = min(int((gaps <= 0).sum()), int((gaps >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (len(gaps) + 1))


def holm(values: Mapping[str, float]) -> dict[str, float]:
    """Step-down corrected p by name."""
    ordered = sorted(values.items(), key=lambda pair: pair[1])
    found, highest = {}, 0.0
    for place, (name, value) in enumerate(ordered):
        highest = max(highest, min(1.0, (len(ordered) - place) * value))
        found[name] = highest
    return found


@dataclass(frozen=True, slots=True)
class SeedStatistics:
    """A metric over trainings that differ in their seed only: mean, and sample standard deviation (None for one)."""

    mean: float | None
    deviation: float | None
    n: int


def over_seeds(values: Sequence[float | None]) -> SeedStatistics:
    """Source: MoTIF, section 4: mean over ten trainings with different seeds (paper), with the deviation
    (ours, n − 1 in the denominator). A training without a value is left out and `n` tells."""
    known = [value for value in values if value is not None]
    if not known:
        return SeedStatistics(None, None, 0)
    deviation = float(np.std(known, ddof=1)) if len(known) > 1 else None
    return SeedStatistics(float(np.mean(known)), deviation, len(known))


def _difference(
    name: str,
    a: float | None,
    b: float | None,
    gaps: FloatArray,
    yes_no: tuple[FloatArray | None, FloatArray | None],
) -> Difference:
    ours, theirs = yes_no
    test: Test = "bootstrap" if ours is None or theirs is None else "mcnemar"
    if a is None or b is None:
        return Difference(name, a, b, None, None, None, None, test)
    p = bootstrap_p(gaps) if ours is None or theirs is None else mcnemar(ours, theirs)
    return Difference(name, a, b, a - b, interval_of(gaps), p, None, test)


def _corrected(one: Difference, p_holm: float | None) -> Difference:
    return Difference(one.metric, one.a, one.b, one.difference, one.ci, one.p, p_holm, one.test)
