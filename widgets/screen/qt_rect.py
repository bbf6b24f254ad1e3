"""Rectangles of the drawing as Qt has them."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from stepscope.core.imaging.rect import Rect


def qrect(rect: Rect) -> QRectF:
    """The same rectangle, in the same coordinates."""
    return QRectF(rect.left, rect.top, rect.width, rect.height)
