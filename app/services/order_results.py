"""What a stored run of step ordering gets wrong, read for both faces: the run's answers, the data's right orders, those
that people call right too, and what another run or people reached on the same procedures.

Qt-free. The numbers are worked out in `core.evaluation.breakdown.orders`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

import numpy as np

from stepscope.app.services import human_orders
from stepscope.app.services.human_orders import ProcedureOf
from stepscope.core.domain.human_order import HumanOrder, StepOrder
from stepscope.core.domain.prediction import OrderAnswer, Task
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.run import Outcome, Run
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.breakdown.orders import (
    DRAWS,
    CategoryScore,
    OrderDoubts,
    OrderErrors,
    OrderFlips,
    OrderItem,
    OrderValues,
    ReferenceScores,
    against_references,
    by_category,
    order_doubts,
    order_errors,
    order_flips,
)
from stepscope.core.evaluation.defects import defective
from stepscope.core.evaluation.rules import Scoring, own_as_written, own_scoring, scored_under
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.sources.source import Source
from stepscope.core.store.columns import SCORED, RunColumns, load_columns, rows
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs

PEOPLE = "people"
"""The party of all people together; one person is `people:NAME`."""
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class OrderParty:
    """What a run is compared with: a run's id, or PEOPLE, or one person."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class OrderResults:
    """`n` procedures are scored; `other` is the party of gaps and flips, and `flips` is None without one. `goals` are
    by the procedures' names, of those that can be read."""

    run: Run
    n: int
    errors: OrderErrors
    categories: tuple[CategoryScore, ...]
    references: ReferenceScores
    doubts: OrderDoubts
    other: OrderParty | None
    flips: OrderFlips | None
    goals: Mapping[str, str]
    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class OrderUpdate:
    """How far reading is; `result` comes with the last."""

    progress: Progress
    result: OrderResults | None = None


@dataclass(frozen=True, slots=True)
class OrderStudy:
    """What is asked: a run under a rule (None: its own), against another party or none, with or without items that
    people called defective."""

    run: Run
    against: OrderParty | None = None
    scoring: Scoring | None = None
    without_defects: bool = False
    draws: int = DRAWS
    seed: int = 0


def is_studied(run: Run) -> bool:
    return run.spec.task is Task.ORDERING


def people_of(database: Database, run: Run) -> tuple[OrderParty, ...]:
    """The people that a run can be compared with: all together where they are several, and each."""
    blind = human_orders.counted_blind(human_orders.listed(database, run.spec.source, drafts=False))
    names = list(dict.fromkeys(one.annotator for one in blind))
    each = tuple(OrderParty(f"{PEOPLE}:{name}", name) for name in names)
    return (OrderParty(PEOPLE, "All people"), *each) if len(names) > 1 else each


def read_orders(
    database: Database, study: OrderStudy, source: Source | None, token: CancelToken
) -> Generator[OrderUpdate]:
    """Procedure by procedure; ends early when cancelled. Without a `source` only what scores alone tell is found.

    Raises UsageError for a run of another task, and where a run has no scores under the rule.
    """
    run = study.run
    if not is_studied(run):
        raise UsageError(f"Run {run.id} is about {run.spec.task}: it orders no steps.", hint="Name another run.")
    scoring = study.scoring or own_scoring(run)
    procedure_of: ProcedureOf = human_orders.cached_procedures(source) if source is not None else lambda _name: None
    columns = _columns(database, run.id, scoring)
    places = _places(database, run, columns, study.without_defects)
    blind = human_orders.counted_blind(human_orders.listed(database, run.spec.source, drafts=False))
    alternatives = _alternatives(blind)
    categories = {name: columns.apps[app] for name, app in zip(columns.episodes, columns.app.tolist(), strict=True)}
    meter, items, goals = ProgressMeter(len(places)), list[OrderItem](), dict[str, str]()
    for outcome in _outcomes(database, columns, places):
        token.wait_if_paused()
        if token.cancelled:
            return
        name = outcome.key.episode
        procedure = procedure_of(name)
        if procedure is not None:
            goals[name] = procedure.goal
        category = categories[name] if procedure is None else procedure.category
        items.append(_item(outcome, category or "", procedure, alternatives.get(name, ())))
        meter.advance()
        yield OrderUpdate(meter.snapshot())
    other = _values(database, study.against, scoring, blind, procedure_of)
    if token.cancelled:
        return
    found = _results(study, scoring, items, other, goals)
    yield OrderUpdate(meter.snapshot(), found)


