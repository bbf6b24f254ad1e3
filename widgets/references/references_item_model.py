"""The rules of a check of references, and the references that fail, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.references.references_values import CheckedRule, DoubtfulReference

Index = QModelIndex | QPersistentModelIndex
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
RULE, WRONG, SHARE, JUDGED, UNSCORED = range(5)
RULE_HEADS = ("Rule", "Fail", "Share", "Judged", "Not judged")
EPISODE, STEP, KIND, UNDER, WHY, DEFECT = range(6)
ROW_HEADS = ("Episode", "Step", "Action", "Fails under", "Why", "Defect")


class CheckedRulesItemModel(QAbstractTableModel):
    """One row a rule."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[CheckedRule, ...] = ()

    def set_rows(self, rows: Sequence[CheckedRule]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, place: int) -> CheckedRule:
        return self._rows[place]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(RULE_HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _rule_words(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column != RULE:
            return RIGHT
        if role == Qt.ItemDataRole.ForegroundRole:
            colours = theme.current()
            if column == WRONG and row.wrong:
                return QColor(colours.warn)
            return QColor(colours.text if column == RULE else colours.secondary)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(RULE_HEADS):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section != RULE:
            return RIGHT
        return RULE_HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None


def _rule_words(row: CheckedRule, column: int) -> str:
    if column == RULE:
        return row.title
    if column == WRONG:
        return formats.count(row.wrong)
    if row.judged is None:
        return ""
    if column == SHARE:
        return f"{100 * row.wrong / row.judged:.1f} %" if row.judged else formats.NONE
    return formats.count(row.judged if column == JUDGED else row.unscored or 0)


class DoubtfulReferencesItemModel(QAbstractTableModel):
    """One row a recorded action."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[DoubtfulReference, ...] = ()
        self._defects: Mapping[tuple[str, int], str] = {}

    def set_rows(self, rows: Sequence[DoubtfulReference]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def set_defects(self, defects: Mapping[tuple[str, int], str]) -> None:
        """What people said of steps, by episode and step."""
        self._defects = defects
        if self._rows:
            self.dataChanged.emit(self.index(0, DEFECT), self.index(len(self._rows) - 1, DEFECT))

    def row(self, place: int) -> DoubtfulReference:
        return self._rows[place]

    def defect(self, place: int) -> str:
        row = self._rows[place]
        return self._defects.get((row.episode, row.step), "")

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(ROW_HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            words = (row.episode, formats.count(row.step + 1), row.kind, ", ".join(row.rules), row.why)
            return straight(words[column]) if column != DEFECT else self.defect(index.row())
        if role == Qt.ItemDataRole.ToolTipRole and column in (UNDER, WHY):
            return tip_words(", ".join(row.rules) if column == UNDER else row.why)
        if role == Qt.ItemDataRole.TextAlignmentRole and column == STEP:
            return RIGHT
        if role == Qt.ItemDataRole.ForegroundRole:
            colours = theme.current()
            return QColor(
                colours.warn if column == DEFECT else colours.text if column == EPISODE else colours.secondary
            )
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(ROW_HEADS):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section == STEP:
            return RIGHT
        return ROW_HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None
