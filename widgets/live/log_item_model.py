"""Lines of the log: the newest so many, filtered by words and kind."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.live.live_state import LogLine, LogLineKind

Index = QModelIndex | QPersistentModelIndex
MOST_LINES = 5000
"""Older ones go; the file that Save… writes has them no more either."""
SPARE = 500
"""So many more are kept until the oldest go all at once."""


def clock_words(seconds: float) -> str:
    """Local time of day to the millisecond: 14:03:05.120."""
    return f"{time.strftime('%H:%M:%S', time.localtime(seconds))}.{int(seconds % 1 * 1000):03d}"


def line_words(line: LogLine) -> str:
    """A line as text, with all of its detail."""
    detail = "".join(f"\n    {part}" for part in line.detail.splitlines())
    return f"{clock_words(line.time)}  {line.kind.value:<7}  {line.words}{detail}"


class LogItemModel(QAbstractListModel):
    """Rows are the lines that pass the filter, oldest first."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[LogLine] = []
        self._shown: list[LogLine] = []
        self._words = ""
        self._kinds: frozenset[LogLineKind] = frozenset(LogLineKind)

    def set_lines(self, lines: Sequence[LogLine]) -> None:
        self.beginResetModel()
        self._lines = list(lines)[-MOST_LINES:]
        self._shown = [line for line in self._lines if self._passes(line)]
        self.endResetModel()

    def add(self, line: LogLine) -> None:
        self._lines.append(line)
        if self._passes(line):
            place = len(self._shown)
            self.beginInsertRows(QModelIndex(), place, place)
            self._shown.append(line)
            self.endInsertRows()
        if len(self._lines) > MOST_LINES + SPARE:
            self._drop_oldest()

    def set_filter(self, words: str, kinds: frozenset[LogLineKind]) -> None:
        """Show lines of these kinds that hold all of the words."""
        self._words, self._kinds = words.casefold(), kinds
        self.set_lines(self._lines)

    def line(self, place: int) -> LogLine | None:
        return self._shown[place] if 0 <= place < len(self._shown) else None

    def lines(self) -> tuple[LogLine, ...]:
        """All that are kept, shown or not."""
        return tuple(self._lines)

    def shown(self) -> tuple[LogLine, ...]:
        return tuple(self._shown)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index.row())
        if line is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return line.words
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return tip_words(line_words(line))
        return line if role == Qt.ItemDataRole.UserRole else None

    def _passes(self, line: LogLine) -> bool:
        if line.kind not in self._kinds:
            return False
        held = f"{line.words}\n{line.detail}".casefold()
        return all(word in held for word in self._words.split())

    def _drop_oldest(self) -> None:
        gone = self._lines[: len(self._lines) - MOST_LINES]
        del self._lines[: len(gone)]
        rows = sum(self._passes(line) for line in gone)
        if rows:
            self.beginRemoveRows(QModelIndex(), 0, rows - 1)
            del self._shown[:rows]
            self.endRemoveRows()
