"""Precision against recall with a threshold to drag."""

from __future__ import annotations

import math
from bisect import bisect_left

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSlider, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.scores.breakdown_values import CurveDetails, CurveLine, CurvePoint, Key
from stepscope.widgets.scores.card import LinkText, ResultCard
from stepscope.widgets.scores.plot import QUARTERS, Plot, dashes, paint_ring, solid

NEAR = 14
"""So near to the curve, in pixels, a press means its nearest point."""
MOST_DRAWN = 1000
"""Points of a curve that are drawn; more would lie on the same pixels."""
SLIDER_STEPS = 1000
HANDLE = 5.5


class CurveCard(ResultCard):
    """The card. `chosen` carries the key of a point: the items that another threshold would judge differently."""

    chosen = Signal(object)
    threshold_changed = Signal(float)
    """the person moved the threshold"""

    def __init__(self, parent: QWidget | None = None) -> None:
        average = QLabel()
        super().__init__("Precision and recall", average, parent=parent)
        self.average = average
        self.average.setProperty("role", "secondary")
        self.plot = CurvePlot()
        self.slider = ThresholdSlider()
        self._value = QLabel()
        self.best, self.now = LinkText(), LinkText()
        self.used = QLabel()
        self.used.setProperty("role", "secondary")
        self.used.setWordWrap(True)
        keeps = self.now.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self.now.setSizePolicy(keeps)
        row = QHBoxLayout()
        row.setSpacing(8)
        words = QLabel("Threshold")
        words.setProperty("role", "secondary")
        for part in (words, self.slider, self._value):
            row.addWidget(part, 1 if part is self.slider else 0)
        self.body.addWidget(self.plot, 1)
        self.body.addLayout(row)
        lines = QVBoxLayout()
        lines.setSpacing(0)
        lines.addWidget(self.used)
        lines.addWidget(self.best)
        lines.addWidget(self.now)
        self.body.addLayout(lines)
        self._details = CurveDetails(CurveLine(0))
        self.plot.moved.connect(self._move)
        self.plot.chosen.connect(self.chosen)
        self.slider.valueChanged.connect(lambda _place: self._move(self.slider.threshold()))
        self.best.clicked.connect(lambda: self._choose(self._details.best))
        self.now.clicked.connect(lambda: self._choose(self.plot.point()))
        self.set_curve(self._details)

    def set_curve(self, details: CurveDetails) -> None:
        """Show another run's curve, or none where there are no points."""
        self._details = details
        own = details.own
        self.average.setText(f"AP {formats.score(own.average)}")
        self.plot.set_curve(details)
        thresholds = [point.threshold for point in own.points if math.isfinite(point.threshold)]
        self.slider.set_limits(min([0.0, *thresholds]), max([1.0, *thresholds]))
        can = details.threshold is not None and bool(own.points)
        self.slider.setEnabled(can)
        self.used.setVisible(details.used is not None)
        self.used.setText(_used_words(details))
        best = details.best
        self.best.setVisible(best is not None)
        if best is not None:
            self.best.set_words("Best " + _verdict(best, details.noun), bool(best.key))
        self._show(details.threshold if can else None)

    def set_threshold(self, threshold: float) -> None:
        """Move the point there without saying so."""
        self._show(threshold)

    def set_chosen(self, key: Key) -> None:
        self.plot.set_chosen(key)

    def _move(self, threshold: float) -> None:
        self._show(threshold)
        self.threshold_changed.emit(threshold)

    def _show(self, threshold: float | None) -> None:
        self.slider.set_threshold(threshold)
        self.plot.set_threshold(threshold)
        self._value.setText(formats.confidence(threshold))
        point = self.plot.point()
        moved = point is not None and threshold is not None and threshold != self._details.threshold
        self.now.setVisible(moved)
        if point is not None and moved:
            at = CurvePoint(threshold or 0.0, point.recall, point.precision, point.flips, point.key)
            self.now.set_words(_verdict(at, self._details.noun), point.key is not None)

    def _choose(self, point: CurvePoint | None) -> None:
        if point is not None and point.key is not None:
            self.chosen.emit(point.key)


