"""The painter of a touch with its trail and of the crosshair, which are seen before the device answers."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from stepscope.core.domain.geometry import Point
from stepscope.core.imaging.palette import ACCENT, CASING, WHITE
from stepscope.widgets.screen.viewport import Viewport

RING = 14.0
"""Radius of the ring where a finger would be."""
_ARM, _GAP = 16.0, 5.0


def paint_trail(painter: QPainter, viewport: Viewport, trail: tuple[Point, ...]) -> None:
    """A ring where the finger went down, a line to where it is."""
    if not trail:
        return
    places = [QPointF(*viewport.to_view(point)) for point in trail]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((CASING, 5.0), (WHITE, 2.5)):
        painter.setPen(QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        if len(places) > 1:
            painter.drawPolyline(QPolygonF(places))
        painter.drawEllipse(places[0], RING, RING)
    painter.restore()


def paint_crosshair(painter: QPainter, viewport: Viewport, point: Point) -> None:
    """Four arms and a dot where Enter taps."""
    x, y = viewport.to_view(point)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for colour, width in ((CASING, 5.0), (ACCENT, 2.6)):
        painter.setPen(QPen(QColor(colour), width))
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            painter.drawLine(QPointF(x + dx * _GAP, y + dy * _GAP), QPointF(x + dx * _ARM, y + dy * _ARM))
    painter.setPen(QPen(QColor(CASING), 1))
    painter.setBrush(QColor(ACCENT))
    painter.drawEllipse(QPointF(x, y), 2.5, 2.5)
    painter.restore()
