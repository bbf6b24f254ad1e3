"""Signs of the lanes: the bubble of a question, hollow where due and filled where it comes, and the film's dots."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF

from stepscope.widgets import theme
from stepscope.widgets.results.lanes.lane_values import FilmDot

DOT, PITCH = 6.0, 8.0


def paint_ask_bubble(painter: QPainter, place: QRectF, *, filled: bool) -> None:
    """A question in the colour of asks: a filled bubble where it came, a hollow one where it was due."""
    colours = theme.current()
    colour = QColor(colours.warn)
    body, tail = QPainterPath(), QPainterPath()
    box = place.adjusted(0.7, 0.7, -0.7, -place.height() * 0.24)
    body.addRoundedRect(box, 2, 2)
    foot, left = box.bottom() - 0.5, box.left() + box.width() * 0.2
    corners = (
        QPointF(left, foot), QPointF(left + box.width() * 0.3, foot), QPointF(left, foot + place.height() * 0.26),
    )  # fmt: skip
    tail.addPolygon(QPolygonF([*corners, corners[0]]))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.4))
    painter.setBrush(colour if filled else Qt.BrushStyle.NoBrush)
    painter.drawPath(body.united(tail))
    font = QFont(painter.font())
    font.setPixelSize(max(7, round(box.height() * 0.82)))
    font.setWeight(QFont.Weight.Bold)
    painter.setFont(font)
    painter.setPen(QColor(colours.panel) if filled else colour)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "?")
    painter.restore()


def film_width(film: tuple[str, str]) -> float:
    """Pixels of a film."""
    return PITCH * max(map(len, film))


def paint_film(painter: QPainter, left: float, middle: float, film: tuple[str, str]) -> None:
    """The steps of both streams, one above the other: a disc is right, a hollow square wrong, a bubble asks, a short
    line could not be judged."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    streams = [one for one in film if one]
    top = middle - PITCH * len(streams) / 2
    for row, stream in enumerate(streams):
        for step, letter in enumerate(stream):
            box = QRectF(left + step * PITCH, top + row * PITCH + (PITCH - DOT) / 2, DOT, DOT)
            _paint_dot(painter, box, letter)
    painter.restore()


def _paint_dot(painter: QPainter, box: QRectF, letter: str) -> None:
    colours = theme.current()
    painter.setPen(Qt.PenStyle.NoPen)
    if letter == FilmDot.HIT:
        painter.setBrush(QColor(colours.hit))
        painter.drawEllipse(box)
    elif letter == FilmDot.ASK:
        painter.setBrush(QColor(colours.warn))
        painter.drawRoundedRect(box.adjusted(0, 0, 0, -1.5), 1.5, 1.5)
        tail = (QPointF(box.left() + 1, box.bottom() - 2), QPointF(box.left() + 4, box.bottom() - 2))
        painter.drawPolygon(QPolygonF([*tail, QPointF(box.left() + 1, box.bottom() + 0.5)]))
    elif letter == FilmDot.MISS:
        painter.setPen(QPen(QColor(colours.miss), 1.3))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    else:
        painter.setPen(QPen(QColor(colours.dim), 1.3))
        painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()))
