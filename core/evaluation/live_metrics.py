"""Metrics of a run while it is at work."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from stepscope.core.domain.score import Metrics
from stepscope.core.scoring.registry import step_metrics
from stepscope.core.scoring.rule import AggregatingScorer, Options, ScoredItem

METRICS_SHARE = 0.05
"""They are computed again when that takes at most this share of the running time."""


class LiveMetrics:
    """Metrics so far. They are computed over all items, so ever more seldom the longer that takes."""

    def __init__(self, scorer: AggregatingScorer, options: Options, clock: Callable[[], float]) -> None:
        self.latest: Metrics | None = None
        self._scorer, self._options, self._clock = scorer, options, clock
        self._items: list[ScoredItem] = []
        self._not_before = float("-inf")

    def take(self, items: Iterable[ScoredItem], *, final: bool = False) -> None:
        self._items.extend(items)
        began = self._clock()
        if not self._items or (began < self._not_before and not final):
            return
        self.latest = step_metrics(self._scorer, self._items, self._options)
        ended = self._clock()
        self._not_before = ended + (ended - began) / METRICS_SHARE
