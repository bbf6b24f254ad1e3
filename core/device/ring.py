"""Pictures of a screen handed from one process to another through shared memory, the newest one at any time.

One process writes (`FrameWriter`), one reads (`FrameRing`, which makes the memory). There are three slots: the newest
picture, the one that the reader copies, and one for the next; the writer touches neither of the first two. A slot's
sequence number is odd while it is written and is looked at again after the copy, so that no torn picture can pass.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stepscope.core.device.frames import Pixels
from stepscope.core.frozen import dataclass

SLOTS = 3
_HEADER_BYTES = 4096
_NEWEST, _HELD, _FIRST = 0, 1, 8
"""Places in the header, in 64-bit numbers; `_FIRST` and `_PER_SLOT` on are those of the slots."""
_PER_SLOT = 8
_SEQUENCE, _NUMBER, _WIDTH, _HEIGHT, _AT = range(5)
_STRIP = 1 << 17
"""64-bit numbers compared at once: two pictures that differ are mostly told apart by their first strips."""


@dataclass(frozen=True, slots=True, eq=False)
class RingFrame:
    """A copy of one picture: height × width × 4 bytes (blue, green, red, unused), its number, and when it was taken
    (seconds of `time.monotonic`, which is one clock for all processes)."""

    pixels: Pixels
    number: int
    at: float


class _RingMemory:
    """The mapped file as header and slots; it is unmapped when nothing refers to it any more."""

    def __init__(self, descriptor: int, size: int) -> None:
        mapped = mmap.mmap(descriptor, size)
        self.header: NDArray[np.int64] = np.frombuffer(mapped, np.int64, _HEADER_BYTES // 8)
        self.times: NDArray[np.float64] = np.frombuffer(mapped, np.float64, _HEADER_BYTES // 8)
        slot = (size - _HEADER_BYTES) // SLOTS
        self.slots: list[Pixels] = [
            np.frombuffer(mapped, np.uint8, slot, _HEADER_BYTES + index * slot) for index in range(SLOTS)
        ]

    @staticmethod
    def place(slot: int, what: int) -> int:
        return _FIRST + slot * _PER_SLOT + what


class FrameRing:
    """The reader's end. `pixels` is the most that a picture has. Hand `path` (and on Linux the descriptor in
    `descriptors`) to the writing process, and call `handed_over` when it has opened it: then the memory has no name
    and goes with the two processes."""

    def __init__(self, pixels: int) -> None:
        size = _HEADER_BYTES + SLOTS * pixels * 4
        self.descriptors: tuple[int, ...] = ()
        if sys.platform == "linux":
            descriptor = os.memfd_create("stepscope frames")
            self.descriptors, self.path = (descriptor,), f"/proc/self/fd/{descriptor}"
        else:
            descriptor, self.path = tempfile.mkstemp(prefix="stepscope-frames-")
        self._descriptor: int | None = descriptor
        os.ftruncate(descriptor, size)
        self._memory = _RingMemory(descriptor, size)
        self._memory.header[_NEWEST] = self._memory.header[_HELD] = -1
        self._copying = threading.Lock()

    def handed_over(self) -> None:
        if self._descriptor is None:
            return
        os.close(self._descriptor)
        self._descriptor = None
        if not self.descriptors:
            with contextlib.suppress(OSError):  # Windows keeps a mapped file; the system clears its temporary folder
                Path(self.path).unlink()

    def newest(self) -> RingFrame | None:
        """A copy of the newest picture, None before the first. May be called from any thread."""
        header = self._memory.header
        with self._copying:
            try:
                while (slot := int(header[_NEWEST])) >= 0:
                    header[_HELD] = slot
                    if header[_NEWEST] == slot and (shot := self._copied(slot)) is not None:
                        return shot
                return None
            finally:
                header[_HELD] = -1

    def _copied(self, slot: int) -> RingFrame | None:
        header, place = self._memory.header, self._memory.place
        sequence = int(header[place(slot, _SEQUENCE)])
        width, height = int(header[place(slot, _WIDTH)]), int(header[place(slot, _HEIGHT)])
        shot = RingFrame(
            self._memory.slots[slot][: width * height * 4].reshape(height, width, 4).copy(),
            int(header[place(slot, _NUMBER)]),
            float(self._memory.times[place(slot, _AT)]),
        )
        return shot if sequence % 2 == 0 and header[place(slot, _SEQUENCE)] == sequence else None


class FrameWriter:
    """The writer's end of the memory at `path`."""

    def __init__(self, path: str) -> None:
        with Path(path).open("r+b") as file:
            self._memory = _RingMemory(file.fileno(), os.fstat(file.fileno()).st_size)
        self._numbers = 0

    def write(self, width: int, height: int, draw: Callable[[Pixels], object]) -> int | None:
        """Let `draw` fill a picture of height × width × 4 bytes; its number, counted from 0, or None when it is the
        same as the newest one: then it was not needed and has no number."""
        header, place = self._memory.header, self._memory.place
        newest = int(header[_NEWEST])
        slot = self._free(newest)
        pixels = self._memory.slots[slot][: width * height * 4]
        draw(pixels.reshape(height, width, 4))
        size = (int(header[place(newest, _WIDTH)]), int(header[place(newest, _HEIGHT)]))
        if newest >= 0 and size == (width, height) and _same(pixels, self._memory.slots[newest][: pixels.size]):
            return None
        number, self._numbers = self._numbers, self._numbers + 1
        header[place(slot, _NUMBER)] = number
        header[place(slot, _WIDTH)], header[place(slot, _HEIGHT)] = width, height
        self._memory.times[place(slot, _AT)] = time.monotonic()
        header[place(slot, _SEQUENCE)] += 1
        header[_NEWEST] = slot
        return number

    def _free(self, newest: int) -> int:
        """A slot that is neither the newest nor held, marked as being written."""
        header, place = self._memory.header, self._memory.place
        while True:
            slot = next(s for s in range(SLOTS) if s not in (newest, int(header[_HELD])))
            if header[place(slot, _SEQUENCE)] % 2 == 0:
                header[place(slot, _SEQUENCE)] += 1
            if header[_HELD] != slot:  # the reader may have taken hold of it meanwhile: its second look sends it on
                return slot


def _same(one: Pixels, other: Pixels) -> bool:
    a, b = one.view(np.int64), other.view(np.int64)
    return all(np.array_equal(a[at : at + _STRIP], b[at : at + _STRIP]) for at in range(0, len(a), _STRIP))
