"""Where a page lies in its view, and how large it is to be drawn. Arithmetic only.

View coordinates are logical pixels of the widget, `ratio` device pixels each. Pixels of the page are those of its
picture. The page is drawn anew for every size and zoom, so that a pixel of its picture is one of the display: nothing
is scaled, unless the picture has a size of its own.
"""

from __future__ import annotations

import math

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.rect import Rect
from stepscope.widgets.webtask.page_fields import RenderSize

MARGIN = 16.0
"""Free space around the page; the numbers of fields at its edge hang over into it."""
LEAST_WIDTH = 480
"""Width in CSS pixels below which the page is made smaller rather than narrower (ours: templates of crowd tasks are
made for a desk; much less of one is not read any more either)."""
ZOOMS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
"""Zooms that a person can choose: those of Chromium's own menu between 25 % and 300 %."""
MOST = (4096, 2304)
"""Device pixels of the largest picture that a page's process hands over."""
_LEAST_SIDE = 64
"""Pixels of the page that are asked for at least, in a view of whatever size."""
_NO_LESS = 1e-6
"""What a quotient may miss a whole number by."""


@dataclass(frozen=True, slots=True)
class PageFrame:
    """`left`, `top`: where the page begins in the view; `viewport`: pixels of the page that are seen; `scale`: how many
    of them are a CSS pixel; `shown`: logical pixels of the view for one of them; `x`, `y`: how far it is scrolled."""

    left: float
    top: float
    viewport: Size
    scale: float
    shown: float
    x: float = 0.0
    y: float = 0.0

    @property
    def place(self) -> Rect:
        """The page's place in the view."""
        wide, high = self.viewport.width * self.shown, self.viewport.height * self.shown
        return Rect(self.left, self.top, self.left + wide, self.top + high)

    @property
    def wanted(self) -> RenderSize:
        return RenderSize(self.viewport, self.scale)

    @property
    def zoom(self) -> float:
        """Logical pixels of the view for a CSS pixel."""
        return self.scale * self.shown

    def rect_of(self, box: Box) -> Rect:
        """A box of the document in the view."""
        left, top = self.left + (box.left - self.x) * self.shown, self.top + (box.top - self.y) * self.shown
        return Rect(left, top, left + box.width * self.shown, top + box.height * self.shown)

    def to_page(self, x: float, y: float) -> tuple[float, float]:
        """The page's pixel on the screen under a place of the view."""
        return (x - self.left) / self.shown, (y - self.top) / self.shown

    def holds(self, x: float, y: float) -> bool:
        """Whether the page lies under a place of the view."""
        return self.place.contains(x, y)

    def clamped(self, x: float, y: float) -> tuple[float, float]:
        """The place as `to_page` has it, or the nearest pixel of the page."""
        px, py = self.to_page(x, y)
        return min(max(px, 0.0), self.viewport.width - 1.0), min(max(py, 0.0), self.viewport.height - 1.0)


def frame_in(
    width: float, height: float, ratio: float, *, zoom: float | None = None, fixed: Size | None = None
) -> PageFrame:
    """The page in a view of this size. `zoom` None: 100 %, or less where it would be narrower than LEAST_WIDTH. A
    `fixed` viewport, in pixels as the page lays itself out, is shown whole, at 100 % at most, in the middle."""
    wide, high = max(1.0, width - 2 * MARGIN), max(1.0, height - 2 * MARGIN)
    if fixed is not None:
        shown = min(1.0, wide / fixed.width, high / fixed.height)
        left = MARGIN + max(0.0, (wide - fixed.width * shown) / 2)
        return PageFrame(_on_pixel(left, ratio), _on_pixel(MARGIN, ratio), fixed, 1.0, shown)
    usual = zoom if zoom is not None else min(1.0, wide / LEAST_WIDTH)
    viewport = Size(min(_whole(wide * ratio), MOST[0]), min(_whole(high * ratio), MOST[1]))
    return PageFrame(_on_pixel(MARGIN, ratio), _on_pixel(MARGIN, ratio), viewport, usual * ratio, 1 / ratio)


def next_zoom(zoom: float, steps: int) -> float:
    """The zoom so many steps further in ZOOMS, from wherever it is."""
    if steps > 0:
        larger = [one for one in ZOOMS if one > zoom + _NO_LESS]
        return larger[min(steps, len(larger)) - 1] if larger else max(zoom, ZOOMS[-1])
    smaller = [one for one in ZOOMS if one < zoom - _NO_LESS]
    return smaller[-min(-steps, len(smaller))] if steps < 0 and smaller else zoom


def _on_pixel(place: float, ratio: float) -> float:
    """The nearest edge of a device pixel."""
    return round(place * ratio) / ratio


def _whole(pixels: float) -> int:
    return max(_LEAST_SIDE, math.floor(pixels + _NO_LESS))
