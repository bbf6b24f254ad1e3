"""The reasons why a reference should not be judged by, to choose from by number, arrows or mouse."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget


class DefectMenu(QMenu):
    """`chosen` gives the reason. Numbers 1 to 4 choose at once, Enter takes the lit one, Esc none."""

    chosen = Signal(str)

    def __init__(self, reasons: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Reason of the defect")
        self.entries: dict[str, QAction] = {}
        for number, reason in enumerate(reasons, start=1):
            entry = self.addAction(f"&{number}  {reason[:1].upper()}{reason[1:]}")
            entry.setCheckable(True)
            entry.triggered.connect(lambda _checked=False, reason=reason: self.chosen.emit(reason))
            self.entries[reason] = entry

    def check(self, reasons: Sequence[str]) -> None:
        """Show which of them hold."""
        for reason, entry in self.entries.items():
            entry.setChecked(reason in reasons)

    def light_first(self) -> None:
        """Light the first entry, so that Enter chooses it without an arrow key before."""
        if self.entries:
            self.setActiveAction(next(iter(self.entries.values())))
