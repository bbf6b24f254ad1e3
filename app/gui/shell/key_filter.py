"""Keys that the window takes where the focused view did not.

Bare keys are shortcuts of the window, except where a focused view needs them: arrows, Home, End and paging belong
to a focused tree, list, table or slider, Space to a focused button. Text fields keep their keys by themselves, all but
Enter in those of one line: it takes what is written, and goes no further.
Held keys (the bare picture, the loupe) are told when they go down and up.
"""

from __future__ import annotations

from typing import TypeGuard

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

Key = Qt.Key
VERTICAL = {Key.Key_Up, Key.Key_Down}
HORIZONTAL = {Key.Key_Left, Key.Key_Right}
ENDS = {Key.Key_Home, Key.Key_End}
PAGES = {Key.Key_PageUp, Key.Key_PageDown}
PRESS = {Key.Key_Space}
ENTER = {Key.Key_Return, Key.Key_Enter}
BARE, LOUPE = Key.Key_O, Key.Key_Z
"""Keys that act while they are held."""

KEPT: tuple[tuple[str, set[Key]], ...] = (
    ("QAbstractItemView", VERTICAL | HORIZONTAL | ENDS),
    ("QAbstractSlider", VERTICAL | HORIZONTAL | ENDS | PAGES),
    ("QComboBox", VERTICAL | ENDS | PAGES | PRESS),
    ("QTabBar", HORIZONTAL),
    ("QAbstractButton", PRESS),
    ("Tiles", VERTICAL | HORIZONTAL | PRESS),
    ("QLineEdit", ENTER),
    ("QAbstractSpinBox", ENTER),
)
"""What a view of each class needs itself. By name: a class that is looked at is made, whether there is such a view or
not."""
TEXT_FIELDS = ("QLineEdit", "QPlainTextEdit", "QTextEdit")


class KeyFilter(QObject):
    """Once begun it is installed on the window, which sees the keys that the focused view did not take.

    `held(down)` tells of the key of the bare picture, `loupe_held(down)` of that of the loupe.
    """

    held = Signal(bool)
    loupe_held = Signal(bool)
    let_go = Signal()
    """any key was let go"""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._down: set[int] = set()

    def begin(self) -> None:
        """To be called when the window has its commands: each that is put there is an event of the window."""
        self._window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if keeps(QApplication.focusWidget(), event):
                event.accept()
                return True
        elif kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) and isinstance(event, QKeyEvent):
            self._watch_held(event, kind == QEvent.Type.KeyPress)
            if kind == QEvent.Type.KeyRelease and not event.isAutoRepeat():
                self.let_go.emit()
        elif kind == QEvent.Type.WindowDeactivate and watched is self._window:
            for key in tuple(self._down):
                self._set_held(key, False)
        return False

    def _watch_held(self, event: QKeyEvent, down: bool) -> None:
        if event.key() not in (BARE, LOUPE) or event.isAutoRepeat():
            return
        focus = QApplication.focusWidget()
        typing = is_text_field(focus) and focus.isEnabled()
        bare = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if not down or (bare and not typing and self._window.isActiveWindow()):
            self._set_held(event.key(), down)

    def _set_held(self, key: int, held: bool) -> None:
        if held != (key in self._down):
            (self._down.add if held else self._down.remove)(key)
            (self.held if key == BARE else self.loupe_held).emit(held)


def is_text_field(widget: QWidget | None) -> TypeGuard[QWidget]:
    """Whether one writes in it."""
    return widget is not None and any(widget.inherits(kind) for kind in TEXT_FIELDS)


def keeps(focus: QWidget | None, event: QKeyEvent) -> bool:
    """Whether the focused widget needs this key itself, so that no shortcut may take it."""
    if focus is None or event.modifiers() not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
        return False
    key = Key(event.key())
    if isinstance(focus, QComboBox) and focus.isEditable() and key in ENTER:
        return True
    return any(key in keys and focus.inherits(kind) for kind, keys in KEPT)
