"""What a run of step ordering gets wrong: kinds of mistakes, categories, one reference or several, what another run has
otherwise, and whether its doubts find interchangeable steps. Definitions: docs/protocols/ordering.md.

Everything is worked out from values in hand; who reads runs, data and people's orders is `app.services.order_results`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from stepscope.core.domain.human_order import StepOrder
from stepscope.core.domain.prediction import OrderAnswer, Prediction, PredictionStatus
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.breakdown.groups import wilson
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.bootstrap import Interval, intervals
from stepscope.core.scoring.order_doubts import PairDoubt, doubt_tally, pair_doubts
from stepscope.core.scoring.order_errors import OrderError, OrderErrorKind, order_error
from stepscope.core.scoring.ordering import OrderingScorer
from stepscope.core.scoring.paired_tests import Difference, compare
from stepscope.core.scoring.rule import Options, ScoredItem
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.statistics import FloatArray, ratio
from stepscope.core.scoring.tally import Tally

DRAWS = 1000
FIRST_WRONG, LAST_WRONG = "first_wrong", "last_wrong"
_WHOLE = -1


@dataclass(frozen=True, slots=True)
class OrderValues:
    """What one party reached on one procedure; of several people the means."""

    pmr: float
    tau: float


@dataclass(frozen=True, slots=True)
class OrderItem:
    """One scored procedure of a run. `answer` is None without a usable one, `procedure` where the data cannot be read;
    `alternatives` are orders that people call right too, beside those of the data."""

    name: str
    category: str
    values: OrderValues
    answer: OrderAnswer | None
    procedure: Procedure | None = None
    alternatives: tuple[StepOrder, ...] = ()

    @property
    def references(self) -> tuple[StepOrder, ...]:
        """All different orders that are right, by the data and by people, the recorded one first."""
        return () if self.procedure is None else tuple(dict.fromkeys((*self.procedure.references, *self.alternatives)))

    @property
    def widened(self) -> bool:
        """Whether people call an order right that the data does not."""
        known = () if self.procedure is None else self.procedure.references
        return any(order not in known for order in self.alternatives)


@dataclass(frozen=True, slots=True)
class ErrorShare:
    """How many of `n` procedures are of this kind, with the 95 % interval of the share, and which."""

    kind: str
    n: int
    procedures: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.procedures)

    @property
    def share(self) -> float | None:
        return self.count / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        return wilson(self.count, self.n) if self.n else None


@dataclass(frozen=True, slots=True)
class OrderErrors:
    """`kinds` are all kinds, which exclude one another; `flags` whether the first and the last step is wrong, of any of
    them. Of `unread` procedures the reference is not known."""

    kinds: tuple[ErrorShare, ...]
    flags: tuple[ErrorShare, ...]
    unread: int


@dataclass(frozen=True, slots=True)
class CategoryScore:
    """A category's share of orders that are right throughout, over `procedures`; `gap` compares it with another
    party's on the `common` procedures, None where there are none."""

    name: str
    right: int
    procedures: tuple[str, ...]
    common: int = 0
    gap: Difference | None = None

    @property
    def n(self) -> int:
        return len(self.procedures)

    @property
    def pmr(self) -> float:
        return self.right / self.n

    @property
    def interval(self) -> Interval:
        return wilson(self.right, self.n)


@dataclass(frozen=True, slots=True)
class ReferencePart:
    """All six metrics of the same answers over some procedures: against all references (a) and against the recorded
    order alone (b)."""

    procedures: tuple[str, ...]
    differences: tuple[Difference, ...]

    @property
    def n(self) -> int:
        return len(self.procedures)


@dataclass(frozen=True, slots=True)
class ReferenceScores:
    """`several` are the procedures with more than one right order, `by_people` of these those with one that only people
    gave."""

    every: ReferencePart
    several: ReferencePart
    by_people: int


