"""Figures of a collection of orders by several people: each of them, each condition, each procedure, text against both.

Source (paper): Wu et al. 2022, section 3.2 and appendix B. Agreement is Cohen's kappa of pairs of steps (B.3, by
`order_agreement_match`); each worker is held against every other one, and workers of too low agreement (B.2.2), or of
an accuracy below 20 % (B.2.1), are left out; shares of what helped and of confidence (B.4). Ours: the threshold of
agreement, which the paper does not name; agreement only between orders under the same condition; medians of seconds;
text against both as a paired test over procedures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from statistics import fmean, median

import numpy as np

from stepscope.core.domain.human_order import MOST_CONFIDENT, HelpfulInput, HumanOrder, StepInput
from stepscope.core.domain.prediction import OrderAnswer, Prediction
from stepscope.core.domain.procedure import Procedure
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.order_agreement_match import alternative_kappas, turned
from stepscope.core.scoring.order_pairs import Order, OrderKappa, standard_kappa, tau_of
from stepscope.core.scoring.order_references import OF_DATA
from stepscope.core.scoring.ordering import INFO, OrderingScorer
from stepscope.core.scoring.ordering_match import METRICS
from stepscope.core.scoring.paired_tests import Difference, compare
from stepscope.core.scoring.statistics import ratio
from stepscope.core.scoring.tally import Tally

LEAST_AGREEMENT = 0.2
"""Mean kappa with the others below which a worker is flagged (ours: "slight" agreement ends there, Landis and Koch
1977)."""
LEAST_ACCURACY = 0.2
"""Mean accuracy below which a worker is flagged (paper, appendix B.2.1)."""
DRAWS = 2000
"""Draws of the paired test unless others are asked for (ours)."""


class WorkerFlag(StrEnum):
    """Why a worker's orders may better be left out."""

    AGREEMENT = "agreement"
    ACCURACY = "accuracy"


@dataclass(frozen=True, slots=True)
class FlagRules:
    """Thresholds, None for none: `agreement` of the mean kappa with others over what people ordered, or over what they
    called right too where `of_alternatives`; `accuracy` of the mean accuracy."""

    agreement: float | None = LEAST_AGREEMENT
    accuracy: float | None = LEAST_ACCURACY
    of_alternatives: bool = False


USUAL_RULES = FlagRules()


@dataclass(frozen=True, slots=True)
class WorkerFigures:
    """One person: how many orders, their mean accuracy (0..1); mean kappa with each other person who ordered the same
    procedures under the same condition, of whom there are `others`, and the same over alternative orders; seconds for
    a procedure (median), confidence (mean, 1..5). None where there is nothing to count."""

    annotator: str
    orders: int
    accuracy: float | None
    kappa: float | None
    others: int
    alternative_kappa: float | None
    seconds: float | None
    confidence: float | None
    flags: tuple[WorkerFlag, ...] = ()


@dataclass(frozen=True, slots=True)
class ConditionFigures:
    """All orders under one condition: means of the metrics over orders, kappa of people (mean over procedures), seconds
    (median), confidence (mean)."""

    shown: StepInput
    orders: int
    people: int
    procedures: int
    metrics: Mapping[str, float | None]
    kappa: OrderKappa
    seconds: float | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class ProcedureFigures:
    """All orders of one procedure: mean accuracy, kappa of people under the same condition, median of seconds, mean
    confidence."""

    procedure: str
    orders: int
    accuracy: float | None
    kappa: float | None
    seconds: float | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class OrderFigures:
    """`helped` and `confidence` count answers. `both_against_text` has for each metric the difference both less text
    over the `paired` procedures that people ordered under either condition, a procedure's value being the mean over its
    orders."""

    orders: int
    workers: tuple[WorkerFigures, ...]
    conditions: tuple[ConditionFigures, ...]
    procedures: tuple[ProcedureFigures, ...]
    helped: Mapping[HelpfulInput, int]
    confidence: Mapping[int, int]
    both_against_text: tuple[Difference, ...]
    paired: int

    @property
    def flagged(self) -> tuple[str, ...]:
        return tuple(one.annotator for one in self.workers if one.flags)


