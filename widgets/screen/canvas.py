"""What a screen shows: a step's picture with its marks between its neighbours, zoomed and panned. No input."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.mark import Layer, Mark
from stepscope.core.imaging.overlay import bounds_of
from stepscope.core.imaging.sketch import PicturePlacement, Sketch, sketch
from stepscope.core.imaging.strokes import Rect
from stepscope.widgets import theme
from stepscope.widgets.screen.cards import ErrorCard, Notice
from stepscope.widgets.screen.content import Neighbour, ScreenColors, ScreenContent
from stepscope.widgets.screen.loupe import Loupe, LoupePainter
from stepscope.widgets.screen.minimap import map_place
from stepscope.widgets.screen.painter import measure_with
from stepscope.widgets.screen.picture import ScreenPicture
from stepscope.widgets.screen.scene import LOADING_OPACITY, PixelReadout, Scene
from stepscope.widgets.screen.viewport import Viewport

ZOOM_STEP = 1.25
"""One notch of the wheel, or one press of + or −."""
LOADING_DELAY_MS = 100


class ScreenCanvas(QWidget):
    """Shows frozen values; places are pixels of the step's screenshot.

    `zoom_changed(percent, fits)`: "Fit", "Fit width" or "". `view_changed(Viewport)`: the person zoomed or panned here;
    another view takes it over with `follow`. `step_painted(ms)`: from `show_step` to painted. `show_file_wanted()` and
    `empty_action_wanted()`: buttons of the error and of the empty state.
    """

    zoom_changed = Signal(float, str)
    view_changed = Signal(object)
    step_painted = Signal(float)
    show_file_wanted = Signal()
    empty_action_wanted = Signal()

    def __init__(self, parent: QWidget | None = None, colors: ScreenColors | None = None) -> None:
        super().__init__(parent)
        self._content: ScreenContent | None = None
        self._viewport = Viewport(1.0, 1.0, 1.0, Size(1, 1))
        self._strengths: dict[Layer, float] = {}
        self._sketched: tuple[tuple[Mark, ...], Viewport, Sketch] | None = None
        self._hover_box: Box | None = None
        self._selected_box: Box | None = None
        self._pointer: Point | None = None
        self._loupe: Loupe | None = None
        self._loupes = LoupePainter()
        self._words = ""
        self._bare = self._dimmed = False
        self._shown_at: float | None = None
        self._own_colors = colors
        self._scene = Scene(colors or ScreenColors.of(theme.current()))
        self._error, self._notice = ErrorCard(self), Notice(self)
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
        theme.notifier().changed.connect(self._theme_changed)
        self._theme_changed()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
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
        self._set_viewport(self._viewport.with_picture(content.size))
        self.update()

    def set_picture(self, picture: ScreenPicture) -> None:
        """A better picture of the same step."""
        if self._content is not None and self._content.picture is not picture:
            self._content = replace(self._content, picture=picture)
            self.set_loading(False)

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Other marks over the same picture: a layer was toggled, another rule chosen."""
        if self._content is not None:
            self._content = replace(self._content, marks=marks)
            self.update()

    def set_strengths(self, strengths: Mapping[Layer, float]) -> None:
        """Opacity (0..1) of layers; a layer that is not named has 1."""
        self._strengths = dict(strengths)
        self._sketched = None
        self.update()

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

    def set_error(self, title: str, text: str, details: str = "", *, has_file: bool = True) -> None:
        """Say in the picture's place what went wrong, until the next step is shown."""
        self.set_loading(False)
        self._notice.hide()
        self._error.show_error(title, text, details, has_file=has_file)
        self._centre_cards()
        self.update()

    def set_empty(self, text: str, action: str = "") -> None:
        """Nothing to show: a sentence, and a button when there is something to do (`empty_action_wanted`)."""
        self._content = None
        self.set_loading(False)
        self._error.hide()
        self._scene.forget_pictures()
        self._notice.show_text(text, action)
        self._centre_cards()
        self.update()

    def set_bare(self, bare: bool) -> None:
        """The picture alone, without marks (while O is held)."""
        self._bare = bare
        self.update()

    def set_loupe(self, loupe: Loupe | None) -> None:
        """A magnifier over a pixel of the picture, None: none."""
        if loupe != self._loupe:
            self._loupe = loupe
            self.update()

    def set_hover_box(self, box: Box | None) -> None:
        """Light an element up, from here or from the UI tree."""
        if box != self._hover_box:
            self._hover_box = box
            self.update()

    def set_selected_box(self, box: Box | None) -> None:
        if box != self._selected_box:
            self._selected_box = box
            self.update()

    def describe(self, text: str) -> None:
        """What a screen reader says: "Step 3 of 5. Reference tap, Lesson oval. Run A hit."."""
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def set_colors(self, colors: ScreenColors) -> None:
        """Colours of its own, which no theme changes."""
        self._own_colors = self._scene.colors = colors
        self.update()

    @property
    def content(self) -> ScreenContent | None:
        return self._content

    @property
    def viewport(self) -> Viewport:
        """Where the picture lies, now."""
        return self._viewport

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
        """As large as lets all actions' marks be seen."""
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
        self._set_viewport(self._viewport.like(viewport))

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
            self._set_viewport(viewport)
            self.view_changed.emit(viewport)

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
        content, whole = self._content, not self._dimmed and not self._error.isVisibleTo(self)
        covered = whole and content is not None and content.picture is not None
        self._scene.canvas(painter, event.rect(), self._viewport, covered=covered)
        if content is not None:
            self._paint_content(painter, content)
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

    def _paint_content(self, painter: QPainter, content: ScreenContent) -> None:
        self._paint_sides(painter, content)
        if not self._error.isVisibleTo(self):
            self._paint_middle(painter, content)
            self._paint_over(painter, content)
        if self._pointer is not None and not self._bare:
            self._scene.readout(painter, self._readout(self._pointer), self.font(), self.height())

    def _paint_over(self, painter: QPainter, content: ScreenContent) -> None:
        """The small map of a picture that is seen in part, and the loupe."""
        place = map_place(self._viewport)
        if place is not None and content.picture is not None and not self._bare:
            self._scene.minimap(painter, self._viewport, content.picture, place)
        if self._loupe is not None:
            marks = () if self._bare else content.marks
            style = (self._strengths, self._scene.colors, self.font())
            self._loupes.paint(painter, self._loupe, self._viewport, content, marks, *style)

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

    def _paint_sides(self, painter: QPainter, content: ScreenContent) -> None:
        for key, word, neighbour, place in self._sides(content):
            if neighbour.picture is not None and place.touches(Rect(0.0, 0.0, self.width(), self.height())):
                self._scene.side(painter, key, self._viewport, neighbour.picture, place)
                self._scene.caption(painter, place, f"{word}: step {neighbour.number}", self.font())

    def _sides(self, content: ScreenContent) -> list[tuple[str, str, Neighbour, Rect]]:
        """The neighbours that are shown, with their places."""
        if not self._viewport.beside:
            return []
        pair = (content.previous, content.next)
        sizes = [one.picture.size if one is not None and one.picture is not None else None for one in pair]
        viewport = self._viewport.fitted() if self._error.isVisibleTo(self) else self._viewport
        places = viewport.sides(sizes[0], sizes[1])
        named = zip(("previous", "next"), ("Before", "After"), pair, places, strict=True)
        return [(key, word, one, place) for key, word, one, place in named if one is not None and place is not None]

    def sketched(self) -> Sketch:
        """The marks as they are drawn now."""
        marks, view = self._content.marks if self._content else (), self._viewport
        kept = self._sketched
        if kept is None or kept[0] is not marks or kept[1] != view:
            seen = Rect(0.0, 0.0, view.width, view.height)
            frame = PicturePlacement(view.left, view.top, view.zoom, 1.0, view.size, seen)
            drawn = sketch(marks, frame, measure_with(self.font().family()), self._strengths)
            kept = self._sketched = (marks, view, drawn)
        return kept[2]

    def _readout(self, point: Point) -> PixelReadout:
        return PixelReadout(f"x {int(point.x)} y {int(point.y)}", self._words)

    def _update_readout(self) -> None:
        """Only the strip at the bottom changes."""
        self.update(QRect(0, self.height() - 44, self.width(), 44))

    def _dim(self) -> None:
        self._dimmed = True
        self.update()

    # Size and theme

    def sizeHint(self) -> QSize:
        return QSize(760, 640)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 160)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._resized()
        return super().event(event)

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
        self.update()
