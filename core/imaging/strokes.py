"""The few strokes that every mark is made of, in the coordinates of whatever they are drawn on.

`core.imaging.draw` turns them into pixels, the window's painter hands them to Qt: two hands, one drawing.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from stepscope.core.frozen import dataclass
from stepscope.core.imaging.rect import Rect
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = lazy_module("numpy")

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Polyline:
    """Straight lines from point to point, (x, y) on the drawing; `closed`: back to the first one."""

    points: tuple[Pair, ...]
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Oval:
    """An ellipse around (x, y) with its half axes, all in lengths of the drawing."""

    x: float
    y: float
    radius_x: float
    radius_y: float


@dataclass(frozen=True, slots=True)
class RoundedRect:
    """A rectangle with round corners."""

    rect: Rect
    radius: float = 0.0


Outline = Polyline | Oval | RoundedRect


@dataclass(frozen=True, slots=True)
class Fill:
    """The union of outlines, filled; with `even_odd` outlines inside others are holes. `clipped`: only where the
    picture is."""

    outlines: tuple[Outline, ...]
    colour: str
    opacity: float = 1.0
    clipped: bool = False
    even_odd: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """Outlines drawn as lines with round caps. `dash`: lengths of line and gap, () for a whole line."""

    outlines: tuple[Outline, ...]
    colour: str
    width: float
    opacity: float = 1.0
    dash: tuple[float, ...] = ()
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class TextStroke:
    """One line of text; `x` is its left edge, or its middle when `centred`; `baseline` is y."""

    text: str
    x: float
    baseline: float
    size: float
    weight: int
    colour: str
    centred: bool = False
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Many thin boxes: rows of left, top, right, bottom, measured from the drawing's place `left`, `top`.

    `key` is what they were made from and `scale` how: equal ones mean equal boxes, wherever they are put.
    """

    boxes: NDArray[np.float64]
    left: float
    top: float
    key: object
    scale: float
    colour: str
    opacity: float


@dataclass(frozen=True, slots=True, eq=False)
class Raster:
    """A picture stretched over a rectangle: height × width × 4, red, green, blue and opacity 0..255."""

    pixels: NDArray[np.uint8]
    rect: Rect
    opacity: float = 1.0


Ink = Fill | Stroke | TextStroke | Grid | Raster

_OVAL_SEGMENT = 3.0
"""Longest straight piece of an ellipse's outline."""


def polygon(outline: Outline) -> tuple[Pair, ...]:
    """The outline as corner points, round parts in pieces short enough not to be seen."""
    if isinstance(outline, Polyline):
        return outline.points
    if isinstance(outline, Oval):
        return _arc(outline.x, outline.y, outline.radius_x, outline.radius_y, 0.0, 2 * math.pi)[:-1]
    rect = outline.rect
    radius = min(outline.radius, rect.width / 2, rect.height / 2)
    if radius <= 0:
        return (
            (rect.left, rect.top),
            (rect.right, rect.top),
            (rect.right, rect.bottom),
            (rect.left, rect.bottom),
        )
    quarter = math.pi / 2
    middles = (
        (rect.right - radius, rect.bottom - radius),
        (rect.left + radius, rect.bottom - radius),
        (rect.left + radius, rect.top + radius),
        (rect.right - radius, rect.top + radius),
    )
    return tuple(
        point
        for turn, (x, y) in enumerate(middles)
        for point in _arc(x, y, radius, radius, turn * quarter, (turn + 1) * quarter)
    )


def is_closed(outline: Outline) -> bool:
    """Whether the outline ends where it begins; only lines may not."""
    return outline.closed if isinstance(outline, Polyline) else True


def dashes(points: tuple[Pair, ...], closed: bool, pattern: tuple[float, ...]) -> list[tuple[Pair, ...]]:
    """The pieces of a line that a pattern of line and gap lengths leaves."""
    corners = [*points, points[0]] if closed else list(points)
    pieces: list[tuple[Pair, ...]] = []
    piece: list[Pair] = [corners[0]]
    slot, left = 0, pattern[0]
    for (ax, ay), (bx, by) in pairwise(corners):
        length = math.hypot(bx - ax, by - ay)
        done = 0.0
        while length - done > left:
            done += left
            place = (ax + (bx - ax) * done / length, ay + (by - ay) * done / length)
            if slot % 2 == 0:
                pieces.append((*piece, place))
            slot += 1
            left = pattern[slot % len(pattern)]
            piece = [place]
        left -= length - done
        piece.append((bx, by))
    if slot % 2 == 0 and len(piece) > 1:
        pieces.append(tuple(piece))
    return pieces


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> tuple[Pair, ...]:
    count = max(6, math.ceil(max(rx, ry) * (end - start) / _OVAL_SEGMENT))
    return tuple((x + rx * right, y + ry * down) for right, down in _circle(count, start, end))


@lru_cache(maxsize=64)
def _circle(count: int, start: float, end: float) -> tuple[Pair, ...]:
    """The ends of `count` equal pieces of an arc of radius 1 around (0, 0)."""
    angles = [start + (end - start) * i / count for i in range(count + 1)]
    return tuple((math.cos(angle), math.sin(angle)) for angle in angles)
