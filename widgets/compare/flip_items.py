"""Steps that flip from one rule to another: their model, and how a row is painted."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from stepscope.widgets import theme
from stepscope.widgets.common import paint_run_glyph, run_letter
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.item_painting import paint_cut, paint_item_ground
from stepscope.widgets.common.paged_item_model import PagedItemModel, RowRole
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.states import paint_skeleton_bar
from stepscope.widgets.compare.difference_items import LINE_GAP, MARGIN, row_fonts
from stepscope.widgets.compare.run_comparison import FlipRow

PADDING, GLYPH, GAP = 6, 14, 10
BADGE_SIDES = 10


class FlipItemModel(PagedItemModel[FlipRow]):
    columns = ("Step",)

    def cell(self, value: FlipRow, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.goal
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return tip_words(
                ", ".join(filter(None, (f"Run {run_letter(value.run)}", value.goal, value.detail, _change(value))))
            )
        return None


class FlipDelegate(QStyledItemDelegate):
    """The run's glyph, goal and step, and the verdict before and after."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        goal, small = row_fonts(option.font)
        lines = QFontMetrics(goal).height() + QFontMetrics(small).height()
        return QSize(160, 2 * PADDING + lines + LINE_GAP + 1)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        paint_item_ground(painter, option)
        row, inside = index.data(RowRole), option.rect.adjusted(MARGIN, PADDING, -MARGIN, -PADDING)
        if row is None:
            paint_skeleton_bar(painter, inside.left() + GLYPH + GAP, inside.top() + 7, inside.width() * 0.6, 10)
        else:
            self._paint_row(painter, inside, row, option.font)
        painter.restore()

    def _paint_row(self, painter: QPainter, inside: QRect, row: FlipRow, font: QFont) -> None:
        goal_font, small = row_fonts(font)
        middle = inside.center().y() + 0.5
        paint_run_glyph(painter, QRectF(inside.left(), middle - GLYPH / 2, GLYPH, GLYPH), row.run, letter=True)
        painter.setFont(small)
        width = painter.fontMetrics().horizontalAdvance(_change(row)) + BADGE_SIDES
        left = inside.right() + 1 - width
        paint_badge(painter, left, middle, _change(row), row.after.badge)
        text = QRect(inside.left() + GLYPH + GAP, inside.top(), 0, QFontMetrics(goal_font).height())
        text.setRight(left - 8)
        paint_cut(painter, text, row.goal, goal_font, theme.current().text)
        below = QFontMetrics(small).height()
        text = QRect(text.left(), inside.bottom() - below + 1, text.width(), below)
        paint_cut(painter, text, row.detail, small, theme.current().dim)


def _change(row: FlipRow) -> str:
    return f"{row.before.word} → {row.after.word}"
