"""Columns out of SQLite several times as fast as row by row.

A million rows through the driver are millions of Python objects. So SQLite is asked to put the small numbers of an item
into one whole number, and to join those of some thousand items into one text, which numpy reads:

    bits 0-1   value: 0 none, 1 zero, 2 one, 3 any other        bits 7-12   kind of the reference, as in `_KINDS`
    bits 2-3   status, as in `_STATUSES`                         bits 13-18  kind of the prediction
    bits 4-5   1 malformed, 2 (beside it) null                   bits 19-31  the prediction's id less the chunk's first
    bit  6     whether the episode is another than before        bits 32-63  step + 1

An episode's id is sent where it changes from one prediction to the next. A confidence is sent as a multiple of 2**-62,
which is exact from 2**-9 to 1. What fits into none of this is fetched as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Integer, Select, and_, bindparam, case, cast, func, not_, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from stepscope.core.domain.action import ACTION_TYPES
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.store.column_reading import (
    BoolArray,
    CodeArray,
    FloatArray,
    IntArray,
    Items,
    TextCodes,
    fetched_columns,
    with_predictions,
)
from stepscope.core.store.repositories.sources import IN_PIECES
from stepscope.core.store.tables import EpisodeRow, PredictionRow, ScoreRow

_CHUNK = 1 << 13
"""A power of two, for 13 bits at most."""
_FREQUENT = "tap", "type", "swipe", "press_key", "scroll", "finish", "open_app", "infeasible", "feasible", "", "wait"
_KINDS = tuple(dict.fromkeys((*_FREQUENT, *ACTION_TYPES)))
"""SQLite compares a kind with one after the other."""
_UNKNOWN = 63
_SCALE = 2.0**62
_EXACT_FROM = 2.0**-9
_NO_NUMBER, _OTHER_NUMBER = -2, -1
_BETWEEN = "\0"
"""Between texts that are joined: no text in the store has it (see `tables.EscapedText`)."""


def items(db: Session, scoring_id: int) -> Items:
    """Every item with a score under the scoring, in the order of predictions."""
    row, bits, scaled, names = _chunks(db, scoring_id)
    places = TextCodes()
    episode = _episodes(db, row, (bits >> 6 & 1).astype(np.bool_), names, places)
    reference, predicted, kinds = _kinds(db, scoring_id, row, bits)
    value = np.array([np.nan, 0.0, 1.0, np.nan])[bits & 3]
    if (bits & 3 == 3).any():
        _put(db, scoring_id, ScoreRow.value, ScoreRow.value.not_in((0.0, 1.0)), row, value)
    confidence = np.where(scaled < 0, np.nan, scaled / _SCALE)
    if (scaled == _OTHER_NUMBER).any():
        other = and_(PredictionRow.confidence.is_not(None), not_(_is_exact(PredictionRow.confidence)))
        _put(db, scoring_id, PredictionRow.confidence, other, row, confidence)
    return Items(
        row=row,
        episode=episode,
        step=((bits >> 32) - 1).astype(np.int32),
        status=(bits >> 2 & 3).astype(np.int8),
        value=value,
        malformed=(bits >> 4 & 1).astype(np.bool_),
        null=(bits >> 5 & 1).astype(np.bool_),
        reference=reference,
        predicted=predicted,
        confidence=confidence,
        kinds=kinds,
        places=places,
    )


def part(db: Session, scoring_id: int, name: str) -> tuple[IntArray, FloatArray]:
    """Predictions with this part in their score, and the parts. (`parts` is JSON without spaces.)"""
    key = f"[{json.dumps(name)},"
    at = func.instr(ScoreRow.parts, key)
    rest = func.substr(ScoreRow.parts, at + len(key))
    number = func.substr(rest, 1, func.instr(rest, "]") - 1)
    query = select(func.group_concat(ScoreRow.prediction_id), func.group_concat(number)).where(*_here(), at > 0)
    ids: list[IntArray] = []
    values: list[float] = []
    for _, (some, texts) in _each_chunk(db, scoring_id, query):
        ids.append(_numbers(some))
        values += json.loads(f"[{texts or ''}]")
    return _together(ids), np.array(values, np.float64)


def index(db: Session, source_id: int) -> list[list[Any]]:
    """Id, app, label, reason and length of every episode of a source: five lists."""
    columns = EpisodeRow.episode, func.coalesce(EpisodeRow.app, ""), EpisodeRow.label, EpisodeRow.reason
    joined_texts = (func.group_concat(column, func.char(0)) for column in columns)
    query = select(*joined_texts, func.group_concat(EpisodeRow.steps)).where(EpisodeRow.source_id == source_id)
    *texts, steps = db.execute(query).one()
    if steps is None:
        return [[], [], [], [], []]
    return [*(text.split(_BETWEEN) for text in texts), _numbers(steps).tolist()]


def _chunks(db: Session, scoring_id: int) -> tuple[IntArray, IntArray, IntArray, list[str]]:
    """All items: ids and packed numbers, scaled confidences, and the episodes where they change."""
    before = aliased(PredictionRow)
    same = before.episode == PredictionRow.episode
    query = select(
        func.group_concat(_packed(same)),
        func.group_concat(_scaled(PredictionRow.confidence)),
        func.group_concat(case((same, None), else_=PredictionRow.episode), func.char(0)),
    )
    query = query.join_from(ScoreRow, PredictionRow, PredictionRow.id == ScoreRow.prediction_id)
    query = query.outerjoin(before, before.id == PredictionRow.id - 1).where(*_here())
    rows: list[IntArray] = []
    packed: list[IntArray] = []
    scaled: list[IntArray] = []
    names: list[str] = []
    for low, (bits, numbers, texts) in _each_chunk(db, scoring_id, query):
        some = _numbers(bits)
        rows.append((some >> 19 & _CHUNK - 1) + low)
        packed.append(some)
        scaled.append(_numbers(numbers))
        names += () if texts is None else texts.split(_BETWEEN)
    return _together(rows), _together(packed), _together(scaled), names


def _packed(same: ColumnElement[bool]) -> ColumnElement[int]:
    """The number that the table above describes."""
    value = ScoreRow.value
    senseless = PredictionRow.status == PredictionStatus.MALFORMED.value
    statuses = {ScoreStatus.SCORED.value: 0, ScoreStatus.UNSCORED.value: 1 << 2}
    return (
        case((value == 1.0, 2), (value == 0.0, 1), (value.is_(None), 0), else_=3)
        + case(statuses, value=ScoreRow.status, else_=2 << 2)
        + case((ScoreRow.malformed, case((senseless, 1 << 4), else_=3 << 4)), else_=0)
        + case((same, 0), else_=1 << 6)
        + _kind_code(PredictionRow.reference, 7)
        + _kind_code(PredictionRow.kind, 13)
        + (ScoreRow.prediction_id - bindparam("low")) * (1 << 19)
        + (PredictionRow.step + 1) * (1 << 32)
    )


def _kind_code(column: InstrumentedAttribute[str], shift: int) -> ColumnElement[int]:
    return case({kind: code << shift for code, kind in enumerate(_KINDS)}, value=column, else_=_UNKNOWN << shift)


def _is_exact(column: InstrumentedAttribute[float | None]) -> ColumnElement[bool]:
    return or_(column.between(_EXACT_FROM, 1.0), column == 0.0)


def _scaled(column: InstrumentedAttribute[float | None]) -> ColumnElement[int]:
    whole = cast(column * _SCALE, Integer)
    return case((_is_exact(column), whole), (column.is_(None), _NO_NUMBER), else_=_OTHER_NUMBER)


def _here() -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """A chunk of a scoring's scores."""
    of_chunk = ScoreRow.prediction_id.between(bindparam("low"), bindparam("high"))
    return ScoreRow.scoring_id == bindparam("scoring"), of_chunk


