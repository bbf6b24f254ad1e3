"""Keys that go to the device: which key is which there, and letters gathered into words."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent

TYPING_MS = 300
"""Letters that come closer together than this are sent as one text: a device takes a tenth of a second for each."""

NAMES: dict[int, str] = {
    Qt.Key.Key_Return: "enter",
    Qt.Key.Key_Enter: "enter",
    Qt.Key.Key_Backspace: "del",
    Qt.Key.Key_Delete: "forward_del",
    Qt.Key.Key_Tab: "tab",
    Qt.Key.Key_Left: "dpad_left",
    Qt.Key.Key_Right: "dpad_right",
    Qt.Key.Key_Up: "dpad_up",
    Qt.Key.Key_Down: "dpad_down",
    Qt.Key.Key_Home: "move_home",
    Qt.Key.Key_End: "move_end",
    Qt.Key.Key_PageUp: "page_up",
    Qt.Key.Key_PageDown: "page_down",
    Qt.Key.Key_VolumeUp: "volume_up",
    Qt.Key.Key_VolumeDown: "volume_down",
}
"""Android's own words for keys, in small letters and without KEYCODE_."""
_CONTROL, _ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


class KeyboardInput(QObject):
    """`typed(str)`: text, `pressed(str)`: a key by its name; in the order in which they were typed."""

    typed = Signal(str)
    pressed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPING_MS)
        self._timer.timeout.connect(self.settle)

    def key(self, event: QKeyEvent) -> bool:
        """Whether the key means something to the device; then it is told, letters once typing rests."""
        text = text_of(event)
        if text:
            self._text += text
            self._timer.start()
            return True
        name = NAMES.get(event.key())
        if name is None or event.modifiers() & (_CONTROL | _ALT):
            return False
        self.settle()
        self.pressed.emit(name)
        return True

    def commit(self, text: str) -> None:
        """Text that an input method gives at once: an emoji, a word in another script."""
        self.settle()
        if text:
            self.typed.emit(text)

    def settle(self) -> None:
        """Tell what was typed until now."""
        self._timer.stop()
        text, self._text = self._text, ""
        if text:
            self.typed.emit(text)


def text_of(event: QKeyEvent) -> str:
    """The letters of a key, "" for one that writes nothing. Ctrl and Alt together write where they are AltGr."""
    held = event.modifiers() & (_CONTROL | _ALT)
    text = event.text()
    return text if text and text.isprintable() and held in (Qt.KeyboardModifier.NoModifier, _CONTROL | _ALT) else ""
