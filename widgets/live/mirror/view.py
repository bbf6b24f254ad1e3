"""The mirror: the live picture with a hand. Mouse, wheel, keys and drops become signals in pixels of the device."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from stepscope.core.domain.geometry import Direction, Point
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.live.mirror import spoken
from stepscope.widgets.live.mirror.keys import KeyboardInput
from stepscope.widgets.live.mirror.pointer import MirrorPointer
from stepscope.widgets.live.mirror.walk import next_stop, relative

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
_TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
"""Keys that Qt takes to go to another widget, unless they are caught before."""
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PLAIN = Qt.KeyboardModifier.NoModifier
_SHIFT, _CONTROL, _ALT = (
    Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier,
)  # fmt: skip


class MirrorView(MirrorPointer):
    """With the keyboard alone: arrows lead a crosshair from element to element (Alt+arrows along the tree), Enter taps
    there, Ctrl+Enter double taps, Shift+Enter presses long, Shift+arrows swipe, PgUp and PgDn scroll, Esc takes the
    crosshair away; F fits, + and − zoom. In keys mode everything typed goes to the device until Esc.

    `key_pressed(str)`: Android's word in small letters (enter, del, dpad_left, …); `text_typed(str)`: letters once
    typing rests, what an input method commits at once; `text_pasted(str)`. `keys_mode_changed(bool)`.
    `apk_dropped(str)`: its path; other drops are left to the window.
    """

    key_pressed = Signal(str)
    text_typed = Signal(str)
    text_pasted = Signal(str)
    keys_mode_changed = Signal(bool)
    apk_dropped = Signal(str)

    def __init__(self, parent: QWidget | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent, clock)
        self._typing = KeyboardInput(self)
        self._ringed = False
        self._typing.typed.connect(self.text_typed)
        self._typing.pressed.connect(self.key_pressed)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """What was typed before is sent before; whoever takes the mouse needs no crosshair."""
        self._typing.settle()
        self._lead(None)
        super().mousePressEvent(event)

    # Crosshair

    def _lead(self, point: Point | None, element: int = -1) -> None:
        """Put the crosshair somewhere, on an element where there is one; None takes it away."""
        if point == self._crosshair:
            return
        self._crosshair = point
        if point is not None:
            self.choose_element(element)
            self.element_chosen.emit(element)
            self.describe(self.place_words())
        self.update()

    def place_words(self) -> str:
        """What a screen reader says of the crosshair's place; "" without one."""
        tree = self.tree
        if self._crosshair is None:
            return ""
        if tree is not None and 0 <= self._chosen < len(tree):
            return spoken.element_words(tree, self._chosen)
        return f"x {self._crosshair.x:.0f}, y {self._crosshair.y:.0f}."

    def _step(self, way: Direction, *, along_tree: bool) -> None:
        """To the next element that way, or a little further where there is no tree."""
        size, tree = self.screen_size, self.tree
        if size is None:
            return
        start = self._crosshair or Point(size.width / 2, 0.0, size)
        if tree is None or not len(tree):
            dx, dy = _SHIFTS[way]
            x, y = start.x + dx * _STEP * size.width, start.y + dy * _STEP * size.height
            self._lead(Point(min(max(x, 0.0), size.width - 1.0), min(max(y, 0.0), size.height - 1.0), size))
            return
        if along_tree and 0 <= self._chosen < len(tree):
            found = relative(tree, self._chosen, way)
        else:
            found = next_stop(tree, start, way)
        if found is not None:
            self._lead(found.box.centre.rescaled(size), found.index)

    def _aim(self) -> Point | None:
        """Where keys touch: the crosshair, else the middle."""
        size = self.screen_size
        if size is None or not self.takes_touches:
            return None
        return self._crosshair or Point(size.width / 2, size.height / 2, size)

    def _swipe(self, way: Direction) -> None:
        aim = self._aim()
        if aim is None:
            return
        (dx, dy), size = _SHIFTS[way], aim.size
        x = min(max(aim.x + dx * _SWIPE * size.width, 0.0), size.width - 1.0)
        y = min(max(aim.y + dy * _SWIPE * size.height, 0.0), size.height - 1.0)
        self.swiped.emit(aim, Point(x, y, size), KEY_SWIPE_MS)

    # Keys

    def set_keys_mode(self, on: bool) -> None:
        """Everything typed goes to the device, until Esc."""
        if on == self._keys:
            return
        self._typing.settle()
        self._keys, self._composed = on, ""
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on)
        QGuiApplication.inputMethod().update(Qt.InputMethodQuery.ImEnabled)
        self.update()
        if on:
            self.setFocus()
        self.keys_mode_changed.emit(on)

    @property
    def keys_mode(self) -> bool:
        return self._keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._keys:
            self._key_to_device(event)
        elif event.key() == Qt.Key.Key_Space and not event.modifiers():
            self._space = True
            self._show_hand()
        elif not self._own_key(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat() and self._space:
            self._space = False
            self._show_hand()
        else:
            super().keyReleaseEvent(event)

    def _key_to_device(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.set_keys_mode(False)
        elif event.key() == Qt.Key.Key_V and event.modifiers() == _CONTROL:
            self._paste()
        elif not self._typing.key(event):
            event.ignore()

    def _paste(self) -> None:
        self._typing.settle()
        text = QGuiApplication.clipboard().text()
        if text:
            self.text_pasted.emit(text)

    def _own_key(self, event: QKeyEvent) -> bool:
        """Keys of the mirror itself; whether this was one of them."""
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _WAYS and held in (_PLAIN, _ALT):
            self._step(_WAYS[key], along_tree=held == _ALT)
        elif key in _WAYS and held == _SHIFT:
            self._swipe(_WAYS[key])
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and held == _PLAIN:
            aim = self._aim()
            if aim is not None:
                self.scrolled.emit(Direction.UP if key == Qt.Key.Key_PageUp else Direction.DOWN, aim)
        elif key in _ENTER and self._crosshair is not None:
            wanted = {_SHIFT: self.long_pressed, _CONTROL: self.double_tapped}.get(held, self.tapped)
            if self.takes_touches:
                wanted.emit(self._crosshair)
        elif key == Qt.Key.Key_Escape and self._crosshair is not None:
            self._lead(None)
        elif key == Qt.Key.Key_F and held == _PLAIN:
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and held in (_PLAIN, _SHIFT):
            self.zoom_out() if key == Qt.Key.Key_Minus else self.zoom_in()
        else:
            return False
        return True

    def _keeps(self, event: QKeyEvent) -> bool:
        """Whether a key has its meaning here before any shortcut of the window."""
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self._keys:
            paste = key == Qt.Key.Key_V and held == _CONTROL
            return (
                paste
                or key == Qt.Key.Key_Escape
                or not held & (_CONTROL | _ALT)
                or held & (_CONTROL | _ALT) == (_CONTROL | _ALT)
            )
        if key in _WAYS:
            return held in (_PLAIN, _ALT, _SHIFT)
        if key in (Qt.Key.Key_Space, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            return held == _PLAIN
        return self._crosshair is not None and (key in _ENTER or (key == Qt.Key.Key_Escape and held == _PLAIN))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._keeps(event):
            event.accept()
            return True
        pressed = self._keys and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in _TABS:
            return self._typing.key(event)
        return super().event(event)

    # Input methods

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if not self._keys:
            event.ignore()
            return
        self._composed = event.preeditString()
        self._typing.commit(event.commitString())
        self.update(self._phone_area())
        event.accept()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:
        if query == Qt.InputMethodQuery.ImEnabled:
            return self._keys
        if query == Qt.InputMethodQuery.ImCursorRectangle:
            place = self._viewport.picture
            return QRectF((place.left + place.right) / 2, min(place.bottom, self.height()) - 32, 1, 20)
        return super().inputMethodQuery(query)

    # Drops

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _apks(event):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        for path in _apks(event):
            self.apk_dropped.emit(path)
        event.acceptProposedAction()

    # Focus

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ringed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was held is not held any more; what was typed is sent."""
        self._space = False
        self._typing.settle()
        self._touch.cancel()
        self._show_hand()
        self.update()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._ringed and self.hasFocus():
            painter = QPainter(self)
            paint_focus_ring(painter, self.rect())
            painter.end()


def _apks(event: QDropEvent) -> list[str]:
    urls = event.mimeData().urls()
    return [url.toLocalFile() for url in urls if url.isLocalFile() and url.path().lower().endswith(".apk")]
