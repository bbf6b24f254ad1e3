"""Models as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.models.model_row import ModelRow

Index = QModelIndex | QPersistentModelIndex
BELOW_RULES = "below the rules"
COLUMNS = ("Name", "Task", "Runtime", "Weights", "From", "Trained on")


class ModelsItemModel(QAbstractTableModel):
    """A row a model, in the order given."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[ModelRow, ...] = ()

    def set_rows(self, rows: Sequence[ModelRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, place: int) -> ModelRow | None:
        return self._rows[place] if 0 <= place < len(self._rows) else None

    def place_of(self, name: str) -> int:
        """The row of the model of that name, -1 where there is none."""
        return next((place for place, row in enumerate(self._rows) if row.name == name), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return COLUMNS[section] if shown else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index.row())
        if row is None:
            return None
        task = f"{row.task} · {BELOW_RULES}" if row.below_rules else row.task
        words = (row.name, task, row.runtime, row.weights, row.origin, row.trained_on)[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return words or "–"
        if row.below_rules and index.column() == COLUMNS.index("Task"):
            if role == Qt.ItemDataRole.ForegroundRole:
                return QColor(theme.current().warn)
            words = row.below_rules
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(row.why_not if row.why_not and index.column() == COLUMNS.index("Weights") else words)
        return None
