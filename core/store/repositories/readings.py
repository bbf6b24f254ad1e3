"""Runs whose answers are those of an earlier run, read again: which run that was, and which of the two stands in lists.

A reading takes the earlier run's place, with all that people say of it, when it is whole; the earlier one is put away
with its scores as they were, and either can take the place again.
"""

from __future__ import annotations

from dataclasses import asdict, replace

from sqlalchemy.orm import Session as DbSession

from stepscope.core.frozen import dataclass
from stepscope.core.store.repositories import runs, sessions
from stepscope.core.store.repositories.runs import READING
from stepscope.core.typed_forms import dataclass_of


@dataclass(frozen=True, slots=True)
class RunReading:
    """`former` is the id of the run whose stored answers are read, `space` the one that they are read in."""

    former: str
    space: str


def put(db: DbSession, run_id: str, reading: RunReading) -> None:
    """Keep that the run is such a reading."""
    sessions.save(db, READING.format(run_id), asdict(reading))


def find(db: DbSession, run_id: str) -> RunReading | None:
    """None for a run whose model was asked, and for an entry of another version."""
    if not sessions.is_saved(db, READING.format(run_id)):
        return None
    try:
        return dataclass_of(RunReading, sessions.load(db, READING.format(run_id)).payload)
    except ValueError:
        return None


def take_place(db: DbSession, run_id: str) -> None:
    """Let a reading stand where the run stood whose answers it has; nothing for other runs, or where that is gone."""
    reading = find(db, run_id)
    if reading is not None and runs.exists(db, reading.former):
        stand(db, run_id, reading.former)


def stand(db: DbSession, run_id: str, away: str) -> None:
    """Give the run all that people say of the other, which is put away. Raises UsageError when one of them is gone."""
    labels = runs.get(db, away).labels
    runs.set_labels(db, run_id, replace(labels, archived=False))
    runs.set_labels(db, away, replace(labels, archived=True))