@dataclass(frozen=True, slots=True)
class ProcedureChange:
    """A procedure under the run and under another party: `flip` is 1 where the run alone is right throughout, -1 where
    the other alone is."""

    name: str
    own: OrderValues
    other: OrderValues

    @property
    def flip(self) -> int:
        return (self.own.pmr == 1) - (self.other.pmr == 1)

    @property
    def tau(self) -> float:
        """To twelve digits, so that equal differences of thirds are equal."""
        return round(self.own.tau - self.other.tau, 12)


@dataclass(frozen=True, slots=True)
class OrderFlips:
    """The run (a) against another party (b) on `n` common procedures. `changes` has those in which they differ, the
    largest gain in tau first."""

    n: int
    changes: tuple[ProcedureChange, ...]
    differences: tuple[Difference, ...]

    def flipped(self, flip: int) -> tuple[str, ...]:
        """1: what turned from wrong to right, -1: from right to wrong."""
        return tuple(one.name for one in self.changes if one.flip == flip)

    def moved(self, sign: int) -> tuple[str, ...]:
        """1: where tau is higher than the other's, -1: lower."""
        return tuple(one.name for one in self.changes if one.tau * sign > 0)


@dataclass(frozen=True, slots=True)
class DoubtedProcedure:
    name: str
    pairs: tuple[PairDoubt, ...]


@dataclass(frozen=True, slots=True)
class OrderDoubts:
    """Interchangeable steps as the run's doubts predict them, over `procedures` with several right orders; of `silent`
    ones with several the answer tells no chances. `values` and `ci` are by `DOUBT_METRICS`."""

    procedures: tuple[DoubtedProcedure, ...]
    silent: int
    values: Mapping[str, float | None]
    ci: Mapping[str, Interval]

    def pairs(self, *, said: bool, meant: bool) -> tuple[int, tuple[str, ...]]:
        """How many pairs are called interchangeable or not and are it or not, and in which procedures."""
        counts = {
            one.name: sum(pair.said == said and pair.interchangeable == meant for pair in one.pairs)
            for one in self.procedures
        }
        return sum(counts.values()), tuple(name for name, count in counts.items() if count)


def error_of(item: OrderItem) -> OrderError | None:
    """What is wrong with the answer, against the one of the data's references that it is scored against; None where
    these are not known."""
    if item.procedure is None:
        return None
    order = item.answer.order if item.answer is not None else None
    references = item.procedure.references
    several = order is not None and len(references) > 1
    taken = OrderingScorer().reference_taken(item.procedure, order) if several and order is not None else 0
    return order_error(order, references[taken])


def order_errors(items: Sequence[OrderItem]) -> OrderErrors:
    """How many answers have each kind of mistake; items whose references are not known are only counted."""
    found = {item.name: error for item in items if (error := error_of(item)) is not None}
    n = len(found)

    def share(kind: str, names: list[str]) -> ErrorShare:
        return ErrorShare(kind, n, tuple(names))

    kinds = tuple(share(kind, [name for name, one in found.items() if one.kind is kind]) for kind in OrderErrorKind)
    flags = (
        share(FIRST_WRONG, [name for name, one in found.items() if one.first_wrong]),
        share(LAST_WRONG, [name for name, one in found.items() if one.last_wrong]),
    )
    return OrderErrors(kinds, flags, len(items) - n)


def by_category(
    items: Sequence[OrderItem], other: Mapping[str, OrderValues] | None = None, *, draws: int = DRAWS, seed: int = 0
) -> tuple[CategoryScore, ...]:
    """Worst first, of equal ones the one with more procedures; "" is the category that the data does not tell."""
    groups: dict[str, list[OrderItem]] = {}
    for item in items:
        groups.setdefault(item.category, []).append(item)
    found = []
    for name, group in groups.items():
        both = [(item.values, (other or {})[item.name]) for item in group if item.name in (other or {})]
        gap = next(one for one in _compared(both, draws, seed) if one.metric == "pmr") if both else None
        right = sum(item.values.pmr == 1 for item in group)
        found.append(CategoryScore(name, right, tuple(item.name for item in group), len(both), gap))
    return tuple(sorted(found, key=lambda one: (one.pmr, -one.n, one.name)))


