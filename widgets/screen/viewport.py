"""Where a picture lies in a view: zoom and pan as one frozen value. Arithmetic only, no Qt.

View coordinates are logical pixels of the widget; a device pixel is `1 / ratio` of one. Picture coordinates are pixels
of the picture. A zoom of 100 % shows one picture pixel on one device pixel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from functools import cached_property

from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.rect import Rect

MARGIN = 14.0
"""Free space above and below a fitted picture."""
SIDE_SHARE = 0.7025
"""Height of the pictures beside, as a share of the middle one's."""
_SIDE_WIDTH = 0.24
"""Widest share of the view that a picture beside may ask for."""
_MIDDLE_WIDTH = 0.6
"""Share of the view that the middle picture gets at least when it is wide."""
_SIDE_LEAST = 40.0
ZOOM_STEP = 1.25
"""One notch of the wheel, or one press of + or −."""
MAX_ZOOM = 32.0
MIN_ZOOM = 0.02
_TALL = 3.0
"""A picture more than so many times as tall as wide, which shown whole has less than this part of the width that there
is room for, is fitted by its width (ours: the words of a page are not to be read else)."""
_SAME_SHAPE = 0.02
"""Pictures whose proportions differ by less are looked at in the same way."""


class FitMode(StrEnum):
    """The meaning of fitting. AUTO: the whole picture, or the width of a very tall one."""

    AUTO = "auto"
    WHOLE = "whole"
    WIDTH = "width"


