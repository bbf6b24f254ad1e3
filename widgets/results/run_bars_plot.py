"""Runs as lying bars with whiskers: names at the left, values behind the bars. pyqtgraph comes with it."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.results.over_time import round_ticks
from stepscope.widgets.results.run_bars_values import RunBar, RunBars
from stepscope.widgets.scores.card import mix
from stepscope.widgets.scores.plot import LABEL_PIXELS, Plot, dashes, paint_ring, solid

SLOT, HALF = 26, 0.31
"""Pixels of a bar with the gap to the next, with text as it is at first; half the thickness of a bar, of a slot."""
NAMES_SHARE, LEAST_NAMES = 0.4, 120
"""The share of the width that names may take, and so many pixels in any case."""
VALUE_ROOM = 64
SCALE = 2
"""Pixels of a picture for one of the screen."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
MOVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -(10**6), Qt.Key.Key_End: 10**6}


class RunBarsPlot(Plot):
    """Up and down go from bar to bar; Enter and a double click open its run."""

    opened = Signal(object)
    """the RowKey of a bar"""
    current_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__("Runs as bars")
        self._found = RunBars()
        self._slots: list[RunBar | str] = []
        """bars and the headings above them, from the top"""
        self._rows: list[float] = []
        """where each bar stands on the axis: the first slot is at 0, those below it at −1, −2, …"""
        self._current = 0
        self._items: list[pg.GraphicsObject] = []
        self._ticks: list[float] = []
        self._span = (0.0, 1.0)
        self._names = float(LEAST_NAMES)
        """pixels of the names"""

    def set_bars(self, found: RunBars) -> None:
        """Show other bars; the keyboard stays on its run where that is still there."""
        bars = self._found.bars
        before = bars[self._current].key if self._current < len(bars) else None
        self._found = found
        keys = [bar.key for bar in found.bars]
        self._current = keys.index(before) if before in keys else 0
        self._slots, self._rows = [], []
        heading = ""
        for bar in found.bars:
            if bar.heading and bar.heading != heading:
                self._slots.append(bar.heading)
            heading = bar.heading
            self._rows.append(-float(len(self._slots)))
            self._slots.append(bar)
        self._scale()
        self.renew()
        self._tell_current()

    def current(self) -> int:
        """The bar that the keyboard is on."""
        return self._current

    def place(self, number: int) -> QRectF:
        """The strip of a bar, from names to values, in the widget."""
        middle = self._rows[number]
        low, high = self.pixel(self._span[0], middle + 0.5), self.pixel(self._span[1], middle - 0.5)
        return QRectF(QPointF(2, low.y()), QPointF(self.viewport().width() - 2, high.y())).normalized()

    def picture(self, heading: str) -> QImage:
        """All bars below a line of words, twice as large as on the screen."""
        font = derived(self.font(), 13, weight=QFont.Weight.DemiBold)
        top = round(QFontMetricsF(font).height()) + 16
        image = QImage(self.width() * SCALE, (self.height() + top) * SCALE, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(SCALE)
        colours = theme.current()
        image.fill(QColor(colours.panel))
        painter = QPainter(image)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        words = painter.fontMetrics().elidedText(straight(heading), Qt.TextElideMode.ElideRight, self.width() - 16)
        painter.drawText(QRectF(8, 8, self.width() - 16, top), Qt.AlignmentFlag.AlignTop, words)
        painter.end()
        QWidget.render(self, image, QPoint(0, top))  # what a view of graphics renders has no marks in the right place
        return image

    def renew(self) -> None:
        for item in self._items:
            self.removeItem(item)
        self._items = []
        colours = theme.current()
        bars = self._found.bars
        if not bars:
            self.viewport().update()
            return
        rows = np.array(self._rows)
        self._draw(
            pg.BarGraphItem(
                x0=[min(bar.value, 0.0) for bar in bars],
                x1=[max(bar.value, 0.0) for bar in bars],
                y=rows,
                height=2 * HALF,
                pen=QPen(Qt.PenStyle.NoPen),
                brushes=[self._colour(bar) for bar in bars],
            )
        )
        told = [number for number, bar in enumerate(bars) if bar.interval is not None and not bar.is_few]
        if told:
            values = np.array([bars[number].value for number in told])
            bounds = np.array([bars[number].interval for number in told])
            self._draw(
                pg.ErrorBarItem(
                    x=values, y=rows[told], left=values - bounds[:, 0], right=bounds[:, 1] - values, beam=HALF,
                    pen=pg.mkPen(solid(colours.text, 0.75), width=1.2),
                )
            )  # fmt: skip
        base = next((bar for bar in bars if bar.is_baseline), None)
        for at, pen in (
            *((tick, QPen(QColor(colours.line2), 0)) for tick in self._ticks),
            *(() if base is None else ((base.value, dashes(QColor(colours.dim), 1.2, 4, 4)),)),
        ):
            line = pg.InfiniteLine(at, angle=90, pen=pen)
            line.setZValue(-5)
            self._draw(line)
        self.viewport().update()

    def words_at(self, place: QPointF) -> str:
        number = self._at(place)
        return "" if number is None else self._found.bars[number].words

    def paint_marks(self, painter: QPainter) -> None:
        colours = theme.current()
        if not self._found.bars:
            painter.setPen(QColor(colours.dim))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, "No run here has a value")
            return
        left = self.pixel(self._span[0], 0).x()
        for number, bar in enumerate(self._found.bars):
            self._paint_bar(painter, number, bar, left)
        for slot, heading in enumerate(self._slots):
            if isinstance(heading, str):
                place = QRectF(8, self.pixel(0, -slot).y(), self.viewport().width() - 16, 0)
                self._paint_words(painter, place, heading, colours.text, QFont.Weight.DemiBold)
        if self.hasFocus():
            paint_ring(painter, self.place(self._current).adjusted(0, 1, 0, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and number is not None:
            self._go(number)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and number is not None:
            self.opened.emit(self._found.bars[number].key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bars, move = self._found.bars, MOVES.get(Qt.Key(event.key()))
        if bars and move is not None and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._go(min(max(self._current + move, 0), len(bars) - 1))
        elif bars and event.key() in ENTER:
            self.opened.emit(bars[self._current].key)
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_slots"):
            self._scale()

    # inside

    def _restyle(self) -> None:
        if hasattr(self, "_slots"):
            self._scale()
        super()._restyle()

    def _scale(self) -> None:
        """The axes around the bars, 0 among them; the names take what they need, and no more than their share."""
        scale = derived(self.font(), 13).pixelSize() / 13
        ends = [end for bar in self._found.bars for end in (bar.value, *(bar.interval or ()), *bar.seeds)]
        low, high = min((0.0, *ends)), max((0.0, *ends)) or 1.0
        self._names = self._names_width()
        room = max(80.0, self.viewport().width() - self._names - 24)
        self._ticks = round_ticks(low, high, max(2, int(room / 90)))
        high = max(
            high + (high - low) * VALUE_ROOM * scale / room, self._ticks[-1] if self._ticks[-1] <= high else high
        )
        self._span = (low, high)
        words = [(one, f"{one:g}".replace("-", "−")) for one in self._ticks if low <= one <= high]
        self.set_axes(words, (), self._span, (0.5 - max(len(self._slots), 1), 0.5))
        self.getAxis("left").setWidth(self._names)
        self.setFixedHeight(round(max(len(self._slots), 3) * SLOT * scale + self.getAxis("bottom").height() + 12))

    def _names_width(self) -> float:
        metrics = QFontMetricsF(derived(self.font(), LABEL_PIXELS + 1, weight=QFont.Weight.DemiBold))  # the baseline's
        longest = max((metrics.horizontalAdvance(straight(bar.label)) for bar in self._found.bars), default=0.0)
        indent = max((self._indent(bar) for bar in self._found.bars), default=0)
        room = max(LEAST_NAMES, self.viewport().width() * NAMES_SHARE)
        return float(min(longest + indent + 22, room))

    def _style_axes(self) -> None:
        super()._style_axes()
        if hasattr(self, "_names"):  # the axes are styled once before
            self.getAxis("left").setWidth(self._names)

    def _indent(self, bar: RunBar) -> int:
        return 12 if bar.heading else 0

    def _paint_bar(self, painter: QPainter, number: int, bar: RunBar, left: float) -> None:
        """The name, the value behind bar and whisker, and a dot for each seed."""
        colours, middle = theme.current(), self.pixel(0, self._rows[number]).y()
        weight = QFont.Weight.DemiBold if bar.is_baseline else QFont.Weight.Normal
        begin = 8 + self._indent(bar)
        ink = colours.dim if bar.is_few else colours.text
        self._paint_words(painter, QRectF(begin, middle, left - begin - 8, 0), bar.label, ink, weight)
        painter.setPen(QPen(QColor(colours.panel), 1))
        painter.setBrush(QColor(colours.text))
        for value in bar.seeds:
            painter.drawEllipse(QPointF(self.pixel(value, 0).x(), middle), 3, 3)
        end = max((bar.value, 0.0, *((bar.interval or ()) if not bar.is_few else ()), *bar.seeds))
        words = formats.score(bar.value) + (" few" if bar.is_few else "")
        place = QRectF(self.pixel(end, 0).x() + 7, middle, VALUE_ROOM * 2, 0)
        self._paint_words(painter, place, words, colours.dim if bar.is_few else colours.secondary, weight)

    def _paint_words(self, painter: QPainter, place: QRectF, words: str, ink: str, weight: QFont.Weight) -> None:
        """In one line whose middle is the top of the place, cut to its width."""
        painter.setFont(derived(self.font(), LABEL_PIXELS + 1, weight=weight))
        painter.setPen(QColor(ink))
        metrics = painter.fontMetrics()
        cut = metrics.elidedText(straight(words), Qt.TextElideMode.ElideMiddle, int(place.width()))
        around = QRectF(place.left(), place.top() - metrics.height(), place.width(), 2 * metrics.height())
        painter.drawText(around, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, cut)

    def _colour(self, bar: RunBar) -> QColor:
        colours = theme.current()
        if bar.is_few or (bar.is_baseline and bar.letter is None):
            return mix(colours.dim, 0.7, colours.panel)
        return mix(colours.accent if bar.letter is None else colours.run_colour(bar.letter), 0.8, colours.panel)

    def _at(self, place: QPointF) -> int | None:
        return next((n for n in range(len(self._rows)) if self.place(n).contains(place)), None)

    def _go(self, number: int) -> None:
        if number != self._current:
            self._current = number
            self.current_changed.emit(number)
        self._tell_current()
        self.viewport().update()

    def _tell_current(self) -> None:
        bars = self._found.bars
        self.setAccessibleDescription(bars[self._current].words if bars else "No run here has a value")

    def _draw(self, item: pg.GraphicsObject) -> None:
        self._items.append(item)
        self.addItem(item, ignoreBounds=True)
