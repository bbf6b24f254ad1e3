"""Decoders that are quicker than OpenCV's, for the files that they decode to the very same pixels.

PNG: the `png` crate through kornia-rs, in safe Rust. JPEG: libjpeg-turbo through simplejpeg; OpenCV has the same
library inside, and spends more around it. What they do not know, refuse or mend is OpenCV's, which then says what is
the matter. Why these: docs/adr/0028.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.pixel_memory import pixel_memory
from stepscope.core.imaging.probe import PictureInfo
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")

MOST_LOCKED = 6_000_000
"""Pixels up to which a PNG is decoded here: kornia-rs keeps the interpreter's lock meanwhile, for 6 to 16 ms with a
phone's screen of 2.6 million, and the window would stand still."""

_DEPTH, _COLOURS, _INTERLACED = 24, 25, 28
"""Places of these bytes in a PNG: of its header chunk, which comes first (PNG specification, 11.2.1)."""
_MODES = {2: "rgb", 6: "rgba"}
"""What kornia-rs calls the colours of 8 bits each that it gives as they are stored."""
_PRINTED = frozenset({"CMYK", "YCCK"})


def quick_pixels(data: bytes, info: PictureInfo) -> Pixels | None:
    """The pixels of a picture file as `still` gives it, or None: OpenCV is to decode it, or to refuse it."""
    if info.kind == "png":
        return _png(data, info.size)
    return _jpeg(data, info.size) if info.kind == "jpeg" else None


def _png(data: bytes, size: Size) -> Pixels | None:
    decoder, mode = _png_decoder(), _MODES.get(data[_COLOURS])
    is_plain = data[_DEPTH] == 8 and not data[_INTERLACED]
    if decoder is None or mode is None or not is_plain or size.width * size.height > MOST_LOCKED:
        return None
    try:
        pixels = decoder(data, (size.height, size.width), mode)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001 - what Rust calls a panic is no Exception
        return None
    if mode == "rgb":
        return pixels
    return np.asarray(
        cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB, dst=pixel_memory.take(size.height, size.width)), np.uint8
    )


def _jpeg(data: bytes, size: Size) -> Pixels | None:
    simplejpeg = _simplejpeg()
    if simplejpeg is None:
        return None
    try:
        height, width, colours, _ = simplejpeg.decode_jpeg_header(data)
        if (width, height) != (size.width, size.height) or colours in _PRINTED:
            return None
        memory = pixel_memory.take(height, width).reshape(-1)
        return np.asarray(simplejpeg.decode_jpeg(data, "RGB", buffer=memory), np.uint8)
    except ValueError:  # damaged: OpenCV fills in what is missing
        return None


@cache
def _png_decoder() -> Callable[[bytes, tuple[int, int], str], Pixels] | None:
    try:
        from kornia_rs.io import decode_image_png_u8
    except ImportError:
        return None
    return decode_image_png_u8  # type: ignore[no-any-return]


@cache
def _simplejpeg() -> Any | None:
    try:
        import simplejpeg
    except ImportError:
        return None
    return simplejpeg
