"""Painting of a screen view: canvas, pictures, marks, readout. Holds the caches that make it quick, no behaviour.

A picture that is shown smaller than it is, is scaled once for its exact size and then only copied. Of one that is shown
large, only what is seen is made.
"""

from __future__ import annotations

import math
import weakref
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPixmap

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.palette import ACCENT, CASING, WHITE
from stepscope.core.imaging.rect import Rect
from stepscope.core.lazy import lazy_module
from stepscope.widgets.common.fonts import derived, monospace
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.screen.content import ScreenColors
from stepscope.widgets.screen.minimap import goal_of, paint_frame
from stepscope.widgets.screen.parts import PartKeeper, around
from stepscope.widgets.screen.picture import ScreenPicture, memory_of
from stepscope.widgets.screen.qt_rect import qrect
from stepscope.widgets.screen.viewport import Viewport

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stepscope.core.imaging.sketch import Sketch
    from stepscope.widgets.screen.sketch_painter import SketchPainter
else:
    np = lazy_module("numpy")

NEAREST_ABOVE = 300.0
"""Zoom in percent from which single pixels are shown as squares."""
SIDE_OPACITY = 0.82
LOADING_OPACITY = 0.45
_RADIUS, _SIDE_RADIUS = 14.0, 10.0
_DOT_GRID = 16
_WHOLE_LIMIT = 1_500_000
"""Device pixels up to which a whole picture is kept at its shown size."""
_IMAGES_KEPT = 6
_SHADOW = 14
SHADOW_REACH = 2 * _SHADOW
NO_PICTURE = "No picture of this step"
WORDS_PX, WORDS_MARGIN = 16, 28
"""Type and margin of words in the place of a picture."""
_CAPTION_GAP = 8.0
_READOUT_HEIGHT = 28.0
_TAG_HEIGHT = 20.0


@dataclass(frozen=True, slots=True)
class PixelReadout:
    """The box at the bottom left: the pixel under the pointer and what lies there."""

    place: str
    words: str


