"""A one-column list for item models of any length.

Qt's list and tree views ask the model for every row when they lay themselves out (seconds at 700,000 rows); its table
view with equal rows does not. So this is a table that looks and behaves like a list.
"""

from __future__ import annotations

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QHeaderView, QTableView

CursorAction = QAbstractItemView.CursorAction


class PagedList(QTableView):
    """Equal rows as high as the delegate says; Enter takes the current one; bare letters go to the window."""

    taken = Signal(QModelIndex)

    def __init__(self, name: str, delegate: QAbstractItemDelegate) -> None:
        super().__init__()
        self.setAccessibleName(name)
        delegate.setParent(self)
        self.setItemDelegate(delegate)
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(16)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._measure()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.taken.emit(self.currentIndex())
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()  # bare letters belong to the window; searching by typing would read every row
        else:
            super().keyPressEvent(event)

    def moveCursor(self, action: CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Home and End mean the list's ends, not a row's."""
        model = self.model()
        if model is not None and model.rowCount() and action in (CursorAction.MoveHome, CursorAction.MoveEnd):
            return model.index(0 if action is CursorAction.MoveHome else model.rowCount() - 1, 0)
        return super().moveCursor(action, modifiers)

    def _measure(self) -> None:
        option = QtWidgets.QStyleOptionViewItem()
        option.font = self.font()
        self.verticalHeader().setDefaultSectionSize(self.itemDelegate().sizeHint(option, QModelIndex()).height())
