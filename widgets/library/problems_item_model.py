"""What could not be read, as a table: file, record, field, what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from stepscope.widgets.library.episode_list_rows import ProblemLine

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("File", "Record", "Field", "What is wrong")


class ProblemsItemModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ProblemLine, ...] = ()

    @property
    def rows(self) -> tuple[ProblemLine, ...]:
        return self._rows

    def set_rows(self, rows: Sequence[ProblemLine]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        return cells(self._rows[index.row()])[index.column()]

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return COLUMNS[section]
        return None


def cells(row: ProblemLine) -> tuple[str, str, str, str]:
    return row.file, row.record, row.field, row.message


def as_text(rows: Sequence[ProblemLine]) -> str:
    """The table as tab-separated lines with a head, for the clipboard."""
    from stepscope.core.spreadsheet import clipboard_lines

    return clipboard_lines([COLUMNS, *map(cells, rows)])
