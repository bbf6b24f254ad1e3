"""Marks of the runs A to H: a shape each, so that colour is never the only sign."""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QIconEngine, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from stepscope.widgets import theme

SHAPES = 4
"""Circle, square, diamond, hexagon; runs E to H repeat them with a double outline."""


def run_letter(index: int) -> str:
    """A for run 0, B for run 1, …"""
    return chr(ord("A") + index)


def paint_run_glyph(
    painter: QPainter, place: QRectF, index: int, *, filled: bool = True, crossed: bool = False, letter: bool = False
) -> None:
    """The shape of run `index` inside `place`; hollow with a cross for a miss, with its letter as a badge."""
    colours = theme.current()
    colour = QColor(colours.run_colour(index))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if filled else QPen(colour, 1.6))
    painter.setBrush(colour if filled else Qt.BrushStyle.NoBrush)
    _draw_shape(painter, place, index % SHAPES)
    if index >= SHAPES:
        painter.setPen(QPen(QColor(colours.panel if filled else colours.run_colour(index)), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        _draw_shape(painter, place.adjusted(2, 2, -2, -2), index % SHAPES)
    if crossed:
        _draw_cross(painter, place, colour)
    if letter:
        _draw_letter(painter, place, index, QColor(colours.panel) if filled else colour)
    painter.restore()


def paint_reference_glyph(painter: QPainter, place: QRectF) -> None:
    """The reference's ring with its dot, as big as `place`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = QColor(theme.current().reference)
    painter.setPen(QPen(colour, 1.8))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(place.adjusted(1, 1, -1, -1))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    dot = place.width() / 6
    painter.drawEllipse(place.center(), dot, dot)
    painter.restore()


def _draw_shape(painter: QPainter, place: QRectF, shape: int) -> None:
    centre, radius = place.center(), place.width() / 2
    if shape == 0:
        painter.drawEllipse(place)
    elif shape == 1:
        side = radius * 0.88
        painter.drawRoundedRect(QRectF(centre.x() - side, centre.y() - side, 2 * side, 2 * side), 2.5, 2.5)
    else:
        corners, start = (4, 90.0) if shape == 2 else (6, 30.0)
        painter.drawPolygon(QPolygonF([_on_circle(centre, radius, start + 360 * i / corners) for i in range(corners)]))


def _on_circle(centre: QPointF, radius: float, degrees: float) -> QPointF:
    angle = math.radians(degrees)
    return QPointF(centre.x() + radius * math.cos(angle), centre.y() + radius * math.sin(angle))


def _draw_cross(painter: QPainter, place: QRectF, colour: QColor) -> None:
    painter.setPen(QPen(colour, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    centre, arm = place.center(), place.width() * 0.2
    painter.drawLine(centre + QPointF(-arm, -arm), centre + QPointF(arm, arm))
    painter.drawLine(centre + QPointF(-arm, arm), centre + QPointF(arm, -arm))


def _draw_letter(painter: QPainter, place: QRectF, index: int, colour: QColor) -> None:
    font = QFont(painter.font())
    font.setPixelSize(max(7, round(place.height() * 0.62)))
    font.setWeight(QFont.Weight.Bold)
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, run_letter(index))


class _RunIconEngine(QIconEngine):
    """A run's letter in its shape, at any size."""

    def __init__(self, run: int) -> None:
        super().__init__()
        self._run = run

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        paint_run_glyph(painter, QRectF(rect).adjusted(1, 1, -1, -1), self._run, letter=True)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        return _RunIconEngine(self._run)


def run_icon(run: int) -> QIcon:
    """The run's mark, for lists and boxes to choose from."""
    return QIcon(_RunIconEngine(run))


class RunBadge(QWidget):
    """A run's letter in its shape; `index` None draws an empty box (no letter assigned)."""

    def __init__(self, index: int | None = None, side: int = 18, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._index = index
        self._side = side
        self.setFixedSize(side, side)
        self.set_run(index)

    def set_run(self, index: int | None) -> None:
        self._index = index
        self.setAccessibleName("Reference" if index is None else f"Run {run_letter(index)}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._side, self._side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._index is None:
            paint_reference_glyph(painter, place.adjusted(1, 1, -1, -1))
        else:
            paint_run_glyph(painter, place, self._index, letter=True)
        painter.end()
