"""A table of words of which some columns can be written in."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.row_table import RowTable

Index = QModelIndex | QPersistentModelIndex
ROWS_MEASURED = 60
"""Rows that say how wide a column must be; all of thousands would hold up the window."""


@dataclass(frozen=True, slots=True)
class CampaignTableRow:
    """A row: what it stands for, its words by column, and a tip."""

    key: Hashable
    words: tuple[str, ...]
    tip: str = ""


class CellsItemModel(QAbstractTableModel):
    """`edited` carries a row's key, the column and the new words; what is shown changes when new rows come."""

    edited = Signal(object, int, str)

    def __init__(self, columns: Sequence[str], *, editable: Sequence[int] = (), numbers: Sequence[int] = ()) -> None:
        super().__init__()
        self._columns, self._editable, self._numbers = tuple(columns), frozenset(editable), frozenset(numbers)
        self.rows: tuple[CampaignTableRow, ...] = ()

    def set_rows(self, rows: Sequence[CampaignTableRow]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in self._numbers:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        words = row.words[index.column()]
        if role == Qt.ItemDataRole.EditRole:
            return words
        if role == Qt.ItemDataRole.DisplayRole:
            return words or "–"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(row.tip or words)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in self._numbers:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        can = Qt.ItemFlag.ItemIsEditable if index.column() in self._editable else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | can

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.rows[index.row()]
        words = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or words == row.words[index.column()]:
            return False
        self.edited.emit(row.key, index.column(), words)
        return True


class CellsTable(RowTable):
    """Rows are chosen by their keys; F2 or a double click writes in a cell, Delete asks to take rows away."""

    chosen = Signal()
    delete_requested = Signal()

    def __init__(
        self, name: str, model: CellsItemModel, *, stretch: Sequence[int], parent: QWidget | None = None
    ) -> None:
        super().__init__(name, parent)
        self.cells = model
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(ROWS_MEASURED)
        for column in stretch:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().selectionChanged.connect(lambda _now, _before: self.chosen.emit())

    def set_rows(self, rows: Sequence[CampaignTableRow]) -> None:
        """Show other rows; those that were chosen stay so where they are still there."""
        before, place = set(self.keys()), self.currentIndex().row()
        self.cells.set_rows(rows)
        kept = [number for number, row in enumerate(rows) if row.key in before]
        if kept:
            self._choose(kept)
        elif before and rows:  # what was chosen is gone: the next one takes its place
            self._choose([min(max(place, 0), len(rows) - 1)])
        self.chosen.emit()

    def keys(self) -> tuple[Any, ...]:
        """What the chosen rows stand for, from the top."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        return tuple(self.cells.rows[place].key for place in places if place < len(self.cells.rows))

    def choose(self, key: Hashable) -> None:
        """Choose the row that stands for this, where there is one."""
        places = [place for place, row in enumerate(self.cells.rows) if row.key == key]
        if places:
            self._choose(places)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.keys():
            self.delete_requested.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self, places: Sequence[int]) -> None:
        """Choose a row without `setCurrentIndex`, which heeds keys that are held."""
        chosen, flag = self.selectionModel(), QItemSelectionModel.SelectionFlag
        chosen.setCurrentIndex(self.cells.index(places[0], 0), flag.ClearAndSelect | flag.Rows)
        for place in places[1:]:
            chosen.select(self.cells.index(place, 0), flag.Select | flag.Rows)
