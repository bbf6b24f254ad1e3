"""Rows of which there is one in a slot at most: what is kept takes the place of what was there, which is given back so
that a change can be undone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from sqlalchemy import Row, delete, insert, select
from sqlalchemy.orm import Session

from stepscope.core.frozen import dataclass
from stepscope.core.store.repositories.sources import IN_PIECES
from stepscope.core.store.tables import Base, table_of

Value = TypeVar("Value")


@dataclass(frozen=True)
class SlottedRows(Generic[Value]):
    """How the values of a table stand in it. `storable` gives a value as it comes back from the store; `slot_of` what
    there is one of, `place_of` its data set's path and episode, by which the table is searched."""

    row: type[Base]
    storable: Callable[[Value], Value]
    value_of: Callable[[Row[*tuple[Any, ...]]], Value]
    form_of: Callable[[Value], dict[str, Any]]
    slot_of: Callable[[Value], Hashable]
    place_of: Callable[[Value], tuple[str, str]]

    def replace(self, db: Session, before: Iterable[Value], after: Sequence[Value]) -> tuple[Value, ...]:
        """Drop what is in the slots of `before`, keep `after`; returns all that was there and is no more."""
        table, of_slot = table_of(self.row), self.slot_of
        latest = {of_slot(one): one for one in map(self.storable, after)}
        wanted = {of_slot(one): one for one in map(self.storable, before)} | latest
        places: dict[str, set[str]] = {}
        for one in wanted.values():
            source, episode = self.place_of(one)
            places.setdefault(source, set()).add(episode)
        gone: list[tuple[int, Value]] = []
        for source, episodes in sorted(places.items()):
            names = sorted(episodes)
            for first in range(0, len(names), IN_PIECES):
                here = table.c.source == source, table.c.episode.in_(names[first : first + IN_PIECES])
                rows = db.execute(select(*table.c).where(*here).order_by(table.c.id))
                gone += [(row.id, value) for row in rows if of_slot(value := self.value_of(row)) in wanted]
        ids = [number for number, _ in gone]
        for first in range(0, len(ids), IN_PIECES):
            db.execute(delete(table).where(table.c.id.in_(ids[first : first + IN_PIECES])))
        if latest:
            db.execute(insert(table), [self.form_of(one) for one in latest.values()])
        return tuple(value for _, value in gone)
