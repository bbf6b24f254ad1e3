"""95 % confidence intervals of a tally's metrics.

Source: percentile bootstrap, clusters drawn with replacement (ours; the papers give no intervals). A metric without a
value has no interval; draws in which it has none are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stepscope.core.errors import UsageError
from stepscope.core.scoring.statistics import FloatArray, drawn_weights, resampled_sums
from stepscope.core.scoring.tally import IntArray, Tally

LEVEL = 0.95
Interval = tuple[float, float]


def intervals(
    tally: Tally, *, draws: int, seed: int, cluster_of: IntArray | None = None
) -> tuple[tuple[str, Interval], ...]:
    """Intervals by metric. `cluster_of` gives each unit's cluster, numbered from 0; without it units are clusters.

    Raises UsageError for negative draws or seed.
    """
    check(draws, seed)
    if not draws or not tally.units:
        return ()
    drawn = drawn_values(tally, draws=draws, seed=seed, cluster_of=cluster_of)
    known = {name for name, value in tally.values() if value is not None}
    found = ((name, interval_of(drawn[name])) for name in tally.names if name in known)
    return tuple((name, interval) for name, interval in found if interval is not None)


def drawn_values(tally: Tally, *, draws: int, seed: int, cluster_of: IntArray | None = None) -> dict[str, FloatArray]:
    """Each metric's value in every draw, NaN where it has none."""
    (values,) = drawn_together((tally,), draws=draws, seed=seed, cluster_of=cluster_of)
    return values


def drawn_together(
    tallies: Sequence[Tally], *, draws: int, seed: int, cluster_of: IntArray | None = None
) -> list[dict[str, FloatArray]]:
    """The drawn values of several tallies over the same units: each draw takes the same clusters from all of them."""
    clusters = tallies[0].units if cluster_of is None else int(cluster_of.max()) + 1
    sums = np.concatenate([tally.sums for tally in tallies], axis=1)
    if cluster_of is not None:
        sums = cluster_sums(sums, cluster_of, clusters)
    if not any(tally.weighted for tally in tallies):
        return _of_sums(tallies, resampled_sums(sums, draws=draws, seed=seed))
    parts = []
    for weights in drawn_weights(clusters, draws=draws, seed=seed):
        of_units = weights if cluster_of is None else weights[:, cluster_of]
        parts.append(
            [
                found | {name: of(of_units) for name, of in tally.weighted.items()}
                for tally, found in zip(tallies, _of_sums(tallies, weights @ sums), strict=True)
            ]
        )
    return [
        {name: np.concatenate([part[place][name] for part in parts]) for name in tally.names}
        for place, tally in enumerate(tallies)
    ]


def cluster_sums(sums: FloatArray, cluster_of: IntArray, clusters: int) -> FloatArray:
    """Sums of the units of each cluster."""
    found = np.zeros((clusters, sums.shape[1]))
    np.add.at(found, cluster_of, sums)
    return found


def interval_of(values: FloatArray) -> Interval | None:
    """The central 95 % of drawn values; None when no draw has one."""
    values = values[~np.isnan(values)]
    if not len(values):
        return None
    low, high = np.percentile(values, (50 * (1 - LEVEL), 50 * (1 + LEVEL)))
    return float(low), float(high)


def check(draws: int, seed: int) -> None:
    """Raises UsageError for a negative number of draws or a negative seed."""
    if draws < 0 or seed < 0:
        raise UsageError("bootstrap draws and seed cannot be negative.", hint="Write for example --bootstrap 1000.")


def _of_sums(tallies: Sequence[Tally], sums: FloatArray) -> list[dict[str, FloatArray]]:
    """The metrics of each tally; their columns stand side by side in `sums`."""
    found, column = [], 0
    for tally in tallies:
        own = sums[:, column : column + tally.sums.shape[1]]
        found.append({name: of(own) for name, of in tally.statistics.items()})
        column += tally.sums.shape[1]
    return found
