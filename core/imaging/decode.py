"""Screenshots from files to pixels."""

from __future__ import annotations

import contextlib
import math
import threading
from pathlib import Path

import numpy as np

from stepscope.core.domain.episode import Drawing, Encoding, Picture, Slice
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.parts import Pixels, picture_file, raw_pixels
from stepscope.core.imaging.probe import check_pixels
from stepscope.core.imaging.still import still

__all__ = [
    "Pixels",
    "decode",
    "decode_bytes",
    "decode_draft",
    "fitted",
    "halved",
    "resized",
    "resized_quickly",
    "sample",
    "write_bgra",
]

_REDUCED = {
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
"""JPEG is decoded to a half, quarter or eighth in a fraction of the time."""

_LARGE = 25_000_000
"""Pixels from which decoding takes 150 MB and more (ours)."""

_large = threading.Lock()


def decode(picture: Picture, max_size: Size | None = None) -> Pixels:
    """The picture's pixels, read-only; an alpha channel is left out, a turned JPEG is left as stored.

    With `max_size` it is reduced to fit into it, never enlarged; a drawing is drawn that small. Raises SourceError for
    what is missing, truncated, of no known format or beyond the pixel limit.
    """
    match picture.part:
        case Drawing(tree=tree):
            from stepscope.core.imaging.blueprint import draw_tree  # it draws with what is below

            check_pixels(picture.size.width, picture.size.height, picture.name)
            pixels = draw_tree(tree, picture.size, max_size)
        case Slice(encoding=Encoding.RGB) as part:
            pixels = _reduced(raw_pixels(picture, part), picture.size, max_size)
        case _:
            pixels = _of_file(picture_file(picture), picture.path, max_size)
    pixels.flags.writeable = False
    return pixels


def decode_bytes(data: bytes, max_size: Size | None = None) -> Pixels:
    """The same for the bytes of a file."""
    pixels = _of_file(data, Path("picture"), max_size)
    pixels.flags.writeable = False
    return pixels


def _of_file(data: bytes, path: Path, max_size: Size | None) -> Pixels:
    data, info = still(data, path)  # OpenCV would half fill a cut file, and take memory for any
    with _room_for(info.size):
        return _reduced(_decoded(data, path, _flag(info.size, max_size)), info.size, max_size)


def _room_for(size: Size) -> contextlib.AbstractContextManager[object]:
    """Large pictures are decoded one after the other, whichever threads ask for them."""
    return _large if size.width * size.height > _LARGE else contextlib.nullcontext()


def decode_draft(picture: Picture, divisor: int) -> Pixels | None:
    """The picture reduced 2, 4 or 8 times, if it is of a kind that is decoded the quicker for it; else None."""
    size = Size(max(1, picture.size.width // divisor), max(1, picture.size.height // divisor))
    if isinstance(picture.part, Drawing):
        return decode(picture, size)
    if isinstance(picture.part, Slice) and picture.part.encoding is Encoding.RGB:
        return None
    data, info = still(picture_file(picture), picture.path)
    if info.kind != "jpeg":
        return None
    with _room_for(info.size):
        pixels = _decoded(data, picture.path, _REDUCED[divisor] | cv2.IMREAD_IGNORE_ORIENTATION)
    pixels.flags.writeable = False
    return pixels


def fitted(size: Size, limit: Size) -> Size:
    """The largest size of the same shape within `limit`; never larger than `size`."""
    share = min(1.0, limit.width / size.width, limit.height / size.height)
    return Size(max(1, round(size.width * share)), max(1, round(size.height * share)))


def _reduced(pixels: Pixels, size: Size, limit: Size | None) -> Pixels:
    return pixels if limit is None else resized(pixels, fitted(size, limit))


def resized(pixels: Pixels, size: Size) -> Pixels:
    """The picture at another size: averaged when smaller, smooth when larger. Any number of channels."""
    smaller = size.width <= pixels.shape[1] and size.height <= pixels.shape[0]
    return _resized(pixels, size, cv2.INTER_AREA if smaller else cv2.INTER_LINEAR)


def resized_quickly(pixels: Pixels, size: Size) -> Pixels:
    """The same by interpolation alone: some ten times faster, good down to half the size."""
    return _resized(pixels, size, cv2.INTER_LINEAR)


def halved(pixels: Pixels) -> Pixels:
    """Half the size, each pixel the average of four; an odd last row or column is left out."""
    height, width = pixels.shape[:2]
    even = pixels[: max(height // 2 * 2, 1), : max(width // 2 * 2, 1)]
    return resized(even, Size(max(width // 2, 1), max(height // 2, 1)))


def _resized(pixels: Pixels, size: Size, method: int) -> Pixels:
    if (pixels.shape[1], pixels.shape[0]) == (size.width, size.height):
        return pixels
    return np.asarray(cv2.resize(pixels, (size.width, size.height), interpolation=method), np.uint8)


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
    four = np.empty((*seen.shape[:2], 4), np.uint8)  # four channels are sampled twice as quickly as three
    write_bgra(seen, four)
    shift = 0.5 * step - 0.5  # OpenCV's places are middles of pixels
    way = np.array([[step, 0.0, left - columns.start + shift], [0.0, step, top - rows.start + shift]])
    method = (cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR) | cv2.WARP_INVERSE_MAP
    cv2.warpAffine(four, way, (width, height), dst=into, flags=method, borderMode=cv2.BORDER_REPLICATE)


def _needed(start: float, step: float, count: int, length: int) -> slice:
    """The rows or columns that `count` samples from `start` on look at; OpenCV samples nothing of 32,768 or more."""
    first = min(max(math.floor(start) - 2, 0), length - 1)
    return slice(first, max(min(math.ceil(start + count * step) + 2, length), first + 1))


def write_bgra(pixels: Pixels, into: Pixels) -> None:
    """Write red-green-blue pixels as blue, green, red and an opaque fourth byte, as a window's picture has them."""
    code = cv2.COLOR_RGB2BGRA if pixels.shape[2] == 3 else cv2.COLOR_RGBA2BGRA
    cv2.cvtColor(pixels, code, dst=into)


def _flag(size: Size, limit: Size | None) -> int:
    """How OpenCV is to read it: as stored without turning, and reduced as far as `limit` allows."""
    flag = cv2.IMREAD_COLOR_RGB
    if limit is not None:
        goal = fitted(size, limit)
        for divisor in _REDUCED:
            if size.width >= goal.width * divisor and size.height >= goal.height * divisor:
                flag = _REDUCED[divisor]
    return flag | cv2.IMREAD_IGNORE_ORIENTATION


def _decoded(data: bytes, path: Path, flag: int) -> Pixels:
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except cv2.error as error:
        raise SourceError("the picture cannot be decoded", place=path, field="screenshot") from error
    if pixels is None:
        raise SourceError("the picture is damaged", place=path, field="screenshot", hint="Fetch the file again.")
    if flag & ~cv2.IMREAD_IGNORE_ORIENTATION != cv2.IMREAD_COLOR_RGB:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
    return np.ascontiguousarray(pixels, np.uint8)
