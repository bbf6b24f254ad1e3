"""The four settings of Navi-plus, table 1, out of the stored answers of one run: no model is asked again.

A run of `ask` stores at each step whether the agent asks and what it does, what it does once its question has been
answered, what it does when told the whole goal, and what when it may not ask. Which of these count under a setting says
`core.scoring.ask_streams`. Recovery and the cost of an ask are ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from stepscope.core.evaluation.ask_arrays import AskArrays
from stepscope.core.evaluation.column_metrics import scored_items
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.ask_steps import ScoredAskStep, acts, steps_by_episode
from stepscope.core.scoring.ask_streams import Answered, AskSetting, StreamRule
from stepscope.core.scoring.ask_tally import COLUMNS, STATISTICS, SUCCESS, TIMING
from stepscope.core.scoring.bootstrap import Interval, drawn_together, interval_of
from stepscope.core.scoring.statistics import FloatArray, quotient, ratio
from stepscope.core.scoring.tally import Tally
from stepscope.core.store.columns import SCORED, RunColumns

SUCCESSES = ("ssr", "sr", "ssr_before", "ssr_after")
ASKS = "asks"
"""Questions that the person gets, a task."""
SETTINGS = tuple(AskSetting)
DRAWS = 1000
_NO_ACTIONS = "The agent only asks and does nothing, so that no step can be right or wrong."
_NO_WHOLE = "The agent was not told the whole goal."


@dataclass(frozen=True, slots=True)
class AskSwitches:
    """What can be chosen after the fact. `dual`: which of the settings with asking is looked at; `credit`: an early ask
    counts as the right one (`early_ask=credit`); `answered`: when the answer is in the context after the due step."""

    dual: bool = True
    credit: bool = False
    answered: Answered = Answered.ASKED

    @property
    def setting(self) -> AskSetting:
        """The setting with asking that is looked at."""
        return AskSetting.DUAL if self.dual else AskSetting.ASK

    def rule(self, setting: AskSetting) -> StreamRule:
        return StreamRule(setting, self.credit, self.answered)


@dataclass(frozen=True, slots=True)
class AskedEpisodes:
    """The scored steps of a run by episode; `names` has the episodes in the same order."""

    names: tuple[str, ...]
    episodes: tuple[tuple[ScoredAskStep, ...], ...]

    @property
    def steps(self) -> int:
        return sum(map(len, self.episodes))

    @property
    def acts(self) -> bool:
        """Whether the agent does anything but ask."""
        return acts(self.episodes)

    @property
    def told_whole(self) -> bool:
        """Whether the agent was told the whole goal in some episode that leaves something out; also where none does."""
        partial = [step for steps in self.episodes for step in steps if step.partial]
        missing = any(step.due is not None for steps in self.episodes for step in steps)
        return any(step.right_whole is not None or step.asks_whole is not None for step in partial) or not (
            partial or missing
        )

    def without(self, names: frozenset[str]) -> AskedEpisodes:
        """Those that are not named."""
        kept = [(name, steps) for name, steps in zip(self.names, self.episodes, strict=True) if name not in names]
        return AskedEpisodes(tuple(name for name, _ in kept), tuple(steps for _, steps in kept))

    @property
    def wholes_unknown(self) -> frozenset[str]:
        """Episodes in which a question is due, but whose whole goal the data does not have."""
        return frozenset(
            name
            for name, steps in zip(self.names, self.episodes, strict=True)
            if any(step.due is not None for step in steps) and not any(step.partial for step in steps)
        )


def asked_episodes(columns: RunColumns) -> AskedEpisodes:
    """The steps of a run of `ask` out of its stored scores. Raises StoreError when these cannot be read any more."""
    items = scored_items(columns, np.flatnonzero(columns.status == SCORED))
    return AskedEpisodes(tuple(items.names), tuple(map(tuple, steps_by_episode(items))))


@dataclass(frozen=True, slots=True)
class AskSettingRow:
    """One setting. `values` has the metrics of `ask` and `asks`, questions a task; None where it has no value, as those
    about asking where it cannot ask. `intervals`: 95 %, episodes drawn.

    `drop` is how much less its SSR is than that of ORIGINAL, `recovery` the share of INCOMPLETE's drop that is won back
    (None where there is no drop), `relative` a metric's value by that of ORIGINAL, as the paper prints it in green;
    `gained` the SSR over INCOMPLETE that a question brings: (ssr − that of INCOMPLETE) by questions a task. `why` there
    are no numbers.
    """

    setting: AskSetting
    episodes: int
    values: Mapping[str, float | None]
    intervals: Mapping[str, Interval]
    drop: float | None = None
    drop_interval: Interval | None = None
    recovery: float | None = None
    recovery_interval: Interval | None = None
    relative: Mapping[str, float | None] = field(default_factory=dict)
    gained: float | None = None
    why: str = ""

    def value(self, metric: str) -> float | None:
        return self.values.get(metric)

    @property
    def ssr(self) -> float | None:
        return self.value("ssr")

    @property
    def asks(self) -> float | None:
        return self.value(ASKS)


@dataclass(frozen=True, slots=True)
class FourSettings:
    """The table: ORIGINAL, INCOMPLETE, ASK and DUAL over the same `episodes`, of which `without_question` leave nothing
    out. `left_out` are episodes whose whole goal the data does not have: no setting counts them where ORIGINAL has a
    value."""

    rows: tuple[AskSettingRow, ...]
    episodes: int
    steps: int
    without_question: int
    left_out: int = 0
    unanswered: int = 0
    """steps after the due one that count with the answer, of which the run does not say what it does with it: the first
    stream's stand"""

    def row(self, setting: AskSetting) -> AskSettingRow:
        return self.rows[SETTINGS.index(setting)]


