"""Causes that people gave to the wrong steps of a run. They belong to its predictions, and go with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from stepscope.core.domain.error_cause import CauseLabel, ErrorCause
from stepscope.core.store.repositories.sources import IN_PIECES
from stepscope.core.store.tables import CauseLabelRow, PredictionRow, storable, table_of

Place = tuple[str, int]
"""An episode and a step's index in it."""

_COLUMNS = CauseLabelRow.cause, CauseLabelRow.author, CauseLabelRow.made


def of_run(db: Session, run_id: str) -> dict[Place, CauseLabel]:
    """All of a run's."""
    query = select(PredictionRow.episode, PredictionRow.step, *_COLUMNS)
    query = query.join(CauseLabelRow, CauseLabelRow.prediction_id == PredictionRow.id)
    rows = db.execute(query.where(PredictionRow.run_id == run_id))
    return {(episode, step): _label(cause, author, made) for episode, step, cause, author, made in rows}


def put(db: Session, run_id: str, labels: Mapping[Place, CauseLabel | None]) -> None:
    """Give these steps these causes, None: the one that was worked out. Steps of which the run has no prediction (any
    more) are passed over."""
    ids = _ids(db, run_id, labels)
    _delete(db, ids.values())
    rows = [_row(ids[place], label) for place, label in labels.items() if label is not None and place in ids]
    if rows:
        db.execute(insert(table_of(CauseLabelRow)), rows)


def among(db: Session, prediction_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """As JSON by the prediction's number, of those that have one."""
    query = select(CauseLabelRow.prediction_id, *_COLUMNS).where(CauseLabelRow.prediction_id.in_(prediction_ids))
    return {number: _form(_label(cause, author, made)) for number, cause, author, made in db.execute(query)}


def add_forms(db: Session, forms: Sequence[tuple[int, Mapping[str, Any] | None]]) -> None:
    """Enter what `among` gave, by the prediction's number here."""
    rows = [_row(number, label_of(form)) for number, form in forms if form is not None]
    if rows:
        db.execute(insert(table_of(CauseLabelRow)), rows)


def label_of(form: Mapping[str, Any]) -> CauseLabel:
    """The reverse of a form of `among`. Raises ValueError, TypeError or KeyError for anything else."""
    if set(form) != {"cause", "author", "made"} or not all(type(value) is str for value in form.values()):
        raise ValueError("the cause of an item is not what it should be")
    made = datetime.fromisoformat(form["made"])
    if made.tzinfo is None or "\0" in form["author"]:
        raise ValueError("the cause of an item is not what it should be")
    return CauseLabel(ErrorCause(form["cause"]), form["author"], made.astimezone(UTC))


def _form(label: CauseLabel) -> dict[str, Any]:
    return {"cause": label.cause.value, "author": label.author, "made": label.made.isoformat()}


def _row(number: int, label: CauseLabel) -> dict[str, Any]:
    return {"prediction_id": number, "cause": label.cause.value, "author": label.author, "made": label.made}


def _label(cause: str, author: str, made: datetime) -> CauseLabel:
    return CauseLabel(ErrorCause(cause), author, made)


def _ids(db: Session, run_id: str, places: Iterable[Place]) -> dict[Place, int]:
    """The numbers of the predictions about these steps."""
    wanted: dict[str, dict[int, Place]] = {}
    for place in places:
        wanted.setdefault(storable(place[0]), {})[place[1]] = place
    names, found = sorted(wanted), dict[Place, int]()
    for first in range(0, len(names), IN_PIECES):
        query = select(PredictionRow.episode, PredictionRow.step, PredictionRow.id).where(
            PredictionRow.run_id == run_id, PredictionRow.episode.in_(names[first : first + IN_PIECES])
        )
        for episode, step, number in db.execute(query):
            if step in wanted[episode]:
                found[wanted[episode][step]] = number
    return found


def _delete(db: Session, numbers: Iterable[int]) -> None:
    ids = list(numbers)
    for first in range(0, len(ids), IN_PIECES):
        db.execute(delete(CauseLabelRow).where(CauseLabelRow.prediction_id.in_(ids[first : first + IN_PIECES])))
