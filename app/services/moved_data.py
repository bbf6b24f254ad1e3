"""Data that is not where it was: found again elsewhere, with all that is said of it."""

from __future__ import annotations

from pathlib import Path

from stepscope.app.services.provenance import PROCEDURES
from stepscope.core.frozen import dataclass
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import moving
from stepscope.core.store.repositories.moving import MovedRows


@dataclass(frozen=True, slots=True)
class OtherData:
    """What was found is not the same data: so many of its episodes are `missing`."""

    missing: int


def follow_data(database: Database, old: Path, new: Path) -> MovedRows | OtherData:
    """Let the runs, annotations and answers about the data that was at `old` be about that at `new`, which has been
    opened, where every episode of the one is in the other; else nothing is changed. Raises StoreError."""
    with database.unit_of_work() as db:
        missing = moving.missing_episodes(db, str(old), str(new))
        if missing:
            return OtherData(missing)
        moved = [moving.move_data(db, f"{old}{view}", f"{new}{view}") for view in ("", PROCEDURES)]
    whole, procedures = moved
    return MovedRows(
        whole.runs + procedures.runs,
        whole.annotations + procedures.annotations,
        whole.answers + procedures.answers,
    )
