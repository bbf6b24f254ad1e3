"""What the window saved under a name; the payload's meaning is the window's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session as DbSession

from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.store.tables import SessionRow


@dataclass(frozen=True, slots=True)
class SavedSession:
    name: str
    payload: Mapping[str, Any]
    updated: datetime


def save(db: DbSession, name: str, payload: Mapping[str, Any]) -> None:
    """Keep `payload` (plain JSON values) under `name`, in place of what was there."""
    db.merge(SessionRow(name=name, payload=json.dumps(payload), updated=datetime.now(UTC)))
    db.flush()


def load(db: DbSession, name: str) -> SavedSession:
    """Raises UsageError when nothing was saved under the name."""
    row = db.get(SessionRow, name)
    if row is None:
        raise UsageError(f"There is no session “{name}”.")
    return _value(row)


def is_saved(db: DbSession, name: str) -> bool:
    """Whether anything was saved under the name."""
    return db.get(SessionRow, name) is not None


def saved(db: DbSession) -> list[SavedSession]:
    """All sessions, the latest first."""
    return [_value(row) for row in db.scalars(select(SessionRow).order_by(SessionRow.updated.desc(), SessionRow.name))]


def beginning_with(db: DbSession, start: str) -> list[SavedSession]:
    """All whose names begin so, by their names."""
    named = select(SessionRow).where(SessionRow.name.startswith(start, autoescape=True)).order_by(SessionRow.name)
    return [_value(row) for row in db.scalars(named)]


def remove(db: DbSession, name: str) -> None:
    db.execute(delete(SessionRow).where(SessionRow.name == name))


def _value(row: SessionRow) -> SavedSession:
    return SavedSession(row.name, json.loads(row.payload), row.updated)
