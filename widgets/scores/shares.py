"""Shares as bars, one row a name: recall by reason, wrong share by app."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QScrollArea, QSizePolicy, QToolButton, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common import LinkButton
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.tiles import TileRows
from stepscope.widgets.scores.breakdown_values import FEW, Bar, BarOrder, Key
from stepscope.widgets.scores.card import MARGIN, ResultCard, mix

PAD = 8
"""Room inside a row at its sides, so that its outline does not touch the words."""
BAR_HEIGHT = 8
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class BarList(ResultCard):
    """The card; `chosen` carries a bar's key, and so does `opened` after a double click.

    `stacked` puts the words above the bar, else they stand beside it. `sortable` offers orders; without it the bars
    keep theirs. `hides_few` shows names with few items only when asked. `asks` says what the share is of, for
    tooltips: "wrong".
    """

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(
        self,
        title: str,
        *,
        stacked: bool = False,
        sortable: bool = True,
        hides_few: bool = True,
        asks: str = "",
        parent: QWidget | None = None,
    ) -> None:
        order = order_button()
        super().__init__(title, order, parent=parent)
        self._order_button, self._hides_few = order, hides_few
        self._order: BarOrder | None = BarOrder.WORST if sortable else None
        self._bars: tuple[Bar, ...] = ()
        self._shows_all = False
        order.setVisible(sortable)
        self.rows = BarRows(title, stacked=stacked, asks=asks)
        self._scroll = scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self.rows)
        self.body.setContentsMargins(MARGIN - PAD, MARGIN, MARGIN - PAD, 8)
        self.head.setContentsMargins(PAD, 0, PAD, 0)
        self.body.addWidget(scroll, 1)
        self.more = LinkButton()
        foot = QHBoxLayout()
        foot.setContentsMargins(PAD - 2, 0, 0, 0)
        foot.addWidget(self.more)
        foot.addStretch(1)
        self.body.addLayout(foot)
        self.more.clicked.connect(self._toggle_all)
        for choice in BarOrder:
            order.menu().addAction(choice.value, lambda chosen=choice: self.set_order(chosen))
        self.rows.chosen.connect(self.chosen)
        self.rows.opened.connect(self.opened)
        self.rows.current_changed.connect(self._reveal)
        self._renew()

    def set_bars(self, bars: Sequence[Bar], *, run: int | None = None) -> None:
        """Show other bars; `run` (0 for A) gives them its colour, None that of misses."""
        self._bars = tuple(bars)
        self.rows.run = run
        self._renew()

    def set_order(self, order: BarOrder) -> None:
        self._order = order
        self._renew()

    def set_chosen(self, key: Key) -> None:
        self.rows.set_chosen(key)

    def shown(self) -> tuple[Bar, ...]:
        """The bars as they stand."""
        return self.rows.bars

    def _toggle_all(self) -> None:
        self._shows_all = not self._shows_all
        self._renew()

    def _renew(self) -> None:
        enough = [bar for bar in self._bars if bar.total >= FEW]
        can_hide = self._hides_few and 0 < len(enough) < len(self._bars)
        shown = enough if can_hide and not self._shows_all else list(self._bars)
        if self._order is not None:
            shown = _sorted(shown, self._order)
            self._order_button.setText(self._order.value)
            self._order_button.setAccessibleName(f"Order: {self._order.value}")
        self.rows.set_bars(shown)
        every = formats.count(len(self._bars))
        self.more.setVisible(can_hide)
        self.more.setText(f"Only n ≥ {FEW}" if self._shows_all else f"Show all {every}")
        self.more.updateGeometry()
        if self._hides_few:
            cut = can_hide and not self._shows_all
            part = f"{formats.count(len(shown))} of {every}, n ≥ {FEW}"
            self.detail.setText(part if cut else every if self._bars else "")

    def _reveal(self, row: int, _column: int) -> None:
        place = self.rows.tile(row, 0)
        self._scroll.ensureVisible(0, round(place.center().y()), 0, round(place.height()))


class BarRows(TileRows):
    """The rows of a list of bars."""

    radius = 4.0

    def __init__(self, name: str, *, stacked: bool, asks: str, parent: QWidget | None = None) -> None:
        self.bars: tuple[Bar, ...] = ()
        self.run: int | None = None
        self._stacked, self._asks = stacked, asks
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def set_bars(self, bars: Sequence[Bar]) -> None:
        self.bars = tuple(bars)
        self.tiles_changed()

    def row_count(self) -> int:
        return len(self.bars)

    def key(self, row: int, column: int) -> Key:
        return self.bars[row].key

    def words(self, row: int, column: int) -> str:
        bar = self.bars[row]
        parts = [f"{bar.label}: {_of(bar)} {self._asks}".rstrip(), formats.confidence(bar.share)]
        if bar.interval is not None:
            low, high = map(formats.confidence, bar.interval)
            parts.append(f"95 % interval {low} – {high}")
        if bar.total < FEW:
            parts.append("few")
        return ", ".join(parts) + (f"\n{bar.tip}" if bar.tip else "")

    def sizeHint(self) -> QSize:
        return QSize(round(240 * self._scale), round(len(self.bars) * self.row_height()))

    def paint_rest(self, painter: QPainter) -> None:
        if not self.bars:
            painter.setPen(QColor(theme.current().dim))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "Nothing to count")

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        bar, colours, tile = self.bars[row], theme.current(), self.tile(row, column)
        if hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(tile, self.radius, self.radius)
        label, share, count, track = self._places(tile)
        few = bar.total < FEW
        painter.setFont(derived(self.font(), 12))
        painter.setPen(QColor(colours.dim if few else colours.text))
        name = painter.fontMetrics().elidedText(straight(bar.label), Qt.TextElideMode.ElideRight, int(label.width()))
        painter.drawText(label, LEFT, name)
        painter.setPen(QColor(colours.dim))
        painter.drawText(count, RIGHT, _count_words(bar))
        painter.setFont(derived(self.font(), 12, weight=QFont.Weight.Medium if self._stacked else QFont.Weight.Normal))
        painter.setPen(QColor(colours.dim if few else colours.text))
        painter.drawText(share, RIGHT, formats.confidence(bar.share))
        self._paint_bar(painter, track, bar)

    def _paint_bar(self, painter: QPainter, track: QRectF, bar: Bar) -> None:
        colours = theme.current()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.line if self._stacked else colours.line2))
        painter.drawRoundedRect(track, 2, 2)
        if bar.share is None or track.width() <= 0:
            return
        colour = (
            QColor(colours.run_colour(self.run)) if self.run is not None else mix(colours.miss, 0.85, colours.line2)
        )
        if bar.total < FEW:
            colour = QColor(colours.dim)
        painter.setBrush(colour)
        width = track.width() * min(max(bar.share, 0.0), 1.0)
        painter.drawRoundedRect(QRectF(track.left(), track.top(), width, track.height()), min(2, width / 2), 2)
        if bar.interval is not None:
            paint_whisker(painter, track, bar.interval)

    def _places(self, tile: QRectF) -> tuple[QRectF, QRectF, QRectF, QRectF]:
        """Where label, share, count and the bar stand in a row."""
        inside = tile.adjusted(PAD - 1, 0, -PAD + 1, 0)
        line, longest, share_width, count_width = self._measures()
        height = line if self._stacked else inside.height()
        two = self._in_two_lines(inside.width())
        top = inside.top() + (3 if self._stacked else 0)
        second = top + (height if two else 0)
        count = QRectF(inside.right() - count_width, second, count_width, height)
        share_left = inside.left() if two else count.left() - share_width - 10
        share = QRectF(share_left, second, share_width - (4 if two else 0), height)
        room = max(0.0, inside.width() if two else share.left() - inside.left())
        if self._stacked:
            track = QRectF(inside.left(), second + height + 4, inside.width(), BAR_HEIGHT)
            return QRectF(inside.left(), top, room, height), share, count, track
        label_width = min(max(longest + 2, 88 * self._scale), 136 * self._scale, room * 0.45)
        left = inside.left() + label_width + 8
        track = QRectF(left, inside.center().y() - BAR_HEIGHT / 2, max(0.0, share.left() - 4 - left), BAR_HEIGHT)
        return QRectF(inside.left(), top, label_width, height), share, count, track

    def _measures(self) -> tuple[float, float, float, float]:
        """Height of a line, width of the longest label, of a share and of the longest count."""
        return self.measured("words", self._measure_words)

    def _measure_words(self) -> tuple[float, float, float, float]:
        metrics = QFontMetricsF(derived(self.font(), 12))
        longest = max((metrics.horizontalAdvance(bar.label) for bar in self.bars), default=0.0)
        count_width = max((metrics.horizontalAdvance(_count_words(bar)) for bar in self.bars), default=0.0)
        return metrics.height(), longest, metrics.horizontalAdvance("0.00") + 4, count_width

    def _in_two_lines(self, width: float) -> bool:
        """Stacked words of large text in a narrow card: the numbers stand below the label."""
        _line, longest, share_width, count_width = self._measures()
        return self._stacked and longest + share_width + count_width + 18 > width

    def row_height(self) -> float:
        return self.measured("row", self._measure_row)

    def _measure_row(self) -> float:
        line = QFontMetricsF(derived(self.font(), 12)).height()
        if not self._stacked:
            return round(max(24.0, line + 8))
        lines = 2 if self._in_two_lines(self.width() - 2 * PAD) else 1
        return round(lines * line + BAR_HEIGHT + 4 + 14)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._stacked and event.oldSize().width() != event.size().width():
            self.updateGeometry()

    @property
    def _scale(self) -> float:
        return derived(self.font(), 13).pixelSize() / 13


def paint_whisker(painter: QPainter, track: QRectF, interval: tuple[float, float]) -> None:
    """A line with ends from one share to the other, on a track that goes from 0 to 1."""
    ink = QColor(theme.current().text)
    ink.setAlphaF(0.75)
    painter.setPen(QPen(ink, 1.2))
    low, high = (track.left() + track.width() * min(max(bound, 0.0), 1.0) for bound in interval)
    middle = track.center().y()
    painter.drawLine(QPointF(low, middle), QPointF(high, middle))
    for end in (low, high):
        painter.drawLine(QPointF(end, middle - 3), QPointF(end, middle + 3))


def _of(bar: Bar) -> str:
    return f"{formats.count(bar.count)} of {formats.count(bar.total)}"


def _count_words(bar: Bar) -> str:
    return _of(bar) + (" few" if bar.total < FEW else "")


def _sorted(bars: Sequence[Bar], order: BarOrder) -> list[Bar]:
    """Names with few items stand last unless names are the order: their shares say little."""
    if order is BarOrder.NAME:
        return sorted(bars, key=lambda bar: bar.label.casefold())
    if order is BarOrder.ITEMS:
        return sorted(bars, key=lambda bar: (-bar.total, bar.label.casefold()))
    return sorted(bars, key=lambda bar: (bar.total < FEW, -(bar.share or 0.0), -bar.total, bar.label.casefold()))


def order_button() -> QToolButton:
    """A button whose menu offers orders of rows; the owner fills it."""
    button = QToolButton()
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands after the words
    button.setIcon(icons.icon("chevron_down"))
    button.setIconSize(QSize(12, 12))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setMenu(QMenu(button))
    button.setToolTip("Order of the rows")
    return button
