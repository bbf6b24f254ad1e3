"""The outlines of many boxes at once: a UI tree may have thousands, drawn again at every zoom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.imaging.opencv import cv2

Mask = NDArray[np.uint8]

_BEYOND = 16
"""How far outside the mask an edge is put that lies further out; more than any thickness."""


def outlines(boxes: NDArray[np.float64], width: int, height: int, thickness: int = 1) -> Mask:
    """A height × width mask, 1 along the inner edges of boxes and 0 else.

    Boxes are rows of left, top, right, bottom in pixels of the mask, right and bottom excluded; what lies outside is
    left out.
    """
    mask = np.zeros((height, width), np.uint8)
    corners = np.clip(np.round(boxes), -_BEYOND, (width + _BEYOND, height + _BEYOND) * 2).astype(np.int32)
    left, top = corners[:, 0], corners[:, 1]
    right, bottom = np.maximum(corners[:, 2] - 1, left), np.maximum(corners[:, 3] - 1, top)
    for inwards in range(thickness):
        near_x, near_y = np.minimum(left + inwards, right), np.minimum(top + inwards, bottom)
        far_x, far_y = np.maximum(right - inwards, near_x), np.maximum(bottom - inwards, near_y)
        ring = np.stack([near_x, near_y, far_x, near_y, far_x, far_y, near_x, far_y], axis=1)
        cv2.polylines(mask, ring.reshape(-1, 4, 2), True, (1,), 1)  # type: ignore[call-overload]  # an array will do
    return mask


def coloured(mask: Mask, pixel: int, into: NDArray[np.int32]) -> None:
    """Write `pixel` (32 bits, signed) where the mask is 1 and 0 elsewhere."""
    table = np.zeros(256, np.int32)
    table[1] = pixel
    cv2.LUT(mask, table, dst=into)
