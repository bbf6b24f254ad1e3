"""The orders that people gave to procedures. Whatever a change drops it returns, so that `replace` can put it back.

Orders belong to a path, as annotations do, not to the index of what lies there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace as changed
from typing import Any

from sqlalchemy import Row, Select, delete, insert, select, update
from sqlalchemy.orm import Session

from stepscope.core.domain.human_order import (
    HelpfulInput,
    HumanOrder,
    StepInput,
    orders_from_text,
    orders_to_text,
)
from stepscope.core.store.repositories.sources import IN_PIECES
from stepscope.core.store.tables import HumanOrderRow, storable, table_of

HumanOrders = tuple[HumanOrder, ...]
OrderKey = tuple[str, str, str, bool]


def replace(db: Session, before: Iterable[HumanOrder], after: Sequence[HumanOrder]) -> HumanOrders:
    """Drop the orders of `before`, keep those of `after`; returns everything that was there and is no more.

    Of `before` only the key counts. With `gone = replace(db, before, after)`, `replace(db, after, gone)` makes
    everything as it was.
    """
    latest = {one.key: one for one in map(_storable, after)}
    gone = _at(db, latest.keys() | {_storable(one).key for one in before})
    ids = [number for number, _ in gone]
    for first in range(0, len(ids), IN_PIECES):
        db.execute(delete(table_of(HumanOrderRow)).where(HumanOrderRow.id.in_(ids[first : first + IN_PIECES])))
    if latest:
        db.execute(insert(table_of(HumanOrderRow)), [_row(one) for one in latest.values()])
    return tuple(order for _, order in gone)


def get(db: Session, key: OrderKey) -> HumanOrder | None:
    """The person's order, draft or accepted."""
    found = _at(db, {_storable_key(key)})
    return found[0][1] if found else None


def spend(db: Session, key: OrderKey, seconds: float) -> bool:
    """Say how long a draft has taken by now, and nothing else of it; False where there is no draft."""
    source, procedure, annotator, blind = _storable_key(key)
    changing = update(table_of(HumanOrderRow)).where(
        HumanOrderRow.source == source,
        HumanOrderRow.procedure == procedure,
        HumanOrderRow.annotator == annotator,
        HumanOrderRow.blind == blind,
        HumanOrderRow.submitted.is_(None),
    )
    return bool(db.execute(changing.values(seconds=seconds)).rowcount)  # type: ignore[attr-defined]


def of_source(
    db: Session, source: str, *, procedure: str | None = None, annotator: str | None = None
) -> list[HumanOrder]:
    """Orders and drafts by procedure, annotator, and what was not blind first; of all people, or of one."""
    query = _all(source)
    for column, value in ((HumanOrderRow.procedure, procedure), (HumanOrderRow.annotator, annotator)):
        if value is not None:
            query = query.where(column == storable(value))
    return [_value(row) for row in db.execute(query.order_by(*_ORDER))]


_ORDER = (HumanOrderRow.procedure, HumanOrderRow.annotator, HumanOrderRow.blind)


def _all(source: str) -> Select[*tuple[Any, ...]]:
    """Columns, no mapped rows: ids are used again, and a session would hand out what it knows under the old one."""
    return select(*table_of(HumanOrderRow).c).where(HumanOrderRow.source == storable(source))


def _at(db: Session, keys: Iterable[OrderKey]) -> list[tuple[int, HumanOrder]]:
    """What is there under these keys, with its row's id."""
    wanted = set(keys)
    by_source: dict[str, set[str]] = {}
    for source, procedure, _, _ in wanted:
        by_source.setdefault(source, set()).add(procedure)
    found: list[tuple[int, HumanOrder]] = []
    for source, procedures in sorted(by_source.items()):
        names = sorted(procedures)
        for first in range(0, len(names), IN_PIECES):
            piece = HumanOrderRow.procedure.in_(names[first : first + IN_PIECES])
            rows = db.execute(_all(source).where(piece).order_by(*_ORDER))
            found += [(row.id, value) for row in rows if (value := _value(row)).key in wanted]
    return found


def _storable_key(key: OrderKey) -> OrderKey:
    source, procedure, annotator, blind = key
    return storable(source), storable(procedure), storable(annotator), blind


def _storable(order: HumanOrder) -> HumanOrder:
    """The order with a key as it comes back from the store."""
    source, procedure, annotator, _blind = _storable_key(order.key)
    return changed(order, source=source, procedure=procedure, annotator=annotator)


def _row(order: HumanOrder) -> dict[str, Any]:
    return {
        "source": order.source,
        "procedure": order.procedure,
        "annotator": order.annotator,
        "blind": order.blind,
        "orders": orders_to_text(order.orders),
        "seconds": order.seconds,
        "confidence": order.confidence,
        "helped": order.helped.value if order.helped else None,
        "shown": order.shown.value,
        "seed": order.seed,
        "changed": order.changed,
        "submitted": order.submitted,
    }


def _value(row: Row[*tuple[Any, ...]]) -> HumanOrder:
    return HumanOrder(
        row.source,
        row.procedure,
        row.annotator,
        row.blind,
        orders_from_text(row.orders),
        row.changed,
        row.seconds,
        row.confidence,
        None if row.helped is None else HelpfulInput(row.helped),
        StepInput(row.shown),
        row.seed,
        row.submitted,
    )
