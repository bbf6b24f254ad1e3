"""A phone's video encoder: H.264 without frames that wait for later ones, one slice a picture, its parameter sets told
once at the start, as MediaCodec does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import av
import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.geometry import Size

_PARAMETER_SETS = (7, 8)
_SLICES = (1, 5)
_KEY = 5
KEY_INTERVAL_SECONDS = 10
MICROSECOND = Fraction(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class Packet:
    """One piece of the encoder's output in Annex B: the parameter sets (`is_config`) or one picture."""

    data: bytes
    is_config: bool
    is_key: bool
    microseconds: int


class Encoder:
    """Encodes pictures of `size`, both sides even."""

    def __init__(self, size: Size, bit_rate: int = 8_000_000, fps: int = 60) -> None:
        context = av.CodecContext.create("libx264", "w")
        assert isinstance(context, av.VideoCodecContext)
        context.width, context.height, context.pix_fmt = size.width, size.height, "yuv420p"
        context.bit_rate, context.framerate, context.thread_count = bit_rate, Fraction(fps), 1
        context.time_base = MICROSECOND
        context.gop_size = KEY_INTERVAL_SECONDS * fps
        context.options = {"preset": "ultrafast", "tune": "zerolatency", "x264-params": "slices=1:annexb=1:scenecut=0"}
        self._context, self._told = context, False

    def encode(self, rgb: NDArray[np.uint8], microseconds: int) -> list[Packet]:
        """The parameter sets before the first picture, then the picture."""
        frame = av.VideoFrame.from_ndarray(rgb, format="rgb24")
        frame.pts, frame.time_base = microseconds, MICROSECOND
        packets = []
        for packet in self._context.encode(frame):
            units = list(units_of(bytes(packet)))
            if not self._told:
                sets = b"".join(b"\0\0\0\1" + unit for unit in units if unit[0] & 31 in _PARAMETER_SETS)
                packets.append(Packet(sets, True, False, microseconds))
                self._told = True
            slices = [unit for unit in units if unit[0] & 31 in _SLICES]
            data = b"".join(b"\0\0\0\1" + unit for unit in slices)
            packets.append(Packet(data, False, slices[0][0] & 31 == _KEY, microseconds))
        return packets


def units_of(data: bytes) -> Iterator[bytes]:
    """The NAL units of a whole Annex B access unit."""
    for part in data.split(b"\0\0\1")[1:]:
        yield part.rstrip(b"\0")


def even(size: Size) -> Size:
    """As encoders want it: both sides even, cut by at most a pixel."""
    return Size(size.width & ~1, size.height & ~1)
