"""Pictures that predictors attach, with Qt: scaled once for the place that they cover and then only copied."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.strokes import Raster

_KEPT = 4
_WHOLE_LIMIT = 1_500_000
"""Device pixels up to which a scaled picture is kept; of a larger one Qt scales what is seen."""


class RasterPainter:
    """Keeps the latest few pictures, as they are and at the size at which they were last drawn."""

    def __init__(self) -> None:
        self._images: dict[int, tuple[Pixels, QImage]] = {}
        self._scaled: dict[int, QImage] = {}

    def paint(self, painter: QPainter, ink: Raster) -> None:
        ratio = painter.device().devicePixelRatioF()
        size = QSize(max(1, round(ink.rect.width * ratio)), max(1, round(ink.rect.height * ratio)))
        image = self._image(ink.pixels)
        painter.save()
        painter.setOpacity(ink.opacity)
        if size.width() * size.height() <= _WHOLE_LIMIT:
            scaled = self._at_size(ink.pixels, image, size)
            scaled.setDevicePixelRatio(ratio)
            painter.drawImage(QPointF(ink.rect.left, ink.rect.top), scaled)
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            rect = ink.rect
            painter.drawImage(QRectF(rect.left, rect.top, rect.width, rect.height), image)
        painter.restore()

    def _image(self, pixels: Pixels) -> QImage:
        kept = self._images.get(id(pixels))
        if kept is None:
            height, width = pixels.shape[:2]
            image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
            kept = (pixels, image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied))
            while len(self._images) >= _KEPT:
                oldest = next(iter(self._images))
                del self._images[oldest]
                self._scaled.pop(oldest, None)
            self._images[id(pixels)] = kept
        return kept[1]

    def _at_size(self, pixels: Pixels, image: QImage, size: QSize) -> QImage:
        scaled = self._scaled.get(id(pixels))
        if scaled is None or scaled.size() != size:
            mode = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            scaled = self._scaled[id(pixels)] = image.scaled(size, *mode)
        return scaled