def against_references(
    items: Sequence[OrderItem], options: Options, *, draws: int = DRAWS, seed: int = 0
) -> ReferenceScores:
    """The same answers against one reference and against all; procedures that cannot be read are left out."""
    known = [(item, *_both_scores(item, item.procedure, options)) for item in items if item.procedure is not None]
    several = [row for row in known if len(row[0].references) > 1]
    people = sum(item.widened for item, *_ in several)
    return ReferenceScores(_part(known, options, draws, seed), _part(several, options, draws, seed), people)


def order_flips(
    items: Sequence[OrderItem], other: Mapping[str, OrderValues], *, draws: int = DRAWS, seed: int = 0
) -> OrderFlips:
    """What changes against another party on the procedures that both have, the largest gains of tau first."""
    both = [ProcedureChange(item.name, item.values, other[item.name]) for item in items if item.name in other]
    changes = sorted((one for one in both if one.flip or one.tau), key=lambda one: (-one.tau, -one.flip, one.name))
    pairs = [(one.own, one.other) for one in both]
    return OrderFlips(len(both), tuple(changes), _compared(pairs, draws, seed) if both else ())


def order_doubts(items: Sequence[OrderItem], *, draws: int = DRAWS, seed: int = 0) -> OrderDoubts:
    """How well doubts about pairs tell which steps can change places, over procedures with several right orders."""
    several = [item for item in items if len(item.references) > 1]
    told = [
        DoubtedProcedure(item.name, pairs)
        for item in several
        if item.answer is not None and (pairs := pair_doubts(item.answer, item.references))
    ]
    tally = doubt_tally([one.pairs for one in told])
    drawn = intervals(tally, draws=draws, seed=seed) if len(told) > 1 else ()  # one alone says nothing about its like
    return OrderDoubts(tuple(told), len(several) - len(told), dict(tally.values()), dict(drawn))


def _both_scores(item: OrderItem, procedure: Procedure, options: Options) -> tuple[Score, Score]:
    """Against all references, and against the recorded order."""
    status = PredictionStatus.OK if item.answer is not None else PredictionStatus.MALFORMED
    given, scorer, references = Prediction(item.name, None, item.answer, status), OrderingScorer(), item.references
    alone = scorer.score_item(replace(procedure, orders=()), given, options)
    if len(references) == 1:
        return alone, alone
    return scorer.score_item(replace(procedure, orders=references[1:]), given, options), alone


def _part(rows: Sequence[tuple[OrderItem, Score, Score]], options: Options, draws: int, seed: int) -> ReferencePart:
    scored = [row for row in rows if row[2].value is not None]
    names = tuple(item.name for item, *_ in scored)
    if not scored:
        return ReferencePart((), ())

    def tally(place: int) -> Tally:
        scores = [(row[1], row[2])[place] for row in scored]
        found = [ScoredItem(name, _WHOLE, score) for name, score in zip(names, scores, strict=True)]
        return OrderingScorer().tally(ScoredItems.of(found), options)[0]

    return ReferencePart(names, compare(tally(0), tally(1), draws=draws, seed=seed))


def _compared(pairs: Sequence[tuple[OrderValues, OrderValues]], draws: int, seed: int) -> tuple[Difference, ...]:
    """pmr and Kendall's tau of two parties on the same procedures."""
    return compare(*(_tally([pair[place] for pair in pairs]) for place in (0, 1)), draws=draws, seed=seed)


def _tally(values: Sequence[OrderValues]) -> Tally:
    pmr, tau = (np.array([getattr(one, name) for one in values], np.float64) for name in ("pmr", "tau"))
    sums: FloatArray = np.stack([pmr, tau, np.ones(len(values))], axis=1)
    yes_no = {"pmr": pmr} if bool(np.isin(pmr, (0.0, 1.0)).all()) else {}
    statistics = {"pmr": ratio(0, 2), "kendall_tau": ratio(1, 2)}
    return Tally(sums, statistics, np.arange(len(values)), yes_no=yes_no)
