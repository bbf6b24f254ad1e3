"""Keys on the mirror: those that lead a crosshair over the elements, and those that are typed on the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent

from stepscope.core.domain.geometry import Direction, Point
from stepscope.widgets.live.mirror import spoken
from stepscope.widgets.live.mirror.walk import next_stop, relative

if TYPE_CHECKING:
    from stepscope.widgets.live.mirror.view import MirrorView

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
KEY_SWIPE_MS = 300
_STEP = 0.05
"""Share of the screen that an arrow moves the crosshair by where there is no UI tree."""
_SWIPE = 0.5
"""Share of the screen that a swipe by keys goes over."""
_WAYS: dict[int, Direction] = {
    Qt.Key.Key_Left: Direction.LEFT,
    Qt.Key.Key_Right: Direction.RIGHT,
    Qt.Key.Key_Up: Direction.UP,
    Qt.Key.Key_Down: Direction.DOWN,
}
_SHIFTS: dict[Direction, tuple[int, int]] = {
    Direction.LEFT: (-1, 0),
    Direction.RIGHT: (1, 0),
    Direction.UP: (0, -1),
    Direction.DOWN: (0, 1),
}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PLAIN = Qt.KeyboardModifier.NoModifier
_SHIFT, _CONTROL, _ALT = (
    Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier,
)  # fmt: skip


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


class MirrorKeyboard(QObject):
    """Arrows lead a crosshair from element to element (Ctrl+Alt+arrows along the tree), Enter taps there, Ctrl+Enter
    double taps, Shift+Enter presses long, Shift+arrows swipe, PgUp and PgDn scroll, Esc takes the crosshair away;
    F fits, + and − zoom. In keys mode (`sends_keys`) everything typed goes to the device until Esc; `composed` is what
    an input method has not committed yet.

    It reads the screen from its view and emits the view's signals.
    """

    def __init__(self, view: MirrorView) -> None:
        super().__init__(view)
        self._view = view
        self._typing = KeyboardInput(self)
        self.sends_keys = False
        self.composed = ""
        self._typing.typed.connect(view.text_typed)
        self._typing.pressed.connect(view.key_pressed)

    # Crosshair

    def lead(self, point: Point | None, element: int = -1) -> None:
        """Put the crosshair somewhere, on an element where there is one; None takes it away."""
        if point == self._view.crosshair:
            return
        self._view.set_crosshair(point)
        if point is not None:
            self._view.choose_element(element)
            self._view.element_chosen.emit(element)
            self._view.describe(self.place_words())

    def place_words(self) -> str:
        """What a screen reader says of the crosshair's place; "" without one."""
        tree = self._view.tree
        if self._view.crosshair is None:
            return ""
        if tree is not None and 0 <= self._view.chosen < len(tree):
            return spoken.element_words(tree, self._view.chosen)
        return f"x {self._view.crosshair.x:.0f}, y {self._view.crosshair.y:.0f}."

    def _step(self, way: Direction, *, along_tree: bool) -> None:
        """Go to the next element that way, or a little further where there is no tree."""
        size, tree = self._view.screen_size, self._view.tree
        if size is None:
            return
        start = self._view.crosshair or Point(size.width / 2, 0.0, size)
        if tree is None or not len(tree):
            dx, dy = _SHIFTS[way]
            x, y = start.x + dx * _STEP * size.width, start.y + dy * _STEP * size.height
            self.lead(Point(min(max(x, 0.0), size.width - 1.0), min(max(y, 0.0), size.height - 1.0), size))
            return
        if along_tree and 0 <= self._view.chosen < len(tree):
            found = relative(tree, self._view.chosen, way)
        else:
            found = next_stop(tree, start, way)
        if found is not None:
            self.lead(found.box.centre.rescaled(size), found.index)

    def _aim(self) -> Point | None:
        """Where keys touch: the crosshair, else the middle."""
        size = self._view.screen_size
        if size is None or not self._view.takes_touches:
            return None
        return self._view.crosshair or Point(size.width / 2, size.height / 2, size)

    def _swipe(self, way: Direction) -> None:
        aim = self._aim()
        if aim is None:
            return
        (dx, dy), size = _SHIFTS[way], aim.size
        x = min(max(aim.x + dx * _SWIPE * size.width, 0.0), size.width - 1.0)
        y = min(max(aim.y + dy * _SWIPE * size.height, 0.0), size.height - 1.0)
        self._view.swiped.emit(aim, Point(x, y, size), KEY_SWIPE_MS)

    # Keys

    def set_mode(self, on: bool) -> None:
        """Send everything typed to the device, until Esc."""
        if on == self.sends_keys:
            return
        self._typing.settle()
        self.sends_keys, self.composed = on, ""
        self._view.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on)
        QGuiApplication.inputMethod().update(Qt.InputMethodQuery.ImEnabled)
        self._view.update()
        if on:
            self._view.setFocus()
        self._view.keys_mode_changed.emit(on)

    def press(self, event: QKeyEvent) -> bool:
        """Take a key; whether it was one of the mirror's."""
        if self.sends_keys:
            self._key_to_device(event)
            return True
        return self._own_key(event)

    def type_key(self, event: QKeyEvent) -> bool:
        """Send a key to the device; whether it means something there."""
        return self._typing.key(event)

    def settle(self) -> None:
        """Send what was typed until now."""
        self._typing.settle()

    def compose(self, event: QInputMethodEvent) -> None:
        """Show what an input method composes, send what it commits."""
        self.composed = event.preeditString()
        self._typing.commit(event.commitString())

    def _key_to_device(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.set_mode(False)
        elif event.key() == Qt.Key.Key_V and event.modifiers() == _CONTROL:
            self._paste()
        elif not self._typing.key(event):
            event.ignore()

    def _paste(self) -> None:
        self._typing.settle()
        text = QGuiApplication.clipboard().text()
        if text:
            self._view.text_pasted.emit(text)

    def _own_key(self, event: QKeyEvent) -> bool:
        """Keys of the mirror itself; whether this was one of them."""
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _WAYS and held in (_PLAIN, _CONTROL | _ALT):
            self._step(_WAYS[key], along_tree=held != _PLAIN)
        elif key in _WAYS and held == _SHIFT:
            self._swipe(_WAYS[key])
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and held == _PLAIN:
            aim = self._aim()
            if aim is not None:
                self._view.scrolled.emit(Direction.UP if key == Qt.Key.Key_PageUp else Direction.DOWN, aim)
        elif key in _ENTER and self._view.crosshair is not None:
            wanted = {_SHIFT: self._view.long_pressed, _CONTROL: self._view.double_tapped}.get(held, self._view.tapped)
            if self._view.takes_touches:
                wanted.emit(self._view.crosshair)
        elif key == Qt.Key.Key_Escape and self._view.crosshair is not None:
            self.lead(None)
        elif key == Qt.Key.Key_F and held == _PLAIN:
            self._view.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and held in (_PLAIN, _SHIFT):
            self._view.zoom_out() if key == Qt.Key.Key_Minus else self._view.zoom_in()
        else:
            return False
        return True

    def keeps(self, event: QKeyEvent) -> bool:
        """Whether a key has its meaning here before any shortcut of the window."""
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self.sends_keys:
            paste = key == Qt.Key.Key_V and held == _CONTROL
            return (
                paste
                or key == Qt.Key.Key_Escape
                or not held & (_CONTROL | _ALT)
                or held & (_CONTROL | _ALT) == (_CONTROL | _ALT)
            )
        if key in _WAYS:
            return held in (_PLAIN, _CONTROL | _ALT, _SHIFT)
        if key in (Qt.Key.Key_Space, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            return held == _PLAIN
        return self._view.crosshair is not None and (key in _ENTER or (key == Qt.Key.Key_Escape and held == _PLAIN))


def text_of(event: QKeyEvent) -> str:
    """The letters of a key, "" for one that writes nothing. Ctrl and Alt together write where they are AltGr."""
    held = event.modifiers() & (_CONTROL | _ALT)
    text = event.text()
    return text if text and text.isprintable() and held in (Qt.KeyboardModifier.NoModifier, _CONTROL | _ALT) else ""
