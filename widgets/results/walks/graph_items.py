"""The parts of the drawn graph: a screen with its name, and an edge with the numbers of its steps."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPainterPathStroker, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.results.walks.walk_values import WalkScreen

WIDE, HIGH = 96.0, 208.0
"""A screen, in pixels of the scene; a picture of another shape is fitted in."""
CAPTION = 26.0
MORE = 18.0
"""The button that opens a screen's neighbours."""
SMALL, SHORT = 0.34, 0.62
"""Below the first zoom a screen is a dot with its number; below the second an edge has its numbers alone."""
_LARGEST_WORDS = 2.0
_DOT = 34.0
_GREY = 0.35


class ScreenItem(QGraphicsItem):
    """A screen of the graph. `number` is its place among those that are shown; `walked` is false for one that no way
    that is shown goes over; a walk that is under way is on the one that `is_now`, whose ring is as heavy
    as its `pulse`, 0..1."""

    def __init__(self, screen: WalkScreen, number: int, font: QFont) -> None:
        super().__init__()
        self.screen, self.number = screen, number
        self.walked, self.is_goal, self.is_last, self.more, self.chosen = True, False, False, 0, False
        self.is_now, self.pulse = False, 1.0
        self._image = QImage()
        self._font = font
        self.setAcceptHoverEvents(True)
        self.setToolTip("")  # the view tells it, in plain words
        self.setZValue(2)

    @property
    def box(self) -> QRectF:
        """The picture's place in the scene."""
        size = self._image.size() if not self._image.isNull() else None
        if size is None:
            return QRectF(-WIDE / 2, -HIGH / 2, WIDE, HIGH)
        scale = min(WIDE * 2 / size.width(), HIGH / size.height())
        wide, high = size.width() * scale, size.height() * scale
        return QRectF(-wide / 2, -high / 2, wide, high)

    @property
    def has_image(self) -> bool:
        return not self._image.isNull()

    def set_image(self, image: QImage) -> None:
        self.prepareGeometryChange()
        self._image = image
        self.update()

    def more_place(self) -> QRectF:
        """The button that opens the neighbours."""
        box = self.box
        return QRectF(box.right() - MORE / 2, box.top() - MORE / 2, MORE, MORE)

    def boundingRect(self) -> QRectF:
        return self.box.adjusted(-30, -14, 30, CAPTION + 12)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.addRect(self.box.united(self.more_place() if self.more else self.box))
        return path

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        colours = theme.current()
        if option.levelOfDetailFromTransform(painter.worldTransform()) < SMALL:
            self._paint_dot(painter)
            return
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        box = self.box
        painter.fillRect(box, QColor(colours.inset))
        if self.has_image:
            painter.setOpacity(1.0 if self.walked else _GREY)
            painter.drawImage(box, self._image)
            painter.setOpacity(1.0)
        pen = QPen(QColor(colours.line), 1)
        if not self.screen.recorded:
            pen = QPen(QColor(colours.dim), 1.5, Qt.PenStyle.DashLine)
        if self.is_goal:
            pen = QPen(QColor(colours.hit), 2.5)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        if self.is_now:
            painter.setPen(QPen(QColor(colours.accent), 1.5 + 3.5 * self.pulse))
            painter.drawRoundedRect(box.adjusted(-9, -9, 9, 9), 9, 9)
        if self.chosen or self.is_last:
            painter.setPen(QPen(QColor(colours.accent if self.chosen else colours.secondary), 2))
            painter.drawRoundedRect(box.adjusted(-5, -5, 5, 5), 6, 6)
        self._paint_words(painter, box)
        if self.more:
            self._paint_more(painter)

    def _paint_words(self, painter: QPainter, box: QRectF) -> None:
        colours = theme.current()
        painter.setFont(derived(self._font, 12, weight=QFont.Weight.Medium if self.walked else QFont.Weight.Normal))
        painter.setPen(QColor(colours.text if self.walked else colours.dim))
        room = QRectF(-WIDE * 0.8, box.bottom() + 6, WIDE * 1.6, CAPTION - 6)
        words = self.screen.words if self.screen.recorded else f"{self.screen.words}, not recorded"
        cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, cut)

    def _paint_dot(self, painter: QPainter) -> None:
        colours = theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRectF(-_DOT, -_DOT, 2 * _DOT, 2 * _DOT)
        ground = colours.accent if self.is_now else colours.raised if self.walked else colours.inset
        painter.setBrush(QColor(ground))
        edge = colours.hit if self.is_goal else colours.accent if self.chosen else colours.line
        painter.setPen(QPen(QColor(edge), 6 if self.is_goal or self.chosen else 2))
        painter.drawEllipse(place)
        painter.setFont(derived(self._font, 26, weight=QFont.Weight.DemiBold))
        painter.setPen(QColor(colours.text if self.walked else colours.dim))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(self.number))

    def _paint_more(self, painter: QPainter) -> None:
        colours, place = theme.current(), self.more_place()
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.setBrush(QColor(colours.raised))
        painter.drawEllipse(place)
        painter.setPen(QPen(QColor(colours.text), 1.5))
        centre = place.center()
        painter.drawLine(centre - QPointF(4, 0), centre + QPointF(4, 0))
        painter.drawLine(centre - QPointF(0, 4), centre + QPointF(0, 4))


