"""The screen view: the canvas with a pointer and keys. Values in, signals out."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from core.domain.geometry import Point
from widgets.screen.canvas import ZOOM_STEP, ScreenCanvas
from widgets.screen.content import ScreenColors
from widgets.screen.tips import tip_at

_NOTCH = 120
"""What Qt counts for one notch of a wheel."""
_CLICK_SLACK = 4
"""Logical pixels that the pointer may move between press and release of a click."""


class ScreenView(ScreenCanvas):
    """Wheel zooms at the pointer, middle or Space drag pans, a double click fits or shows 100 %, O held hides marks.

    `clicked(Point)`: on the picture, beside any action's mark; `mark_clicked(Layer)`: on one. `hovered(Point | None)`.
    `step_wanted(int)`: −1 or 1, a neighbour was clicked. `space_tapped()`: Space without a drag (play or pause).
    `menu_wanted(Point | None, QPoint)`: right click, with its global place. Points are pixels of the screenshot.
    """

    clicked = Signal(object)
    mark_clicked = Signal(object)
    hovered = Signal(object)
    step_wanted = Signal(int)
    space_tapped = Signal()
    menu_wanted = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None, colors: ScreenColors | None = None) -> None:
        super().__init__(parent, colors)
        self._words_at: Callable[[Point], str] | None = None
        self._space = self._space_dragged = False
        self._grip: QPointF | None = None
        self._pressed: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_readout_source(self, words_at: Callable[[Point], str] | None) -> None:
        """Ask this for the words at a pixel whenever the pointer moves; instead of calling `set_readout`."""
        self._words_at = words_at

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (left and self._space):
            self._grip = event.position()
            self._space_dragged = self._space
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif left:
            self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            moved = event.position() - self._grip
            self._grip = event.position()
            self.pan(moved.x(), moved.y())
            return
        self._point_at(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._grip = None
            self.unsetCursor()
            return
        pressed, self._pressed = self._pressed, None
        if pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if (event.position() - pressed).manhattanLength() <= _CLICK_SLACK:
            self._click(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._picture_point(event.position()) is None:
            return
        if self._viewport.fit:
            place = event.position()
            self._look(self._viewport.actual_size(place.x(), place.y()))
        else:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / _NOTCH
        if notches and self._content is not None:
            self.zoom_about(event.position(), ZOOM_STEP**notches)
            self._point_at(event.position())
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(self._picture_point(QPointF(event.pos())), event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space, self._space_dragged = True, False
                self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif event.key() == Qt.Key.Key_O and not event.modifiers():
            self.set_bare(True)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat():
            return
        if event.key() == Qt.Key.Key_Space and self._space:
            self._release_space()
        elif event.key() == Qt.Key.Key_O:
            self.set_bare(False)
        else:
            super().keyReleaseEvent(event)

    def event(self, event: QEvent) -> bool:
        """Space and O have a meaning while they are held here: no shortcut may take them first. Marks have tooltips."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            bare = not event.modifiers() and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_O)
            if bare:
                event.accept()
                return True
        return super().event(event)

    def tip_at(self, place: QPointF) -> str:
        """What evidence and candidates at a place of the view say of themselves."""
        if self._content is None or self._bare or self._picture_point(place) is None:
            return ""
        return tip_at(self._content.marks, self._viewport, place.x(), place.y())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A key that was let go elsewhere is not held any more."""
        self._space = False
        self.unsetCursor()
        if self._bare:
            self.set_bare(False)
        super().focusOutEvent(event)

    def _release_space(self) -> None:
        self._space = False
        self.unsetCursor()
        if not self._space_dragged:
            self.space_tapped.emit()

    def _click(self, place: QPointF) -> None:
        point = self._picture_point(place)
        if point is not None:
            layer = None if self._bare else self.sketched().layer_at(place.x(), place.y())
            if layer is not None:
                self.mark_clicked.emit(layer)
            else:
                self.clicked.emit(point)
        elif self._content is not None:
            for key, _, _, side in self._sides(self._content):
                if side.contains(place.x(), place.y()):
                    self.step_wanted.emit(-1 if key == "previous" else 1)

    def _picture_point(self, place: QPointF) -> Point | None:
        """The picture's pixel there, None outside the picture."""
        if self._content is None or self._error.isVisibleTo(self):
            return None
        point = self._viewport.to_picture(place.x(), place.y())
        inside = 0 <= point.x < point.size.width and 0 <= point.y < point.size.height
        return point if inside else None

    def _point_at(self, place: QPointF | None) -> None:
        point = self._picture_point(place) if place is not None else None
        if point == self._pointer:
            return
        self._pointer = point
        if self._words_at is not None and point is not None:
            self._words = self._words_at(point)
        self._update_readout()
        self.hovered.emit(point)
