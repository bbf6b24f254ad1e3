"""What is seen of a picture that is larger than the view. Panning makes only what comes into view anew."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from stepscope.core.frozen import dataclass
from stepscope.core.imaging.parts import Pixels
from stepscope.core.lazy import lazy_module
from stepscope.widgets.screen.picture import ScreenPicture, memory_of

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")


@dataclass(frozen=True, slots=True)
class _PicturePart:
    """`area`: device pixels of the picture as it is shown at `scale`."""

    picture: weakref.ref[ScreenPicture]
    scale: float
    nearest: bool
    area: QRect
    image: QImage


class PartKeeper:
    """Keeps the last part that was seen."""

    def __init__(self) -> None:
        self._kept: _PicturePart | None = None

    def forget(self) -> None:
        self._kept = None

    def image(self, picture: ScreenPicture, scale: float, area: QRect, *, nearest: bool) -> QImage:
        """The part `area` (device pixels of the shown picture) of a picture at `scale` shown pixels for one of its. The
        image holds until another is asked for."""
        kept = self._kept
        if kept is None or kept.picture() is not picture or (kept.scale, kept.nearest) != (scale, nearest):
            kept = None
        elif kept.area == area:
            return kept.image
        common = kept.area.intersected(area) if kept is not None else QRect()
        if not common.isValid():
            image = self._used_before(area)
            picture.fill(memory_of(image), area.left(), area.top(), scale, nearest=nearest)
            self._kept = _PicturePart(weakref.ref(picture), scale, nearest, area, image)
            return image
        image = QImage(area.width(), area.height(), QImage.Format.Format_RGB32)
        pixels = memory_of(image)
        if kept is not None:
            _window(pixels, area, common)[:] = _window(_seen(kept.image), kept.area, common)
        for strip in around(common, area):
            into = np.empty((strip.height(), strip.width(), 4), np.uint8)
            picture.fill(into, strip.left(), strip.top(), scale, nearest=nearest)
            _window(pixels, area, strip)[:] = into
        self._kept = _PicturePart(weakref.ref(picture), scale, nearest, area, image)
        return image

    def _used_before(self, area: QRect) -> QImage:
        """The image of the part before, where the new one is as large: fresh memory takes longer to get than to
        fill."""
        kept = self._kept
        if kept is not None and kept.image.size() == area.size():
            return kept.image
        return QImage(area.size(), QImage.Format.Format_RGB32)


def around(inner: QRect, outer: QRect) -> list[QRect]:
    """What of the outer rectangle lies beside one inside it: above, below, left, right."""
    if not inner.isValid():
        return [outer]
    above = QRect(outer.left(), outer.top(), outer.width(), inner.top() - outer.top())
    below = QRect(outer.left(), inner.bottom() + 1, outer.width(), outer.bottom() - inner.bottom())
    left = QRect(outer.left(), inner.top(), inner.left() - outer.left(), inner.height())
    right = QRect(inner.right() + 1, inner.top(), outer.right() - inner.right(), inner.height())
    return [strip for strip in (above, below, left, right) if strip.isValid()]


def _window(pixels: Pixels, area: QRect, part: QRect) -> Pixels:
    """The rows and columns of a part of what is kept of an area."""
    left, top = part.left() - area.left(), part.top() - area.top()
    return pixels[top : top + part.height(), left : left + part.width()]


def _seen(image: QImage) -> Pixels:
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
