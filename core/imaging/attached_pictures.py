"""Pictures that predictors attach, made ready to lie over a screen."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import AttachedPicture
from stepscope.core.errors import SourceError
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.palette import rgb
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.resampling import fitted, resized
from stepscope.core.imaging.still import still
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")

_SHOWN = Size(1600, 1600)
"""Laid over a screen it is reduced to fit into this: it shows where, not what."""
_GREY_WITHIN = 4
MAP_OPACITY, PLAIN_OPACITY = 0.8, 0.6
"""Of the brightest place of a grey map, and of a coloured picture that has no transparency of its own (ours)."""


@lru_cache(maxsize=8)
def laid_over(picture: AttachedPicture, colour: str) -> Pixels:
    """Height × width × 4, red, green, blue and opacity 0..255, read-only; kept for the latest few.

    A grey picture becomes `colour` (#RRGGBB), the brighter the more opaque; a coloured one stays as it is, with its
    own transparency where it has one. Raises SourceError for what cannot be decoded.
    """
    pixels = _decoded(picture)
    size = Size(pixels.shape[1], pixels.shape[0])
    pixels = resized(pixels, fitted(size, _SHOWN))
    if pixels.ndim == 2:
        layer = np.empty((*pixels.shape, 4), np.uint8)
        layer[:, :, :3] = rgb(colour)
        layer[:, :, 3] = np.rint(pixels * MAP_OPACITY)
    elif pixels.shape[2] == 4:
        layer = cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGBA)
    else:
        layer = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGBA)
        layer[:, :, 3] = round(255 * PLAIN_OPACITY)
    layer.flags.writeable = False
    return layer


def _decoded(picture: AttachedPicture) -> Pixels:
    """The picture as OpenCV has it, 8 bits a channel: height × width for a grey one, else with blue first."""
    try:
        data, _ = still(picture.data)  # OpenCV would take memory for any size that a file names
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except (SourceError, cv2.error) as error:
        raise SourceError(f"the attached picture {picture.name!r} cannot be decoded") from error
    if decoded is None:
        raise SourceError(f"the attached picture {picture.name!r} is damaged")
    pixels: Pixels = np.asarray(decoded // 256 if decoded.dtype == np.uint16 else decoded, np.uint8, order="C")
    if pixels.ndim == 3 and pixels.shape[2] == 3 and _is_grey(pixels):
        return np.ascontiguousarray(pixels[:, :, 0])
    return pixels


def _is_grey(pixels: Pixels) -> bool:
    """Whether the channels say the same, as far as a lossy file does: WebP knows no grey pictures."""
    spread = cv2.absdiff(pixels[:, :, 0], pixels[:, :, 1]), cv2.absdiff(pixels[:, :, 1], pixels[:, :, 2])
    return max(int(one.max()) for one in spread) <= _GREY_WITHIN
