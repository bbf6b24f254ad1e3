"""A page whose parts are made when it is first looked at."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget


class LatePage(QWidget):
    """Empty until `fill`; `opened` fires each time that it comes into view."""

    opened = Signal()

    def fill(self, part: QWidget) -> None:
        """Put the one part into it, over its whole area."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(part)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.opened.emit()
