"""Where the columns of a timeline stand: all equally wide, or as wide as their steps took."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from stepscope.core.frozen import dataclass

NO_TIME = 1e-6
"""Seconds, below the resolution of any recording."""


@dataclass(frozen=True, slots=True)
class ColumnEdges:
    """`edges`: the left edge of each column in logical pixels from the first one's, and the right edge of the last."""

    edges: tuple[int, ...] = (0,)

    def __len__(self) -> int:
        return len(self.edges) - 1

    @property
    def total(self) -> int:
        return self.edges[-1]

    def at(self, x: int) -> int:
        """The column under `x`; -1 before the first and behind the last."""
        return bisect_right(self.edges, x) - 1 if 0 <= x < self.total else -1

    def width(self, column: int) -> int:
        return self.edges[column + 1] - self.edges[column]

    def between(self, left: int, right: int) -> range:
        """Columns of which at least a part lies in left..right (the end excluded)."""
        if right <= left or left >= self.total:
            return range(0)
        last = self.at(min(right, self.total) - 1)
        return range(max(0, self.at(max(left, 0))), last + 1)


def equal(many: int, width: int) -> ColumnEdges:
    """`many` columns of the same width."""
    return ColumnEdges(tuple(column * width for column in range(many + 1)))


def by_time(seconds: Sequence[float], total: int, narrowest: int) -> ColumnEdges:
    """Columns in proportion to `seconds` that fill `total` pixels together; none is narrower than `narrowest`, for
    which the others give way. Steps that took no time at all are equally wide."""
    if sum(seconds) < NO_TIME:
        widths = [total / max(1, len(seconds))] * len(seconds)
    else:
        scale = _scale(sorted(seconds), total, narrowest)
        widths = [max(float(narrowest), second * scale) for second in seconds]
    return ColumnEdges((0, *(round(edge) for edge in accumulate(widths))))


def _scale(ascending: Sequence[float], total: float, narrowest: int) -> float:
    """Pixels a second when the shortest ones stand at their narrowest and the others share the rest."""
    left, rest = total, sum(ascending)
    for second in ascending:
        if not rest or second * left / rest >= narrowest:
            break
        left, rest = left - narrowest, rest - second
    return left / rest if rest > 0 else 0.0


def durations(times: Sequence[float | None]) -> tuple[float, ...]:
    """How long each step took, in seconds, from the moments at which steps began.

    Where a moment is missing or lies before the one before it, and for the last step, which nothing follows: the median
    of the others. Without any, a second each.
    """
    from statistics import median  # with its first use: it brings fractions and random

    took = [
        following - begun if begun is not None and following is not None and following >= begun else None
        for begun, following in pairwise(times)
    ]
    usual = median(known) if (known := [one for one in took if one is not None]) else 1.0
    return tuple(usual if one is None else one for one in (*took, None))[: len(times)]


def has_times(times: Sequence[float | None]) -> bool:
    """Whether some step is known to have taken some time."""
    return any(a is not None and b is not None and b > a for a, b in pairwise(times))
