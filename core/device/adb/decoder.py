"""H.264 to pictures: PyAV in a thread of its own, of which only the newest picture is ever scaled and coloured.

The decoder's thread reads and decodes; the thread that iterates takes the newest decoded picture and converts it. A
picture whose successor is decoded by then is counted and dropped before the costly half of the work.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.device.adb.packets import Packet, PacketSource
from stepscope.core.device.device import DeviceError
from stepscope.core.device.frames import Frame, Pixels
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UnavailableError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import av
    from av.video import reformatter
else:
    reformatter = lazy_module("av.video.reformatter")

GARBAGE_PACKETS = 120
GARBAGE_BYTES = 8 << 20
"""So much without one picture is no video."""
PIXEL_LIMIT = 8192 * 4320
_STEP = 8
_LOW_DELAY = 0x80000
"""AV_CODEC_FLAG_LOW_DELAY: encoders that do not say "no reordering" would else cost some frames of delay."""


class Decoder:
    """Decodes H.264 packets; for one thread. `corrupt` counts packets that gave no picture though they should."""

    def __init__(self) -> None:
        try:
            import av
        except ImportError as error:
            raise UnavailableError("PyAV is not installed.", hint="pip install av") from error
        self._av = av
        self._context: av.VideoCodecContext | None = None
        self._barren = self._barren_bytes = 0
        self.corrupt = 0

    def decode(self, packet: Packet) -> list[av.VideoFrame]:
        """The pictures that are ready; usually one. Raises DeviceError when nothing comes of very much."""
        if packet.begins or self._context is None:
            self._context = self._opened()
        try:
            frames = self._context.decode(self._av.Packet(packet.data))
        except (self._av.error.FFmpegError, ValueError, MemoryError):
            frames = []
            self._context = self._opened() if self._barren > GARBAGE_PACKETS // 2 else self._context
        frames = [frame for frame in frames if frame.width > 0 and frame.height > 0]
        if frames:
            self._barren = self._barren_bytes = 0
            self.corrupt += sum(frame.is_corrupt for frame in frames)
            return frames
        self.corrupt += 1
        self._barren += 1
        self._barren_bytes += len(packet.data)
        if self._barren >= GARBAGE_PACKETS or self._barren_bytes >= GARBAGE_BYTES:
            raise DeviceError("what the device sends is no H.264 video: no picture can be decoded")
        return []

    def _opened(self) -> av.VideoCodecContext:
        context = self._av.CodecContext.create("h264", "r")
        context.flags |= _LOW_DELAY
        context.thread_count = 1
        context.options = {"max_pixels": str(PIXEL_LIMIT)}
        return context


class Converter:
    """Decoded pictures as the window paints them. One thread's own."""

    def __init__(self) -> None:
        self._scaling, self._colouring = reformatter.VideoReformatter(), reformatter.VideoReformatter()
        self._interpolation = reformatter.Interpolation

    def image(self, picture: av.VideoFrame, size: Size) -> Pixels:
        """height × width × 4 (blue, green, red, 255), contiguous. Scaled first, then coloured: libswscale has fast ways
        for either (1080 × 2400 to a third: 1.4 ms together, where one step took 3 to 7).
        """
        small = self._scaling.reformat(
            picture, size.width, size.height, picture.format.name, interpolation=self._interpolation.AREA, threads=1
        )
        way = self._interpolation.POINT
        if size.width % _STEP:  # a screen shown whole: the fast way would leave out its last columns
            way |= self._interpolation.ACCURATE_RND
        coloured = self._colouring.reformat(small, format="bgra", interpolation=way, threads=1)
        plane = coloured.planes[0]
        rows = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
        return np.ascontiguousarray(rows[: size.height, : 4 * size.width]).reshape(size.height, size.width, 4)


def whole_picture(picture: av.VideoFrame, size: Size) -> Pixels:
    """height × width × 3 (red, green, blue) at `size`; from any thread, also from two at once."""
    coloured = reformatter.VideoReformatter().reformat(picture, size.width, size.height, "rgb24", threads=1)
    return np.asarray(coloured.to_ndarray(), np.uint8)


def fitted(size: Size, into: Size | None) -> Size:
    """`size` made small enough for `into`, never larger than it is.

    A width that is no multiple of eight is rounded down to one: libswscale's fast ways leave out the last columns of
    others, and halved colour planes of odd sides are shifted.
    """
    if into is None:
        return size
    scale = min(into.width / size.width, into.height / size.height)
    if scale >= 1:
        return size
    width = max(_STEP, round(size.width * scale) // _STEP * _STEP)
    return Size(width, max(2, round(size.height * width / size.width / 2) * 2))


class DecodedVideo:
    """Frames out of a source of packets. `true_size` tells the screen's size for a picture of the given one (an encoder
    may have made it smaller); `looked` is shown every image and its size."""

    def __init__(
        self,
        source: PacketSource,
        true_size: Callable[[Size], Size] = lambda size: size,
        looked: Callable[[Pixels, Size], object] = lambda image, size: None,
    ) -> None:
        self._source, self._true_size, self._looked = source, true_size, looked
        self._fit: Size | None = None
        self._changed = threading.Condition()
        self._newest: tuple[av.VideoFrame, float] | None = None
        self._failure: BaseException | None = None
        self._ended = self._closed = False
        self._decoder = Decoder()
        self.decoded = self.skipped = 0
        """Pictures that were decoded, and those of them that were never converted."""

    @property
    def corrupt(self) -> int:
        """Packets that could not be decoded, or only in part."""
        return self._decoder.corrupt

    def __iter__(self) -> Iterator[Frame]:
        threading.Thread(target=self._decode, name="decoder", daemon=True).start()
        converter, number, told = Converter(), 0, 0
        while (taken := self._take()) is not None:
            picture, arrived, skipped = taken
            yield self._frame(converter, picture, arrived, number, skipped - told)
            number, told = number + 1, skipped

    def fit(self, size: Size | None) -> None:
        self._fit = size

    def fail(self, error: BaseException) -> None:
        """End it: the one who iterates gets `error`."""
        with self._changed:
            self._failure = self._failure or error
            self._ended = True
            self._changed.notify_all()
        self._source.close()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._source.close()

    def _decode(self) -> None:
        try:
            for packet in self._source.packets():
                for picture in self._decoder.decode(packet):
                    self._put(picture, packet.arrived)
                if self._closed:
                    break
        except BaseException as error:  # noqa: BLE001 - handed to the thread that iterates
            self._failure = self._failure or error
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()
            self._source.close()

    def _put(self, picture: av.VideoFrame, arrived: float) -> None:
        with self._changed:
            self.decoded += 1
            self.skipped += self._newest is not None
            self._newest = (picture, arrived)
            self._changed.notify_all()

    def _take(self) -> tuple[av.VideoFrame, float, int] | None:
        """The newest picture, when it arrived, and how many were skipped until then; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._ended or self._closed)
            if self._closed:
                return None
            taken, self._newest = self._newest, None
            if taken is None and self._failure is not None:
                raise self._failure
            return (*taken, self.skipped) if taken is not None else None

    def _frame(self, converter: Converter, picture: av.VideoFrame, arrived: float, number: int, skipped: int) -> Frame:
        size = self._true_size(Size(picture.width, picture.height))
        image = converter.image(picture, fitted(size, self._fit))
        self._looked(image, size)
        whole = lambda: whole_picture(picture, size)  # noqa: E731
        return Frame(image, size, number, arrived, time.monotonic(), whole, skipped)
