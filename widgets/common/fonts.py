"""Fonts derived from the widget's own, so that the text size of the window scales all of them."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

BASE_PIXELS = 13
"""The size for which the sizes of the views are written."""


def pixel_size(font: QFont) -> int:
    return font.pixelSize() if font.pixelSize() > 0 else QFontInfo(font).pixelSize()


def derived(font: QFont, pixels: float, *, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The font at `pixels` where the base is 13, scaled as the base is scaled."""
    result = QFont(font)
    result.setPixelSize(max(8, round(pixels * pixel_size(font) / BASE_PIXELS)))
    result.setWeight(weight)
    return result


def monospace(font: QFont, pixels: float = 12) -> QFont:
    """The system's fixed-width family at `pixels` of the base."""
    result = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    result.setPixelSize(derived(font, pixels).pixelSize())
    return result
