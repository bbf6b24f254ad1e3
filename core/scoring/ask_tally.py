"""What the metrics of asking are computed from: one row of sums an episode, for records and for each setting of an
evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from stepscope.core.scoring.ask_steps import ScoredAskStep, verdicts
from stepscope.core.scoring.ask_streams import StreamRule, counted
from stepscope.core.scoring.statistics import FloatArray, Statistic, quotient, ratio

COLUMNS = (
    "episodes", "share", "all", "share_before", "with_before", "share_after", "with_after", "tp", "fp", "fn", "tn",
    "cos_sim", "with_cos_sim", "meteor", "with_meteor",
)  # fmt: skip
SUCCESS = COLUMNS[: COLUMNS.index("tp")]
TIMING = ("tp", "fp", "fn", "tn")


def _f1(sums: FloatArray) -> FloatArray:
    tp, fp, fn = (sums[:, COLUMNS.index(name)] for name in ("tp", "fp", "fn"))
    return quotient(2 * tp, 2 * tp + fp + fn)


def _share(above: str, *below: str) -> Statistic:
    """One column's sum over those of one or two others."""
    if len(below) == 1:
        return ratio(COLUMNS.index(above), COLUMNS.index(below[0]))
    one, other = (COLUMNS.index(name) for name in below)
    return lambda sums: quotient(sums[:, COLUMNS.index(above)], sums[:, one] + sums[:, other])


STATISTICS: dict[str, Statistic] = {
    "ssr": _share("share", "episodes"),
    "sr": _share("all", "episodes"),
    "ssr_before": _share("share_before", "with_before"),
    "ssr_after": _share("share_after", "with_after"),
    "ask_precision": _share("tp", "tp", "fp"),
    "ask_fpr": _share("fp", "fp", "tn"),
    "ask_recall": _share("tp", "tp", "fn"),
    "ask_f1": _f1,
    "cos_sim": _share("cos_sim", "with_cos_sim"),
    "meteor": _share("meteor", "with_meteor"),
}
_COUNTED_BY = {
    "ssr_before": ("with_before",),
    "ssr_after": ("with_after",),
    "ask_precision": ("tp", "fp"),
    "ask_fpr": ("fp", "tn"),
    "ask_recall": ("tp", "fn"),
    "cos_sim": ("with_cos_sim",),
    "meteor": ("with_meteor",),
}
"""The columns that say over how many things a metric is a mean, where that is not the number of episodes."""


def success(counts: FloatArray) -> list[FloatArray]:
    """The columns of `SUCCESS` out of right steps and steps: of all, before and after the ASK step, (episodes, 6).
    Zeros for an episode of which no step is known."""
    right, steps, right_before, before, right_after, after = counts.T
    known = steps > 0
    columns = [
        known.astype(np.float64),
        quotient(right, steps, empty=0.0),
        (known & (right == steps)).astype(np.float64),
    ]
    for good, of in ((right_before, before), (right_after, after)):
        columns += [quotient(good, of, empty=0.0), (of > 0).astype(np.float64)]
    return columns


def counts_of(sums: FloatArray) -> dict[str, int]:
    """Over how many things each metric is a mean, for those that are none over the episodes."""
    total = dict(zip(COLUMNS, sums.sum(axis=0).astype(int).tolist(), strict=True))
    return {metric: sum(total[name] for name in names) for metric, names in _COUNTED_BY.items()}


def evaluated(episodes: Sequence[Sequence[ScoredAskStep]], rule: StreamRule) -> tuple[FloatArray, FloatArray]:
    """One row an episode with the columns of `COLUMNS`, and how often the person is asked in each episode. The timing
    and the content are zeros in settings in which the agent cannot ask or nothing is missing."""
    sums, tallied, asks = np.zeros((len(episodes), len(COLUMNS))), np.zeros((len(episodes), 6)), np.zeros(len(episodes))
    for unit, steps in enumerate(episodes):
        if rule.may_ask:
            _add_timing(sums[unit], steps, rule)
        asks[unit] = _add_success(tallied[unit], steps, rule)
    sums[:, : len(SUCCESS)] = np.stack(success(tallied), axis=1)
    return sums, asks


def _add_timing(row: FloatArray, steps: Sequence[ScoredAskStep], rule: StreamRule) -> None:
    for verdict, found in verdicts(steps, dual=rule.dual, credit=rule.credit):
        for name in TIMING:
            row[COLUMNS.index(name)] += getattr(verdict, name)
        for name, value in found.likeness.items() if found else ():
            row[COLUMNS.index(name)] += value
            row[COLUMNS.index(f"with_{name}")] += 1


def _add_success(row: FloatArray, steps: Sequence[ScoredAskStep], rule: StreamRule) -> int:
    """Adds right steps and steps of all, before and after the due steps; gives how often the person is asked."""
    asks = 0
    for one in counted(steps, rule):
        asks += one.asks
        if one.right is None:
            continue
        row[0] += one.right
        row[1] += 1
        place = 2 if one.before else 4 if one.after else None
        if place is not None:
            row[place] += one.right
            row[place + 1] += 1
    return asks


def timing(sums: FloatArray) -> Mapping[str, int]:
    """TP, FP, FN and TN over all episodes."""
    return {name: int(sums[:, COLUMNS.index(name)].sum()) for name in TIMING}
