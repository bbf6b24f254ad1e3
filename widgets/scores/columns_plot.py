"""Shares as upright bars with whiskers, each of which can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.scores.breakdown_values import FEW, Interval, Key
from stepscope.widgets.scores.card import mix
from stepscope.widgets.scores.plot import Plot, paint_ring, solid

LEAST_HIT = 3
"""A column can be pressed this far beside it, in pixels, so that thin ones can be met."""


@dataclass(frozen=True, slots=True)
class PlotColumn:
    """A bar from `left` to `right` on the axis, as high as `share`; `words` say it in the tooltip."""

    left: float
    right: float
    share: float | None
    total: int
    words: str
    key: Key = None
    interval: Interval | None = None

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


class ColumnsPlot(Plot):
    """Columns on a scale from 0 to 1. Left and right move between them, Enter or a click chooses one."""

    chosen = Signal(object)

    def __init__(self, name: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._empty = empty
        self._columns: tuple[PlotColumn, ...] = ()
        self._run: int | None = None
        self._opacity = 0.85
        self._current = 0
        self._chosen: Key = None
        self._items: list[pg.GraphicsObject] = []

    def set_columns(self, columns: Sequence[PlotColumn], *, run: int | None = None, opacity: float = 0.85) -> None:
        """`run` (0 for A) gives its colour, None that of misses."""
        self._columns, self._run, self._opacity = tuple(columns), run, opacity
        self._current = min(self._current, max(len(columns) - 1, 0))
        self._tell_current()
        self.renew()

    def set_chosen(self, key: Key) -> None:
        self._chosen = key
        self.viewport().update()

    def current(self) -> int:
        return self._current

    def place(self, number: int) -> QRectF:
        """Where a column stands in the widget, whiskers left aside."""
        column = self._columns[number]
        low, high = self.pixel(column.left, 0), self.pixel(column.right, column.share or 0.0)
        return QRectF(low, high).normalized()

    def renew(self) -> None:
        for item in self._items:
            self.removeItem(item)
        self._items = []
        colours = theme.current()
        colour = colours.miss if self._run is None else colours.run_colour(self._run)
        full, grey = (mix(one, self._opacity, colours.panel) for one in (colour, colours.dim))
        drawn = [column for column in self._columns if column.share is not None]
        if drawn:
            self._draw(
                pg.BarGraphItem(
                    x0=[column.left for column in drawn],
                    x1=[column.right for column in drawn],
                    y0=0,
                    height=[column.share for column in drawn],
                    pen=QPen(Qt.PenStyle.NoPen),
                    brushes=[grey if column.total < FEW else full for column in drawn],
                )
            )
        self._draw_whiskers([column for column in drawn if column.interval is not None])
        self.viewport().update()

    def words_at(self, place: QPointF) -> str:
        number = self._at(place)
        return "" if number is None else self._columns[number].words

    def paint_marks(self, painter: QPainter) -> None:
        if not self._columns:
            painter.setPen(QColor(theme.current().dim))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, self._empty)
            return
        for number, column in enumerate(self._columns):
            if self._chosen is not None and column.key == self._chosen:
                paint_ring(painter, self.place(number).adjusted(-2, -2, 2, 2))
        if self.hasFocus():
            column = self._columns[self._current]
            top, foot = self.pixel(column.left, 1), self.pixel(column.right, 0)
            paint_ring(painter, QRectF(top, foot).adjusted(-4, -3, 4, 3))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and number is not None:
            self._go(number)
            self._take()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        can = number is not None and self._columns[number].key is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if self._columns and step is not None and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._go(min(max(self._current + step, 0), len(self._columns) - 1))
        elif self._columns and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._take()
        else:
            event.ignore()

    def _go(self, number: int) -> None:
        self._current = number
        self._tell_current()
        self.viewport().update()

    def _take(self) -> None:
        key = self._columns[self._current].key
        if key is not None:
            self.chosen.emit(key)

    def _at(self, place: QPointF) -> int | None:
        """The column whose strip, from the axis to the top, lies there."""
        for number, column in enumerate(self._columns):
            top, foot = self.pixel(column.left, 1), self.pixel(column.right, 0)
            if QRectF(top, foot).adjusted(-LEAST_HIT, -4, LEAST_HIT, 4).contains(place):
                return number
        return None

    def _tell_current(self) -> None:
        self.setAccessibleDescription(self._columns[self._current].words if self._columns else self._empty)

    def _draw(self, item: pg.GraphicsObject) -> None:
        self._items.append(item)
        self.addItem(item, ignoreBounds=True)

    def _draw_whiskers(self, columns: Sequence[PlotColumn]) -> None:
        if not columns:
            return
        shares = np.array([column.share for column in columns])
        bounds = np.array([column.interval for column in columns])
        width = min(column.right - column.left for column in columns)
        self._draw(
            pg.ErrorBarItem(
                x=np.array([column.middle for column in columns]),
                y=shares,
                bottom=shares - bounds[:, 0],
                top=bounds[:, 1] - shares,
                beam=width * 0.35,
                pen=pg.mkPen(solid(theme.current().text, 0.75), width=1.2),
            )
        )
