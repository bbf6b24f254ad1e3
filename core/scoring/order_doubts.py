"""Interchangeable steps as a prediction: how well a model's doubt about pairs of steps finds those that several right
orders put otherwise (ours; docs/protocols/ordering.md). The question is that of Wu et al. 2022, section 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from stepscope.core.domain.prediction import OrderAnswer
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.feasibility_match import average_precision
from stepscope.core.scoring.statistics import FloatArray, quotient, ratio
from stepscope.core.scoring.tally import Tally

IN_DOUBT = 0.5
"""The doubt from which a pair is called interchangeable: P(one before the other) from 0.25 to 0.75."""

DOUBT_METRICS = ("average_precision", "f1", "base_rate", "constant_f1")
_HITS, _SAID, _MEANT, _PAIRS = range(4)

Order = Sequence[str]


@dataclass(frozen=True, slots=True)
class PairDoubt:
    """Two steps of a procedure as the answer orders them: how much the model doubts that, and whether right orders
    differ about it."""

    first: str
    second: str
    doubt: float
    interchangeable: bool

    @property
    def said(self) -> bool:
        return self.doubt >= IN_DOUBT


def doubt_of(chance: float) -> float:
    """From 0 (sure either way) to 1 (no idea) for P(one step before another)."""
    return 1 - abs(2 * chance - 1)


def interchangeable_pairs(references: Sequence[Order]) -> frozenset[frozenset[str]]:
    """The pairs of steps that two of these orders of the same steps put otherwise."""
    places = [{step: place for place, step in enumerate(order)} for order in references]
    steps = references[0] if references else ()
    return frozenset(
        frozenset(pair)
        for pair in combinations(steps, 2)
        if len({place[pair[0]] < place[pair[1]] for place in places}) > 1
    )


def pair_doubts(answer: OrderAnswer, references: Sequence[Order]) -> tuple[PairDoubt, ...]:
    """All pairs of a procedure; none where its right orders are one and the same, where the answer is no order of its
    steps or tells no chances for all of them. A pair's chance stands above the diagonal."""
    meant, count = interchangeable_pairs(references), len(answer.order)
    if not meant or sorted(answer.order) != sorted(references[0]):
        return ()
    if len(answer.before) != count or any(len(row) != count for row in answer.before):
        return ()
    chances = {(i, j): answer.before[i][j] for i, j in combinations(range(count), 2)}
    if not all(0 <= chance <= 1 for chance in chances.values()):  # NaN is neither
        return ()
    return tuple(
        PairDoubt(
            answer.order[i], answer.order[j], doubt_of(chance), frozenset((answer.order[i], answer.order[j])) in meant
        )
        for (i, j), chance in chances.items()
    )


def doubt_tally(procedures: Sequence[Sequence[PairDoubt]]) -> Tally:
    """`DOUBT_METRICS` over the pairs of all procedures; a procedure is what intervals draw whole.

    `average_precision` ranks all pairs by doubt, equal ones coming in together; `f1` takes those from IN_DOUBT on.
    Who doubts all pairs alike reaches `base_rate`, the share of interchangeable pairs, and `constant_f1`.
    """
    pairs = [pair for one in procedures for pair in one]
    owner = np.repeat(np.arange(len(procedures)), np.array([len(one) for one in procedures], np.int64))
    ranked = average_precision(
        np.array([pair.interchangeable for pair in pairs], np.bool_), np.array([pair.doubt for pair in pairs])
    )

    def of_procedures(weights: FloatArray) -> FloatArray:
        """Draw by draw: the weights of all pairs in all draws at once would be a hundred times those of procedures."""
        return np.concatenate([ranked(row[owner][None, :]) for row in weights])

    sums = np.zeros((len(procedures), 4))
    for row, one in zip(sums, procedures, strict=True):
        row[_HITS] = sum(pair.said and pair.interchangeable for pair in one)
        row[_SAID], row[_MEANT] = sum(pair.said for pair in one), sum(pair.interchangeable for pair in one)
        row[_PAIRS] = len(one)
    statistics = {
        "f1": lambda s: quotient(2 * s[:, _HITS], s[:, _SAID] + s[:, _MEANT]),
        "base_rate": ratio(_MEANT, _PAIRS),
        "constant_f1": lambda s: quotient(2 * s[:, _MEANT], s[:, _PAIRS] + s[:, _MEANT]),
    }
    units = np.arange(len(procedures))
    return Tally(sums, statistics, units, weighted={"average_precision": of_procedures}, order=DOUBT_METRICS)