class CurvePlot(Plot):
    """The curves. A press near the own one takes its nearest point: a click chooses it, a drag moves the threshold."""

    moved = Signal(float)
    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Precision and recall")
        self._details = CurveDetails(CurveLine(0))
        self._points: tuple[CurvePoint, ...] = ()
        self._thresholds: list[float] = []
        self._recalls = self._precisions = np.zeros(0)
        self._threshold: float | None = None
        self._chosen: Key = None
        self._pressed: CurvePoint | None = None
        self._dragged = False
        self._items: list[pg.GraphicsObject] = []
        self.set_axes(QUARTERS, QUARTERS, (0, 1), (0, 1))
        self.set_label("Recall")

    def set_curve(self, details: CurveDetails) -> None:
        self._details = details
        usable = [point for point in details.own.points if not math.isnan(point.threshold)]
        self._points = tuple(sorted(usable, key=lambda point: point.threshold))
        self._thresholds = [point.threshold for point in self._points]
        self._recalls = np.array([point.recall for point in self._points])
        self._precisions = np.array([point.precision for point in self._points])
        self._pressed = None
        self.renew()

    def set_threshold(self, threshold: float | None) -> None:
        self._threshold = threshold
        point = self.point()
        self.setAccessibleDescription("No curve" if point is None else self._words(point))
        self.viewport().update()

    def set_chosen(self, key: Key) -> None:
        self._chosen = key
        self.viewport().update()

    def point(self) -> CurvePoint | None:
        """The curve's point at the threshold: scores from it on count as positive."""
        if self._threshold is None or not self._points:
            return None
        return self._points[min(bisect_left(self._thresholds, self._threshold), len(self._points) - 1)]

    def renew(self) -> None:
        for item in self._items:
            self.removeItem(item)
        self._items = []
        colours, details = theme.current(), self._details
        if details.chance is not None:
            pen = dashes(QColor(colours.dim), 1, 2, 4)
            self._add(pg.InfiniteLine(details.chance, angle=0, pen=pen))
        if details.baseline is not None:
            pen = dashes(QColor(colours.run_colour(details.baseline.run)), 1.6, 5, 3)
            self._add_curve(details.baseline.points, pen)
        self._add_curve(self._points, pg.mkPen(colours.run_colour(details.own.run), width=2))
        self.viewport().update()

    def words_at(self, place: QPointF) -> str:
        point = self._nearest(place)
        return "" if point is None else self._words(point)

    def paint_marks(self, painter: QPainter) -> None:
        colours = theme.current()
        if not self._points:
            painter.setPen(QColor(colours.dim))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, "No scores to draw")
            return
        for point in self._points:
            if self._chosen is not None and point.key == self._chosen:
                place = self.pixel(point.recall, point.precision)
                paint_ring(painter, _around(place, HANDLE + 3), HANDLE + 3)
                break
        used, at = self._details.used, self.point()
        if used is not None:
            self._paint_used(painter, self.pixel(used.recall, used.precision))
        if at is not None:
            self._paint_handle(painter, self.pixel(at.recall, at.precision), self.pixel(at.recall, 0))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._dragged = False
        left = event.button() == Qt.MouseButton.LeftButton
        self._pressed = self._nearest(event.position()) if left else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near = self._nearest(event.position(), math.inf if self._pressed is not None else NEAR)
        self.setCursor(Qt.CursorShape.ArrowCursor if near is None else Qt.CursorShape.PointingHandCursor)
        if self._pressed is not None and near is not None and near is not self._pressed:
            self._dragged = True
        if self._dragged and near is not None:
            self._go(near)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is not None and not self._dragged and event.button() == Qt.MouseButton.LeftButton:
            self._go(pressed)
            if pressed.key is not None:
                self.chosen.emit(pressed.key)
        self._dragged = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        point = self.point()
        step = {Qt.Key.Key_Left: 1, Qt.Key.Key_Right: -1}.get(Qt.Key(event.key()))
        if point is not None and step is not None and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            place = min(max(self._points.index(point) + step, 0), len(self._points) - 1)
            self._go(self._points[place])
        elif point is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if point.key is not None:
                self.chosen.emit(point.key)
        else:
            event.ignore()

    def _go(self, point: CurvePoint) -> None:
        if self._threshold is not None and math.isfinite(point.threshold) and point is not self.point():
            self.moved.emit(point.threshold)

    def _nearest(self, place: QPointF, within: float = NEAR) -> CurvePoint | None:
        if not self._points:
            return None
        origin, far = self.pixel(0, 0), self.pixel(1, 1)
        xs = origin.x() + self._recalls * (far.x() - origin.x())
        ys = origin.y() + self._precisions * (far.y() - origin.y())
        away = np.hypot(xs - place.x(), ys - place.y())
        nearest = int(np.argmin(away))
        return self._points[nearest] if away[nearest] <= within else None

    def _words(self, point: CurvePoint) -> str:
        precision, recall = formats.score(point.precision), formats.score(point.recall)
        return f"Precision {precision}, recall {recall}. {_verdict(point, self._details.noun)}"

    def _add(self, item: pg.GraphicsObject) -> None:
        self._items.append(item)
        self.addItem(item, ignoreBounds=True)

    def _add_curve(self, points: tuple[CurvePoint, ...], pen: QPen) -> None:
        """Add the curve from the highest threshold, the least recall, to the lowest."""
        ordered = sorted(points, key=lambda point: (point.recall, -point.precision))
        every = max(1, len(ordered) // MOST_DRAWN)
        drawn = [*ordered[::every], *ordered[-1:]]
        xs = np.array([point.recall for point in drawn])
        self._add(pg.PlotCurveItem(xs, np.array([point.precision for point in drawn]), pen=pen, antialias=True))

    def _paint_used(self, painter: QPainter, place: QPointF) -> None:
        """What the run decided, whatever threshold is looked at: a hollow square."""
        painter.setPen(QPen(QColor(theme.current().run_colour(self._details.own.run)), 1.8))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(_around(place, HANDLE + 2))

    def _paint_handle(self, painter: QPainter, place: QPointF, foot: QPointF) -> None:
        colours = theme.current()
        painter.setPen(dashes(solid(colours.text, 0.35), 1, 3, 3))
        painter.drawLine(place, foot)
        painter.setPen(QPen(QColor(colours.panel), 2))
        painter.setBrush(QColor(colours.run_colour(self._details.own.run)))
        painter.drawEllipse(place, HANDLE, HANDLE)
        if self.hasFocus():
            paint_ring(painter, _around(place, HANDLE + 3), HANDLE + 3)
        font = derived(self.font(), 11, weight=QFont.Weight.DemiBold)
        words = formats.confidence(self._threshold)
        metrics = QFontMetricsF(font)
        left = place.x() + 10
        if left + metrics.horizontalAdvance(words) > self.viewport().width():
            left = place.x() - 10 - metrics.horizontalAdvance(words)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        painter.drawText(QPointF(left, max(place.y() - 6, metrics.ascent())), words)


class ThresholdSlider(QSlider):
    """A slider over real numbers; arrows move it by 0.01 of its way."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName("Threshold")
        self.setRange(0, SLIDER_STEPS)
        self.setSingleStep(SLIDER_STEPS // 100)
        self.setPageStep(SLIDER_STEPS // 10)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumSize(48, 20)
        self._low, self._high = 0.0, 1.0

    def set_limits(self, low: float, high: float) -> None:
        self._low, self._high = low, high

    def threshold(self) -> float:
        return self._low + (self._high - self._low) * self.value() / SLIDER_STEPS

    def set_threshold(self, threshold: float | None) -> None:
        """Stand as near to `threshold` as a pixel can, without a signal."""
        share = 0.0 if threshold is None else (threshold - self._low) / (self._high - self._low)
        was = self.blockSignals(True)
        self.setValue(round(SLIDER_STEPS * min(max(share, 0.0), 1.0)))
        self.blockSignals(was)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            paint_focus_ring(painter, self.rect())
            painter.end()


def _used_words(details: CurveDetails) -> str:
    """What the run decided, in the numbers of its metrics."""
    used = details.used
    if used is None:
        return ""
    at = f"at {formats.confidence(used.threshold)}" if details.explained else "by no one threshold"
    precision, recall = formats.score(used.precision), formats.score(used.recall)
    return f"□ This run decided {at}: precision {precision}, recall {recall}"


def _verdict(point: CurvePoint, noun: str) -> str:
    """F1 0.628 at 0.43; would flip 14 episodes."""
    words = f"F1 {formats.score(point.f1)} at {formats.confidence(point.threshold)}"
    return words if point.flips is None else f"{words}; would flip {formats.counted(point.flips, noun)}"


def _around(place: QPointF, radius: float) -> QRectF:
    return QRectF(place.x() - radius, place.y() - radius, 2 * radius, 2 * radius)
