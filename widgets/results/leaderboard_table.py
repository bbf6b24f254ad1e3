"""The table of the leaderboard: headings across all columns, rows of two lines, a plot of number and interval."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionViewItem, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.fonts import BASE_PIXELS, derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_delegate import SIDE, RowDelegate
from stepscope.widgets.common.row_table import RowTable, keep_space
from stepscope.widgets.common.run_glyph import paint_run_glyph
from stepscope.widgets.common.run_name import cut_run_name
from stepscope.widgets.results.interval_delegate import axis_font
from stepscope.widgets.results.leaderboard_item_model import (
    FIRST_FURTHER,
    INTERVAL,
    NAME,
    PLOT,
    TICK,
    VALUE,
    BoardRole,
    LeaderboardItemModel,
)
from stepscope.widgets.results.leaderboard_values import BoardContent, BoardHeading, BoardRow, RowKey
from stepscope.widgets.results.run_name_delegate import RunNameDelegate

Index = QModelIndex | QPersistentModelIndex
Mode = QHeaderView.ResizeMode
BOX, PIN, GLYPH, GAP, MARGIN, PADDING = 15, 13, 17, 8, 12, 5
PLOT_WIDTH, PLOT_SIDE = 170, 12
SHORT_NAME = 48
"""The name keeps so much beside its badges."""
LEAST_NAME = 220
"""The name and what tells the run apart get so much, or columns give way."""
METRICS_WHERE_NARROW = 3
"""So many metrics stay where there is little room; the others are in the row's tip."""
DOT = 4.0


