"""Changes of preferences, each with what was before, so that they can be taken back one by one."""

from __future__ import annotations

from typing import Any

from stepscope.core.frozen import dataclass

LIMIT = 200


@dataclass(frozen=True, slots=True)
class PreferenceChange:
    """Fields of the preferences as they were and as they became."""

    words: str
    before: dict[str, Any]
    after: dict[str, Any]


class ChangeHistory:
    """The newest change is taken back first; a new one ends what could be made again."""

    def __init__(self) -> None:
        self._done: list[PreferenceChange] = []
        self._undone: list[PreferenceChange] = []

    @property
    def words(self) -> str:
        """What would be taken back, "" for nothing."""
        return self._done[-1].words if self._done else ""

    def add(self, change: PreferenceChange) -> None:
        self._done = [*self._done[-LIMIT + 1 :], change]
        self._undone.clear()

    def undo(self) -> PreferenceChange | None:
        """The change that is to be taken back now, None where there is none."""
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1]

    def redo(self) -> PreferenceChange | None:
        """The change that is to be made again now, None where there is none."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]
