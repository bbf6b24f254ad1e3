"""What is painted over a page: the numbered boxes of its fields, and the boxes of all its elements.

Marks on a page have the vivid colours of marks on screenshots in every theme, on a dark casing: a page has its own
colours. All places are logical pixels of the view.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from stepscope.core.domain.geometry import Box
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.palette import ASK, CASING, INK, TREE, TREE_OPACITY, WHITE
from stepscope.core.imaging.rect import Rect
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.screen.qt_rect import qrect
from stepscope.widgets.webtask.page_fields import FieldState, PageFieldMark
from stepscope.widgets.webtask.page_frame import PageFrame

TAG = 22.0
"""Side of a field's number at any zoom."""
MISS = "#FF7A5C"
"""The word for a miss in its vivid colour, as it stands on pixels in every theme."""
_OWN = {FieldState.WRONG: MISS, FieldState.PARTLY: ASK}
"""Colours of answers that are not right, the same for every runner."""
_GROWN = 6.0
"""Free space between a field and its outline."""
_ROUND = 5.0
_SIGN = 14.0
"""Width that the sign of an answer adds to its number."""
_SIGNED = (FieldState.WRONG, FieldState.PARTLY)
_SELECTED_FILL, _HOVER_FILL = 0.14, 0.07
_CASING_OPACITY = 0.45
_DASH = 6.0
_TAG_GAP = 2.0
_OVER = 5.0
"""How far a number reaches into its box: not over the first letters in it."""
_QUIET = (FieldState.PLAIN, FieldState.RIGHT)


@dataclass(frozen=True, slots=True)
class FieldTag:
    """The number of a field where it is painted; `box` is the field's own place, grown by what its outline keeps
    free."""

    mark: PageFieldMark
    place: QRectF
    box: QRectF


def lay_out(marks: Sequence[PageFieldMark], frame: PageFrame, font: QFont) -> tuple[FieldTag, ...]:
    """The fields that are seen, in the order given. A number hangs at its box's upper left corner, further right where
    another one is already, and never leaves the page by more than half."""
    seen, tags = frame.place, list[FieldTag]()
    for mark in marks:
        place = frame.rect_of(mark.box) if mark.box is not None else None
        if place is None or not place.touches(seen):
            continue
        box = qrect(place.grown(_GROWN)).intersected(qrect(seen).adjusted(2, 2, -2, -2)).toRect().toRectF()
        tags.append(FieldTag(mark, _free_place(_corner(mark, box, seen, font), tags, seen), box))
    return tuple(tags)


def _corner(mark: PageFieldMark, box: QRectF, seen: Rect, font: QFont) -> QRectF:
    height = _tag_height(font)
    width = max(height, QFontMetricsF(_tag_font(font)).horizontalAdvance(str(mark.number)) + 12)
    if mark.state in _SIGNED:
        width += _SIGN
    left = min(max(box.left() + _OVER - width, seen.left - height / 2), seen.right - width + height / 2)
    top = min(max(box.top() - height / 2, seen.top - height / 2), seen.bottom - height / 2)
    return QRectF(round(left), round(top), round(width), height)


def _free_place(place: QRectF, tags: Iterable[FieldTag], seen: Rect) -> QRectF:
    """Beside the numbers that lie there already, as far as there is room."""
    free = QRectF(place)
    for tag in sorted(tags, key=lambda tag: tag.place.left()):
        if free.intersects(tag.place):
            free.moveLeft(tag.place.right() + _TAG_GAP)
    return free if free.right() <= seen.right else place


def _tag_font(font: QFont) -> QFont:
    return derived(font, 11, weight=QFont.Weight.Bold)


def _tag_height(font: QFont) -> float:
    return max(TAG, QFontMetricsF(_tag_font(font)).height() + 6)


