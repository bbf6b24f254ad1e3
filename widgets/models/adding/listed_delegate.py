"""A row of the models that are there: the name, and below it what it is for, amber where it is below the rules."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_delegate import SIDE, RowDelegate, paint_row_ground
from stepscope.widgets.models.adding.values import ListedModel

Index = QModelIndex | QPersistentModelIndex
ListedRole = int(Qt.ItemDataRole.UserRole) + 1
"""The `ListedModel` of a row; other rows have none and are one line."""
NAME, DETAIL, PADDING = 13, 11.5, 4


class ListedModelDelegate(RowDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ListedRole)
        if not isinstance(row, ListedModel):
            super().paint(painter, option, index)
            return
        colours = theme.current()
        painter.save()
        paint_row_ground(painter, option)
        place = option.rect.adjusted(SIDE, PADDING, -SIDE, -PADDING)
        for words, pixels, colour, side in (
            (row.name, NAME, colours.text, Qt.AlignmentFlag.AlignTop),
            (row.detail, DETAIL, colours.warn if row.below_rules else colours.dim, Qt.AlignmentFlag.AlignBottom),
        ):
            painter.setFont(derived(option.font, pixels))
            painter.setPen(QColor(colour))
            cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(QRect(place), int(side | Qt.AlignmentFlag.AlignLeft), cut)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        if isinstance(index.data(ListedRole), ListedModel):
            lines = (QFontMetrics(derived(option.font, pixels)).height() for pixels in (NAME, DETAIL))
            hint.setHeight(sum(lines) + 2 * PADDING + 1)
        return hint
