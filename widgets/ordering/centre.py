"""The centre of the ordering workspace: title row with the choice of the reference, and the board."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.ordering import OrderBoard


class OrderingCentre(QWidget):
    """`reference_chosen(int)`: the person holds the runs against another of several right orders."""

    reference_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = OrderBoard(self)
        self._goal, self._origin = ElidedLabel(), ElidedLabel("", "secondary")
        self._goal.setProperty("role", "title")
        self._word = QLabel("Reference")
        self.references = QComboBox()
        self.references.setAccessibleName("Reference order")
        self.references.activated.connect(self.reference_chosen)
        row = QWidget(self)
        row.setProperty("bar", "title")
        line = QHBoxLayout(row)
        line.setContentsMargins(16, 0, 12, 0)
        line.setSpacing(8)
        line.addWidget(self._goal, 1)
        line.addWidget(self._origin)
        line.addSpacing(16)
        line.addWidget(self._word)
        line.addWidget(self.references)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(row)
        column.addWidget(self.board, 1)
        self.show_title("", "")
        self.show_references(0, 0)

    def show_title(self, goal: str, origin: str) -> None:
        """Say what is shown and where it comes from; "" for nothing."""
        self._goal.setText(goal or "No procedure is open")
        self._origin.setText(origin)

    def show_references(self, count: int, chosen: int) -> None:
        """Show how many orders are right, and which of them the runs are held against."""
        with QSignalBlocker(self.references):
            self.references.clear()
            self.references.addItems([f"{place + 1} of {count} orders" for place in range(count)])
            self.references.setCurrentIndex(chosen)
        for part in (self._word, self.references):
            part.setVisible(count > 1)
