"""The items of a run as columns in memory, for filters: how each came out, and how sure the model was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BigInteger, ColumnElement, Select, case, cast, func, or_, select
from sqlalchemy.orm import Session

from stepscope.core.domain.score import ScoreStatus
from stepscope.core.store.column_reading import all_numbers, all_texts, fetched_columns
from stepscope.core.store.columns import score_part
from stepscope.core.store.kept_columns import Columns, joined, kept, scoring_state, separated
from stepscope.core.store.tables import ModelCallRow, PredictionRow, ScoreRow
from stepscope.core.store.texts import BoolArray, EncodedTexts, IntArray

FloatArray = NDArray[np.float64]
Value = TypeVar("Value")

_VALUES = np.array([np.nan, 0.0, 1.0], np.float32)
_UNSCORED, _MALFORMED = 4, 8
_COUNTED = or_(ModelCallRow.tokens_in.is_not(None), ModelCallRow.tokens_out.is_not(None))
"""Calls of which the server told tokens."""


@dataclass(eq=False)
class RunItems:
    """Items of a run by episode and step, n of them: `row` is the prediction's id, `episode` a place in `episodes`,
    `step` counts from 0 and is -1 for a whole episode. Under the scoring, `value` is 1 where it is right, 0 where
    it is wrong, whatever part of it is right, and NaN where it has no score."""

    run_id: str
    scoring_id: int
    row: IntArray
    episodes: tuple[str, ...]
    episode: NDArray[np.int32]
    step: NDArray[np.int32]
    value: NDArray[np.float32]
    malformed: BoolArray
    unscored: BoolArray
    _held: dict[str, tuple[int, Any]] = field(default_factory=dict, repr=False)

    def confidence(self, db: Session) -> FloatArray:
        """The model's confidence, NaN where it gave none."""
        return self._once("confidence", lambda: self._aligned(*self._predicted(db, "confidence")))

    def latency(self, db: Session) -> FloatArray:
        """Milliseconds that the model took, NaN where nothing says so."""
        return self._once("latency", lambda: self._aligned(*self._predicted(db, "latency_ms")))

    def tokens(self, db: Session) -> FloatArray:
        """Tokens that were read and written for the item, NaN where no server told any."""
        both = func.coalesce(ModelCallRow.tokens_in, 0) + func.coalesce(ModelCallRow.tokens_out, 0)
        return self._once("tokens", lambda: self._aligned(*self._called(db, func.sum(both), _COUNTED)))

    def paid(self, db: Session) -> tuple[FloatArray, FloatArray]:
        """Tokens read and written that were asked for in this run, not known from earlier ones."""

        def read(column: Any) -> FloatArray:
            paid = case((ModelCallRow.remembered, 0), else_=func.coalesce(column, 0))
            return self._aligned(*self._called(db, func.sum(paid), _COUNTED))

        return self._once("paid", lambda: (read(ModelCallRow.tokens_in), read(ModelCallRow.tokens_out)))

    def retries(self, db: Session) -> FloatArray:
        """How often the item's questions were put again, NaN where none was put."""
        return self._once("retries", lambda: self._aligned(*self._called(db, func.sum(ModelCallRow.retries))))

    def part(self, db: Session, name: str) -> FloatArray:
        """The intermediate value of this name that the scoring has, NaN where there is none."""
        return self._once(f"part {name}", lambda: self._aligned(*score_part(db, self.scoring_id, name)))

    def reference(self, db: Session) -> EncodedTexts:
        """The kinds of the reference actions."""
        return self._once(
            "reference", lambda: EncodedTexts.of(all_texts(db, _of_run(self.run_id, PredictionRow.reference)))
        )

    def flipped(self, db: Session, scoring_id: int, changed: int) -> BoolArray:
        """Whether the item is right under one of its scoring and this one and wrong under the other.
        `changed` is the scoring's: what was read before is not true when it is another one."""

        def read() -> BoolArray:
            ids, codes = _verdicts(db, scoring_id)
            other = self._aligned(ids, _VALUES[codes & 3])
            flipped: BoolArray = ~np.isnan(self.value) & ~np.isnan(other) & (self.value != other)
            return flipped

        return self._once(f"flipped {scoring_id}", read, changed)

    def _once(self, name: str, read: Callable[[], Value], state: int = 0) -> Value:
        known = self._held.get(name)
        if known is None or known[0] != state:
            known = self._held[name] = state, read()
        found: Value = known[1]
        return found

    def _predicted(self, db: Session, name: str) -> tuple[IntArray, FloatArray]:
        column: Any = PredictionRow.__table__.c[name]

        def read() -> Columns:
            query = select(PredictionRow.id, column).where(PredictionRow.run_id == self.run_id, column.is_not(None))
            ids, values = fetched_columns(db, query, 2)
            return {"ids": np.array(ids, np.int64), "values": np.array(values, np.float64)}

        found = kept(db, scoring_state(db, self.scoring_id), f"of run {name}", read)
        return np.asarray(found["ids"]), np.asarray(found["values"])

    def _called(self, db: Session, column: Any, *where: ColumnElement[bool]) -> tuple[IntArray, FloatArray]:
        """A sum over the calls of each prediction that has any."""
        query = select(ModelCallRow.prediction_id, column).join(
            PredictionRow, PredictionRow.id == ModelCallRow.prediction_id
        )
        query = query.where(PredictionRow.run_id == self.run_id, *where).group_by(ModelCallRow.prediction_id)
        ids, values = fetched_columns(db, query.order_by(ModelCallRow.prediction_id), 2)
        return np.array(ids, np.int64), np.array(values, np.float64)

    @cached_property
    def _by_row(self) -> IntArray:
        return np.argsort(self.row, kind="stable")

    def _aligned(self, ids: IntArray, values: NDArray[Any]) -> FloatArray:
        """Values by prediction, put where the items of these predictions are."""
        return _aligned(self.row, self._by_row, ids, values)