def four_settings(
    asked: AskedEpisodes, switches: AskSwitches | None = None, *, draws: int = DRAWS, seed: int = 0
) -> FourSettings:
    """The table of a run. `draws` 0: no intervals."""
    chosen = switches or AskSwitches()
    known = asked.told_whole
    kept = asked.without(asked.wholes_unknown) if known else asked
    arrays = AskArrays.of(kept.episodes)
    tallies = [tally_in(arrays, chosen.rule(setting)) for setting in SETTINGS]
    drawn = drawn_together(tallies, draws=draws, seed=seed) if draws and kept.names else None
    rows = tuple(
        _row(place, tallies, drawn, acts=asked.acts, known=known, episodes=len(kept.names))
        for place in range(len(SETTINGS))
    )
    quiet = sum(all(step.due is None for step in steps) for steps in kept.episodes)
    left_out = len(asked.names) - len(kept.names)
    return FourSettings(rows, len(kept.names), kept.steps, quiet, left_out, _unanswered(kept, chosen))


def tally_of(asked: AskedEpisodes, rule: StreamRule) -> Tally:
    """The metrics of `ask` under the rule, and `asks`; a unit is an episode."""
    return tally_in(AskArrays.of(asked.episodes), rule)


def tally_in(arrays: AskArrays, rule: StreamRule) -> Tally:
    """The same of steps that are columns already."""
    sums, asks = arrays.evaluated(rule)
    if not arrays.acts:
        sums[:, : len(SUCCESS)] = 0
    if rule.setting is AskSetting.INCOMPLETE:
        asks[:] = 0
    columns = np.column_stack([sums, asks, np.ones(len(asks))])
    statistics = {**STATISTICS, ASKS: ratio(len(COLUMNS), len(COLUMNS) + 1)}
    return Tally(columns, statistics, np.arange(len(asks), dtype=np.int64))


def _unanswered(asked: AskedEpisodes, switches: AskSwitches) -> int:
    """Only where the answer is taken to be there always: a run that asked has it from its ask on."""
    if switches.answered is not Answered.ALWAYS:
        return 0
    steps = (step for steps in asked.episodes for step in steps)
    return sum(step.due is not None and step.step > step.due and step.asks_after is None for step in steps)


def _row(
    place: int,
    tallies: Sequence[Tally],
    drawn: Sequence[Mapping[str, FloatArray]] | None,
    *,
    acts: bool,
    known: bool,
    episodes: int,
) -> AskSettingRow:
    setting = SETTINGS[place]
    if setting is AskSetting.ORIGINAL and not known:
        return AskSettingRow(setting, 0, {}, {}, why=_NO_WHOLE)
    values = _values(tallies[place], setting)
    of = {one: _values(tally, one) for one, tally in zip(SETTINGS, tallies, strict=True)}
    first, told = of[AskSetting.ORIGINAL] if known else {}, of[AskSetting.INCOMPLETE]
    draw: FloatArray | None = None
    lost: FloatArray | None = None
    if drawn is not None and known and acts:
        whole, part = drawn[0]["ssr"], drawn[1]["ssr"]
        draw = drawn[place]["ssr"] - whole
        lost = quotient(drawn[place]["ssr"] - part, whole - part)
    asking = setting in (AskSetting.ASK, AskSetting.DUAL)
    return AskSettingRow(
        setting,
        episodes,
        values,
        {} if drawn is None else _intervals(drawn[place], values),
        drop=None if setting is AskSetting.ORIGINAL else _less(first.get("ssr"), values.get("ssr")),
        drop_interval=None if draw is None or setting is AskSetting.ORIGINAL else _turned(interval_of(draw)),
        recovery=_recovery(first.get("ssr"), told.get("ssr"), values.get("ssr")) if asking else None,
        recovery_interval=interval_of(lost) if asking and lost is not None and _has_drop(first, told) else None,
        relative={name: _by(values.get(name), first.get(name)) for name in SUCCESSES},
        gained=_by(_less(values.get("ssr"), told.get("ssr")), values.get(ASKS)) if asking else None,
        why="" if acts else _NO_ACTIONS,
    )


def _values(tally: Tally, setting: AskSetting) -> dict[str, float | None]:
    """The metrics of a setting; those about when it asks only where it may."""
    asking = setting in (AskSetting.ASK, AskSetting.DUAL)
    return {name: value for name, value in tally.values() if asking or name in (*SUCCESSES, ASKS)}


def _intervals(drawn: Mapping[str, FloatArray], values: Mapping[str, float | None]) -> dict[str, Interval]:
    found = {name: interval_of(drawn[name]) for name, value in values.items() if value is not None}
    return {name: interval for name, interval in found.items() if interval is not None}


def _has_drop(first: Mapping[str, float | None], told: Mapping[str, float | None]) -> bool:
    lost = _less(first.get("ssr"), told.get("ssr"))
    return lost is not None and lost > 0


def _recovery(first: float | None, told: float | None, value: float | None) -> float | None:
    """The share of the drop that is won back; None without a drop."""
    lost, won = _less(first, told), _less(value, told)
    return None if lost is None or won is None or lost <= 0 else won / lost


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _by(above: float | None, below: float | None) -> float | None:
    return None if above is None or not below else above / below


def _turned(interval: Interval | None) -> Interval | None:
    """The interval of the same with the other sign."""
    return None if interval is None else (-interval[1], -interval[0])


__all__ = [
    "ASKS",
    "DRAWS",
    "SETTINGS",
    "SUCCESSES",
    "TIMING",
    "AskSettingRow",
    "AskSwitches",
    "AskedEpisodes",
    "FourSettings",
    "asked_episodes",
    "four_settings",
    "tally_in",
    "tally_of",
]  # fmt: skip
