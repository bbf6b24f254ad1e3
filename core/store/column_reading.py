"""Columns out of the database, faster than row by row where the database is SQLite.

Other databases are read row by row.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import count, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.frozen import dataclass
from stepscope.core.store.repositories.sources import IN_PIECES
from stepscope.core.store.tables import EpisodeRow, PredictionRow, ScoreRow

IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

_STATUSES = (ScoreStatus.SCORED, ScoreStatus.UNSCORED, ScoreStatus.ERROR)
_AT_ONCE = 10_000
"""Rows that are fetched at once where they are fetched one by one."""


class TextCodes(defaultdict[str, int]):
    """Texts numbered in the order in which they are first looked up, after those that are given."""

    def __init__(self, *texts: str) -> None:
        super().__init__(count().__next__)
        for text in texts:
            self[text]

    def of(self, texts: Collection[str]) -> CodeArray:
        return np.fromiter(map(self.__getitem__, texts), np.int32, len(texts))

    def of_known(self, texts: Collection[str]) -> CodeArray:
        """-1 for those that have no number."""
        return np.fromiter(map(self.get, texts, repeat(-1)), np.int32, len(texts))


@dataclass(frozen=True, eq=False)
class Items:
    """Columns of items as `RunColumns` has them; `places` numbers the episodes."""

    row: IntArray
    episode: CodeArray
    step: CodeArray
    status: NDArray[np.int8]
    value: FloatArray
    malformed: BoolArray
    null: BoolArray
    reference: CodeArray
    predicted: CodeArray
    confidence: FloatArray
    kinds: tuple[str, ...]
    places: TextCodes


@dataclass(frozen=True, eq=False)
class Episodes:
    """The episodes of the index as columns, one entry each; see `RunColumns`."""

    app: CodeArray
    label: CodeArray
    reason: CodeArray
    steps: CodeArray
    apps: tuple[str, ...]
    labels: tuple[str, ...]
    reasons: tuple[str, ...]


def items(db: Session, scoring_id: int) -> Items:
    """Every item with a score under the scoring, in the order of predictions."""
    columns = (
        PredictionRow.id, PredictionRow.episode, PredictionRow.step, ScoreRow.status, ScoreRow.value,
        ScoreRow.malformed, PredictionRow.status, PredictionRow.reference, PredictionRow.kind, PredictionRow.confidence,
    )  # fmt: skip
    found = fetched_columns(db, with_predictions(select(*columns), scoring_id).order_by(PredictionRow.id), len(columns))
    places, kinds = TextCodes(), TextCodes()
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
    ids, texts = fetched_columns(db, query, 2)
    values = [dict(json.loads(text))[name] for text in texts]
    return np.array(ids, np.int64), np.array(values, np.float64)


def latencies(db: Session, scoring_id: int) -> tuple[IntArray, FloatArray]:
    """Predictions with a latency, and these in milliseconds."""
    query = with_predictions(select(PredictionRow.id, PredictionRow.latency_ms), scoring_id)
    ids, values = fetched_columns(db, query.where(PredictionRow.latency_ms.is_not(None)), 2)
    return np.array(ids, np.int64), np.array(values, np.float64)


def index(db: Session, source_id: int, some: Sequence[str] | None = None) -> list[list[Any]]:
    """Id, app, label, reason and length of every episode of a source, or of these: five lists."""
    columns = EpisodeRow.episode, func.coalesce(EpisodeRow.app, ""), EpisodeRow.label, EpisodeRow.reason
    query = select(*columns, EpisodeRow.steps).where(EpisodeRow.source_id == source_id)
    if some is None:
        return fetched_columns(db, query, 5)
    found: list[list[Any]] = [[] for _ in range(5)]
    for start in range(0, len(some), IN_PIECES):
        here = query.where(EpisodeRow.episode.in_(some[start : start + IN_PIECES]))
        for column, values in zip(found, fetched_columns(db, here, 5), strict=True):
            column += values
    return found


def described_episodes(places: TextCodes, found: Sequence[Sequence[Any]]) -> Episodes:
    """What `index` found, put where `places` has the episodes; what it did not find is unknown."""
    ids, apps, labels, reasons, steps = found
    at = places.of_known(ids)
    known = at >= 0

    def put(values: NDArray[np.int32], otherwise: int) -> CodeArray:
        column = np.full(len(places), otherwise, np.int32)
        column[at[known]] = values[known]
        return column

    names = TextCodes(""), TextCodes(""), TextCodes("")
    app, label, reason = (put(codes.of(texts), 0) for codes, texts in zip(names, (apps, labels, reasons), strict=True))
    return Episodes(app, label, reason, put(np.array(steps, np.int32), -1), *map(tuple, names))


def with_predictions(query: Select[*tuple[Any, ...]], scoring_id: int) -> Select[*tuple[Any, ...]]:
    """Scores with their predictions."""
    return query.join_from(ScoreRow, PredictionRow, PredictionRow.id == ScoreRow.prediction_id).where(
        ScoreRow.scoring_id == scoring_id
    )


def fetched_columns(db: Session, query: Select[*tuple[Any, ...]], width: int) -> list[list[Any]]:
    """A query's rows as lists of one column each, straight from the driver: SQLAlchemy's rows take seven times as
    long."""
    found: list[list[Any]] = [[] for _ in range(width)]
    cursor = db.connection().execute(query).cursor
    while cursor is not None and (rows := cursor.fetchmany(_AT_ONCE)):
        for column, values in zip(found, zip(*rows, strict=True), strict=True):
            column.extend(values)
    return found


def all_texts(db: Session, query: Select[*tuple[Any, ...]]) -> list[str]:
    """The texts of a query for one column, in its order; no text is NULL. SQLite joins them to one, which is split here
    in a third of the time of fetching them."""
    if db.get_bind().dialect.name != "sqlite":
        return fetched_columns(db, query, 1)[0]
    rows = query.subquery()
    found = db.scalar(select(func.group_concat(rows.c[0], func.char(0))))
    return [] if found is None else str(found).split("\0")


def all_numbers(db: Session, query: Select[*tuple[Any, ...]]) -> IntArray:
    """The whole numbers of a query for one column, in its order; none is NULL."""
    if db.get_bind().dialect.name != "sqlite":
        return np.array(fetched_columns(db, query, 1)[0], np.int64)
    rows = query.subquery()
    return np.fromstring(db.scalar(select(func.group_concat(rows.c[0]))) or "", np.int64, sep=",")
