"""Points in a plot, each of which can be chosen: by mouse, by keyboard, with words for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.scores.breakdown_values import Interval, Key
from stepscope.widgets.scores.plot import Plot, paint_ring, solid

RADIUS, NEAR = 4.5, 12
"""Of a point, and how near to it a press may be, in pixels."""
MOST_TOLD = 6
"""Points at one place whose words a tip has."""
MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


@dataclass(frozen=True, slots=True)
class PlotDot:
    """A point of the axes; `interval` is that of `y`. `colour` is a hex colour, hollow where it is not `filled`."""

    x: float
    y: float
    words: str
    colour: str
    key: Key = None
    filled: bool = True
    interval: Interval | None = None


class PointsPlot(Plot):
    """Arrows move between points in their order, Enter or a click chooses one. Of several at one place a further click
    takes the next."""

    chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._dots: tuple[PlotDot, ...] = ()
        self._current = 0
        self._chosen: Key = None
        self._items: list[pg.GraphicsObject] = []

    def set_dots(self, dots: Sequence[PlotDot]) -> None:
        self._dots = tuple(dots)
        self._current = min(self._current, max(len(dots) - 1, 0))
        self._tell_current()
        self.viewport().update()

    def set_chosen(self, key: Key) -> None:
        self._chosen = key
        self.viewport().update()

    def current(self) -> int:
        return self._current

    def place(self, number: int) -> QPointF:
        """Where a point stands in the widget."""
        return self.pixel(self._dots[number].x, self._dots[number].y)

    def words_at(self, place: QPointF) -> str:
        found = self._at(place)
        told = [self._dots[number].words for number in found[:MOST_TOLD]]
        more = len(found) - len(told)
        return "\n".join([*told, f"and {more} more"] if more else told)

    def clear_items(self) -> None:
        for item in self._items:
            self.removeItem(item)
        self._items = []

    def draw(self, item: pg.GraphicsObject) -> None:
        self._items.append(item)
        self.addItem(item, ignoreBounds=True)

    def paint_marks(self, painter: QPainter) -> None:
        ground = QColor(theme.current().panel)
        for dot in self._dots:
            self._paint_whisker(painter, dot)
        for dot in self._dots:
            painter.setPen(QPen(ground if dot.filled else QColor(dot.colour), 1 if dot.filled else 1.8))
            painter.setBrush(QColor(dot.colour) if dot.filled else ground)
            painter.drawEllipse(self.pixel(dot.x, dot.y), RADIUS, RADIUS)
        for number, dot in enumerate(self._dots):
            if self._chosen is not None and dot.key == self._chosen:
                self._ring(painter, number, RADIUS + 3)
        if self.hasFocus() and self._dots:
            self._ring(painter, self._current, RADIUS + 6)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self._at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or not found:
            return
        again = found.index(self._current) + 1 if self._current in found else 0
        self._go(found[again % len(found)])
        self._take()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        can = any(self._dots[number].key is not None for number in self._at(event.position()))
        self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = MOVES.get(Qt.Key(event.key()))
        if self._dots and step is not None and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._go(min(max(self._current + step, 0), len(self._dots) - 1))
        elif self._dots and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._take()
        else:
            event.ignore()

    def _go(self, number: int) -> None:
        self._current = number
        self._tell_current()
        self.viewport().update()

    def _take(self) -> None:
        key = self._dots[self._current].key
        if key is not None:
            self.chosen.emit(key)

    def _at(self, place: QPointF) -> list[int]:
        """The nearest point, if it is near, and all that lie where it does; in their order."""
        if not self._dots:
            return []
        spots = np.array([[spot.x(), spot.y()] for spot in map(self.place, range(len(self._dots)))])
        away = np.hypot(spots[:, 0] - place.x(), spots[:, 1] - place.y())
        nearest = int(np.argmin(away))
        if away[nearest] > NEAR:
            return []
        beside = np.hypot(*(spots - spots[nearest]).T)
        return [int(number) for number in np.flatnonzero(beside <= RADIUS / 2)]

    def _paint_whisker(self, painter: QPainter, dot: PlotDot) -> None:
        if dot.interval is None:
            return
        low, high = (self.pixel(dot.x, end) for end in dot.interval)
        painter.setPen(QPen(solid(dot.colour, 0.7), 1.4))
        painter.drawLine(low, high)
        for end in (low, high):
            painter.drawLine(QPointF(end.x() - 4, end.y()), QPointF(end.x() + 4, end.y()))

    def _ring(self, painter: QPainter, number: int, radius: float) -> None:
        place = self.place(number)
        paint_ring(painter, QRectF(place.x() - radius, place.y() - radius, 2 * radius, 2 * radius), radius)

    def _tell_current(self) -> None:
        self.setAccessibleDescription(self._dots[self._current].words if self._dots else "Nothing to show")
