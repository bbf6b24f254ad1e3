"""A table of equal rows as the workbench shows them; rows grow with the text size."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from stepscope.widgets.common.row_delegate import RowDelegate

LEAST_HEIGHT, ROOM = 30, 12


def keep_space(event: QEvent) -> bool:
    """Whether the event asks if Space is the focused view's own: then it is told that it is, and no shortcut takes
    it."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if event.key() != Qt.Key.Key_Space or event.modifiers() != Qt.KeyboardModifier.NoModifier:
        return False
    event.accept()
    return True


class RowTable(QTableView):
    """A table in which whole rows are selected; Enter opens the current one; bare letters go to the window."""

    opened = Signal(QModelIndex)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setItemDelegate(RowDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.doubleClicked.connect(self.opened)
        self._measure()

    def row_height(self) -> int:
        return self.verticalHeader().defaultSectionSize()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.currentIndex())
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _measure(self) -> None:
        self.verticalHeader().setDefaultSectionSize(max(LEAST_HEIGHT, self.fontMetrics().height() + ROOM))
