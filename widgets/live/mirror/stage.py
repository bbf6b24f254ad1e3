"""The live picture on its stage: newest frame, phone, overlay, words over it, zoom and pan. No input."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.mark import Mark
from stepscope.core.imaging.overlay import Layers
from stepscope.core.imaging.strokes import Rect
from stepscope.widgets import theme
from stepscope.widgets.live.mirror.hand_painter import paint_crosshair, paint_trail
from stepscope.widgets.live.mirror.mirror_frame import FrameSource, MirrorFrame, Proposal
from stepscope.widgets.live.mirror.overlay import Overlay, OverlayPainter
from stepscope.widgets.live.mirror.phone import BODY, GREYED, PhonePainter, greyed, image_over
from stepscope.widgets.live.mirror.walk import same_element
from stepscope.widgets.screen.content import ScreenColors
from stepscope.widgets.screen.painter import qrect
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


class MirrorStage(QWidget):
    """Takes the newest frame from its source when it paints, never before: one `wake` asks for one painting.

    `size_wanted(Size)`: in device pixels, as large as the picture is shown, never larger than the screen; later frames
    should have it. `frame_painted(frame)`: for the first painting of each. `screen_changed(Size)`: another size of
    the device's screen, or turned. `zoom_changed(percent, fits)`.
    """

    size_wanted = Signal(object)
    frame_painted = Signal(object)
    screen_changed = Signal(object)
    zoom_changed = Signal(float, str)

    def __init__(self, parent: QWidget | None = None) -> None:
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
        self._trail: tuple[Point, ...] = ()
        self._composed = ""
        self._keys = False
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
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Phone")

    # The picture

    def set_source(self, source: FrameSource | None) -> None:
        """Where frames come from; None, or another device's: the picture so far is gone."""
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
        if self._keys:
            self._phone.keys_frame(painter, self._viewport)
        self._phone.words(painter, self._viewport, self._notice, self.font())
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
        paint_trail(painter, view, self._trail)
        foot = self._composed or ("Picture paused" if self._paused else "")
        if foot:
            self._phone.foot(painter, view, foot, self.font())

    def _free(self) -> QRectF:
        """Where bubbles may lie."""
        left, right = self._covered
        return QRectF(left + 16, 16, max(1.0, self.width() - left - right - 32), max(1.0, self.height() - 32))

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

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._resized()
        return super().event(event)

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
