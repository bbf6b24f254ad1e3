"""Long work of several controllers in the one chip of the menu row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from stepscope.widgets.common import TaskChip, TaskProgress


class LongWork(QObject):
    """Shows the long work of all features, each of which tells its own again and again; evaluations, which a person
    waits for, come first.

    The chip's signals carry the ids of the rows: whoever gave a row acts on its own.
    """

    def __init__(self, chip: TaskChip, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.chip = chip
        self._rows: dict[str, tuple[TaskProgress, ...]] = {"evaluations": ()}

    def show(self, whose: str, rows: Sequence[TaskProgress]) -> None:
        """All the work of one controller, in place of what it said before."""
        self._rows[whose] = tuple(rows)
        self.chip.set_tasks([row for some in self._rows.values() for row in some])
