"""A scroll bar in which the search's hits are marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QWidget

from stepscope.widgets import theme

MARK_HEIGHT = 3


class HitBar(QScrollBar):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marks: tuple[float, ...] = ()
        self._current: float | None = None

    def set_marks(self, shares: Sequence[float], current: float | None) -> None:
        """Mark these places, as shares of the whole height; the current one stronger."""
        self.marks, self._current = tuple(shares), current
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.marks:
            return
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        groove = QRectF(
            self.style().subControlRect(
                QStyle.ComplexControl.CC_ScrollBar, option, QStyle.SubControl.SC_ScrollBarGroove, self
            )
        )
        colours, painter = theme.current(), QPainter(self)
        for share in self.marks:
            place = QRectF(
                groove.left() + 1,
                groove.top() + share * (groove.height() - MARK_HEIGHT),
                groove.width() - 2,
                MARK_HEIGHT,
            )
            painter.fillRect(place, QColor(colours.accent if share == self._current else colours.warn))
        painter.end()
