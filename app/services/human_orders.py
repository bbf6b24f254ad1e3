"""People's orders of procedures, for both faces: drafts, what was accepted, files of them, how far people agree.

Qt-free. Orders are kept under the path of the data, as annotations are, however its episodes are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from stepscope.app.services.annotations import parsed_lines
from stepscope.core.domain.human_order import (
    HumanOrder,
    StepOrder,
    human_order_from_json,
    human_order_to_json,
)
from stepscope.core.domain.prediction import OrderAnswer, Prediction
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.score import Score
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.order_pairs import (
    OrderKappa,
    OrderPair,
    alternatives_kappa,
    order_pairs,
    standard_kappa,
)
from stepscope.core.sources.predictions import LineProblem
from stepscope.core.sources.procedures import read_procedure
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import human_orders as rows

REFERENCE = "Reference"
"""The data's own order, as a party beside people and models."""

ProcedureOf = Callable[[str], Procedure | None]


@dataclass(frozen=True, slots=True)
class HumanOrderImport:
    """The outcome of an import: how many orders were taken over, how many of them in the place of others, and the lines
    that were kept out."""

    taken: int
    replaced: int
    problems: tuple[LineProblem, ...]


@dataclass(frozen=True, slots=True)
class PeopleAgreement:
    """How far people agree. `people` gave blind orders that were accepted; `standard` is over these, `alternative` over
    what else they called right; `pairs` of each two of them, and of each with models and the reference."""

    people: tuple[str, ...]
    standard: OrderKappa
    alternative: OrderKappa
    pairs: tuple[OrderPair, ...]


def listed(database: Database, source: str, *, annotator: str | None = None, drafts: bool = True) -> list[HumanOrder]:
    """The orders of the data known as `source`, by procedure and person; without `drafts` only what was accepted."""
    with database.reading() as db:
        found = rows.of_source(db, source, annotator=annotator)
    return [one for one in found if drafts or one.submitted is not None]


def counted_blind(orders: Iterable[HumanOrder]) -> list[HumanOrder]:
    """The orders that numbers about people are made of: accepted, and given without a look at reference or models."""
    return [one for one in orders if one.blind and one.submitted is not None]


def cached_procedures(source: Source) -> ProcedureOf:
    """Reads procedures of the source, each once; None for one that is gone or cannot be read."""
    known: dict[str, Procedure | None] = {}

    def get(procedure: str) -> Procedure | None:
        if procedure not in known:
            try:
                known[procedure] = read_procedure(source, procedure)
            except UserError:
                known[procedure] = None
        return known[procedure]

    return get


def score_of_order(procedure: Procedure, order: Sequence[str]) -> Score:
    """The six metrics of one order, against the reference that is best for all of them together."""
    from stepscope.core.scoring.options import parse_options
    from stepscope.core.scoring.ordering import OrderingScorer

    scorer = OrderingScorer()
    given = Prediction(procedure.id, None, OrderAnswer(tuple(order)))
    return scorer.score_item(procedure, given, parse_options(scorer.info, {}))


def people_agreement(
    orders: Iterable[HumanOrder],
    procedure_of: ProcedureOf,
    models: Mapping[str, Mapping[str, StepOrder]] | None = None,
) -> PeopleAgreement:
    """How far the people behind these orders agree; `models[name][procedure]` are compared with each of them. Against
    the reference an order is held to the one of several that fits it best."""
    given: dict[str, dict[str, HumanOrder]] = {}
    for one in counted_blind(orders):
        given.setdefault(one.annotator, {})[one.procedure] = one
    by_procedure: dict[str, dict[str, HumanOrder]] = {}
    for person, found in given.items():
        for name, one in found.items():
            by_procedure.setdefault(name, {})[person] = one
    read = {name: procedure for name in by_procedure if (procedure := procedure_of(name)) is not None}
    people = {person: {name: one.order for name, one in found.items()} for person, found in given.items()}
    return PeopleAgreement(
        tuple(given),
        standard_kappa({name: {who: one.order for who, one in by.items()} for name, by in by_procedure.items()}),
        alternatives_kappa(
            {name: one.references[0] for name, one in read.items()},
            {name: {who: one.orders[1:] for who, one in by.items()} for name, by in by_procedure.items()},
        ),
        (*order_pairs(people, models or {}), *_against_reference(people, read)),
    )


