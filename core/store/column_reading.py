"""Columns out of the database, faster than row by row where the database is SQLite.

Other databases are read row by row.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from core.domain.prediction import PredictionStatus
from core.domain.score import ScoreStatus
from core.store.repositories.sources import StoredSource
from core.store.tables import EpisodeRow, PredictionRow, ScoreRow

IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]

_STATUSES = (ScoreStatus.SCORED, ScoreStatus.UNSCORED, ScoreStatus.ERROR)
_AT_ONCE = 10_000
"""Rows that are fetched at once where they are fetched one by one."""


class Codes(dict[str, int]):
    """Texts numbered in the order in which they are first looked up."""

    def __missing__(self, text: str) -> int:
        code = self[text] = len(self)
        return code

    def of(self, texts: Sequence[str]) -> CodeArray:
        return np.fromiter(map(self.__getitem__, texts), np.int32, len(texts))


@dataclass(frozen=True, eq=False)
class Items:
    """Columns of items as `RunColumns` has them; `places` numbers the episodes."""

    row: IntArray
    episode: CodeArray
    step: CodeArray
    status: NDArray[np.int8]
    value: FloatArray
    malformed: NDArray[np.bool_]
    null: NDArray[np.bool_]
    reference: CodeArray
    predicted: CodeArray
    confidence: FloatArray
    kinds: tuple[str, ...]
    places: Codes


@dataclass(frozen=True, eq=False)
class Episodes:
    """What the index says of episodes, one entry each; see `RunColumns`."""

    app: CodeArray
    label: CodeArray
    reason: CodeArray
    steps: CodeArray
    apps: tuple[str, ...]
    labels: tuple[str, ...]
    reasons: tuple[str, ...]


def items(db: Session, scoring_id: int) -> Items:
    """Every item with a score under the scoring, in the order of predictions."""
    return _plain_items(db, scoring_id)


def _plain_items(db: Session, scoring_id: int) -> Items:
    """Row by row: for any database."""
    columns = (
        PredictionRow.id, PredictionRow.episode, PredictionRow.step, ScoreRow.status, ScoreRow.value,
        ScoreRow.malformed, PredictionRow.status, PredictionRow.reference, PredictionRow.kind, PredictionRow.confidence,
    )  # fmt: skip
    found = _fetched(db, _joined(select(*columns), scoring_id).order_by(PredictionRow.id), len(columns))
    places, kinds = Codes(), Codes()
    malformed = np.array(found[5], np.bool_)
    senseless = np.array([status == PredictionStatus.MALFORMED.value for status in found[6]], np.bool_)
    return Items(
        row=np.array(found[0], np.int64),
        episode=places.of(found[1]),
        step=np.array(found[2], np.int32),
        status=np.array([_STATUSES.index(ScoreStatus(status)) for status in found[3]], np.int8),
        value=np.array(found[4], np.float64),
        malformed=malformed,
        null=malformed & ~senseless,
        reference=kinds.of(found[7]),
        predicted=kinds.of(found[8]),
        confidence=np.array(found[9], np.float64),
        kinds=tuple(kinds),
        places=places,
    )


def part(db: Session, scoring_id: int, name: str) -> tuple[IntArray, FloatArray]:
    """Predictions with this part in their score, and the parts. (`parts` is JSON without spaces.)"""
    has = ScoreRow.parts.contains(f"[{json.dumps(name)},", autoescape=True)
    query = select(ScoreRow.prediction_id, ScoreRow.parts).where(ScoreRow.scoring_id == scoring_id, has)
    ids, texts = _fetched(db, query, 2)
    values = [dict(json.loads(text))[name] for text in texts]
    return np.array(ids, np.int64), np.array(values, np.float64)


def latencies(db: Session, scoring_id: int) -> tuple[IntArray, FloatArray]:
    """Predictions with a latency, and these in milliseconds."""
    query = _joined(select(PredictionRow.id, PredictionRow.latency_ms), scoring_id)
    ids, values = _fetched(db, query.where(PredictionRow.latency_ms.is_not(None)), 2)
    return np.array(ids, np.int64), np.array(values, np.float64)


def episodes(db: Session, source: StoredSource | None, places: Codes) -> Episodes:
    """What the source's index says of the episodes that are numbered here."""
    columns = EpisodeRow.episode, func.coalesce(EpisodeRow.app, ""), EpisodeRow.label, EpisodeRow.reason
    found: list[list[Any]] = [[] for _ in range(5)]
    if source is not None:
        query = select(*columns, EpisodeRow.steps).where(EpisodeRow.source_id == source.id)
        found = _fetched(db, query, 5)
    here = np.array([places.get(name, -1) for name in found[0]], np.int64)
    known = here >= 0
    coded: list[CodeArray] = []
    names: list[tuple[str, ...]] = []
    for texts in found[1:4]:
        codes = Codes({"": 0})
        column = np.zeros(len(places), np.int32)
        column[here[known]] = codes.of(texts)[known]
        coded.append(column)
        names.append(tuple(codes))
    steps = np.full(len(places), -1, np.int32)
    steps[here[known]] = np.array(found[4], np.int32)[known]
    app, label, reason = coded
    apps, labels, reasons = names
    return Episodes(app, label, reason, steps, apps, labels, reasons)


def _joined(query: Select[*tuple[Any, ...]], scoring_id: int) -> Select[*tuple[Any, ...]]:
    """Scores with their predictions."""
    return query.join_from(ScoreRow, PredictionRow, PredictionRow.id == ScoreRow.prediction_id).where(
        ScoreRow.scoring_id == scoring_id
    )


def _fetched(db: Session, query: Select[*tuple[Any, ...]], width: int) -> list[list[Any]]:
    """Its rows as lists of one column each, straight from the driver: SQLAlchemy's rows take seven times as long."""
    found: list[list[Any]] = [[] for _ in range(width)]
    cursor = db.connection().execute(query).cursor
    while cursor is not None and (rows := cursor.fetchmany(_AT_ONCE)):
        for column, values in zip(found, zip(*rows, strict=True), strict=True):
            column.extend(values)
    return found
