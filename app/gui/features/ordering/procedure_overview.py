"""What is read for the list of procedures: what each is, how the shown runs and all people ordered it, and how far they
agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.run_letters import LETTERS, RunLetters
from stepscope.core.domain.human_order import HumanOrder, StepOrder
from stepscope.core.domain.prediction import OrderAnswer, Task
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.app.services import human_orders
    from stepscope.app.services.human_orders import PeopleAgreement, ProcedureOf
    from stepscope.core.store import queries
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import runs as run_rows
else:
    human_orders = lazy_module("stepscope.app.services.human_orders")
    queries = lazy_module("stepscope.core.store.queries")
    run_rows = lazy_module("stepscope.core.store.repositories.runs")

Parts = Mapping[str, float]
"""The six metrics of one order, by name."""


@dataclass(frozen=True)
class ProcedureOverview:
    """`titles[id]` is goal and number of steps; `runs` are those that order steps, by number (0 is A), with the metrics
    that each has of each procedure; `orders` are all people's, `scores` the metrics of blind ones that were accepted
    and of the person's own, by key of the order."""

    titles: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    runs: Mapping[int, Mapping[str, Parts]] = field(default_factory=dict)
    orders: tuple[HumanOrder, ...] = ()
    scores: Mapping[tuple[str, str, str, bool], Parts] = field(default_factory=dict)
    agreement: PeopleAgreement | None = None


def read_overview(
    database: Database, source_id: int, source: str, runs: RunLetters, person: str, procedure_of: ProcedureOf
) -> ProcedureOverview:
    """In the reader lane. `source` is the path of the data; `procedure_of` reads what people ordered."""
    with database.reading() as db:
        titles = queries.goals_and_steps(db, source_id)
        ordering = {
            run: index
            for run, index in runs.items()
            if run_rows.exists(db, run) and run_rows.get(db, run).spec.task is Task.ORDERING
        }
        found = {index: _metrics(db, run) for run, index in ordering.items()}
    orders = tuple(human_orders.listed(database, source))
    blind = human_orders.counted_blind(orders)
    ordered = list(dict.fromkeys(one.procedure for one in blind))
    with database.reading() as db:
        models = {LETTERS[index]: _orders(db, run, ordered) for run, index in ordering.items()} if ordered else {}
    return ProcedureOverview(
        titles,
        found,
        orders,
        _scores([*blind, *(one for one in orders if one.annotator == person and not one.blind)], procedure_of),
        human_orders.people_agreement(blind, procedure_of, models),
    )


def _metrics(db: Session, run: str) -> dict[str, Parts]:
    """By procedure the metrics of those that have a score."""
    return {episode: dict(score.parts) for episode, _step, score in queries.scores(db, run) if score.value is not None}


def _orders(db: Session, run: str, procedures: Sequence[str]) -> dict[str, StepOrder]:
    found = {}
    for outcome in queries.items(db, run, episodes=procedures, limit=None).rows:
        if isinstance(outcome.prediction.answer, OrderAnswer):
            found[outcome.key.episode] = outcome.prediction.answer.order
    return found


def _scores(orders: Sequence[HumanOrder], procedure_of: ProcedureOf) -> dict[tuple[str, str, str, bool], Parts]:
    found: dict[tuple[str, str, str, bool], Parts] = {}
    for one in orders:
        procedure = procedure_of(one.procedure)
        if procedure is not None:
            score = human_orders.score_of_order(procedure, one.order)
            if score.value is not None:
                found[one.key] = dict(score.parts)
    return found
