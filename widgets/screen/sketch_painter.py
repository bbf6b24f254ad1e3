"""Strokes with Qt: the window's hand for the drawing that `core.imaging.sketch` lays out."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPolygonF

from stepscope.core.imaging.boxes import draw_outlines
from stepscope.core.imaging.palette import rgb
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.strokes import Fill, Grid, Outline, Oval, Polyline, Raster, RoundedRect, Stroke, TextStroke
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.screen.picture import memory_of
from stepscope.widgets.screen.qt_rect import qrect
from stepscope.widgets.screen.rasters import RasterPainter

if TYPE_CHECKING:
    from stepscope.core.imaging.sketch import Sketch

_GRID_SHARE = 1.25
"""A screenshot shown up to this many times as large as the view has all of its boxes kept drawn, a larger one
only those in the view."""


class SketchPainter:
    """Keeps boxes and pictures as it last drew them."""

    def __init__(self) -> None:
        self._grids, self._rasters = _GridPainter(), RasterPainter()

    def paint(self, painter: QPainter, sketch: Sketch, picture: Rect, family: str) -> None:
        """Draw all strokes; clipped ones only inside `picture` (all in the painter's logical pixels)."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for ink in sketch.inks:
            if isinstance(ink, Grid):
                self._grids.paint(painter, ink, picture)
            elif isinstance(ink, Raster):
                self._rasters.paint(painter, ink)
            elif isinstance(ink, (Fill, Stroke)) and ink.clipped:
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


class _GridPainter:
    """Draws boxes of UI elements. Qt needs 100 ms for a thousand; so they are drawn into a picture once for each zoom,
    and panning only copies it."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, ...], QImage] | None = None

    def paint(self, painter: QPainter, ink: Grid, picture: Rect) -> None:
        """`picture` is the screenshot's place; only boxes inside it are drawn."""
        ratio = painter.device().devicePixelRatioF()
        view = painter.window()
        whole = picture.width * picture.height <= _GRID_SHARE * view.width() * view.height()
        area = picture if whole else picture.shared(Rect(0.0, 0.0, float(view.width()), float(view.height())))
        if area is None:
            return
        place = (0.0, 0.0) if whole else (area.left - picture.left, area.top - picture.top)
        made_for = (ink.key, ink.scale, ink.colour, ink.opacity, ratio, place, area.width, area.height)
        if self._kept is None or self._kept[0][0] is not ink.key or self._kept[0][1:] != made_for[1:]:
            self._kept = (made_for, _grid_image(ink, place, area, ratio, self._kept[1] if self._kept else None))
        painter.drawImage(QPointF(area.left, area.top), self._kept[1])


def _grid_image(ink: Grid, place: tuple[float, float], area: Rect, ratio: float, used: QImage | None) -> QImage:
    """The boxes inside a part of the screenshot that begins at `place`, as a see-through picture. One that was `used`
    before is drawn over where it is as large: fresh memory takes longer to get than to fill."""
    width, height = math.ceil(area.width * ratio), math.ceil(area.height * ratio)
    if used is None or (used.width(), used.height()) != (width, height):
        used = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image = used
    boxes = (ink.boxes - (*place, *place)) * ratio
    seen = (boxes[:, 0] < width) & (boxes[:, 2] > 0) & (boxes[:, 1] < height) & (boxes[:, 3] > 0)
    image.fill(Qt.GlobalColor.transparent)
    draw_outlines(boxes[seen], memory_of(image), _premultiplied(ink.colour, ink.opacity), max(1, round(ratio)))
    image.setDevicePixelRatio(ratio)
    return image


def _premultiplied(colour: str, opacity: float) -> tuple[int, int, int, int]:
    """Blue, green, red and opacity of a pixel of ARGB32_Premultiplied."""
    red, green, blue = (round(part * opacity) for part in rgb(colour))
    return blue, green, red, round(255 * opacity)


def _draw(painter: QPainter, ink: Fill | Stroke | TextStroke, family: str) -> None:
    match ink:
        case Fill():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_colour(ink.colour, ink.opacity))
            painter.drawPath(_path(ink.outlines) if ink.even_odd else _united(ink.outlines))
        case Stroke():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(_pen(ink))
            painter.drawPath(_path(ink.outlines))
        case TextStroke():
            _draw_words(painter, ink, family)


def _draw_words(painter: QPainter, ink: TextStroke, family: str) -> None:
    painter.setFont(_font(family, round(ink.size, 1), ink.weight))
    painter.setPen(_colour(ink.colour, ink.opacity))
    width = _text_width(family, ink.text, round(ink.size, 1), ink.weight) if ink.centred else 0.0
    painter.drawText(QPointF(ink.x - width / 2, ink.baseline), straight(ink.text))


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
    if not any(isinstance(outline, Polyline) for outline in outlines):
        path = _path(outlines)
        path.setFillRule(Qt.FillRule.WindingFill)  # ovals and boxes go round the same way: no need to cut them up
        return path
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
        case RoundedRect(rect, radius):
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
