"""Rows of the leaderboard as bars, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from stepscope.app.gui.shell.run_letters import RunLetters
from stepscope.app.gui.shell.run_words import metric_title
from stepscope.app.services.leaderboard import group_title
from stepscope.core.evaluation.ablation import AblationBar, FeatureName, ablation_bars
from stepscope.core.evaluation.leaderboard import EntryKey, LeaderboardGroup, LeaderboardRow
from stepscope.core.evaluation.leaderboard_texts import name_of_row
from stepscope.core.evaluation.rules import rule_title
from stepscope.core.frozen import dataclass
from stepscope.widgets import format as words
from stepscope.widgets.results.run_bars_values import BY_NAME, BY_VALUE, RunBar, RunBars
from stepscope.widgets.scores.breakdown_values import FEW

MOST_BARS = 120
"""More than a person takes in, and less than a picture can be high."""


@dataclass(frozen=True)
class BarsChoices:
    """`metric` "" is the one that stands for the rule. `baseline` None is none, but as long as nobody chose one
    (`chose_baseline`) it is the run that was ticked first, else the first that is shown over screens."""

    metric: str = ""
    baseline: EntryKey | None = None
    chose_baseline: bool = False
    order: str = BY_VALUE


@dataclass(frozen=True)
class ShownBars:
    """The bars, their group (None: there is none), and what is shown of them."""

    content: RunBars
    bars: tuple[AblationBar, ...] = ()
    group: LeaderboardGroup | None = None


def changed(choices: BarsChoices, **changes: Any) -> BarsChoices:
    """The choices with some others."""
    return replace(choices, **changes)


def shown_bars(
    groups: Sequence[LeaderboardGroup],
    ticked: Sequence[EntryKey],
    current: EntryKey | None,
    names: Mapping[str, FeatureName],
    letters: Callable[[str], RunLetters],
    choices: BarsChoices,
) -> ShownBars:
    """The ticked rows of the group of the first of them; without any all rows of the group of the current row, else of
    the first group. `letters` gives the letters of runs on some data."""
    group = _group_of(groups, ticked, current)
    if group is None:
        return ShownBars(RunBars(note="There is no run of this task and data."))
    wanted = [row for key in ticked if (row := _row_of(group, key)) is not None]
    rows = list(dict.fromkeys(row.key for row in wanted))
    shown = [row for row in group.rows if row.key in rows] if rows else list(group.rows)
    metric = choices.metric if choices.metric in group.metrics else group.main
    of_data = letters(group.source)
    baseline = choices.baseline if choices.chose_baseline else _usual_baseline(shown, rows, of_data)
    bars = ablation_bars(group, shown, metric, names, baseline=baseline, by_name=choices.order == BY_NAME)
    without, bars = len(shown) - len(bars), bars[:MOST_BARS]
    content = RunBars(
        tuple(_bar(bar, metric, _letter(group, bar.key, of_data)) for bar in bars),
        metric,
        tuple((name, metric_title(name)) for name in group.metrics),
        tuple((row.key, name_of_row(row)) for row in shown),
        baseline if any(bar.is_baseline for bar in bars) else None,
        f"{group_title(group)}, {rule_title(group.scoring)}",
        _note(len(ticked) - len(wanted), without, len(shown) - without - len(bars), group, metric),
        group.lower_is_better(metric),
    )
    return ShownBars(content, bars, group)


def _group_of(
    groups: Sequence[LeaderboardGroup], ticked: Sequence[EntryKey], current: EntryKey | None
) -> LeaderboardGroup | None:
    for key in (*ticked, *(() if current is None else (current,))):
        for group in groups:
            if _row_of(group, key) is not None:
                return group
    return groups[0] if groups else None


def _row_of(group: LeaderboardGroup, key: EntryKey) -> LeaderboardRow | None:
    return next((row for row in group.rows if any(member.key == key for member in row.members)), None)


def _usual_baseline(
    shown: Sequence[LeaderboardRow], ticked: Sequence[EntryKey], letters: RunLetters
) -> EntryKey | None:
    if ticked:
        return ticked[0]
    every = [(member.run.id, row.key) for row in shown for member in row.members]
    lettered = [(letters[run], key) for run, key in every if run in letters]
    return min(lettered)[1] if lettered else None


def _letter(group: LeaderboardGroup, key: EntryKey, letters: RunLetters) -> int | None:
    row = _row_of(group, key)
    members = row.members if row is not None else ()
    return next((letters[member.run.id] for member in members if member.run.id in letters), None)


def _bar(bar: AblationBar, metric: str, letter: int | None) -> RunBar:
    return RunBar(
        bar.key, bar.label, bar.value, bar.interval, bar.seeds, bar.heading, letter, bar.is_baseline, bar.n < FEW,
        _words(bar, metric),
    )  # fmt: skip


def _words(bar: AblationBar, metric: str) -> str:
    """All that a bar says, for tooltip and screen readers."""
    named = " + ".join(filter(None, (bar.feature.features, bar.feature.variant)))
    over = ""
    if bar.seeds:
        over = f", mean of {words.counted(len(bar.seeds), 'seed')}, SD {words.score(bar.deviation)}"
    elif bar.interval is not None:
        over = f", 95 % interval {words.interval(bar.interval)}"
    parts = [
        f"{bar.name}: {metric_title(metric)} {words.score(bar.value)}{over}",
        f"Baseline, n {words.count(bar.n)}" if bar.is_baseline else f"n {words.count(bar.n)}",
        "" if bar.difference is None else f"{words.signed(bar.difference)} to the baseline",
        named if named and named != bar.name else "",
    ]
    return "\n".join(filter(None, parts))


def _note(elsewhere: int, without: int, beyond: int, group: LeaderboardGroup, metric: str) -> str:
    """What is not shown, and what whiskers are."""
    parts = [
        f"{words.counted(elsewhere, 'ticked run')} of other data or another rule not shown." if elsewhere > 0 else "",
        f"{words.counted(without, 'run')} without a value not shown." if without else "",
        f"The first {MOST_BARS} of {words.count(MOST_BARS + beyond)}: tick those that you want." if beyond else "",
        "Lower is better." if group.lower_is_better(metric) else "",
        "Whiskers: 95 % intervals over whole episodes; dots: seeds of a mean.",
    ]
    return " ".join(filter(None, parts))
