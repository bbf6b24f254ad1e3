"""Byte strings in parquet tables, one at a time: the pictures of a table may have gigabytes.

A table's row group is read from its start in small batches. Whoever reads on from there goes on where the last read
stopped, and the batches around it are kept for a while; only a read far back begins anew.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.archives.index_files import FileKey
from stepscope.core.archives.parquet import Table
from stepscope.core.errors import SourceError

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 4
KEPT_BYTES = 32 << 20
"""Bytes of batches that are kept for each row group that is being read."""

_OPEN_GROUPS = 3


def read_cell(path: Path, group: int, row: int, column: str) -> bytes:
    """The bytes in row `row` of row group `group`; `column` is the path of the field, with dots.

    A column of pictures as Hugging Face writes it (fields `bytes` and `path`) may be named without `.bytes`. May be
    called from any thread. Raises SourceError for what is not there, empty or no byte string.
    """
    while True:
        reader = _reader((FileKey.of(path), group, column))
        with reader.lock:
            if not reader.closed:
                return reader.cell(row)


def close_all() -> None:
    """Close the tables that are held open for further reads."""
    with _state:
        held = list(_held.values())
        _held.clear()
    for reader in held:
        reader.close()


class _GroupReader:
    """One column of one row group, read in batches from the start on."""

    def __init__(self, key: _Key) -> None:
        self.lock = threading.Lock()
        self.closed = False
        self._file, self._group, self._column = key
        self._table: Table | None = None
        self._batches: Iterator[Any] = iter(())
        self._next_row = self._rows = 0
        self._kept: OrderedDict[tuple[int, int], Any] = OrderedDict()
        self._bytes = 0

    def cell(self, row: int) -> bytes:
        import pyarrow

        try:
            return self._found(row)
        except (pyarrow.ArrowException, OSError, ValueError, TypeError, LookupError, OverflowError) as error:
            self._restart()
            words = " ".join(str(error).split())[:200]
            raise self._error(f"the table cannot be read: {words}", row, "Fetch the file again.") from error
        except SourceError:
            raise
        except BaseException:
            self._restart()
            raise

    def close(self) -> None:
        with self.lock:
            self.closed = True
            self._kept.clear()
            self._batches = iter(())
            if self._table is not None:
                self._table.close()

    def _found(self, row: int) -> bytes:
        table = self._table or self._open()
        if not 0 <= row < self._rows:
            raise self._error(f"there is no row {row}: the row group has {self._rows}", row)
        for (start, end), batch in self._kept.items():
            if start <= row < end:
                self._kept.move_to_end((start, end))
                return self._value(table, batch, row, row - start)
        if row < self._next_row:
            self._begin(table)
        for batch in self._read_on():
            start, end = self._next_row, self._next_row + batch.num_rows
            self._next_row = end
            self._keep((start, end), batch)
            if start <= row < end:
                return self._value(table, batch, row, row - start)
        raise self._error("the row group ends too early", row, "Fetch the file again.")

    def _open(self) -> Table:
        self._table = table = Table(self._file.path)
        if not 0 <= self._group < len(table.groups):
            raise self._error(f"there is no row group {self._group}", 0)
        self._rows = table.groups[self._group]
        self._begin(table)
        return table

    def _begin(self, table: Table) -> None:
        self._next_row = 0
        self._batches = table.batches(self._group, [self._column], BATCH_ROWS)

    def _read_on(self) -> Iterator[pa.RecordBatch]:
        try:
            for batch in self._batches:  # noqa: UP028 - `yield from` would end it with this read
                yield batch
        except SourceError:
            self._restart()  # so that it is told again
            raise

    def _restart(self) -> None:
        """Begin anew after a failure: nothing that was read is relied on."""
        if self._table is not None:
            self._table.close()
        self._table, self._batches = None, iter(())
        self._kept.clear()
        self._bytes = self._next_row = 0

    def _keep(self, rows: tuple[int, int], batch: pa.RecordBatch) -> None:
        self._kept[rows] = batch
        self._bytes += batch.get_total_buffer_size()
        while self._bytes > KEPT_BYTES and len(self._kept) > 1:
            self._bytes -= self._kept.popitem(last=False)[1].get_total_buffer_size()

    def _value(self, table: Table, batch: pa.RecordBatch, row: int, place: int) -> bytes:
        """The bytes at a place of the batch; `row` is that of the row group."""
        if not batch.num_columns:
            raise self._error(f"there is no column {self._column!r}", row)
        one = batch.slice(place, 1)
        table.check(one, f"row group {self._group}, row {row}")
        value = one.column(0)[0].as_py()
        for name in self._column.split(".")[1:]:
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, dict):
            value = value.get("bytes")
        if value is None:
            raise self._error("there is no picture in this row", row)
        if not isinstance(value, bytes):
            raise self._error(f"the column {self._column!r} holds no byte strings", row)
        return value

    def _error(self, message: str, row: int, hint: str = "") -> SourceError:
        where = f"row group {self._group}, row {row}"
        return SourceError(message, place=self._file.path, record=where, field=self._column, hint=hint)


_Key = tuple[FileKey, int, str]
_state = threading.Lock()
_held: OrderedDict[_Key, _GroupReader] = OrderedDict()


def _reader(key: _Key) -> _GroupReader:
    """The row group's reader, held open; the one that was not used for longest makes room."""
    with _state:
        reader = _held.get(key)
        if reader is None:
            reader = _held[key] = _GroupReader(key)
        _held.move_to_end(key)
        beyond = [_held.popitem(last=False)[1] for _ in range(len(_held) - _OPEN_GROUPS)]
    for old in beyond:
        old.close()
    return reader
