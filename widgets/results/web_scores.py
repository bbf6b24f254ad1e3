"""Mean scores as bars with whiskers, other runs' as marks on them: by type of field, by task, beside papers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.tiles import TileRows
from stepscope.widgets.results.web_values import WebScoreRow
from stepscope.widgets.scores.breakdown_values import BarOrder, Key
from stepscope.widgets.scores.card import MARGIN, ResultCard
from stepscope.widgets.scores.shares import LEFT, PAD, RIGHT, order_button, paint_whisker

BAR_HEIGHT, MARK = 8, 2.5
NARROW = 430
"""Below this width, with text as it is at first, a bar stands below its words."""
EDGE = 2
"""Of a list that scrolls: there it shows that it has the keyboard."""
LEAST_ROWS = 8
"""A long list shows so many before it scrolls."""


class ScoreList(ResultCard):
    """The card; `chosen` carries a row's key. `sortable` offers orders; without it the rows keep theirs, and the card
    is as high as they need."""

    chosen = Signal(object)

    def __init__(self, title: str, *, sortable: bool = False, parent: QWidget | None = None) -> None:
        order = order_button()
        super().__init__(title, order, parent=parent)
        self._order_button, self._sortable = order, sortable
        self._order = BarOrder.WORST
        self._rows: tuple[WebScoreRow, ...] = ()
        order.setVisible(sortable)
        self.rows = ScoreRows(title)
        self._scroll = scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self.rows)
        self.body.setContentsMargins(MARGIN - PAD, MARGIN, MARGIN - PAD, 8)
        self.head.setContentsMargins(PAD, 0, PAD, 0)
        self.body.addWidget(scroll, 1)
        for choice in BarOrder:
            order.menu().addAction(choice.value, lambda chosen=choice: self.set_order(chosen))
        self.rows.chosen.connect(self.chosen)
        self.rows.current_changed.connect(self._reveal)
        self.rows.grew.connect(self._fit)
        self.set_rows(())

    def set_rows(self, rows: Sequence[WebScoreRow], detail: str = "") -> None:
        self._rows = tuple(rows)
        self.detail.setText(detail)
        self._renew()

    def set_order(self, order: BarOrder) -> None:
        self._order = order
        self._renew()

    def set_chosen(self, key: Key) -> None:
        self.rows.set_chosen(key)

    def shown(self) -> tuple[WebScoreRow, ...]:
        """The rows as they stand."""
        return self.rows.rows

    def _renew(self) -> None:
        self.rows.set_rows(_sorted(self._rows, self._order) if self._sortable else self._rows)
        self._order_button.setText(self._order.value)
        self._order_button.setAccessibleName(f"Order: {self._order.value}")
        self._fit()

    def _fit(self) -> None:
        """A list that can be long scrolls; a short one never does."""
        most = LEAST_ROWS if self._sortable else len(self._rows)
        rows = min(max(len(self._rows), 1), most or 1)
        self._scroll.setMinimumHeight(round(rows * self.rows.row_height()) + 2 + 2 * EDGE)

    def _reveal(self, row: int, _column: int) -> None:
        place = self.rows.tile(row, 0)
        self._scroll.ensureVisible(0, round(place.center().y()), 0, round(place.height()))


class ScoreRows(TileRows):
    """The rows of a list of scores."""

    grew = Signal()
    """the height of a row changed"""

    radius = 4.0

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self.rows: tuple[WebScoreRow, ...] = ()
        self._height = 0.0
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def set_rows(self, rows: Sequence[WebScoreRow]) -> None:
        self.rows = tuple(rows)
        self.tiles_changed()

    def row_count(self) -> int:
        return len(self.rows)

    def key(self, row: int, column: int) -> Key:
        return self.rows[row].key

    def words(self, row: int, column: int) -> str:
        one = self.rows[row]
        head = f"{one.label}: {formats.score(one.value)}" + (f", {one.count}" if one.count else "")
        head += f", 95 % interval {formats.interval(one.interval)}" if one.interval is not None else ""
        head += ", few" if one.few else ""
        marks = [f"{mark.words}: {formats.score(mark.value)}" for mark in one.marks]
        return "\n".join(filter(None, (head, one.detail, *marks, one.tip)))

    def row_height(self) -> float:
        return self.measured("row", self._measure_row)

    def sizeHint(self) -> QSize:
        return QSize(round(240 * self._scale), round(max(len(self.rows), 1) * self.row_height()) + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_height()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._tell_height()

    def _tell_height(self) -> None:
        if self._height != self.row_height():
            self._height = self.row_height()
            self.updateGeometry()
            self.grew.emit()

    def paint_rest(self, painter: QPainter) -> None:
        if not self.rows:
            painter.setPen(QColor(theme.current().dim))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "No scored field")

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        one, colours, tile = self.rows[row], theme.current(), self.tile(row, column)
        if hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(tile, self.radius, self.radius)
        label, value, count, track = self._places(tile)
        self._paint_label(painter, label, one)
        painter.setPen(QColor(colours.dim))
        painter.drawText(count, RIGHT, one.count)
        painter.setFont(derived(self.font(), 12, weight=QFont.Weight.Medium))
        painter.setPen(QColor(colours.dim if one.few else colours.text))
        painter.drawText(value, RIGHT, formats.score(one.value))
        self._paint_bar(painter, track, one)

    def _paint_label(self, painter: QPainter, place: QRectF, one: WebScoreRow) -> None:
        colours = theme.current()
        painter.setFont(derived(self.font(), 12))
        metrics = QFontMetricsF(painter.font())
        painter.setPen(QColor(colours.dim if one.few else colours.text))
        name = metrics.elidedText(straight(one.label), Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, LEFT, name)
        left = place.left() + metrics.horizontalAdvance(name) + 8
        if one.detail and name == one.label and place.right() - left > 24:
            painter.setPen(QColor(colours.dim))
            rest = QRectF(left, place.top(), place.right() - left, place.height())
            painter.drawText(
                rest, LEFT, metrics.elidedText(straight(one.detail), Qt.TextElideMode.ElideRight, rest.width())
            )

    def _paint_bar(self, painter: QPainter, track: QRectF, one: WebScoreRow) -> None:
        colours = theme.current()
        if track.width() <= 0:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.line))
        painter.drawRoundedRect(track, 2, 2)
        painter.setBrush(QColor(colours.dim if one.run is None or one.few else colours.run_colour(one.run)))
        width = track.width() * min(max(one.value, 0.0), 1.0)
        painter.drawRoundedRect(QRectF(track.left(), track.top(), width, track.height()), min(2, width / 2), 2)
        if one.interval is not None:
            paint_whisker(painter, track, one.interval)
        for mark in one.marks:
            colour = colours.secondary if mark.run is None else colours.run_colour(mark.run)
            x = track.left() + track.width() * min(max(mark.value, 0.0), 1.0)
            painter.setPen(QPen(QColor(colours.panel), MARK + 2))
            painter.drawLine(QPointF(x, track.top() - 2), QPointF(x, track.bottom() + 2))
            painter.setPen(QPen(QColor(colour), MARK))
            painter.drawLine(QPointF(x, track.top() - 3), QPointF(x, track.bottom() + 3))

    def _places(self, tile: QRectF) -> tuple[QRectF, QRectF, QRectF, QRectF]:
        """Where label, value, count and the bar stand in a row."""
        inside = tile.adjusted(PAD - 1, 0, -PAD + 1, 0)
        line, longest, value_width, count_width = self._measures()
        stacked = self._is_narrow
        top, height = (inside.top() + 3, line) if stacked else (inside.top(), inside.height())
        count = QRectF(inside.right() - count_width, top, count_width, height)
        value = QRectF(count.left() - value_width - 10, top, value_width, height)
        room = max(0.0, value.left() - inside.left() - 8)
        if stacked:
            track = QRectF(inside.left(), top + line + 4, inside.width(), BAR_HEIGHT)
            return QRectF(inside.left(), top, room, height), value, count, track
        label_width = min(max(longest + 2, 88 * self._scale), room * 0.5)
        left = inside.left() + label_width + 10
        track = QRectF(left, inside.center().y() - BAR_HEIGHT / 2, max(0.0, value.left() - 6 - left), BAR_HEIGHT)
        return QRectF(inside.left(), top, label_width, height), value, count, track

    def _measures(self) -> tuple[float, float, float, float]:
        """Height of a line, width of the longest label with its detail, of a value and of the longest count."""
        return self.measured("words", self._measure_words)

    def _measure_words(self) -> tuple[float, float, float, float]:
        metrics = QFontMetricsF(derived(self.font(), 12))
        value = QFontMetricsF(derived(self.font(), 12, weight=QFont.Weight.Medium)).horizontalAdvance("−0.000") + 4
        labels = [f"{one.label}   {one.detail}" if one.detail else one.label for one in self.rows]
        longest = max(map(metrics.horizontalAdvance, labels), default=0.0)
        count = max((metrics.horizontalAdvance(one.count) for one in self.rows), default=0.0)
        return metrics.height(), longest, value, count

    def _measure_row(self) -> float:
        line = QFontMetricsF(derived(self.font(), 12)).height()
        return round(line + BAR_HEIGHT + 14) if self._is_narrow else round(max(24.0, line + 8))

    @property
    def _is_narrow(self) -> bool:
        return self.width() < NARROW * self._scale

    @property
    def _scale(self) -> float:
        return derived(self.font(), 13).pixelSize() / 13


def _sorted(rows: Sequence[WebScoreRow], order: BarOrder) -> list[WebScoreRow]:
    """Worst first puts those of little behind the others: a mean of few pages says little."""
    if order is BarOrder.NAME:
        return sorted(rows, key=lambda row: row.label.casefold())
    if order is BarOrder.ITEMS:
        return sorted(rows, key=lambda row: (-row.amount, row.label.casefold()))
    return sorted(rows, key=lambda row: (row.few, row.value, -row.amount, row.label.casefold()))
