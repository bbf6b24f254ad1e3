"""Procedures as the rows of a table: what each is, and numbers about it; sorted by any column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.row_delegate import paint_row_ground
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.ordering.ordering_rows import ProcedureLine, ValueColumn

TableIndex = QModelIndex | QPersistentModelIndex
LineRole = Qt.ItemDataRole.UserRole + 1
SIGN, PAD = 14, 8
LEAST_NAME = 0.55
"""The share of a list's width that the procedures' names have at least (ours); what has no room beside is scrolled."""
MARK_WORDS = {"draft": "You have begun to order it.", "done": "You have ordered it."}


class ProceduresItemModel(QAbstractTableModel):
    """The first column is the procedure, the others are numbers."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._columns: tuple[ValueColumn, ...] = ()
        self._given: tuple[ProcedureLine, ...] = ()
        self.lines: tuple[ProcedureLine, ...] = ()
        """as they are shown"""
        self._row_of: dict[str, int] = {}
        self._sorted_by: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)

    def set_lines(self, columns: Sequence[ValueColumn], lines: Sequence[ProcedureLine]) -> None:
        self.beginResetModel()
        if len(columns) != len(self._columns):
            self._sorted_by = (-1, Qt.SortOrder.AscendingOrder)
        self._columns, self._given = tuple(columns), tuple(lines)
        self._arrange()
        self.endResetModel()

    def row_of(self, procedure: str) -> int:
        """Where the procedure stands, -1 for nowhere."""
        return self._row_of.get(procedure, -1)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column; -1 is the order of the data. Procedures without a value come last."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        ids = [(self.lines[index.row()].id, index.column()) for index in before]
        self._sorted_by = column, order
        self._arrange()
        self.changePersistentIndexList(before, [self.index(self.row_of(one), at) for one, at in ids])
        self.layoutChanged.emit()

    def rowCount(self, parent: TableIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: TableIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else 1 + len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section - 1].title if section else "Procedure"
        if role == Qt.ItemDataRole.ToolTipRole and section:
            return tip_words(self._columns[section - 1].tip)
        if role == Qt.ItemDataRole.TextAlignmentRole and section:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: TableIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line, column = self.lines[index.row()], index.column()
        if role == LineRole:
            return line
        if column == 0:
            return self._about(line, role)
        one = self._columns[column - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return one.words(line.values[column - 1])
        if role == Qt.ItemDataRole.ForegroundRole and one.run is not None:
            return QColor(theme.current().run_colour(one.run))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _about(self, line: ProcedureLine, role: int) -> Any:
        """The first column: the goal, and in its tip all that the row says."""
        if role == Qt.ItemDataRole.DisplayRole:
            return straight(line.goal or line.id)
        if role not in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return None
        people = f"{formats.counted(line.people, 'person', 'people')} ordered it blind." if line.people else ""
        said = [f"{one.title} {one.words(value)}" for one, value in zip(self._columns, line.values, strict=True)
                if value is not None]  # fmt: skip
        return tip_words(" ".join(filter(None, (line.goal, MARK_WORDS.get(line.mark, ""), people, ", ".join(said)))))

    def _arrange(self) -> None:
        column, order = self._sorted_by
        lines = list(self._given)
        down = order is Qt.SortOrder.DescendingOrder
        if column == 0:
            lines.sort(key=lambda line: line.goal.casefold(), reverse=down)
        elif 0 < column <= len(self._columns):
            known = [line for line in lines if line.values[column - 1] is not None]
            known.sort(key=lambda line: line.values[column - 1] or 0.0, reverse=down)
            lines = known + [line for line in lines if line.values[column - 1] is None]
        self.lines = tuple(lines)
        self._row_of = {line.id: row for row, line in enumerate(lines)}


class ProcedureDelegate(QStyledItemDelegate):
    """Two lines: goal, and number of steps; at the right a sign for what the person has ordered or begun."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: TableIndex) -> None:
        paint_row_ground(painter, option)
        line: ProcedureLine = index.data(LineRole)
        colours, place = theme.current(), option.rect.adjusted(PAD + 4, 4, -4, -4)
        if line.mark:
            colour = colours.hit if line.mark == "done" else colours.warn
            corner = QRect(place.right() - SIGN, place.center().y() - SIGN // 2, SIGN, SIGN)
            icons.icon("check" if line.mark == "done" else "note", colour).paint(painter, corner)
            place.setRight(place.right() - SIGN - 6)
        words, small = derived(option.font, 13), derived(option.font, 11)
        high = QFontMetrics(words).height()
        painter.setFont(words)
        painter.setPen(QColor(colours.text))
        cut = QFontMetrics(words).elidedText(straight(line.goal or line.id), Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(QRectF(place.left(), place.top(), place.width(), high), cut)
        painter.setFont(small)
        painter.setPen(QColor(colours.dim))
        below = QRectF(place.left(), place.top() + high, place.width(), QFontMetrics(small).height())
        people = f" · {formats.counted(line.people, 'person', 'people')}" if line.people else ""
        painter.drawText(below, f"{formats.counted(line.steps, 'step')}{people}")

    def sizeHint(self, option: QStyleOptionViewItem, index: TableIndex) -> QSize:
        line: ProcedureLine = index.data(LineRole)
        width = QFontMetrics(derived(option.font, 13)).horizontalAdvance(straight(line.goal or line.id))
        return QSize(min(width, 360) + SIGN + 2 * PAD + 16, 44)


class NumberDelegate(QStyledItemDelegate):
    """A number at the right, with little room at its sides."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: TableIndex) -> None:
        paint_row_ground(painter, option)
        ink = index.data(Qt.ItemDataRole.ForegroundRole) or QColor(theme.current().text)
        painter.setFont(derived(option.font, 12))
        painter.setPen(ink)
        place = option.rect.adjusted(0, 0, -PAD, 0)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, right, index.data(Qt.ItemDataRole.DisplayRole))


