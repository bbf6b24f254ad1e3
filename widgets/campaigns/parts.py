"""Fields and labels of the campaign's pages."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QWidget

from stepscope.widgets.common import text_button

MARGIN, LINES = 12, 3


class Lines(QWidget):
    """A few lines to write or paste into, and a button that takes them; Ctrl+Enter does so too."""

    entered = Signal(str)

    def __init__(self, name: str, hint: str) -> None:
        super().__init__()
        self.field = _GrowingTextField()
        self.field.setAccessibleName(name)
        self.field.setPlaceholderText(hint)
        self.field.setTabChangesFocus(True)
        self.add = text_button("Add", tip="Ctrl+Enter")
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 8, MARGIN, 8)
        row.addWidget(self.field, 1)
        row.addWidget(self.add, 0, Qt.AlignmentFlag.AlignBottom)
        self.add.clicked.connect(self._enter)
        self.field.entered.connect(self._enter)
        self.field.textChanged.connect(self._renew)
        self._renew()

    def clear(self) -> None:
        self.field.clear()

    def _enter(self) -> None:
        if self.field.toPlainText().strip():
            self.entered.emit(self.field.toPlainText())

    def _renew(self) -> None:
        self.add.setEnabled(bool(self.field.toPlainText().strip()))


class _GrowingTextField(QPlainTextEdit):
    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(LINES * self.fontMetrics().lineSpacing() + 16)


def plain(label: QLabel, role: str = "") -> QLabel:
    """A label that shows what it is given as it is, in as many lines as it needs."""
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    return label


def line(name: str, hint: str) -> QLineEdit:
    """A field of one line."""
    field = QLineEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(hint)
    return field