def load_items(db: Session, run_id: str, scoring_id: int) -> RunItems:
    """The items of the run as the scoring judged them."""
    found = kept(db, scoring_state(db, scoring_id), "items of run", lambda: _items(db, run_id, scoring_id))
    columns: Any = {**found, "episodes": tuple(separated(bytes(found["episodes"])))}
    return RunItems(run_id, scoring_id, **columns)


def _items(db: Session, run_id: str, scoring_id: int) -> Columns:
    """The columns of `RunItems`."""
    by_episode = select(PredictionRow.episode, func.count()).where(PredictionRow.run_id == run_id)
    by_episode = by_episode.group_by(PredictionRow.episode).order_by(PredictionRow.episode)
    names, lengths = fetched_columns(db, by_episode, 2)
    both = all_numbers(db, _of_run(run_id, _shifted(PredictionRow.step + 1, 32) + PredictionRow.id))
    row = both & 0xFFFFFFFF
    ids, codes = _verdicts(db, scoring_id)
    code = np.nan_to_num(_aligned(row, np.argsort(row, kind="stable"), ids, codes)).astype(np.int8)
    return {
        "row": row,
        "episodes": joined(names),
        "episode": np.repeat(np.arange(len(names), dtype=np.int32), np.array(lengths, np.int64)),
        "step": ((both >> 32) - 1).astype(np.int32),
        "value": _VALUES[code & 3],
        "malformed": code & _MALFORMED != 0,
        "unscored": code & _UNSCORED != 0,
    }


def _aligned(row: IntArray, by_row: IntArray, ids: IntArray, values: NDArray[Any]) -> FloatArray:
    """Values by prediction, put where the items of these predictions are; `by_row` is the order of the items' rows."""
    found = np.full(len(row), np.nan)
    if len(ids) and len(row):
        place = by_row[np.minimum(np.searchsorted(row, ids, sorter=by_row), len(row) - 1)]
        known = row[place] == ids
        found[place[known]] = values[known]
    return found


def _of_run(run_id: str, column: Any) -> Select[*tuple[Any, ...]]:
    """A column of the run's predictions by episode and step: the order in which an index has them."""
    return select(column).where(PredictionRow.run_id == run_id).order_by(PredictionRow.episode, PredictionRow.step)


def _verdicts(db: Session, scoring_id: int) -> tuple[IntArray, IntArray]:
    """Predictions with a score under the scoring, in order, and how each came out: a place in `_VALUES`, and flags."""
    unscored: ColumnElement[int] = case((ScoreRow.status == ScoreStatus.UNSCORED.value, _UNSCORED), else_=0)
    code = (
        case((ScoreRow.value.is_(None), 0), (ScoreRow.value == 1.0, 2), else_=1)
        + unscored
        + case((ScoreRow.malformed, _MALFORMED), else_=0)
    )
    query = select(_shifted(ScoreRow.prediction_id, 4) + code).where(ScoreRow.scoring_id == scoring_id)
    both = all_numbers(db, query.order_by(ScoreRow.prediction_id))
    return both >> 4, both & 15


def _shifted(column: Any, bits: int) -> ColumnElement[int]:
    """Two numbers in one are read in little more than half the time."""
    return cast(column, BigInteger) * (1 << bits)