Metrics = Mapping[str, float]
Scores = Mapping[tuple[str, str, str, bool], Metrics]
"""By the order's key."""
Group = tuple[str, StepInput]
"""A procedure under a condition."""


def order_figures(
    orders: Iterable[HumanOrder],
    procedures: Mapping[str, Procedure],
    rules: FlagRules = USUAL_RULES,
    *,
    references: object = OF_DATA,
    draws: int = DRAWS,
    seed: int = 0,
) -> OrderFigures:
    """The figures of these orders, each of another person or procedure. Orders of procedures that are not there, or of
    other steps than theirs, are left out. `references` are the right ones, as the option of `ordering` names them.

    Raises UsageError for negative draws or seed, UserError for a file of references that cannot be read.
    """
    found = [one for one in orders if _fits(one, procedures)]
    scores = {one.key: _metrics(procedures[one.procedure], one.order, references) for one in found}
    people = list(dict.fromkeys(one.annotator for one in sorted(found, key=lambda one: one.annotator)))
    kappas = _mutual_kappas(found, procedures)
    by_condition = {shown: [one for one in found if one.shown is shown] for shown in StepInput}
    differences, paired = _both_against_text(by_condition, scores, draws=draws, seed=seed)
    return OrderFigures(
        len(found),
        tuple(_worker(name, [one for one in found if one.annotator == name], scores, kappas, rules) for name in people),
        tuple(_condition(shown, given, scores) for shown, given in by_condition.items() if given),
        tuple(_procedure(name, [one for one in found if one.procedure == name], scores)
              for name in dict.fromkeys(one.procedure for one in found)),
        {word: sum(one.helped is word for one in found) for word in HelpfulInput},
        {level: sum(one.confidence == level for one in found) for level in range(1, MOST_CONFIDENT + 1)},
        differences,
        paired,
    )  # fmt: skip


def without_people(orders: Iterable[HumanOrder], people: Collection[str]) -> list[HumanOrder]:
    """The orders of all others."""
    return [one for one in orders if one.annotator not in people]


# One by one -----------------------------------------------------------------------------------------------------------


def _fits(order: HumanOrder, procedures: Mapping[str, Procedure]) -> bool:
    procedure = procedures.get(order.procedure)
    return procedure is not None and sorted(order.order) == sorted(procedure.references[0])


def _metrics(procedure: Procedure, order: Order, references: object) -> Metrics:
    """The metrics of the order, nothing where the procedure has no order to be found."""
    scorer = OrderingScorer()
    options = {**parse_options(INFO, {}), "references": str(references)}
    score = scorer.score_item(procedure, Prediction(procedure.id, None, OrderAnswer(order)), options)
    return dict(score.parts)


def _worker(
    name: str,
    mine: Sequence[HumanOrder],
    scores: Scores,
    kappas: tuple[Mapping[str, list[float]], Mapping[str, list[float]]],
    rules: FlagRules,
) -> WorkerFigures:
    standard, alternative = (of.get(name, []) for of in kappas)
    accuracy = _mean(scores[one.key].get("accuracy") for one in mine)
    held = _mean(alternative if rules.of_alternatives else standard)
    flags = []
    if rules.agreement is not None and held is not None and held < rules.agreement:
        flags.append(WorkerFlag.AGREEMENT)
    if rules.accuracy is not None and accuracy is not None and accuracy < rules.accuracy:
        flags.append(WorkerFlag.ACCURACY)
    return WorkerFigures(
        name, len(mine), accuracy, _mean(standard), len(standard), _mean(alternative), _median_seconds(mine),
        _mean(one.confidence for one in mine), tuple(flags),
    )  # fmt: skip


def _condition(shown: StepInput, given: Sequence[HumanOrder], scores: Scores) -> ConditionFigures:
    return ConditionFigures(
        shown,
        len(given),
        len({one.annotator for one in given}),
        len({one.procedure for one in given}),
        {name: _mean(scores[one.key].get(name) for one in given) for name in METRICS},
        standard_kappa(_by_procedure(given)),
        _median_seconds(given),
        _mean(one.confidence for one in given),
    )


