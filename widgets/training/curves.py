"""Losses and measure of a training by epoch, a line a seed, the best epoch marked.

Stands on pyqtgraph, which is slow to import: imported when the first epoch is there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.scores.plot import LABEL_PIXELS, Plot, Ticks, dashes, solid
from stepscope.widgets.training.training_status import EpochPoint, best_of, by_seed

NEAR = 14
FADED = 0.35
"""How strong the seeds before the one at work are drawn."""
RING = 5.0
Value = Callable[[EpochPoint], float]


class EpochPlot(Plot):
    """Lines over epochs; subclasses say which values, how dashed, and what an epoch is in words."""

    def __init__(self, name: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._empty = empty
        self._points: tuple[EpochPoint, ...] = ()
        self._items: list[pg.GraphicsObject] = []
        self.setMinimumHeight(150)
        self.set_label("Epoch")

    def lines(self) -> Sequence[tuple[Value, bool]]:
        """The values that are drawn, each with whether its line is dashed."""
        raise NotImplementedError

    def marked(self) -> Value:
        """The value on which the best epoch is marked."""
        return self.lines()[0][0]

    def words(self, point: EpochPoint) -> str:
        """An epoch's values in words."""
        raise NotImplementedError

    def limits(self, values: Sequence[float]) -> tuple[float, float]:
        """Least and largest value of the vertical axis."""
        raise NotImplementedError

    def set_points(self, points: tuple[EpochPoint, ...]) -> None:
        self._points = points
        last, best = points[-1] if points else None, best_of(points)
        told = [self._whole_words(last)] if last else ["No epoch yet"]
        told += [f"Best: {self._whole_words(best)}"] if best else []
        self.setAccessibleDescription(". ".join(told))
        self.renew()

    def renew(self) -> None:
        for item in self._items:
            self.removeItem(item)
        self._items = []
        values = [value(point) for point in self._points for value, _dashed in self.lines()]
        finite = [one for one in values if math.isfinite(one)]
        low, high = self.limits(finite) if finite else (0.0, 1.0)
        last = max((point.epoch for point in self._points), default=0) + 1
        self.set_axes(epoch_ticks(last), value_ticks(low, high), (0.5, max(last, 2) + 0.5), (low, high))
        seeds = by_seed(self._points)
        for place, seed in enumerate(seeds):
            colour = solid(theme.current().accent, 1.0 if place == len(seeds) - 1 else FADED)
            for value, dashed in self.lines():
                pen = dashes(colour, 1.6, 4, 3) if dashed else QPen(colour, 2)
                pen.setCosmetic(True)
                self._draw(seeds[seed], value, pen)
        self.viewport().update()

    def words_at(self, place: QPointF) -> str:
        near, least = None, float(NEAR)
        for point in self._points:
            for value, _dashed in self.lines():
                away = self.pixel(point.epoch + 1, value(point)) - place
                far = math.hypot(away.x(), away.y())
                if far < least:
                    near, least = point, far
        return self._whole_words(near) if near else ""

    def paint_marks(self, painter: QPainter) -> None:
        colours = theme.current()
        best = best_of(self._points)
        if not self._points:
            painter.setPen(QColor(colours.dim))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, self._empty)
        if best is None or not math.isfinite(self.marked()(best)):
            return
        at = self.pixel(best.epoch + 1, self.marked()(best))
        painter.setPen(QPen(QColor(colours.text), 1.6))
        painter.setBrush(QColor(colours.panel))
        painter.drawEllipse(at, RING, RING)
        font = derived(self.font(), LABEL_PIXELS)
        metrics, words = QFontMetricsF(font), "best"
        painter.setFont(font)
        painter.setPen(QColor(colours.secondary))
        room = QRectF(self.viewport().rect())
        left = min(at.x() + RING + 4, room.right() - metrics.horizontalAdvance(words) - 2)
        base = at.y() - RING - 3 if at.y() - metrics.height() > room.top() + RING else at.y() + RING + metrics.ascent()
        painter.drawText(QPointF(left, base), words)

    def _draw(self, points: Sequence[EpochPoint], value: Value, pen: QPen) -> None:
        there = [point for point in points if math.isfinite(value(point))]
        if not there:
            return
        xs = np.array([point.epoch + 1 for point in there], float)
        ys = np.array([value(point) for point in there], float)
        alone = len(there) == 1
        item = pg.PlotDataItem(
            xs, ys, pen=pen, symbol="o" if alone else None, symbolSize=5, symbolBrush=pen.color(),
            symbolPen=None, antialias=True,
        )  # fmt: skip
        self.addItem(item)
        self._items.append(item)

    def _whole_words(self, point: EpochPoint) -> str:
        return f"Seed {point.seed}, epoch {point.epoch + 1}: {self.words(point)}"


class LossPlot(EpochPlot):
    """Validation loss as a line, training loss dashed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Loss by epoch", "No epoch yet", parent)

    def lines(self) -> Sequence[tuple[Value, bool]]:
        return ((lambda point: point.validation_loss, False), (lambda point: point.train_loss, True))

    def words(self, point: EpochPoint) -> str:
        return f"loss {point.train_loss:.4f}, validation {point.validation_loss:.4f}"

    def limits(self, values: Sequence[float]) -> tuple[float, float]:
        low, high = min(values), max(values)
        room = 0.08 * (high - low) or 0.1 * abs(high) or 0.1
        return (max(0.0, low - room) if low >= 0 else low - room), high + room


class MeasurePlot(EpochPlot):
    """The recipe's measure on the validation split, from 0 to 1."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Validation by epoch", "No epoch yet", parent)

    def lines(self) -> Sequence[tuple[Value, bool]]:
        return ((lambda point: point.measure, False),)

    def words(self, point: EpochPoint) -> str:
        return f"{point.measure:.3f}"

    def limits(self, values: Sequence[float]) -> tuple[float, float]:
        return min(0.0, *values, 0.0), max(1.0, *values, 1.0)


def epoch_ticks(last: int) -> Ticks:
    """Up to six round epochs, the first one among them."""
    step = next(one for one in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if last / one <= 5)
    return [(float(at), str(at)) for at in sorted({1, *range(step, last + 1, step)}) if at == 1 or at > step / 2 + 1]


def value_ticks(low: float, high: float) -> Ticks:
    """Three or four round values between the two."""
    span = high - low
    size = 10.0 ** math.floor(math.log10(span))
    step = next(one * size for one in (0.1, 0.2, 0.25, 0.5, 1, 2, 5) if span / (one * size) <= 4)
    first = math.ceil(low / step - 1e-9)
    places = [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]
    return [(at, f"{at:.6g}") for at in places]