class ProceduresTable(RowTable):
    """A table of procedures whose rows have two lines; Enter belongs to it while it has the keyboard."""

    def __init__(self, name: str, parent: QWidget, *, name_width: int = 0) -> None:
        """`name_width` is that of the first column in pixels; 0: it takes the room that is left."""
        self._name_width = name_width
        super().__init__(name, parent)
        if not name_width:
            self.setItemDelegate(NumberDelegate(self))
        self.items = ProceduresItemModel(self)
        self.setModel(self.items)
        self.setItemDelegateForColumn(0, ProcedureDelegate(self))
        self.setSortingEnabled(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setSortIndicatorClearable(True)
        self.horizontalHeader().setMinimumSectionSize(40)

    def set_lines(self, columns: Sequence[ValueColumn], lines: Sequence[ProcedureLine]) -> None:
        """Show these rows."""
        shown = self.verticalScrollBar().value()
        self.items.set_lines(columns, lines)
        header = self.horizontalHeader()
        if self.items.columnCount():
            self._size_sections(header)
        self.verticalScrollBar().setValue(shown)

    def _size_sections(self, header: QHeaderView) -> None:
        if self._name_width:
            header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(0, self._name_width)
            return
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        for column in range(1, self.items.columnCount()):
            title = self.items.headerData(column, Qt.Orientation.Horizontal)
            widest = max(header.fontMetrics().horizontalAdvance(title), self.fontMetrics().horizontalAdvance("−0.80"))
            header.resizeSection(column, widest + PAD + 4)
            self.setColumnHidden(column, all(line.values[column - 1] is None for line in self.items.lines))
        self._size_names()

    def _size_names(self) -> None:
        """In a list the names have what the numbers leave, and never less than their share."""
        header, room = self.horizontalHeader(), self.viewport().width()
        if not self._name_width and self.items.columnCount():
            numbers = header.length() - header.sectionSize(0)
            header.resizeSection(0, max(room - numbers, round(room * LEAST_NAME)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._size_names()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.items.columnCount():
            self._size_sections(self.horizontalHeader())

    def choose(self, procedure: str) -> None:
        """Select the procedure's row."""
        row, shown = self.items.row_of(procedure), self.verticalScrollBar().value()
        if row >= 0:
            self.selectRow(row)
            self.verticalScrollBar().setValue(shown)
        else:
            self.clearSelection()

    def _measure(self) -> None:
        high = QFontMetrics(derived(self.font(), 13)).height() + QFontMetrics(derived(self.font(), 11)).height() + 10
        self.verticalHeader().setDefaultSectionSize(max(44, high))
