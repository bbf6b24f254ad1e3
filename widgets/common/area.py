"""An area of one colour, for what is painted at the start."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter


def fill_area(painter: QPainter, area: QRect, colour: str) -> None:
    """As `fillRect`, which makes the class of gradients with the 180 names of Qt's presets: 2 ms of a start."""
    painter.setBackground(QColor(colour))
    painter.eraseRect(area)
