"""The phone's video as both programs send it: `screenrecord` bare, scrcpy's server framed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np

from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.resampling import resized_quickly
from tests.device_side.coded import CodedScreens
from tests.device_side.encoder import Encoder, Packet, even
from tests.device_side.phone import Phone
from tests.device_side.screens import Pixels

LOOK_SECONDS = 0.02
"""Between looks at whether the picture has changed by itself, and at the same time the shortest time between frames."""


def pictures(phone: Phone, size: Size, stop: Callable[[], bool], bit_rate: int, letterbox: bool) -> Iterator[Packet]:
    """Packets of the screen at `size` until `stop`, a picture for each change. A turned screen lies between black bars
    (`letterbox`, as in `screenrecord`) or ends the iteration."""
    if isinstance(phone.screens, CodedScreens) and not phone.turned:
        yield from _until(phone.screens.video(), stop)
        return
    if phone.faults.flood:
        yield from _until(_flood(phone, size), stop)
        return
    encoder, start, turned = Encoder(size, bit_rate), time.monotonic(), phone.turned
    shown: tuple[object, ...] = ()
    while not stop():
        if phone.turned != turned and not letterbox:
            return
        now = (*phone.version, phone.on, phone.faults.black)
        if now != shown:
            picture = fitted(phone.picture(), size)
            yield from encoder.encode(picture, round(1e6 * (time.monotonic() - start)))
            shown = now
        with phone.changed:
            if (*phone.version, phone.on, phone.faults.black) == shown:
                phone.changed.wait(LOOK_SECONDS)


def _flood(phone: Phone, size: Size) -> Iterator[Packet]:
    """The same few pictures again and again, without a pause."""
    encoder = Encoder(size)
    few = [packet for at in range(8) for packet in encoder.encode(fitted(phone.picture(), size), at)]
    yield few[0]
    while True:
        yield from few[1:]


def _until(packets: Iterator[Packet], stop: Callable[[], bool]) -> Iterator[Packet]:
    for packet in packets:
        if stop():
            return
        yield packet


def fitted(picture: Pixels, size: Size) -> Pixels:
    """The picture as large as it fits into `size`, in the middle, with black around."""
    height, width = picture.shape[:2]
    if (width, height) == (size.width, size.height):
        return picture
    scale = min(size.width / width, size.height / height)
    inner = Size(max(1, round(width * scale)), max(1, round(height * scale)))
    left, top = (size.width - inner.width) // 2, (size.height - inner.height) // 2
    whole = np.zeros((size.height, size.width, 3), np.uint8)
    whole[top : top + inner.height, left : left + inner.width] = resized_quickly(picture, inner)
    return whole


def limited(size: Size, longest: int) -> Size:
    """`size` with no side longer than `longest` (0: as it is), as scrcpy's `max_size`: multiples of eight, then."""
    if not longest or max(size.width, size.height) <= longest:
        return even(size)
    scale = longest / max(size.width, size.height)
    return Size(max(8, round(size.width * scale) & ~7), max(8, round(size.height * scale) & ~7))


class Meter:
    """Counts bytes of a video and does what the switches say at their count."""

    def __init__(self, phone: Phone) -> None:
        self._phone, self._sent = phone, 0

    def pass_on(self, data: bytes) -> tuple[bytes, bool]:
        """What is sent of `data`, and whether the video ends behind it."""
        faults = self._phone.faults
        for name in ("video_cut_after", "unplug_after"):
            limit = getattr(faults, name)
            if limit is not None and self._sent + len(data) > limit:
                setattr(faults, name, None)
                if name == "unplug_after":
                    threading.Thread(target=self._phone.unplug, daemon=True).start()
                return data[: max(0, limit - self._sent)], True
        self._sent += len(data)
        return data, False
