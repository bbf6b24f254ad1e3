"""The numbers that a model said, before any reading, against the ends of the spaces that they may be in."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight

BINS, TICKS = 40, 5
ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
"""First digits of the distance between two ticks."""
LEAST, HIGH = 92, 120


@dataclass(frozen=True, slots=True)
class SpaceEnd:
    """The largest number of a space; `better` that it is the space in which the answers would be read."""

    at: float
    words: str
    better: bool = False


class SaidNumbers(QWidget):
    """How often numbers were said along one axis, `name` (x or y), with dashed lines where spaces end."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._numbers: tuple[float, ...] = ()
        self._ends: tuple[SpaceEnd, ...] = ()
        self._letter: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(LEAST)
        self.setAccessibleName(f"Numbers said for {name}")

    def sizeHint(self) -> QSize:
        return QSize(240, HIGH)

    def set_numbers(self, numbers: Sequence[float], ends: Sequence[SpaceEnd], letter: int | None) -> None:
        """`letter` is the run's, whose colour the bars have; None for none."""
        self._numbers = tuple(number for number in numbers if math.isfinite(number))
        self._ends, self._letter = tuple(ends), letter
        ending = "".join(f"; {end.words} ends at {end.at:,g}" for end in self._ends)
        self.setAccessibleDescription(f"{self.span_words()}{ending}")
        self.update()

    def span_words(self) -> str:
        """The smallest and the largest number."""
        return f"{min(self._numbers):,g} to {max(self._numbers):,g}" if self._numbers else "no number"

    def counts(self) -> list[int]:
        """How many numbers each bar stands for, from zero to the end of the scale."""
        found, _edges = np.histogram(np.clip(self._numbers, 0, self.top), bins=BINS, range=(0, self.top))
        return [int(one) for one in found]

    @property
    def top(self) -> float:
        """The end of the scale: whole ticks, with all numbers and ends on it."""
        step = self._step
        return step * math.ceil(max(self._most / step, 1.0))

    @property
    def _most(self) -> float:
        return max([*self._numbers, *(end.at for end in self._ends), 1.0])

    @property
    def _step(self) -> float:
        rough = self._most / TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        return next(digit * power for digit in ROUND if digit * power >= rough * (1 - 1e-12))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = derived(self.font(), 11)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        line, plot = metrics.height() + 2, self._plot(metrics)
        painter.setPen(QColor(colours.text))
        painter.drawText(QRectF(0, 0, 40, line), Qt.AlignmentFlag.AlignLeft, self._name)
        painter.setPen(QColor(colours.dim))
        painter.drawText(QRectF(0, 0, self.width(), line), Qt.AlignmentFlag.AlignRight, self.span_words())
        self._paint_bars(painter, plot)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        painter.setPen(QColor(colours.dim))
        for number in np.arange(0, self.top + self._step / 2, self._step):
            words, middle = f"{number:,g}", self._at(plot, float(number))
            wide = metrics.horizontalAdvance(words)
            left = min(max(middle - wide / 2, 0), self.width() - wide)
            painter.drawText(QPointF(left, self.height() - metrics.descent() - 1), words)
        self._paint_ends(painter, plot, metrics)
        painter.end()

    def _plot(self, metrics: QFontMetricsF) -> QRectF:
        """Below the words and the ends' names, above the ticks."""
        line = metrics.height() + 2
        return QRectF(4, 2 * line, max(self.width() - 8, 1), max(self.height() - 3 * line - 2, 1))

    def _at(self, plot: QRectF, number: float) -> float:
        return plot.left() + min(number / self.top, 1.0) * plot.width()

    def _paint_bars(self, painter: QPainter, plot: QRectF) -> None:
        colours, counts = theme.current(), self.counts()
        most, wide = max([*counts, 1]), plot.width() / BINS
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.secondary if self._letter is None else colours.run_colour(self._letter)))
        for place, count in enumerate(counts):
            if count:
                high = max(count / most * plot.height(), 1.5)
                painter.drawRect(QRectF(plot.left() + place * wide + 0.5, plot.bottom() - high, max(wide - 1, 1), high))

    def _paint_ends(self, painter: QPainter, plot: QRectF, metrics: QFontMetricsF) -> None:
        """Each end's name stands at the outer side of its line, where the other one's does not."""
        colours, taken = theme.current(), -1.0
        for end in sorted(self._ends, key=lambda one: one.at):
            colour = QColor(colours.hit if end.better else colours.miss)
            x = self._at(plot, end.at)
            painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            words = straight(end.words)
            wide = metrics.horizontalAdvance(words)
            left = min(max(x - wide / 2, taken + 8), self.width() - wide)
            taken = left + wide
            painter.setPen(colour)
            painter.drawText(QPointF(left, plot.top() - metrics.descent() - 1), words)
