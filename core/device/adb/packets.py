"""Coded pictures on their way from the device to the decoder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from core.device.device import DeviceError


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
        """Until it is closed. Bridges ends of its own; raises DeviceLost, or DeviceError for what is no video."""
        ...

    def close(self) -> None: ...


class NotPossible(DeviceError):  # noqa: N818 - a fact
    """This way to a picture does not exist on this device; another may."""
