"""The memory of columns that filters read out of stores, kept as long as it is true.

A source's columns belong to one state of its index, a run's items to one state of its scores; both states are numbers
that the store changes with every write, so what other programs write is noticed too.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Pool, select
from sqlalchemy.orm import Session

from stepscope.core.store.index_columns import NO_STEPS, IndexColumns
from stepscope.core.store.kept_columns import source_state
from stepscope.core.store.run_items import RunItems, load_items
from stepscope.core.store.step_table import PlacedItems, StepTable, placed_items
from stepscope.core.store.tables import ScoringRow

MOST_SOURCES, MOST_RUNS, MOST_BOARDS = 3, 8, 4
"""So many are kept of a store; a million items of a run take 40 MB, a million steps some 100."""

NO_OTHERS: Mapping[str, int | None] = {}
Value = TypeVar("Value")


class _RecentValues(Generic[Value]):
    """The last used values with the state that they are of."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, tuple[Hashable, Value]] = OrderedDict()

    def get(self, key: Hashable, state: Hashable, make: Callable[[], Value]) -> Value:
        known = self._values.pop(key, None)
        if known is None or known[0] != state:
            del known  # so that the old and the new one are not held at once
            value = make()
        else:
            value = known[1]
        self._values[key] = state, value
        while len(self._values) > self._most:
            self._values.popitem(last=False)
        return value


class ColumnCache:
    """The columns that are kept of one store. Hold `turn` while working with what it gives: columns are read when asked
    for."""

    def __init__(self) -> None:
        self.turn = threading.RLock()
        self._sources: _RecentValues[IndexColumns] = _RecentValues(MOST_SOURCES)
        self._runs: _RecentValues[RunItems] = _RecentValues(MOST_RUNS)
        self._placed: _RecentValues[PlacedItems] = _RecentValues(MOST_RUNS)
        self._boards: _RecentValues[StepTable] = _RecentValues(MOST_BOARDS)

    def columns(self, db: Session, source_id: int) -> IndexColumns:
        """The source's index."""
        state = source_state(db, source_id)
        return self._sources.get(source_id, state.stamp, lambda: IndexColumns(source_id, state))

    def items(self, db: Session, run_id: str, under: int | None = None) -> RunItems:
        """The run's items with the scores of this scoring, without one of its own rule; none for a run that was not
        begun."""
        scoring, changed = _scoring(db, run_id, under)
        return self._runs.get((run_id, under), (scoring, changed), lambda: load_items(db, run_id, scoring))

    def board(
        self, db: Session, source_id: int, run_ids: Sequence[str], under: Mapping[str, int | None] = NO_OTHERS
    ) -> StepTable:
        """The source's steps and these runs side by side; `under` as in `items`, by run."""
        columns = self.columns(db, source_id)
        runs = {run: self._placed_items(db, source_id, columns, run, under.get(run)) for run in run_ids}
        state = id(columns), tuple(map(id, runs.values()))  # a board holds what it was made of, so no id comes again
        made = lambda: StepTable(columns, len(columns.ids(db)), columns.steps(db), runs)  # noqa: E731
        return self._boards.get((source_id, tuple(runs)), state, made)

    def board_of_episodes(self, db: Session, source_id: int) -> StepTable:
        """The source without any steps: quick to make."""
        columns = self.columns(db, source_id)
        return StepTable(columns, len(columns.ids(db)), NO_STEPS, {})

    def _placed_items(
        self, db: Session, source_id: int, columns: IndexColumns, run_id: str, under: int | None
    ) -> PlacedItems:
        items = self.items(db, run_id, under)
        state = id(columns), id(items)
        return self._placed.get((source_id, run_id, under), state, lambda: placed_items(db, columns, items))


def _scoring(db: Session, run_id: str, under: int | None) -> tuple[int, int]:
    """The id of the scoring that is read, and the number that tells its state."""
    which = ScoringRow.own if under is None else ScoringRow.id == under
    query = select(ScoringRow.id, ScoringRow.changed).where(ScoringRow.run_id == run_id, which)
    row = db.execute(query).one_or_none()
    return (-1, 0) if row is None else (row[0], row[1])


_kept: WeakKeyDictionary[Pool, ColumnCache] = WeakKeyDictionary()
_making = threading.Lock()


def shared_column_cache(db: Session) -> ColumnCache:
    """What is kept of the session's store; it ends with the store's engine."""
    engine: Any = db.get_bind().engine
    with _making:
        return _kept.setdefault(engine.pool, ColumnCache())
