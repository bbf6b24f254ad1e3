"""The screen view: a step with its marks between its neighbours, zoomed and panned. Values in, signals out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.imaging.rect import Rect
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.screen.cards import Notice, ScreenErrorCard
from stepscope.widgets.screen.content import Neighbour, ScreenColors, ScreenContent
from stepscope.widgets.screen.frames import StepFrames
from stepscope.widgets.screen.loupe import Loupe, LoupeControl, LoupePainter
from stepscope.widgets.screen.minimap import looked_at, map_place
from stepscope.widgets.screen.picture import ScreenPicture
from stepscope.widgets.screen.scene import LOADING_OPACITY, PixelReadout, Scene
from stepscope.widgets.screen.viewport import ZOOM_STEP, Viewport

if TYPE_CHECKING:
    from stepscope.core.domain.mark import Mark
    from stepscope.core.imaging.sketch import Sketch

LOADING_DELAY_MS = 100
ZOOMING_MS = 120
"""So long after the last a zoom goes on: meanwhile speed counts, and afterwards the picture is made smooth."""
CAPTION_MARGIN = 8.0
"""Between the middle picture and the words below its neighbours."""
_NOTCH = 120
"""What Qt counts for one notch of a wheel."""
_CLICK_SLACK = 4
"""Logical pixels that the pointer may move between press and release of a click."""
_SCROLL = 60.0
"""Logical pixels that a notch of the wheel pans by."""
_PAN = 0.15
"""Share of the view that a key pans by."""
_PAN_KEYS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class ScreenView(QWidget):
    """Shows frozen values; places are pixels of the step's screenshot. The wheel zooms at the pointer, a drag with the
    middle button or with Space pans, a double click fits or shows 100 %, O held hides marks. Z held is a loupe: at the
    pointer, else at the reference mark; arrows move it by a pixel, with Shift by ten, the wheel and + and − change its
    zoom. Up and Down (with Ctrl Left and Right) and the wheel with Shift pan.

    `zoom_changed(percent, fits)`: "Fit", "Fit width" or "". `view_changed(Viewport)`: the person zoomed or panned here;
    another view takes it over with `follow`. `step_painted(ms)`: from `show_step` to painted. `show_file_wanted()` and
    `empty_action_wanted()`: buttons of the error and of the empty state.

    `clicked(Point)`: on the picture, beside any action's mark; `mark_clicked(Layer)`: on one. `hovered(Point | None)`.
    `step_wanted(int)`: −1 or 1, a neighbour was clicked. `space_tapped()`: Space without a drag (play or pause).
    `menu_wanted(Point | None, QPoint)`: right click, Alt+click or the menu key, with the global place.
    """

    zoom_changed = Signal(float, str)
    view_changed = Signal(object)
    step_painted = Signal(float)
    show_file_wanted = Signal()
    empty_action_wanted = Signal()
    clicked = Signal(object)
    mark_clicked = Signal(object)
    hovered = Signal(object)
    step_wanted = Signal(int)
    space_tapped = Signal()
    menu_wanted = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None, colors: ScreenColors | None = None) -> None:
        super().__init__(parent)
        self._content: ScreenContent | None = None
        self._viewport = Viewport(1.0, 1.0, 1.0, Size(1, 1))
        self._strengths: dict[Layer, float] = {}
        self._mark_size = 1.0
        self._sketched: tuple[tuple[Mark, ...], Viewport, Sketch] | None = None
        self._hover_box: Box | None = None
        self._selected_words = ""
        self._selected_box: Box | None = None
        self._pointer: Point | None = None
        self._words_at: Callable[[Point], str] | None = None
        self._words = ""
        self._space = self._space_dragged = self._ringed = False
        self._grip: QPointF | None = None
        self._pressed: QPointF | None = None
        self._on_map = False
        self._loupe, self._loupe_painter = LoupeControl(self), LoupePainter()
        self._loupe.changed.connect(self.update)
        self._bare = self._dimmed = False
        self._shown_at: float | None = None
        self._own_colors = colors
        self._scene = Scene(colors or ScreenColors.of(theme.current()))
        self._frames = StepFrames()
        self._error, self._notice = ScreenErrorCard(self), Notice(self)
        self._error.show_file_wanted.connect(self.show_file_wanted)
        self._notice.action_wanted.connect(self.empty_action_wanted)
        self._loading = QTimer(self)
        self._loading.setSingleShot(True)
        self._loading.setInterval(LOADING_DELAY_MS)
        self._loading.timeout.connect(self._dim)
        self._ahead = QTimer(self)
        self._ahead.setSingleShot(True)
        self._ahead.setInterval(0)
        self._ahead.timeout.connect(self._prepare)
        self._zooming = QTimer(self)
        self._zooming.setSingleShot(True)
        self._zooming.setInterval(ZOOMING_MS)
        self._zooming.timeout.connect(self._zoom_ended)
        theme.notifier().changed.connect(self._theme_changed)
        self._theme_changed()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Screen")

    # What is shown

    def show_step(self, content: ScreenContent) -> None:
        """Show a step; zoom and pan stay."""
        self._shown_at = time.perf_counter()
        self._content = content
        self._loading.stop()
        self._dimmed = False
        self._error.hide()
        self._notice.hide()
        self._hover_box = self._selected_box = None
        self._selected_words = ""
        self._set_viewport(self._viewport.with_picture(content.size))
        self.update()
        self._place_loupe()

    def prepare_steps(self, likely: Sequence[ScreenContent]) -> bool:
        """Paint one of the steps that are likely to be asked for, as `show_step` would show it, the first that is not
        painted yet: whether others are still to be done. It is of use where nothing lies over the picture then."""
        if not self._is_on_pixels():
            return False
        if self._content is not None:  # what is shown is gone back to next
            self._frames.find(self._content, self._viewport)
        missing = self._frames.missing([(content, self._viewport.with_picture(content.size)) for content in likely])
        if not missing:
            return False
        content, viewport = missing[0]

        def paint(image: QImage) -> None:
            rough, self._scene.rough = self._scene.rough, False
            painter = QPainter(image)
            self._paint_plain(painter, content, viewport)
            painter.end()
            self._scene.rough = rough

        return self._frames.keep(content, viewport, paint) and len(missing) > 1

    def set_picture(self, picture: ScreenPicture) -> None:
        """A better picture of the same step."""
        if self._content is not None and self._content.picture is not picture:
            self._content = replace(self._content, picture=picture)
            self.set_loading(False)

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Draw other marks over the same picture: a layer was toggled, another rule chosen."""
        if self._content is not None:
            self._content = replace(self._content, marks=marks)
            self.update()

    def set_strengths(self, strengths: Mapping[Layer, float]) -> None:
        """Opacity (0..1) of layers; a layer that is not named has 1."""
        self._strengths = dict(strengths)
        self._forget_drawn()

    def set_mark_size(self, factor: float) -> None:
        """How much larger than usual marks are drawn."""
        if factor != self._mark_size:
            self._mark_size = factor
            self._forget_drawn()

    def set_neighbours(self, previous: Neighbour | None, following: Neighbour | None) -> None:
        """The steps beside, for instance when their pictures have arrived."""
        if self._content is not None:
            self._content = replace(self._content, previous=previous, next=following)
            self.update()

    def set_beside(self, shown: bool) -> None:
        """Show or hide the pictures before and after."""
        self._set_viewport(replace(self._viewport, beside=shown))

    def set_loading(self, loading: bool) -> None:
        """The next picture is on its way: after 100 ms the old one is dimmed."""
        if loading:
            if not self._loading.isActive() and not self._dimmed:
                self._loading.start()
            return
        self._loading.stop()
        self._dimmed = False
        self.update()

    @property
    def shows_error(self) -> bool:
        """Whether an error stands in the picture's place."""
        return self._error.isVisibleTo(self)

    def set_error(self, title: str, text: str, details: str = "", *, has_file: bool = True) -> None:
        """Say in the picture's place what went wrong, until the next step is shown."""
        self.set_loading(False)
        self._notice.hide()
        self._error.show_error(title, text, details, has_file=has_file)
        self._centre_cards()
        self.update()

    def set_empty(self, text: str, action: str = "") -> None:
        """Show nothing but a sentence, and a button when there is something to do (`empty_action_wanted`)."""
        self._content = None
        self.set_loading(False)
        self._error.hide()
        self._scene.forget_pictures()
        self._frames.forget()
        self._notice.show_text(text, action)
        self._centre_cards()
        self.update()

    def set_bare(self, bare: bool) -> None:
        """The picture alone, without marks (while O is held)."""
        self._bare = bare
        self.update()

    def set_hover_box(self, box: Box | None) -> None:
        """Light an element up, from here or from the UI tree."""
        if box != self._hover_box:
            self._hover_box = box
            self.update()

    def set_selected_box(self, box: Box | None, words: str = "") -> None:
        """Frame an element and say which it is."""
        if (box, words) != (self._selected_box, self._selected_words):
            self._selected_box, self._selected_words = box, words
            self.update()

    def set_readout_source(self, words_at: Callable[[Point], str] | None) -> None:
        """Ask this for the words at a pixel whenever the pointer moves."""
        self._words_at = words_at

    def describe(self, text: str) -> None:
        """What a screen reader says: "Step 3 of 5. Reference tap, Lesson oval. Run A hit."."""
        if text != self.accessibleDescription():
            from PySide6.QtGui import QAccessible, QAccessibleEvent

            self.setAccessibleDescription(text)
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def set_colors(self, colors: ScreenColors) -> None:
        """Colours of its own, which no theme changes."""
        self._own_colors = self._scene.colors = colors
        self._forget_drawn()

    @property
    def content(self) -> ScreenContent | None:
        return self._content

    @property
    def viewport(self) -> Viewport:
        """Where the picture lies, now."""
        return self._viewport

    # The loupe

    @property
    def loupe(self) -> Loupe | None:
        """What is magnified, now."""
        return self._loupe.shown

    def hold_loupe(self, held: bool) -> None:
        """Show the loupe while a key is held."""
        self._loupe.is_held = held
        self._place_loupe()

    def pin_loupe(self, pinned: bool) -> None:
        """Show the loupe until it is taken away; it stays from step to step."""
        self._loupe.is_pinned = pinned
        self._place_loupe()

    @property
    def is_loupe_pinned(self) -> bool:
        return self._loupe.is_pinned

    def _place_loupe(self) -> None:
        self._loupe.place(self._content, self._viewport, self._pointer)

    # Zoom and pan

    def fit(self) -> None:
        """The whole picture, or the width of a very tall one."""
        self._look(self._viewport.fitted())

    def toggle_fit(self) -> None:
        """Fit; once more: the other way of fitting, the whole picture or its width."""
        self._look(self._viewport.fitted_otherwise() if self._viewport.fit else self._viewport.fitted())

    def zoom_in(self) -> None:
        self.zoom_about(self._middle(), ZOOM_STEP)

    def zoom_out(self) -> None:
        self.zoom_about(self._middle(), 1 / ZOOM_STEP)

    def actual_size(self) -> None:
        """One picture pixel on one device pixel."""
        middle = self._middle()
        self._look(self._viewport.actual_size(middle.x(), middle.y()))

    def zoom_to_marks(self) -> None:
        """Zoom in as far as lets all actions' marks be seen."""
        from stepscope.core.imaging.overlay import bounds_of

        box = bounds_of(self._content.marks) if self._content else None
        if box is not None:
            self._look(self._viewport.showing(box))

    def show_box(self, box: Box) -> None:
        """Bring a box into view, if it is not: the zoom stays."""
        place, seen = self._viewport.rect_of(box), Rect(0.0, 0.0, float(self.width()), float(self.height()))
        if not place.touches(seen):
            x, y = (place.left + place.right) / 2, (place.top + place.bottom) / 2
            self._look(self._viewport.panned(self.width() / 2 - x, self.height() / 2 - y))

    def follow(self, viewport: Viewport) -> None:
        """Take zoom and pan over from another view (linked screens): the same fractions of the picture in the middle,
        the same zoom relative to fitting. Size and picture stay our own; `view_changed` is not told again."""
        self._zoom_or_pan(self._viewport.like(viewport))

    def _middle(self) -> QPointF:
        return QPointF(self.width() / 2, self.height() / 2)

    def zoom_about(self, place: QPointF, factor: float) -> None:
        """Zoom with what lies under a place of the widget kept there."""
        self._look(self._viewport.zoomed(factor, place.x(), place.y()))

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by logical pixels."""
        self._look(self._viewport.panned(dx, dy))

    def _look(self, viewport: Viewport) -> None:
        """Zoom or pan as the person wants, and tell those who follow."""
        if viewport != self._viewport:
            self._zoom_or_pan(viewport)
            self.view_changed.emit(viewport)

    def _zoom_or_pan(self, viewport: Viewport) -> None:
        if viewport.percent != self._viewport.percent:
            self._scene.rough = self._zooming.isActive()
            self._zooming.start()
        self._set_viewport(viewport)

    def _zoom_ended(self) -> None:
        if self._scene.rough:
            self._scene.rough = False
            self.update()

    def _set_viewport(self, viewport: Viewport) -> None:
        before = self._viewport
        if viewport == before:
            return
        self._viewport = viewport
        self.update()
        if (viewport.percent, viewport.fit_words) != (before.percent, before.fit_words):
            self.zoom_changed.emit(viewport.percent, viewport.fit_words)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        if (frame := self._frame()) is not None:
            painter.drawImage(QPointF(), frame)
        else:
            self._paint_as_it_is(painter, event.rect())
        self._paint_over(painter)
        if self._ringed and self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()
        if self._shown_at is not None:
            taken, self._shown_at = time.perf_counter() - self._shown_at, None
            self.step_painted.emit(1000 * taken)
            self._ahead.start()

    def _prepare(self) -> None:
        """The picture after this one is the most likely to be asked for: have it ready as it will be shown."""
        following = self._content.next if self._content is not None else None
        if following is not None and following.picture is not None:
            self._scene.prepare(self._viewport.with_picture(following.picture.size), following.picture)

    def _frame(self) -> QImage | None:
        """The step as it was painted ahead, unless it is shown in another way now."""
        boxes = self._hover_box is not None or self._selected_box is not None
        if self._content is None or boxes or self._bare or self._dimmed or self._error.isVisibleTo(self):
            return None
        return self._frames.find(self._content, self._viewport) if self._is_on_pixels() else None

    def _is_on_pixels(self) -> bool:
        """Whether the view begins on a device pixel: what is painted elsewhere looks the same here."""
        corner, ratio = self.mapTo(self.window(), QPoint()), self.devicePixelRatioF()
        return (corner.x() * ratio).is_integer() and (corner.y() * ratio).is_integer()

    def _paint_plain(self, painter: QPainter, content: ScreenContent, viewport: Viewport) -> None:
        """A step without anything that comes and goes over it."""
        self._scene.canvas(painter, self.rect(), viewport, covered=content.picture is not None)
        self._paint_sides(painter, content, viewport)
        if content.picture is None:
            self._scene.empty_screen(painter, viewport, content.words, self.font())
        else:
            self._scene.middle(painter, viewport, content.picture, 1.0)
        self._scene.marks(painter, self._sketch(content.marks, viewport), viewport, self.font().family())
        self._paint_map(painter, content, viewport)

    def _paint_as_it_is(self, painter: QPainter, area: QRect) -> None:
        """What is shown now, with what is lit, chosen or missing."""
        content, viewport, error = self._content, self._viewport, self._error.isVisibleTo(self)
        covered = not self._dimmed and not error and content is not None and content.picture is not None
        self._scene.canvas(painter, area, viewport, covered=covered)
        if content is None:
            return
        self._paint_sides(painter, content, viewport)
        if error:
            return
        self._paint_middle(painter, content)
        if not self._bare:
            self._paint_map(painter, content, viewport)

    def _paint_over(self, painter: QPainter) -> None:
        """The loupe, and what lies under the pointer."""
        content = self._content
        if content is None:
            return
        if self.loupe is not None and not self._error.isVisibleTo(self):
            marks = () if self._bare else content.marks
            style = (self._strengths, self._scene.colors, self.font())
            self._loupe_painter.paint(painter, self.loupe, self._viewport, content, marks, *style)
        if self._pointer is not None and not self._bare:
            self._scene.readout(painter, self._readout(self._pointer), self.font(), self.height())

    def _paint_map(self, painter: QPainter, content: ScreenContent, viewport: Viewport) -> None:
        """The small map of a picture that is seen in part."""
        place = map_place(viewport)
        if place is not None and content.picture is not None:
            self._scene.minimap(painter, viewport, content.picture, place)

    def _paint_middle(self, painter: QPainter, content: ScreenContent) -> None:
        viewport = self._viewport
        if content.picture is None:
            self._scene.empty_screen(painter, viewport, content.words, self.font())
        else:
            opacity = LOADING_OPACITY if self._dimmed else 1.0
            self._scene.middle(painter, viewport, content.picture, opacity)
        if self._bare or self._dimmed:
            return
        if self._hover_box is not None:
            self._scene.outline(painter, viewport, self._hover_box, selected=False)
        if self._selected_box is not None:
            self._scene.outline(painter, viewport, self._selected_box, selected=True)
        self._scene.marks(painter, self.sketched(), viewport, self.font().family())
        if self._selected_box is not None and self._selected_words:
            named = self._selected_box, self._selected_words
            self._scene.name_of_selected(painter, viewport, *named, self.font(), self.width())

    def _paint_sides(self, painter: QPainter, content: ScreenContent, viewport: Viewport) -> None:
        middle, edge = viewport.picture, float(self.width())
        for key, word, neighbour, place in self._sides(content, viewport):
            beside = (0.0, middle.left - CAPTION_MARGIN) if key == "previous" else (middle.right + CAPTION_MARGIN, edge)
            if neighbour.picture is not None and place.touches(Rect(0.0, 0.0, self.width(), self.height())):
                self._scene.side(painter, key, viewport, neighbour.picture, place)
                self._scene.caption(painter, place, f"{word}: step {neighbour.number}", self.font(), beside)

    def _sides(self, content: ScreenContent, viewport: Viewport) -> list[tuple[str, str, Neighbour, Rect]]:
        """The neighbours that are shown, with their places."""
        if not viewport.beside:
            return []
        pair = (content.previous, content.next)
        sizes = [one.picture.size if one is not None and one.picture is not None else None for one in pair]
        places = (viewport.fitted() if self._error.isVisibleTo(self) else viewport).sides(sizes[0], sizes[1])
        named = zip(("previous", "next"), ("Before", "After"), pair, places, strict=True)
        return [(key, word, one, place) for key, word, one, place in named if one is not None and place is not None]

    def sketched(self) -> Sketch:
        """The marks as they are drawn now."""
        marks, view = self._content.marks if self._content else (), self._viewport
        kept = self._sketched
        if kept is None or kept[0] is not marks or kept[1] != view:
            kept = self._sketched = (marks, view, self._sketch(marks, view))
        return kept[2]

    def _sketch(self, marks: tuple[Mark, ...], view: Viewport) -> Sketch:
        # these come with the first marks
        from stepscope.core.imaging.sketch import PicturePlacement, sketch
        from stepscope.widgets.screen.sketch_painter import measure_with

        seen = Rect(0.0, 0.0, view.width, view.height)
        frame = PicturePlacement(view.left, view.top, view.zoom, self._mark_size, view.size, seen)
        return sketch(marks, frame, measure_with(self.font().family()), self._strengths)

    def _forget_drawn(self) -> None:
        """Marks, or all, look otherwise from now on."""
        self._sketched = None
        self._frames.forget()
        self.update()

    def _readout(self, point: Point) -> PixelReadout:
        return PixelReadout(f"x {int(point.x)} y {int(point.y)}", self._words)

    def _update_readout(self) -> None:
        """Paint only the strip at the bottom again."""
        self.update(QRect(0, self.height() - 44, self.width(), 44))

    def _dim(self) -> None:
        self._dimmed = True
        self.update()

    # Size and theme

    def sizeHint(self) -> QSize:
        return QSize(760, 640)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 160)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized()

    def _resized(self) -> None:
        width, height = max(1, self.width()), max(1, self.height())
        self._set_viewport(replace(self._viewport, width=width, height=height, ratio=self.devicePixelRatioF()))
        self._centre_cards()

    def _centre_cards(self) -> None:
        for card in (self._error, self._notice):
            card.move((self.width() - card.width()) // 2, (self.height() - card.height()) // 2)

    def _theme_changed(self) -> None:
        self._error.apply_theme(theme.current())
        self._notice.apply_theme(theme.current())
        if self._own_colors is None:
            self._scene.colors = ScreenColors.of(theme.current())
        self._forget_drawn()  # the colours of runs may be others

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._forget_drawn()

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
        if turned.y() and self._loupe.is_held:
            self._loupe.turn_zoom(1 if turned.y() > 0 else -1)
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
        if self._loupe.is_held and self._loupe.steer(event.key(), event.modifiers()):
            return
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space, self._space_dragged = True, False
                self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif event.key() == Qt.Key.Key_O and not event.modifiers():
            self.set_bare(True)
        elif event.key() == Qt.Key.Key_Z and not event.modifiers():
            self.hold_loupe(True)
        elif (way := _pan_of(event)) is not None:
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
        """Space, O, Z and, with Z held, the loupe's keys come before shortcuts of the window. Marks have tooltips."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip_words(self.tip_at(QPointF(event.pos()))), self)
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            bare = not event.modifiers() and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_O, Qt.Key.Key_Z)
            if bare or (self._loupe.is_steered_by(event.key())):
                event.accept()
                return True
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._resized()
        return super().event(event)

    def tip_at(self, place: QPointF) -> str:
        """What evidence, candidates and elements at a place of the view say of themselves."""
        from stepscope.widgets.screen.tips import tip_at

        if self._content is None or self._bare or self._picture_point(place) is None:
            return ""
        return tip_at(self._content.marks, self._viewport, place.x(), place.y())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring is for focus that the keyboard gave."""
        self._ringed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Held keys count as released: their release goes to another widget."""
        self.update()
        self._space = False
        self.unsetCursor()
        if self._bare:
            self.set_bare(False)
        if self._loupe.is_held:
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
            for key, _, _, side in self._sides(self._content, self._viewport):
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
        if point is not None:
            self._loupe.follow_pointer()
        if self.loupe is not None and point is not None:
            self._place_loupe()
        if self._words_at is not None and point is not None:
            self._words = self._words_at(point)
        self._update_readout()
        self.hovered.emit(point)


def _pan_of(event: QKeyEvent) -> tuple[float, float] | None:
    """Share of the view by which a key moves the picture: Up and Down, with Ctrl Left and Right."""
    way = _PAN_KEYS.get(event.key())
    across = way is not None and way[0] != 0
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    wanted = Qt.KeyboardModifier.ControlModifier if across else Qt.KeyboardModifier.NoModifier
    return (-_PAN * way[0], -_PAN * way[1]) if way is not None and modifiers == wanted else None