@dataclass(frozen=True)
class Viewport:
    """`fit`: the picture is fitted in the way `by`, whatever the view's size. Else `scale` (view pixels for a picture
    pixel), with the fractions `x`, `y` of the picture in the middle of the view. `beside`: room is kept for the
    neighbours. `margin` and `side`: free space above and below a fitted picture, and at its left and right. `step`: a
    picture below 100 % is a multiple of it wide, in device pixels."""

    width: float
    height: float
    ratio: float
    size: Size
    beside: bool = True
    fit: bool = True
    by: FitMode = FitMode.AUTO
    scale: float = 1.0
    x: float = 0.5
    y: float = 0.5
    margin: float = MARGIN
    side: float = MARGIN
    step: int = 1

    @property
    def gap(self) -> float:
        """Free space between the pictures."""
        return 44.0 if self.width >= 700 else 20.0

    @cached_property
    def fit_scale(self) -> float:
        """View pixels for a picture pixel when the picture is fitted."""
        return self._width_scale if self.fits_width else self._whole_scale

    @cached_property
    def fits_width(self) -> bool:
        """Whether fitting means the width alone: the picture may be taller than the view."""
        if self.by is not FitMode.AUTO:
            return self.by is FitMode.WIDTH
        return self.size.height > _TALL * self.size.width and _TALL * self._whole_scale < self._width_scale

    @property
    def fit_words(self) -> str:
        """ "Fit", "Fit width", "" while the picture is not fitted."""
        return ("Fit width" if self.fits_width else "Fit") if self.fit else ""

    @property
    def is_whole(self) -> bool:
        """Whether the picture is fitted so that all of it is seen."""
        return self.fit and not self.fits_width

    @cached_property
    def _whole_scale(self) -> float:
        room = self.width - 2 * self.side
        if self.beside:
            room = max(_MIDDLE_WIDTH * self.width, self.width - 2 * (self.gap + _SIDE_WIDTH * self.width + MARGIN))
        height = self.height - 2 * self.margin
        scale = max(1e-4, min(room / self.size.width, height / self.size.height, MAX_ZOOM / self.ratio))
        return self._stepped(scale, math.floor)

    @cached_property
    def _width_scale(self) -> float:
        """All the width there is, but no larger than 100 %; neighbours lie beyond the view."""
        return max(self._whole_scale, min((self.width - 2 * self.side) / self.size.width, 1 / self.ratio))

    @cached_property
    def zoom(self) -> float:
        """View pixels for a picture pixel, now."""
        return self.fit_scale if self.fit else self.scale

    @property
    def percent(self) -> float:
        """Zoom as people read it: 100 is one picture pixel on one device pixel."""
        return 100 * self.zoom * self.ratio

    @cached_property
    def middle(self) -> tuple[float, float]:
        """The fractions of the picture in the middle of the view; one that is fitted by its width begins at its top."""
        if not self.fit:
            return self.x, self.y
        shown = self.size.height * self.zoom
        return 0.5, (self.height / 2 - self.margin) / shown if shown > self.height - 2 * self.margin else 0.5

    @cached_property
    def left(self) -> float:
        """Left edge of the picture, on a device pixel."""
        return self._snapped(self.width / 2 - self.middle[0] * self.size.width * self.zoom)

    @cached_property
    def top(self) -> float:
        return self._snapped(self.height / 2 - self.middle[1] * self.size.height * self.zoom)

    @cached_property
    def picture(self) -> Rect:
        """The picture in the view."""
        return self._rect_at(self.left, self.top, self.zoom, self.size)

    def to_picture(self, x: float, y: float) -> Point:
        """The picture's point under a point of the view; may lie outside the picture."""
        return Point((x - self.left) / self.zoom, (y - self.top) / self.zoom, self.size)

    def to_view(self, point: Point) -> tuple[float, float]:
        place = point.rescaled(self.size)
        return self.left + place.x * self.zoom, self.top + place.y * self.zoom

    def rect_of(self, box: Box) -> Rect:
        place = box.rescaled(self.size)
        left, top, zoom = self.left, self.top, self.zoom
        return Rect(
            left + place.left * zoom, top + place.top * zoom, left + place.right * zoom, top + place.bottom * zoom
        )

    def zoomed(self, factor: float, x: float, y: float) -> Viewport:
        """Zoomed by `factor` with the picture's point under (x, y) of the view kept there."""
        least = min(MIN_ZOOM / self.ratio, self.fit_scale)
        scale = min(max(self.zoom * factor, least), MAX_ZOOM / self.ratio)
        return self._with_scale(self._stepped(scale, round), x, y)

    def actual_size(self, x: float, y: float) -> Viewport:
        """100 %, with the picture's point under (x, y) kept there."""
        return self._with_scale(1 / self.ratio, x, y)

    def panned(self, dx: float, dy: float) -> Viewport:
        """Moved by view pixels; the middle of the view stays on the picture."""
        return self._with_corner(self.left + dx, self.top + dy, self.zoom)

    def fitted(self) -> Viewport:
        return replace(self, fit=True, by=self.by if self.fit else FitMode.AUTO)

    def fitted_otherwise(self) -> Viewport:
        """The whole picture where its width was fitted, its width where the whole was."""
        return replace(self, fit=True, by=FitMode.WHOLE if self.fits_width else FitMode.WIDTH)

    def like(self, other: Viewport) -> Viewport:
        """Our own picture in our own view, looked at as `other` is: the same fractions in the middle, the same zoom
        relative to fitting."""
        if other.fit:
            return replace(self, fit=True, by=other.by)
        scale = other.scale * self.fit_scale / other.fit_scale
        return replace(self, fit=False, by=other.by, scale=scale, x=other.x, y=other.y)

    def showing(self, box: Box, margin: float = 80.0) -> Viewport:
        """The viewport that is as large as lets the whole box be seen with `margin` view pixels around, at most 200
        %."""
        place = box.rescaled(self.size)
        room_x, room_y = max(self.width - 2 * margin, 40.0), max(self.height - 2 * margin, 40.0)
        scale = min(2 / self.ratio, room_x / max(place.width, 1.0), room_y / max(place.height, 1.0))
        middle = place.centre
        left, top = self.width / 2 - middle.x * scale, self.height / 2 - middle.y * scale
        return self._with_corner(left, top, max(scale, self.fit_scale))

    def with_picture(self, size: Size) -> Viewport:
        """The same place on another picture. One of the same shape: the same fractions in the middle, the same zoom
        relative to fitting. One as wide: the same scale, as far from its top. Any other is fitted anew."""
        if size == self.size:
            return self
        other = replace(self, size=size)
        if self.fit:
            return other
        if abs(size.height * self.size.width / (size.width * self.size.height) - 1) < _SAME_SHAPE:
            return replace(other, scale=self.scale * other.fit_scale / self.fit_scale)
        if size.width == self.size.width:
            return replace(other, y=min(self.y * self.size.height / size.height, 1.0))
        return other.fitted()

    def sides(self, before: Size | None, after: Size | None) -> tuple[Rect | None, Rect | None]:
        """Where the neighbours' pictures lie: beside the fitted picture, pushed outwards by an enlarged one."""
        fitted, now = replace(self, fit=True, by=FitMode.WHOLE).picture, self.picture
        room = fitted.left - self.gap - MARGIN
        scales = [
            min(SIDE_SHARE * fitted.height / size.height, room / size.width) if size else 0.0
            for size in (before, after)
        ]
        left = right = None
        if before is not None and before.width * scales[0] >= _SIDE_LEAST:
            edge = min(fitted.left, now.left) - self.gap
            left = self._side(edge - before.width * scales[0], scales[0], before)
        if after is not None and after.width * scales[1] >= _SIDE_LEAST:
            right = self._side(max(fitted.right, now.right) + self.gap, scales[1], after)
        return left, right

    def _side(self, left: float, scale: float, size: Size) -> Rect:
        top = (self.height - size.height * scale) / 2
        return self._rect_at(self._snapped(left), self._snapped(top), scale, size)

    def _with_scale(self, scale: float, x: float, y: float) -> Viewport:
        place = self.to_picture(x, y)
        return self._with_corner(x - place.x * scale, y - place.y * scale, scale)

    def _stepped(self, scale: float, whole: Callable[[float], int]) -> float:
        """The scale, or one near it at which the picture is whole steps wide."""
        if self.step == 1 or scale * self.ratio >= 1:
            return scale
        steps = whole(scale * self.size.width * self.ratio / self.step + 1e-9)
        return max(1, steps) * self.step / (self.size.width * self.ratio)

    def _with_corner(self, left: float, top: float, scale: float) -> Viewport:
        middle_x = (self.width / 2 - left) / (self.size.width * scale)
        middle_y = (self.height / 2 - top) / (self.size.height * scale)
        inside = (min(max(middle_x, 0.0), 1.0), min(max(middle_y, 0.0), 1.0))
        return replace(self, fit=False, scale=scale, x=inside[0], y=inside[1])

    def _rect_at(self, left: float, top: float, scale: float, size: Size) -> Rect:
        return Rect(left, top, left + size.width * scale, top + size.height * scale)

    def _snapped(self, value: float) -> float:
        return round(value * self.ratio) / self.ratio
