"""The fields of a page as rows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.webtask.side_values import (
    FieldRow,
    FieldsState,
    PeopleVisibility,
    answer_words,
    badge_of,
    people_words,
)

Index = QModelIndex | QPersistentModelIndex
FieldRole = int(Qt.ItemDataRole.UserRole)
"""The FieldRow."""
WIDEST_TIP = 1200
"""Letters of an answer in a tooltip; the open row has more of it, the clipboard all."""


class FieldsItemModel(QAbstractListModel):
    """Rows that are open (`toggle`) show all answers whole; they stay open on the next page of the task."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = FieldsState()
        self._open: set[str] = set()

    @property
    def state(self) -> FieldsState:
        return self._state

    def set_state(self, state: FieldsState) -> None:
        """Show another state; other contents of the same fields keep the rows."""
        same = [row.name for row in state.rows] == [row.name for row in self._state.rows]
        if not same:
            self.beginResetModel()
            self._state = state
            self.endResetModel()
            return
        changed = state != self._state
        self._state = state
        if changed and state.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(state.rows) - 1, 0))

    def field(self, row: int) -> FieldRow | None:
        return self._state.rows[row] if 0 <= row < len(self._state.rows) else None

    def row_of(self, name: str) -> int:
        return next((place for place, row in enumerate(self._state.rows) if row.name == name), -1)

    def is_open(self, name: str) -> bool:
        return name in self._open

    def set_open(self, names: set[str]) -> None:
        """These rows show all answers whole, the others one line each."""
        changed, self._open = self._open ^ names, set(names)
        for name in changed:
            place = self.row_of(name)
            if place >= 0:
                self.dataChanged.emit(self.index(place, 0), self.index(place, 0))

    def toggle(self, name: str) -> None:
        self.set_open(self._open ^ {name})

    @property
    def open(self) -> set[str]:
        return set(self._open)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._state.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.field(index.row())
        if row is None:
            return None
        if role == FieldRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words("\n".join(_cut(line) for line in field_lines(row, self._state)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(field_lines(row, self._state))
        return None


def field_lines(row: FieldRow, state: FieldsState) -> list[str]:
    """All that the row says, whole, a line each."""
    badge = badge_of(row, state.people)
    head = ", ".join(filter(None, (f"{row.number}: {row.name}", row.type, badge.spoken if badge else "")))
    told = state.people is not PeopleVisibility.HIDDEN
    people = people_words(row) if told else ""
    return list(
        filter(
            None,
            (
                head,
                row.label,
                f"{state.who}: {answer_words(row.value, row.type)}",
                f"People: {people}" if people else "",
                row.agreement if told else "",
                row.why if told else "",
            ),
        )
    )


def _cut(line: str) -> str:
    return line if len(line) <= WIDEST_TIP else f"{line[:WIDEST_TIP]} …"