def export_records(orders: Iterable[HumanOrder], procedure_of: ProcedureOf) -> Iterator[dict[str, Any]]:
    """The objects of an exported file, which `import_orders` and the protocol `ordering` read."""
    for one in orders:
        procedure = procedure_of(one.procedure)
        yield human_order_to_json(one, procedure.references if procedure is not None else ())


def agreement_records(
    orders: Iterable[HumanOrder], procedure_of: ProcedureOf, *, alternatives: bool
) -> Iterator[dict[str, Any]]:
    """One record a procedure for the protocol `order_agreement`: the people's own orders, or what else they called
    right. Procedures that cannot be read are left out."""
    by_procedure: dict[str, dict[str, HumanOrder]] = {}
    for one in counted_blind(orders):
        by_procedure.setdefault(one.procedure, {})[one.annotator] = one
    for name, by_person in by_procedure.items():
        procedure = procedure_of(name)
        if procedure is not None:
            given = {
                who: [list(order) for order in (one.orders[1:] if alternatives else one.orders[:1])]
                for who, one in by_person.items()
            }
            yield {"id": name, "original": list(procedure.references[0]), "annotators": given}


def import_orders(
    database: Database, source: str, procedure_of: ProcedureOf, path: Path, author: str, now: datetime | None = None
) -> HumanOrderImport:
    """Take over the orders of a JSON Lines file for the data known as `source`: an order takes the place of the one
    that the same person gave to the same procedure under the same conditions, all else stays. Bad lines are kept out
    and told by number; `author` and `now` stand in where a line names none. Raises UserError for a file that cannot be
    read."""
    moment = now or datetime.now(UTC)
    good, problems = parsed_lines(path, lambda form: human_order_from_json(form, source, annotator=author, now=moment))
    kept: dict[rows.OrderKey, tuple[int, HumanOrder]] = {}
    for number, one in good:
        why = _misfit(one, procedure_of(one.procedure))
        earlier, _ = kept.get(one.key, (0, one))
        if why or earlier:
            problems.append(LineProblem(number, why or f"line {earlier} is the same person's order of this procedure"))
        else:
            kept[one.key] = number, one
    after = [one for _, one in kept.values()]
    with database.unit_of_work() as db:
        replaced = rows.replace(db, (), after)
    return HumanOrderImport(len(after), len(replaced), tuple(sorted(problems, key=lambda problem: problem.line)))


def _misfit(order: HumanOrder, procedure: Procedure | None) -> str:
    """Why the order cannot be one of the procedure, "" where it can."""
    if procedure is None:
        return f"there is no procedure {order.procedure!r} in the data"
    if sorted(order.order) != sorted(procedure.references[0]):
        return f"the steps are not those of {order.procedure!r}"
    return ""


def _against_reference(
    people: Mapping[str, Mapping[str, StepOrder]], procedures: Mapping[str, Procedure]
) -> list[OrderPair]:
    found = []
    for person, orders in people.items():
        scores = [
            dict(score.parts)
            for name, order in orders.items()
            if name in procedures and (score := score_of_order(procedures[name], order)).parts
        ]
        n = len(scores)
        exact = sum(parts["pmr"] for parts in scores) / n if n else None
        found.append(OrderPair(person, REFERENCE, n, exact, _tau(scores)))
    return found


def _tau(scores: Sequence[Mapping[str, float]]) -> float | None:
    return sum(parts["kendall_tau"] for parts in scores) / len(scores) if scores else None
