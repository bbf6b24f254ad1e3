"""The runs of a group over time: runs of one name joined, the best so far dashed. A point is its row of the table."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import SegmentedControl
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.run_glyph import paint_run_glyph
from stepscope.widgets.results.leaderboard_values import RowKey, TimeLine, TimePoint
from stepscope.widgets.scores.card import ResultCard
from stepscope.widgets.scores.plot import TICK_PIXELS, Plot, dashes, paint_ring, solid

DATE, STEP = "date", "step"
NEAR, GLYPH = 12.0, 6.0
DAY = 86_400.0


class OverTimeCard(ResultCard):
    """`chosen` carries the RowKey of a point."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        mode = SegmentedControl([(DATE, "Date"), (STEP, "Training step")], "What runs along the axis")
        super().__init__("Over time", mode, parent=parent)
        self._mode = mode
        self._line = TimeLine()
        self.plot = OverTimePlot()
        self.body.addWidget(self.plot, 1)
        mode.chosen.connect(lambda _value: self._renew())
        self.plot.chosen.connect(self.chosen)

    def set_line(self, line: TimeLine) -> None:
        """Show other runs, or newer numbers of the same."""
        if line != self._line:
            self._line = line
            self._renew()

    def set_mode(self, mode: str) -> None:
        """DATE or STEP."""
        self._mode.set_value(mode)
        self._renew()

    def set_chosen(self, key: RowKey | None) -> None:
        self.plot.set_chosen(key)

    def _renew(self) -> None:
        self.detail.setText(self._line.title)
        self.plot.set_line(self._line, by_step=self._mode.value() == STEP)


class OverTimePlot(Plot):
    """A click near a point takes it, and so do the arrow keys, from point to point."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Runs over time")
        self._points: list[tuple[float, TimePoint]] = []
        self._lower, self._by_step = False, False
        self._key: RowKey | None = None
        self._items: list[pg.GraphicsObject] = []
        self._span = (0.0, 1.0)

    def set_line(self, line: TimeLine, *, by_step: bool) -> None:
        """Points without a training step are left out where steps run along the axis."""
        self._lower, self._by_step = line.lower_is_better, by_step
        placed = [(float(one.step or 0) if by_step else one.date, one) for one in line.points
                  if not by_step or one.step is not None]  # fmt: skip
        self._points = sorted(placed, key=lambda pair: pair[0])
        self._scale()
        self.renew()

    def set_chosen(self, key: RowKey | None) -> None:
        self._key = key
        at = self._chosen_point()
        self.setAccessibleDescription("" if at is None else at[1].words)
        self.viewport().update()

    def renew(self) -> None:
        for item in self._items:
            self.removeItem(item)
        self._items = []
        colours = theme.current()
        for name in dict.fromkeys(point.name for _x, point in self._points):
            line = [(x, one) for x, one in self._points if one.name == name]
            for x, one in line:
                if one.bounds is not None:
                    self._add_line([x, x], list(one.bounds), QPen(self._colour(one), 0))
            if len(line) > 1:
                pen = QPen(self._colour(line[-1][1]), 2)
                pen.setCosmetic(True)
                self._add_line([x for x, _one in line], [one.value for _x, one in line], pen)
        best = self._best_so_far()
        if len(best) > 1:
            xs = [x for at, _value in best[1:] for x in (at, at)]
            steps = [best[0][0], *xs, self._span[1]]
            ys = [value for _at, value in best for _twice in (0, 1)]
            self._add_line(steps, ys, dashes(QColor(colours.dim), 1.2, 4, 4))
        self.viewport().update()

    def words_at(self, place: QPointF) -> str:
        near = self._nearest(place)
        return near[1].words if near is not None else ""

    def paint_marks(self, painter: QPainter) -> None:
        colours = theme.current()
        if not self._points:
            painter.setPen(QColor(colours.dim))
            words = "No run here says how long its model was trained:\na tag such as “step 4000” does"
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, words if self._by_step else "")
            return
        for x, one in self._points:
            place = self.pixel(x, one.value)
            around = QRectF(place.x() - GLYPH, place.y() - GLYPH, 2 * GLYPH, 2 * GLYPH)
            if one.letter is not None:
                paint_run_glyph(painter, around, one.letter, letter=True)
            else:
                painter.setPen(QPen(QColor(colours.panel), 1))
                painter.setBrush(QColor(colours.secondary))
                painter.drawEllipse(place, GLYPH - 2, GLYPH - 2)
            if one.key == self._key:
                paint_ring(painter, around.adjusted(-4, -4, 4, 4), GLYPH + 4)
        self._paint_best(painter)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near = self._nearest(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if near is None else Qt.CursorShape.PointingHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        near = self._nearest(event.position())
        if near is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(near[1].key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if way is None or not self._points or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.ignore()
            return
        at = self._chosen_point()
        place = self._points.index(at) + way if at is not None else 0
        self.chosen.emit(self._points[min(max(place, 0), len(self._points) - 1)][1].key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_points"):
            self._scale()

    # inside

    def _scale(self) -> None:
        """Axes around the points, with as many ticks as have room."""
        if not self._points:
            self.set_axes((), (), (0, 1), (0, 1))
            return
        xs = [x for x, _one in self._points]
        low, high = min(xs), max(xs)
        pad = (high - low) * 0.06 or (1.0 if self._by_step else DAY / 2)
        self._span = (low - pad, high + pad)
        room = max(2, int(self.viewport().width() / 90))
        ticks = step_ticks(*self._span, room) if self._by_step else date_ticks(*self._span, room)
        values = [end for _x, one in self._points for end in (one.value, *(one.bounds or ()))]
        numbers = round_ticks(min(values), max(values), max(2, int(self.viewport().height() / 48)))
        gap = numbers[1] - numbers[0] if len(numbers) > 1 else 1.0
        digits = max(1, -math.floor(math.log10(gap) + 1e-9))
        bottom, top = min(min(values), numbers[0]) - gap * 0.1, max(max(values), numbers[-1])
        words = QFontMetricsF(derived(self.font(), TICK_PIXELS)).height() + 6
        height = max(self.viewport().height() - 2 * words, words)  # without the axis and the words above it
        up_to = top + max(gap * 0.25, (top - bottom) * words / height)
        self.set_axes(
            ticks, [(one, f"{one:.{digits}f}".replace("-", "−")) for one in numbers], self._span, (bottom, up_to)
        )

    def _colour(self, point: TimePoint) -> QColor:
        colours = theme.current()
        return solid(colours.secondary, 0.7) if point.letter is None else QColor(colours.run_colour(point.letter))

    def _best_so_far(self) -> list[tuple[float, float]]:
        """Where a run was better than all before it, and its value."""
        found: list[tuple[float, float]] = []
        for x, one in self._points:
            if not found or (one.value < found[-1][1] if self._lower else one.value > found[-1][1]):
                found.append((x, one.value))
        return found

    def _paint_best(self, painter: QPainter) -> None:
        best = self._best_so_far()
        if len(best) < 2:
            return
        font = derived(self.font(), TICK_PIXELS)
        painter.setFont(font)
        painter.setPen(QColor(theme.current().secondary))
        words = f"best so far {formats.score(best[-1][1])}"
        metrics, end = QFontMetricsF(font), self.pixel(self._span[1], best[-1][1])
        size = metrics.size(0, words)
        place = QRectF(QPointF(end.x() - size.width() - 4, end.y() - GLYPH - 8 - metrics.ascent()), size)
        painter.drawText(self._beside_bars(place), Qt.AlignmentFlag.AlignCenter, words)

    def _beside_bars(self, place: QRectF) -> QRectF:
        """The same place, or one above the intervals that would run through it: `_scale` leaves room there."""
        tops = []
        for x, one in self._points:
            ends = [self.pixel(x, end) for end in (one.value, *(one.bounds or ()))]
            top, bottom = min(end.y() for end in ends), max(end.y() for end in ends)
            if place.left() - 4 <= ends[0].x() <= place.right() + 4 and top < place.bottom() and bottom > place.top():
                tops.append(top)
        return place.translated(0, min(tops) - 2 - place.bottom()) if tops else place

    def _add_line(self, xs: list[float], ys: list[float], pen: QPen) -> None:
        item = pg.PlotCurveItem(np.array(xs), np.array(ys), pen=pen, antialias=True)
        self._items.append(item)
        self.addItem(item, ignoreBounds=True)

    def _nearest(self, place: QPointF) -> tuple[float, TimePoint] | None:
        def away(pair: tuple[float, TimePoint]) -> float:
            gap = self.pixel(pair[0], pair[1].value) - place
            return math.hypot(gap.x(), gap.y())

        near = min(self._points, key=away, default=None)
        return near if near is not None and away(near) <= NEAR else None

    def _chosen_point(self) -> tuple[float, TimePoint] | None:
        return next((pair for pair in self._points if pair[1].key == self._key), None)


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """At most so many round numbers from just below `low` to just above `high`, two at least."""
    gap = max(high - low, 1e-3) / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(gap))
    step = next(digit * power for digit in (1, 2, 2.5, 5, 10, 20) if digit * power >= gap * (1 - 1e-9))
    first = math.floor(low / step + 1e-9)
    count = max(1, math.ceil(high / step - 1e-9) - first)
    return [round((first + n) * step, 12) for n in range(count + 1)]


def step_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Training steps along the axis."""
    numbers = [one for one in round_ticks(max(low, 0.0), high, most) if low <= one <= high]
    return [(one, formats.count(round(one))) for one in numbers]


