"""Mouse and wheel on the page: they become values in pixels of the page, choose fields and zoom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from stepscope.core.webtask.events import Mouse, Wheel

if TYPE_CHECKING:
    from stepscope.widgets.webtask.page_view import PageView

_NOTCH = 120.0
_Button = Literal["left", "middle", "right", "none"]
_BUTTONS: dict[Qt.MouseButton, _Button] = {
    Qt.MouseButton.LeftButton: "left", Qt.MouseButton.MiddleButton: "middle", Qt.MouseButton.RightButton: "right",
}  # fmt: skip
_OUTSIDE = -1.0
"""Where the mouse is for the page while it is elsewhere."""


class PagePointer:
    """Presses, moves and the wheel go to a page that takes hands; one that is only looked at is scrolled, and there a
    click anywhere in a field chooses it. Ctrl and the wheel zoom.

    It reads places from its view and emits the view's signals.
    """

    def __init__(self, view: PageView) -> None:
        self._view = view
        self._shape = Qt.CursorShape.ArrowCursor
        self._buttons: set[Qt.MouseButton] = set()
        self._over = False
        self._under = ""
        self._place = QPointF()
        self._turned = 0.0
        self.pressed_at = QPointF()

    # Cursor

    def set_shape(self, name: str) -> None:
        """The pointer's shape over the page, by Qt's name ("IBeamCursor"); an unknown one is an arrow."""
        self._shape = getattr(Qt.CursorShape, name, Qt.CursorShape.ArrowCursor)
        self.show_cursor()

    def show_cursor(self) -> None:
        """The page's shape over a page that takes hands, a pointing hand over the numbers of one that does not."""
        view = self._view
        shape = self._shape if view.takes_hands and self._over else Qt.CursorShape.ArrowCursor
        on_tag = not view.takes_hands and view.tag_at(self._place)
        wanted = Qt.CursorShape.PointingHandCursor if on_tag else shape
        if view.cursor().shape() != wanted:
            view.setCursor(wanted)

    # Mouse

    def press(self, event: QMouseEvent) -> None:
        """A press, or the second press of a double click."""
        view, place, button = self._view, event.position(), event.button()
        chosen = self._meant(place, event)
        if button == Qt.MouseButton.LeftButton and chosen:
            view.choose_field(chosen)
        elif view.takes_hands and button in _BUTTONS and view.frame.holds(place.x(), place.y()):
            self.pressed_at = place
            self._buttons.add(button)
            view.enter()
            self._send(event, "double" if event.type() == QEvent.Type.MouseButtonDblClick else "press")

    def release(self, event: QMouseEvent) -> None:
        if event.button() in self._buttons:
            self._buttons.discard(event.button())
            self._send(event, "release")

    def move(self, event: QMouseEvent) -> None:
        place, takes_hands = event.position(), self._view.takes_hands
        self._hover(self._view.field_at(place))
        over = self._view.frame.holds(place.x(), place.y())
        if takes_hands and (over or self._buttons):
            self._send(event, "move")
        elif takes_hands and self._over:
            self._go_out()
        self._over, self._place = over, place
        self.show_cursor()

    def leave(self) -> None:
        self._hover("")
        if self._over and self._view.takes_hands:
            self._go_out()
        self._over, self._place = False, QPointF(_OUTSIDE, _OUTSIDE)

    def _meant(self, place: QPointF, event: QMouseEvent) -> str:
        """The field that a press there chooses. Whoever works in the page presses through the numbers, which lie over
        buttons and words; with Alt they are pressed all the same."""
        if not self._view.takes_hands:
            return self._view.field_at(place)
        return self._view.tag_at(place) if event.modifiers() & Qt.KeyboardModifier.AltModifier else ""

    def _go_out(self) -> None:
        self._view.hand.emit(Mouse("move", _OUTSIDE, _OUTSIDE, "none"))

    def _send(self, event: QMouseEvent, what: Literal["press", "release", "move", "double"]) -> None:
        """Beside the page it is at the nearest pixel of it."""
        place = event.position()
        x, y = self._view.frame.clamped(place.x(), place.y())
        button = _BUTTONS.get(event.button(), "none")
        if what == "move":
            button = next((_BUTTONS[one] for one in _BUTTONS if one in self._buttons), "none")
        self._view.hand.emit(Mouse(what, x, y, button, event.modifiers().value))

    def _hover(self, name: str) -> None:
        if name != self._under:
            self._under = name
            self._view.light_field(name)
            self._view.field_hovered.emit(name)

    # Wheel

    def turn_wheel(self, event: QWheelEvent) -> None:
        event.accept()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._turn_zoom(event.angleDelta().y())
            return
        place, frame = event.position(), self._view.frame
        if not self._view.is_there or not frame.holds(place.x(), place.y()):
            return
        dx, dy = self._way(event)
        if dx or dy:
            x, y = frame.to_page(place.x(), place.y())
            self._view.hand.emit(Wheel(x, y, dx, dy, event.modifiers().value))

    def _way(self, event: QWheelEvent) -> tuple[float, float]:
        """Pixels of the page: those of a touch pad as they are, of a wheel so many lines for a notch."""
        pixels, angle, view = event.pixelDelta(), event.angleDelta(), self._view
        if not pixels.isNull():
            dx, dy = -pixels.x() / view.frame.shown, -pixels.y() / view.frame.shown
        else:
            dx, dy = -angle.x() / _NOTCH * view.notch, -angle.y() / _NOTCH * view.notch
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not dx:
            dx, dy = dy, 0.0
        return dx, dy

    def _turn_zoom(self, angle: int) -> None:
        """Whole notches, however finely the wheel tells them."""
        self._turned += angle
        notches = int(self._turned / _NOTCH)
        if notches:
            self._turned -= notches * _NOTCH
            self._view.step_zoom(notches)
