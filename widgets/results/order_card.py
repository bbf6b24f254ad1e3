"""One table of the page of orders in its card: a row is a way to the procedures behind it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_table import RowTable, keep_space
from stepscope.widgets.results.order_lines_item_model import OrderLinesItemModel
from stepscope.widgets.results.order_values import OrderSheet
from stepscope.widgets.scores.breakdown_values import Key
from stepscope.widgets.scores.card import ResultCard

MOST_ROWS = 12
"""Rows that a card has room for; more are scrolled to."""
LEAST_FIRST, MOST_FIRST = 100, 220
"""Pixels between which the first column has what its words need, with text as it is at first; it gets more where there
is room, and a table that is too wide scrolls."""
TEXT_HEIGHT = 15


class OrderRows(RowTable):
    """Space chooses the current row, as a click does."""

    space_pressed = Signal(QModelIndex)

    def event(self, event: QEvent) -> bool:
        return keep_space(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.space_pressed.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class OrderCard(ResultCard):
    """`chosen` carries a row's key after a click or Space, `opened` after a double click or Enter."""

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent=parent)
        self._sheet = OrderSheet("", title)
        self._chosen: Key = None
        self._sorted, self._descending, self._was_opened = -1, False, False
        self.model = OrderLinesItemModel(self)
        self.table = OrderRows(title)
        self.table.setModel(self.model)
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        self.note = QLabel()
        self.note.setProperty("role", "tiny")
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.body.addWidget(self.table)
        self.body.addWidget(self.note)
        self.body.addStretch(1)
        header.sectionClicked.connect(self._sort)
        self.table.pressed.connect(self._press)
        self.table.clicked.connect(self._click)
        self.table.space_pressed.connect(self._choose)
        self.table.opened.connect(self._open)
        self.table.viewport().installEventFilter(self)

    def set_sheet(self, sheet: OrderSheet) -> None:
        """Show another table; the same again changes nothing."""
        if sheet == self._sheet:
            return
        self._sheet, self._sorted = sheet, -1
        self.set_title(sheet.title)
        self.table.setAccessibleName(sheet.title)
        self.table.horizontalHeader().setSortIndicatorShown(False)
        self.model.set_sheet(sheet)
        self.note.setText(straight(sheet.note))
        self.note.setVisible(bool(sheet.note))
        self.table.setVisible(bool(sheet.lines))
        self._fit()
        self.set_chosen(self._chosen)

    def set_chosen(self, key: Key) -> None:
        """Mark the row with this key; tells nobody."""
        self._chosen = key
        row = self.model.row_of(key)
        if row >= 0:
            self.table.selectRow(row)
        else:
            self.table.clearSelection()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "note"):
            self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The table got another width, which comes after that of the card."""
        if event.type() == QEvent.Type.Resize and hasattr(self, "note"):
            self._fit()
        return super().eventFilter(watched, event)

    def _press(self, _index: QModelIndex) -> None:
        self._was_opened = False

    def _click(self, index: QModelIndex) -> None:
        """Of a double click the second release says nothing more."""
        was_opened, self._was_opened = self._was_opened, False
        if not was_opened:
            self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        key = self._key(index)
        if key is not None:
            self.chosen.emit(key)
        else:
            self.set_chosen(self._chosen)

    def _open(self, index: QModelIndex) -> None:
        key = self._key(index)
        self._was_opened = True
        if key is not None:
            self.opened.emit(key)

    def _key(self, index: QModelIndex) -> Key:
        return self.model.line(index.row()).key if index.isValid() else None

    def _sort(self, column: int) -> None:
        self._descending = column == self._sorted and not self._descending
        self._sorted = column
        header = self.table.horizontalHeader()
        header.setSortIndicatorShown(True)
        way = Qt.SortOrder.DescendingOrder if self._descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(column, way)
        self.model.sort_by(column, descending=self._descending)
        self.set_chosen(self._chosen)

    def _fit(self) -> None:
        """Room for all rows, or for the most that a card shows, and for the bar of a table that is too wide."""
        self._size_columns()
        rows, header = min(self.model.rowCount(), MOST_ROWS), self.table.horizontalHeader()
        too_wide = header.length() > self.table.viewport().width()
        bar = self.table.horizontalScrollBar().sizeHint().height() if too_wide else 0
        height = header.sizeHint().height() + rows * self.table.row_height() + 2 * self.table.frameWidth() + bar
        self.table.setFixedHeight(height)

    def _size_columns(self) -> None:
        """Numbers take what they need, the first column of words what is left."""
        header, columns = self.table.horizontalHeader(), self.model.columnCount()
        if not columns:
            return
        widths = [
            max(self.table.sizeHintForColumn(column), header.sectionSizeHint(column)) for column in range(1, columns)
        ]
        scale = self.fontMetrics().height() / TEXT_HEIGHT
        needed = max(self.table.sizeHintForColumn(0), header.sectionSizeHint(0), round(LEAST_FIRST * scale))
        needed = min(needed, round(MOST_FIRST * scale))
        self.table.setColumnWidth(0, max(needed, self.table.viewport().width() - sum(widths)))
        for column, width in enumerate(widths, start=1):
            self.table.setColumnWidth(column, width)
