"""The calls of the action library on one page as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from stepscope.core.webtask.page import ExecutedCall
from stepscope.widgets import format as formats
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.webtask.action_words import LOOKS, call_words

Index = QModelIndex | QPersistentModelIndex
LineRole = int(Qt.ItemDataRole.UserRole)
"""The ExecutedCall."""
LaterRole = LineRole + 1
"""Whether the action comes after the moment that is shown."""
OK, ERROR = "ok", "error"


def result_words(line: ExecutedCall) -> str:
    """What stands at the right: ok, error, or what a look at the page gave (12.4 KB)."""
    if not line.ok:
        return ERROR
    return line.said if line.action.name in LOOKS else OK


class ActionLogItemModel(QAbstractListModel):
    """Rows in the order in which they were done; `position` is how many of them the page that is shown has seen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[ExecutedCall, ...] = ()
        self._position = 0

    @property
    def lines(self) -> tuple[ExecutedCall, ...]:
        return self._lines

    @property
    def position(self) -> int:
        return self._position

    def set_lines(self, lines: Sequence[ExecutedCall]) -> None:
        """Add lines that follow the known ones; begin the log anew with others. The position is the owner's to set."""
        new, known = tuple(lines), len(self._lines)
        if new == self._lines:
            return
        if known and new[:known] == self._lines:
            self.beginInsertRows(QModelIndex(), known, len(new) - 1)
            self._lines = new
            self.endInsertRows()
            return
        self.beginResetModel()
        self._lines = new
        self._position = min(self._position, len(new))
        self.endResetModel()

    def set_position(self, position: int) -> None:
        wanted = min(max(position, 0), len(self._lines))
        if wanted != self._position:
            self._position = wanted
            if self._lines:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._lines) - 1, 0), [LaterRole])

    def line(self, row: int) -> ExecutedCall | None:
        return self._lines[row] if 0 <= row < len(self._lines) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index.row())
        if line is None:
            return None
        if role == LineRole:
            return line
        if role == LaterRole:
            return index.row() >= self._position
        if role == Qt.ItemDataRole.DisplayRole:
            return line.action.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(_whole(line, "\n"))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _whole(line, ", ")
        return None


def _whole(line: ExecutedCall, between: str) -> str:
    """All that is known of the call: what, when, how long it took, what came of it."""
    when = f"{formats.moment(line.at)}, took {formats.duration(line.took)}" if line.took else formats.moment(line.at)
    result = result_words(line)
    said = line.said if line.said != result else ""
    return between.join(filter(None, (call_words(line.action), when, ": ".join(filter(None, (result, said))))))
