"""The share of wrong answers by the step's number and by the episode's length."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import SegmentedControl
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.scores.breakdown_values import FEW, Key, StepBar, StepShares
from stepscope.widgets.scores.card import ResultCard
from stepscope.widgets.scores.columns_plot import ColumnsPlot, PlotColumn
from stepscope.widgets.scores.plot import QUARTERS, TICK_PIXELS

BY_STEP, BY_LENGTH = "step", "length"
HALF = 0.36
"""Half the width of a column; the next one stands 1 further."""


class StepPlot(ResultCard):
    """The card; `chosen` carries the key of a bar."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        mode = SegmentedControl([(BY_STEP, "By step"), (BY_LENGTH, "By length")], "What the bars stand for")
        super().__init__("Wrong share", mode, parent=parent)
        self._mode = mode
        self._shares = StepShares()
        self.plot = StepColumns()
        self.body.addWidget(self.plot, 1)
        mode.chosen.connect(lambda _value: self._renew())
        self.plot.chosen.connect(self.chosen)
        self._renew()

    def set_shares(self, shares: StepShares) -> None:
        """Show shares by step and by length; items that have no step only by length."""
        self._shares = shares
        self._renew()

    def set_mode(self, mode: str) -> None:
        """BY_STEP or BY_LENGTH."""
        self._mode.set_value(mode)
        self._renew()

    def set_chosen(self, key: Key) -> None:
        self.plot.set_chosen(key)

    def _renew(self) -> None:
        has_steps = bool(self._shares.by_step) or not self._shares.by_length
        self._mode.setVisible(has_steps)
        by_step = has_steps and self._mode.value() == BY_STEP
        bars = self._shares.by_step if by_step else self._shares.by_length
        where = "Step" if by_step else "Episodes of length"
        self.detail.setText(formats.counted(sum(bar.total for bar in bars), self._shares.noun) if bars else "")
        self.plot.set_bars(bars, where, "Step" if by_step else "Steps in the episode", self._shares.noun)


class StepColumns(ColumnsPlot):
    """A column a place; n stands over each as far as there is room."""

    def __init__(self) -> None:
        super().__init__("Wrong share by place", "No judged step")
        self._bars: tuple[StepBar, ...] = ()
        self._span = (0.4, 1.6)
        self.set_axes((), QUARTERS, self._span, (0, 1.08))

    def set_bars(self, bars: tuple[StepBar, ...], where: str, label: str, noun: str) -> None:
        self._bars = bars
        places = [bar.place for bar in bars]
        self._span = (min(places, default=1) - 0.6, max(places, default=1) + 0.6)
        self.set_label(label)
        self._set_ticks()
        self.set_columns([_column(bar, where, noun) for bar in bars])

    def paint_marks(self, painter: QPainter) -> None:
        super().paint_marks(painter)
        font = derived(self.font(), TICK_PIXELS)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(QColor(theme.current().dim))
        top, height = round(self.pixel(0, 1).y() - metrics.height() - 6), round(metrics.height())
        axis = round(self.pixel(self._span[0], 1).x())
        if self._bars:
            painter.drawText(0, top, axis - 4, height, int(Qt.AlignmentFlag.AlignRight), "n")
        free = float(axis)
        for bar in self._bars:
            words, middle = formats.count(bar.total), self.pixel(bar.place, 1).x()
            width = metrics.horizontalAdvance(words)
            if middle - width / 2 >= free:
                painter.drawText(round(middle - width / 2), top, round(width) + 2, height, 0, words)
                free = middle + width / 2 + 6

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_span"):
            self._set_ticks()

    def _set_ticks(self) -> None:
        """Set as many numbers as fit below the columns, and leave room for n above them."""
        metrics = QFontMetricsF(derived(self.font(), TICK_PIXELS))
        low, high = self._span
        least = max((metrics.horizontalAdvance(bar.words) for bar in self._bars), default=0) + 10
        fit = max(1, int(max(self.viewport().width() - 60, 60) / least))
        every = max(1, -(-int(high - low) // fit))
        ticks = [(bar.place, bar.words) for bar in self._bars if (bar.place - self._bars[0].place) % every == 0]
        room = (metrics.height() + 9) / max(self.viewport().height() - 60, 60)
        self.set_axes(ticks, QUARTERS, self._span, (0, 1 + room))


def _column(bar: StepBar, where: str, noun: str) -> PlotColumn:
    words = f"{where} {bar.words}: {formats.count(bar.wrong)} of {formats.counted(bar.total, noun)} wrong"
    parts = [words, formats.confidence(bar.share)]
    if bar.interval is not None:
        parts.append("95 % interval {} – {}".format(*map(formats.confidence, bar.interval)))
    if bar.total < FEW:
        parts.append("few")
    return PlotColumn(bar.place - HALF, bar.place + HALF, bar.share, bar.total, ", ".join(parts), bar.key, bar.interval)
