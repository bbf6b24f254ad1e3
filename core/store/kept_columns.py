"""Columns that took long to read out of a store, kept as Arrow files beside it.

A file holds columns of one thing (a source, a scoring of a run) in one state, told by the numbers that the store
changes with every write; its name has the thing and the state, so a file is never wrong, only of no more use. Files are
made behind the work that read the columns, there whole or not at all, mapped into memory when they are read, and may be
deleted at any time. What cannot be read back as it was written is as good as not there.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session, aliased

from stepscope.core.archives.index_files import make_room
from stepscope.core.drafts import draft_stream
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import limit
from stepscope.core.store import column_files
from stepscope.core.store.tables import SCHEMA, ScoreRow, ScoringRow, SourceRow

if TYPE_CHECKING:
    import pyarrow as pa
else:
    pa = lazy_module("pyarrow")

Columns = Mapping[str, NDArray[Any] | bytes]
"""Arrays of one dimension, and bytes, by name."""

LEAST_BYTES = 1 << 20
"""What is smaller is read out of the store in a few hundredths of a second."""

SETTLED_SECONDS = 10
"""A state is kept when it has lasted so long: what is still being written is another in the next moment."""

_VERSION = 1
"""Another number with each change of what the columns mean."""

_ABOUT = b"stepscope columns"


@dataclass(frozen=True, slots=True)
class ColumnState:
    """`of` names the thing in file names, `stamp` tells its state; one that is not `settled` may soon be another."""

    of: str
    stamp: str
    settled: bool


def source_state(db: Session, source_id: int) -> ColumnState:
    """The state of a source's index."""
    columns = SourceRow.path, SourceRow.changed, SourceRow.episodes, SourceRow.texts
    row = db.execute(select(*columns).where(SourceRow.id == source_id)).one_or_none()
    return _state(f"source-{source_id}", tuple(row or ()), 0 if row is None else row.changed)


def scoring_state(db: Session, scoring_id: int) -> ColumnState:
    """The state of a scoring's scores, and of all predictions of its run, which its own rule's scores come with."""
    own = aliased(ScoringRow)
    query = select(ScoringRow.run_id, ScoringRow.changed, own.id, own.changed).where(ScoringRow.id == scoring_id)
    row = db.execute(query.join(own, and_(own.run_id == ScoringRow.run_id, own.own))).one_or_none()
    last = db.scalar(select(func.max(ScoreRow.prediction_id)).where(ScoreRow.scoring_id == scoring_id))
    changed = 0 if row is None else max(row[1], row[3])
    return _state(f"scoring-{scoring_id}", (*(row or ()), last), changed)


def _state(of: str, numbers: Sequence[Any], changed: int) -> ColumnState:
    settled = 0 < changed < time.time_ns() - SETTLED_SECONDS * 10**9
    return ColumnState(of, json.dumps([_VERSION, SCHEMA, of, *numbers]), settled)


def kept(
    db: Session,
    state: ColumnState,
    name: str,
    read: Callable[[], Columns],
    complete: Callable[[Columns], Columns] = lambda columns: columns,
) -> Columns:
    """The thing's columns of this name in this state: out of their file, or as `read` gives them; then they are kept
    where that is worth it, as `complete` gives them, which nobody waits for. Arrays may be read-only."""
    folder = column_files.columns_folder(db.get_bind().engine.url)
    if folder is None or not state.settled:
        return read()
    file = folder / f"{_beginning(state)}{column_files.digest(name)}{column_files.SUFFIX}"
    found = _loaded(file, state.stamp)
    if found is not None:
        return found
    columns = read()
    if LEAST_BYTES <= _size(columns) <= limit("kept-columns-bytes"):
        known = _known_things(db)
        threading.Thread(
            target=_keep, args=(file, state, lambda: complete(columns), known), name="keep columns"
        ).start()
    return columns


def joined(texts: Sequence[str]) -> bytes:
    """Texts without NUL as bytes, each followed by NUL."""
    return "".join(f"{text}\0" for text in texts).encode("utf-8", "surrogatepass")


