"""The page with a pointer: mouse and wheel become values in pixels of the page."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from stepscope.core.webtask.events import Mouse, Wheel
from stepscope.widgets.webtask.page_canvas import PageCanvas
from stepscope.widgets.webtask.page_keys import CONTROL, SHIFT

LINE = 20.0
"""CSS pixels for a line of the wheel, as Qt scrolls its own views and its web pages."""
_NOTCH = 120.0
_Button = Literal["left", "middle", "right", "none"]
_BUTTONS: dict[Qt.MouseButton, _Button] = {
    Qt.MouseButton.LeftButton: "left", Qt.MouseButton.MiddleButton: "middle", Qt.MouseButton.RightButton: "right",
}  # fmt: skip
_OUTSIDE = -1.0
"""Where the mouse is for the page while it is elsewhere."""


class PagePointer(PageCanvas):
    """`hand(Mouse | Wheel)`: for the page. `field_hovered(str)`: the name of the field under the pointer, ""
    none. `field_chosen(str)`: its number was clicked. A page that is not `live` is only looked at and scrolled; there a
    click anywhere in a field chooses it. Ctrl and the wheel zoom.
    """

    hand = Signal(object)
    field_hovered = Signal(str)
    field_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._live = True
        self._shape = Qt.CursorShape.ArrowCursor
        self._buttons: set[Qt.MouseButton] = set()
        self._over = False
        self._under = ""
        self._pointer = self._pressed_at = QPointF()
        self._turned = 0.0
        self.setMouseTracking(True)

    def set_live(self, live: bool) -> None:
        """Whether hands reach the page; one that is only looked at takes nothing but the wheel."""
        self._live = live
        self._show_cursor()

    @property
    def is_live(self) -> bool:
        return self._live

    @property
    def is_there(self) -> bool:
        """Whether what is seen is the page as it is."""
        return self.has_picture and not self._lost and not self._waits

    @property
    def takes_hands(self) -> bool:
        return self._live and self.is_there

    def enter(self) -> None:
        """Somebody pressed into the page."""

    # Mouse

    def set_cursor_shape(self, name: str) -> None:
        """The pointer's shape over the page, by Qt's name ("IBeamCursor"); an unknown one is an arrow."""
        self._shape = getattr(Qt.CursorShape, name, Qt.CursorShape.ArrowCursor)
        self._show_cursor()

    def _show_cursor(self) -> None:
        shape = self._shape if self.takes_hands and self._over else Qt.CursorShape.ArrowCursor
        on_tag = not self.takes_hands and self._tag_at(self._pointer)
        wanted = Qt.CursorShape.PointingHandCursor if on_tag else shape
        if self.cursor().shape() != wanted:
            self.setCursor(wanted)

    def _tag_at(self, place: QPointF) -> str:
        """The field whose number lies there; of several the one painted last."""
        return next((tag.mark.name for tag in reversed(self._tags) if tag.place.contains(place)), "")

    def field_at(self, place: QPointF) -> str:
        """The field that lies at a place of the view: its number, else the smallest box; "" none."""
        boxes = [tag for tag in self._tags if tag.box.contains(place)]
        smallest = min(boxes, key=lambda tag: tag.box.width() * tag.box.height(), default=None)
        return self._tag_at(place) or (smallest.mark.name if smallest is not None else "")

    def _meant(self, place: QPointF, event: QMouseEvent) -> str:
        """The field that a press there chooses. Whoever works in the page presses through the numbers, which lie over
        buttons and words; with Alt they are pressed all the same."""
        if not self.takes_hands:
            return self.field_at(place)
        return self._tag_at(place) if event.modifiers() & Qt.KeyboardModifier.AltModifier else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, button = event.position(), event.button()
        chosen = self._meant(place, event)
        if button == Qt.MouseButton.LeftButton and chosen:
            self._choose(chosen)
        elif self.takes_hands and button in _BUTTONS and self._frame.holds(place.x(), place.y()):
            self._pressed_at = place
            self._buttons.add(button)
            self.enter()
            self._mouse(event, "double" if event.type() == QEvent.Type.MouseButtonDblClick else "press")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() in self._buttons:
            self._buttons.discard(event.button())
            self._mouse(event, "release")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        self._hover(self.field_at(place))
        over = self._frame.holds(place.x(), place.y())
        if self.takes_hands and (over or self._buttons):
            self._mouse(event, "move")
        elif self.takes_hands and self._over:
            self._go_out()
        self._over, self._pointer = over, place
        self._show_cursor()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover("")
        if self._over and self.takes_hands:
            self._go_out()
        self._over, self._pointer = False, QPointF(_OUTSIDE, _OUTSIDE)
        super().leaveEvent(event)

    def _go_out(self) -> None:
        self.hand.emit(Mouse("move", _OUTSIDE, _OUTSIDE, "none"))

    def _mouse(self, event: QMouseEvent, what: Literal["press", "release", "move", "double"]) -> None:
        """Beside the page it is at the nearest pixel of it."""
        place = event.position()
        x, y = self._frame.clamped(place.x(), place.y())
        button = _BUTTONS.get(event.button(), "none")
        if what == "move":
            button = next((_BUTTONS[one] for one in _BUTTONS if one in self._buttons), "none")
        self.hand.emit(Mouse(what, x, y, button, event.modifiers().value))

    def _hover(self, name: str) -> None:
        if name != self._under:
            self._under = name
            self.light_field(name)
            self.field_hovered.emit(name)

    def _choose(self, name: str) -> None:
        self.select_field(name)
        self.field_chosen.emit(name)

    # Wheel

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        if event.modifiers() & CONTROL:
            self._turn_zoom(event.angleDelta().y())
            return
        place = event.position()
        if not self.is_there or not self._frame.holds(place.x(), place.y()):
            return
        dx, dy = self._way(event)
        if dx or dy:
            x, y = self._frame.to_page(place.x(), place.y())
            self.hand.emit(Wheel(x, y, dx, dy, event.modifiers().value))

    def _way(self, event: QWheelEvent) -> tuple[float, float]:
        """Pixels of the page: those of a touch pad as they are, of a wheel so many lines for a notch."""
        pixels, angle = event.pixelDelta(), event.angleDelta()
        if not pixels.isNull():
            dx, dy = -pixels.x() / self._frame.shown, -pixels.y() / self._frame.shown
        else:
            dx, dy = -angle.x() / _NOTCH * self.notch, -angle.y() / _NOTCH * self.notch
        if event.modifiers() & SHIFT and not dx:
            dx, dy = dy, 0.0
        return dx, dy

    @property
    def notch(self) -> float:
        """Pixels of the page that a notch of the wheel scrolls."""
        return QGuiApplication.styleHints().wheelScrollLines() * LINE * self._frame.scale

    def _turn_zoom(self, angle: int) -> None:
        """Whole notches, however finely the wheel tells them."""
        self._turned += angle
        notches = int(self._turned / _NOTCH)
        if notches:
            self._turned -= notches * _NOTCH
            self.step_zoom(notches)

    def scroll_by(self, dx: float, dy: float) -> None:
        """Scroll what is in the middle of the view by pixels of the page."""
        seen = self._frame.viewport
        self.hand.emit(Wheel(seen.width / 2, seen.height / 2, dx, dy))

    def show_field(self, name: str) -> None:
        """Scroll so far that a field is seen, where it is not."""
        mark = self.mark_of(name)
        if mark is None or mark.box is None:
            return
        frame, box = self._frame, mark.box
        top, bottom = frame.y, frame.y + frame.viewport.height
        if box.top < top or box.bottom > bottom:
            self.scroll_by(0.0, (box.top + min(box.bottom, box.top + frame.viewport.height)) / 2 - (top + bottom) / 2)