def paint_fields(
    painter: QPainter, tags: Sequence[FieldTag], colour: str, font: QFont, *, selected: str = "", hovered: str = ""
) -> None:
    """All boxes, then all numbers. A wrong answer is outlined in the colour of a miss, its number hollow with a cross;
    one that is right in part in amber; the `selected` field (by name) is filled lightly and outlined strongly, the
    `hovered` one filled faintly."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for tag in sorted(tags, key=lambda tag: tag.mark.name == selected):
        name = tag.mark.name
        fill = _SELECTED_FILL if name == selected else _HOVER_FILL if name == hovered else 0.0
        _paint_box(painter, tag, colour, fill, strong=name == selected)
    for tag in tags:
        _paint_tag(painter, tag, colour, font)
    painter.restore()


def _paint_box(painter: QPainter, tag: FieldTag, colour: str, fill: float, *, strong: bool) -> None:
    """The casing lies beside the line, not below it: a bright line stays bright. What is quiet has it outside only."""
    state = tag.mark.state
    own = QColor(_OWN.get(state, colour))
    width = 4.0 if strong else 2.0
    ground, casing = QColor(own), QColor(CASING)
    ground.setAlphaF(fill)
    casing.setAlphaF(_CASING_OPACITY)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(tag.box, _ROUND, _ROUND)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(casing, 1))
    beside = width / 2 + 0.5
    for away in (beside,) if state in _QUIET and not strong else (beside, -beside):
        round_ = _ROUND + away
        painter.drawRoundedRect(tag.box.adjusted(-away, -away, away, away), round_, round_)
    line = QPen(own, width)
    if state is FieldState.UNSCORED:
        line.setDashPattern([_DASH / width, _DASH / width])
        line.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(line)
    painter.drawRoundedRect(tag.box, _ROUND, _ROUND)


def _paint_tag(painter: QPainter, tag: FieldTag, colour: str, font: QFont) -> None:
    """Filled with a dark number; hollow for a wrong answer and for one that has no score."""
    state, place = tag.mark.state, tag.place
    hollow = state in (FieldState.WRONG, FieldState.UNSCORED)
    painter.setPen(QPen(QColor(CASING), 3.5 if hollow else 2))
    painter.setBrush(QColor(INK if hollow else colour))
    painter.drawRoundedRect(place, _ROUND, _ROUND)
    if hollow:
        painter.setPen(QPen(QColor(MISS if state is FieldState.WRONG else colour), 1.5))
        painter.drawRoundedRect(place, _ROUND, _ROUND)
    painter.setFont(_tag_font(font))
    painter.setPen(QColor(colour if hollow else CASING))
    number = place.adjusted(1, 0, -_SIGN if state in _SIGNED else -1, 0)
    painter.drawText(number, Qt.AlignmentFlag.AlignCenter, str(tag.mark.number))
    if state in _SIGNED:
        _paint_sign(painter, QPointF(place.right() - _SIGN / 2 - 3, place.center().y()), state)


def _paint_sign(painter: QPainter, middle: QPointF, state: FieldState) -> None:
    """A cross for what is wrong, a bar for what is right in part: no colour is the only sign."""
    wrong = state is FieldState.WRONG
    painter.setPen(QPen(QColor(WHITE if wrong else CASING), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for rise in (1, -1) if wrong else (0,):
        arm = QPointF(3.5, 3.5 * rise)
        painter.drawLine(middle - arm, middle + arm)


@dataclass(frozen=True, slots=True)
class PageOverlay:
    """All that lies over the page: fields, boxes of elements, and where the page is."""

    tags: tuple[FieldTag, ...]
    elements: tuple[Box, ...]
    frame: PageFrame
    colour: str
    selected: str = ""
    hovered: str = ""


class OverPainter:
    """Keeps what lies over the page as it was last drawn: it changes far less often than the picture below it, and
    5,000 boxes take longer than a picture may."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[PageOverlay, QSize, float, str], QImage] | None = None

    def paint(self, painter: QPainter, over: PageOverlay, size: QSize, ratio: float, font: QFont) -> None:
        if not over.tags and not over.elements:
            return
        made_for = (over, size, ratio, font.key())
        if self._kept is None or self._kept[0] != made_for:
            self._kept = (made_for, self._image(over, size, ratio, font))
        painter.drawImage(QPointF(0, 0), self._kept[1])

    def _image(self, over: PageOverlay, size: QSize, ratio: float, font: QFont) -> QImage:
        """An image as large as the view, clear where nothing is."""
        image = QImage(size * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        paint_elements(painter, over.elements, over.frame)
        paint_fields(painter, over.tags, over.colour, font, selected=over.selected, hovered=over.hovered)
        painter.end()
        return image


def paint_elements(painter: QPainter, boxes: Iterable[Box], frame: PageFrame) -> None:
    """A grey line of one pixel around each element that is seen."""
    seen = frame.place
    places = (frame.rect_of(box) for box in boxes)
    lines = [
        QRect(round(one.left), round(one.top), max(1, round(one.width) - 1), max(1, round(one.height) - 1))
        for one in places
        if one.touches(seen)
    ]
    colour = QColor(TREE)
    colour.setAlphaF(TREE_OPACITY)
    painter.save()
    painter.setClipRect(qrect(seen), Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setPen(QPen(colour, 0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRects(lines)
    painter.restore()


def paint_composed(painter: QPainter, frame: PageFrame, text: str, font: QFont) -> None:
    """Paint what an input method is composing, in a pill at the page's lower edge."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(derived(font, 13))
    metrics, place = painter.fontMetrics(), frame.place
    width, height = metrics.horizontalAdvance(text) + 20, metrics.height() + 8
    pill = QRectF((place.left + place.right - width) / 2, place.bottom - height - 12, width, height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(CASING))
    painter.drawRoundedRect(pill, height / 2, height / 2)
    painter.setPen(QColor(WHITE))
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
