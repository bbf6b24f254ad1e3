"""Goals in a plane: near ones are alike. Colour and shape tell the app, a ring the representative of a cluster."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from stepscope.widgets import theme
from stepscope.widgets.campaigns.campaign_views import GoalDot
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words

RADIUS, RING, ROOM = 5.0, 9.0, 16.0
REACH = 12.0
"""Pixels around a dot in which it is met."""
SHAPES = ("circle", "square", "diamond", "triangle")
LEGEND_PIXELS = 11.5


class GoalPicture(QWidget):
    """`chosen` carries the goal of a dot. Arrows go to the nearest dot that way."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Goals by likeness")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 200)
        self._dots: tuple[GoalDot, ...] = ()
        self._apps: tuple[str, ...] = ()
        self._current = -1
        self._cluster: int | None = None
        theme.notifier().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(420, 360)

    def set_dots(self, dots: Sequence[GoalDot]) -> None:
        self._dots = tuple(dots)
        self._apps = tuple(sorted({dot.app for dot in dots}, key=str.casefold))
        self._current, self._cluster = (0 if dots else -1), None
        self._tell()
        self.update()

    def dots(self) -> tuple[GoalDot, ...]:
        return self._dots

    def light(self, cluster: int | None) -> None:
        """Show only this cluster in full colour, None for all."""
        self._cluster = cluster
        self.update()

    def current(self) -> GoalDot | None:
        return self._dots[self._current] if 0 <= self._current < len(self._dots) else None

    def style_of(self, app: str) -> tuple[str, str]:
        """Colour and shape of an app; sixteen apps are told apart."""
        place = self._apps.index(app)
        return theme.current().run_colour(place % 4), SHAPES[(place + place // 4) % 4]

    def place(self, number: int) -> QPointF:
        """Where a dot stands in the widget."""
        ground, dot = self._ground(), self._dots[number]
        half = min(ground.width(), ground.height()) / 2
        return QPointF(ground.center().x() + dot.x * half, ground.center().y() - dot.y * half)

    def words(self, number: int) -> str:
        dot = self._dots[number]
        role = ", its representative" if dot.representative else ""
        return f"{dot.goal.text}\n{dot.app}, cluster {dot.cluster}{role}"

    # Qt

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme.current()
        painter.fillRect(self.rect(), QColor(colours.panel))
        if not self._dots:
            painter.setPen(QColor(colours.dim))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "Pair a category to see its goals")
        for number, dot in enumerate(self._dots):
            painter.setOpacity(1 if self._cluster in (None, dot.cluster) else 0.25)
            self._paint_dot(painter, dot, self.place(number))
        painter.setOpacity(1)
        if self.hasFocus() and self._current >= 0:
            painter.setPen(QPen(QColor(colours.selection_line), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self.place(self._current), RING + 4, RING + 4)
        self._paint_legend(painter)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        met = self._at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if met else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if number is not None:
            self._go(number)
            self.chosen.emit(self._dots[number].goal)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ways = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
        way = ways.get(Qt.Key(event.key()))
        dot = self.current()
        if way is not None and dot is not None:
            self._go(self._next(*way))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and dot is not None:
            self.chosen.emit(dot.goal)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            number = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip_words("" if number is None else self.words(number)), self)
            return True
        return super().event(event)

    # Inside

    def _go(self, number: int) -> None:
        self._current = number
        self._tell()
        self.update()

    def _tell(self) -> None:
        self.setAccessibleDescription(self.words(self._current) if self._current >= 0 else "")

    def _at(self, place: QPointF) -> int | None:
        near = [(_length(self.place(number) - place), number) for number in range(len(self._dots))]
        distance, number = min(near, default=(math.inf, 0))
        return number if distance <= REACH else None

    def _next(self, x: int, y: int) -> int:
        """The nearest dot within 45° of this way, else where one is."""
        here = self.place(self._current)
        best = (math.inf, self._current)
        for number in range(len(self._dots)):
            away = self.place(number) - here
            along, across = away.x() * x + away.y() * y, abs(away.x() * y) + abs(away.y() * x)
            if along > 0 and across <= along:
                best = min(best, (along + 2 * across, number))
        return best[1]

    def _ground(self) -> QRectF:
        foot = sum(1 for _ in self._legend_lines()) * self._line_height()
        return QRectF(self.rect()).adjusted(ROOM, ROOM, -ROOM, -ROOM - foot)

    def _paint_dot(self, painter: QPainter, dot: GoalDot, place: QPointF) -> None:
        colour, shape = self.style_of(dot.app)
        if dot.representative:
            painter.setPen(QPen(QColor(theme.current().text), 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(place, RING, RING)
        paint_shape(painter, shape, QColor(colour), place)

    def _paint_legend(self, painter: QPainter) -> None:
        painter.setFont(derived(self.font(), LEGEND_PIXELS))
        height = self._line_height()
        lines = list(self._legend_lines())
        top = self.height() - len(lines) * height - 4
        for apps in lines:
            left = ROOM
            for app, width in apps:
                colour, shape = self.style_of(app)
                paint_shape(painter, shape, QColor(colour), QPointF(left + RADIUS, top + height / 2))
                painter.setPen(QColor(theme.current().secondary))
                words = QRectF(left + 16, top, width - 24, height)
                painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, straight(app))
                left += width
            top += height

    def _legend_lines(self) -> list[list[tuple[str, float]]]:
        """The apps by line, each with the room it takes."""
        metrics = QFontMetricsF(derived(self.font(), LEGEND_PIXELS))
        lines: list[list[tuple[str, float]]] = []
        left = math.inf
        for app in self._apps:
            width = min(metrics.horizontalAdvance(app) + 30, self.width() - 2 * ROOM)
            if left + width > self.width() - ROOM:
                lines.append([])
                left = ROOM
            lines[-1].append((app, width))
            left += width
        return lines

    def _line_height(self) -> float:
        return round(QFontMetricsF(derived(self.font(), LEGEND_PIXELS)).height() + 4)


def paint_shape(painter: QPainter, shape: str, colour: QColor, place: QPointF) -> None:
    """One of SHAPES, filled, around a place."""
    painter.setPen(QPen(QColor(theme.current().panel), 1))
    painter.setBrush(colour)
    if shape == "circle":
        painter.drawEllipse(place, RADIUS, RADIUS)
        return
    first, corners = {"square": (45, 4), "diamond": (0, 4), "triangle": (0, 3)}[shape]
    angles = [math.radians(first + 360 * corner / corners) for corner in range(corners)]
    far = RADIUS * 1.25
    painter.drawPolygon(QPolygonF([place + QPointF(far * math.sin(angle), -far * math.cos(angle)) for angle in angles]))


def _length(way: QPointF) -> float:
    return math.hypot(way.x(), way.y())
