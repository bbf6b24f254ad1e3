"""Screenshots from files to pixels."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.core.domain.episode import Drawing, Encoding, Picture, Slice
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.cache import may_take_its_time, stand_back
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.parts import Pixels, picture_file, raw_pixels
from stepscope.core.imaging.probe import PictureInfo, check_pixels
from stepscope.core.imaging.quick_decoders import quick_pixels
from stepscope.core.imaging.resampling import fitted, resized
from stepscope.core.imaging.still import still
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")

_REDUCED = {2: "IMREAD_REDUCED_COLOR_2", 4: "IMREAD_REDUCED_COLOR_4", 8: "IMREAD_REDUCED_COLOR_8"}
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
            from stepscope.core.imaging.blueprint import draw_tree  # slow to import, and few pictures are drawings

            check_pixels(picture.size.width, picture.size.height, picture.name)
            pixels = draw_tree(tree, picture.size, max_size)
        case Slice(encoding=Encoding.RGB) as part:
            pixels = _reduced(raw_pixels(picture, part), picture.size, max_size)
        case _:
            pixels = _of_file(picture_file(picture), picture.path, max_size)
    pixels.flags.writeable = False
    return pixels


def decode_bytes(data: bytes, max_size: Size | None = None) -> Pixels:
    """The pixels of a picture file's bytes, as `decode` gives them."""
    pixels = _of_file(data, Path("picture"), max_size)
    pixels.flags.writeable = False
    return pixels


def _of_file(data: bytes, path: Path, max_size: Size | None) -> Pixels:
    data, info = still(data, path)  # OpenCV would half fill a cut file, and take memory for any
    stand_back()
    with _room_for(info.size):
        return _reduced(_decoded(data, info, path, _divisor(info.size, max_size)), info.size, max_size)


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
        pixels = _decoded(data, info, picture.path, divisor)
    pixels.flags.writeable = False
    return pixels


def _reduced(pixels: Pixels, size: Size, limit: Size | None) -> Pixels:
    return pixels if limit is None else resized(pixels, fitted(size, limit))


def _divisor(size: Size, limit: Size | None) -> int:
    """How many times it may be reduced while it is decoded and still be as large as `limit` asks; 1: not at all."""
    if limit is None:
        return 1
    goal = fitted(size, limit)
    fitting = [by for by in _REDUCED if size.width >= goal.width * by and size.height >= goal.height * by]
    return max(fitting, default=1)


def _decoded(data: bytes, info: PictureInfo, path: Path, divisor: int) -> Pixels:
    """As stored, without turning, reduced by `divisor`; the same pixels whichever decoder gives them."""
    is_quick = not may_take_its_time() if info.kind == "png" else divisor == 1  # of a PNG it lets no other thread run
    if is_quick:
        pixels = quick_pixels(data, info)
        if pixels is not None:
            return pixels if divisor == 1 else _divided(pixels, divisor)
    return _by_opencv(data, path, divisor)


def _divided(pixels: Pixels, divisor: int) -> Pixels:
    """Reduced as OpenCV reduces what its decoders cannot."""
    size = (pixels.shape[1] // divisor, pixels.shape[0] // divisor)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR_EXACT), np.uint8)


def _by_opencv(data: bytes, path: Path, divisor: int) -> Pixels:
    flag = cv2.IMREAD_COLOR_RGB if divisor == 1 else int(getattr(cv2, _REDUCED[divisor]))
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flag | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error as error:
        raise SourceError("the picture cannot be decoded", place=path, field="screenshot") from error
    if pixels is None:
        raise SourceError("the picture is damaged", place=path, field="screenshot", hint="Fetch the file again.")
    if divisor != 1:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
    return np.ascontiguousarray(pixels, np.uint8)
