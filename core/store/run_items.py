"""The items of a run as columns in memory, for filters: how each came out, and how sure the model was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from core.store import column_reading
from core.store.column_reading import fetched
from core.store.columns import UNSCORED, reader
from core.store.tables import ScoreRow
from core.store.texts import BoolArray, IntArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RunItems:
    """Items with a score under the run's own rule, n of them: `row` is the prediction's id, `episode` a place in
    `episodes`, `step` counts from 0 and is -1 for a whole episode, `reference` a place in `kinds`; `value` and
    `confidence` are NaN where there is none."""

    scoring_id: int
    row: IntArray
    episodes: tuple[str, ...]
    episode: NDArray[np.int32]
    step: NDArray[np.int32]
    kinds: tuple[str, ...]
    reference: NDArray[np.int32]
    value: FloatArray
    malformed: BoolArray
    unscored: BoolArray
    confidence: FloatArray
    _kept: dict[tuple[str, int], FloatArray] = field(default_factory=dict, repr=False)

    def latency(self, db: Session) -> FloatArray:
        """Milliseconds that the model took, NaN where nothing says so."""
        return self._once(("latency", 0), lambda: column_reading.latencies(db, self.scoring_id))

    def part(self, db: Session, name: str) -> FloatArray:
        """The intermediate value of this name that the run's own rule gave, NaN where there is none."""
        return self._once((name, 0), lambda: reader(db).part(db, self.scoring_id, name))

    def flipped(self, db: Session, scoring_id: int, changed: int) -> BoolArray:
        """Whether the item is right under one of the run's own rule and this scoring and wrong under the other.
        `changed` is the scoring's: what was read before is not true when it is another one."""
        query = select(ScoreRow.prediction_id, ScoreRow.value).where(ScoreRow.scoring_id == scoring_id)
        key = f"value {scoring_id}", changed
        if key not in self._kept:
            for old in [other for other in self._kept if other[0] == key[0]]:
                del self._kept[old]
        other = self._once(key, lambda: _columns(db, query))
        both = ~np.isnan(self.value) & ~np.isnan(other)
        flipped: BoolArray = both & ((self.value == 1.0) != (other == 1.0))
        return flipped

    def _once(self, key: tuple[str, int], read: Callable[[], tuple[IntArray, FloatArray]]) -> FloatArray:
        if key not in self._kept:
            self._kept[key] = self._aligned(*read())
        return self._kept[key]

    def _aligned(self, ids: IntArray, values: FloatArray) -> FloatArray:
        """Values by prediction, put where the items of these predictions are."""
        found = np.full(len(self.row), np.nan)
        if len(ids) and len(self.row):
            place = np.minimum(np.searchsorted(self.row, ids), len(self.row) - 1)
            known = self.row[place] == ids
            found[place[known]] = values[known]
        return found


def load_items(db: Session, scoring_id: int) -> RunItems:
    """The items of the run whose own rule the scoring is."""
    items = reader(db).items(db, scoring_id)
    return RunItems(
        scoring_id=scoring_id,
        row=items.row,
        episodes=tuple(items.places),
        episode=items.episode,
        step=items.step,
        kinds=items.kinds,
        reference=items.reference,
        value=items.value,
        malformed=items.malformed,
        unscored=items.status == UNSCORED,
        confidence=items.confidence,
    )


def _columns(db: Session, query: Select[*tuple[Any, ...]]) -> tuple[IntArray, FloatArray]:
    ids, values = fetched(db, query, 2)
    return np.array(ids, np.int64), np.array(values, np.float64)