def separated(texts: bytes) -> list[str]:
    """The texts that were joined."""
    return texts.decode("utf-8", "surrogatepass").split("\0")[:-1]


# One file ------------------------------------------------------------------------------------------------------------


def _loaded(file: Path, stamp: str) -> dict[str, NDArray[Any] | bytes] | None:
    """The file's columns; None where it is not there, not whole, or of another state."""
    if not file.exists():
        return None
    try:
        with pa.memory_map(str(file)) as mapped:
            batch = pa.ipc.open_file(mapped).get_batch(0)
            about = json.loads(batch.schema.metadata[_ABOUT])
            found = {field.name: _value(field, batch.column(field.name)) for field in batch.schema}
        if about["stamp"] != stamp or about["sums"] != _sums(found):
            return None
    except (pa.ArrowException, OSError, LookupError, ValueError, TypeError):
        return None
    with suppress(OSError):
        os.utime(file)  # the oldest go first
    return found


def _value(field: pa.Field, column: pa.Array) -> NDArray[Any] | bytes:
    if pa.types.is_large_binary(field.type):
        found: bytes = column[0].as_buffer().to_pybytes()
        return found
    values: NDArray[Any] = column.values.to_numpy(zero_copy_only=True)
    return values.view(np.bool_) if field.metadata else values


def _keep(file: Path, state: ColumnState, columns: Callable[[], Columns], known: Collection[str]) -> None:
    """Write the file, then delete what is of no more use: other states of the thing, things that the store does not
    have any more, and what was not used for longest where all together are too large."""
    folder = file.parent
    with _one_at_a_time, suppress(OSError):  # without room or leave they are read out of the store the next time too
        if shutil.disk_usage(folder.parent if not folder.exists() else folder).free < limit("disk-kept-free"):
            return
        folder.mkdir(parents=True, exist_ok=True)
        with draft_stream(file) as stream:
            _write(stream, state.stamp, columns())
        column_files.clean(folder, known, state.of, _beginning(state))
        make_room(folder, limit("kept-columns-bytes"), keep=file)


_one_at_a_time = threading.Lock()


def _write(stream: Any, stamp: str, columns: Columns) -> None:
    fields, values = [], []
    for name, value in columns.items():
        if isinstance(value, bytes):
            fields.append(pa.field(name, pa.large_binary()))
            values.append(pa.array([value], pa.large_binary()))
            continue
        is_bool = value.dtype == np.bool_  # Arrow has bits for them, which would have to be unpacked
        array = pa.array(value.view(np.uint8) if is_bool else value)
        whole = pa.LargeListArray.from_arrays(pa.array([0, len(array)], pa.int64()), array)
        fields.append(pa.field(name, whole.type, metadata={"is": "bool"} if is_bool else None))
        values.append(whole)
    about = {"stamp": stamp, "sums": _sums(columns)}
    schema = pa.schema(fields, metadata={_ABOUT: json.dumps(about)})
    with pa.ipc.new_file(stream, schema) as writer:
        writer.write_batch(pa.record_batch(values, schema=schema))


def _sums(columns: Columns) -> dict[str, int]:
    return {name: zlib.crc32(value if isinstance(value, bytes) else value.data) for name, value in columns.items()}


# The folder ----------------------------------------------------------------------------------------------------------


def _beginning(state: ColumnState) -> str:
    """What the names of all files of this state begin with."""
    return f"{state.of}-{column_files.digest(state.stamp)}-"


def _size(columns: Columns) -> int:
    return sum(len(value) if isinstance(value, bytes) else value.nbytes for value in columns.values())


def _known_things(db: Session) -> frozenset[str]:
    """The names of all things that the store has."""
    scorings = (f"scoring-{number}" for number in db.scalars(select(ScoringRow.id)))
    return frozenset((*scorings, *(f"source-{number}" for number in db.scalars(select(SourceRow.id)))))
