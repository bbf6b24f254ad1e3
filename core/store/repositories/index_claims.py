"""Claims on making a data set's index, and the one of its indexes that counts.

An index is made beside the one that counts: as a source of its own, at the data's path followed by `MAKING`, which has
an owner, a worker whose claim every write shows. So only the owner knows the rows before they are whole. Then it takes
the data's path in one transaction, and the index that it replaces is kept a while under a third name (`REPLACED`), for
programs that are in the midst of using it. Completing the rows of a whole index has an owner in the same way.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from stepscope.core.errors import StoreError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.store import column_files
from stepscope.core.store.tables import EpisodeRow, ProblemRow, SourceRow, StepTextRow
from stepscope.core.store.worker import WorkerClaim

MAKING, REPLACED = "//new", "//was:"
"""What follows a data set's path in the name of an index that does not count yet, or any more (then a number). A
resolved path has no // behind its beginning, so no data set is called so."""

REPLACED_SECONDS = 24 * 60 * 60
"""So long the index that was replaced last is kept."""

SWEPT_ROWS = 5_000
"""Rows deleted in one transaction, so that nobody waits for it."""

_BESIDE = re.compile(rf"(?:{MAKING}|{REPLACED}\d+)\Z")


@dataclass(frozen=True, slots=True)
class IndexClaim:
    """Somebody's work on an index. `beat` is another number after each sign of life; `episodes` and `problems` were
    found so far."""

    source_id: int
    worker: WorkerClaim
    beat: int
    episodes: int
    problems: int


class IndexClaimLostError(StoreError):
    """An index is another worker's now; what this one would have written is not."""


def data_path(path: str) -> str:
    """The data set's own path, whichever of its indexes the path names."""
    return _BESIDE.sub("", path)


def making(db: Session, path: Path | str) -> IndexClaim | None:
    """The maker of this data's index now; None where nobody makes it, or its maker has given up."""
    return _at_work(db, SourceRow.path == f"{path}{MAKING}")


def completing(db: Session, source_id: int) -> IndexClaim | None:
    """The worker on this one index now, or None."""
    return _at_work(db, SourceRow.id == source_id)


def _at_work(db: Session, here: ColumnElement[bool]) -> IndexClaim | None:
    row = db.scalar(select(SourceRow).where(here, SourceRow.owner_claim != ""))
    if row is None:
        return None
    worker = WorkerClaim(row.owner_host, row.owner_pid or 0, row.owner_started, row.owner_claim, row.owner_machine)
    return IndexClaim(row.id, worker, row.beat, row.episodes, row.problems)


def put_owner(row: SourceRow, worker: WorkerClaim | None) -> None:
    """Let only this worker's writes count from now on; None: those without a claim."""
    worker = worker or WorkerClaim("", 0, "", "")
    row.owner_host, row.owner_pid, row.owner_started = worker.host, worker.pid, worker.started
    row.owner_claim, row.owner_machine = worker.claim, worker.machine
    row.beat += 1


def claim(db: Session, source_id: int, worker: WorkerClaim) -> None:
    """Make the worker the owner of an index that counts. Raises TakenOver when it is not there, or does not count, any
    more."""
    row = db.get(SourceRow, source_id)
    if row is None or row.path != data_path(row.path):
        raise _taken_over()
    put_owner(row, worker)
    db.flush()


def beat(db: Session, source_id: int, claim: str) -> None:
    """Say that the owner lives. Raises TakenOver when the index has another one, or is not there any more."""
    owned = update(SourceRow).where(SourceRow.id == source_id, SourceRow.owner_claim == claim)
    if db.execute(owned.values(beat=SourceRow.beat + 1).returning(SourceRow.id)).first() is None:
        raise _taken_over()


def _taken_over() -> IndexClaimLostError:
    hint = "What was found up to then is not lost: open the data again."
    return IndexClaimLostError("This data is read anew by another program.", hint=hint)


def release(db: Session, source_id: int, claim: str) -> None:
    """Own the index no longer, whole or not; nothing happens where it is another's."""
    row = db.scalar(select(SourceRow).where(SourceRow.id == source_id, SourceRow.owner_claim == claim))
    if row is not None:
        put_owner(row, None)


def draft(db: Session, path: Path | str, format_name: str, worker: WorkerClaim | None) -> SourceRow:
    """An empty index of the data, made by the worker. One that another left unfinished is given up; its number is not
    used again, so that whoever still looks at it does not see the new one grow."""
    name = f"{path}{MAKING}"
    left = db.scalar(select(SourceRow).where(SourceRow.path == name))
    if left is not None:
        _replace(db, left, keep=False)
    row = SourceRow(path=name, format=format_name, beat=0)
    put_owner(row, worker)
    db.add(row)
    db.flush()
    return row


def take_path(db: Session, row: SourceRow) -> None:
    """The index is whole: it counts from now on, and the one that did is kept for those who are using it."""
    path = data_path(row.path)
    before = db.scalar(select(SourceRow).where(SourceRow.path == path))
    if before is not None and before is not row:
        older = SourceRow.path.startswith(f"{path}{REPLACED}", autoescape=True)
        db.execute(update(SourceRow).where(older).values(changed=0))
        _replace(db, before, keep=True)
    row.path = path
    put_owner(row, None)
    db.flush()


def _replace(db: Session, row: SourceRow, *, keep: bool) -> None:
    row.path = f"{data_path(row.path)}{REPLACED}{row.id}"
    row.changed = time.time_ns() if keep else 0
    put_owner(row, None)
    db.flush()


def check_whole(db: Session, source_id: int) -> None:
    """Raise UsageError unless the index is, or was until it was replaced, the whole of its data."""
    row = db.get(SourceRow, source_id)
    if row is None:
        raise UsageError("This data was read anew by another program.", hint="Open it again, then start again.")
    if row.scanned_at is None:
        raise _unfinished(row)


def check_none_unfinished(db: Session, path: Path | str) -> None:
    """Raise UsageError where the data's only index is not whole."""
    row = db.scalar(select(SourceRow).where(SourceRow.path == f"{path}{MAKING}"))
    if row is not None:
        raise _unfinished(row)


def _unfinished(row: SourceRow) -> UsageError:
    found, path = f"{row.episodes:,} episode{'s' * (row.episodes != 1)}", data_path(row.path)
    if row.owner_claim:
        message = f"This data is still being read, by process {row.owner_pid} on {row.owner_host}: {found} so far."
        return UsageError(message, place=path, hint="Wait until it has been read to its end, then start again.")
    message = f"This data was not read to its end: reading stopped behind {found}."
    return UsageError(message, place=path, hint="Read it again, then start again.")


def sweep(db: Session) -> bool:
    """Delete some rows of indexes that nobody needs any more; whether there may be more of them."""
    due = SourceRow.changed < time.time_ns() - REPLACED_SECONDS * 10**9
    gone = db.scalar(select(SourceRow.id).where(SourceRow.path.contains(REPLACED), due).limit(1))
    if gone is None:
        return False
    keys: tuple[InstrumentedAttribute[int] | InstrumentedAttribute[str], ...] = (
        EpisodeRow.id,
        ProblemRow.id,
        StepTextRow.text,
    )
    for key in keys:
        table = key.class_
        some = list(db.scalars(select(key).where(table.source_id == gone).limit(SWEPT_ROWS)))
        for first in range(0, len(some), 500):
            db.execute(delete(table).where(table.source_id == gone, key.in_(some[first : first + 500])))
        if some:
            return True
    column_files.drop_after_commit(db, [f"source-{gone}"])
    db.execute(delete(SourceRow).where(SourceRow.id == gone))
    return True