def _results(
    study: OrderStudy,
    scoring: Scoring,
    items: Sequence[OrderItem],
    other: Mapping[str, OrderValues] | None,
    goals: Mapping[str, str],
) -> OrderResults:
    options = parse_options(run_scorer(scoring.protocol).info, dict(scoring.options))
    draws, seed = study.draws, study.seed
    return OrderResults(
        run=study.run,
        n=len(items),
        errors=order_errors(items),
        categories=by_category(items, other, draws=draws, seed=seed),
        references=against_references(items, options, draws=draws, seed=seed),
        doubts=order_doubts(items, draws=draws, seed=seed),
        other=study.against,
        flips=None if other is None else order_flips(items, other, draws=draws, seed=seed),
        goals=goals,
        draws=draws,
        seed=seed,
    )


def _columns(database: Database, run: str, scoring: Scoring) -> RunColumns:
    """Under the rule; of a run that has scored nothing yet there are none under its own."""
    with database.reading() as db:
        stored = runs.get(db, run)
        own = scoring in (own_scoring(stored), own_as_written(stored))
        known = None if own else scored_under(db, run, scoring, any_version=True).id
    return load_columns(database, run, known)


def _places(database: Database, run: Run, columns: RunColumns, without_defects: bool) -> list[int]:
    scored = columns.status == SCORED
    if without_defects:
        with database.reading() as db:
            scored &= defective(db, run.spec.source).mask_of(columns)
    found: list[int] = np.flatnonzero(scored).tolist()
    return found


def _outcomes(database: Database, columns: RunColumns, places: Sequence[int]) -> Iterator[Outcome]:
    """With their matrices, some at a time."""
    for start in range(0, len(places), _AT_ONCE):
        ids = [int(columns.row[place]) for place in places[start : start + _AT_ONCE]]
        with database.reading() as db:
            found = rows(db, columns.run_id, ids, columns.scoring_id)
        yield from found


def _item(outcome: Outcome, category: str, procedure: Procedure | None, alternatives: Sequence[StepOrder]) -> OrderItem:
    answer = outcome.prediction.answer
    fitting = [] if procedure is None else [one for one in alternatives if _same_steps(one, procedure.references[0])]
    return OrderItem(
        outcome.key.episode,
        category,
        _values_of(dict(outcome.score.parts)),
        answer if isinstance(answer, OrderAnswer) else None,
        procedure,
        tuple(dict.fromkeys(fitting)),
    )


def _alternatives(blind: Sequence[HumanOrder]) -> dict[str, tuple[StepOrder, ...]]:
    """What people call right beside their own order, by procedure."""
    found: dict[str, tuple[StepOrder, ...]] = {}
    for one in blind:
        found[one.procedure] = (*found.get(one.procedure, ()), *one.orders[1:])
    return found


def _values(
    database: Database,
    party: OrderParty | None,
    scoring: Scoring,
    blind: Sequence[HumanOrder],
    procedure_of: ProcedureOf,
) -> dict[str, OrderValues] | None:
    """What the party reached, by procedure; None without a party."""
    if party is None:
        return None
    whole, mark, person = party.key.partition(":")
    if whole != PEOPLE:
        return _values_of_run(_columns(database, party.key, scoring))
    given = [one for one in blind if not mark or one.annotator == person]
    if not given:
        raise UsageError("nobody accepted a blind order here.", hint="'stepscope orders list' tells who ordered what.")
    by_procedure: dict[str, list[OrderValues]] = {}
    for one in given:
        procedure = procedure_of(one.procedure)
        score = None if procedure is None else human_orders.score_of_order(procedure, one.order)
        if score is not None and score.value is not None:
            by_procedure.setdefault(one.procedure, []).append(_values_of(dict(score.parts)))
    return {name: _mean(values) for name, values in by_procedure.items()}


def _values_of_run(columns: RunColumns) -> dict[str, OrderValues]:
    pmr, tau = columns.part("pmr"), columns.part("kendall_tau")
    return {
        columns.episodes[columns.episode[place]]: OrderValues(float(pmr[place]), float(tau[place]))
        for place in np.flatnonzero(columns.status == SCORED).tolist()
    }


def _values_of(parts: Mapping[str, float]) -> OrderValues:
    return OrderValues(parts["pmr"], parts["kendall_tau"])


def _mean(values: Sequence[OrderValues]) -> OrderValues:
    n = len(values)
    return OrderValues(sum(one.pmr for one in values) / n, sum(one.tau for one in values) / n)


def _same_steps(order: StepOrder, other: StepOrder) -> bool:
    return sorted(order) == sorted(other)
