"""Pixels at another size and in another order of colours."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, cast

from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.pixel_memory import pixel_memory
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")


_MOST_KEPT = 32 * 2**20
"""Bytes that a thread keeps for sampling."""
_kept = threading.local()


def fitted(size: Size, limit: Size) -> Size:
    """The largest size of the same shape within `limit`; never larger than `size`."""
    share = min(1.0, limit.width / size.width, limit.height / size.height)
    return Size(max(1, round(size.width * share)), max(1, round(size.height * share)))


def resized(pixels: Pixels, size: Size) -> Pixels:
    """The picture at another size: averaged when smaller, smooth when larger. Any number of channels."""
    smaller = size.width <= pixels.shape[1] and size.height <= pixels.shape[0]
    return _resized(pixels, size, cv2.INTER_AREA if smaller else cv2.INTER_LINEAR)


def resized_quickly(pixels: Pixels, size: Size) -> Pixels:
    """The picture at another size by interpolation alone: some ten times faster than `resized`, good down to half the
    size."""
    return _resized(pixels, size, cv2.INTER_LINEAR)


def halved(pixels: Pixels) -> Pixels:
    """Half the size, each pixel the average of four; an odd last row or column is left out."""
    height, width = pixels.shape[:2]
    even = pixels[: max(height // 2 * 2, 1), : max(width // 2 * 2, 1)]
    return resized(even, Size(max(width // 2, 1), max(height // 2, 1)))


def _resized(pixels: Pixels, size: Size, method: int) -> Pixels:
    if (pixels.shape[1], pixels.shape[0]) == (size.width, size.height):
        return pixels
    into = (
        pixel_memory.take(size.height, size.width, pixels.shape[2])
        if pixels.ndim == 3 and pixels.shape[2] > 1
        else None
    )
    return np.asarray(cv2.resize(pixels, (size.width, size.height), dst=into, interpolation=method), np.uint8)


def sample(pixels: Pixels, left: float, top: float, step: float, into: Pixels, *, nearest: bool) -> None:
    """Fill `into` (as `write_bgra` does) with a part of the picture, enlarged or reduced.

    Its corner lies on the picture's place (left, top), and one of its pixels takes up `step` of the picture's. Smooth,
    or the nearest pixel's value; beyond the picture its edge goes on.
    """
    height, width = into.shape[:2]
    if step == 1.0 and left == int(left) and top == int(top):
        same = pixels[int(top) : int(top) + height, int(left) : int(left) + width]
        if same.shape[:2] == (height, width):
            write_bgra(same, into)
            return
    rows, columns = _needed(top, step, height, pixels.shape[0]), _needed(left, step, width, pixels.shape[1])
    seen = pixels[rows, columns]
    four = _used_before(*seen.shape[:2])  # four channels are sampled twice as quickly as three
    write_bgra(seen, four)
    shift = 0.5 * step - 0.5  # OpenCV's places are middles of pixels
    way = np.array([[step, 0.0, left - columns.start + shift], [0.0, step, top - rows.start + shift]])
    method = (cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR) | cv2.WARP_INVERSE_MAP
    cv2.warpAffine(four, way, (width, height), dst=into, flags=method, borderMode=cv2.BORDER_REPLICATE)


def _used_before(height: int, width: int) -> Pixels:
    """Memory for height × width × 4 bytes that holds until this thread asks again: fresh memory takes longer to get
    than to fill."""
    size = height * width * 4
    if size > _MOST_KEPT:
        return np.empty((height, width, 4), np.uint8)
    kept = getattr(_kept, "pixels", None)
    if kept is None or kept.size < size:
        kept = _kept.pixels = np.empty(size, np.uint8)
    return cast(Pixels, kept[:size].reshape(height, width, 4))


def _needed(start: float, step: float, count: int, length: int) -> slice:
    """The rows or columns that `count` samples from `start` on look at; OpenCV samples nothing of 32,768 or more."""
    first = min(max(math.floor(start) - 2, 0), length - 1)
    return slice(first, max(min(math.ceil(start + count * step) + 2, length), first + 1))


def write_bgra(pixels: Pixels, into: Pixels) -> None:
    """Write red-green-blue pixels as blue, green, red and an opaque fourth byte, as a window's picture has them."""
    code = cv2.COLOR_RGB2BGRA if pixels.shape[2] == 3 else cv2.COLOR_RGBA2BGRA
    cv2.cvtColor(pixels, code, dst=into)