class Scene:
    """Draws; everything is in the view's logical pixels."""

    def __init__(self, colors: ScreenColors) -> None:
        self.colors = colors
        self.rough = False
        """Show the nearest pixels of a large picture, in a third of the time that smooth ones take."""
        self._sketches: SketchPainter | None = None
        self._shadow: tuple[tuple[object, ...], QPixmap] | None = None
        self._parts: dict[str, PartKeeper] = {}
        self._images: OrderedDict[tuple[object, ...], QImage] = OrderedDict()
        self._ground: tuple[tuple[object, ...], QImage] | None = None

    def forget_pictures(self) -> None:
        self._images.clear()
        self._parts.clear()

    def canvas(self, painter: QPainter, area: QRect, viewport: Viewport, *, covered: bool) -> None:
        """The background: a colour with a dot every 16 pixels, made once and then only copied; not below a picture that
        is not seen through (`covered`)."""
        made_for = (self.colors, viewport.ratio, viewport.width, viewport.height)
        if self._ground is None or self._ground[0] != made_for:
            self._ground = (made_for, self._dotted(viewport))
        image, ratio = self._ground[1], viewport.ratio
        inside = qrect(viewport.picture.grown(-_RADIUS - 1)).toRect() if covered else QRect()
        hidden = inside.intersected(area) if inside.isValid() else QRect()
        for part in around(hidden, area):
            source = QRectF(part.x() * ratio, part.y() * ratio, part.width() * ratio, part.height() * ratio)
            painter.drawImage(QRectF(part), image, source)

    def middle(self, painter: QPainter, viewport: Viewport, picture: ScreenPicture | None, opacity: float) -> None:
        """The step's picture, with round corners while all of it is seen."""
        place = viewport.picture
        radius = min(_RADIUS, place.width * 0.05) if viewport.is_whole else 0.0
        self._frame(painter, viewport, radius)
        painter.save()
        painter.setOpacity(opacity)
        self._picture(painter, "middle", viewport, picture, place, radius)
        painter.restore()

    def prepare(self, viewport: Viewport, picture: ScreenPicture) -> None:
        """Have the picture ready as `middle` would show it, where that is whole and small."""
        place = viewport.picture
        if (goal := self._goal(viewport, picture, place)) is not None:
            radius = min(_RADIUS, place.width * 0.05) if viewport.is_whole else 0.0
            self._whole(picture, goal, radius * viewport.ratio)

    def side(self, painter: QPainter, key: str, viewport: Viewport, picture: ScreenPicture, place: Rect) -> None:
        """A neighbour's picture, dimmed."""
        radius = min(_SIDE_RADIUS, place.width * 0.05)
        self._ring(painter, place, radius)
        painter.save()
        painter.setOpacity(SIDE_OPACITY)
        self._picture(painter, key, viewport, picture, place, radius)
        painter.restore()

    def caption(self, painter: QPainter, place: Rect, text: str, font: QFont, within: tuple[float, float]) -> None:
        """Words below a neighbour's picture, in the middle where they stay `within` (left, right) so."""
        painter.setFont(derived(font, 11))
        painter.setPen(QColor(self.colors.dim))
        metrics, (left, right) = painter.fontMetrics(), within
        words = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, int(right - left)))
        width = metrics.horizontalAdvance(words)
        start = max(left, min(place.left + (place.width - width) / 2, right - width))
        painter.drawText(QPointF(start, place.bottom + _CAPTION_GAP + metrics.ascent()), words)

    def empty_screen(self, painter: QPainter, viewport: Viewport, words: str, font: QFont) -> None:
        """A screen without a picture: its outline and the step's words, or a note that there is no picture."""
        place, words = viewport.picture, straight(words)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.colors.ring), 1))
        painter.setBrush(QColor(self.colors.card))
        painter.drawRoundedRect(qrect(place), 8, 8)
        painter.setFont(derived(font, WORDS_PX if words else 12))
        painter.setPen(QColor(self.colors.text if words else self.colors.dim))
        margin = min(WORDS_MARGIN, place.width / 8)
        inside = qrect(place).adjusted(margin, margin, -margin, -margin)
        painter.setClipRect(inside)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        needed = painter.boundingRect(inside, flags, words)
        if needed.height() > inside.height():
            flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(inside, flags, words or NO_PICTURE)
        painter.restore()

    def marks(self, painter: QPainter, sketch: Sketch, viewport: Viewport, family: str) -> None:
        if self._sketches is None:
            from stepscope.widgets.screen.sketch_painter import SketchPainter  # comes with the first marks

            self._sketches = SketchPainter()
        self._sketches.paint(painter, sketch, viewport.picture, family)

    def outline(self, painter: QPainter, viewport: Viewport, box: Box, *, selected: bool) -> None:
        """The element under the pointer (tinted) or the selected one (stronger line)."""
        place = qrect(viewport.rect_of(box))
        tint = QColor(ACCENT)
        tint.setAlphaF(0.10 if selected else 0.18)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(tint)
        painter.setPen(QPen(QColor(CASING), 4.0 if selected else 3.0))
        painter.drawRoundedRect(place, 2, 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(ACCENT), 2.2 if selected else 1.4))
        painter.drawRoundedRect(place, 2, 2)
        painter.restore()

    def name_of_selected(
        self, painter: QPainter, viewport: Viewport, box: Box, words: str, font: QFont, width: float
    ) -> None:
        """What is selected, over its box, or below its upper edge where the view ends there. `width`: of the view."""
        place, font = viewport.rect_of(box), derived(font, 12)
        line = QFontMetricsF(font).elidedText(straight(words), Qt.TextElideMode.ElideRight, width - 40)
        wide = QFontMetricsF(font).horizontalAdvance(line) + 12
        top = place.top - _TAG_HEIGHT - 3 if place.top >= _TAG_HEIGHT + 3 else max(place.top, 0.0) + 3
        area = QRectF(min(max(place.left, 4.0), max(width - wide - 4, 4.0)), top, wide, _TAG_HEIGHT)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(ACCENT), 1))
        painter.setBrush(QColor(CASING))
        painter.drawRoundedRect(area, 4, 4)
        painter.setFont(font)
        painter.setPen(QColor(WHITE))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, line)
        painter.restore()

    def readout_area(self, readout: PixelReadout, font: QFont, height: float) -> QRectF:
        """Where the readout is drawn in a view of this height."""
        mono, plain = monospace(font, 11.5), derived(font, 12)
        width = 20 + QFontMetricsF(mono).horizontalAdvance(readout.place)
        if readout.words:
            width += 8 + QFontMetricsF(plain).horizontalAdvance(readout.words)
        return QRectF(12, height - 12 - _READOUT_HEIGHT, math.ceil(width) + 2, _READOUT_HEIGHT)

    def readout(self, painter: QPainter, readout: PixelReadout, font: QFont, height: float) -> None:
        area = self.readout_area(readout, font, height)
        mono, plain = monospace(font, 11.5), derived(font, 12)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.colors.ring), 1))
        painter.setBrush(QColor(self.colors.card))
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(mono)
        painter.setPen(QColor(self.colors.text))
        text = area.adjusted(10, 0, 0, 0)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, readout.place)
        text.adjust(QFontMetricsF(mono).horizontalAdvance(readout.place) + 8, 0, 0, 0)
        painter.setFont(plain)
        painter.setPen(QColor(self.colors.dim))
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, straight(readout.words))
        painter.restore()

    def minimap(self, painter: QPainter, viewport: Viewport, picture: ScreenPicture, place: Rect) -> None:
        """The whole picture in small, and what is seen of it."""
        goal = goal_of(place, viewport.ratio)
        image = self._whole(picture, goal, 0.0)
        image.setDevicePixelRatio(viewport.ratio)
        painter.drawImage(QPointF(place.left, place.top), image)
        paint_frame(painter, viewport, place, self.colors)

    def _picture(
        self, painter: QPainter, key: str, viewport: Viewport, picture: ScreenPicture | None, place: Rect, radius: float
    ) -> None:
        if picture is None:
            return
        ratio, goal = viewport.ratio, self._goal(viewport, picture, place)
        if goal is not None:
            image, corner = self._whole(picture, goal, radius * ratio), (place.left, place.top)
        else:
            seen = place.shared(Rect(0.0, 0.0, viewport.width, viewport.height))
            if seen is None:
                return
            image, corner = self._part(key, picture, place, seen, ratio), (seen.left, seen.top)
        image.setDevicePixelRatio(ratio)
        painter.drawImage(QPointF(*corner), image)

    @staticmethod
    def _goal(viewport: Viewport, picture: ScreenPicture, place: Rect) -> Size | None:
        """Device pixels of a picture that is kept whole as it is shown, None for one that is shown large."""
        ratio = viewport.ratio
        goal = Size(max(1, round(place.width * ratio)), max(1, round(place.height * ratio)))
        shrunk = goal.width <= picture.size.width and goal.height <= picture.size.height
        return goal if shrunk and goal.width * goal.height <= _WHOLE_LIMIT else None

    def _whole(self, picture: ScreenPicture, goal: Size, radius: float) -> QImage:
        """The picture at its shown size: panning only copies it."""

        def make() -> QImage:
            image = picture.scaled(goal)
            return _rounded(image, radius) if radius else image

        return self._kept((weakref.ref(picture), goal, radius), make)

    def _part(self, key: str, picture: ScreenPicture, place: Rect, seen: Rect, ratio: float) -> QImage:
        """Only what is seen of a large picture, at the view's device pixels."""
        scale = place.width * ratio / picture.size.width
        left, top = round((seen.left - place.left) * ratio), round((seen.top - place.top) * ratio)
        area = QRect(left, top, math.ceil(seen.width * ratio), math.ceil(seen.height * ratio))
        keeper = self._parts.setdefault(key, PartKeeper())
        return keeper.image(picture, scale, area, nearest=self.rough or 100 * scale > NEAREST_ABOVE)

    def _kept(self, made_for: tuple[object, ...], make: Callable[[], QImage]) -> QImage:
        """The image that was made for the same picture and size, else a new one. A few are kept: after a step what was
        beside the picture is beside it again, or is what was in the middle."""
        image = self._images.pop(made_for, None)
        if image is None:
            image = make()
        self._images[made_for] = image
        while len(self._images) > _IMAGES_KEPT:
            self._images.popitem(last=False)
        return image

    def _frame(self, painter: QPainter, viewport: Viewport, radius: float) -> None:
        """A thin ring around the middle picture, and a soft shadow while it is fitted."""
        place = viewport.picture
        if viewport.is_whole:
            made_for = (place.width, place.height, radius, viewport.ratio, self.colors.is_dark)
            if self._shadow is None or self._shadow[0] != made_for:
                self._shadow = (made_for, self.soft_edge(place, radius, viewport.ratio))
            painter.drawPixmap(QPointF(place.left - SHADOW_REACH, place.top - SHADOW_REACH), self._shadow[1])
        self._ring(painter, place, radius)

    def soft_edge(self, place: Rect, radius: float, ratio: float) -> QPixmap:
        """The shadow of what lies at `place`, to be drawn SHADOW_REACH left of and above it."""
        margin = SHADOW_REACH
        size = QSize(math.ceil((place.width + 2 * margin) * ratio), math.ceil((place.height + 2 * margin) * ratio))
        pixmap = QPixmap(size)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        strength = 0.14 if self.colors.is_dark else 0.06
        inner = QRectF(margin, margin + 3, place.width, place.height)
        for reach in range(_SHADOW, 0, -1):
            shade = QColor(0, 0, 0)
            shade.setAlphaF(strength * (1 - reach / (_SHADOW + 1)))
            painter.setPen(QPen(shade, 1.5))
            painter.drawRoundedRect(inner.adjusted(-reach, -reach, reach, reach), radius + reach, radius + reach)
        painter.end()
        return pixmap

    def _ring(self, painter: QPainter, place: Rect, radius: float) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.colors.ring), 1))
        painter.drawRoundedRect(qrect(place.grown(0.5)), radius, radius)
        painter.restore()

    def _dotted(self, viewport: Viewport) -> QImage:
        ratio = viewport.ratio
        size = QSize(math.ceil(viewport.width * ratio), math.ceil(viewport.height * ratio))
        image = QImage(size, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        painter.drawTiledPixmap(image.rect(), self._dot(ratio))
        painter.end()
        image.setDevicePixelRatio(ratio)
        return image

    def _dot(self, ratio: float) -> QPixmap:
        side = round(_DOT_GRID * ratio)
        tile = QPixmap(side, side)
        tile.fill(QColor(self.colors.canvas))
        painter = QPainter(tile)
        painter.scale(side / _DOT_GRID, side / _DOT_GRID)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.colors.dots))
        painter.drawEllipse(QPointF(8, 8), 0.9, 0.9)
        painter.end()
        return tile


def _rounded(image: QImage, radius: float) -> QImage:
    """The image with its corners taken out (in place: it is our own)."""
    image.reinterpretAsFormat(QImage.Format.Format_ARGB32_Premultiplied)
    side = math.ceil(radius)
    pixels = memory_of(image)
    cover = _corner(radius)[:, :, None]
    for rows, block in ((slice(None, side), cover), (slice(-side, None), cover[::-1])):
        for columns, part in ((slice(None, side), block), (slice(-side, None), block[:, ::-1])):
            pixels[rows, columns] = (pixels[rows, columns] * part + 0.5).astype(np.uint8)
    return image


@lru_cache(maxsize=16)
def _corner(radius: float) -> NDArray[np.float32]:
    """How much of each pixel of the upper left corner lies inside the rounding, 0..1."""
    side = math.ceil(radius)
    middles = np.arange(side) + 0.5
    far = np.hypot(middles[None, :] - radius, middles[:, None] - radius)
    inside: NDArray[np.float32] = np.clip(radius + 0.5 - far, 0.0, 1.0).astype(np.float32)
    return inside
