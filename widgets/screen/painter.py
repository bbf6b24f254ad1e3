"""Strokes with Qt: the window's hand for the drawing that `core.imaging.sketch` lays out."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from core.imaging.sketch import Sketch
from core.imaging.strokes import Fill, Grid, Ink, Outline, Oval, Polyline, Rect, Rounded, Stroke, Words


def paint_sketch(painter: QPainter, sketch: Sketch, picture: Rect, family: str) -> None:
    """Draw all strokes; clipped ones only inside `picture` (all in the painter's logical pixels)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for ink in sketch.inks:
        if isinstance(ink, (Fill, Stroke)) and ink.clipped:
            painter.save()
            painter.setClipRect(qrect(picture), Qt.ClipOperation.IntersectClip)
            _draw(painter, ink, family)
            painter.restore()
        else:
            _draw(painter, ink, family)
    painter.restore()


def measure_with(family: str) -> Callable[[str, float, int], float]:
    """How wide a text is in a font family: text, font size in pixels, weight → pixels."""

    def width(text: str, size: float, weight: int) -> float:
        return _text_width(family, text, round(size, 1), weight)

    return width


def qrect(rect: Rect) -> QRectF:
    return QRectF(rect.left, rect.top, rect.width, rect.height)


def _draw(painter: QPainter, ink: Ink, family: str) -> None:
    match ink:
        case Fill():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_colour(ink.colour, ink.opacity))
            painter.drawPath(_united(ink.outlines))
        case Stroke():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(_pen(ink))
            painter.drawPath(_path(ink.outlines))
        case Grid():
            _draw_grid(painter, ink)
        case Words():
            _draw_words(painter, ink, family)


def _draw_grid(painter: QPainter, ink: Grid) -> None:
    """Thin boxes, all in one call and without smoothing: there may be thousands."""
    if not len(ink.boxes):
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    pen = QPen(_colour(ink.colour, ink.opacity), 1)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRects(
        [QRectF(left, top, right - left, bottom - top) for left, top, right, bottom in ink.boxes.tolist()]
    )
    painter.restore()


def _draw_words(painter: QPainter, ink: Words, family: str) -> None:
    painter.setFont(_font(family, round(ink.size, 1), ink.weight))
    painter.setPen(_colour(ink.colour, ink.opacity))
    width = _text_width(family, ink.text, round(ink.size, 1), ink.weight) if ink.centred else 0.0
    painter.drawText(QPointF(ink.x - width / 2, ink.baseline), ink.text)


def _pen(ink: Stroke) -> QPen:
    pen = QPen(_colour(ink.colour, ink.opacity), ink.width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if ink.dash else Qt.PenCapStyle.RoundCap)
    if ink.dash:
        pen.setDashPattern([length / ink.width for length in ink.dash])
    return pen


def _path(outlines: tuple[Outline, ...]) -> QPainterPath:
    path = QPainterPath()
    for outline in outlines:
        _add(path, outline)
    return path


def _united(outlines: tuple[Outline, ...]) -> QPainterPath:
    path = QPainterPath()
    for outline in outlines:
        part = QPainterPath()
        _add(part, outline)
        path = part if path.isEmpty() else path.united(part)
    return path


def _add(path: QPainterPath, outline: Outline) -> None:
    match outline:
        case Oval(x, y, radius_x, radius_y):
            path.addEllipse(QPointF(x, y), radius_x, radius_y)
        case Rounded(rect, radius):
            path.addRoundedRect(qrect(rect), radius, radius)
        case Polyline(points, closed):
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
            if closed:
                path.closeSubpath()


def _colour(name: str, opacity: float) -> QColor:
    colour = QColor(name)
    colour.setAlphaF(opacity)
    return colour


@lru_cache(maxsize=64)
def _font(family: str, size: float, weight: int) -> QFont:
    font = QFont(family)
    font.setPixelSize(max(1, round(size)))
    font.setWeight(QFont.Weight(weight))
    return font


@lru_cache(maxsize=4096)
def _text_width(family: str, text: str, size: float, weight: int) -> float:
    return QFontMetricsF(_font(family, size, weight)).horizontalAdvance(text)
