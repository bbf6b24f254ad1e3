"""Coordinate spaces of GUI agents, and the way from each to pixels of the recorded screen.

The same family changes between versions (UI-TARS 1.0 writes thousandths, 1.5 pixels of the picture it was sent), so the
space belongs to the adapter and can be told anew for a reading. x and y are scaled apart: resized pictures do not keep
the aspect exactly.
"""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.domain.geometry import Point, Size


class Space(StrEnum):
    """unit: 0 to 1; thousand: thousandths of width and height; nine99: the same over 999; resized: pixels of the
    picture as it was sent; original: pixels of the recorded screen."""

    UNIT = "unit"
    THOUSAND = "thousand"
    NINE99 = "nine99"
    RESIZED = "resized"
    ORIGINAL = "original"


def extent(space: Space, screen: Size, sent: Size) -> tuple[float, float]:
    """What stands for the whole width and the whole height in this space."""
    match space:
        case Space.UNIT:
            return 1, 1
        case Space.THOUSAND:
            return 1000, 1000
        case Space.NINE99:
            return 999, 999
        case Space.RESIZED:
            return sent.width, sent.height
        case Space.ORIGINAL:
            return screen.width, screen.height


def on_screen(x: float, y: float, space: Space, screen: Size, sent: Size) -> Point:
    """The place on the recorded screen, unrounded. Raises ValueError for one outside the space."""
    width, height = extent(space, screen, sent)
    if not (0 <= x <= width and 0 <= y <= height):
        raise ValueError(f"({x:g}, {y:g}) lies outside the {space} space, which ends at ({width:g}, {height:g})")
    return Point(x / width * screen.width, y / height * screen.height, screen)
