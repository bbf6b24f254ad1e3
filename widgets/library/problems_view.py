"""The table of what could not be read."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from stepscope.widgets.common import Badge, ElidedLabel, LinkButton
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.format import count
from stepscope.widgets.library.episode_list_rows import ProblemLine
from stepscope.widgets.library.problems_item_model import ProblemsItemModel, as_text


class ProblemsView(QWidget):
    """File, record, field and what is wrong; Copy list puts all of it on the clipboard."""

    file_chosen = Signal(str)
    """the file of a row that was double-clicked or entered"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = ProblemsItemModel(self)
        self._badge = Badge("", "warn")
        self._rest = ElidedLabel("", "secondary")
        self._copy = LinkButton("Copy list")
        self._copy.clicked.connect(self.copy)
        row = QHBoxLayout()
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        row.addWidget(self._badge)
        row.addWidget(self._rest, 1)
        row.addWidget(self._copy)
        self.table = RowTable("What could not be read")
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.setModel(self._model)
        self.table.opened.connect(self._open)
        self.table.horizontalHeader().setStretchLastSection(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.table, 1)

    def set_problems(self, rows: Sequence[ProblemLine], skipped: int, total: int) -> None:
        """`skipped` of `total` records could not be read at all; `rows` may tell more than one thing of a record."""
        self._model.set_rows(rows)
        self._badge.set_words(f"⚠ {count(skipped)} of {count(total)} skipped", "warn" if skipped else "neutral")
        self._rest.setText(f"the other {count(total - skipped)} are open" if skipped else "all episodes are open")
        self._copy.setEnabled(bool(rows))
        self.table.resizeColumnsToContents()

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.file_chosen.emit(self._model.rows[index.row()].file)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self._model.rows))
