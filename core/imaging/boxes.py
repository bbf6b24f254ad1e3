"""The outlines of many boxes at once: a UI tree may have thousands, drawn again at every zoom."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

from stepscope.core.imaging.opencv import cv2
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = lazy_module("numpy")

Mask: TypeAlias = "NDArray[np.uint8]"

_BEYOND = 16
"""How far outside the mask an edge is put that lies further out; more than any thickness."""


def outlines(boxes: NDArray[np.float64], width: int, height: int, thickness: int = 1) -> Mask:
    """A height × width mask, 1 along the inner edges of boxes and 0 else; boxes are as in `draw_outlines`."""
    mask = np.zeros((height, width), np.uint8)
    draw_outlines(boxes, mask, (1,), thickness)
    return mask


def draw_outlines(boxes: NDArray[np.float64], into: Mask, colour: tuple[int, ...], thickness: int = 1) -> None:
    """Write `colour` (a number for each channel) along the inner edges of boxes; the rest stays as it is.

    Boxes are rows of left, top, right, bottom in pixels of `into`, right and bottom excluded; what lies outside is
    left out.
    """
    height, width = into.shape[:2]
    pixels, ink = _as_numbers(into, colour)
    corners = np.clip(np.round(boxes), -_BEYOND, (width + _BEYOND, height + _BEYOND) * 2).astype(np.int32)
    left, top = corners[:, 0], corners[:, 1]
    right, bottom = np.maximum(corners[:, 2] - 1, left), np.maximum(corners[:, 3] - 1, top)
    for inwards in range(thickness):
        near_x, near_y = np.minimum(left + inwards, right), np.minimum(top + inwards, bottom)
        far_x, far_y = np.maximum(right - inwards, near_x), np.maximum(bottom - inwards, near_y)
        ring = np.stack([near_x, near_y, far_x, near_y, far_x, far_y, near_x, far_y], axis=1)
        cv2.polylines(pixels, ring.reshape(-1, 4, 2), True, ink, 1)  # type: ignore[call-overload]  # an array will do


def _as_numbers(into: Mask, colour: tuple[int, ...]) -> tuple[NDArray[Any], tuple[int, ...]]:
    """Pixels of four bytes as one number each, which OpenCV writes more quickly than four; others as they are."""
    if into.ndim == 3 and into.shape[2] == 4 and into.flags.c_contiguous:
        return into.view(np.int32)[:, :, 0], (int.from_bytes(bytes(colour), sys.byteorder, signed=True),)
    return into, colour
