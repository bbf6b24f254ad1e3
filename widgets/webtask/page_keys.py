"""Which keys go to a page that has the keyboard, and which stay with the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from stepscope.core.webtask.events import KeyPress as PageKey

Key, Modifier = Qt.Key, Qt.KeyboardModifier
PLAIN = Modifier.NoModifier
SHIFT, CONTROL, ALT, META = (
    Modifier.ShiftModifier, Modifier.ControlModifier, Modifier.AltModifier, Modifier.MetaModifier,
)  # fmt: skip
TABS = (Key.Key_Tab, Key.Key_Backtab)
"""Keys that Qt takes to go to another widget, unless they are caught before."""
EDITING = (
    Key.Key_A, Key.Key_C, Key.Key_X, Key.Key_V, Key.Key_Z, Key.Key_Y, Key.Key_Left, Key.Key_Right, Key.Key_Up,
    Key.Key_Down, Key.Key_Home, Key.Key_End, Key.Key_Backspace, Key.Key_Delete, Key.Key_Insert,
)  # fmt: skip
"""Keys that with Ctrl edit a text field; all others with Ctrl are the window's."""
NEVER = (Key.Key_Escape, *(Qt.Key(Key.Key_F1 + number) for number in range(35)))


def held(event: QKeyEvent) -> Qt.KeyboardModifier:
    """The modifiers without that of the number pad."""
    return event.modifiers() & ~Modifier.KeypadModifier


def is_for_page(event: QKeyEvent) -> bool:
    """Whether a page that has the keyboard gets this key: all that write or move, with or without Shift, and what edits
    text with Ctrl. Ctrl and Alt together write where they are AltGr."""
    key, modifiers = event.key(), held(event) & (CONTROL | ALT | META)
    if key in NEVER:
        return False
    if modifiers == PLAIN:
        return True
    if modifiers == CONTROL:
        return key in EDITING
    return modifiers == CONTROL | ALT and event.text().isprintable() and event.text() != ""


def is_paste(event: QKeyEvent) -> bool:
    """Ctrl+V, Ctrl+Shift+V, Shift+Insert."""
    key, modifiers = event.key(), held(event)
    if key == Key.Key_Insert:
        return modifiers == SHIFT
    return key == Key.Key_V and modifiers & ~SHIFT == CONTROL


def key_value(event: QKeyEvent, *, pressed: bool) -> PageKey:
    return PageKey("press" if pressed else "release", event.key(), event.text(), event.modifiers().value)
