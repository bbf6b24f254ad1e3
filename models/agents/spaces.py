"""Coordinate spaces of GUI agents, and the way from each to pixels of the recorded screen.

The same family changes between versions (UI-TARS 1.0 writes thousandths, 1.5 pixels of the picture it was sent), so the
space belongs to the adapter and can be told anew for a reading. x and y are scaled apart: resized pictures do not keep
the aspect exactly.
"""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.domain.geometry import Point, Size
from stepscope.core.frozen import dataclass


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


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """A way to read places. `swapped`: what is said first is y. `twice`: the place on the recorded screen was taken for
    one on the picture as sent, and scaled once more."""

    space: Space
    swapped: bool = False
    twice: bool = False

    def on_screen(self, x: float, y: float, screen: Size, sent: Size) -> Point:
        """The place on the recorded screen, unrounded. Raises ValueError for one outside the space or the screen."""
        if self.swapped:
            x, y = y, x
        point = on_screen(x, y, self.space, screen, sent)
        if not self.twice:
            return point
        x, y = point.x * screen.width / sent.width, point.y * screen.height / sent.height
        if x > screen.width or y > screen.height:
            raise ValueError(f"({x:g}, {y:g}) lies outside the screen, which ends at ({screen.width}, {screen.height})")
        return Point(x, y, screen)


AS_SAID, SWAPPED, TWICE = "adapter", "swapped", "twice"
READINGS = (AS_SAID, *(space.value for space in Space), SWAPPED, TWICE)
"""How places can be read: as the adapter says, in another space, the adapter's with x and y swapped, scaled twice."""


def reading_of(word: str, own: Space) -> PlaceReading:
    """The reading of this word of `READINGS`, `own` being the adapter's space."""
    space = Space(word) if word in [*Space] else own
    return PlaceReading(space, swapped=word == SWAPPED, twice=word == TWICE)