class LeaderboardTable(RowTable):
    """Enter opens a run, or opens and closes a group; Space ticks; a click on a column's head sorts."""

    tick_toggled = Signal(object)
    """a RowKey"""
    group_toggled = Signal(str)
    run_opened = Signal(object)
    """a RowKey"""
    sort_wanted = Signal(str)
    became_current = Signal(object)
    """the RowKey of the row that has the keyboard"""
    renamed = Signal(str, str)
    menu_wanted = Signal(object, object)
    """a RowKey, and where on the screen"""
    gave_way = Signal(tuple)
    """ids of the columns for which there is no room now"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Leaderboard", parent)
        self.board = LeaderboardItemModel(self)
        self._current: RowKey | None = None
        self.without_room: tuple[str, ...] = ()
        self.setModel(self.board)
        self._names, self._plot = BoardNameDelegate(self), BoardPlotDelegate(self)
        self.setItemDelegate(BoardCellDelegate(self))
        self.setItemDelegateForColumn(TICK, BoardTickDelegate(self))
        self.setItemDelegateForColumn(NAME, self._names)
        self.setItemDelegateForColumn(PLOT, self._plot)
        self.setHorizontalHeader(BoardHeader(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().setSectionsClickable(True)
        self.horizontalHeader().sectionClicked.connect(self._sort_by)
        self.selectionModel().currentRowChanged.connect(self._moved)
        self.customContextMenuRequested.connect(self._ask_for_menu)
        self.opened.connect(self._open)
        self.board.renamed.connect(self.renamed)

    def set_content(self, content: BoardContent) -> None:
        """Show other rows; the row with the keyboard keeps it where it is still there."""
        current, heading = self._current, self._heading()
        if self.board.set_content(content):
            self._lay_out_rows()
        self.fit()
        if heading:
            self._choose_heading(heading)
        else:
            self.choose(current)
        if not self.currentIndex().isValid() and self.board.rowCount():
            first = next((n for n in range(self.board.rowCount()) if self.board.run_at(n)), 0)
            self.setCurrentIndex(self.board.index(first, NAME))

    def choose(self, key: RowKey | None) -> None:
        """Give a run's row the keyboard's mark."""
        row = self.board.row_of(key)
        if row >= 0 and row != self.currentIndex().row():
            self.setCurrentIndex(self.board.index(row, NAME))

    @property
    def current_run(self) -> BoardRow | None:
        """The run in the row with the keyboard's mark."""
        return self.board.run_at(self.currentIndex().row())

    def begin_rename(self) -> None:
        """Open the name of the current row for typing."""
        row = self.currentIndex().row()
        if self.board.run_at(row) is not None:
            index = self.board.index(row, NAME)
            self.scrollTo(index)
            self.edit(index)

    def fit(self) -> None:
        """Widths for the columns and the room there is: where it is little, columns give way to the rows' tips."""
        header, columns = self.horizontalHeader(), range(self.board.columnCount())
        for column in columns:
            self.setColumnHidden(column, False)  # Qt says of the header of a hidden one that it needs no room
        widths = {n: max(self.sizeHintForColumn(n), header.sectionSizeHint(n)) for n in columns}
        scale = derived(self.font(), BASE_PIXELS).pixelSize() / BASE_PIXELS
        widths |= {TICK: MARGIN + BOX + GAP + PIN + 6, NAME: round(LEAST_NAME * scale), PLOT: PLOT_WIDTH}
        shown = set(columns)
        room = self.viewport().width()
        content = self.board.content
        metrics = range(FIRST_FURTHER + METRICS_WHERE_NARROW - 1, FIRST_FURTHER + content.metrics)
        others = range(FIRST_FURTHER + content.metrics, self.board.columnCount())
        for giving_way in (*reversed(metrics), PLOT, *reversed(others), INTERVAL):
            if sum(widths[n] for n in shown) > room:
                shown.discard(giving_way)
        for column in columns:
            self.setColumnHidden(column, column not in shown)
            header.setSectionResizeMode(column, Mode.Stretch if column == NAME else Mode.Fixed)
            if column != NAME:
                self.setColumnWidth(column, widths[column])
        further = enumerate(content.columns, start=FIRST_FURTHER)
        without_room = tuple(column.id for place, column in further if place not in shown)
        if without_room != self.without_room:
            self.without_room = without_room
            self.gave_way.emit(without_room)

    def content_height(self) -> int:
        """How high it is with all its rows, and with the bar by which columns are scrolled where it has one."""
        rows = sum(self.rowHeight(n) for n in range(self.board.rowCount()))
        bar = self.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() > 0 else 0
        return max(self.horizontalHeader().height(), self.horizontalHeader().sizeHint().height()) + rows + below + 4

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() is self.State.EditingState:
            event.accept()  # Enter in the name's field comes here too, and is about the name alone
            return
        row = self.board.content.rows[self.currentIndex().row()] if self.currentIndex().isValid() else None
        if event.key() == Qt.Key.Key_Space and isinstance(row, BoardRow):
            self.tick_toggled.emit(row.key)
        elif isinstance(row, BoardHeading) and (
            event.key() == Qt.Key.Key_Space or event.key() == (Qt.Key.Key_Left if row.is_open else Qt.Key.Key_Right)
        ):
            self.group_toggled.emit(row.key)
        elif event.key() == Qt.Key.Key_Left and isinstance(row, BoardRow):
            self._to_heading()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = index.data(BoardRole) if index.isValid() else None
        if event.button() == Qt.MouseButton.LeftButton and isinstance(row, BoardHeading):
            self.setCurrentIndex(index)
            self.group_toggled.emit(row.key)
        elif event.button() == Qt.MouseButton.LeftButton and isinstance(row, BoardRow) and index.column() == TICK:
            self.setCurrentIndex(index)
            self.tick_toggled.emit(row.key)
        else:
            super().mousePressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "board"):
            QTimer.singleShot(0, self, self._restyle)  # the header hears of it after the table

    def event(self, event: QEvent) -> bool:
        """Space is the table's own, whatever it does elsewhere."""
        return keep_space(event) or super().event(event)

    # inside

    def _heading(self) -> str:
        """The group whose heading has the keyboard's mark, "" where a run has it."""
        row = self.currentIndex().data(BoardRole) if self.currentIndex().isValid() else None
        return row.key if isinstance(row, BoardHeading) else ""

    def _choose_heading(self, group: str) -> None:
        for n, row in enumerate(self.board.content.rows):
            if isinstance(row, BoardHeading) and row.key == group:
                self.setCurrentIndex(self.board.index(n, TICK))

    def _restyle(self) -> None:
        self._lay_out_rows()
        self.fit()

    def _lay_out_rows(self) -> None:
        """Headings across all columns; heights by the text size."""
        name, small = QFontMetrics(derived(self.font(), 13)), QFontMetrics(derived(self.font(), 11.5))
        run, heading = name.height() + small.height() + 2 * PADDING + 1, name.height() + 16
        self.clearSpans()
        for row, shown in enumerate(self.board.content.rows):
            self.setRowHeight(row, heading if isinstance(shown, BoardHeading) else run)
            if isinstance(shown, BoardHeading):
                self.setSpan(row, 0, 1, self.board.columnCount())

    def _moved(self, now: QModelIndex) -> None:
        run = self.board.run_at(now.row())
        if run is not None and run.key != self._current:
            self._current = run.key
            self.became_current.emit(run.key)

    def _to_heading(self) -> None:
        row = self.currentIndex().row()
        while row > 0 and self.board.run_at(row) is not None:
            row -= 1
        self.setCurrentIndex(self.board.index(row, TICK))

    def _open(self, index: QModelIndex) -> None:
        row = index.data(BoardRole)
        if isinstance(row, BoardRow):
            self.run_opened.emit(row.key)
        elif isinstance(row, BoardHeading):
            self.group_toggled.emit(row.key)

    def _sort_by(self, section: int) -> None:
        column = self.board.column_at(section)
        if column is not None:
            self.sort_wanted.emit(column.id)

    def _ask_for_menu(self, place: QPoint) -> None:
        row = self.indexAt(place).data(BoardRole)
        if isinstance(row, BoardRow):
            self.menu_wanted.emit(row.key, self.viewport().mapToGlobal(place))


