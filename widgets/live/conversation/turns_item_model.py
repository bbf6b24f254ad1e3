"""Turns as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.live.conversation.conversation_turns import Turn, TurnKind
from stepscope.widgets.live.conversation.turn_painting import Neighbours, spoken

Index = QModelIndex | QPersistentModelIndex


class TurnsItemModel(QAbstractListModel):
    """The turns of a conversation in the order they came."""

    def __init__(self) -> None:
        super().__init__()
        self._turns: list[Turn] = []

    def set_turns(self, turns: Sequence[Turn]) -> None:
        """Show other turns; those in common with the known ones stay, only rows behind them come and go."""
        same = 0
        for old, new in zip(self._turns, turns, strict=False):
            if old != new:
                break
            same += 1
        if same < len(self._turns):
            self.beginRemoveRows(QModelIndex(), same, len(self._turns) - 1)
            del self._turns[same:]
            self.endRemoveRows()
        if same < len(turns):
            self.beginInsertRows(QModelIndex(), same, len(turns) - 1)
            self._turns.extend(turns[same:])
            self.endInsertRows()

    def add_turn(self, turn: Turn) -> None:
        place = len(self._turns)
        self.beginInsertRows(QModelIndex(), place, place)
        self._turns.append(turn)
        self.endInsertRows()

    def set_turn(self, place: int, turn: Turn) -> None:
        """A turn anew, such as a question that has been answered."""
        if 0 <= place < len(self._turns) and self._turns[place] != turn:
            self._turns[place] = turn
            self.dataChanged.emit(self.index(place), self.index(place))

    def turn(self, place: int) -> Turn | None:
        return self._turns[place] if 0 <= place < len(self._turns) else None

    def turns(self) -> tuple[Turn, ...]:
        return tuple(self._turns)

    def around(self, place: int) -> Neighbours:
        """Where the turn stands among those before and behind it."""
        first, last = (
            other is None or other.kind is not TurnKind.ACTION for other in (self.turn(place - 1), self.turn(place + 1))
        )
        return Neighbours(first, last, place == 0)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._turns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        turn = self.turn(index.row())
        if turn is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return turn.text
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return tip_words(spoken(turn))
        return turn if role == Qt.ItemDataRole.UserRole else None
