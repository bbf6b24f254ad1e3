"""Raw H.264 (ITU-T H.264, Annex B: a byte stream with start codes) cut into access units, one coded picture each.

A unit's end is known when the next one begins: at its access unit delimiter, its parameter sets or its first slice.
So one picture is held back until the next arrives. A sender that falls silent after a picture ends it with `flush`: the
pause says that it is whole. Should its rest come after all, the pause was too short (`cut_short`).
"""

from __future__ import annotations

from stepscope.core.device.device import DeviceError

UNIT_LIMIT = 8 << 20
"""Bytes of one picture; a 4K key frame has less than 2 MB."""
_START = b"\0\0\1"
_SLICES = range(1, 6)
_BEFORE_SLICES = frozenset((6, 7, 8, 9, 14, 15, 16, 17, 18))
"""Kinds of NAL units that begin an access unit when they come after a slice (7.4.1.2.3): SEI, SPS, PPS, delimiter, …"""


class Splitter:
    """Bytes in, access units out; each with the time at which its last byte came."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._scanned = 0
        self._has_slice = False
        self._last_time = 0.0
        self._flushed = False
        self.cut_short = 0

    @property
    def pending(self) -> bool:
        """Whether a picture is held back."""
        return self._has_slice

    @property
    def empty(self) -> bool:
        """Whether nothing is kept."""
        return not self._buffer

    def feed(self, data: bytes, at: float) -> list[tuple[bytes, float]]:
        """The units that end within `data`, which came at `at` (any clock). Raises DeviceError for an endless one."""
        if self._flushed and data:
            self._flushed = False
            if data.lstrip(b"\0")[:1] != b"\1":
                self.cut_short += 1
        before = len(self._buffer)
        self._buffer += data
        units = []
        while (end := self._next_end()) is not None:
            units.append((self._taken(end), self._last_time if end <= before else at))
            before = max(before - end, 0)
        self._last_time = at
        if len(self._buffer) > UNIT_LIMIT:
            raise DeviceError("what the device sends is no H.264 video: no picture ends")
        return units

    def flush(self) -> tuple[bytes, float] | None:
        """The picture held back, taken to be whole."""
        if not self._has_slice:
            return None
        self._flushed = True
        return self._taken(len(self._buffer)), self._last_time

    def _taken(self, end: int) -> bytes:
        unit = bytes(self._buffer[:end])
        del self._buffer[:end]
        self._scanned, self._has_slice = 0, False
        return unit

    def _next_end(self) -> int | None:
        """Where the first unit of the buffer ends, None while that is open."""
        buffer = self._buffer
        while True:
            start = buffer.find(_START, self._scanned)
            if start < 0:
                self._scanned = max(self._scanned, len(buffer) - 2)
                return None
            kind = buffer[start + 3] & 31 if start + 3 < len(buffer) else None
            if kind is None or (kind in _SLICES and start + 4 >= len(buffer)):
                self._scanned = start
                return None
            if self._has_slice and (kind in _BEFORE_SLICES or (kind in _SLICES and buffer[start + 4] & 0x80)):
                return start - 1 if buffer[start - 1] == 0 else start  # the zero byte belongs to the start code
            self._has_slice |= kind in _SLICES
            self._scanned = start + 3


def looks_like_video(data: bytes) -> bool:
    """Whether a stream's first bytes are a start code, as far as they go; an error message is not."""
    return any(start.startswith(data[: len(start)]) for start in (b"\0\0\0\1", _START))
