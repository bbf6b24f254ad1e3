"""The screen view: the canvas with a pointer and keys. Values in, signals out."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from stepscope.core.domain.geometry import Point
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.screen.canvas import ZOOM_STEP, ScreenCanvas
from stepscope.widgets.screen.content import ScreenColors, ScreenContent
from stepscope.widgets.screen.loupe import ZOOMS, Loupe, start_of
from stepscope.widgets.screen.minimap import looked_at, map_place
from stepscope.widgets.screen.tips import tip_at

_NOTCH = 120
"""What Qt counts for one notch of a wheel."""
_CLICK_SLACK = 4
"""Logical pixels that the pointer may move between press and release of a click."""

_SCROLL = 60.0
"""Logical pixels that a notch of the wheel pans by."""
_PAN = 0.15
"""Share of the view that a key pans by."""
_ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_ZOOM_KEYS: dict[int, int] = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1}


class ScreenView(ScreenCanvas):
    """Wheel zooms at the pointer, middle or Space drag pans, a double click fits or shows 100 %, O held hides marks.
    Z held is a loupe: at the pointer, else at the reference mark; arrows move it by a pixel, with Shift by ten, the
    wheel and + and − change its zoom. Up and Down (with Ctrl Left and Right) and the wheel with Shift pan.

    `clicked(Point)`: on the picture, beside any action's mark; `mark_clicked(Layer)`: on one. `hovered(Point | None)`.
    `step_wanted(int)`: −1 or 1, a neighbour was clicked. `space_tapped()`: Space without a drag (play or pause).
    `menu_wanted(Point | None, QPoint)`: right click, Alt+click or the menu key, with the global place. Points are
    pixels of the screenshot.
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
        self._space = self._space_dragged = self._ringed = False
        self._grip: QPointF | None = None
        self._on_map = self._loupe_held = self._loupe_pinned = self._loupe_led = False
        self._loupe_zoom = ZOOMS[0]
        self._pressed: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_readout_source(self, words_at: Callable[[Point], str] | None) -> None:
        """Ask this for the words at a pixel whenever the pointer moves."""
        self._words_at = words_at

    # The loupe

    def hold_loupe(self, held: bool) -> None:
        """Show the loupe while a key is held."""
        self._loupe_held = held
        self._place_loupe()

    def pin_loupe(self, pinned: bool) -> None:
        """Show the loupe until it is taken away; it stays from step to step."""
        self._loupe_pinned = pinned
        self._place_loupe()

    @property
    def is_loupe_pinned(self) -> bool:
        return self._loupe_pinned

    def _place_loupe(self) -> None:
        """Where it was led or where the pointer is, else at the reference mark."""
        content, now = self.content, self._loupe
        if content is None or not (self._loupe_held or self._loupe_pinned):
            self._loupe_led = False
            self.set_loupe(None)
        elif self._pointer is not None and not self._loupe_led:
            self.set_loupe(Loupe.at(self._pointer, self._loupe_zoom))
        elif now is not None and (self._loupe_led or not self._loupe_pinned):
            self.set_loupe(Loupe.at(now.place.rescaled(content.size), self._loupe_zoom))
        else:
            self.set_loupe(Loupe.at(start_of(content, self.viewport), self._loupe_zoom))

    def _lead_loupe(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Keys while the loupe is held; whether it was one of them."""
        if self._loupe is None:
            return False
        if key in _ZOOM_KEYS:
            self._zoom_loupe(_ZOOM_KEYS[key])
        elif key in _ARROWS:
            far = 10 if modifiers & Qt.KeyboardModifier.ShiftModifier else 1
            dx, dy = _ARROWS[key]
            self._loupe_led = True
            self.set_loupe(self._loupe.moved(far * dx, far * dy))
        else:
            return False
        return True

    def _zoom_loupe(self, way: int) -> None:
        place = ZOOMS.index(self._loupe_zoom) + way
        self._loupe_zoom = ZOOMS[min(max(place, 0), len(ZOOMS) - 1)]
        if self._loupe is not None:
            self.set_loupe(Loupe(self._loupe.place, self._loupe_zoom))

    def show_step(self, content: ScreenContent) -> None:
        super().show_step(content)
        self._place_loupe()

    # Input

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if left and not self._space and self._drag_map(event.position()):
            self._on_map = True
        elif event.button() == Qt.MouseButton.MiddleButton or (left and self._space):
            self._grip = event.position()
            self._space_dragged = self._space
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif left:
            self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._on_map:
            self._drag_map(event.position(), begun=True)
            return
        if self._grip is not None:
            moved = event.position() - self._grip
            self._grip = event.position()
            self.pan(moved.x(), moved.y())
            return
        self._point_at(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._on_map:
            self._on_map = False
            return
        if self._grip is not None:
            self._grip = None
            self.unsetCursor()
            return
        pressed, self._pressed = self._pressed, None
        if pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if (event.position() - pressed).manhattanLength() > _CLICK_SLACK:
            return
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.menu_wanted.emit(self._picture_point(event.position()), event.globalPosition().toPoint())
        else:
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
        turned = event.angleDelta()
        if turned.y() and self._loupe_held:
            self._zoom_loupe(1 if turned.y() > 0 else -1)
        elif self._content is not None and (turned.x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier):
            self.pan(turned.x() * _SCROLL / _NOTCH, turned.y() * _SCROLL / _NOTCH)
            self._point_at(event.position())
        elif self._content is not None and turned.y():
            self.zoom_about(event.position(), ZOOM_STEP ** (turned.y() / _NOTCH))
            self._point_at(event.position())
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        asked_by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_wanted.emit(None if asked_by_key else self._picture_point(QPointF(event.pos())), event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._loupe_held and self._lead_loupe(event.key(), event.modifiers()):
            return
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space, self._space_dragged = True, False
                self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif event.key() == Qt.Key.Key_O and not event.modifiers():
            self.set_bare(True)
        elif event.key() == Qt.Key.Key_Z and not event.modifiers():
            self.hold_loupe(True)
        elif (way := pan_of(event)) is not None:
            self.pan(way[0] * self.width(), way[1] * self.height())
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat():
            return
        if event.key() == Qt.Key.Key_Space and self._space:
            self._release_space()
        elif event.key() == Qt.Key.Key_O:
            self.set_bare(False)
        elif event.key() == Qt.Key.Key_Z:
            self.hold_loupe(False)
        else:
            super().keyReleaseEvent(event)

    def event(self, event: QEvent) -> bool:
        """Space, O and Z have a meaning while they are held here, and with Z others: no shortcut may take them first.
        Marks have tooltips."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip_words(self.tip_at(QPointF(event.pos()))), self)
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            bare = not event.modifiers() and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_O, Qt.Key.Key_Z)
            if bare or (self._loupe_held and (event.key() in _ARROWS or event.key() in _ZOOM_KEYS)):
                event.accept()
                return True
        return super().event(event)

    def tip_at(self, place: QPointF) -> str:
        """What evidence and candidates at a place of the view say of themselves."""
        if self._content is None or self._bare or self._picture_point(place) is None:
            return ""
        return tip_at(self._content.marks, self._viewport, place.x(), place.y())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Who comes with the keyboard sees by a ring where it is; a click says so itself."""
        self._ringed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.update()
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._ringed and self.hasFocus():
            painter = QPainter(self)
            paint_focus_ring(painter, self.rect())
            painter.end()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A key that was let go elsewhere is not held any more."""
        self.update()
        self._space = False
        self.unsetCursor()
        if self._bare:
            self.set_bare(False)
        if self._loupe_held:
            self.hold_loupe(False)
        super().focusOutEvent(event)

    def _release_space(self) -> None:
        self._space = False
        self.unsetCursor()
        if not self._space_dragged:
            self.space_tapped.emit()

    def _drag_map(self, place: QPointF, *, begun: bool = False) -> bool:
        """Look at what is under a place of the small map; False when it is not there."""
        area = map_place(self._viewport) if self._content is not None and not self._bare else None
        if area is None or not (begun or area.contains(place.x(), place.y())):
            return False
        self._look(looked_at(self._viewport, area, place.x(), place.y()))
        return True

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
        self._loupe_led = self._loupe_led and point is None
        if self._loupe is not None and point is not None:
            self._place_loupe()
        if self._words_at is not None and point is not None:
            self._words = self._words_at(point)
        self._update_readout()
        self.hovered.emit(point)


def pan_of(event: QKeyEvent) -> tuple[float, float] | None:
    """By which share of the view a key moves the picture: Up and Down, with Ctrl Left and Right."""
    way = _ARROWS.get(event.key())
    across = way is not None and way[0] != 0
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    wanted = Qt.KeyboardModifier.ControlModifier if across else Qt.KeyboardModifier.NoModifier
    return (-_PAN * way[0], -_PAN * way[1]) if way is not None and modifiers == wanted else None
