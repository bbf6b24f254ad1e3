"""Pictures of a live screen, and the one slot in which the newest waits to be shown.

A live picture that arrives late is worthless: there is no queue. What was not taken when the next one came is counted
as skipped.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.geometry import Size
from stepscope.core.frozen import dataclass

Pixels = NDArray[np.uint8]
_WINDOW_SECONDS = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture. `image` is height × width × 4 bytes (blue, green, red, unused), contiguous, never written to again,
    scaled to fit where it is shown; `size` is the screen's own.

    `arrived` and `decoded` are seconds of `time.monotonic`: when its last byte was there, when `image` was. `whole`
    makes the picture at the screen's size, height × width × 3, red green blue; it may be called from any thread, and
    takes its time. `number` counts from 0 and leaves out none. `skipped` counts the pictures that came since the frame
    before and were never made into one, as this was there by then.
    """

    image: Pixels
    size: Size
    number: int
    arrived: float
    decoded: float
    whole: Callable[[], Pixels] = field(repr=False)
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class FrameCounts:
    """`per_second` frames shown lately; `behind_ms` from arrival to painted, the mean of the same time, None without
    any; `shown` and `skipped` since the start."""

    per_second: float
    behind_ms: float | None
    shown: int
    skipped: int


class NewestFrame:
    """The slot. `put` is the mirror's, `take` and `painted` the window's."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._waiting = False
        self._latest: Frame | None = None
        self._shown = self._skipped = 0
        self._painted: deque[tuple[float, float]] = deque()

    def put(self, frame: Frame) -> bool:
        """Lay the newest frame down; True when the one who shows must be woken (it has taken the one before)."""
        with self._lock:
            self._skipped += self._waiting + frame.skipped
            wake = not self._waiting
            self._frame = self._latest = frame
            self._waiting = True
            return wake

    def replace(self, old: Frame, new: Frame) -> bool:
        """Lay `new` in the place of `old`, the same picture at another size, unless a newer one has come; True when the
        one who shows must be woken."""
        with self._lock:
            if self._latest is not old:
                return False
            wake = not self._waiting
            self._frame = self._latest = new
            self._waiting = True
            return wake

    def take(self) -> Frame | None:
        """The newest frame, once; None where it was taken already."""
        with self._lock:
            frame = self._frame if self._waiting else None
            self._frame, self._waiting = None, False
            return frame

    @property
    def latest(self) -> Frame | None:
        """The newest frame, taken or not."""
        return self._latest

    def painted(self, frame: Frame) -> None:
        """The frame is on the screen now."""
        now = self._clock()
        with self._lock:
            self._shown += 1
            self._painted.append((now, now - frame.arrived))
            self._forget(now)

    def counts(self) -> FrameCounts:
        with self._lock:
            self._forget(self._clock())
            lately = [behind for _at, behind in self._painted]
            behind = 1000 * sum(lately) / len(lately) if lately else None
            return FrameCounts(len(lately) / _WINDOW_SECONDS, behind, self._shown, self._skipped)

    def _forget(self, now: float) -> None:
        while self._painted and self._painted[0][0] <= now - _WINDOW_SECONDS:
            self._painted.popleft()
