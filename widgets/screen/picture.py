"""A screenshot ready for painting: its pixels, with halves of it for quick drawing when it is shown small.

May be made on any thread. Only what is seen becomes a QImage, and this is the one place where it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.cache import stand_back
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.resampling import halved, resized_quickly, sample, write_bgra
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")

_SMALLEST = 256
"""Pictures whose longer side is below this are not halved again."""
_SMALL_PIXELS = 200_000
"""Pixels of the version that may be kept when there is no room for the picture: a quarter of a phone's screen."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ScreenPicture:
    """`levels`: the picture, its half, quarter, …; each height × width × 3 (RGB) bytes, not to be written."""

    levels: tuple[Pixels, ...]

    @classmethod
    def from_pixels(cls, pixels: Pixels) -> ScreenPicture:
        """A picture from height × width × 3 (RGB) or 4 (RGBA) bytes, which are copied where someone may still write
        them."""
        if pixels.flags.writeable or pixels.shape[2] != 3:
            pixels = pixels[:, :, :3].copy()
        levels = [pixels]
        while max(levels[-1].shape[:2]) >= 2 * _SMALLEST:
            levels.append(halved(levels[-1]))
        return cls(tuple(levels))

    @property
    def nbytes(self) -> int:
        """Memory of all levels."""
        return sum(level.nbytes for level in self.levels)

    @property
    def size(self) -> Size:
        height, width = self.levels[0].shape[:2]
        return Size(width, height)

    @property
    def image(self) -> QImage:
        """A copy of the picture for Qt."""
        return image_of(self.levels[0])

    @property
    def small(self) -> ScreenPicture:
        """The same picture without its large levels."""
        kept = [level for level in self.levels if level.shape[0] * level.shape[1] <= _SMALL_PIXELS]
        return ScreenPicture(tuple(kept) or self.levels[-1:])

    def level(self, width: float) -> Pixels:
        """The smallest level that is at least `width` pixels wide, else the whole picture."""
        wide = [level for level in self.levels if level.shape[1] >= width]
        return wide[-1] if wide else self.levels[0]

    def scaled(self, size: Size) -> QImage:
        """The picture at exactly this size."""
        return image_of(resized_quickly(self.level(size.width), size))

    def part(self, left: float, top: float, size: Size, scale: float, *, nearest: bool) -> QImage:
        """`size` pixels of the picture shown at `scale` (shown pixels for one of the picture's), from the place
        (left, top) of the shown picture."""
        image = QImage(size.width, size.height, QImage.Format.Format_RGB32)
        self.fill(memory_of(image), left, top, scale, nearest=nearest)
        return image

    def fill(self, into: Pixels, left: float, top: float, scale: float, *, nearest: bool) -> None:
        """The same into the memory of an image, or a part of it."""
        level = self.level(self.size.width * scale)
        step = level.shape[1] / (self.size.width * scale)
        sample(level, left * step, top * step, step, into, nearest=nearest)


def decode_for_screen(picture: Picture, max_size: Size | None = None) -> ScreenPicture:
    """A screenshot's file ready for painting, reduced to `max_size`. May run on any thread; raises SourceError."""
    pixels = decode(picture, max_size)
    stand_back()
    return ScreenPicture.from_pixels(pixels)


def image_of(pixels: Pixels) -> QImage:
    """Qt's own copy of height × width × 3 (RGB) or 4 (RGBA) bytes."""
    height, width = pixels.shape[:2]
    image = QImage(width, height, QImage.Format.Format_RGB32)
    write_bgra(pixels, memory_of(image))
    return image


def memory_of(image: QImage) -> Pixels:
    """The image's own memory, height × width × 4 (blue, green, red and one more), to be written before anyone else has
    the image."""
    return np.frombuffer(image.bits(), np.uint8).reshape(image.height(), image.width(), 4)
