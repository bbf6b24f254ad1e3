"""A run's scores under all rules, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.results.metrics_item_model import FEW, RIGHT
from stepscope.widgets.results.result_rows import RuleRow

Index = QModelIndex | QPersistentModelIndex
TITLE, METRIC, VALUE, INTERVAL, FLIPS, N, UNSCORED, MALFORMED, NO_ANSWER, ERRORS, LEFT_OUT = range(11)
HEADS = (
    "Rule", "Metric", "Score", "95 % interval", "Flips", "n", "Unscored", "Malformed", "No answer", "Errors",
    "Left out because",
)  # fmt: skip
_WORDS = (TITLE, METRIC, LEFT_OUT)
"""Columns of words, which begin at the left."""


class RulesItemModel(QAbstractTableModel):
    """`chosen` is the rule whose results the page shows; its row is bold."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[RuleRow, ...] = ()
        self._chosen = ""

    def set_rows(self, rows: Sequence[RuleRow], chosen: str) -> None:
        self.beginResetModel()
        self._rows, self._chosen = tuple(rows), chosen
        self.endResetModel()

    def row(self, place: int) -> RuleRow:
        return self._rows[place]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _words(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column not in _WORDS:
            return RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            if column in (UNSCORED, LEFT_OUT) and row.left_out:
                return tip_words(_left_out(row, 10))
            return tip_words(row.why or row.tip or row.title)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(_colour(row, column))
        if role == Qt.ItemDataRole.FontRole and (column == VALUE or (column == TITLE and row.id == self._chosen)):
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(HEADS):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section not in _WORDS:
            return RIGHT
        return HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None


def _words(row: RuleRow, column: int) -> str:
    if column == TITLE:
        return f"{row.title} (this run's own)" if row.own else row.title
    if not row.scored:
        return (row.why or "Not scored yet") if column == METRIC else formats.NONE
    return {
        METRIC: row.why or row.metric,
        VALUE: formats.score(row.value),
        INTERVAL: formats.interval(row.interval),
        FLIPS: formats.NONE if row.own else formats.count(row.flips),
        N: formats.count(row.n) + (" few" if 0 < row.n < FEW else ""),
        UNSCORED: formats.count(row.unscored),
        MALFORMED: formats.count(row.malformed - row.null),
        NO_ANSWER: formats.count(row.null),
        ERRORS: formats.count(row.errors),
        LEFT_OUT: _left_out(row, 1),
    }[column]


def _left_out(row: RuleRow, most: int) -> str:
    """The most frequent reasons with their counts, and how many there are besides."""
    shown = [f"{formats.count(count)}: {why}" for why, count in row.left_out[:most]]
    others = len(row.left_out) - most
    return " ".join([*shown, f"and {formats.counted(others, 'other reason')}"] if others > 0 else shown)


def _colour(row: RuleRow, column: int) -> str:
    colours = theme.current()
    if not row.scored or (column == VALUE and row.n < FEW):
        return colours.text if column == TITLE else colours.dim
    if column == FLIPS and row.flips:
        return colours.warn
    if column in (MALFORMED, NO_ANSWER) and _words(row, column) not in ("0", formats.NONE):
        return colours.warn
    if column == ERRORS and row.errors:
        return colours.miss
    return colours.text if column in (TITLE, VALUE) else colours.secondary
