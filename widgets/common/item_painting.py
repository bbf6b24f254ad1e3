"""What several lists paint alike: a line of words that is cut, the ground of a row."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from stepscope.widgets import theme
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.plain_words import straight


def paint_cut(painter: QPainter, place: QRect, text: str, font: QFont, colour: str) -> None:
    """One line, cut where it does not fit."""
    painter.setFont(font)
    painter.setPen(QColor(colour))
    cut = painter.fontMetrics().elidedText(straight(" ".join(text.split())), Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, cut)


def paint_item_ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    """Selection, hover and focus behind a row, and the line below it."""
    colours, place = theme.current(), option.rect
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(place, QColor(colours.selection))
        painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(place, QColor(colours.hover))
    painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))
    if option.state & QStyle.StateFlag.State_HasFocus:
        paint_focus_ring(painter, place)
