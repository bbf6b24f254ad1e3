"""Many plain rectangles on a picture, quickly: grounds and frames with round corners, laid over what is there."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from stepscope.core.frozen import dataclass
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.parts import Pixels

Colour = tuple[int, int, int]
Cover = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Area:
    """Whole pixels inside a picture, right and bottom excluded."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    def of(self, pixels: Pixels) -> Pixels:
        """The picture's part, to be written into."""
        return pixels[self.top : self.bottom, self.left : self.right]


def fill(pixels: Pixels, area: Area, colour: Colour, share: float, radius: int) -> None:
    """Lay a colour over the area; at `share` 1 it covers."""
    if area.width <= 0 or area.height <= 0:
        return
    part, r = area.of(pixels), max(0, min(radius, area.width // 2, area.height // 2))
    table = _table(colour, share)
    height, width = part.shape[:2]
    _lay(part[r : height - r], table)
    if r:
        _lay(part[:r, r : width - r], table)
        _lay(part[height - r :, r : width - r], table)
        _corners(part, _quarter(r, r), colour, share)


def frame(pixels: Pixels, area: Area, colour: Colour, line: int, radius: int) -> None:
    """A line along the area's inner edge."""
    if area.width <= 0 or area.height <= 0:
        return
    part, r = area.of(pixels), max(0, min(radius, area.width // 2, area.height // 2))
    height, width = part.shape[:2]
    line = min(line, (min(height, width) + 1) // 2)
    part[:line, r : width - r] = colour
    part[height - line :, r : width - r] = colour
    part[r : height - r, :line] = colour
    part[r : height - r, width - line :] = colour
    if r:
        _corners(part, _quarter(r, line), colour, 1.0)


def _lay(part: Pixels, table: Pixels) -> None:
    if part.size:
        part[:] = cv2.LUT(part, table)


def _corners(part: Pixels, quarter: Cover, colour: Colour, share: float) -> None:
    """Put a quarter of a disc or ring into all four corners; `quarter` is that of the top left."""
    r = quarter.shape[0]
    for rows, down in ((slice(0, r), 1), (slice(part.shape[0] - r, None), -1)):
        for columns, right in ((slice(0, r), 1), (slice(part.shape[1] - r, None), -1)):
            patch = part[rows, columns]
            cover = quarter[::down, ::right, None] * np.float32(share)
            patch[:] = np.rint(patch + (np.array(colour, np.float32) - patch) * cover).astype(np.uint8)


@lru_cache(maxsize=64)
def _quarter(radius: int, line: int) -> Cover:
    """How far each pixel of the top left corner lies on a ring of width `line` (the whole disc when that wide)."""
    across = radius - (np.arange(radius, dtype=np.float32) + 0.5)
    distance = np.hypot(across[:, None], across[None, :])
    outer = np.clip(radius - distance + 0.5, 0, 1)
    inner = np.clip(radius - line - distance + 0.5, 0, 1) if line < radius else np.float32(0)
    return np.asarray(outer - inner, np.float32)


@lru_cache(maxsize=256)
def _table(colour: Colour, share: float) -> Pixels:
    """What each value of each channel becomes."""
    before = np.arange(256, dtype=np.float32)[:, None]
    after = before + (np.array(colour, np.float32) - before) * np.float32(share)
    return np.rint(after).astype(np.uint8).reshape(1, 256, 3)
