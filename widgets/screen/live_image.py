"""Pictures that come again and again, as Qt reads them, and grey where they are old."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GREYED = 0.4
"""Opacity of a picture that is not live."""


def image_over(pixels: NDArray[np.uint8], ratio: float) -> QImage:
    """An image that reads the memory of `pixels`: height × width × 4, blue, green, red, unused. It does not keep it."""
    height, width = pixels.shape[:2]
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
    if ratio != 1.0:
        image.setDevicePixelRatio(ratio)
    return image


def greyed(image: QImage) -> QImage:
    """A copy without colours."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8).convertToFormat(QImage.Format.Format_RGB32)
    grey.setDevicePixelRatio(image.devicePixelRatio())
    return grey
