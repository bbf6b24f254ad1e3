"""The bottom dock: all metrics of every order of the procedure that is shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets.common import PanelHeader
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.ordering.ordering_rows import GridCell
from stepscope.widgets.ordering.value_grid import ValueGrid

HOW = "updates while you drag · best reference for all metrics together"


class ThisProcedurePanel(QWidget):
    """A row an order; words in their place while nothing is to be seen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._header = PanelHeader("This procedure", parent=self)
        self.grid = ValueGrid("Metrics of this procedure", self, wide=True)
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.words.setProperty("role", "secondary")
        page = QScrollArea(self)
        page.setAccessibleName("Metrics of this procedure")
        page.setFrameShape(QFrame.Shape.NoFrame)
        page.setWidgetResizable(True)
        holder = QWidget(page)
        inside = QVBoxLayout(holder)
        inside.setContentsMargins(16, 8, 16, 8)
        inside.addWidget(self.grid)
        inside.addWidget(self.words)
        inside.addStretch(1)
        page.setWidget(holder)
        page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(page, 1)
        self.set_orders(())

    def set_orders(self, rows: Sequence[Sequence[GridCell]], words: str = "") -> None:
        """Show the metrics, the head first; where there are none, `words`."""
        self.grid.set_rows(rows)
        self.grid.setVisible(bool(rows))
        self.words.setText(straight(words))
        self.words.setVisible(not rows)
        self._header.set_detail(HOW if rows else "")