def date_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Moments along the axis where a day begins, or within less than two days an hour: then the first and the last say
    of which day. Of a span without any, both ends are told to the second."""
    first = datetime.fromtimestamp(low).astimezone()
    hours = (high - low) / 3600
    if hours < 4:
        every = next((n for n in (1, 2, 5, 10, 15, 30, 60) if hours * 60 / n <= most), 120)
        start = first.replace(minute=0, second=0, microsecond=0)
        moments = [start + timedelta(minutes=every * n) for n in range(int((hours * 60 + 60) / every) + 2)]
        form = "%H:%M"
    elif hours < 48:
        every = next((n for n in (1, 2, 3, 6, 12) if hours / n <= most), 24)
        start = first.replace(minute=0, second=0, microsecond=0)
        moments = [start + timedelta(hours=every * n) for n in range(int(hours / every) + 3)]
        form = "%H:%M"
    else:
        days = hours / 24
        every = next((n for n in (1, 2, 5, 10, 20, 30, 60, 120, 365) if days / n <= most), 730)
        start = first.replace(hour=0, minute=0, second=0, microsecond=0)
        moments = [start + timedelta(days=every * n) for n in range(int(days / every) + 3)]
        form = ""
    shown = [moment for moment in moments if low <= moment.timestamp() <= high]
    if hours < 48 and len(shown) < 2:
        shown = [datetime.fromtimestamp(low + share * (high - low)).astimezone() for share in (0.15, 0.85)]
        form = "%H:%M:%S"
    named = {moment: f"{moment.day} {moment:%b}" for moment in shown}
    if hours >= 48:
        return [(moment.timestamp(), named[moment]) for moment in shown]
    ends = (shown[0], shown[-1])
    return [
        (moment.timestamp(), f"{named[moment]} {moment:{form}}" if moment in ends else f"{moment:{form}}")
        for moment in shown
    ]
