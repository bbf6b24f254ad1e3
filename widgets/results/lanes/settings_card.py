"""The four settings of a run of asking, and other ways to decide when to ask, with their intervals on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QLabel, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.row_delegate import paint_row_ground
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.common.run_glyph import paint_run_glyph
from stepscope.widgets.results.lanes.lane_values import LanesSetting, SettingsTable
from stepscope.widgets.scores.card import ResultCard

Index = QModelIndex | QPersistentModelIndex
SettingRole = Qt.ItemDataRole.UserRole
SETTING, SSR, PLOT, SR, DROP, RECOVERY, ASKS, PUBLISHED = range(8)
HEADS = ("Setting", "SSR", "", "SR", "Drop", "Recovery", "Asks", "Published")
TIPS = {
    SSR: "Right steps of all steps, mean over tasks",
    PLOT: "95 % interval; dotted: the whole goal",
    SR: "Share of tasks with every step right",
    DROP: "SSR less that of the whole goal",
    RECOVERY: "Share of the drop from whole to incomplete goals that came back",
    ASKS: "Questions a task",
    PUBLISHED: "SSR of Navi-plus, table 1, on AndroidControl",
}
_NONE = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
GLYPH, BAR, PLOT_WIDTH, LEAST_PLOT = 11.0, 22, 78, 50
MOST_PLOT, LEAST_WIDTH = 220, 200
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)
"""Between lines of the scale, the smallest that leaves few of them."""
MOST_LINES = 5


class LanesSwitch(PaintedButton):
    """A switch with its words at the right."""

    def __init__(self, words: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setText(words)
        self.setToolTip(tip_words(tip))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(derived(self.font(), 12))
        return QSize(36 + metrics.horizontalAdvance(self.text()) + 4, max(22, metrics.height() + 4))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(2, self.height() / 2 - 7, 26, 14)
        on = self.isChecked()
        painter.setPen(QPen(QColor(colours.accent_background if on else colours.line), 1))
        painter.setBrush(QColor(colours.accent_background if on else colours.inset))
        painter.drawRoundedRect(track, 7, 7)
        knob = QPointF(track.right() - 7 if on else track.left() + 7, track.center().y())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent_text if on else colours.secondary))
        painter.drawEllipse(knob, 5, 5)
        painter.setFont(derived(self.font(), 12))
        painter.setPen(QColor(colours.text if self.isEnabled() else colours.dim))
        painter.drawText(self.rect().adjusted(35, 0, 0, 0), _LEFT, self.text())
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())


class SettingsItemModel(QAbstractTableModel):
    """The settings, a heading, then the other ways; `Scale` of all their intervals is theirs together."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[LanesSetting | str, ...] = ()
        self.ends = (0.0, 1.0)
        self.whole: float | None = None

    def set_table(self, table: SettingsTable) -> None:
        own = [row for row in table.rows if not row.is_other]
        others = [row for row in table.rows if row.is_other]
        self.beginResetModel()
        self._lines = (*own, table.others_title, *others) if others else tuple(own)
        self.ends = span_of(table.rows)
        self.whole = next((row.ssr for row in own if row.key == "original"), None)
        self.endResetModel()

    def line(self, row: int) -> LanesSetting | str:
        """A row, or the words of a heading."""
        return self._lines[row]

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section not in (SETTING, PLOT):
            return _RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(TIPS.get(section))
        return HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        line = self._lines[index.row()]
        return Qt.ItemFlag.NoItemFlags if isinstance(line, str) else super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line, column = self._lines[index.row()], index.column()
        if role == SettingRole:
            return line
        if isinstance(line, str):
            return straight(line) if role == Qt.ItemDataRole.DisplayRole and column == SETTING else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return straight(cell_words(line, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            between = formats.interval(line.interval) if line.interval is not None else ""
            head = ", ".join(filter(None, (line.title, line.note)))
            return tip_words("\n".join(filter(None, (head, between, line.why))))
        return None


def cell_words(line: LanesSetting, column: int) -> str:
    """What stands in a column of the table, in words."""
    return {
        SETTING: line.title,
        SSR: formats.score(line.ssr),
        PLOT: "" if line.interval is None else formats.interval(line.interval),
        SR: formats.score(line.sr),
        DROP: formats.signed(line.drop),
        RECOVERY: recovery_words(line.recovery),
        ASKS: asks_words(line.asks),
        PUBLISHED: line.published,
    }[column]


def recovery_words(recovery: float | None) -> str:
    return formats.NONE if recovery is None else f"{round(100 * recovery):,} %".replace("-", "\N{MINUS SIGN}")


def asks_words(asks: float | None) -> str:
    return formats.NONE if asks is None else f"{asks:.2f}".rstrip("0").rstrip(".")


def span_of(rows: Sequence[LanesSetting]) -> tuple[float, float]:
    """The scale on which all values with their intervals lie, from one round number to another."""
    ends = [end for row in rows for end in (row.ssr, *(row.interval or ())) if end is not None]
    if not ends:
        return 0.0, 1.0
    low, high = min(ends), max(ends)
    step = step_of(high - low)
    return max(0.0, math.floor(low / step) * step), min(1.0, max(math.ceil(high / step) * step, low + step))


def step_of(width: float) -> float:
    """Between the lines of a scale so wide."""
    return next((step for step in STEPS if width / step <= MOST_LINES - 2 + 1e-6), STEPS[-1])


def grid_of(span: tuple[float, float]) -> list[float]:
    """Where a scale has lines with numbers."""
    step = step_of(span[1] - span[0])
    first = math.ceil(span[0] / step - 1e-9)
    return [place * step for place in range(first, math.floor(span[1] / step + 1e-9) + 1)]


class _SettingDelegate(QStyledItemDelegate):
    """Two lines of words, numbers, the interval, and the share that came back as a bar."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line, place, column = index.data(SettingRole), option.rect, index.column()
        colours, model = theme.current(), index.model()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(line, str):
            painter.fillRect(place, QColor(colours.inset))
            painter.setFont(derived(option.font, 11))
            painter.setPen(QColor(colours.dim))
            cut = painter.fontMetrics().elidedText(straight(line), Qt.TextElideMode.ElideRight, place.width() - 16)
            painter.drawText(place.adjusted(12, 0, -4, 0), _LEFT, cut)
            painter.restore()
            return
        paint_row_ground(painter, option)
        if line.is_chosen:
            painter.fillRect(place.adjusted(0, 0, 0, -1), QColor(colours.selection))
            if column == SETTING:
                painter.fillRect(
                    QRect(place.left(), place.top(), 3, place.height() - 1), QColor(colours.selection_line)
                )
        if column == SETTING:
            self._paint_setting(painter, option, line)
        elif column == PLOT and isinstance(model, SettingsItemModel):
            self._paint_interval(painter, place, line, model)
        else:
            self._paint_number(painter, option, line, column)
        painter.restore()

    def _paint_setting(self, painter: QPainter, option: QStyleOptionViewItem, line: LanesSetting) -> None:
        colours, inside = theme.current(), option.rect.adjusted(12, 0, -4, -1)
        title, note = derived(option.font, 12.5, weight=QFont.Weight.Medium), derived(option.font, 11)
        if line.is_other:
            title = derived(option.font, 12.5)
        high, below = QFontMetrics(title).height(), QFontMetrics(note).height() if line.note else 0
        top = inside.center().y() - (high + below) // 2
        for words, font, ink, row in (
            (line.title, title, colours.secondary if line.is_other else colours.text, QRect(0, top, 0, high)),
            (line.note, note, colours.dim, QRect(0, top + high, 0, below)),
        ):
            painter.setFont(font)
            painter.setPen(QColor(ink))
            cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(QRect(inside.left(), row.top(), inside.width(), row.height()), _LEFT, cut)

    def _paint_number(self, painter: QPainter, option: QStyleOptionViewItem, line: LanesSetting, column: int) -> None:
        colours, inside = theme.current(), option.rect.adjusted(4, 0, -8, 0)
        words = cell_words(line, column)
        bold = column == SSR and not line.is_other
        painter.setFont(derived(option.font, 12.5, weight=QFont.Weight.DemiBold if bold else QFont.Weight.Normal))
        ink = colours.dim if words == formats.NONE else colours.text
        if column == DROP and line.drop is not None and line.drop < 0:
            ink = colours.miss
        if column == PUBLISHED:
            ink = colours.reference
        painter.setPen(QColor(ink))
        painter.drawText(inside, _RIGHT, words)
        if column == RECOVERY and line.recovery is not None:
            width = painter.fontMetrics().horizontalAdvance("100 %") + 8
            if painter.fontMetrics().horizontalAdvance(words) > width - 4:
                return  # such as −525 %: words before the bar, which would be empty
            track = QRectF(inside.right() - width - BAR, inside.center().y() - 2.5, BAR, 6)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.line2))
            painter.drawRoundedRect(track, 3, 3)
            share = min(max(line.recovery, 0.0), 1.0)
            painter.setBrush(QColor(colours.hit))
            painter.drawRoundedRect(QRectF(track.left(), track.top(), track.width() * share, track.height()), 3, 3)

    def _paint_interval(self, painter: QPainter, place: QRect, line: LanesSetting, model: SettingsItemModel) -> None:
        colours, scale = theme.current(), plot_scale(place)
        if scale.width() < LEAST_PLOT:
            return
        painter.setPen(QPen(QColor(colours.line2), 1))
        for value in grid_of(model.ends):
            x = x_of(scale, model.ends, value)
            painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()))
        if model.whole is not None:
            pen = QPen(QColor(colours.reference), 1, Qt.PenStyle.DotLine)
            painter.setPen(pen)
            x = x_of(scale, model.ends, model.whole)
            painter.drawLine(QPointF(x, place.top() + 2), QPointF(x, place.bottom() - 2))
        run, middle = 0 if line.run is None else line.run, place.center().y()
        colour = QColor(colours.run_colour(run))
        if line.interval is not None:
            faint = QColor(colour)
            faint.setAlphaF(0.4)
            painter.setPen(QPen(faint, 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            low, high = (QPointF(x_of(scale, model.ends, end), middle) for end in line.interval)
            painter.drawLine(low, high)
        if line.ssr is not None:
            x = x_of(scale, model.ends, line.ssr)
            paint_run_glyph(painter, QRectF(x - GLYPH / 2, middle - GLYPH / 2, GLYPH, GLYPH), run)


def plot_scale(place: QRect) -> QRectF:
    return QRectF(place).adjusted(10, 0, -10, 0)


def x_of(scale: QRectF, span: tuple[float, float], value: float) -> float:
    share = (value - span[0]) / (span[1] - span[0])
    return scale.left() + min(max(share, 0.0), 1.0) * scale.width()


class _SettingsHeader(QHeaderView):
    """Above the intervals stand the numbers of their scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setHighlightSections(False)
        self.setDefaultAlignment(_LEFT)

    def paintSection(self, painter: QPainter, rect: QRect, column: int) -> None:
        painter.save()
        super().paintSection(painter, rect, column)
        painter.restore()
        model, scale = self.model(), plot_scale(rect)
        if column != PLOT or not isinstance(model, SettingsItemModel) or scale.width() < LEAST_PLOT:
            return
        painter.setFont(derived(self.font(), 10.5))
        painter.setPen(QColor(theme.current().dim))
        metrics, free = painter.fontMetrics(), -math.inf
        for value in grid_of(model.ends):
            words = f"{value:g}"
            middle, half = x_of(scale, model.ends, value), metrics.horizontalAdvance(words) / 2
            if middle - half > free and middle + half < rect.right() + 4:
                painter.drawText(
                    QRectF(middle - 30, rect.top(), 60, rect.height()), Qt.AlignmentFlag.AlignCenter, words
                )
                free = middle + half + 6


class SettingsCard(ResultCard):
    """`switched` fires when a person turns `dual` or `early`; `chosen` carries a row's key."""

    switched = Signal()
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.dual = LanesSwitch(
            "dual", "An ask before the due step is taken back, and the second stream counts from there"
        )
        self.early = LanesSwitch("early ask", "The first ask that came too early counts as the right one")
        super().__init__("Four settings", self.dual, self.early, parent=parent)
        self.model = SettingsItemModel(self)
        self.table = RowTable("Four settings")
        self.table.setHorizontalHeader(_SettingsHeader(self.table))
        self.table.setModel(self.model)
        self.table.setItemDelegate(_SettingDelegate(self.table))
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setMinimumWidth(LEAST_WIDTH)
        self.why = QLabel()
        self.why.setWordWrap(True)
        self.why.setProperty("role", "secondary")
        self.timing, self.foot = QLabel(), QLabel()
        self.timing.setProperty("role", "secondary")
        self.timing.setWordWrap(True)
        self.foot.setProperty("role", "tiny")
        self.foot.setWordWrap(True)
        self.foot.setAlignment(_RIGHT)
        below = QHBoxLayout()
        below.setSpacing(16)
        below.addWidget(self.timing, 2)
        below.addWidget(self.foot, 1)
        self.body.addWidget(self.why)
        self.body.addWidget(self.table)
        self.body.addStretch(1)
        self.body.addLayout(below)
        self.shown = SettingsTable()
        self.table.viewport().installEventFilter(self)
        for switch in (self.dual, self.early):
            switch.clicked.connect(lambda _checked: self._switch())
        self.table.clicked.connect(self._choose)
        self.set_switches(dual=True, early=False)
        self.set_table(self.shown)

    def set_table(self, table: SettingsTable) -> None:
        """Show other numbers; the same again changes nothing."""
        self.shown = table
        self.detail.setText(table.about)
        self.model.set_table(table)
        self.why.setText(straight(table.why))
        self.why.setVisible(bool(table.why))
        self.timing.setText(straight("   ".join(("When to ask", *(f"{name} {value}" for name, value in table.timing)))))
        self.timing.setVisible(bool(table.timing))
        self.foot.setText(straight(table.foot))
        self.foot.setToolTip(tip_words(table.published_tip))
        self.table.setColumnHidden(PUBLISHED, not any(row.published for row in table.rows))
        self._fit()

    def set_switches(self, *, dual: bool, early: bool) -> None:
        """Show what holds; tells nobody. Without a second stream nothing is taken back, so early asks do not matter."""
        self.dual.setChecked(dual)
        self.early.setChecked(early and dual)
        self.early.setEnabled(dual)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "shown"):
            self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The table got another width, which comes after that of the card."""
        if event.type() == QEvent.Type.Resize and hasattr(self, "shown"):
            self._size_columns()
        return super().eventFilter(watched, event)

    def _switch(self) -> None:
        self.set_switches(dual=self.dual.isChecked(), early=self.early.isChecked())
        self.switched.emit()

    def _choose(self, index: QModelIndex) -> None:
        line = self.model.line(index.row())
        if isinstance(line, LanesSetting):
            self.chosen.emit(line.key)

    def _fit(self) -> None:
        metrics = QFontMetrics(derived(self.table.font(), 12.5))
        small = QFontMetrics(derived(self.table.font(), 11))
        high = self.table.horizontalHeader().sizeHint().height()
        self.table.clearSpans()
        for row in range(self.model.rowCount()):
            line = self.model.line(row)
            if isinstance(line, str):
                self.table.setSpan(row, 0, 1, len(HEADS))
                height = small.height() + 10
            else:
                height = metrics.height() + (small.height() if line.note else 0) + 14
            self.table.setRowHeight(row, height)
            high += height
        self.table.setFixedHeight(high + 2)
        self._size_columns()

    def _size_columns(self) -> None:
        """Numbers take what they need, the intervals too, the settings what is left; the plot goes first where there is
        little room, then what was published."""
        metrics = QFontMetrics(derived(self.table.font(), 12.5))
        needs = {
            SSR: metrics.horizontalAdvance("0.000") + 18, SR: metrics.horizontalAdvance("0.000") + 18,
            DROP: metrics.horizontalAdvance("+0.000") + 16,
            RECOVERY: metrics.horizontalAdvance("100 %") + BAR + 22, ASKS: metrics.horizontalAdvance("Asks") + 20,
            PUBLISHED: metrics.horizontalAdvance("0.672 | 0.551") + 20, PLOT: PLOT_WIDTH,
        }  # fmt: skip
        if self.table.isColumnHidden(PUBLISHED):
            needs[PUBLISHED] = 0
        room, least = self.table.viewport().width(), metrics.horizontalAdvance("+ dual stream") + 18
        for column, smallest in ((PUBLISHED, 0), (PLOT, 0)):
            if sum(needs.values()) + least > room:
                needs[column] = smallest
        spare = room - sum(needs.values()) - least
        if needs[PLOT] and spare > 0:
            needs[PLOT] += min(2 * spare // 3, MOST_PLOT - PLOT_WIDTH)
        for column, width in needs.items():
            self.table.setColumnWidth(column, width)
        self.table.setColumnWidth(SETTING, max(least, room - sum(needs.values())))