def _procedure(name: str, given: Sequence[HumanOrder], scores: Scores) -> ProcedureFigures:
    taus = [tau_of(a.order, b.order) for a, b in combinations(given, 2) if a.shown is b.shown]
    return ProcedureFigures(
        name,
        len(given),
        _mean(scores[one.key].get("accuracy") for one in given),
        _mean(taus),
        _median_seconds(given),
        _mean(one.confidence for one in given),
    )


# Two by two -----------------------------------------------------------------------------------------------------------


def _mutual_kappas(
    orders: Sequence[HumanOrder], procedures: Mapping[str, Procedure]
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """For each person the mean kappa with each other one, over what they ordered, and over what they called right too:
    a mean over common procedures, there over all scores of them pooled. Two without other orders give no score."""
    groups: dict[Group, list[HumanOrder]] = {}
    for one in orders:
        groups.setdefault((one.procedure, one.shown), []).append(one)
    standard: dict[tuple[str, str], list[float]] = {}
    alternative: dict[tuple[str, str], list[float]] = {}
    for (name, _), given in groups.items():
        original = procedures[name].references[0]
        for a, b in combinations(given, 2):
            two = min(a.annotator, b.annotator), max(a.annotator, b.annotator)
            standard.setdefault(two, []).append(tau_of(a.order, b.order))
            alternative.setdefault(two, []).extend(alternative_kappas(_turned(a, original), _turned(b, original)))
    return _by_person(standard), _by_person(alternative)


def _turned(order: HumanOrder, original: Order) -> list[int]:
    place = {step: number for number, step in enumerate(original)}
    return [turned([place[step] for step in other]) for other in order.orders[1:]]


def _by_person(pairs: Mapping[tuple[str, str], Sequence[float]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for two, values in pairs.items():
        for person in two if values else ():
            found.setdefault(person, []).append(fmean(values))
    return found


def _both_against_text(
    by_condition: Mapping[StepInput, Sequence[HumanOrder]],
    scores: Scores,
    *,
    draws: int,
    seed: int,
) -> tuple[tuple[Difference, ...], int]:
    """Every metric of the procedures that were ordered under both conditions; procedures are what is drawn."""
    both, text = by_condition[StepInput.BOTH], by_condition[StepInput.TEXT]
    common = list(dict.fromkeys(one.procedure for one in both if one.procedure in {other.procedure for other in text}))
    values = [{name: _means(name, given, scores) for name in common} for given in (both, text)]
    scored = [name for name in common if all(means[name] for means in values)]
    if not scored:
        return (), 0
    first, second = (_tally([means[name] for name in scored]) for means in values)
    return compare(first, second, draws=draws, seed=seed), len(scored)


def _means(name: str, given: Sequence[HumanOrder], scores: Scores) -> dict[str, float]:
    """Each metric's mean over the orders of a procedure."""
    parts = [scores[one.key] for one in given if one.procedure == name and scores[one.key]]
    return {metric: fmean(one[metric] for one in parts) for metric in METRICS} if parts else {}


def _tally(means: Sequence[Mapping[str, float]]) -> Tally:
    """One unit a procedure."""
    sums = np.array([[*(one[name] for name in METRICS), 1.0] for one in means])
    statistics = {name: ratio(column, len(METRICS)) for column, name in enumerate(METRICS)}
    return Tally(sums, statistics, np.arange(len(means)))


# Values ---------------------------------------------------------------------------------------------------------------


def _by_procedure(given: Iterable[HumanOrder]) -> dict[str, dict[str, Order]]:
    found: dict[str, dict[str, Order]] = {}
    for one in given:
        found.setdefault(one.procedure, {})[one.annotator] = one.order
    return found


def _median_seconds(given: Iterable[HumanOrder]) -> float | None:
    """Orders without a time (0: made elsewhere) are left out."""
    known = [one.seconds for one in given if one.seconds]
    return median(known) if known else None


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
