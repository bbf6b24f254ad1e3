"""The bytes of a pickle, read one after the other out of a stream that need not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.core.limits import exceeded, limit

_MAX_LINE = 1 << 20
"""Bytes of a text on a line of its own, as protocols before 2 write names and numbers (ours)."""


class PickleError(Exception):
    """The bytes are no pickle that can be read; the message says why."""


class PickleStream:
    """The bytes that come in pieces, with a count of what was read; PickleError where they end too early, SourceError
    for more text than is read at once (`json-bytes`)."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._piece = b""
        self._at = 0
        self._before = 0
        self._kept, self._most = 0, limit("json-bytes")

    @property
    def offset(self) -> int:
        return self._before + self._at

    def byte(self) -> int:
        if self._at == len(self._piece):
            self._next()
        self._at += 1
        return self._piece[self._at - 1]

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        end = self._at + count
        if end <= len(self._piece):
            data = self._piece[self._at : end]
            self._at = end
            return data
        parts = []
        while count:
            if self._at == len(self._piece):
                self._next()
            part = self._piece[self._at : self._at + count]
            self._at += len(part)
            count -= len(part)
            parts.append(part)
        return b"".join(parts)

    def skip(self, count: int) -> None:
        while count:
            if self._at == len(self._piece):
                self._next()
            step = min(count, len(self._piece) - self._at)
            self._at += step
            count -= step

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def line(self) -> bytes:
        """What stands before a line's end."""
        line = bytearray()
        while True:
            if self._at == len(self._piece):
                self._next()
            end = self._piece.find(b"\n", self._at)
            line += self._piece[self._at : len(self._piece) if end < 0 else end]
            if len(line) > _MAX_LINE:
                raise PickleError("a line is too long")
            self._at = len(self._piece) if end < 0 else end + 1
            if end >= 0:
                self._keep(len(line))
                return bytes(line)

    def kept(self, length: int) -> bytes:
        """The next `length` bytes, for what is going to be kept: of that there is a limit."""
        self._keep(length)
        return self.take(length)

    def _keep(self, count: int) -> None:
        self._kept += count
        if self._kept > self._most:
            raise exceeded("json-bytes", "the pickle's texts are too long together")

    def _next(self) -> None:
        self._before += len(self._piece)
        piece = next(self._pieces, None)
        if piece is None:
            raise PickleError("the pickle is cut short")
        self._piece, self._at = piece, 0
