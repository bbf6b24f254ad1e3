"""The live picture with a pointer: clicks, drags and the wheel become touches of the device."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.domain.mark import Layer
from stepscope.widgets.live.mirror.hand_painter import RING
from stepscope.widgets.live.mirror.stage import MirrorStage
from stepscope.widgets.live.mirror.touch import Touch
from stepscope.widgets.live.mirror.walk import same_element
from stepscope.widgets.screen.viewport import ZOOM_STEP

SCROLL_SECONDS = 0.2
"""Notches of the wheel that come sooner after a scroll belong to it: a device takes so long for one."""
_NOTCH = 120


class MirrorPointer(MirrorStage):
    """A click taps, held 500 ms presses long, twice double taps, a drag swipes, the wheel scrolls; right click is Back,
    middle click Home, Alt+click chooses an element without touching the device; once more the one around it. Ctrl and
    the wheel zoom, a drag with Space pans. Clicks beside the picture do nothing.

    All points are pixels of the device's screen. `tapped(Point)`, `double_tapped(Point)`, `long_pressed(Point)`,
    `swiped(start, end, milliseconds)`, `scrolled(Direction, Point)`: down shows what is below. `element_hovered(int)`,
    `element_chosen(int)`: index in the tree, −1 none.
    """

    tapped = Signal(object)
    double_tapped = Signal(object)
    long_pressed = Signal(object)
    swiped = Signal(object, object, int)
    scrolled = Signal(object, object)
    back_wanted = Signal()
    home_wanted = Signal()
    element_hovered = Signal(int)
    element_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._touch = Touch(self, clock)
        self._space = False
        self._grip: QPointF | None = None
        self._way: Direction | None = None
        self._turned = self._scrolled = 0.0
        self._under = -1
        for mine, its in (
            (self.tapped, self._touch.tapped), (self.double_tapped, self._touch.double_tapped),
            (self.long_pressed, self._touch.long_pressed), (self.swiped, self._touch.swiped),
        ):  # fmt: skip
            its.connect(mine)
        self._touch.changed.connect(self._show_trail)
        self.setMouseTracking(True)

    # Places

    def screen_point(self, place: QPointF, *, clamped: bool = False) -> Point | None:
        """The device's pixel under a place of the widget; None beside the picture, unless it is `clamped` to it."""
        size = self.screen_size
        if size is None:
            return None
        point = self._viewport.to_picture(place.x(), place.y()).rescaled(size)
        if clamped:
            return Point(min(max(point.x, 0.0), size.width - 1.0), min(max(point.y, 0.0), size.height - 1.0), size)
        return point if 0 <= point.x < size.width and 0 <= point.y < size.height else None

    @property
    def takes_touches(self) -> bool:
        """Whether what is seen is the device as it is, or its picture cannot be had."""
        return self._frame is not None and not self._paused and (not self._notice or self._touchable)

    def _touched(self, place: QPointF) -> Point | None:
        return self.screen_point(place) if self.takes_touches else None

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, button = event.position(), event.button()
        if self._space and button == Qt.MouseButton.LeftButton:
            self._grip = place
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            return
        point = self._touched(place)
        if button == Qt.MouseButton.LeftButton and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._choose_at(place)
        elif point is None:
            self._touch.settle()
        elif button == Qt.MouseButton.LeftButton:
            self._touch.press(place, point)
        elif button in (Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton):
            self._touch.settle()
            wanted = self.back_wanted if button == Qt.MouseButton.RightButton else self.home_wanted
            wanted.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second press of two: Touch knows whether it makes a double tap."""
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._grip is not None:
            moved, self._grip = place - self._grip, place
            self.pan(moved.x(), moved.y())
            return
        point = self.screen_point(place, clamped=self._touch.is_down)
        if point is not None:
            self._touch.move(place, point)
        else:
            self._touch.settle()
        self._hover(point)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._grip is not None:
            self._grip = None
            self._show_hand()
            return
        point = self.screen_point(event.position(), clamped=True)
        if point is not None:
            self._touch.release(point)

    def leaveEvent(self, event: QEvent) -> None:
        self._touch.settle()
        self._hover(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, event_place = event.angleDelta(), event.position()
        event.accept()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if turned.y():
                self.zoom_about(event_place, ZOOM_STEP ** (turned.y() / _NOTCH))
            return
        point = self._touched(event_place)
        if point is None:
            return
        across = abs(turned.x()) > abs(turned.y())
        amount = turned.x() if across else turned.y()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            across = True
        names = (Direction.LEFT, Direction.RIGHT) if across else (Direction.UP, Direction.DOWN)
        self._scroll(names[0] if amount > 0 else names[1], abs(amount), point)

    def _scroll(self, way: Direction, amount: float, point: Point) -> None:
        """Tell whole notches; more of them while the device still scrolls that way are one with it."""
        now = self._clock()
        if way is not self._way:
            self._way, self._turned, self._scrolled = way, 0.0, -math.inf
        if now - self._scrolled < SCROLL_SECONDS:
            return
        self._turned += amount
        if self._turned >= _NOTCH:
            self._turned, self._scrolled = 0.0, now
            self._touch.settle()
            self.scrolled.emit(way, point)

    def _show_trail(self) -> None:
        self._trail = self._touch.trail
        self.update(self._phone_area(RING + 4))

    # Elements

    def set_tree(self, tree: UITree | None, *, stale: bool = False) -> None:
        self._under = same_element(self._overlay.tree, tree, self._under)
        super().set_tree(tree, stale=stale)

    def _hover(self, point: Point | None) -> None:
        tree = self.tree
        under = tree.at(point) if tree is not None and point is not None else []
        index = under[0].index if under else -1
        if index == self._under:
            return
        self._under = index
        if Layer.TREE in self._overlay.layers:
            self.light_element(index)
        self.element_hovered.emit(index)

    def _choose_at(self, place: QPointF) -> None:
        """The smallest element there; once more: the next larger one under it."""
        tree, point = self.tree, self.screen_point(place)
        under = [element.index for element in tree.at(point)] if tree is not None and point is not None else []
        if under:
            again = under.index(self._chosen) + 1 if self._chosen in under else 0
            self.choose_element(under[again % len(under)])
            self.element_chosen.emit(self._chosen)

    def _show_hand(self) -> None:
        if self._space:
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.unsetCursor()
