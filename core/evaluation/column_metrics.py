"""Metrics of a stored run out of its columns: no Python object for each score, so a million of them take seconds with
all intervals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from stepscope.core.domain.score import Metrics
from stepscope.core.scoring.registry import ItemCounts, item_metrics
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.statistics import FloatArray
from stepscope.core.store.column_reading import BoolArray, CodeArray, IntArray
from stepscope.core.store.columns import ERROR, SCORED, UNSCORED, RunColumns


def column_metrics(
    columns: RunColumns,
    scorer: AggregatingScorer,
    options: Options,
    mask: BoolArray | None = None,
    *,
    bootstrap: int = 0,
    seed: int = 0,
    cluster_of: Mapping[str, str] | None = None,
) -> Metrics:
    """Metrics over the items, or over those in the mask; the same as `step_metrics` makes of their scores. Raises
    StoreError when a part of scores that the rule needs cannot be read any more."""

    def number(of: BoolArray) -> int:
        return int(np.count_nonzero(of if mask is None else of & mask))

    scored = columns.status == SCORED
    counts = ItemCounts(
        unscored=number(columns.status == UNSCORED),
        malformed=number(scored & columns.malformed),
        null=number(scored & columns.null),
        errors=number(columns.status == ERROR),
    )
    rows = np.flatnonzero(scored if mask is None else scored & mask)
    items = scored_items(columns, rows)
    return item_metrics(scorer, items, counts, options, bootstrap=bootstrap, seed=seed, cluster_of=cluster_of)


def scored_items(columns: RunColumns, rows: IntArray | CodeArray) -> ScoredItems:
    """These items in this order; all of them have a value."""
    episode = columns.episode[rows]
    first = np.full(len(columns.episodes), len(rows), np.int64)
    first[episode[::-1]] = np.arange(len(rows))[::-1]  # of several the last one written stays
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(rows))]
    number = np.zeros(len(columns.episodes), np.int64)
    number[order] = np.arange(len(order))
    names = [columns.episodes[code] for code in order.tolist()]

    def part(name: str) -> FloatArray:
        return columns.part(name)[rows]

    return ScoredItems(names, number[episode], columns.step[rows].astype(np.int64), columns.value[rows], part)
