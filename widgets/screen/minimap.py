"""The whole picture in small at the edge of a view that shows only a part of it, with that part framed. No input."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.palette import ACCENT, CASING
from stepscope.core.imaging.rect import Rect
from stepscope.widgets.screen.content import ScreenColors
from stepscope.widgets.screen.qt_rect import qrect
from stepscope.widgets.screen.viewport import MARGIN, Viewport

_WIDEST, _TALLEST = 88.0, 0.6
"""Logical pixels of width, share of the view's height."""
_LEAST_VIEW = 360.0
"""A narrower view has no room for it."""
_FRAME_LEAST = 6.0


def map_place(viewport: Viewport) -> Rect | None:
    """Where the small picture lies; None while the whole picture is in the view, or there is no room."""
    picture, size = viewport.picture, viewport.size
    whole = picture.left >= 0 and picture.top >= 0 and picture.right <= viewport.width
    if viewport.width < _LEAST_VIEW or (whole and picture.bottom <= viewport.height):
        return None
    scale = min(_WIDEST / size.width, _TALLEST * viewport.height / size.height)
    right = viewport.width - MARGIN
    return Rect(right - size.width * scale, MARGIN, right, MARGIN + size.height * scale)


def seen_part(viewport: Viewport, place: Rect) -> Rect | None:
    """The part of the small picture that the view shows, None when the picture lies beyond it."""
    seen = viewport.picture.shared(Rect(0.0, 0.0, viewport.width, viewport.height))
    if seen is None:
        return None
    scale = place.width / viewport.picture.width
    left, top = place.left - viewport.left * scale, place.top - viewport.top * scale
    return Rect(left + seen.left * scale, top + seen.top * scale, left + seen.right * scale, top + seen.bottom * scale)


def looked_at(viewport: Viewport, place: Rect, x: float, y: float) -> Viewport:
    """The view moved so that the picture's place under (x, y) of the small picture is in its middle."""
    shown = viewport.picture
    left = viewport.width / 2 - (x - place.left) / place.width * shown.width
    top = viewport.height / 2 - (y - place.top) / place.height * shown.height
    return viewport.panned(left - viewport.left, top - viewport.top)


def goal_of(place: Rect, ratio: float) -> Size:
    """Device pixels of the small picture."""
    return Size(max(1, round(place.width * ratio)), max(1, round(place.height * ratio)))


def paint_frame(painter: QPainter, viewport: Viewport, place: Rect, colors: ScreenColors) -> None:
    """The outline of the small picture and of what is seen of it."""
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colors.ring), 1))
    painter.drawRect(qrect(place.grown(0.5)))
    seen = seen_part(viewport, place)
    if seen is not None:
        short = max(0.0, _FRAME_LEAST - seen.height) / 2
        frame = qrect(Rect(seen.left, seen.top - short, seen.right, seen.bottom + short))
        tint = QColor(ACCENT)
        tint.setAlphaF(0.16)
        painter.fillRect(frame, tint)
        for colour, width in ((CASING, 3.0), (ACCENT, 1.4)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawRect(frame)
    painter.restore()