class BoardCellDelegate(RowDelegate):
    """A number; the ground says whether its row is ticked."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(BoardRole)
        if not isinstance(row, BoardRow):
            return
        _paint_ground(painter, option, row)
        bold = index.data(Qt.ItemDataRole.FontRole) is not None
        weight = QFont.Weight.DemiBold if bold else QFont.Weight.Normal
        painter.setFont(derived(option.font, 13, weight=weight))
        painter.setPen(index.data(Qt.ItemDataRole.ForegroundRole))
        inside = option.rect.adjusted(SIDE, 0, -SIDE, -1)
        end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(inside, int(end), index.data(Qt.ItemDataRole.DisplayRole) or "")


class BoardTickDelegate(RowDelegate):
    """Box and pin of a run; a whole heading, since that begins here."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(BoardRole)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, BoardHeading):
            _paint_heading(painter, option, row)
        else:
            _paint_ground(painter, option, row, first=True)
            _paint_box(painter, option.rect, ticked=row.ticked)
            if row.pinned:
                left = option.rect.left() + MARGIN + BOX + GAP
                icons.icon("pin").paint(painter, QRect(left, option.rect.center().y() - PIN // 2, PIN, PIN))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(MARGIN + BOX + GAP + PIN, 30)


class BoardNameDelegate(RunNameDelegate):
    """Mark, name with badges, and below it what tells the run apart."""

    def name_line(self, row: QRect) -> QRect:
        return row.adjusted(GLYPH + GAP - 2, 1, -4, 0)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(BoardRole)
        if not isinstance(row, BoardRow):
            return
        painter.save()
        _paint_ground(painter, option, row)
        _paint_name(painter, option.rect, row, option.font)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(LEAST_NAME, 30)


class BoardPlotDelegate(RowDelegate):
    """The number on the scale that the header names, its interval as a bar, each seed as a short line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(PLOT_WIDTH, 30)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, model = index.data(BoardRole), index.model()
        if not isinstance(row, BoardRow) or not isinstance(model, LeaderboardItemModel):
            return
        colours, content = theme.current(), model.content
        painter.save()
        _paint_ground(painter, option, row)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale, middle = _scale_in(option.rect), QRectF(option.rect).center().y()
        painter.setPen(QPen(QColor(colours.line), 1))
        for tick in content.ticks:
            x = _at(scale, content.span, tick)
            painter.drawLine(QPointF(x, scale.top() + 8), QPointF(x, scale.bottom() - 8))
        colour = QColor(colours.dim if row.grey or row.letter is None else colours.run_colour(row.letter))
        faint = QColor(colour)
        faint.setAlphaF(0.5)
        if row.bounds is not None:
            painter.setPen(QPen(faint, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            low, high = (QPointF(_at(scale, content.span, end), middle) for end in row.bounds)
            painter.drawLine(low, high)
        painter.setPen(QPen(faint, 1.5))
        for dot in row.dots:
            x = _at(scale, content.span, dot)
            painter.drawLine(QPointF(x, middle - 5), QPointF(x, middle + 5))
        if row.number is not None:
            place = QPointF(_at(scale, content.span, row.number), middle)
            if row.letter is not None and not row.grey:
                around = QRectF(place.x() - DOT - 1, place.y() - DOT - 1, 2 * DOT + 2, 2 * DOT + 2)
                paint_run_glyph(painter, around, row.letter)
            else:
                painter.setPen(QPen(colour, 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush if row.grey else colour)
                painter.drawEllipse(place, DOT, DOT)
        painter.restore()


class BoardHeader(QHeaderView):
    """Above the plot stand the numbers of its scale."""

    def __init__(self, table: LeaderboardTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self.setHighlightSections(False)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setMinimumSectionSize(24)

    def paintSection(self, painter: QPainter, rect: QRect, column: int) -> None:
        painter.save()
        super().paintSection(painter, rect, column)
        painter.restore()
        model = self.model()
        if column != PLOT or not isinstance(model, LeaderboardItemModel):
            return
        painter.setFont(axis_font(self.font()))
        painter.setPen(QColor(theme.current().dim))
        scale = _scale_in(rect)
        for tick in model.content.ticks:
            x = _at(scale, model.content.span, tick)
            place = QRectF(x - 40, rect.top(), 80, rect.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{tick:g}".replace("-", "−"))


def _paint_ground(painter: QPainter, option: QStyleOptionViewItem, row: BoardRow, *, first: bool = False) -> None:
    """Ticked rows have the colour of what is selected; the row with the keyboard has a line at its left."""
    colours, place = theme.current(), option.rect
    current = bool(option.state & QStyle.StateFlag.State_Selected)
    if row.ticked or current:
        painter.fillRect(place, QColor(colours.selection if row.ticked else colours.hover))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(place, QColor(colours.hover))
    painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))
    if first and current:
        painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))


def _paint_box(painter: QPainter, place: QRect, *, ticked: bool) -> None:
    colours = theme.current()
    box = QRectF(place.left() + MARGIN, place.center().y() - BOX / 2, BOX, BOX)
    if ticked:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent_background))
        painter.drawRoundedRect(box, 4, 4)
        icons.icon("check", colours.accent_text).paint(painter, box.adjusted(1, 1, -1, -1).toRect())
    else:
        painter.setPen(QPen(QColor(colours.dim), 1.3))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.75, 0.75, -0.75, -0.75), 4, 4)


def _paint_name(painter: QPainter, place: QRect, row: BoardRow, font: QFont) -> None:
    colours = theme.current()
    if row.letter is not None:
        glyph = QRectF(place.left(), place.center().y() - GLYPH / 2, GLYPH, GLYPH)
        paint_run_glyph(painter, glyph, row.letter, letter=True)
    inside = place.adjusted(GLYPH + GAP, PADDING, -6, -PADDING)
    small = derived(font, 11)
    shown, badges = _fitting(row.badges, QFontMetrics(small), inside.width() - SHORT_NAME)
    painter.setFont(derived(font, 13, weight=QFont.Weight.Medium))
    metrics = painter.fontMetrics()
    top = inside.top() if row.settings else place.center().y() - metrics.height() // 2
    first = QRect(inside.left(), top, inside.width() - badges, metrics.height())
    name = cut_run_name(metrics, row.name, first.width())
    painter.setPen(QColor(colours.dim if row.grey else colours.text))
    painter.drawText(first, Qt.AlignmentFlag.AlignVCenter, name)
    left = float(first.left() + metrics.horizontalAdvance(name) + GAP)
    painter.setFont(small)
    for words, kind in shown:
        left = paint_badge(painter, left, first.center().y() + 0.5, words, kind) + 6
    painter.setFont(derived(font, 11.5))
    metrics = painter.fontMetrics()
    last = QRect(inside.left(), inside.bottom() - metrics.height() + 1, inside.width(), metrics.height())
    painter.setPen(QColor(colours.dim))
    words = metrics.elidedText(straight(row.settings), Qt.TextElideMode.ElideRight, last.width())
    painter.drawText(last, Qt.AlignmentFlag.AlignVCenter, words)


def _fitting(
    badges: tuple[tuple[str, str], ...], metrics: QFontMetrics, room: int
) -> tuple[list[tuple[str, str]], int]:
    """The first badges that fit beside each other, and how wide they are; the row's tip has what the others say."""
    shown, used = [], 0
    for words, kind in badges:
        width = metrics.horizontalAdvance(words) + 16
        if used + width > room:
            break
        shown.append((words, kind))
        used += width
    return shown, used


def _paint_heading(painter: QPainter, option: QStyleOptionViewItem, row: BoardHeading) -> None:
    colours, place = theme.current(), option.rect
    current = bool(option.state & QStyle.StateFlag.State_Selected)
    painter.fillRect(place, QColor(colours.hover if current else colours.inset))
    painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))
    if current:
        painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
    arrow = QRect(place.left() + MARGIN, place.center().y() - 6, 13, 13)
    icons.icon("chevron_down" if row.is_open else "chevron_right").paint(painter, arrow)
    middle, right = QRectF(place).center().y() + 0.5, float(place.right() - MARGIN)
    painter.setFont(derived(option.font, 11))
    metrics = painter.fontMetrics()
    for words, kind in ((row.badge, "warn"), (row.warning, "warn")):
        if words:
            right -= metrics.horizontalAdvance(words) + 10
            paint_badge(painter, right, middle, words, kind)
            right -= GAP
    left = float(arrow.right() + GAP)
    for words, pixels, weight, colour in (
        (row.title, 13, QFont.Weight.DemiBold, colours.text),
        (row.rule, 12, QFont.Weight.Normal, colours.secondary),
        (row.detail, 12, QFont.Weight.Normal, colours.dim),
    ):
        painter.setFont(derived(option.font, pixels, weight=weight))
        metrics = painter.fontMetrics()
        room = QRectF(left, place.top(), max(right - left, 0), place.height())
        cut = metrics.elidedText(straight(words), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.setPen(QColor(colour))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, cut)
        left += metrics.horizontalAdvance(cut) + 1.5 * GAP


def _scale_in(place: QRect) -> QRectF:
    return QRectF(place).adjusted(PLOT_SIDE, 0, -PLOT_SIDE, 0)


def _at(scale: QRectF, span: tuple[float, float], number: float) -> float:
    return scale.left() + (number - span[0]) / ((span[1] - span[0]) or 1.0) * scale.width()


__all__ = ["INTERVAL", "NAME", "TICK", "VALUE", "LeaderboardTable"]
