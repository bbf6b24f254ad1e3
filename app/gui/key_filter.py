"""Which keys belong to whom.

Bare keys are shortcuts of the window, except where a focused view needs them: arrows, Home, End and paging belong
to a focused tree, list, table or slider, Space to a focused button. Text fields keep all their keys by themselves.
A held key (the bare picture) is told when it goes down and up.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

Key = Qt.Key
VERTICAL = {Key.Key_Up, Key.Key_Down}
HORIZONTAL = {Key.Key_Left, Key.Key_Right}
ENDS = {Key.Key_Home, Key.Key_End}
PAGES = {Key.Key_PageUp, Key.Key_PageDown}
PRESS = {Key.Key_Space}

KEPT: tuple[tuple[type[QWidget], set[Key]], ...] = (
    (QAbstractItemView, VERTICAL | HORIZONTAL | ENDS),
    (QAbstractSlider, VERTICAL | HORIZONTAL | ENDS | PAGES),
    (QComboBox, VERTICAL | ENDS | PAGES | PRESS),
    (QTabBar, HORIZONTAL),
    (QAbstractButton, PRESS),
)
TEXT_FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit)


class KeyFilter(QObject):
    """Installed on the window, which sees the keys that the focused view did not take.

    `held(True)` and `held(False)` tell the bare-picture key.
    """

    held = Signal(bool)

    def __init__(self, window: QWidget, held_key: Key = Key.Key_O) -> None:
        super().__init__(window)
        self._window, self._key = window, held_key
        self._is_held = False
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if keeps(QApplication.focusWidget(), event):
                event.accept()
                return True
        elif kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) and isinstance(event, QKeyEvent):
            self._watch_held(event, kind == QEvent.Type.KeyPress)
        elif kind == QEvent.Type.WindowDeactivate and watched is self._window:
            self._set_held(False)
        return False

    def _watch_held(self, event: QKeyEvent, down: bool) -> None:
        if event.key() != self._key or event.isAutoRepeat():
            return
        focus = QApplication.focusWidget()
        typing = isinstance(focus, TEXT_FIELDS) and focus.isEnabled()
        bare = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if not down or (bare and not typing and self._window.isActiveWindow()):
            self._set_held(down)

    def _set_held(self, held: bool) -> None:
        if held != self._is_held:
            self._is_held = held
            self.held.emit(held)


def keeps(focus: QWidget | None, event: QKeyEvent) -> bool:
    """Whether the focused widget needs this key itself, so that no shortcut may take it."""
    if focus is None or event.modifiers() not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
        return False
    key = Key(event.key())
    return any(isinstance(focus, kind) and key in keys for kind, keys in KEPT)
