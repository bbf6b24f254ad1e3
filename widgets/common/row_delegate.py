"""Cells of the workbench's tables: room at the sides, a thin line below each row, no box around the current cell."""

from __future__ import annotations

from PySide6 import QtWidgets
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate

from stepscope.widgets import theme

SIDE = 6


def paint_row_ground(painter: QPainter, option: QtWidgets.QStyleOptionViewItem) -> None:
    """Selection or hover behind a cell, and the line below it."""
    colours = theme.current()
    place = option.rect
    if option.state & QtWidgets.QStyle.StateFlag.State_Selected:
        painter.fillRect(place, QColor(colours.selection))
    elif option.state & QtWidgets.QStyle.StateFlag.State_MouseOver:
        painter.fillRect(place, QColor(colours.hover))
    painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))


class RowDelegate(QStyledItemDelegate):
    def paint(
        self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        paint_row_ground(painter, option)
        inside = QtWidgets.QStyleOptionViewItem(option)
        inside.rect = option.rect.adjusted(SIDE, 0, -SIDE, -1)
        plain = (
            QtWidgets.QStyle.StateFlag.State_Selected
            | QtWidgets.QStyle.StateFlag.State_MouseOver
            | QtWidgets.QStyle.StateFlag.State_HasFocus
        )
        inside.state &= ~plain
        super().paint(painter, inside, index)

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        hint = super().sizeHint(option, index)
        hint.setWidth(hint.width() + 2 * SIDE)
        return hint
