"""Rows of a leaderboard's group as an ablation: one metric with its interval, the baseline first, variants of the same
features together (ours; MoTIF, table 3, groups its rows so). What a run's features are called is told by the caller.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from stepscope.core.evaluation.leaderboard import EntryKey, LeaderboardGroup, LeaderboardRow
from stepscope.core.evaluation.leaderboard_texts import name_of_row
from stepscope.core.frozen import dataclass
from stepscope.core.spreadsheet import write_rows

_HEADS = (
    "run", "name", "features", "variant", "metric", "value", "low", "high", "less_baseline", "seeds", "seed_sd", "n",
    "baseline", "data", "rule", "version",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FeatureName:
    """What a model reads, and what it is otherwise: `clip(screen,et,id)` and `cat`, or a model and `without pictures`;
    "" where nothing says so."""

    features: str = ""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class AblationBar:
    """A run, or several that differ in their seed only: then `value` is the mean, `seeds` has each one's, and there is
    no interval but a `deviation`. `heading` is what it shares with the bars beside it, "" where it stands alone;
    `label` is what to call it there. `difference` is the value less the baseline's, None for the baseline itself."""

    key: EntryKey
    name: str
    feature: FeatureName
    value: float
    n: int
    interval: tuple[float, float] | None = None
    seeds: tuple[float, ...] = ()
    deviation: float | None = None
    heading: str = ""
    is_baseline: bool = False
    difference: float | None = None

    @property
    def label(self) -> str:
        return self.feature.variant if self.heading else self.name


def ablation_bars(
    group: LeaderboardGroup,
    rows: Sequence[LeaderboardRow],
    metric: str,
    names: Mapping[str, FeatureName],
    *,
    baseline: EntryKey | None = None,
    by_name: bool = False,
) -> tuple[AblationBar, ...]:
    """Bars of those rows of a group that have a value, the baseline first. Bars of the same features stand together
    where there are several; these blocks and what is in them are in the order of values, the best first, or of names.
    `names` are by run id."""
    bars = [bar for row in rows if (bar := _bar(row, metric, names)) is not None]
    base = next((bar for bar in bars if bar.key == baseline), None)
    rest = [bar for bar in bars if bar is not base]
    shared = Counter(bar.feature.features for bar in rest if bar.feature.features and bar.feature.variant)
    sign = 1.0 if group.lower_is_better(metric) else -1.0

    def place(bar: AblationBar) -> tuple[str, float, str]:
        return ("", sign * bar.value, bar.name.casefold()) if not by_name else (bar.label.casefold(), 0.0, bar.name)

    blocks: dict[object, list[AblationBar]] = {}
    for bar in rest:
        heading = bar.feature.features if bar.feature.variant and shared[bar.feature.features] > 1 else ""
        found = _beside(bar, base, heading)
        blocks.setdefault(heading or bar.key, []).append(found)
    for block in blocks.values():
        block.sort(key=place)

    def block_place(block: list[AblationBar]) -> tuple[str, float, str]:
        return place(block[0]) if not by_name else ((block[0].heading or block[0].name).casefold(), 0.0, "")

    ordered = [bar for block in sorted(blocks.values(), key=block_place) for bar in block]
    return (*([] if base is None else [_beside(base, base, "")]), *ordered)


def ablation_csv(group: LeaderboardGroup, bars: Sequence[AblationBar], metric: str, title: str) -> str:
    """The bars as CSV in their order, numbers as they are; `title` is what the group's data are called."""
    with io.StringIO() as stream:
        about = title, group.scoring.words, group.version
        lines = ((bar.key[0], bar.name, bar.feature.features, bar.feature.variant, metric, bar.value,
                  *(bar.interval or (None, None)), bar.difference, max(1, len(bar.seeds)), bar.deviation, bar.n,
                  bar.is_baseline, *about) for bar in bars)  # fmt: skip
        write_rows(stream, [_HEADS, *lines])
        return stream.getvalue()


def _bar(row: LeaderboardRow, metric: str, names: Mapping[str, FeatureName]) -> AblationBar | None:
    value, numbers = row.value(metric), row.numbers
    if value is None or numbers is None:
        return None
    over = dict(row.spread).get(metric)
    return AblationBar(
        row.key,
        name_of_row(row),
        names.get(row.entry.run.id, FeatureName()),
        value,
        numbers.metrics.n_of(metric),
        row.interval(metric),
        row.values_of_seeds(metric),
        None if over is None else over.deviation,
    )


def _beside(bar: AblationBar, base: AblationBar | None, heading: str) -> AblationBar:
    """The bar in its block, with what it has more than the baseline."""
    is_baseline = base is not None and bar.key == base.key
    difference = None if base is None or is_baseline else bar.value - base.value
    return replace(bar, heading=heading, is_baseline=is_baseline, difference=difference)
