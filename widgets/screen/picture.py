"""A screenshot ready for painting: Qt's own copy of the pixels, with halves of it for quick drawing when it is small.

May be made on any thread (QImage only). This is the one place where pixels of an array become a QImage.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QImage

from core.domain.geometry import Size
from core.imaging.decode import Pixels, resized, write_bgra

_SMALLEST = 256
"""Pictures whose longer side is below this are not halved again."""


@dataclass(frozen=True, slots=True, eq=False)
class ScreenPicture:
    """`levels`: the picture, its half, quarter, … None of them shares memory with the array it came from."""

    levels: tuple[QImage, ...]

    @classmethod
    def from_pixels(cls, pixels: Pixels) -> ScreenPicture:
        """From height × width × 3 (RGB) or 4 (RGBA) bytes."""
        levels = [_owned(pixels)]
        while max(levels[-1].width(), levels[-1].height()) >= 2 * _SMALLEST:
            last = levels[-1]
            levels.append(_scaled(last, Size(max(1, last.width() // 2), max(1, last.height() // 2))))
        return cls(tuple(levels))

    @property
    def size(self) -> Size:
        return Size(self.levels[0].width(), self.levels[0].height())

    def level(self, width: float) -> QImage:
        """The smallest level that is at least `width` pixels wide, else the whole picture."""
        wide = [image for image in self.levels if image.width() >= width]
        return wide[-1] if wide else self.levels[0]

    def scaled(self, size: Size) -> QImage:
        """The picture at exactly this size, averaged."""
        return _scaled(self.level(size.width), size)


def _owned(pixels: Pixels) -> QImage:
    height, width = pixels.shape[:2]
    image = QImage(width, height, QImage.Format.Format_RGB32)
    write_bgra(pixels, _bytes(image))
    return image


def _scaled(image: QImage, size: Size) -> QImage:
    result = QImage(size.width, size.height, QImage.Format.Format_RGB32)
    source = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    _bytes(result)[:] = resized(source, size)
    return result


def _bytes(image: QImage) -> Pixels:
    """The image's own memory, to be written before anyone else has the image."""
    return np.frombuffer(image.bits(), np.uint8).reshape(image.height(), image.width(), 4)
