"""The card of follow-up questions: what the model asks beside what the annotators do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QLabel, QWidget

from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.questions_item_model import (
    ANNOTATORS,
    APP,
    ASKED,
    COSINE,
    GOAL,
    METEOR,
    ORDERS,
    REASON,
    QuestionsItemModel,
)
from stepscope.widgets.scores.card import ResultCard

WIDTHS = {GOAL: 150, APP: 84, REASON: 100, ASKED: 150, ANNOTATORS: 150, COSINE: 70, METEOR: 74}
"""With text as it is at first; the three columns of sentences share what is left."""
SENTENCES = (GOAL, ASKED, ANNOTATORS)
TEXT_HEIGHT = 15


class QuestionsCard(ResultCard):
    """`opened` carries a row's key: Enter or a double click."""

    opened = Signal(object)
    sort_wanted = Signal(str, bool)
    """one of ORDERS, and whether from the top down"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Follow-up questions", parent=parent)
        self.model = QuestionsItemModel(self)
        self.table = RowTable("Follow-up questions")
        self.table.setModel(self.model)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(False)
        self._none = QLabel()
        self._none.setProperty("role", "secondary")
        self._none.setWordWrap(True)
        self._none.setTextFormat(Qt.TextFormat.PlainText)
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(self._none, 1)
        self._sorted_by, self._descending = "", False
        header.sectionClicked.connect(self._sort)
        self.table.opened.connect(self._open)
        self.table.viewport().installEventFilter(self)

    def set_total(self, total: int, note: str) -> None:
        """Show other questions, `total` of them; `note` says what they are, or why there are none."""
        self.model.set_total(total)
        self.detail.setText(straight(note) if total else "")
        self._none.setText(straight(note))
        self.table.setVisible(total > 0)
        self._none.setVisible(not total)

    def sort(self, column: int) -> None:
        """Sort by a column as a click on its head does."""
        self._sort(column)

    def _sort(self, column: int) -> None:
        order = ORDERS.get(column)
        header = self.table.horizontalHeader()
        if order is None:  # texts are read when they come into view
            return
        self._descending = order == self._sorted_by and not self._descending
        self._sorted_by = order
        header.setSortIndicatorShown(True)
        way = Qt.SortOrder.DescendingOrder if self._descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(column, way)
        self.sort_wanted.emit(order, self._descending)

    def _open(self, index: QModelIndex) -> None:
        row = self.model.peek(index.row()) if index.isValid() else None
        if row is not None:
            self.opened.emit(row.key)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "table"):
            self._size_columns()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The table got another width, which comes after that of the card."""
        if event.type() == QEvent.Type.Resize:
            self._size_columns()
        return super().eventFilter(watched, event)

    def _size_columns(self) -> None:
        """Columns grow with the text."""
        scale = self.fontMetrics().height() / TEXT_HEIGHT
        widths = {column: round(width * scale) for column, width in WIDTHS.items()}
        spare = max(0, self.table.viewport().width() - sum(widths.values()))
        for column in SENTENCES:
            widths[column] += spare // len(SENTENCES)
        for column, width in widths.items():
            self.table.setColumnWidth(column, width)
