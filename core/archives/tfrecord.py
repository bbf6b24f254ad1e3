"""TFRecord files, plain or gzip, record by record, without TensorFlow.

A record is its length (8 bytes, little endian), the length's check sum, the data and the data's check sum. Check sums
are CRC-32C, turned and shifted so that a sum over data that holds sums stays sound (tensorflow/core/lib/io/
record_writer.h and hash/crc32c.h). Gzip wraps the whole file.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import google_crc32c

from stepscope.core.archives.budget import Budget
from stepscope.core.archives.inflate import PIECE, InflateError, pieces
from stepscope.core.archives.opening import GZIP_MAGIC, is_gzip, open_file, unreadable
from stepscope.core.archives.spans import read_span
from stepscope.core.archives.tfrecord_head import HEADER, looks_like_tfrecord, mask, masked
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import hint, limit

__all__ = ["Damage", "TfRecord", "is_gzip", "looks_like_tfrecord", "read_records", "read_span"]

_SUM = struct.Struct("<I")
_SMALL, _KEPT = 1 << 17, 1 << 26
"""Memory for records between these lengths is used again: for shorter ones it is quick to get, and longer ones say so
before they have shown it."""


@dataclass(frozen=True, slots=True)
class TfRecord:
    """A record's data, good for as long as somebody holds them. `number` counts from 1; `offset` is where the data
    begins, in the inflated stream when gzip."""

    number: int
    offset: int
    data: memoryview


@dataclass(frozen=True, slots=True)
class Damage:
    """The damage of record `number` (from 1) or from there on, in words, with what to do about it."""

    number: int
    message: str


def read_records(path: Path) -> Iterator[TfRecord | Damage]:
    """The file's records in order, each checked; memory holds two records.

    A record whose data do not fit their check sum comes as Damage and reading goes on; after a broken length or one
    beyond the limit, a cut, broken gzip data or more of them than may come out of the file, nothing more can be found,
    and that Damage is the last. Raises SourceError when the file cannot be
    opened or read.
    """
    with open_file(path) as stream:
        gzip = stream.read(len(GZIP_MAGIC)) == GZIP_MAGIC
        stream.seek(0)
        try:
            budget = Budget(path, path.stat().st_size)
            yield from _records(_PieceStream(budget.counted(pieces(stream)) if gzip else _plain(stream)))
        except OSError as error:
            raise unreadable(error, path) from error


class _PieceStream:
    """A stream of pieces, taken in the lengths that are asked for."""

    def __init__(self, source: Iterator[bytes]) -> None:
        self._source = source
        self._piece = b""
        self._place = 0
        self.offset = 0
        self.trouble = ""
        self.hint = _FETCH

    def take(self, count: int) -> bytes:
        """The next `count` bytes; fewer where the stream ends, and `trouble` says why if it should not have ended."""
        end = self._place + count
        if end > len(self._piece):
            return b"".join(self.parts(count))
        taken = self._piece[self._place : end]  # nearly always for small records
        self._place = end
        self.offset += count
        return taken

    def parts(self, count: int) -> Iterator[bytes]:
        """What `take` takes, as it comes."""
        while count > 0:
            if self._place == len(self._piece):
                self._piece, self._place = self._next(), 0
                if not self._piece:
                    return
            part = self._piece[self._place : self._place + count]
            self._place += len(part)
            self.offset += len(part)
            count -= len(part)
            yield part

    def _next(self) -> bytes:
        try:
            return next(self._source, b"")
        except InflateError as error:
            self.trouble = str(error)
            return b""
        except SourceError as error:  # more came out than may
            self.trouble, self.hint = error.message, f". {error.hint}"
            return b""


class _RecordMemory:
    """Where a record's parts are put together: two buffers in turn, since new memory for each record would take longer
    than inflating it. Readers of records hold the last one while they ask for the next."""

    def __init__(self) -> None:
        self._buffers = [bytearray(1), bytearray(1)]

    def fill(self, inflow: _PieceStream, length: int) -> tuple[memoryview, int]:
        """The next record's `length` bytes, fewer where the stream ends, and their check sum; what is at hand is summed
        up and put into its place at once."""
        buffer = self._free(length)
        view = memoryview(buffer)
        place = crc = 0
        for part in inflow.parts(length):
            crc = google_crc32c.extend(crc, part)
            view[place : place + len(part)] = part
            place += len(part)
        return view[:place].toreadonly(), mask(crc)

    def _free(self, length: int) -> bytearray:
        buffer = self._buffers.pop(0)
        try:
            buffer.append(buffer.pop())  # refused while somebody looks at it
        except BufferError:
            buffer = bytearray(1)
        if len(buffer) < length:
            buffer = bytearray(length)
        self._buffers.append(buffer)
        return buffer


def _records(inflow: _PieceStream) -> Iterator[TfRecord | Damage]:
    number = 1
    memory = _RecordMemory()
    while True:
        start = inflow.offset
        header = inflow.take(HEADER.size)
        if len(header) < HEADER.size:
            if header or inflow.trouble:
                yield _cut(number, start, inflow)
            return
        length, length_sum = HEADER.unpack(header)
        if masked(header[:8]) != length_sum:
            yield Damage(
                number, f"record {number} (byte {start}) has a broken length; the rest cannot be found{_FETCH}"
            )
            return
        if length > limit("record-bytes"):
            said = f"record {number} (byte {start}) says to be {length} bytes long, more than is read"
            yield Damage(number, f"{said}; reading stops here. {hint('record-bytes')}")
            return
        offset = inflow.offset
        if _SMALL < length <= _KEPT:
            data, data_sum = memory.fill(inflow, length)
        else:
            taken = inflow.take(length)
            data, data_sum = memoryview(taken), masked(taken)
            del taken
        end = inflow.take(_SUM.size)
        if len(end) < _SUM.size:
            yield _cut(number, start, inflow)
            return
        if data_sum != _SUM.unpack(end)[0]:
            yield Damage(number, f"record {number} (byte {start}) does not fit its check sum and is left out{_FETCH}")
        else:
            yield TfRecord(number, offset, data)
        del data
        number += 1


_FETCH = ". Fetch the file again."


def _cut(number: int, start: int, inflow: _PieceStream) -> Damage:
    reason = inflow.trouble or "the file is cut short"
    return Damage(number, f"{reason} at record {number} (byte {start}); the records before it are whole{inflow.hint}")


def _plain(stream: BinaryIO) -> Iterator[bytes]:
    while piece := stream.read(PIECE):
        yield piece
