"""The agent's proposal over the picture: its target dashed, its choices numbered, its question in a bubble beside."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from stepscope.core.imaging.palette import CASING, RUN_STYLES
from stepscope.widgets.common.fonts import BASE_PIXELS, derived, pixel_size
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.live.mirror.mirror_frame import MOST_CHOICES, Proposal
from stepscope.widgets.screen.qt_rect import qrect
from stepscope.widgets.screen.viewport import Viewport

DISC = 10.0
_INSET = 16.0
"""From a choice's left edge to the middle of its number."""
_LIGHTER = (0.0, 0.31, 0.57, 0.72, 0.82)
"""How much white is in the colour of the first, second, … choice."""
_BUBBLE = 166.0
_PAD = 14.0
_AWAY = 18.0
"""From the picture's edge to the bubble."""
_TAIL = 12.0
_MOST_LINES = 6


def paint_proposal(painter: QPainter, proposal: Proposal, viewport: Viewport, font: QFont, free: QRectF) -> None:
    """`free` is the part of the view where a bubble may lie."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = QColor(RUN_STYLES[proposal.run].colour)
    if proposal.target is not None:
        _target(painter, qrect(viewport.rect_of(proposal.target)), colour)
    for place, choice in enumerate(proposal.choices[:MOST_CHOICES]):
        if choice.box is not None:
            box = qrect(viewport.rect_of(choice.box))
            middle = QPointF(box.left() + min(_INSET, box.width() / 2), box.center().y())
            _disc(painter, middle, str(place + 1), choice_colour(proposal.run, place), font)
    if proposal.question:
        _bubble(painter, proposal, viewport, font, free, colour)
    painter.restore()


def choice_colour(run: int, place: int) -> QColor:
    """The run's colour, the lighter the later the choice (0 is the best)."""
    colour, white = QColor(RUN_STYLES[run].colour), _LIGHTER[min(place, len(_LIGHTER) - 1)]
    parts = (round(part + (255 - part) * white) for part in (colour.red(), colour.green(), colour.blue()))
    return QColor(*parts)


def _target(painter: QPainter, place: QRectF, colour: QColor) -> None:
    radius = min(12.0, place.height() / 4)
    casing = QColor(CASING)
    casing.setAlphaF(0.75)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(casing, 4.2))
    painter.drawRoundedRect(place, radius, radius)
    pen = QPen(colour, 2.2)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([6 / 2.2, 4 / 2.2])
    painter.setPen(pen)
    painter.drawRoundedRect(place, radius, radius)


def _disc(painter: QPainter, middle: QPointF, text: str, colour: QColor, font: QFont) -> None:
    painter.setPen(QPen(QColor(CASING), 1.5))
    painter.setBrush(colour)
    painter.drawEllipse(middle, DISC, DISC)
    digits = QFont(font)
    digits.setPixelSize(11)
    digits.setWeight(QFont.Weight.Bold)
    painter.setFont(digits)
    painter.drawText(
        QRectF(middle.x() - DISC, middle.y() - DISC, 2 * DISC, 2 * DISC), Qt.AlignmentFlag.AlignCenter, text
    )


def _bubble(
    painter: QPainter, proposal: Proposal, viewport: Viewport, font: QFont, free: QRectF, colour: QColor
) -> None:
    heading = f"ASK · step {proposal.step}" if proposal.step else "ASK"
    bold, plain = derived(font, 11, weight=QFont.Weight.Bold), derived(font, 12.5)
    width = _BUBBLE * max(1.0, pixel_size(font) / BASE_PIXELS)
    line = QFontMetricsF(plain).lineSpacing()
    inside = QRectF(0, 0, width - 2 * _PAD, _MOST_LINES * line)
    flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
    words = QFontMetricsF(plain).boundingRect(inside, flags, straight(proposal.question))
    text_height = min(words.height(), inside.height())
    head = QFontMetricsF(bold).height()
    size = (width, head + text_height + 2 * _PAD - 6)
    anchor, place, side = _bubble_place(proposal, viewport, free, size)
    _bubble_shape(painter, place, anchor, side, colour)
    painter.setPen(QColor(CASING))
    painter.setFont(bold)
    painter.drawText(QPointF(place.left() + _PAD, place.top() + _PAD - 4 + QFontMetricsF(bold).ascent()), heading)
    painter.setFont(plain)
    painter.setClipRect(place)
    top = place.top() + _PAD - 3 + head
    painter.drawText(QRectF(place.left() + _PAD, top, inside.width(), text_height), flags, straight(proposal.question))


def _bubble_place(
    proposal: Proposal, viewport: Viewport, free: QRectF, size: tuple[float, float]
) -> tuple[QPointF, QRectF, str]:
    """What the tail points at, where the bubble lies, and the side on which its tail is: right of the picture, else
    left of it, else in it below the target."""
    picture = qrect(viewport.picture)
    boxes = [choice.box for choice in proposal.choices if choice.box is not None]
    target = proposal.target or (boxes[0] if boxes else None)
    about = qrect(viewport.rect_of(target)) if target is not None else picture.adjusted(0, 80, 0, -80)
    first = qrect(viewport.rect_of(boxes[0])).center().y() if boxes else about.center().y()
    wide, high = size
    top = min(max(first - 36, free.top()), max(free.bottom() - high, free.top()))
    if picture.right() + _AWAY + wide <= free.right():
        place = QRectF(picture.right() + _AWAY, top, wide, high)
        return QPointF(min(about.right() + 4, place.left() - 6), first - 6), place, "left"
    if picture.left() - _AWAY - wide >= free.left():
        place = QRectF(picture.left() - _AWAY - wide, top, wide, high)
        return QPointF(max(about.left() - 4, place.right() + 6), first - 6), place, "right"
    left = min(max(about.center().x() - wide / 2, free.left()), max(free.right() - wide, free.left()))
    below = min(about.bottom() + _TAIL, free.bottom() - high)
    return QPointF(about.center().x(), about.bottom() + 2), QRectF(left, below, wide, high), "top"


def _bubble_shape(painter: QPainter, place: QRectF, tip: QPointF, side: str, colour: QColor) -> None:
    """The ground with its tail; a thin dark edge sets it off from any picture."""
    if side == "top":
        x = min(max(tip.x(), place.left() + 20), place.right() - 20)
        foot = (QPointF(x - _TAIL, place.top() + 6), QPointF(x + _TAIL, place.top() + 6))
    else:
        y = min(max(tip.y(), place.top() + 18), place.bottom() - 18)
        edge = place.left() + 6 if side == "left" else place.right() - 6
        foot = (QPointF(edge, y - _TAIL), QPointF(edge, y + _TAIL))
    body, tail = QPainterPath(), QPainterPath()
    body.addRoundedRect(place, 10, 10)
    tail.addPolygon(QPolygonF([foot[0], tip, foot[1]]))
    tail.closeSubpath()
    path = body.united(tail)
    painter.setPen(QPen(QColor(CASING), 1))
    painter.setBrush(colour)
    painter.drawPath(path)
