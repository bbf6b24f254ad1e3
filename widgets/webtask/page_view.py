"""The page of a web task in the window: its newest picture, what lies over it, its lists, and hands that reach it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.webtask.events import Wheel
from stepscope.core.webtask.page import PageOption
from stepscope.widgets import theme
from stepscope.widgets.common import ErrorCard
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.screen.content import ScreenColors
from stepscope.widgets.screen.live_image import GREYED, greyed, image_over
from stepscope.widgets.screen.qt_rect import qrect
from stepscope.widgets.screen.scene import Scene
from stepscope.widgets.screen.viewport import Viewport
from stepscope.widgets.webtask.page_fields import PERSON, PageFieldMark, RenderSize, Runner, field_words
from stepscope.widgets.webtask.page_frame import PageFrame, frame_in, next_zoom
from stepscope.widgets.webtask.page_keyboard import CONTROL, TABS, PageKeyboard
from stepscope.widgets.webtask.page_list import PageList
from stepscope.widgets.webtask.page_painter import (
    TAG,
    FieldTag,
    OverPainter,
    PageOverlay,
    lay_out,
    paint_composed,
)
from stepscope.widgets.webtask.page_pointer import PagePointer

SETTLE_MS = 120
"""A size is asked for when window and zoom have rested so long."""
DIM_MS = 100
"""What is over sooner is not shown as waiting."""
DIMMED = 0.55
"""Opacity of a page that is no longer the one that was asked for."""
_CORNER = 8.0
_SIZES_KEPT = 8
"""Sizes asked for, of which a picture may still come."""
LINE = 20.0
"""CSS pixels for a line of the wheel, as Qt scrolls its own views and its web pages."""
_CARD_WIDTH, _CARD_MARGIN = 440, 16
HINT = "Enter or a click: keys go to the page. Esc: they leave it. Ctrl+Tab goes on to the next part of the window."
READ_ONLY_HINT = "Up and Down go from field to field, Shift with them scrolls."


class PageView(QWidget):
    """What a mouse and a wheel do is said at PagePointer, what keys do at PageKeyboard. A page that is not `live` is
    only looked at and scrolled.

    `size_wanted(RenderSize)`: the page is to be drawn so; told when the view has rested. `zoom_changed(percent)`.

    `hand(Mouse | Wheel | KeyPress | TextInput)`: for the page. `inside_changed(bool)`: whether keys go to it.
    `field_hovered(str)`: the name of the field under the pointer, "" none. `field_chosen(str)`: its number was clicked.

    `list_chosen(str)`: the value of the item that was taken from a drop-down list; `list_closed()`: none was.
    `reload_wanted()`: the button over a lost page.
    """

    size_wanted = Signal(object)
    zoom_changed = Signal(float)
    hand = Signal(object)
    inside_changed = Signal(bool)
    field_hovered = Signal(str)
    field_chosen = Signal(str)
    list_chosen = Signal(str)
    list_closed = Signal()
    reload_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pixels: NDArray[np.uint8] | None = None
        self._image: QImage | None = None
        self._grey: QImage | None = None
        self._asked: OrderedDict[Size, None] = OrderedDict()
        self._told: RenderSize | None = None
        self._zoom: float | None = None
        self._fixed: Size | None = None
        self._own: Size | None = None
        self._frame = self._natural = frame_in(1, 1, 1.0)
        self._marks: tuple[PageFieldMark, ...] = ()
        self._answer_source = PERSON
        self._elements: tuple[Box, ...] = ()
        self._fields_on, self._elements_on = True, False
        self._selected = self._hovered = ""
        self._tags: tuple[FieldTag, ...] = ()
        self._lost = self._waits = self._watched = self._listed = False
        self._live = True
        self._overlay = OverPainter()
        self._scene = Scene(ScreenColors.of(theme.current()))
        self._settle = self._timer(SETTLE_MS, self._tell_size)
        self._dim = self._timer(DIM_MS, self.update)
        self._pointer, self._keyboard = PagePointer(self), PageKeyboard(self)
        self.list = PageList(self)
        self.list.taken.connect(self._took)
        self.list.closed.connect(self._closed)
        self.lost = ErrorCard(parent=self)
        self.lost.hide()
        self.lost.pressed.connect(lambda _button: self.reload_wanted.emit())
        self.lost.installEventFilter(self)
        theme.notifier().changed.connect(self._theme_changed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Page")

    def _timer(self, milliseconds: int, call: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(call)
        return timer

    # The picture

    def show_picture(self, pixels: NDArray[np.uint8] | None) -> None:
        """A new picture of what is on the page's screen: height × width × 4 bytes (blue, green, red, unused),
        contiguous, never written to again. None: there is no page."""
        self._pixels, self._grey = pixels, None
        self._image = image_over(pixels, self.devicePixelRatioF()) if pixels is not None else None
        if pixels is not None:
            size = Size(pixels.shape[1], pixels.shape[0])
            self._own = None if size in self._asked or size == self._natural.viewport else size
            self._place()
        self.update(self._page_area())

    @property
    def has_picture(self) -> bool:
        return self._pixels is not None

    def set_waiting(self, waits: bool, *, watched: bool = False) -> None:
        """Whether the page that is seen is still another than the one asked for: after a moment it is pale. One that is
        `watched`, while somebody else is at work on it, is seen as it is, without marks."""
        if (waits, watched) != (self._waits, self._watched):
            if waits and not self._waits:
                self._dim.start()
            self._waits, self._watched = waits, watched
            self.update()

    def set_grey(self, lost: bool) -> None:
        """The page is no more; its last picture is grey, without marks."""
        if lost != self._lost:
            self._lost, self._grey = lost, None
            self.update()
        if lost:
            self.leave()

    def set_live(self, live: bool) -> None:
        """Whether hands reach the page; one that is only looked at takes nothing but the wheel."""
        if not live:
            self.leave()
        self._live = live
        self._pointer.show_cursor()

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

    # What lies over it

    def set_marks(self, marks: Sequence[PageFieldMark], whose: Runner = PERSON) -> None:
        """The fields, in the order of the table, and whose answers are in them."""
        self._marks, self._answer_source = tuple(marks), whose
        self._lay_out()
        self._describe()

    def set_elements(self, boxes: Sequence[Box]) -> None:
        """Boxes of all elements of the page, in pixels of its document."""
        self._elements = tuple(boxes)
        if self._elements_on:
            self.update(self._page_area())

    def set_scroll(self, x: float, y: float) -> None:
        """Set how far the page is scrolled, in its pixels."""
        if (x, y) != (self._frame.x, self._frame.y):
            self._look(replace(self._frame, x=x, y=y))

    def set_layers(self, *, fields: bool, elements: bool) -> None:
        self._fields_on, self._elements_on = fields, elements
        self._lay_out()

    @property
    def marks(self) -> tuple[PageFieldMark, ...]:
        return self._marks

    @property
    def tags(self) -> tuple[FieldTag, ...]:
        """The fields that are seen, where they are painted."""
        return self._tags

    @property
    def selected(self) -> str:
        return self._selected

    def select_field(self, name: str) -> None:
        """Show this field as the selected one ("": none), without telling."""
        if name != self._selected:
            self._selected = name
            self.update(self._page_area())
            self._describe()

    def choose_field(self, name: str) -> None:
        """Select a field as the person does, and tell."""
        self.select_field(name)
        self.field_chosen.emit(name)

    def light_field(self, name: str) -> None:
        """Light a field up ("": none), as the pointer over its row does."""
        if name != self._hovered:
            self._hovered = name
            self.update(self._page_area())

    def mark_of(self, name: str) -> PageFieldMark | None:
        return next((mark for mark in self._marks if mark.name == name), None)

    def tag_at(self, place: QPointF) -> str:
        """The field whose number lies there; of several the one painted last."""
        return next((tag.mark.name for tag in reversed(self._tags) if tag.place.contains(place)), "")

    def field_at(self, place: QPointF) -> str:
        """The field that lies at a place of the view: its number, else the smallest box; "" none."""
        boxes = [tag for tag in self._tags if tag.box.contains(place)]
        smallest = min(boxes, key=lambda tag: tag.box.width() * tag.box.height(), default=None)
        return self.tag_at(place) or (smallest.mark.name if smallest is not None else "")

    def _lay_out(self) -> None:
        self._tags = lay_out(self._marks, self._frame, self.font()) if self._fields_on else ()
        self.update(self._page_area())

    def _describe(self) -> None:
        """What a screen reader says of the page: its selected field."""
        mark = self.mark_of(self._selected)
        text = field_words(mark, len(self._marks), self._answer_source) if mark is not None else ""
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    # Size and zoom

    @property
    def frame(self) -> PageFrame:
        """Where the page lies, now."""
        return self._frame

    @property
    def wanted(self) -> RenderSize:
        """How the page is to be drawn, now."""
        return self._natural.wanted

    def set_zoom(self, zoom: float | None) -> None:
        """Logical pixels of the view for a CSS pixel; None: what fits."""
        self._zoom = zoom
        self._place()

    def step_zoom(self, steps: int) -> None:
        """Larger or smaller by so many steps; a page of a fixed size stays as it is."""
        if self._fixed is None:
            self.set_zoom(next_zoom(self._natural.zoom, steps))

    def set_fixed(self, viewport: Size | None) -> None:
        """Have the page laid out on this size and show it whole, so that places on it are those a model knew; None:
        as large as the view. Tells the size at once."""
        if viewport != self._fixed:
            self._fixed = viewport
            self._place()
            self._tell_size()

    def _place(self) -> None:
        """A picture of a size that nobody asked for, such as a page that was maximized, is shown whole."""
        ratio, now = self.devicePixelRatioF(), self._frame
        if self._image is not None and ratio != self._image.devicePixelRatio():
            self._image.setDevicePixelRatio(ratio)
            self._grey = None
        natural = frame_in(self.width(), self.height(), ratio, zoom=self._zoom, fixed=self._fixed)
        if natural.wanted != self._natural.wanted:
            self._settle.start()
        self._natural = natural
        frame = natural
        if self._own is not None:
            frame = replace(frame_in(self.width(), self.height(), ratio, fixed=self._own), scale=natural.scale)
        self._look(replace(frame, x=now.x, y=now.y))

    def _look(self, frame: PageFrame) -> None:
        before, self._frame = self._frame, frame
        if frame == before:
            return
        self._lay_out()
        self.update()
        if frame.zoom != before.zoom:
            self.zoom_changed.emit(100 * frame.zoom)

    def _tell_size(self) -> None:
        self._settle.stop()
        wanted = self.wanted
        if wanted != self._told:
            self._told = wanted
            self._asked.pop(wanted.viewport, None)
            self._asked[wanted.viewport] = None
            while len(self._asked) > _SIZES_KEPT:
                self._asked.popitem(last=False)
            self.size_wanted.emit(wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        self._place_card()

    def sizeHint(self) -> QSize:
        return QSize(760, 640)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 160)

    # Scrolling

    @property
    def notch(self) -> float:
        """Pixels of the page that a notch of the wheel scrolls."""
        return QGuiApplication.styleHints().wheelScrollLines() * LINE * self._frame.scale

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

    # Painting

    def _page_area(self) -> QRect:
        """What a new picture or other marks change."""
        return qrect(self._frame.place.grown(TAG)).toAlignedRect().intersected(self.rect())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        width, height = max(1, self.width()), max(1, self.height())
        ground = Viewport(width, height, self.devicePixelRatioF(), self._frame.viewport, False)
        self._scene.canvas(painter, event.rect(), ground, covered=False)
        self._paint_page(painter)
        if self._pixels is not None and not self._pale() and not self._watched:
            self._paint_over(painter)
        self._paint_ring(painter)
        if self._keyboard.composed:
            paint_composed(painter, self._frame, self._keyboard.composed, self.font())
        painter.end()

    def _paint_page(self, painter: QPainter) -> None:
        place = qrect(self._frame.place)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded = QPainterPath()
        rounded.addRoundedRect(place, _CORNER, _CORNER)
        colours = self._scene.colors
        empty = self._image is None
        painter.fillPath(rounded, QColor(colours.card if empty or self._pale() else "#FFFFFF"))
        if self._image is not None:
            self._paint_picture(painter, place)
        self._paint_corners(painter, place, rounded)
        painter.setPen(QPen(QColor(colours.ring), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place.adjusted(-0.5, -0.5, 0.5, 0.5), _CORNER, _CORNER)
        painter.restore()

    def _pale(self) -> bool:
        return self._lost or (self._waits and not self._watched and not self._dim.isActive())

    def _paint_picture(self, painter: QPainter, place: QRectF) -> None:
        """Pixel for pixel; only one of a size of its own is made to fit."""
        image = self._image
        if image is None:
            return
        painter.save()
        painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
        if self._lost:
            image = self._grey = self._grey or greyed(image)
            painter.setOpacity(GREYED)
        elif self._pale():
            painter.setOpacity(DIMMED)
        if self._frame.shown * self.devicePixelRatioF() == 1.0:
            painter.drawImage(place.topLeft(), image)
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(place.topLeft(), QSizeF(image.size()) * self._frame.shown), image)
        painter.restore()

    def _paint_corners(self, painter: QPainter, place: QRectF, rounded: QPainterPath) -> None:
        """The canvas shows at the round corners."""
        outside = QPainterPath()
        outside.addRect(place.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.fillPath(outside.subtracted(rounded), QColor(self._scene.colors.canvas))

    def _paint_over(self, painter: QPainter) -> None:
        elements = self._elements if self._elements_on else ()
        over = PageOverlay(self._tags, elements, self._frame, self._answer_source.colour, self._selected, self._hovered)
        self._overlay.paint(painter, over, self.size(), self.devicePixelRatioF(), self.font())

    def _paint_ring(self, painter: QPainter) -> None:
        """Around the page while keys go to it, around the view while they are the window's."""
        if not self.hasFocus():
            return
        if self._keyboard.is_inside:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.current().selection_line), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(qrect(self._frame.place.grown(2)), _CORNER + 1, _CORNER + 1)
            painter.restore()
        else:
            paint_focus_ring(painter, self.rect())

    def _theme_changed(self) -> None:
        self._scene.colors = ScreenColors.of(theme.current())
        self.update()

    # Drop-down lists

    def show_list(self, items: Sequence[PageOption], box: Box, name: str = "") -> None:
        """Open the list of a field under its box (in pixels of the document); it closes by itself."""
        self.list.hide()
        if not items or not self.takes_hands:
            return
        place = qrect(self.frame.rect_of(box)).toAlignedRect()
        self._listed = True
        self.list.open(items, name, QRect(self.mapToGlobal(place.topLeft()), place.size()))

    def _took(self, value: str) -> None:
        self._listed = False
        self.list_chosen.emit(value)

    def _closed(self) -> None:
        if self._listed:
            self._listed = False
            self.list_closed.emit()

    # A page that is no more

    def show_lost(self, why: str, title: str = "The page is lost.") -> None:
        """The picture goes grey, with the reason and a button; an empty reason: the page is there again."""
        self.set_grey(bool(why))
        if why:
            self.list.hide()
            self.lost.set_error(title, why, (("reload", "Reload"),))
        self.lost.setVisible(bool(why))
        self._place_card()

    @property
    def is_lost(self) -> bool:
        return not self.lost.isHidden()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Place the words anew when they, or the text size, change."""
        if watched is self.lost and event.type() == QEvent.Type.LayoutRequest:
            self._place_card()
        return super().eventFilter(watched, event)

    def _place_card(self) -> None:
        width = max(1, min(_CARD_WIDTH, self.width() - 2 * _CARD_MARGIN))
        height = max(self.lost.heightForWidth(width), self.lost.sizeHint().height())
        size = QSize(width, min(height, max(1, self.height() - 2 * _CARD_MARGIN)))
        self.lost.setGeometry((self.width() - size.width()) // 2, (self.height() - size.height()) // 2, *size.toTuple())

    # Mouse

    def set_cursor_shape(self, name: str) -> None:
        """The pointer's shape over the page, by Qt's name ("IBeamCursor"); an unknown one is an arrow."""
        self._pointer.set_shape(name)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pointer.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pointer.press(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pointer.release(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer.leave()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._pointer.turn_wheel(event)

    # Keys

    @property
    def is_inside(self) -> bool:
        """Whether keys go to the page."""
        return self._keyboard.is_inside

    def enter(self) -> None:
        """Send keys to the page from now on."""
        self._keyboard.enter()

    def leave(self) -> None:
        """Keys are the window's again; those that are down are let go."""
        self._keyboard.leave()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._keyboard.press(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat() and not self._keyboard.release(event):
            super().keyReleaseEvent(event)

    def event(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._keyboard.keeps(event):
            event.accept()
            return True
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in TABS and self.is_inside:
            return self._tab(event)
        if kind == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tip_words(self._tip_at(QPointF(event.pos()))), self)
            return True
        if kind == QEvent.Type.DevicePixelRatioChange:
            self._place()
        elif kind == QEvent.Type.FontChange:
            self._lay_out()
        return super().event(event)

    def _tab(self, event: QKeyEvent) -> bool:
        """Go to the page's next field; with Ctrl out of the page."""
        if event.modifiers() & CONTROL:
            self.leave()
            return self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
        self.keyPressEvent(event)
        return True

    def _tip_at(self, place: QPointF) -> str:
        mark = self.mark_of(self.tag_at(place))
        if mark is not None:
            return field_words(mark, len(self._marks), self._answer_source)
        if self.is_inside:
            return ""
        return HINT if self._live else READ_ONLY_HINT

    # Input methods

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if not self.is_inside:
            event.ignore()
            return
        self._keyboard.compose(event)
        self.update(self._page_area())
        event.accept()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:
        if query == Qt.InputMethodQuery.ImEnabled:
            return self.is_inside
        if query == Qt.InputMethodQuery.ImCursorRectangle:
            return QRectF(self._pointer.pressed_at.x(), self._pointer.pressed_at.y(), 1, LINE)
        return super().inputMethodQuery(query)

    # Focus

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A list of the page, or another window, gives the keyboard back as it was."""
        self._keyboard.let_go()
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.leave()
        self.update()
        super().focusOutEvent(event)
