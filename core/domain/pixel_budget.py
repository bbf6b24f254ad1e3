"""The size to which models of Qwen's family bring a picture before they look at it.

Source (code): `smart_resize` of qwen-vl-utils, which UI-TARS and others share.
"""

from __future__ import annotations

import math

from stepscope.core.domain.geometry import Size

STEEPEST = 200
"""Pictures of which one side is more than this many times the other are refused."""


def is_steep(screen: Size) -> bool:
    """Whether the rule refuses the picture."""
    return max(screen.width, screen.height) > STEEPEST * min(screen.width, screen.height)


def by_factor(screen: Size, factor: int, least: int, most: int) -> Size:
    """Both sides as multiples of `factor`, the area between `least` and `most` pixels. Raises ValueError for a picture
    that the rule refuses."""
    width, height = screen.width, screen.height
    if is_steep(screen):
        raise ValueError(f"a picture of {screen} is more than {STEEPEST} times as long as wide")
    wide, high = (max(factor, round(side / factor) * factor) for side in (width, height))
    if wide * high > most:
        shrunk = math.sqrt(height * width / most)
        wide, high = (max(factor, math.floor(side / shrunk / factor) * factor) for side in (width, height))
    elif wide * high < least:
        grown = math.sqrt(least / (height * width))
        wide, high = (math.ceil(side * grown / factor) * factor for side in (width, height))
    return Size(wide, high)
