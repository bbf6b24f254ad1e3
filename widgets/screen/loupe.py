"""A round magnifier over the screen: single pixels as squares, what is marked there, place and colour of the middle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.palette import CASING, WHITE
from stepscope.core.imaging.rect import Rect
from stepscope.widgets.common.fonts import monospace
from stepscope.widgets.screen.content import ScreenColors, ScreenContent
from stepscope.widgets.screen.picture import ScreenPicture
from stepscope.widgets.screen.viewport import Viewport

if TYPE_CHECKING:
    from stepscope.core.domain.mark import Mark
    from stepscope.core.imaging.sketch import PicturePlacement
    from stepscope.widgets.screen.sketch_painter import SketchPainter

ZOOMS = (4, 8)
"""Device pixels for a pixel of the picture."""
RADIUS = 96.0
_LABEL_HEIGHT, _LABEL_GAP, _SWATCH = 26.0, 6.0, 12.0
_ROOM = 6.0
"""Logical pixels that it keeps from the edge of the view."""
_FAST = 10
"""Pixels of the picture that an arrow with Shift moves it by."""
_ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_ZOOM_KEYS: dict[int, int] = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1}


@dataclass(frozen=True, slots=True)
class Loupe:
    """`place` is a pixel's middle; `zoom` is one of ZOOMS."""

    place: Point
    zoom: int = ZOOMS[0]

    @classmethod
    def at(cls, place: Point, zoom: int) -> Loupe:
        """Over the pixel that holds `place`; places beside the picture mean its edge."""
        size = place.size
        x, y = min(max(int(place.x), 0), size.width - 1), min(max(int(place.y), 0), size.height - 1)
        return cls(Point(x + 0.5, y + 0.5, size), zoom)

    def moved(self, dx: int, dy: int) -> Loupe:
        """Over another pixel."""
        return Loupe.at(Point(self.place.x + dx, self.place.y + dy, self.place.size), self.zoom)

    def words(self, picture: ScreenPicture | None) -> str:
        """What stands below: pixel, colour and zoom."""
        colour = self.colour(picture)
        parts = (f"x {int(self.place.x)} y {int(self.place.y)}", colour, f"{self.zoom}×")
        return "  ".join(part for part in parts if part)

    def colour(self, picture: ScreenPicture | None) -> str:
        """The pixel's colour as hex text, "" where only a small version of the picture is there."""
        if picture is None or picture.size != self.place.size:
            return ""
        red, green, blue = picture.levels[0][int(self.place.y), int(self.place.x)].tolist()
        return f"#{red:02X}{green:02X}{blue:02X}"


def start_of(content: ScreenContent, viewport: Viewport) -> Point:
    """Where the loupe begins without a pointer: the reference mark, else the middle of all, else that of the view."""
    from stepscope.core.domain.mark import PointMark
    from stepscope.core.imaging.overlay import bounds_of

    for mark in content.marks:
        if isinstance(mark, PointMark) and mark.layer is Layer.REFERENCE:
            return mark.point.rescaled(content.size)
    box = bounds_of(content.marks)
    return box.centre if box is not None else viewport.to_picture(viewport.width / 2, viewport.height / 2)


