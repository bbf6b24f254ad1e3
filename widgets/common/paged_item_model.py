"""A list of many rows of which only the pages that are looked at are ever read.

The model knows how many rows there are. When the view asks for a row that is not there it shows a placeholder and
emits `page_wanted`; the owner reads the page wherever it lies and answers with `set_page`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

Index = QModelIndex | QPersistentModelIndex
Value = TypeVar("Value")

PAGE_ROWS = 128
CACHED_PAGES = 24
WAITING_PAGES = 6
"""When someone scrolls fast only the pages asked for last are read."""

RowRole = int(Qt.ItemDataRole.UserRole)
"""The frozen row value, None while it is being read."""


class PagedItemModel(QAbstractTableModel, Generic[Value]):
    """Rows by page. Subclasses say what a cell shows in `cell`."""

    page_wanted = Signal(int, int)
    """offset, limit; answered by `set_page(offset, rows)`."""

    columns: tuple[str, ...] = ("",)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._total = 0
        self._generation = 0
        self._pages: OrderedDict[int, Sequence[Value]] = OrderedDict()
        self._stale: set[int] = set()
        self._asked: set[int] = set()
        self._wanted: OrderedDict[int, None] = OrderedDict()
        self._asking = QTimer(self)
        self._asking.setSingleShot(True)
        self._asking.setInterval(0)
        self._asking.timeout.connect(self._ask)

    @property
    def generation(self) -> int:
        """Counts what the rows stand for; a page that was asked for under an older one is no longer wanted."""
        return self._generation

    @property
    def total(self) -> int:
        """How many values the list has."""
        return self._total

    def set_total(self, total: int) -> None:
        """Hold other rows altogether, `total` of them, and forget all known ones."""
        self.beginResetModel()
        self._hold(total)
        self._generation += 1
        self._pages.clear()
        self._forget_requests()
        self._stale.clear()
        self.endResetModel()

    def mark_stale(self, total: int | None = None) -> None:
        """The same rows with other contents: old ones stay on screen until new ones come, selection and scroll stay.

        `total` changes the number of rows at the end.
        """
        self._generation += 1
        self._forget_requests()
        self._stale = set(self._pages)
        if total is not None:
            self._resize(total)
        if rows := self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, self.columnCount() - 1))

    def set_page(self, offset: int, rows: Sequence[Value], generation: int | None = None) -> bool:
        """Rows from `offset` on; False when they are no longer wanted (`generation` is not that of now)."""
        number = offset // PAGE_ROWS
        if (generation is not None and generation != self._generation) or offset % PAGE_ROWS or offset >= self._total:
            return False
        self._asked.discard(number)
        self._stale.discard(number)
        self._pages[number] = rows
        self._pages.move_to_end(number)
        while len(self._pages) > CACHED_PAGES:
            forgotten, _rows = self._pages.popitem(last=False)
            self._stale.discard(forgotten)
        last = min(offset + PAGE_ROWS, self._total) - 1
        first, last = self._row_of(offset), self._row_of(last)
        self.dataChanged.emit(self.index(first, 0), self.index(last, self.columnCount() - 1))
        return True

    def value(self, row: int) -> Value | None:
        """The row's value; None while it is being read, which this asks for."""
        number, place = divmod(row, PAGE_ROWS)
        page = self._pages.get(number)
        if page is None or number in self._stale:
            self._want(number)
        elif number in self._pages:
            self._pages.move_to_end(number)
        return page[place] if page is not None and place < len(page) else None

    def peek(self, row: int) -> Value | None:
        """The row's value if it is at hand; asks for nothing."""
        page = self._pages.get(row // PAGE_ROWS)
        place = row % PAGE_ROWS
        return page[place] if page is not None and place < len(page) else None

    def cell(self, value: Value, column: int, role: int) -> Any:
        """What a cell of a row that has been read gives for `role`."""
        raise NotImplementedError

    def placeholder(self, row: int, column: int, role: int) -> Any:
        """What a cell gives while its row is being read."""
        return "Reading…" if role == Qt.ItemDataRole.AccessibleTextRole else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self._total

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        value = self.value(index.row())
        if role == RowRole:
            return value
        if value is None:
            return self.placeholder(index.row(), index.column(), role)
        return self.cell(value, index.column(), role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        return self.columns[section] if role == Qt.ItemDataRole.DisplayRole else None

    def _hold(self, total: int) -> None:
        """Take another number of values, while the model is being reset."""
        self._total = total

    def _row_of(self, place: int) -> int:
        """The row in which the value at this place of the list stands; subclasses may have others between."""
        return place

    def _want(self, number: int) -> None:
        if number in self._asked:
            return
        self._wanted[number] = None
        self._wanted.move_to_end(number)
        while len(self._wanted) > WAITING_PAGES:
            self._wanted.popitem(last=False)
        if not self._asking.isActive():
            self._asking.start()

    def _ask(self) -> None:
        wanted, self._wanted = list(self._wanted), OrderedDict()
        for number in wanted:
            self._asked.add(number)
            offset = number * PAGE_ROWS
            self.page_wanted.emit(offset, min(PAGE_ROWS, self._total - offset))

    def _forget_requests(self) -> None:
        self._asked.clear()
        self._wanted.clear()
        self._asking.stop()

    def _resize(self, total: int) -> None:
        if total > self._total:
            self.beginInsertRows(QModelIndex(), self._total, total - 1)
            self._hold(total)
            self.endInsertRows()
        elif total < self._total:
            self.beginRemoveRows(QModelIndex(), total, self._total - 1)
            self._hold(total)
            for number in [page for page in self._pages if page * PAGE_ROWS >= total]:
                del self._pages[number]
            self._stale &= set(self._pages)
            self.endRemoveRows()
