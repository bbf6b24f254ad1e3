"""Mouse and wheel on the mirror: they touch the device, choose elements, zoom and pan."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.domain.layers import Layer
from stepscope.widgets.live.mirror.walk import same_element
from stepscope.widgets.screen.viewport import ZOOM_STEP

if TYPE_CHECKING:
    from stepscope.widgets.live.mirror.view import MirrorView

SCROLL_SECONDS = 0.2
"""Notches of the wheel that come sooner after a scroll belong to it: a device takes so long for one."""
_NOTCH = 120


class MirrorPointer:
    """A click taps, held 500 ms presses long, twice double taps, a drag swipes, the wheel scrolls; right click is Back,
    middle click Home, Alt+click chooses an element without touching the device; once more the one around it. Ctrl and
    the wheel zoom, a drag with Space pans. Clicks beside the picture do nothing.

    It reads places from its view and emits the view's signals.
    """

    def __init__(self, view: MirrorView, clock: Callable[[], float]) -> None:
        self._view, self._touch = view, view.touch
        self._clock = clock
        self._space = False
        self._grip: QPointF | None = None
        self._way: Direction | None = None
        self._turned = self._scrolled = 0.0
        self._under = -1

    # Mouse

    def press(self, event: QMouseEvent) -> None:
        """A press, or the second press of two: Touch knows whether it makes a double tap."""
        place, button = event.position(), event.button()
        if self._space and button == Qt.MouseButton.LeftButton:
            self._grip = place
            self._view.setCursor(Qt.CursorShape.ClosedHandCursor)
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
            back = button == Qt.MouseButton.RightButton
            wanted = self._view.back_wanted if back else self._view.home_wanted
            wanted.emit()

    def move(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._grip is not None:
            moved, self._grip = place - self._grip, place
            self._view.pan(moved.x(), moved.y())
            return
        point = self._view.screen_point(place, clamped=self._touch.is_down)
        if point is not None:
            self._touch.move(place, point)
        else:
            self._touch.settle()
        self._hover(point)

    def release(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._grip is not None:
            self._grip = None
            self._show_cursor()
            return
        point = self._view.screen_point(event.position(), clamped=True)
        if point is not None:
            self._touch.release(point)

    def leave(self) -> None:
        self._touch.settle()
        self._hover(None)

    def _touched(self, place: QPointF) -> Point | None:
        return self._view.screen_point(place) if self._view.takes_touches else None

    # Wheel

    def turn_wheel(self, event: QWheelEvent) -> None:
        turned, place = event.angleDelta(), event.position()
        event.accept()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if turned.y():
                self._view.zoom_about(place, ZOOM_STEP ** (turned.y() / _NOTCH))
            return
        point = self._touched(place)
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
            self._view.scrolled.emit(way, point)

    # Space

    @property
    def space_held(self) -> bool:
        """Whether a drag pans."""
        return self._space

    def hold_space(self, held: bool) -> None:
        self._space = held
        self._show_cursor()

    def _show_cursor(self) -> None:
        if self._space:
            self._view.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self._view.unsetCursor()

    # Elements

    def replace_tree(self, before: UITree | None, after: UITree | None) -> None:
        """The element under the pointer has another index in a later tree."""
        self._under = same_element(before, after, self._under)

    def _hover(self, point: Point | None) -> None:
        tree = self._view.tree
        under = tree.at(point) if tree is not None and point is not None else []
        index = under[0].index if under else -1
        if index == self._under:
            return
        self._under = index
        if Layer.TREE in self._view.overlay.layers:
            self._view.light_element(index)
        self._view.element_hovered.emit(index)

    def _choose_at(self, place: QPointF) -> None:
        """The smallest element there; once more: the next larger one under it."""
        tree, point, chosen = self._view.tree, self._view.screen_point(place), self._view.chosen
        under = [element.index for element in tree.at(point)] if tree is not None and point is not None else []
        if under:
            again = under.index(chosen) + 1 if chosen in under else 0
            index = under[again % len(under)]
            self._view.choose_element(index)
            self._view.element_chosen.emit(index)
