"""The rows of one table on the page of orders, sorted as a person wants."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.results.metrics_item_model import RIGHT
from stepscope.widgets.results.order_values import OrderLine, OrderSheet
from stepscope.widgets.scores.breakdown_values import Key

Index = QModelIndex | QPersistentModelIndex


class OrderLinesItemModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet = OrderSheet("", "")
        self._lines: list[OrderLine] = []

    def set_sheet(self, sheet: OrderSheet) -> None:
        """Show other rows, in their own order."""
        self.beginResetModel()
        self._sheet, self._lines = sheet, list(sheet.lines)
        self.endResetModel()

    def line(self, row: int) -> OrderLine:
        return self._lines[row]

    def row_of(self, key: Key) -> int:
        """-1 for a key that no row has."""
        return next((row for row, line in enumerate(self._lines) if key is not None and line.key == key), -1)

    def sort_by(self, column: int, *, descending: bool) -> None:
        """Equal rows keep their order; those without a value stand at the end either way."""
        known = [line for line in self._lines if line.values[column] is not None]
        rest = [line for line in self._lines if line.values[column] is None]
        self.layoutAboutToBeChanged.emit()
        self._lines = sorted(known, key=lambda line: _sortable(line.values[column]), reverse=descending) + rest
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._sheet.heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line, column = self._lines[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return straight(line.cells[column])
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(line.cells[column])
        if role == Qt.ItemDataRole.TextAlignmentRole and not self._sheet.heads[column][1]:
            return RIGHT
        if role == Qt.ItemDataRole.ForegroundRole and line.key is None:
            return QColor(theme.current().secondary)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._sheet.heads):
            return None
        words, is_words = self._sheet.heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and not is_words:
            return RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return "A click sorts by this column, a second one the other way"
        return words if role == Qt.ItemDataRole.DisplayRole else None


def _sortable(value: str | float | None) -> tuple[str, float]:
    return (value.casefold(), 0.0) if isinstance(value, str) else ("", value or 0.0)
