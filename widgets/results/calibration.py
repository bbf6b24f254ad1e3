"""How far a model's confidence can be believed: the share that was right against the confidence."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QLabel, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.scores.breakdown_values import FEW, CalibrationBin, CalibrationDiagram, Key
from stepscope.widgets.scores.card import ResultCard
from stepscope.widgets.scores.columns_plot import ColumnsPlot, PlotColumn
from stepscope.widgets.scores.plot import QUARTERS, TICK_PIXELS, dashes

DOT = 4
GAP = 0.004
"""Room between neighbouring bins, on the axis."""


class CalibrationCard(ResultCard):
    """The card; `chosen` carries the key of a bin."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        error = QLabel()
        super().__init__("Calibration", error, parent=parent)
        self.error = error
        self.error.setProperty("role", "secondary")
        self.error.setToolTip("Expected calibration error: the mean distance of the dots from the diagonal, by n")
        self.plot = CalibrationPlot()
        self.body.addWidget(self.plot, 1)
        self.plot.chosen.connect(self.chosen)
        self.set_calibration(CalibrationDiagram(0))

    def set_calibration(self, calibration: CalibrationDiagram) -> None:
        self.error.setText(f"ECE {formats.score(calibration.error)} ↓")
        self.plot.set_calibration(calibration)

    def set_chosen(self, key: Key) -> None:
        self.plot.set_chosen(key)


class CalibrationPlot(ColumnsPlot):
    """A column a bin of confidence, with a dot at its mean; the diagonal is where both agree."""

    def __init__(self) -> None:
        super().__init__("Reliability diagram", "No confidences to compare")
        self._calibration = CalibrationDiagram(0)
        self.set_axes(QUARTERS, QUARTERS, (0, 1), (0, 1))
        self.set_label("Confidence")

    def set_calibration(self, calibration: CalibrationDiagram) -> None:
        self._calibration = calibration
        columns = [_column(part, calibration.noun) for part in calibration.bins]
        self.set_columns(columns, run=calibration.run, opacity=0.35)

    def renew(self) -> None:
        super().renew()
        diagonal = pg.PlotCurveItem([0, 1], [0, 1], pen=dashes(QColor(theme.current().dim), 1, 2, 4), antialias=True)
        self._draw(diagonal)

    def paint_marks(self, painter: QPainter) -> None:
        super().paint_marks(painter)
        colours = theme.current()
        painter.setPen(QPen(QColor(colours.panel), 1.5))
        painter.setBrush(QColor(colours.run_colour(self._calibration.run)))
        for part in self._calibration.bins:
            if part.share is not None:
                painter.drawEllipse(self.pixel(part.confidence, part.share), DOT, DOT)
        font = derived(self.font(), TICK_PIXELS - 0.5)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        for part in self._calibration.bins:
            words, foot = formats.count(part.total), self.pixel((part.low + part.high) / 2, 0)
            width = metrics.horizontalAdvance(words)
            if width <= self.pixel(part.high, 0).x() - self.pixel(part.low, 0).x():
                painter.drawText(round(foot.x() - width / 2), round(foot.y() - 4), words)


def _column(part: CalibrationBin, noun: str) -> PlotColumn:
    place = f"Confidence {formats.confidence(part.low)} – {formats.confidence(part.high)}"
    right = f"{formats.count(part.count)} of {formats.counted(part.total, noun)} right"
    parts = [f"{place}, mean {formats.confidence(part.confidence)}: {right}", formats.confidence(part.share)]
    if part.interval is not None:
        parts.append("95 % interval {} – {}".format(*map(formats.confidence, part.interval)))
    if part.total < FEW:
        parts.append("few")
    words = ", ".join(parts)
    return PlotColumn(part.low + GAP, part.high - GAP, part.share, part.total, words, part.key, part.interval)