def _each_chunk(db: Session, scoring_id: int, query: Select[*tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
    """First prediction id and the query's one row, for all ids that the scoring has."""
    of_scoring = ScoreRow.scoring_id == scoring_id
    first, last = (db.scalar(select(of(ScoreRow.prediction_id)).where(of_scoring)) for of in (func.min, func.max))
    if first is None or last is None:
        return
    connection = db.connection()
    for low in range(first, last + 1, _CHUNK):
        chunk = {"scoring": scoring_id, "low": low, "high": low + _CHUNK - 1}
        yield low, connection.execute(query, chunk).one()


def _episodes(db: Session, row: IntArray, new: BoolArray, names: Sequence[str], places: TextCodes) -> CodeArray:
    """The episode of each item. Where the prediction before it is not among the items (it has no score, or is another
    run's), that it has the same episode tells nothing, and the episode is fetched."""
    lost = ~new
    lost[1:] &= np.diff(row) != 1
    begins = np.flatnonzero(new | lost)
    is_lost = lost[begins]
    found = np.empty(len(begins), np.object_)
    found[~is_lost] = names
    found[is_lost] = _fetched_episodes(db, row[lost].tolist())
    return np.repeat(places.of(found.tolist()), np.diff(begins, append=len(row)))


def _fetched_episodes(db: Session, ids: list[int]) -> list[str]:
    found: dict[int, str] = {}
    for start in range(0, len(ids), IN_PIECES):
        here = PredictionRow.id.in_(ids[start : start + IN_PIECES])
        found.update(
            zip(*fetched_columns(db, select(PredictionRow.id, PredictionRow.episode).where(here), 2), strict=True)
        )
    return [found[one] for one in ids]


def _kinds(db: Session, scoring_id: int, row: IntArray, bits: IntArray) -> tuple[CodeArray, CodeArray, tuple[str, ...]]:
    """The kinds of references and predictions, numbered without those that do not occur."""
    both = [bits >> shift & _UNKNOWN for shift in (7, 13)]
    names = TextCodes(*_KINDS)
    for codes, column in zip(both, (PredictionRow.reference, PredictionRow.kind), strict=True):
        if (codes == _UNKNOWN).any():
            query = select(PredictionRow.id, column).where(column.not_in(_KINDS))
            ids, others = fetched_columns(db, with_predictions(query, scoring_id), 2)
            codes[np.searchsorted(row, ids)] = names.of(others)
    seen = np.bincount(both[0], minlength=len(names)) + np.bincount(both[1], minlength=len(names)) > 0
    place = (np.cumsum(seen) - 1).astype(np.int32)
    kinds = tuple(name for name, used in zip(names, seen.tolist(), strict=True) if used)
    return place[both[0]], place[both[1]], kinds


def _put(
    db: Session,
    scoring_id: int,
    column: InstrumentedAttribute[float | None],
    condition: ColumnElement[bool],
    row: IntArray,
    values: FloatArray,
) -> None:
    """Fetch this column where the condition holds."""
    query = select(PredictionRow.id, column).where(condition).order_by(PredictionRow.id)
    ids, found = fetched_columns(db, with_predictions(query, scoring_id), 2)
    values[np.searchsorted(row, ids)] = found


def _numbers(text: str | None) -> IntArray:
    return np.fromstring(text or "", np.int64, sep=",")


def _together(parts: Sequence[IntArray]) -> IntArray:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
