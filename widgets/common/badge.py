"""Small labels with a coloured ground: hit, miss, warn, neutral."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.restyle import restyle


class Badge(QLabel):
    """A word with a ground that says how to take it."""

    def __init__(self, text: str = "", kind: str = "neutral", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_words(text, kind)

    def set_words(self, text: str, kind: str) -> None:
        """Show `text`; `kind` is hit, miss, warn or neutral."""
        self.setText(text)
        self.setAccessibleName(text)
        if self.property("badge") == kind:
            return
        self.setProperty("badge", kind)
        restyle(self)


def badge_colours(kind: str) -> tuple[QColor, QColor]:
    """Text and ground of a badge of this kind."""
    colours = theme.current()
    text, ground = {
        "hit": (colours.hit, colours.hit_background),
        "miss": (colours.miss, colours.miss_background),
        "warn": (colours.warn, colours.warn_background),
        "accent": (colours.accent_text, colours.accent_background),
    }.get(kind, (colours.secondary, colours.hover))
    return QColor(text), QColor(ground)


def paint_badge(painter: QPainter, left: float, middle: float, text: str, kind: str) -> float:
    """A badge in a list row, centred on the line `middle`, in the painter's font; gives its right edge."""
    ink, ground = badge_colours(kind)
    metrics = painter.fontMetrics()
    height = metrics.height() + 3
    place = QRectF(left, middle - height / 2, metrics.horizontalAdvance(text) + 10, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(place, 4, 4)
    painter.setPen(ink)
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
    return place.right()
