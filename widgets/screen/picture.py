"""A screenshot ready for painting: Qt's own copy of the pixels, with halves of it for quick drawing when it is small.

May be made on any thread (QImage only). This is the one place where pixels of an array become a QImage.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QImage

from core.domain.episode import Picture
from core.domain.geometry import Size
from core.imaging.decode import Pixels, decode, halved, resized_quickly, sample, write_bgra

_SMALLEST = 256
"""Pictures whose longer side is below this are not halved again."""


@dataclass(frozen=True, slots=True, eq=False)
class ScreenPicture:
    """`levels`: the picture, its half, quarter, … None of them shares memory with the array it came from."""

    levels: tuple[QImage, ...]

    @classmethod
    def from_pixels(cls, pixels: Pixels) -> ScreenPicture:
        """From height × width × 3 (RGB) or 4 (RGBA) bytes."""
        levels = [image_of(pixels)]
        while max(levels[-1].width(), levels[-1].height()) >= 2 * _SMALLEST:
            levels.append(_wrapped(halved(_seen(levels[-1]))))
        return cls(tuple(levels))

    @property
    def nbytes(self) -> int:
        """Memory of all levels."""
        return sum(level.sizeInBytes() for level in self.levels)

    @property
    def size(self) -> Size:
        return Size(self.levels[0].width(), self.levels[0].height())

    def level(self, width: float) -> QImage:
        """The smallest level that is at least `width` pixels wide, else the whole picture."""
        wide = [image for image in self.levels if image.width() >= width]
        return wide[-1] if wide else self.levels[0]

    def scaled(self, size: Size) -> QImage:
        """The picture at exactly this size."""
        return _wrapped(resized_quickly(_seen(self.level(size.width)), size))

    def part(self, left: float, top: float, size: Size, scale: float, *, nearest: bool) -> QImage:
        """`size` pixels of the picture shown at `scale` (shown pixels for one of the picture's), from the place
        (left, top) of the shown picture."""
        level = self.level(self.size.width * scale)
        step = level.width() / (self.size.width * scale)
        result = QImage(size.width, size.height, QImage.Format.Format_RGB32)
        sample(_seen(level), left * step, top * step, step, _bytes(result), nearest=nearest)
        return result


def decode_for_screen(picture: Picture, max_size: Size | None = None) -> ScreenPicture:
    """A screenshot's file ready for painting, reduced to `max_size`. May run on any thread; raises SourceError."""
    return ScreenPicture.from_pixels(decode(picture, max_size))


def image_of(pixels: Pixels) -> QImage:
    """Qt's own copy of height × width × 3 (RGB) or 4 (RGBA) bytes."""
    height, width = pixels.shape[:2]
    image = QImage(width, height, QImage.Format.Format_RGB32)
    write_bgra(pixels, _bytes(image))
    return image


def _wrapped(pixels: Pixels) -> QImage:
    """A QImage with a copy of bytes that are blue, green, red and one more."""
    height, width = pixels.shape[:2]
    result = QImage(width, height, QImage.Format.Format_RGB32)
    _bytes(result)[:] = pixels
    return result


def _seen(image: QImage) -> Pixels:
    """The image's memory, for reading while the image lives."""
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)


def _bytes(image: QImage) -> Pixels:
    """The image's own memory, to be written before anyone else has the image."""
    return np.frombuffer(image.bits(), np.uint8).reshape(image.height(), image.width(), 4)
