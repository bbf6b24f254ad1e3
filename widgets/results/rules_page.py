"""All rules side by side for one run; a row is a way to that rule's results."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.parts import fit_columns, framed
from stepscope.widgets.results.result_rows import RuleRow
from stepscope.widgets.results.rules_item_model import METRIC, TITLE, RulesItemModel

ABOUT = (
    "The same stored predictions under every rule. A flip is an item that is right under one rule and wrong under the "
    "run's own, or the other way round. Enter or a double click shows the items under a rule."
)


class RulesPage(QWidget):
    rule_opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = RulesItemModel(self)
        self.table = RowTable("Scores under all rules")
        self.table.setModel(self.model)
        self.table.opened.connect(self._open)
        about = QLabel(ABOUT)
        about.setProperty("role", "secondary")
        about.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(about)
        column.addWidget(framed(self.table), 1)

    def set_rows(self, rows: Sequence[RuleRow], chosen: str) -> None:
        self.model.set_rows(rows, chosen)
        fit_columns(self.table, METRIC)
        for place, row in enumerate(rows):
            if row.id == chosen:
                self.table.setCurrentIndex(self.model.index(place, TITLE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fit_columns(self.table, METRIC)

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.rule_opened.emit(self.model.row(index.row()).id)
