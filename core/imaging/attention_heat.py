"""Cells of attention as a picture that lies over a screen."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from stepscope.core.domain.attention import AttentionArea
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.palette import rgb
from stepscope.core.imaging.parts import Pixels
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")

HEAT_OPACITY = 0.65
"""Of the heaviest cell (ours)."""
_SIDE = 320
"""The longer side of the picture in pixels: cells are parts of a screen, no drawing."""


@lru_cache(maxsize=8)
def heat(cells: tuple[AttentionArea, ...], screen: Size, colour: str) -> Pixels:
    """Height × width × 4, red, green, blue and opacity 0..255, read-only, in the proportions of `screen`; kept for the
    latest few. All of it is `colour` (#RRGGBB), as opaque as its weight beside the heaviest; where cells lie over each
    other the heavier one counts."""
    scale = _SIDE / max(screen.width, screen.height)
    width, height = max(1, round(screen.width * scale)), max(1, round(screen.height * scale))
    weights = np.zeros((height, width))
    for cell in cells:
        left, top = math.floor(cell.left * width + 0.5), math.floor(cell.top * height + 0.5)
        right, bottom = math.floor(cell.right * width + 0.5), math.floor(cell.bottom * height + 0.5)
        part = weights[top : max(bottom, top + 1), left : max(right, left + 1)]
        np.maximum(part, cell.weight, out=part)
    layer = np.empty((height, width, 4), np.uint8)
    layer[:, :, :3] = rgb(colour)
    layer[:, :, 3] = np.rint(255 * HEAT_OPACITY * weights / (weights.max() or 1.0))
    layer.flags.writeable = False
    return layer
