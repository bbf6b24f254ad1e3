"""Keys on the page: those that go to a page that has the keyboard, and those that stay with the view or the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent

from stepscope.core.webtask.events import KeyPress, TextInput

if TYPE_CHECKING:
    from stepscope.widgets.webtask.page_view import PageView

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
_ENTER = (Key.Key_Return, Key.Key_Enter)


class PageKeyboard:
    """Keys go to the page while `is_inside`: once somebody has clicked into it or pressed Enter, until Esc. Ctrl+Tab
    leaves it for the next part of the window. Outside, Up and Down choose fields, with Shift they scroll, + and − zoom
    and F fits. `composed` is what an input method has not committed yet.

    It reads the page from its view and emits the view's signals.
    """

    def __init__(self, view: PageView) -> None:
        self._view = view
        self._down: dict[int, KeyPress] = {}
        self.is_inside = False
        self.composed = ""

    def enter(self) -> None:
        """Send keys to the page from now on."""
        if self._view.takes_hands and not self.is_inside:
            self.is_inside = True
            self._input_method(on=True)
            self._view.update()
            self._view.inside_changed.emit(True)

    def leave(self) -> None:
        """Keys are the window's again; those that are down are let go."""
        self.let_go()
        if self.is_inside:
            self.is_inside, self.composed = False, ""
            self._input_method(on=False)
            self._view.update()
            self._view.inside_changed.emit(False)

    def let_go(self) -> None:
        """Release on the page the keys that are down."""
        for key in self._down.values():
            self._view.hand.emit(KeyPress("release", key.key, key.text, key.modifiers))
        self._down.clear()

    def _input_method(self, *, on: bool) -> None:
        self._view.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on)
        QGuiApplication.inputMethod().update(Qt.InputMethodQuery.ImEnabled)

    def press(self, event: QKeyEvent) -> bool:
        """Take a key; False when it was neither the page's nor the view's."""
        if not self.is_inside:
            return self._own_key(event)
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif not is_for_page(event):
            event.ignore()
        elif self._view.takes_hands:
            self._send(event)
        return True

    def release(self, event: QKeyEvent) -> bool:
        """Release a key on the page; False when it was not down there."""
        if self._down.pop(event.key(), None) is None:
            return False
        self._view.hand.emit(key_value(event, pressed=False))
        return True

    def compose(self, event: QInputMethodEvent) -> None:
        """Show what an input method composes, send what it commits."""
        self.composed = event.preeditString()
        if event.commitString():
            self._view.hand.emit(TextInput(event.commitString()))

    def _send(self, event: QKeyEvent) -> None:
        """The clipboard is the window's, so that pasting sends its text."""
        if is_paste(event):
            text = QGuiApplication.clipboard().text()
            if text:
                self._view.hand.emit(TextInput(text))
            return
        value = key_value(event, pressed=True)
        self._down[value.key] = value
        self._view.hand.emit(value)

    def _own_key(self, event: QKeyEvent) -> bool:
        """Keys of the view itself; whether this was one of them."""
        key, modifiers = event.key(), held(event)
        way = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(key), 0)
        if key in _ENTER and modifiers == PLAIN and self._view.takes_hands:
            self.enter()
        elif way and modifiers == PLAIN:
            self._walk(way)
        elif way and modifiers == SHIFT:
            self._view.scroll_by(0.0, way * self._view.notch)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and modifiers in (PLAIN, SHIFT):
            self._view.step_zoom(-1 if key == Qt.Key.Key_Minus else 1)
        elif key == Qt.Key.Key_F and modifiers == PLAIN:
            self._view.set_zoom(None)
        else:
            return False
        return True

    def _walk(self, way: int) -> None:
        """Go to the next field in the table's order, and scroll there."""
        names = [mark.name for mark in self._view.marks]
        if not names:
            return
        at = names.index(self._view.selected) if self._view.selected in names else (-1 if way > 0 else len(names))
        name = names[min(max(at + way, 0), len(names) - 1)]
        if name != self._view.selected:
            self._view.choose_field(name)
            self._view.show_field(name)

    def keeps(self, event: QKeyEvent) -> bool:
        """Whether a key has its meaning here before any shortcut of the window."""
        if self.is_inside:
            return event.key() == Qt.Key.Key_Escape or is_for_page(event)
        if event.key() in _ENTER:
            return self._view.takes_hands and held(event) == PLAIN
        return event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and held(event) in (PLAIN, SHIFT)


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


def key_value(event: QKeyEvent, *, pressed: bool) -> KeyPress:
    return KeyPress("press" if pressed else "release", event.key(), event.text(), event.modifiers().value)
