"""A list of items that come page by page, each known by its key."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Signal
from PySide6.QtWidgets import QAbstractItemDelegate

from stepscope.widgets.common.paged_item_model import PagedItemModel
from stepscope.widgets.common.paged_list import PagedList
from stepscope.widgets.scores.breakdown_values import Key


class KeyedList(PagedList):
    """The model's values have a `key`. What the program makes current is not told, and nothing is told twice."""

    opened = Signal(object)
    """a row's key: Enter or a double click"""
    shown = Signal(object)
    """a row's key: the person made it the current one"""

    def __init__(self, name: str, delegate: QAbstractItemDelegate, rows: PagedItemModel[Any]) -> None:
        super().__init__(name, delegate)
        self._rows = rows
        self._told: Key = None
        self._quiet: int | None = None
        """The row that the program made current."""
        self.setModel(rows)
        rows.dataChanged.connect(lambda *_places: self._current_came())
        self.selectionModel().currentChanged.connect(lambda *_places: self._current_came())
        self.taken.connect(self._open)
        self.doubleClicked.connect(self._open)

    def forget(self) -> None:
        """Forget which row was told: others are to come."""
        self._told = self._quiet = None

    def choose(self, position: int) -> None:
        """Make a row current and visible without telling; out of range leaves none."""
        if not 0 <= position < self._rows.rowCount():
            self.forget()
            self.selectionModel().clear()
            return
        self._quiet = position
        index = self._rows.index(position, 0)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.scrollTo(index)

    def _current_came(self) -> None:
        """Tell the current row once its value is at hand."""
        position = self.currentIndex().row()
        row = self._rows.peek(position) if position >= 0 else None
        if row is None or row.key == self._told:
            return
        self._told, quiet, self._quiet = row.key, self._quiet, None
        if position != quiet:
            self.shown.emit(row.key)

    def _open(self, index: QModelIndex) -> None:
        row = self._rows.peek(index.row()) if index.isValid() else None
        if row is not None:
            self.opened.emit(row.key)
