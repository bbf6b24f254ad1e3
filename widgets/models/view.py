"""All models in a list, and what is known of the chosen one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextTable
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QLabel, QSplitter, QVBoxLayout, QWidget

from stepscope.widgets.common import text_button
from stepscope.widgets.common.marked import MarkedPage
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.models.item_model import COLUMNS, ModelsItemModel
from stepscope.widgets.models.model_row import ModelRow

MARGIN, ROOM = 12, 8


class ModelsView(QWidget):
    """Signals carry the model's name. `chosen` is "" where no row is current."""

    chosen = Signal(str)
    evaluate_requested = Signal(str)
    export_requested = Signal(str)
    remove_requested = Signal(str)
    load_requested = Signal()
    add_requested = Signal()
    page_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ModelsItemModel()
        self.table = RowTable("Models")
        self.table.setModel(self.model)
        self.details = MarkedPage("What is known of the model")
        self._problems = QLabel()
        self._problems.setWordWrap(True)
        self._problems.setTextFormat(Qt.TextFormat.PlainText)
        self._problems.setProperty("badge", "warn")
        self.evaluate = text_button("Evaluate with it")
        self.export = text_button("Export to ONNX")
        self.remove = text_button("Remove…")
        self.add = text_button("Add…", tip="Add a model file of your own, after trying it")
        self.page = text_button("Page…", tip="What it is and needs, and a trial of it on one screen")
        self.load = text_button("Load…", tip="Copy a trained model's folder to your own models")
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(lambda _now, _before: self._show())
        self.table.opened.connect(self._open)
        self.evaluate.clicked.connect(lambda: self.evaluate_requested.emit(self.current()))
        self.export.clicked.connect(lambda: self.export_requested.emit(self.current()))
        self.remove.clicked.connect(lambda: self.remove_requested.emit(self.current()))
        self.load.clicked.connect(self.load_requested)
        self.page.clicked.connect(lambda: self.page_requested.emit(self._row_page()))
        self.add.clicked.connect(self.add_requested)
        self.set_models(())

    def set_models(self, rows: Sequence[ModelRow], problems: Sequence[str] = (), current: str = "") -> None:
        """All models; `problems` are those that are broken, in words. Keeps the chosen one, or takes `current`."""
        wanted = current or self.current()
        self.model.set_rows(rows)
        self._problems.setText(straight("\n".join(problems)))
        self._problems.setVisible(bool(problems))
        place = max(0, self.model.place_of(wanted))
        if rows:
            self.table.setCurrentIndex(self.model.index(place, 0))
        self._show()

    def current(self) -> str:
        """The chosen model's name."""
        row = self._row()
        return row.name if row else ""

    def _row_page(self) -> str:
        """The name under which the chosen model has its page."""
        row = self._row()
        return row.page or row.name if row else ""

    def _row(self) -> ModelRow | None:
        return self.model.row(self.table.currentIndex().row())

    def _open(self, _index: QModelIndex) -> None:
        if self.evaluate.isEnabled():
            self.evaluate_requested.emit(self.current())

    def _show(self) -> None:
        row = self._row()
        self.details.setMarkdown(row.details if row else "")
        self._dress()
        self.page.setEnabled(row is not None)
        self.evaluate.setEnabled(row is not None and not row.why_not)
        self.evaluate.setToolTip(tip_words(row.why_not if row else ""))
        self.export.setEnabled(row is not None and row.can_export)
        self.export.setToolTip("" if row is None or row.can_export else "Only trained models can be exported")
        self.remove.setEnabled(row is not None and bool(row.removal))
        self.remove.setToolTip("" if row is None or row.removal else "Only models of your own can be removed")
        self.chosen.emit(row.name if row else "")

    def _dress(self) -> None:
        """Room between the paragraphs, and tables without lines and without heads that say nothing."""
        document = self.details.document()
        for frame in document.rootFrame().childFrames():
            if not isinstance(frame, QTextTable):
                continue
            if not any(_words_in(frame, column) for column in range(frame.columns())):
                frame.removeRows(0, 1)
            look = frame.format()
            look.setBorder(0)
            look.setCellPadding(4)
            look.setBottomMargin(ROOM)
            frame.setFormat(look)
        block = document.begin()
        while block.isValid():
            cursor = QTextCursor(block)
            room = QTextBlockFormat()
            room.setTopMargin(0)
            room.setBottomMargin(ROOM if cursor.currentTable() is None else 0)
            cursor.mergeBlockFormat(room)
            block = block.next()

    def _lay_out(self) -> None:
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        last = COLUMNS.index("Trained on")  # is long, and its tip has all of it
        header.setSectionResizeMode(last, QHeaderView.ResizeMode.Stretch)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.table)
        splitter.addWidget(self.details)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setChildrenCollapsible(False)
        row = QHBoxLayout()
        row.setContentsMargins(MARGIN, 8, MARGIN, MARGIN)
        row.setSpacing(8)
        row.addWidget(self.add)
        row.addWidget(self.load)
        row.addWidget(self.page)
        row.addStretch(1)
        for button in (self.remove, self.export, self.evaluate):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(splitter, 1)
        column.addWidget(self._problems)
        column.addLayout(row)


def _words_in(table: QTextTable, column: int) -> str:
    """What the table's first row says there."""
    cell = table.cellAt(0, column)
    cursor = cell.firstCursorPosition()
    cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().strip()
