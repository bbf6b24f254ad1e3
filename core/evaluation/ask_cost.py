"""What asking costs and what it brings: success over questions a task, for every threshold at which an agent could ask.

All of it comes out of stored answers: where an agent says at each step how likely a question is due, what it does there
and what once answered, it can be told after the fact to ask at another threshold. Ours; the paper has one point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from stepscope.core.evaluation.ask_arrays import AskArrays
from stepscope.core.evaluation.ask_settings import ASKS, DRAWS, AskedEpisodes, AskSwitches, tally_in
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.ask_steps import ScoredAskStep
from stepscope.core.scoring.ask_streams import AskSetting
from stepscope.core.scoring.bootstrap import Interval, drawn_together, interval_of
from stepscope.core.scoring.tally import Tally

MOST_POINTS = 41
"""Points of a curve: where there are more different scores, some in equal steps of their ranks."""


@dataclass(frozen=True, slots=True)
class CostPoint:
    """Success and asks of one way to decide when to ask. `threshold`: asks where its score is at least that; None: it
    never asks, or there is no threshold. `gained`: SSR over not asking at all by questions a task."""

    threshold: float | None
    ssr: float | None
    interval: Interval | None
    sr: float | None
    asks: float
    precision: float | None
    recall: float | None
    f1: float | None
    gained: float | None
    name: str = ""
    """of another run, "" for a point of the curve"""
    same_items: bool = True
    """whether that other run is about the same steps"""


@dataclass(frozen=True, slots=True)
class AskCost:
    """`points` of the curve go from never asking to asking everywhere; none where there is no curve, and `why`. `own`
    is the point as the run asked, `best` the place of the point with the highest SSR (of several the one that asks
    least). `others` are runs that decide otherwise when to ask. `whole` is the SSR when told the whole goal,
    `incomplete` that without asking."""

    setting: AskSetting
    own: CostPoint
    whole: float | None
    incomplete: float | None
    points: tuple[CostPoint, ...] = ()
    best: int | None = None
    others: tuple[CostPoint, ...] = ()
    why: str = ""

    @property
    def own_place(self) -> int | None:
        """The place of the first point with as many asks and as much success as the run itself."""
        here = [(one.asks, one.ssr, one.precision, one.recall) for one in self.points]
        own = self.own.asks, self.own.ssr, self.own.precision, self.own.recall
        return here.index(own) if own in here else None


def ask_cost(
    asked: AskedEpisodes,
    switches: AskSwitches | None = None,
    others: Mapping[str, AskedEpisodes] | None = None,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> AskCost:
    """The curve of a run with its own point, and other runs beside it by their names."""
    chosen = switches or AskSwitches()
    why = why_no_curve(asked)
    thresholds = () if why else thresholds_of(asked)
    arrays = AskArrays.of(asked.episodes)
    curve = [arrays.asking_above(threshold) for threshold in thresholds]
    beside = dict(others or {})
    none = _ssr(tally_in(arrays, chosen.rule(AskSetting.INCOMPLETE)))
    points = _points((arrays, *curve), (own_threshold(asked), *thresholds), chosen, none, draws, seed)
    own, along = points[0], points[1:]
    ssrs = [-1.0 if one.ssr is None else one.ssr for one in along]
    found: list[CostPoint] = []
    here = _places(asked) if beside else frozenset()
    for name, other in beside.items():
        theirs = AskArrays.of(other.episodes)
        its = _ssr(tally_in(theirs, chosen.rule(AskSetting.INCOMPLETE)))
        same = _places(other) == here
        found += _points((theirs,), (None,), chosen, its, draws, seed, name=name, same=same)
    return AskCost(
        chosen.setting,
        own,
        _ssr(tally_in(arrays, chosen.rule(AskSetting.ORIGINAL))) if asked.told_whole else None,
        none,
        along,
        ssrs.index(max(ssrs)) if any(one.ssr is not None for one in along) else None,
        tuple(found),
        why,
    )


def why_no_curve(asked: AskedEpisodes) -> str:
    """Why the run cannot be told to ask at another threshold; "" where it can."""
    steps = [*chain.from_iterable(asked.episodes)]
    if not any(step.chance is not None for step in steps):
        return "The agent does not say how likely a question is due."
    if not asked.acts:
        return "The agent only asks, so that there is no success to compare."
    if any(step.judged and step.asked and step.right is None for step in steps):
        return "The agent does not say what it would do where it asks."
    due = [step for step in steps if step.due is not None]
    if due and not any(step.asks_after is not None for step in due if not step.asked):
        return "The agent does not say what it would do after an answer where it did not ask."
    return ""


def thresholds_of(asked: AskedEpisodes) -> tuple[float | None, ...]:
    """None (never), then from the highest score down to the lowest, which asks everywhere."""
    said = {step.chance for steps in asked.episodes for step in steps if step.chance is not None}
    scores = sorted(said, reverse=True)
    if len(scores) >= MOST_POINTS:
        places = np.linspace(0, len(scores) - 1, MOST_POINTS - 1).round().astype(int)
        own = own_threshold(asked)
        kept = {scores[place] for place in places.tolist()} | ({own} if own is not None else set())
        scores = sorted(kept, reverse=True)
    return (None, *scores)


def own_threshold(asked: AskedEpisodes) -> float | None:
    """The highest threshold at which the run asks where it did: its lowest score with an ask. None where it never asks
    or says no scores."""
    found = [step.chance for steps in asked.episodes for step in steps if step.asked and step.chance is not None]
    return min(found, default=None)


def asking_above(asked: AskedEpisodes, threshold: float | None) -> AskedEpisodes:
    """The same answers as if the agent asked where its score is at least `threshold`; None: nowhere. What a question
    says is not known where there was none: its likeness stays that of the questions that were asked."""
    return AskedEpisodes(asked.names, tuple(_above(steps, threshold) for steps in asked.episodes))


def _above(steps: tuple[ScoredAskStep, ...], threshold: float | None) -> tuple[ScoredAskStep, ...]:
    """The same steps where nothing changes: there are many thresholds."""
    asks = [threshold is not None and step.chance is not None and step.chance >= threshold for step in steps]
    if all(step.asked == one for step, one in zip(steps, asks, strict=True)):
        return steps
    return tuple(step if step.asked == one else step._replace(asked=one) for step, one in zip(steps, asks, strict=True))


def _points(
    several: Sequence[AskArrays],
    thresholds: Sequence[float | None],
    switches: AskSwitches,
    none: float | None,
    draws: int,
    seed: int,
    *,
    name: str = "",
    same: bool = True,
) -> tuple[CostPoint, ...]:
    tallies = [tally_in(one, switches.rule(switches.setting)) for one in several]
    drawn = drawn_together(tallies, draws=draws, seed=seed) if draws and tallies[0].units else [{}] * len(tallies)
    found = []
    for tally, threshold, draw in zip(tallies, thresholds, drawn, strict=True):
        values = dict(tally.values())
        ssr, asks = values["ssr"], values[ASKS] or 0.0
        found.append(
            CostPoint(
                threshold,
                ssr,
                interval_of(draw["ssr"]) if draw and ssr is not None else None,
                values["sr"],
                asks,
                values["ask_precision"],
                values["ask_recall"],
                values["ask_f1"],
                (ssr - none) / asks if ssr is not None and none is not None and asks else None,
                name,
                same,
            )
        )
    return tuple(found)


def _ssr(tally: Tally) -> float | None:
    return dict(tally.values())["ssr"]


def _places(asked: AskedEpisodes) -> frozenset[tuple[str, int]]:
    return frozenset(
        (name, step.step) for name, steps in zip(asked.names, asked.episodes, strict=True) for step in steps
    )
