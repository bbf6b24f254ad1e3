"""The spaces of a coordinate check, and the steps that would turn, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.results.coordinates_values import SpaceRow, TurnRow
from stepscope.widgets.results.metrics_item_model import RIGHT

Index = QModelIndex | QPersistentModelIndex
TITLE, SHARE, INTERVAL, BAR, ON_SCREEN, ACCURACY, DIFFERENCE = range(7)
HEADS = ("Candidate space", "Points right", "95 % interval", "", "On screen", "Step accuracy", "Difference")
SpaceRole = Qt.ItemDataRole.UserRole + 1
"""The row itself."""
TURN_HEADS = ("Episode", "Step", "Said", "Would be")
WOULD = 3


class SpacesItemModel(QAbstractTableModel):
    """One row a space; the chosen one is bold."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[SpaceRow, ...] = ()

    def set_rows(self, rows: Sequence[SpaceRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, place: int) -> SpaceRow:
        return self._rows[place]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == SpaceRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return _space_words(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(f"{formats.count(row.right)} of {formats.count(row.points)} points right")
        if role == Qt.ItemDataRole.TextAlignmentRole and column != TITLE:
            return RIGHT
        if role == Qt.ItemDataRole.ForegroundRole:
            colours = theme.current()
            if column == DIFFERENCE and row.better:
                return QColor(colours.hit)
            return QColor(colours.text if column in (TITLE, SHARE) else colours.secondary)
        if role == Qt.ItemDataRole.FontRole and row.chosen and column in (TITLE, SHARE):
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


class TurnedStepsItemModel(QAbstractTableModel):
    """One row a step that would be right or wrong in the best space."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[TurnRow, ...] = ()

    def set_rows(self, rows: Sequence[TurnRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, place: int) -> TurnRow:
        return self._rows[place]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(TURN_HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            would = "right" if row.better else "wrong"
            return (straight(row.episode), formats.count(row.step), row.said, would)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(row.whole)
        if role == Qt.ItemDataRole.ForegroundRole:
            colours = theme.current()
            if column == WOULD:
                return QColor(colours.hit if row.better else colours.miss)
            return QColor(colours.text if column == 0 else colours.secondary)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(TURN_HEADS):
            return None
        return TURN_HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None


def _space_words(row: SpaceRow, column: int) -> str:
    return {
        TITLE: f"{row.title}  ·  {row.note}" if row.note else row.title,
        SHARE: formats.score(row.share),
        INTERVAL: formats.interval(row.interval),
        BAR: "",
        ON_SCREEN: formats.NONE if row.on_screen is None else f"{100 * row.on_screen:.0f} %",
        ACCURACY: formats.score(row.accuracy),
        DIFFERENCE: "chosen" if row.chosen else formats.signed(row.difference),
    }[column]
