"""Places on a screenshot.

Every coordinate is a pixel of the screenshot (float, origin top left, x right, y down) and lives beside the size it
refers to; other coordinate spaces exist only in `core.sources`, `core.device` and inside models.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a screenshot in pixels; both positive."""

    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0:
            raise ValueError(f"a size must be positive, not {self.width}x{self.height}")

    def __str__(self) -> str:
        return f"{self.width} × {self.height}"


@dataclass(frozen=True, slots=True)
class Point:
    """A place in pixels of a screenshot of `size`; may lie outside it, must be finite."""

    x: float
    y: float
    size: Size

    def __post_init__(self) -> None:
        if not (math.isfinite(self.x) and math.isfinite(self.y)):
            raise ValueError(f"a point must be finite, not ({self.x}, {self.y})")

    @classmethod
    def from_fraction(cls, x: float, y: float, size: Size) -> Point:
        """The point at fractions 0..1 of width and height."""
        return cls(x * size.width, y * size.height, size)

    @property
    def fraction(self) -> tuple[float, float]:
        """(x, y) as fractions of the size."""
        return self.x / self.size.width, self.y / self.size.height

    def distance_in_fractions(self, other: Point) -> float:
        """Euclidean distance after dividing x by the width and y by the height of each point's own size."""
        (ax, ay), (bx, by) = self.fraction, other.fraction
        return math.hypot(ax - bx, ay - by)

    def rescaled(self, size: Size) -> Point:
        """The point at the same relative place on a picture of another size."""
        return self if size == self.size else Point.from_fraction(*self.fraction, size)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels of a screenshot of `size`; left <= right and top <= bottom, edges belong to it."""

    left: float
    top: float
    right: float
    bottom: float
    size: Size

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.left, self.top, self.right, self.bottom))):
            raise ValueError("a box must be finite")
        if self.right < self.left:
            raise ValueError(f"right {self.right:g} < left {self.left:g}")
        if self.bottom < self.top:
            raise ValueError(f"bottom {self.bottom:g} < top {self.top:g}")

    @classmethod
    def from_xywh(cls, x: float, y: float, width: float, height: float, size: Size) -> Box:
        return cls(x, y, x + width, y + height, size)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def centre(self) -> Point:
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2, self.size)

    def contains(self, point: Point) -> bool:
        """Whether the point lies inside, edges included."""
        return self.left <= point.x <= self.right and self.top <= point.y <= self.bottom

    def rescaled(self, size: Size) -> Box:
        """The box around the same part of a screenshot of `size`, in its pixels."""
        if size == self.size:
            return self
        sx, sy = size.width / self.size.width, size.height / self.size.height
        return Box(self.left * sx, self.top * sy, self.right * sx, self.bottom * sy, size)

    def clipped(self) -> Box | None:
        """The part on the screenshot, None when nothing is left of it."""
        left, right = max(self.left, 0.0), min(self.right, float(self.size.width))
        top, bottom = max(self.top, 0.0), min(self.bottom, float(self.size.height))
        return Box(left, top, right, bottom, self.size) if right > left and bottom > top else None

    def intersection_over_union(self, other: Box) -> float:
        """Shared area over united area, both boxes on the same size; 0 when the union has no area."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        shared = max(width, 0.0) * max(height, 0.0)
        union = self.area + other.area - shared
        return shared / union if union > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An upright ellipse in pixels, edge included; a disc in fractions of the screen is one."""

    centre: Point
    radius_x: float
    radius_y: float

    def contains(self, point: Point) -> bool:
        """Whether the point, in pixels of the same screenshot, is inside or on the edge."""
        dx = (point.x - self.centre.x) / self.radius_x
        dy = (point.y - self.centre.y) / self.radius_y
        return dx * dx + dy * dy <= 1.0


@dataclass(frozen=True, slots=True)
class Patch:
    """One area of any outline, in pixels of a screenshot of `size`: convex pieces that meet at their edges and do not
    overlap, each the corners of a polygon in order around it. Edges belong to it."""

    pieces: tuple[tuple[tuple[float, float], ...], ...]
    size: Size

    def contains(self, point: Point) -> bool:
        return any(_holds(piece, point.x, point.y) for piece in self.pieces)


def _holds(piece: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    """Whether a convex polygon holds a place: it lies on the same side of every edge."""
    sides = [
        (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        for (ax, ay), (bx, by) in zip(piece, (*piece[1:], *piece[:1]), strict=True)
    ]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


Shape = Box | Ellipse | Patch


@dataclass(frozen=True, slots=True)
class Region:
    """The places that a matching rule accepts: the union of shapes. `rule` says which rule, in words; `target` is the
    place in `shapes` of the one that belongs to the reference's target."""

    shapes: tuple[Shape, ...]
    rule: str
    target: int = 0

    def contains(self, point: Point) -> bool:
        return any(shape.contains(point) for shape in self.shapes)


def smallest_shape(shapes: Sequence[Shape], point: Point) -> int:
    """The place of the smallest shape that holds the point, which is in pixels of the same screenshot; 0 where none
    does."""
    around = [place for place, shape in enumerate(shapes) if shape.contains(point)]
    return min(around, key=lambda place: _area(shapes[place]), default=0)


def _area(shape: Shape) -> float:
    """In pixels."""
    if isinstance(shape, Ellipse):
        return math.pi * shape.radius_x * shape.radius_y
    return shape.area if isinstance(shape, Box) else sum(_area_of_polygon(piece) for piece in shape.pieces)


def _area_of_polygon(corners: Sequence[tuple[float, float]]) -> float:
    """By the shoelace formula."""
    pairs = zip(corners, (*corners[1:], *corners[:1]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


class Direction(StrEnum):
    """A direction on the screenshot, up towards smaller y; whether of finger or view, its field says."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"

    @property
    def opposite(self) -> Direction:
        """Where the content's view moves when a finger moves this way, and the other way round."""
        return _OPPOSITE[self]


_OPPOSITE = {
    Direction.UP: Direction.DOWN,
    Direction.DOWN: Direction.UP,
    Direction.LEFT: Direction.RIGHT,
    Direction.RIGHT: Direction.LEFT,
}


def finger_direction(start: Point, end: Point) -> Direction:
    """Main direction in which a finger moved from start to end, in pixels; a tie is vertical."""
    dx, dy = end.x - start.x, end.y - start.y
    if abs(dx) > abs(dy):
        return Direction.RIGHT if dx > 0 else Direction.LEFT
    return Direction.DOWN if dy > 0 else Direction.UP
