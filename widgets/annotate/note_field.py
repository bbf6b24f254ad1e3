"""A note that is kept while it is written: after a pause, with Ctrl+Enter, and when the keyboard goes elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

PAUSE_MS = 1500
LINES = 3
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NoteField(QPlainTextEdit):
    """`edited` gives the text that is to be kept; `left`: what is written next is another change; `finished`: the keys
    Ctrl+Enter."""

    edited = Signal(str)
    left = Signal()
    finished = Signal()

    def __init__(self, name: str, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told = ""
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setToolTip("Kept as you write; Ctrl+Enter goes back to the screen")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.keep)
        self.textChanged.connect(self._typed)

    def show_text(self, text: str) -> None:
        """The text in force; tells nobody. What was typed and not kept yet stays, and so do spaces around it."""
        typed = self.toPlainText()
        if typed != self._told or typed.strip() == text.strip():
            return
        self._told = text
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    def keep(self) -> None:
        """Tell what was typed, now."""
        self._pause.stop()
        text = self.toPlainText()
        if text != self._told:
            self._told = text
            self.edited.emit(text)

    def sizeHint(self) -> QSize:
        return QSize(200, LINES * self.fontMetrics().lineSpacing() + 18)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def _typed(self) -> None:
        if self.toPlainText() == self._told:
            self._pause.stop()
        else:
            self._pause.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.keep()
            self.finished.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.keep()
            self.left.emit()
