"""Coded pictures on their way from the device to the decoder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Protocol

from stepscope.core.device.device import DeviceError
from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Packet:
    """One coded picture (an H.264 access unit). `arrived` is when its last byte was there, seconds of
    `time.monotonic`. `begins`: a new stream; what came before has nothing to do with it."""

    data: bytes
    arrived: float
    begins: bool = False


class PacketSource(Protocol):
    """A device's coded video. One thread iterates, `close` is called from any."""

    def packets(self) -> Iterator[Packet]:
        """The packets until the source is closed. Bridges ends of its own; raises DeviceLost, or DeviceError for what
        is no video."""
        ...

    def close(self) -> None: ...


class UnsupportedVideoError(DeviceError):
    """This device does not have this way to a picture; it may have another."""


LATE_SECONDS = 0.6
"""A stream in which something has waited without a break for so long is behind."""
AGAIN_SECONDS = 3.0
"""Beginning anew costs a key picture: not more often than this."""


class Backlog:
    """Notices that pictures come more quickly than they are decoded. They would be shown later and later, since none of
    a coded stream can be left out; beginning anew leaves them all out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._dry = self._begun = clock()

    def is_late(self, waits: bool) -> bool:
        """Called ahead of each reading; `waits`: something is there already. Whether to begin anew now."""
        now = self._clock()
        if not waits:
            self._dry = now
        if now - self._dry < LATE_SECONDS or now - self._begun < AGAIN_SECONDS:
            return False
        self._dry = self._begun = now
        return True
