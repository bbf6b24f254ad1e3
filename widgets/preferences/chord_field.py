"""A field that takes the next key, with the keys held beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

HELD = {
    Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr, Qt.Key.Key_unknown,
    Qt.Key.Key_Super_L, Qt.Key.Key_Super_R, Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock,
}  # fmt: skip
"""Keys that are no chord by themselves."""


class ChordField(QLineEdit):
    """`typed(key)`: a chord was pressed ("Ctrl+Shift+D"), "" for Backspace: none. `kept`: Enter. `escaped`: Esc.
    `left`: the keyboard went elsewhere. Those three keys, and Tab, mean here what they mean everywhere."""

    typed = Signal(str)
    kept = Signal()
    escaped = Signal()
    left = Signal()

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.key = ""
        self.is_touched = False
        """whether a person has typed in it"""

    def show_key(self, key: str) -> None:
        """Show a chord; nothing is told."""
        self.key = key
        native = QKeySequence.SequenceFormat.NativeText
        self.setText(QKeySequence(key).toString(native))

    def event(self, event: QEvent) -> bool:
        """No key does what it does elsewhere while the field waits for one."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        bare = held == Qt.KeyboardModifier.NoModifier
        if key in HELD:
            return
        if bare and key == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif bare and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.kept.emit()
        elif bare and key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self._take("")
        else:
            if held == Qt.KeyboardModifier.ShiftModifier and event.text().isprintable() and not event.text().isalpha():
                held = Qt.KeyboardModifier.NoModifier  # "?" is a key of its own, not Shift and another
            sequence = QKeySequence(int(key) | held.value)
            self._take(sequence.toString(QKeySequence.SequenceFormat.PortableText))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.left.emit()

    def _take(self, key: str) -> None:
        self.is_touched = True
        self.show_key(key)
        self.typed.emit(key)
