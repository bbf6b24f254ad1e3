"""Outlines of elements on a screen: what supports a requirement with a tick, what contradicts it with a cross."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QTransform

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.judge.requirement_list import paint_requirement_sign

SUPPORTS, CONTRADICTS, CASING = "#4CC38A", "#FF5A4D", "#0D1014"
"""Colours on pictures, the same in every theme, with a dark rim."""
AWAY, LINE, SIGN, SIDE, LEAST = 5.0, 3.0, 14.0, 6.0, 12.0
"""Pixels of the window: between element and outline, of the line, of the sign, beside it, and of the smallest
outline."""


@dataclass(frozen=True, slots=True)
class ScreenOutline:
    """A box in pixels of the picture that is shown, and whether what it holds supports or contradicts."""

    left: float
    top: float
    right: float
    bottom: float
    supports: bool

    @property
    def words(self) -> str:
        return "Supports" if self.supports else "Contradicts"


def paint_outlines(painter: QPainter, outlines: Sequence[ScreenOutline], to_window: QTransform, room: QRectF) -> None:
    """Draw them in pixels of the window, `room`, whatever the zoom."""
    painter.save()
    painter.resetTransform()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for one in outlines:
        _paint(
            painter, one, to_window.mapRect(QRectF(one.left, one.top, one.right - one.left, one.bottom - one.top)), room
        )
    painter.restore()


def _paint(painter: QPainter, one: ScreenOutline, box: QRectF, room: QRectF) -> None:
    wide, high = max(0.0, LEAST - box.width()) / 2, max(0.0, LEAST - box.height()) / 2
    place = box.adjusted(-AWAY - wide, -AWAY - high, AWAY + wide, AWAY + high)
    colour = QColor(SUPPORTS if one.supports else CONTRADICTS)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (QPen(QColor(CASING), LINE + 2.5), QPen(colour, LINE)):
        painter.setPen(pen)
        painter.drawRoundedRect(place, 5, 5)
    painter.setFont(derived(painter.font(), 11.5, weight=QFont.Weight.DemiBold))
    metrics = painter.fontMetrics()
    height = max(SIGN, metrics.height()) + 4
    tag = QRectF(place.left(), place.top() - height - 2, metrics.horizontalAdvance(one.words) + SIGN + 3 * SIDE, height)
    if tag.top() < room.top():
        tag.moveTop(place.bottom() + 2 if place.bottom() + 2 + height <= room.bottom() else room.top())
    tag.moveLeft(max(room.left(), min(tag.left(), room.right() - tag.width())))
    painter.setPen(QPen(colour, 1.5))
    painter.setBrush(QColor(CASING))
    painter.drawRoundedRect(tag, 4, 4)
    sign = QRectF(tag.left() + SIDE, tag.center().y() - SIGN / 2, SIGN, SIGN)
    paint_requirement_sign(painter, sign, "supported" if one.supports else "contradicted", CASING, colour.name())
    painter.setPen(QColor("#FFFFFF"))
    painter.drawText(tag.adjusted(2 * SIDE + SIGN, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, one.words)
