"""A gzip file as a stream of inflated pieces, through Intel's ISA-L: two to three times zlib's speed.

Only so much is inflated at a time as is asked for, so that a small file that inflates to terabytes takes no memory.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from isal import isal_zlib

from stepscope.core.archives.opening import GZIP_MAGIC

PIECE = 1 << 20
"""Bytes of an inflated piece at most: Python's share is small, and the piece still fits the processor's cache."""

_READ = 1 << 18
_FIRST_FEED = 1 << 12
_CAREFUL_FEED = 1 << 14
_CUT = "the gzip data is cut short"
_GZIP = 31
"""Window bits of a gzip wrapper with the full window (zlib manual, inflateInit2)."""


class InflateError(Exception):
    """The gzip data cannot be inflated further; the message says why."""


def pieces(stream: BinaryIO) -> Iterator[bytes]:
    """The inflated bytes of all members, in pieces of 1 to `PIECE` bytes.

    Raises InflateError where the data is cut short or broken, after all that could be inflated before it.
    """
    source = Portions(stream)
    yield from _member(source, stream)
    while source.skip_padding():
        if not source.begins_with(GZIP_MAGIC):
            raise InflateError("what follows the gzip data is not gzip")
        yield from _member(source, stream)


def _member(source: Portions, stream: BinaryIO) -> Iterator[bytes]:
    start, given = source.place, 0
    inflater = isal_zlib.decompressobj(_GZIP)
    feed = _FIRST_FEED  # a file of many empty members costs no more than its bytes
    while not inflater.eof:
        data = source.take(feed)
        if not data:
            raise InflateError(_CUT)
        feed = min(feed * 2, _READ)
        while data and not inflater.eof:
            try:
                piece = inflater.decompress(data, PIECE)
            except isal_zlib.error:  # type: ignore[misc]  # its stub gives an instance
                stream.seek(start)
                source.forget(start)
                yield from _carefully(source, given)
                return
            data = inflater.unconsumed_tail
            if piece:
                given += len(piece)
                yield piece
    source.give_back(len(inflater.unused_data))


def _carefully(source: Portions, given: int) -> Iterator[bytes]:
    """The member that begins here once more, from its inflated byte `given` on, up to the last byte before the
    damage: inflating fails for a whole piece, so the piece is taken back and inflated byte by byte."""
    inflater, skipped = zlib.decompressobj(_GZIP), 0
    while not inflater.eof:
        data = source.take(_CAREFUL_FEED)
        if not data:
            raise InflateError(_CUT)
        while data and not inflater.eof:
            before = inflater.copy()
            try:
                piece = inflater.decompress(data, PIECE)
            except zlib.error as error:
                if last := _last_bytes(before, data)[max(given - skipped, 0) :]:
                    yield last
                raise InflateError(f"the gzip data is broken ({str(error).rpartition(': ')[2]})") from error
            data = inflater.unconsumed_tail
            fresh = piece[max(given - skipped, 0) :]
            skipped += len(piece)
            if fresh:
                yield fresh
    source.give_back(len(inflater.unused_data))


def _last_bytes(inflater: zlib._Decompress, data: bytes) -> bytes:
    """What can be inflated of data that are broken somewhere."""
    found = bytearray()
    try:
        for place in range(len(data)):
            found += inflater.decompress(data[place : place + 1])
    except zlib.error:
        return bytes(found)
    return bytes(found)


class ByteStream(Protocol):
    """A stream that portions are taken out of; only `pieces` goes to places."""

    def read(self, count: int, /) -> bytes | None: ...


class Portions:
    """A stream's own bytes, taken in portions; what was taken too much is given back."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._buffer = b""
        self._place = 0
        self._read = 0

    @property
    def place(self) -> int:
        """The place of the next byte in the stream."""
        return self._read - len(self._buffer) + self._place

    def forget(self, place: int) -> None:
        """The stream was put at `place`."""
        self._buffer, self._place, self._read = b"", 0, place

    def take(self, count: int) -> bytes:
        """1 to `count` bytes; none at the end of the file."""
        if self._place == len(self._buffer):
            self._buffer, self._place = self._more(), 0
        portion = self._buffer[self._place : self._place + count]
        self._place += len(portion)
        return portion

    def give_back(self, count: int) -> None:
        """Take back the last `count` bytes of the last portion."""
        self._place -= count

    def skip_padding(self) -> bool:
        """Pass zero bytes, as a tape or block device leaves them after the last member; False at the file's end."""
        while True:
            if self._place == len(self._buffer):
                self._buffer, self._place = self._more(), 0
                if not self._buffer:
                    return False
            if self._buffer[self._place]:  # nearly always: nothing is copied where members follow one another
                return True
            self._place = len(self._buffer) - len(self._buffer[self._place :].lstrip(b"\0"))

    def begins_with(self, magic: bytes) -> bool:
        """Whether what comes next begins so."""
        if len(self._buffer) - self._place < len(magic):
            self._buffer, self._place = self._buffer[self._place :] + self._more(), 0
        return self._buffer.startswith(magic, self._place)

    def _more(self) -> bytes:
        more = self._stream.read(_READ) or b""
        self._read += len(more)
        return more
