"""The cost of asking: success by asks a task over the threshold, with other ways to decide as points."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSlider, QToolTip, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.run_glyph import paint_run_glyph
from stepscope.widgets.results.lanes.lane_values import AskCostPoint, AskingCost, CostMark, LanesSetting
from stepscope.widgets.results.lanes.settings_card import asks_words, grid_of, span_of, step_of
from stepscope.widgets.scores.card import ResultCard

LEFT, RIGHT, TOP, BOTTOM = 42, 14, 14, 26
NEAR = 14
SLIDER_STEPS = 1000
EXPORT_SIZE = QSize(640, 480)


class CostPlot(QWidget):
    """A press or a drag near the curve moves the threshold there; Left and Right go from point to point."""

    moved = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cost = AskingCost()
        self.setAccessibleName("Cost of asking")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(220, 200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.notifier().changed.connect(self.update)

    def set_cost(self, cost: AskingCost) -> None:
        self._cost = cost
        at = cost.point()
        self.setAccessibleDescription(cost.why or ("" if at is None else point_words(at)))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, 300)

    def place_of(self, asks: float, ssr: float) -> QPointF:
        """Where a point stands in the widget."""
        return _Axes(self._cost, QRectF(self.rect()), self.font()).place(asks, ssr)

    def image(self, size: QSize = EXPORT_SIZE, ratio: float = 2.0) -> QImage:
        """The drawing alone, on the colour of panels, `ratio` pixels for each of its size."""
        image = QImage(size * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(QColor(theme.current().panel))
        painter = QPainter(image)
        _paint(painter, QRectF(0, 0, size.width(), size.height()), self._cost, self.font(), ring=False)
        painter.end()
        return image

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        _paint(painter, QRectF(self.rect()), self._cost, self.font(), ring=self.hasFocus())
        painter.end()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip_words(self.words_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def words_at(self, place: QPointF) -> str:
        """What lies there, in words."""
        for mark in self._cost.marks:
            if _away(self.place_of(mark.asks, mark.ssr), place) <= NEAR / 2:
                return mark.words or f"{mark.name}: {_numbers(mark.asks, mark.ssr)}"
        near = self._nearest(place, NEAR)
        return "" if near is None else point_words(near)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._move(self._nearest(event.position(), NEAR))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near = self._nearest(event.position(), NEAR)
        self.setCursor(Qt.CursorShape.ArrowCursor if near is None else Qt.CursorShape.PointingHandCursor)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move(self._nearest(event.position(), math.inf))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        at = self._cost.point()
        if way is None or at is None or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.ignore()
            return
        place = self._cost.points.index(at) + way
        if 0 <= place < len(self._cost.points):
            self._move(self._cost.points[place])

    def _move(self, point: AskCostPoint | None) -> None:
        if point is not None and point is not self._cost.point():
            self.moved.emit(point.threshold)

    def _nearest(self, place: QPointF, within: float) -> AskCostPoint | None:
        away = [_away(self.place_of(point.asks, point.ssr), place) for point in self._cost.points]
        least = min(away, default=math.inf)
        return self._cost.points[away.index(least)] if away and least <= within else None


class _Axes:
    """Where values of asks a task and SSR stand in a place."""

    def __init__(self, cost: AskingCost, place: QRectF, font: QFont) -> None:
        self.font = derived(font, 10.5)
        metrics = QFontMetricsF(self.font)
        left = max(LEFT, metrics.horizontalAdvance("0.00") + 12)
        bottom = max(BOTTOM, metrics.height() * 2 + 6)
        self.inside = place.adjusted(left, TOP, -RIGHT, -bottom)
        lines = [LanesSetting("", "", ssr=one.ssr, interval=one.interval) for one in cost.points]
        lines += [LanesSetting("", "", ssr=one.ssr) for one in cost.marks]
        lines += [LanesSetting("", "", ssr=cost.whole)] if cost.whole is not None else []
        self.y_span = span_of(lines)
        most = max([*(one.asks for one in cost.points), *(one.asks for one in cost.marks)], default=1.0)
        step = next((one for one in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0) if most / one <= 5), 100.0)
        self.x_step, self.x_end = step, max(step, math.ceil(most / step - 1e-9) * step)

    def place(self, asks: float, ssr: float) -> QPointF:
        inside, (low, high) = self.inside, self.y_span
        x = inside.left() + inside.width() * asks / self.x_end
        return QPointF(x, inside.bottom() - inside.height() * (ssr - low) / (high - low))

    def x_ticks(self) -> list[float]:
        return [number * self.x_step for number in range(round(self.x_end / self.x_step) + 1)]


def _paint(painter: QPainter, place: QRectF, cost: AskingCost, font: QFont, *, ring: bool) -> None:
    colours = theme.current()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if not cost.points and not cost.marks:
        painter.setFont(derived(font, 12))
        painter.setPen(QColor(colours.dim))
        words = straight(cost.why or "No curve")
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(place.adjusted(12, 0, -12, 0), int(flags), words)
    else:
        axes = _Axes(cost, place, font)
        _paint_axes(painter, axes)
        _paint_whole(painter, axes, cost)
        _paint_curve(painter, axes, cost)
        _paint_marks(painter, axes, cost.marks)
        _paint_point(painter, axes, cost, font)
    if ring:
        painter.setPen(QPen(QColor(colours.selection_line), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 4, 4)


def _paint_axes(painter: QPainter, axes: _Axes) -> None:
    colours, inside = theme.current(), axes.inside
    painter.setFont(axes.font)
    metrics = QFontMetricsF(axes.font)
    for value in grid_of(axes.y_span):
        y = axes.place(0, value).y()
        painter.setPen(QPen(QColor(colours.line2), 1))
        painter.drawLine(QPointF(inside.left(), y), QPointF(inside.right(), y))
        painter.setPen(QColor(colours.dim))
        digits = 2 if step_of(axes.y_span[1] - axes.y_span[0]) in (0.25, 0.05, 0.02, 0.01) else 1
        label = QRectF(0, y - metrics.height() / 2, inside.left() - 6, metrics.height())
        painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{value:.{digits}f}")
    painter.setPen(QColor(colours.dim))
    for value in axes.x_ticks():
        x = axes.place(value, axes.y_span[0]).x()
        label = QRectF(x - 30, inside.bottom() + 4, 60, metrics.height())
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, f"{value:g}")
    below = QRectF(inside.left(), inside.bottom() + 4 + metrics.height(), inside.width(), metrics.height())
    painter.drawText(below, Qt.AlignmentFlag.AlignCenter, "asks a task")


def _paint_whole(painter: QPainter, axes: _Axes, cost: AskingCost) -> None:
    if cost.whole is None:
        return
    colour, y = QColor(theme.current().reference), axes.place(0, cost.whole).y()
    painter.setPen(QPen(colour, 1.2, Qt.PenStyle.DotLine))
    painter.drawLine(QPointF(axes.inside.left(), y), QPointF(axes.inside.right(), y))
    painter.setFont(axes.font)
    words = f"whole goal {formats.score(cost.whole)}"
    high = QFontMetricsF(axes.font).height()
    top = y - high - 1 if y - high > 0 else y + 2
    room = QRectF(axes.inside.left(), top, axes.inside.width(), high)
    painter.drawText(room, Qt.AlignmentFlag.AlignRight, words)


def _paint_curve(painter: QPainter, axes: _Axes, cost: AskingCost) -> None:
    colour = QColor(theme.current().run_colour(0 if cost.run is None else cost.run))
    known = [point for point in cost.points if point.interval is not None]
    if len(known) > 1:
        upper = [axes.place(point.asks, point.interval[1]) for point in known if point.interval is not None]
        lower = [axes.place(point.asks, point.interval[0]) for point in known if point.interval is not None]
        weak = QColor(colour)
        weak.setAlphaF(0.10)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(weak)
        painter.drawPolygon(QPolygonF([*upper, *reversed(lower)]))
    painter.setPen(QPen(colour, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([axes.place(point.asks, point.ssr) for point in cost.points]))


def _paint_marks(painter: QPainter, axes: _Axes, marks: Sequence[CostMark]) -> None:
    """A cross each, its name where there is room beside it."""
    colours = theme.current()
    metrics = QFontMetricsF(axes.font)
    painter.setFont(axes.font)
    for mark in marks:
        place = axes.place(mark.asks, mark.ssr)
        painter.setPen(QPen(QColor(colours.secondary), 1.6))
        for way in (1, -1):
            painter.drawLine(place + QPointF(-4, -4 * way), place + QPointF(4, 4 * way))
        name = metrics.elidedText(straight(mark.name), Qt.TextElideMode.ElideRight, 110)
        wide = metrics.horizontalAdvance(name)
        left = place.x() + 8
        if left + wide > axes.inside.right() + RIGHT:
            left = place.x() - 8 - wide
        painter.drawText(QPointF(left, place.y() + metrics.ascent() / 2 - 1), name)


def _paint_point(painter: QPainter, axes: _Axes, cost: AskingCost, font: QFont) -> None:
    at, colours = cost.point(), theme.current()
    if at is None:
        return
    place = axes.place(at.asks, at.ssr)
    painter.setPen(QPen(QColor(colours.secondary), 1, Qt.PenStyle.DashLine))
    painter.drawLine(place, QPointF(place.x(), axes.inside.bottom()))
    painter.setPen(QPen(QColor(colours.selection_line), 1.8))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(place, 9, 9)
    paint_run_glyph(painter, QRectF(place.x() - 5.5, place.y() - 5.5, 11, 11), 0 if cost.run is None else cost.run)
    bold = derived(font, 11.5, weight=QFont.Weight.DemiBold)
    painter.setFont(bold)
    painter.setPen(QColor(colours.text))
    words, metrics = formats.confidence(cost.threshold), QFontMetricsF(bold)
    left = place.x() - 13 - metrics.horizontalAdvance(words)
    if left < axes.inside.left():
        left = place.x() + 13
    painter.drawText(QPointF(left, max(place.y() - 7, metrics.ascent())), words)


class AskSlider(QSlider):
    """A slider over the scores; arrows move it by a hundredth of its way."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName("Asks above")
        self.setRange(0, SLIDER_STEPS)
        self.setSingleStep(SLIDER_STEPS // 100)
        self.setPageStep(SLIDER_STEPS // 10)
        self.setMinimumSize(48, 20)
        self._ends = (0.0, 1.0)

    def set_ends(self, ends: tuple[float, float]) -> None:
        self._ends = ends if ends[1] > ends[0] else (ends[0], ends[0] + 1.0)

    def threshold(self) -> float:
        low, high = self._ends
        return low + (high - low) * self.value() / SLIDER_STEPS

    def set_threshold(self, threshold: float | None) -> None:
        """Stand there without a signal."""
        low, high = self._ends
        share = 0.0 if threshold is None or not math.isfinite(threshold) else (threshold - low) / (high - low)
        if threshold == math.inf:
            share = 1.0
        was = self.blockSignals(True)
        self.setValue(round(SLIDER_STEPS * min(max(share, 0.0), 1.0)))
        self.blockSignals(was)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            paint_focus_ring(painter, self.rect())
            painter.end()


class CostCard(ResultCard):
    """`moved` carries the threshold that a person has gone to."""

    moved = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Cost of asking", parent=parent)
        self.detail.setText("SSR by asks a task")
        self.plot, self.slider = CostPlot(), AskSlider()
        self.value, self.gain = QLabel(), QLabel()
        self.value.setProperty("role", "heading")
        self.gain.setProperty("role", "secondary")
        self.gain.setWordWrap(True)
        words = QLabel("Asks above")
        words.setProperty("role", "secondary")
        words.setBuddy(self.slider)
        row = QHBoxLayout()
        row.setSpacing(8)
        for part in (words, self.slider, self.value):
            row.addWidget(part, 1 if part is self.slider else 0)
        self.body.addWidget(self.plot, 1)
        self.body.addLayout(row)
        self.body.addWidget(self.gain)
        self._cost = AskingCost()
        self.plot.moved.connect(self.moved)
        self.slider.valueChanged.connect(lambda _place: self.moved.emit(self.slider.threshold()))
        self.set_cost(self._cost)

    @property
    def cost(self) -> AskingCost:
        return self._cost

    def set_cost(self, cost: AskingCost) -> None:
        """Show a curve with its chosen point; tells nobody."""
        self._cost = cost
        self.plot.set_cost(cost)
        self.slider.set_ends(cost.ends)
        self.slider.set_threshold(cost.threshold)
        self.slider.setEnabled(cost.threshold is not None)
        self.value.setText(threshold_words(cost.threshold))
        self.gain.setText(straight(cost.gain))
        self.gain.setVisible(bool(cost.gain))


def threshold_words(threshold: float | None) -> str:
    """As a number; "never" where it is so high that nothing asks."""
    return "never" if threshold == math.inf else formats.confidence(threshold)


def point_words(point: AskCostPoint) -> str:
    between = "" if point.interval is None else f" ({formats.interval(point.interval)})"
    return f"Asks above {threshold_words(point.threshold)}: {_numbers(point.asks, point.ssr)}{between}"


def _numbers(asks: float, ssr: float) -> str:
    return f"{asks_words(asks)} asks a task, SSR {formats.score(ssr)}"


def _away(one: QPointF, other: QPointF) -> float:
    return math.hypot(one.x() - other.x(), one.y() - other.y())
