"""Metrics of a run as a table; the paper's column is there only when a paper's number is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from widgets import format as formats
from widgets import theme
from widgets.results.values import MetricRow

Index = QModelIndex | QPersistentModelIndex
MetricRole = int(Qt.ItemDataRole.UserRole)
TITLE, VALUE, INTERVAL, PLOT, N, PAPER = range(6)
HEADS = ("Metric", "This run", "95 % interval", "", "n", "Paper")
FEW = 10
"""Below this many items a rate says little."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class MetricsItemModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[MetricRow, ...] = ()
        self._paper = False

    def set_metrics(self, rows: Sequence[MetricRow], *, paper: bool = True) -> None:
        """`paper` False hides the papers' numbers (a stand-in's scores are not to be compared)."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self._paper = paper and any(row.paper is not None for row in rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(HEADS) - (not self._paper)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == MetricRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return _words(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column != TITLE:
            return RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.paper_source if column == PAPER else row.tip or row.title
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(_colour(row, column))
        if role == Qt.ItemDataRole.FontRole and (column == VALUE or (row.main and column == TITLE)):
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(HEADS):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section != TITLE:
            return RIGHT
        return HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None


def _words(row: MetricRow, column: int) -> str:
    return {
        TITLE: row.title + (" ↓" if row.lower_is_better else ""),
        VALUE: formats.score(row.value),
        INTERVAL: formats.interval(row.interval),
        N: formats.count(row.n) + (" few" if 0 < row.n < FEW else ""),
        PAPER: formats.score(row.paper),
    }.get(column, "")


def _colour(row: MetricRow, column: int) -> str:
    colours = theme.current()
    if row.n < FEW or (column == VALUE and row.value is None):
        return colours.dim
    if column == PAPER:
        return colours.dim if row.paper is None else colours.reference
    return colours.text if column in (TITLE, VALUE) else colours.secondary