class EdgeItem(QGraphicsItem):
    """An edge from one screen to another, or back to itself. `numbers` are the steps of its way that go along it, none
    for an edge that nobody walked; `bend` says to which side and how far it is bent."""

    def __init__(
        self, start: ScreenItem, end: ScreenItem, words: str, numbers: Sequence[int], colour: QColor, bend: float,
        font: QFont,
    ) -> None:  # fmt: skip
        super().__init__()
        self.start, self.end, self.words, self.numbers = start, end, words, tuple(numbers)
        self.lane = ""
        self._colour, self._bend, self._font = colour, bend, font
        self.hovered = self.chosen = False
        self.setAcceptHoverEvents(True)
        self.setZValue(1 if numbers else 0)
        self._path, self._tip, self._way = self._made()

    @property
    def is_back(self) -> bool:
        """Whether it leads to the left, or to where it began."""
        return self.end is self.start or self.end.pos().x() < self.start.pos().x() - 1

    def _label_rect(self, width: float, height: float) -> QRectF:
        """Where its words lie: on the middle of the line, of a way back to where it began beside it."""
        place, middle = QRectF(0, 0, width, height), self._path.pointAtPercent(0.5)
        if self.end is self.start:
            place.moveCenter(QPointF(middle.x(), middle.y() - height / 2 + 4))
        else:
            place.moveCenter(middle)
        return place

    def boundingRect(self) -> QRectF:
        return self._path.boundingRect().adjusted(-240, -40, 300, 40)

    def shape(self) -> QPainterPath:
        stroker = QPainterPathStroker()
        stroker.setWidth(14)
        return stroker.createStroke(self._path)

    def hoverEnterEvent(self, event: object) -> None:
        self.hovered = True
        self.setZValue(4)
        self.update()

    def hoverLeaveEvent(self, event: object) -> None:
        self.hovered = False
        self.setZValue(1 if self.numbers else 0)
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        small = option.levelOfDetailFromTransform(painter.worldTransform()) < SMALL
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = (1.0 if not self.numbers else 3.2 if self.chosen else 2.0) * (2.5 if small else 1.0)
        pen = QPen(self._colour, width)
        if self.is_back and self.numbers:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._path)
        pen.setStyle(Qt.PenStyle.SolidLine)
        painter.setBrush(self._colour)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPath(_arrow(self._tip, self._way, 16 if small else 9))
        if not small and (self.numbers or self.hovered):
            self._paint_label(painter, option.levelOfDetailFromTransform(painter.worldTransform()))

    def _paint_label(self, painter: QPainter, zoom: float) -> None:
        """Its words stay readable when the graph is small."""
        colours = theme.current()
        number = ", ".join(str(one + 1) for one in self.numbers)
        grown = min(max(1.0 / zoom, 1.0), _LARGEST_WORDS)
        painter.setFont(derived(self._font, 11.5 * grown, weight=QFont.Weight.Medium))
        metrics = QFontMetricsF(painter.font())
        room = 400.0 * grown if self.hovered else 92.0 if zoom >= SHORT else 0.0
        words = metrics.elidedText(straight(self.words), Qt.TextElideMode.ElideRight, room) if room else ""
        round_ = metrics.height() + 3
        lead = max(round_, metrics.horizontalAdvance(number) + 10) if number else 6.0
        place = self._label_rect(lead + (metrics.horizontalAdvance(words) + 12 if words else 2), round_ + 2)
        painter.setPen(QPen(self._colour, 1.2))
        painter.setBrush(QColor(colours.panel))
        painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
        if number:
            badge = QRectF(place.left() + 1, place.top() + 1, lead, place.height() - 2)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._colour)
            painter.drawRoundedRect(badge, badge.height() / 2, badge.height() / 2)
            painter.setPen(QColor(colours.panel))
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, number)
        painter.setPen(QColor(colours.text))
        painter.drawText(place.adjusted(lead + 5, 0, -6, 0), Qt.AlignmentFlag.AlignVCenter, words)

    def _made(self) -> tuple[QPainterPath, QPointF, QPointF]:
        """The line, where it ends, and which way it goes there."""
        box = self.start.box.translated(self.start.pos())
        if self.start is self.end:
            above = box.center().x() + self._bend * 0.4
            begin, tip = QPointF(above - 12, box.top() - 3), QPointF(above + 12, box.top() - 4)
            path = QPainterPath(begin)
            path.cubicTo(begin + QPointF(-10, -34), tip + QPointF(10, -34), tip)
            return path, tip, QPointF(-0.3, 1.0)
        other = self.end.box.translated(self.end.pos())
        across = other.center() - box.center()
        far = math.hypot(across.x(), across.y()) or 1.0
        aside = QPointF(-across.y() / far, across.x() / far) * self._bend
        middle = (box.center() + other.center()) / 2 + aside
        begin, tip = _border(box, middle), _border(other, middle)
        path = QPainterPath(begin)
        path.quadTo(middle, tip)
        return path, tip, tip - path.pointAtPercent(0.92)


def _border(box: QRectF, toward: QPointF) -> QPointF:
    """Where the line from the middle of a box to a point outside it leaves the box."""
    centre, way = box.center(), toward - box.center()
    scale = min(
        (box.width() / 2 + 6) / abs(way.x()) if way.x() else math.inf,
        (box.height() / 2 + 6) / abs(way.y()) if way.y() else math.inf,
    )
    return centre + way * scale if scale < math.inf else centre


def _arrow(tip: QPointF, way: QPointF, size: float) -> QPainterPath:
    length = math.hypot(way.x(), way.y()) or 1.0
    along = way / length
    side = QPointF(-along.y(), along.x())
    path = QPainterPath(tip)
    path.lineTo(tip - along * size + side * size * 0.5)
    path.lineTo(tip - along * size - side * size * 0.5)
    path.closeSubpath()
    return path
