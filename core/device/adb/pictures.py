"""Screenshots by `screencap`, checked, and the video made of them where there is no other."""

from __future__ import annotations

import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator

import numpy as np

from stepscope.core.device.adb.decoder import PIXEL_LIMIT, fitted
from stepscope.core.device.adb.link import AdbConnection, quoted
from stepscope.core.device.device import DeviceError, DeviceLost
from stepscope.core.device.frames import Frame, Pixels
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError

SECONDS = 15.0
LIMIT = 64 << 20
"""Bytes of a screenshot; noise at 4K has 25 MB."""
SIDE_LIMIT = 16384
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_END = b"IEND\xaeB`\x82"
_PAUSE = 0.3
_FAILURES = 5


def take(link: AdbConnection) -> tuple[bytes, Size]:
    """A PNG of the screen and its size. Raises DeviceError for what is no whole PNG, DeviceLost."""
    data = link.run(quoted("screencap", "-p"), seconds=SECONDS, limit=LIMIT)
    size = png_size(data)
    if size is None or not data.rstrip(b"\n").endswith(_END):
        link.check_there()
        raise DeviceError(_complaint(data), hint="Take it again.")
    return data, size


def _complaint(data: bytes) -> str:
    if data.startswith(_SIGNATURE):
        return f"the screenshot is cut off after {len(data)} bytes"
    words = data[:300].decode("ascii", "ignore").strip().splitlines()
    readable = words and all(character.isprintable() for character in words[-1])
    return f"no screenshot: {words[-1]}" if readable else "what the device sends is no picture"


def png_size(data: bytes) -> Size | None:
    """Width and height in a PNG's header, None where that is none, is damaged, or names a size that no screen has."""
    if len(data) < 33 or not data.startswith(_SIGNATURE) or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    sound = zlib.crc32(data[12:29]) == struct.unpack(">I", data[29:33])[0]
    sane = 0 < width <= SIDE_LIMIT and 0 < height <= SIDE_LIMIT and width * height <= PIXEL_LIMIT
    return Size(width, height) if sound and sane else None


class ScreencapVideo:
    """One to three pictures a second: screenshots, one after the other."""

    def __init__(
        self, link: AdbConnection, looked: Callable[[Pixels, Size], object] = lambda image, size: None
    ) -> None:
        self._link, self._looked = link, looked
        self._fit: Size | None = None
        self._closed = threading.Event()
        self._failure: BaseException | None = None

    def __iter__(self) -> Iterator[Frame]:
        number = failures = 0
        last = b""
        while not self._closed.is_set():
            try:
                data, size = take(self._link)
                failures = 0
                if data != last:
                    yield self._frame(data, size, number)
                    number, last = number + 1, data
            except DeviceLost:
                if self._closed.is_set():
                    return
                raise
            except DeviceError:
                failures += 1
                if failures >= _FAILURES:
                    raise
            if self._failure is not None:
                raise self._failure
            self._closed.wait(_PAUSE)

    def fit(self, size: Size | None) -> None:
        self._fit = size

    def fail(self, error: BaseException) -> None:
        """End it: the one who iterates gets `error`."""
        self._failure = error

    def close(self) -> None:
        self._closed.set()

    def _frame(self, data: bytes, size: Size, number: int) -> Frame:
        from stepscope.core.imaging.decode import decode_bytes
        from stepscope.core.imaging.opencv import cv2

        arrived = time.monotonic()
        try:
            whole = decode_bytes(data)
        except SourceError as error:
            raise DeviceError("what the device sends is no picture") from error
        inner = fitted(size, self._fit)
        small = whole if inner == size else cv2.resize(whole, (inner.width, inner.height), interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2BGRA), np.uint8)
        self._looked(image, size)
        return Frame(image, size, number, arrived, time.monotonic(), lambda: whole)
