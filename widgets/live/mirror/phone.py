"""Painting of the phone itself: its body, the live picture, words over it. All in the view's logical pixels."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen, QPixmap

from stepscope.core.imaging.palette import CASING, WHITE
from stepscope.core.imaging.rect import Rect
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.screen.parts import around
from stepscope.widgets.screen.qt_rect import qrect
from stepscope.widgets.screen.scene import NEAREST_ABOVE, SHADOW_REACH, Scene
from stepscope.widgets.screen.viewport import Viewport

BODY = 6.0
"""Width of the phone's body around its screen; a line of one pixel goes around that."""
_BODY_COLOUR = "#0A0B0D"
_ROUND = 22 / 328
"""Radius of the screen's corners as a share of its width, and at most."""
_MOST_ROUND = 22.0
_SAME = 1.5
"""Device pixels by which the decoder's rounding may differ from the place: the picture is copied as it is."""


def corner_radius(viewport: Viewport) -> float:
    """Radius of the screen's corners; none while only a part is seen, which may be the corner."""
    width = min(viewport.picture.width, viewport.picture.height)
    return min(_MOST_ROUND, _ROUND * width) if viewport.is_whole else 0.0


class PhonePainter:
    """Keeps what lies around the picture as it was last drawn: a new frame copies only its corners."""

    def __init__(self) -> None:
        self._around: tuple[tuple[object, ...], QImage] | None = None
        self._shadow: tuple[tuple[object, ...], QPixmap] | None = None

    def surround(self, painter: QPainter, scene: Scene, viewport: Viewport, area: QRect) -> None:
        """Ground, shadow and body in `area`, over the picture's square corners and not below the rest of it."""
        made_for = (viewport, scene.colors)
        if self._around is None or self._around[0] != made_for:
            self._around = (made_for, self._surround(scene, viewport))
        image, ratio = self._around[1], viewport.ratio
        place = viewport.picture
        left, top = math.ceil(place.left), math.ceil(place.top)
        hole = QRect(left, top, math.floor(place.right) - left, math.floor(place.bottom) - top)
        side = math.ceil(corner_radius(viewport))
        over = [
            QRect(x, y, side, side)
            for x in (hole.left(), hole.right() - side + 1)
            for y in (hole.top(), hole.bottom() - side + 1)
        ]
        for part in (*around(hole.intersected(area), area), *(one.intersected(area) for one in over)):
            source = QRectF(part.x() * ratio, part.y() * ratio, part.width() * ratio, part.height() * ratio)
            painter.drawImage(QRectF(part), image, source)

    def _surround(self, scene: Scene, viewport: Viewport) -> QImage:
        """An image as large as the view, with a hole for the picture."""
        ratio, place, radius = viewport.ratio, qrect(viewport.picture), corner_radius(viewport)
        shape = math.ceil(viewport.width * ratio), math.ceil(viewport.height * ratio)
        image = QImage(*shape, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        painter = QPainter(image)
        area = QRect(0, 0, math.ceil(viewport.width), math.ceil(viewport.height))
        scene.canvas(painter, area, viewport, covered=False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(scene.colors.ring), 1))
        if viewport.is_whole:
            self._draw_shadow(painter, scene, viewport)
            painter.setBrush(QColor(_BODY_COLOUR))
            painter.drawRoundedRect(_grown(place, BODY + 0.5), radius + BODY, radius + BODY)
        else:
            painter.drawRect(_grown(place, 0.5))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationOut)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(CASING))
        painter.drawRoundedRect(place, radius, radius)
        painter.end()
        return image

    def _draw_shadow(self, painter: QPainter, scene: Scene, viewport: Viewport) -> None:
        place, radius = viewport.picture.grown(BODY + 1), corner_radius(viewport) + BODY
        made_for = (place.width, place.height, viewport.ratio, scene.colors.is_dark)
        if self._shadow is None or self._shadow[0] != made_for:
            self._shadow = (made_for, scene.soft_edge(place, radius, viewport.ratio))
        painter.drawPixmap(QPointF(place.left - SHADOW_REACH, place.top - SHADOW_REACH), self._shadow[1])

    def picture(self, painter: QPainter, viewport: Viewport, image: QImage, opacity: float = 1.0) -> None:
        """Copied where the image was made for its place, else scaled; never stretched."""
        place, ratio = viewport.picture, viewport.ratio
        painter.save()
        wide, high = place.width * ratio, place.height * ratio
        if opacity < 1.0:
            painter.fillRect(qrect(place), QColor(CASING))
            painter.setOpacity(opacity)
        if abs(image.width() - wide) <= _SAME and abs(image.height() - high) <= _SAME:
            for strip in (
                QRectF(place.right - 3, place.top, 4, place.height),
                QRectF(place.left, place.bottom - 3, place.width, 4),
            ):
                painter.fillRect(strip, QColor(CASING))  # what the decoder's rounding leaves out
            painter.drawImage(QPointF(place.left, place.top), image)
        else:
            smooth = 100 * wide / image.width() <= NEAREST_ABOVE
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
            painter.drawImage(qrect(place), image)
        painter.restore()

    def empty(self, painter: QPainter, viewport: Viewport) -> None:
        """A screen of which there is no picture yet."""
        painter.fillRect(qrect(viewport.picture), QColor(CASING))

    def words(self, painter: QPainter, viewport: Viewport, text: str, font: QFont) -> None:
        """Paint words in a dark box in the middle of what is seen of the picture."""
        seen = viewport.picture.shared(Rect(0.0, 0.0, viewport.width, viewport.height))
        if seen is None or not text:
            return
        painter.save()
        painter.setFont(derived(font, 14, weight=QFont.Weight.DemiBold))
        room = qrect(seen).adjusted(24, 0, -24, 0)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        needed = painter.boundingRect(room, flags, text)
        _dark_box(painter, _grown(needed, 12), 8)
        painter.drawText(needed, flags, text)
        painter.restore()

    def foot(self, painter: QPainter, viewport: Viewport, text: str, font: QFont) -> None:
        """A pill at the bottom of the picture."""
        painter.save()
        painter.setFont(derived(font, 12))
        metrics = painter.fontMetrics()
        width, height = metrics.horizontalAdvance(text) + 20, metrics.height() + 8
        place = viewport.picture
        foot = min(place.bottom, viewport.height) - 12
        pill = QRectF((place.left + place.right - width) / 2, foot - height, width, height)
        _dark_box(painter, pill, height / 2)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()

    def keys_frame(self, painter: QPainter, viewport: Viewport) -> None:
        """The amber frame: what is typed goes to the phone."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.current().warn), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if viewport.is_whole:
            radius = corner_radius(viewport) + BODY + 3
            painter.drawRoundedRect(_grown(qrect(viewport.picture), BODY + 4), radius, radius)
        else:
            painter.drawRect(QRectF(1, 1, viewport.width - 2, viewport.height - 2))
        painter.restore()


def _dark_box(painter: QPainter, place: QRectF, radius: float) -> None:
    """A ground on which words are read on any picture; the pen is white afterwards."""
    ground = QColor(CASING)
    ground.setAlphaF(0.86)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(place, radius, radius)
    painter.setPen(QColor(WHITE))


def _grown(rect: QRectF, by: float) -> QRectF:
    return rect.adjusted(-by, -by, by, by)
