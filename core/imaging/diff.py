"""Where two screenshots differ: in blocks, so that a blinking pixel is no change and a moved word is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.resampling import resized
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = lazy_module("numpy")

BLOCK = 16
"""Side of a block in pixels of the picture (ours)."""
THRESHOLD = 24
"""A pixel differs when a channel is off by more, of 255: above what JPEG does to flat areas (ours)."""
LEAST_SHARE = 0.04
"""A block has changed when more of its pixels differ (ours): a line of two pixels through it counts."""
MOST_REGIONS = 60
"""More regions than these are told as one around them all (ours)."""


def changed_blocks(before: Pixels, after: Pixels) -> NDArray[np.bool_]:
    """Which blocks of `after` differ, as rows by columns of blocks; those at the right and bottom may be cut short.

    Both are height × width × 3 bytes or more channels, of which the first three count; `before` is brought to the size
    of `after`.
    """
    height, width = after.shape[:2]
    if before.shape[:2] != after.shape[:2]:
        before = resized(np.ascontiguousarray(before[:, :, :3]), Size(width, height))
    wide, tall = -(-width // BLOCK), -(-height // BLOCK)
    away = cv2.absdiff(before, after) if before.shape == after.shape else cv2.absdiff(before[:, :, :3], after[:, :, :3])
    near = (THRESHOLD,) * 3 + (255,) * (away.shape[2] - 3)
    alike = cv2.inRange(away, (0,) * away.shape[2], near)  # 255 where no channel is further off
    below, beside = tall * BLOCK - height, wide * BLOCK - width
    padded = cv2.copyMakeBorder(alike, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=(255,))
    share = cv2.resize(padded, (wide, tall), interpolation=cv2.INTER_AREA)
    return np.asarray(share < 255 * (1 - LEAST_SHARE))


def changed_regions(before: Pixels, after: Pixels) -> tuple[Box, ...]:
    """Boxes, in pixels of `after`, around changed blocks that touch; none when the pictures look the same."""
    blocks = changed_blocks(before, after)
    height, width = after.shape[:2]
    size = Size(width, height)
    count, _labels, stats, _centres = cv2.connectedComponentsWithStats(blocks.astype(np.uint8), connectivity=8)
    found = [_box(stat, size) for stat in stats[1:count]]
    if len(found) > MOST_REGIONS:
        around = (min(b.left for b in found), min(b.top for b in found), max(b.right for b in found),
                  max(b.bottom for b in found))  # fmt: skip
        return (Box(*around, size),)
    return tuple(sorted(found, key=lambda box: (box.top, box.left)))


def _box(stat: NDArray[np.int32], size: Size) -> Box:
    left, top, wide, tall = (int(stat[i]) * BLOCK for i in range(4))
    return Box(left, top, min(left + wide, size.width), min(top + tall, size.height), size)