class LoupeControl(QObject):
    """Places the loupe: it follows the pointer until arrows steer it, and lies at the reference mark without either.

    It is there while `is_held` (its key is down) or `is_pinned`. `changed()`: `shown` is another.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown: Loupe | None = None
        self.is_held = self.is_pinned = False
        self._steered = False
        self._zoom = ZOOMS[0]

    def place(self, content: ScreenContent | None, viewport: Viewport, pointer: Point | None) -> None:
        """Put it where it belongs; `pointer` is the picture's pixel under the pointer."""
        if content is None or not (self.is_held or self.is_pinned):
            self._steered = False
            self._show(None)
        elif pointer is not None and not self._steered:
            self._show(Loupe.at(pointer, self._zoom))
        elif self.shown is not None and (self._steered or not self.is_pinned):
            self._show(Loupe.at(self.shown.place.rescaled(content.size), self._zoom))
        else:
            self._show(Loupe.at(start_of(content, viewport), self._zoom))

    def follow_pointer(self) -> None:
        """The pointer has moved: arrows no longer steer."""
        self._steered = False

    def steer(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Take a key while the loupe is held; whether it was one of the loupe's."""
        if self.shown is None or not self.is_steered_by(key):
            return False
        if key in _ZOOM_KEYS:
            self.turn_zoom(_ZOOM_KEYS[key])
        else:
            far = _FAST if modifiers & Qt.KeyboardModifier.ShiftModifier else 1
            dx, dy = _ARROWS[key]
            self._steered = True
            self._show(self.shown.moved(far * dx, far * dy))
        return True

    def is_steered_by(self, key: int) -> bool:
        """Whether a key moves or zooms the loupe now."""
        return self.is_held and (key in _ARROWS or key in _ZOOM_KEYS)

    def turn_zoom(self, way: int) -> None:
        """Go to the next larger (1) or smaller (−1) of ZOOMS."""
        place = ZOOMS.index(self._zoom) + way
        self._zoom = ZOOMS[min(max(place, 0), len(ZOOMS) - 1)]
        if self.shown is not None:
            self._show(Loupe(self.shown.place, self._zoom))

    def _show(self, loupe: Loupe | None) -> None:
        if loupe != self.shown:
            self.shown = loupe
            self.changed.emit()


class LoupePainter:
    """Draws the loupe; its picture is made anew only when something of it changes."""

    def __init__(self) -> None:
        self._sketches: SketchPainter | None = None
        self._kept: tuple[tuple[object, ...], QImage] | None = None

    def paint(
        self,
        painter: QPainter,
        loupe: Loupe,
        viewport: Viewport,
        content: ScreenContent,
        marks: tuple[Mark, ...],
        strengths: Mapping[Layer, float],
        colors: ScreenColors,
        font: QFont,
    ) -> None:
        """Over the pixel, as far as the view leaves room; `marks` are those that are to be seen in it."""
        made_for = (loupe, content.picture, marks, tuple(strengths.items()), colors, font.family(), viewport.ratio)
        if self._kept is None or self._kept[0] != made_for:
            self._kept = (made_for, self._glass(loupe, viewport.ratio, content, marks, strengths, colors, font))
        place = area(loupe, viewport)
        painter.drawImage(QPointF(place.left, place.top), self._kept[1])
        _label(painter, loupe, place, content.picture, colors, font)

    def _glass(
        self,
        loupe: Loupe,
        ratio: float,
        content: ScreenContent,
        marks: tuple[Mark, ...],
        strengths: Mapping[Layer, float],
        colors: ScreenColors,
        font: QFont,
    ) -> QImage:
        # these come with the first marks
        from stepscope.core.imaging.sketch import PicturePlacement, sketch
        from stepscope.widgets.screen.sketch_painter import SketchPainter, measure_with

        side, zoom = math.ceil(2 * RADIUS * ratio), loupe.zoom / ratio
        image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        whole = Rect(0.0, 0.0, 2 * RADIUS, 2 * RADIUS)
        left, top = RADIUS - loupe.place.x * zoom, RADIUS - loupe.place.y * zoom
        frame = PicturePlacement(left, top, zoom, 1.0, content.size, whole)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        disc = QPainterPath()
        disc.addEllipse(QPointF(RADIUS, RADIUS), RADIUS - 2, RADIUS - 2)
        painter.setClipPath(disc)
        painter.fillPath(disc, QColor(colors.canvas))
        if content.picture is not None:
            _pixels(painter, content.picture, frame, ratio)
        drawn = sketch(marks, frame, measure_with(font.family()), strengths)
        self._sketches = self._sketches or SketchPainter()
        self._sketches.paint(painter, drawn, frame.picture, font.family())
        _crosshair(painter, zoom)
        painter.setClipping(False)
        for colour, width in ((CASING, 4.0), (WHITE, 1.6)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawEllipse(QPointF(RADIUS, RADIUS), RADIUS - 2, RADIUS - 2)
        painter.end()
        return image


def area(loupe: Loupe, viewport: Viewport) -> Rect:
    """Where the loupe lies: around its pixel, moved into the view."""
    x, y = viewport.to_view(loupe.place)
    below = RADIUS + _LABEL_GAP + _LABEL_HEIGHT
    x = min(max(x, RADIUS + _ROOM), max(viewport.width - RADIUS - _ROOM, RADIUS + _ROOM))
    y = min(max(y, RADIUS + _ROOM), max(viewport.height - below - _ROOM, RADIUS + _ROOM))
    return Rect(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS)


def _pixels(painter: QPainter, picture: ScreenPicture, frame: PicturePlacement, ratio: float) -> None:
    """The part of the picture under the glass, pixels as squares."""
    seen = frame.picture.shared(frame.visible)
    if seen is None:
        return
    scale = frame.scale * ratio * frame.size.width / picture.size.width
    left, top = (seen.left - frame.left) * ratio, (seen.top - frame.top) * ratio
    size = Size(max(1, math.ceil(seen.width * ratio)), max(1, math.ceil(seen.height * ratio)))
    part = picture.part(left, top, size, scale, nearest=True)
    part.setDevicePixelRatio(ratio)
    painter.drawImage(QPointF(seen.left, seen.top), part)


def _crosshair(painter: QPainter, pixel: float) -> None:
    """Four lines that end at the pixel in the middle, and a frame around it."""
    half, reach = pixel / 2, RADIUS - 4
    for colour, width in ((CASING, 3.0), (WHITE, 1.2)):
        painter.setPen(QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(RADIUS - half, RADIUS - half, pixel, pixel))
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            start = QPointF(RADIUS + dx * (half + 10), RADIUS + dy * (half + 10))
            painter.drawLine(start, QPointF(RADIUS + dx * reach, RADIUS + dy * reach))


def _label(
    painter: QPainter, loupe: Loupe, place: Rect, picture: ScreenPicture | None, colors: ScreenColors, font: QFont
) -> None:
    """Pixel, colour with a swatch, and zoom, below the glass."""
    mono, words, colour = monospace(font, 11.5), loupe.words(picture), loupe.colour(picture)
    swatch = _SWATCH + 8 if colour else 0.0
    width = math.ceil(QFontMetricsF(mono).horizontalAdvance(words)) + 20 + swatch
    left = (place.left + place.right - width) / 2
    box = QRectF(left, place.bottom + _LABEL_GAP, width, _LABEL_HEIGHT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colors.ring), 1))
    painter.setBrush(QColor(colors.card))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    if colour:
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(left + 10, box.center().y() - _SWATCH / 2, _SWATCH, _SWATCH), 3, 3)
    painter.setFont(mono)
    painter.setPen(QColor(colors.text))
    painter.drawText(box.adjusted(10 + swatch, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, words)
    painter.restore()
