"""Screenshots as a person's own network takes them, and the way back from a place on its picture to the screenshot.

Squashing and cutting are those of `models.encoders.preparation`: reduced by Pillow with the antialiased filter, as
torchvision, transformers and open_clip do it.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from stepscope.core.domain.geometry import Point, Size
from stepscope.core.imaging.parts import Pixels
from stepscope.models.encoders.preparation import Preparation
from stepscope.models.own.manifest import ScreenInput
from stepscope.models.runtimes.runtime import Array

_NO_SHIFT = (0.0, 0.0, 0.0)
_GREY = np.array([0.299, 0.587, 0.114])
"""Rec. 601, as Pillow and OpenCV weigh the colours."""


def fitted(pixels: Pixels, wanted: ScreenInput) -> Pixels:
    """The picture as it is sent: height × width × 3 bytes, red, green, blue."""
    if wanted.fit == "letterbox":
        return _letterboxed(pixels, wanted)
    side = (wanted.side or min(wanted.width, wanted.height)) if wanted.fit == "crop" else None
    filter: Literal["bicubic", "bilinear"] = "bicubic" if wanted.filter == "bicubic" else "bilinear"
    return Preparation(wanted.width, wanted.height, side, _NO_SHIFT, _NO_SHIFT, filter).apply(pixels)


def as_array(sent: Pixels, wanted: ScreenInput) -> Array:
    """The numbers of one picture, in the layout and kind that the network takes."""
    if wanted.colours == "grey":
        colours = np.rint(sent.astype(np.float64) @ _GREY)[:, :, None]
        mean, std = np.array(wanted.mean[:1]), np.array(wanted.std[:1])
    else:
        colours = sent[:, :, ::-1] if wanted.colours == "bgr" else sent
        mean, std = np.array(wanted.mean), np.array(wanted.std)
    if wanted.dtype.startswith("float"):
        colours = (colours.astype(np.float64) * wanted.scale - mean) / std
    found = colours.transpose(2, 0, 1) if wanted.layout == "nchw" else colours
    return np.ascontiguousarray(found).astype(wanted.dtype)


def place_on_screen(x: float, y: float, wanted: ScreenInput, screen: Size) -> Point:
    """The place on the screenshot of a place on the picture that was sent, both in pixels of their own."""
    if wanted.fit == "squash":
        return Point(x * screen.width / wanted.width, y * screen.height / wanted.height, screen)
    scale, left, top = _placed(wanted, screen)
    return Point((x - left) / scale, (y - top) / scale, screen)


def _placed(wanted: ScreenInput, screen: Size) -> tuple[float, float, float]:
    """How many times the screenshot is enlarged, and where its corner lies on the picture that is sent."""
    if wanted.fit == "letterbox":
        width, _, left, top = _box(wanted, screen)
        return width / screen.width, left, top
    side = wanted.side or min(wanted.width, wanted.height)
    scale = side / min(screen.width, screen.height)
    return scale, (wanted.width - screen.width * scale) / 2, (wanted.height - screen.height * scale) / 2


def _box(wanted: ScreenInput, screen: Size) -> tuple[int, int, int, int]:
    """Width, height, left and top of the screenshot within black bars."""
    scale = min(wanted.width / screen.width, wanted.height / screen.height)
    width, height = max(1, round(screen.width * scale)), max(1, round(screen.height * scale))
    return width, height, (wanted.width - width) // 2, (wanted.height - height) // 2


def _letterboxed(pixels: Pixels, wanted: ScreenInput) -> Pixels:
    from PIL import Image

    size = Size(pixels.shape[1], pixels.shape[0])
    width, height, left, top = _box(wanted, size)
    filter = Image.Resampling.BICUBIC if wanted.filter == "bicubic" else Image.Resampling.BILINEAR
    reduced = Image.fromarray(np.ascontiguousarray(pixels)).resize((width, height), filter)
    found = np.zeros((wanted.height, wanted.width, 3), np.uint8)
    found[top : top + height, left : left + width] = np.asarray(reduced)
    return found
