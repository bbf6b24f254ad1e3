"""The leaderboard as a table for Qt: headings of groups, and runs under those that are open."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.run_glyph import run_letter
from stepscope.widgets.results.leaderboard_values import (
    BoardCell,
    BoardColumn,
    BoardContent,
    BoardHeading,
    BoardRow,
    RowKey,
)

Index = QModelIndex | QPersistentModelIndex
BoardRole = int(Qt.ItemDataRole.UserRole)
"""The BoardHeading or BoardRow of an index's row."""
TICK, NAME, VALUE, INTERVAL, PLOT = range(5)
FIRST_FURTHER = PLOT + 1
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class LeaderboardItemModel(QAbstractTableModel):
    """`renamed(run, name)`: the person has typed another name, "" to have none of its own."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.content = BoardContent()

    def set_content(self, content: BoardContent) -> bool:
        """Show other rows; True where the table was laid out anew, not only its words changed."""
        before, self_rows = self.content, [_key(row) for row in self.content.rows]
        same = self_rows == [_key(row) for row in content.rows] and before.columns == content.columns
        if same and before.main == content.main:
            self.content = content
            if content.rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(content.rows) - 1, self.columnCount() - 1))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
            return False
        self.beginResetModel()
        self.content = content
        self.endResetModel()
        return True

    def row_of(self, key: RowKey | None) -> int:
        """Where a run stands, -1 where it is not shown."""
        return next((n for n, row in enumerate(self.content.rows) if isinstance(row, BoardRow) and row.key == key), -1)

    def run_at(self, row: int) -> BoardRow | None:
        """The run in a row, None for a heading and outside."""
        found = self.content.rows[row] if 0 <= row < len(self.content.rows) else None
        return found if isinstance(found, BoardRow) else None

    def column_at(self, section: int) -> BoardColumn | None:
        """What a section is sorted by, None where it cannot be sorted."""
        if section in (VALUE, INTERVAL, PLOT):
            return self.content.main
        further = section - FIRST_FURTHER
        return self.content.columns[further] if 0 <= further < len(self.content.columns) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.content.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else FIRST_FURTHER + len(self.content.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.content.rows[index.row()]
        if role == BoardRole:
            return row
        if isinstance(row, BoardHeading):
            words = {Qt.ItemDataRole.ToolTipRole: tip_words(row.tip), Qt.ItemDataRole.AccessibleTextRole: _spoken(row)}
            if index.column() == TICK:
                words[Qt.ItemDataRole.DisplayRole] = row.title
            return words.get(Qt.ItemDataRole(role))
        return self._of_run(row, index.column(), role)

    def _of_run(self, row: BoardRow, column: int, role: int) -> Any:
        if column == NAME and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.own_name or row.name if role == Qt.ItemDataRole.EditRole else row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(row) if column in (TICK, NAME) else _cell(row, column).words
        if role == Qt.ItemDataRole.ToolTipRole:
            cell = _cell(row, column)
            return tip_words("\n".join(filter(None, (cell.tip, row.whole))))
        if column < VALUE or column == PLOT:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell(row, column).words
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(_colour(row, column))
        if role == Qt.ItemDataRole.FontRole and column == VALUE and not row.grey:
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Take another name as typed; the row changes once whoever keeps the runs has it."""
        row = self.run_at(index.row())
        if role != Qt.ItemDataRole.EditRole or row is None:
            return False
        name = " ".join(str(value).split())
        if name not in (row.name, row.own_name):
            self.renamed.emit(row.key[0], name)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        editable = index.column() == NAME and self.run_at(index.row()) is not None
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section >= VALUE:
            return RIGHT
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if section in (TICK, PLOT):
            return ""
        if section == NAME:
            return "Run"
        if section == INTERVAL:
            return "95 % interval"
        column = self.column_at(section)
        if column is None:
            return None
        shown = column.title + (" ↓" if column.lower_is_better else "")
        if column.id != self.content.sorted_by:
            return shown
        return f"{shown} {'▾' if self.content.best_first else '▴'}"


def _cell(row: BoardRow, column: int) -> BoardCell:
    if column in (VALUE, INTERVAL):
        return row.value if column == VALUE else row.interval
    further = column - FIRST_FURTHER
    return row.cells[further] if 0 <= further < len(row.cells) else BoardCell("")


def _colour(row: BoardRow, column: int) -> str:
    colours = theme.current()
    if row.grey:
        return colours.dim
    if _cell(row, column).warn:
        return colours.warn
    return colours.secondary if column == INTERVAL else colours.text


def _key(row: BoardHeading | BoardRow) -> object:
    return row.key if isinstance(row, BoardRow) else ("heading", row.key, row.is_open)


def _spoken(row: BoardHeading | BoardRow) -> str:
    """A row in one sentence, for screen readers."""
    if isinstance(row, BoardHeading):
        opened = "open" if row.is_open else "closed"
        return ", ".join(filter(None, ("Group", row.title, row.rule, row.detail, row.warning, row.badge, opened)))
    letter = "" if row.letter is None else f"run {run_letter(row.letter)}"
    said = [word for word, holds in (("ticked", row.ticked), ("pinned", row.pinned), ("not ranked", row.grey)) if holds]
    badges = [words for words, _kind in row.badges]
    return ", ".join(
        filter(None, (row.name, letter, *said, *badges, row.settings, row.value.words, row.interval.words))
    )
