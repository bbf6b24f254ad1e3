"""The mirror: the live picture with a hand. Mouse, wheel, keys and drops become signals in pixels of the device."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.layers import Layers
from stepscope.core.domain.mark import Mark
from stepscope.core.imaging.rect import Rect
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.live.mirror.hand_painter import RING, paint_crosshair, paint_trail
from stepscope.widgets.live.mirror.keyboard import MirrorKeyboard
from stepscope.widgets.live.mirror.mirror_frame import FrameSource, MirrorFrame, Proposal
from stepscope.widgets.live.mirror.overlay import Overlay, OverlayPainter
from stepscope.widgets.live.mirror.phone import BODY, PhonePainter
from stepscope.widgets.live.mirror.pointer import MirrorPointer
from stepscope.widgets.live.mirror.touch import Touch
from stepscope.widgets.live.mirror.walk import same_element
from stepscope.widgets.screen.content import ScreenColors
from stepscope.widgets.screen.live_image import GREYED, greyed, image_over
from stepscope.widgets.screen.qt_rect import qrect
from stepscope.widgets.screen.scene import Scene
from stepscope.widgets.screen.viewport import ZOOM_STEP, FitMode, Viewport

MARGIN = 22.0
"""Free space around a fitted phone, its body within."""
STEP = 8
"""The picture is a multiple of so many device pixels wide: decoders scale to such widths quickest and give no other."""
SETTLE_MS = 120
"""A size is asked for when zoom and window have rested so long."""
_PHONE = Size(1080, 2400)
"""Shape of a phone of which nothing is known yet."""
_SAME_SHAPE = 0.02
"""Share by which a picture's proportions may differ from the screen's: a decoder rounds."""
_TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
"""Keys that Qt takes to go to another widget, unless they are caught before."""


class MirrorView(QWidget):
    """Takes the newest frame from its source when it paints, never before: one `wake` asks for one painting. What a
    mouse and a wheel do is said at MirrorPointer, what keys do at MirrorKeyboard.

    `size_wanted(Size)`: in device pixels, as large as the picture is shown, never larger than the screen; later frames
    should have it. `frame_painted(frame)`: for the first painting of each. `screen_changed(Size)`: another size of
    the device's screen, or turned. `zoom_changed(percent, fits)`.

    All points are pixels of the device's screen. `tapped(Point)`, `double_tapped(Point)`, `long_pressed(Point)`,
    `swiped(start, end, milliseconds)`, `scrolled(Direction, Point)`: down shows what is below. `element_hovered(int)`,
    `element_chosen(int)`: index in the tree, −1 none.

    `key_pressed(str)`: Android's word in small letters (enter, del, dpad_left, …); `text_typed(str)`: letters once
    typing rests, what an input method commits at once; `text_pasted(str)`. `keys_mode_changed(bool)`.
    `apk_dropped(str)`: its path; other drops are left to the window.
    """

    size_wanted = Signal(object)
    frame_painted = Signal(object)
    screen_changed = Signal(object)
    zoom_changed = Signal(float, str)
    tapped = Signal(object)
    double_tapped = Signal(object)
    long_pressed = Signal(object)
    swiped = Signal(object, object, int)
    scrolled = Signal(object, object)
    back_wanted = Signal()
    home_wanted = Signal()
    element_hovered = Signal(int)
    element_chosen = Signal(int)
    key_pressed = Signal(str)
    text_typed = Signal(str)
    text_pasted = Signal(str)
    keys_mode_changed = Signal(bool)
    apk_dropped = Signal(str)

    def __init__(self, parent: QWidget | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._source: FrameSource | None = None
        self._frame: Any | None = None
        self._image: QImage | None = None
        self._grey: QImage | None = None
        self._unpainted = False
        self._paused = self._touchable = False
        self._notice = ""
        self._overlay = Overlay()
        self._hovered = self._chosen = -1
        self._crosshair: Point | None = None
        self._covered = (0.0, 0.0)
        self._wanted: Size | None = None
        self._viewport = Viewport(1, 1, 1.0, _PHONE, False, by=FitMode.WHOLE, margin=MARGIN, side=MARGIN, step=STEP)
        self._scene = Scene(ScreenColors.of(theme.current()))
        self._phone, self._over = PhonePainter(), OverlayPainter()
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._want_size)
        theme.notifier().changed.connect(self._theme_changed)
        self.touch = Touch(self, clock)
        for its, mine in (
            (self.touch.tapped, self.tapped), (self.touch.double_tapped, self.double_tapped),
            (self.touch.long_pressed, self.long_pressed), (self.touch.swiped, self.swiped),
        ):  # fmt: skip
            its.connect(mine)
        self.touch.changed.connect(self._update_trail)
        self._pointer, self._keyboard = MirrorPointer(self, clock), MirrorKeyboard(self)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Phone")

    # The picture

    def set_source(self, source: FrameSource | None) -> None:
        """Set where frames come from; None, or another device's: the picture so far is gone."""
        self._source = source
        self._frame = self._image = self._grey = None
        self._overlay = Overlay(layers=self._overlay.layers)
        self._hovered = self._chosen = -1
        self._crosshair = None
        self._wanted = None
        self._settle.start()
        self.update()

    def wake(self) -> None:
        """A new frame lies in the source."""
        if not self._paused:
            self.update(self._phone_area())

    def show_frame(self, frame: MirrorFrame) -> None:
        """Show a frame that did not come through the source."""
        self._adopt(frame)
        self.update()

    def set_paused(self, paused: bool) -> None:
        """Leave the picture as it is, whatever the phone does."""
        if paused != self._paused:
            self._paused = paused
            self.update()

    def set_notice(self, words: str, *, touchable: bool = False) -> None:
        """Words over the picture, which is grey meanwhile; "" when it is live again. `touchable`: the device is there
        and takes touches though its picture does not show what they do."""
        self._touchable = touchable
        if words != self._notice:
            self._notice, self._grey = words, None
            self.update()

    @property
    def notice(self) -> str:
        return self._notice

    @property
    def is_paused(self) -> bool:
        return self._paused

    @property
    def frame(self) -> Any | None:
        """The frame that is shown."""
        return self._frame

    @property
    def screen_size(self) -> Size | None:
        """The device's screen as it is turned now; None before the first frame."""
        return self._frame.size if self._frame is not None else None

    # The overlay

    def set_tree(self, tree: UITree | None, *, stale: bool = False) -> None:
        """The UI tree of the picture; `stale`: of an earlier one. What is lit and chosen stays so while it is there."""
        self._pointer.replace_tree(self._overlay.tree, tree)
        before, self._overlay = self._overlay.tree, replace(self._overlay, tree=tree, stale=stale)
        self._hovered = same_element(before, tree, self._hovered)
        self._chosen = same_element(before, tree, self._chosen)
        self.update()

    def set_tree_stale(self, stale: bool) -> None:
        if stale != self._overlay.stale:
            self._overlay = replace(self._overlay, stale=stale)
            self.update()

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Marks of predictions, in pixels of the device's screen."""
        self._overlay = replace(self._overlay, marks=marks)
        self.update()

    def set_proposal(self, proposal: Proposal | None) -> None:
        self._overlay = replace(self._overlay, proposal=proposal)
        self.update()

    def set_layers(self, layers: Layers) -> None:
        self._overlay = replace(self._overlay, layers=layers)
        self.update()

    def light_element(self, index: int) -> None:
        """Light an element of the tree up (−1: none), as the pointer over its row does."""
        if index != self._hovered:
            self._hovered = index
            self.update()

    def choose_element(self, index: int) -> None:
        """The element that is chosen in the tree (−1: none)."""
        if index != self._chosen:
            self._chosen = index
            self.update()

    @property
    def chosen(self) -> int:
        """The chosen element's index in the tree, −1 none."""
        return self._chosen

    @property
    def overlay(self) -> Overlay:
        return self._overlay

    @property
    def tree(self) -> UITree | None:
        """The tree, where it is one of the screen as it is turned now."""
        size = self.screen_size
        return self._overlay.tree if size is not None and self._overlay.fits(size) else None

    def set_covered(self, left: float, right: float) -> None:
        """Logical pixels at the sides under other things: bubbles keep clear of both, a fitted phone of `right`."""
        if (left, right) != self._covered:
            self._covered = (left, right)
            self._resized()
            self.update()

    # Zoom and pan

    @property
    def viewport(self) -> Viewport:
        """Where the picture lies, now."""
        return self._viewport

    def fitted_in(self, size: QSize, right: float) -> Viewport:
        """How the phone would lie fitted in a view of this size with `right` pixels under other things."""
        side = max(MARGIN, min(right + BODY + 8, size.width() / 4))
        width, height = max(1, size.width()), max(1, size.height())
        return replace(self._viewport, width=width, height=height, side=side, fit=True, by=FitMode.WHOLE)

    def fit(self) -> None:
        self._look(replace(self._viewport.fitted(), by=FitMode.WHOLE))

    def zoom_in(self) -> None:
        self.zoom_about(QPointF(self.width() / 2, self.height() / 2), ZOOM_STEP)

    def zoom_out(self) -> None:
        self.zoom_about(QPointF(self.width() / 2, self.height() / 2), 1 / ZOOM_STEP)

    def zoom_about(self, place: QPointF, factor: float) -> None:
        """Zoom with what lies under a place of the widget kept there."""
        self._look(self._viewport.zoomed(factor, place.x(), place.y()))

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by logical pixels."""
        self._look(self._viewport.panned(dx, dy))

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

    def describe(self, text: str) -> None:
        """What a screen reader says of the phone."""
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def _look(self, viewport: Viewport) -> None:
        before = self._viewport
        if viewport == before:
            return
        self._viewport = viewport
        self._settle.start()
        self.update()
        if (viewport.percent, viewport.fit) != (before.percent, before.fit):
            self.zoom_changed.emit(viewport.percent, "Fit" if viewport.fit else "")

    def _want_size(self) -> None:
        wanted = self._size_to_want()
        if wanted != self._wanted:
            self._wanted = wanted
            self.size_wanted.emit(wanted)

    def _size_to_want(self) -> Size:
        """A decoder that fits the screen into it makes the picture as large as it is shown, rounded."""
        view, place = self._viewport, self._viewport.picture
        if self._frame is None:
            return Size(max(1, round(view.width * view.ratio)), max(1, round(view.height * view.ratio)))
        screen = self._frame.size
        wide, high = math.ceil(place.width * view.ratio - 1e-6), math.ceil(place.height * view.ratio - 1e-6)
        return Size(min(wide, screen.width), min(high, screen.height)) if wide < screen.width else screen

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        self._take()
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        self._paint_picture(painter)
        self._phone.surround(painter, self._scene, self._viewport, event.rect())
        if not self._notice and self._frame is not None:
            self._paint_over(painter, self._frame.size)
        if self._keyboard.sends_keys:
            self._phone.keys_frame(painter, self._viewport)
        self._phone.words(painter, self._viewport, self._notice, self.font())
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()
        if self._unpainted:
            self._unpainted = False
            if self._source is not None:
                self._source.painted(self._frame)
            self.frame_painted.emit(self._frame)

    def _take(self) -> None:
        frame = self._source.take() if self._source is not None and not self._paused else None
        if frame is not None:
            self._adopt(frame)
            self._unpainted = True

    def _adopt(self, frame: MirrorFrame) -> None:
        """Show this frame from now on. The image reads the frame's own memory, so both are kept."""
        turned = self._frame is None or self._frame.size != frame.size
        self._image = image_over(frame.image, self._viewport.ratio)
        self._frame, self._grey = frame, None
        shape = self._shape_of(frame)
        if shape != self._viewport.size:
            self._look(self._viewport.with_picture(shape))
        if turned:
            self._crosshair = None
            self._settle.start()
            self.update()
            self.screen_changed.emit(frame.size)

    @staticmethod
    def _shape_of(frame: MirrorFrame) -> Size:
        """The screen's size; of a picture in other proportions its own, so that it is not stretched."""
        height, width = frame.image.shape[:2]
        differs = abs(width * frame.size.height / (height * frame.size.width) - 1)
        rounding = 1 / min(width, height)
        return frame.size if differs < max(_SAME_SHAPE, rounding) else Size(width, height)

    def _paint_picture(self, painter: QPainter) -> None:
        view = self._viewport
        if self._image is None:
            self._phone.empty(painter, view)
        elif self._notice:
            self._grey = self._grey or greyed(self._image)
            self._phone.picture(painter, view, self._grey, GREYED)
        else:
            self._phone.picture(painter, view, self._image)

    def _paint_over(self, painter: QPainter, size: Size) -> None:
        view, tree = self._viewport, self.tree
        for index, selected in ((self._hovered, False), (self._chosen, True)):
            if tree is not None and 0 <= index < len(tree):
                self._scene.outline(painter, view, tree.elements[index].box, selected=selected)
        self._over.paint(painter, self._overlay, size, view, self.font(), self._free())
        if self._crosshair is not None:
            paint_crosshair(painter, view, self._crosshair)
        paint_trail(painter, view, self.touch.trail)
        foot = self._keyboard.composed or ("Picture paused" if self._paused else "")
        if foot:
            self._phone.foot(painter, view, foot, self.font())

    def _free(self) -> QRectF:
        """Where bubbles may lie."""
        left, right = self._covered
        return QRectF(left + 16, 16, max(1.0, self.width() - left - right - 32), max(1.0, self.height() - 32))

    def _update_trail(self) -> None:
        self.update(self._phone_area(RING + 4))

    def _phone_area(self, around: float = 0.0) -> QRect:
        """What a new frame changes, and so many pixels around it."""
        if self._frame is None:
            return self.rect()
        grown = self._viewport.picture.grown(around).shared(Rect(0.0, 0.0, float(self.width()), float(self.height())))
        return qrect(grown).toAlignedRect() if grown is not None else QRect(0, 0, 1, 1)

    # Size and theme

    def sizeHint(self) -> QSize:
        return QSize(760, 640)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 160)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized()

    def _resized(self) -> None:
        ratio = self.devicePixelRatioF()
        if ratio != self._viewport.ratio and self._frame is not None:
            self._image, self._grey = image_over(self._frame.image, ratio), None
        as_fitted, now = self.fitted_in(self.size(), self._covered[1]), self._viewport
        self._look(replace(as_fitted, ratio=ratio, fit=now.fit, by=now.by))

    def _theme_changed(self) -> None:
        self._scene.colors = ScreenColors.of(theme.current())
        self.update()

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Letters typed before a press are sent before it; the mouse takes the crosshair away."""
        self._keyboard.settle()
        self._keyboard.lead(None)
        self._pointer.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pointer.release(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer.leave()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._pointer.turn_wheel(event)

    # Keys

    def set_keys_mode(self, on: bool) -> None:
        """Send all that is typed to the device, until Esc."""
        self._keyboard.set_mode(on)

    @property
    def keys_mode(self) -> bool:
        return self._keyboard.sends_keys

    @property
    def crosshair(self) -> Point | None:
        """Where Enter taps; None before an arrow led there."""
        return self._crosshair

    def set_crosshair(self, point: Point | None) -> None:
        self._crosshair = point
        self.update()

    def place_words(self) -> str:
        """What a screen reader says of the crosshair's place; "" without one."""
        return self._keyboard.place_words()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.keys_mode and event.key() == Qt.Key.Key_Space and not event.modifiers():
            self._pointer.hold_space(True)
        elif not self._keyboard.press(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat() and self._pointer.space_held:
            self._pointer.hold_space(False)
        else:
            super().keyReleaseEvent(event)

    def event(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._keyboard.keeps(event):
            event.accept()
            return True
        pressed = kind == QEvent.Type.KeyPress and self.keys_mode
        if pressed and isinstance(event, QKeyEvent) and event.key() in _TABS:
            return self._keyboard.type_key(event)
        if kind == QEvent.Type.DevicePixelRatioChange:
            self._resized()
        return super().event(event)

    # Input methods

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if not self.keys_mode:
            event.ignore()
            return
        self._keyboard.compose(event)
        self.update(self._phone_area())
        event.accept()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:
        if query == Qt.InputMethodQuery.ImEnabled:
            return self.keys_mode
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
        """Single letters (record, screenshot) act only while the mirror has the keyboard: the ring says so, however it
        came here."""
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Held keys and touches end here: their release goes to another widget. Typed letters are sent."""
        self._keyboard.settle()
        self.touch.cancel()
        self._pointer.hold_space(False)
        self.update()
        super().focusOutEvent(event)


def _apks(event: QDropEvent) -> list[str]:
    urls = event.mimeData().urls()
    return [url.toLocalFile() for url in urls if url.isLocalFile() and url.path().lower().endswith(".apk")]
