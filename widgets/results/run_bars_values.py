"""Runs as bars of one metric, as frozen values."""

from __future__ import annotations

from stepscope.core.frozen import dataclass
from stepscope.widgets.results.leaderboard_values import RowKey, Span

BY_VALUE, BY_NAME = "value", "name"
"""Orders of the bars."""


@dataclass(frozen=True, slots=True)
class RunBar:
    """A run as a bar. `heading` stands above the first of those that have the same, "" above none; `seeds` are the
    values of each seed of a mean. `letter` is the run's, None for one that is not shown over screens; `words` say all
    of it."""

    key: RowKey
    label: str
    value: float
    interval: Span | None = None
    seeds: tuple[float, ...] = ()
    heading: str = ""
    letter: int | None = None
    is_baseline: bool = False
    is_few: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class RunBars:
    """The bars in their order, of one of the `metrics` (id and title). `baselines` are the runs that can be it, by key
    and name. `title` says of what data and rule, `note` what is not shown and why."""

    bars: tuple[RunBar, ...] = ()
    metric: str = ""
    metrics: tuple[tuple[str, str], ...] = ()
    baselines: tuple[tuple[RowKey, str], ...] = ()
    baseline: RowKey | None = None
    title: str = ""
    note: str = ""
    lower_is_better: bool = False
