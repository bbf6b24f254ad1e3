"""The scored steps of a run of asking as columns, so that a curve over the threshold does not go step by step.

The rules are those of `core.scoring.ask_streams` and `ask_steps`, which say them in words; a test holds both against
each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.ask_steps import ScoredAskStep
from stepscope.core.scoring.ask_streams import Answered, AskSetting, StreamRule
from stepscope.core.scoring.ask_tally import COLUMNS, SUCCESS, success
from stepscope.core.scoring.statistics import FloatArray

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
_KNOWN = ("right", "right_after", "right_whole", "right_unasked", "asks_after", "asks_whole")
_NONE = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class AskArrays:
    """One entry a step; `unit` is its episode, of `units`. `due` is -1 where nothing is missing, `stretch` numbers the
    steps about one question of one episode. `known` has the verdicts that may be missing: 1, 0, and -1 for none.
    `likeness` has cos_sim and meteor, NaN where not measured."""

    units: int
    unit: Numbers
    step: Numbers
    due: Numbers
    stretch: Numbers
    stretches: int
    asked: Flags
    judged: Flags
    partial: Flags
    unread: Flags
    known: dict[str, Numbers]
    chance: FloatArray
    likeness: dict[str, FloatArray]

    @classmethod
    def of(cls, episodes: Sequence[Sequence[ScoredAskStep]]) -> AskArrays:
        """The columns of these episodes' steps."""
        steps = [step for episode in episodes for step in episode]
        unit = np.repeat(np.arange(len(episodes)), [len(episode) for episode in episodes]).astype(np.int64)
        due = np.array([-1 if step.due is None else step.due for step in steps], dtype=np.int64)
        pairs = np.stack([unit, due], axis=1) if steps else np.zeros((0, 2), dtype=np.int64)
        names, stretch = np.unique(pairs, axis=0, return_inverse=True)
        return cls(
            len(episodes),
            unit,
            np.array([step.step for step in steps], dtype=np.int64),
            due,
            stretch.reshape(-1).astype(np.int64),
            len(names),
            np.array([step.asked for step in steps], dtype=np.bool_),
            np.array([step.judged for step in steps], dtype=np.bool_),
            np.array([step.partial for step in steps], dtype=np.bool_),
            np.array([step.unread for step in steps], dtype=np.bool_),
            {name: _column(steps, name) for name in _KNOWN},
            np.array([np.nan if step.chance is None else step.chance for step in steps], dtype=np.float64),
            {
                name: np.array([step.likeness.get(name, np.nan) for step in steps], dtype=np.float64)
                for name in ("cos_sim", "meteor")
            },
        )

    @property
    def acts(self) -> bool:
        """Whether the agent does anything but ask."""
        return bool((self.known["right"] >= 0).any() or (self.unread.size and self.unread.all()))

    def asking_above(self, threshold: float | None) -> AskArrays:
        """As if the agent asked where its score is at least `threshold`; None: nowhere."""
        none = np.zeros(len(self.asked), dtype=np.bool_)
        return replace(self, asked=none if threshold is None else self.chance >= threshold)

    def evaluated(self, rule: StreamRule) -> tuple[FloatArray, FloatArray]:
        """What `ask_tally.evaluated` gives for the same steps: sums by episode, and how often the person is asked."""
        right, counts, asks = self._counted(rule)
        before, after = (self.due >= 0) & (self.step < self.due), (self.due >= 0) & (self.step > self.due)
        columns = [right & counts, counts, right & counts & before, counts & before, right & counts & after,
                   counts & after]  # fmt: skip
        tallied = np.stack([self._by_unit(one) for one in columns], axis=1)
        sums = np.zeros((self.units, len(COLUMNS)))
        sums[:, : len(SUCCESS)] = np.stack(success(tallied), axis=1)
        if rule.may_ask:
            self._add_timing(sums, rule)
        return sums, self._by_unit(asks)

    def _by_unit(self, values: Flags | FloatArray) -> FloatArray:
        return np.bincount(self.unit, weights=values.astype(np.float64), minlength=self.units).astype(np.float64)

    def _first_asks(self) -> Numbers:
        """For each step the first ask of its stretch, `_NONE` without one."""
        first = np.full(self.stretches, _NONE, dtype=np.int64)
        np.minimum.at(first, self.stretch[self.asked], self.step[self.asked])
        return first[self.stretch]

    def _counted(self, rule: StreamRule) -> tuple[Flags, Flags, Flags]:
        """`ask_streams.counted`: whether each step is right, counts at all, and puts a question to the person."""
        right, known = self.known["right"] == 1, self.known
        own = right & ~self.asked
        unasked = np.where(known["right_unasked"] >= 0, known["right_unasked"] == 1, right)
        if rule.setting is AskSetting.INCOMPLETE:
            return unasked, self.judged, np.zeros_like(self.asked)
        if rule.setting is AskSetting.ORIGINAL:
            whole = np.where(self.partial, known["right_whole"] == 1, unasked)
            return whole, self.judged, self.partial & (known["asks_whole"] == 1)
        ask, missing = self._first_asks(), self.due >= 0
        found, always = missing & (ask < _NONE), rule.answered is Answered.ALWAYS
        again = found & rule.dual & (ask < self.due) & (ask <= self.step) & (self.step <= self.due)
        later = missing & (self.step > self.due)
        told = later & np.where(found, (ask < self.step) | always, always)
        is_due = missing & (self.step == self.due)
        ran = known["asks_after"] >= 0
        second = (again | told) & ran
        answered = np.where(known["right_after"] >= 0, known["right_after"] == 1, own)
        acted = np.where(second, answered, own)
        asks = np.where(second, (known["asks_after"] == 1) | ((self.step == ask) & again), self.asked)
        asks_due = np.where(again & ran, known["asks_after"] == 1, self.asked)
        return (
            np.where(is_due, again | self.asked, acted),
            self.judged | is_due,
            np.where(is_due, asks_due, asks),
        )

    def _add_timing(self, sums: FloatArray, rule: StreamRule) -> None:
        """`ask_match.judge_episode` on every stretch: TP, FP, FN, TN, and the likeness of the question that counts."""
        is_due = (self.due >= 0) & (self.step == self.due)
        early = self.asked & (self.due >= 0) & (self.step < self.due) & rule.dual
        reached = self._any(is_due)
        first_early = self.step == self._first_asks()
        credited = early & first_early & reached & rule.credit
        hit = np.where(self._any(credited), credited, is_due & self.asked)
        fp = self.asked & ~early & ~is_due
        fn = is_due & ~self._any(hit)
        columns = {"tp": hit, "fp": fp, "fn": fn, "tn": ~is_due & ~fp}
        for name, values in columns.items():
            sums[:, COLUMNS.index(name)] = self._by_unit(values)
        for name, likeness in self.likeness.items():
            measured = hit & ~np.isnan(likeness)
            sums[:, COLUMNS.index(name)] = self._by_unit(np.where(measured, likeness, 0.0))
            sums[:, COLUMNS.index(f"with_{name}")] = self._by_unit(measured)

    def _any(self, values: Flags) -> Flags:
        """For each step whether it holds anywhere in its stretch."""
        found = np.zeros(self.stretches, dtype=np.bool_)
        found[self.stretch[values]] = True
        return found[self.stretch]


def _column(steps: Sequence[ScoredAskStep], name: str) -> Numbers:
    values = (getattr(step, name) for step in steps)
    return np.array([-1 if value is None else int(value) for value in values], dtype=np.int64)
