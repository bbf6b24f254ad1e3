"""The items of two runs side by side: their model and how a row is painted."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import ShownVerdict, paint_run_glyph, paint_verdict_cell, run_letter
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.paged_item_model import PagedItemModel, RowRole
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.states import paint_skeleton_bar
from stepscope.widgets.scores.breakdown_values import ItemPairRow

MARGIN, PADDING, LINE_GAP = 12, 7, 3
GLYPH, GLYPH_GAP = 14, 6


class PairItemModel(PagedItemModel[ItemPairRow]):
    """Rows come as the owner sorts them: those that differ most first."""

    columns = ("Item",)
    runs = (0, 1)

    def cell(self, value: ItemPairRow, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.goal
        a, b = map(run_letter, self.runs)
        said = f"{a} {value.a.word}, {b} {value.b.word}, {a} less {b} {formats.signed(value.difference)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(f"{value.goal}\n{said}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (value.goal, value.detail, said)))
        return None


class PairDelegate(QStyledItemDelegate):
    """Goal and difference; below them which step, and each run's verdict in its own shape."""

    runs = (0, 1)

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        goal, small = _fonts(option.font)
        second = max(QFontMetrics(small).height(), GLYPH)
        return QSize(160, 2 * PADDING + QFontMetrics(goal).height() + LINE_GAP + second + 1)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        _paint_ground(painter, option)
        row, inside = index.data(RowRole), option.rect.adjusted(MARGIN, PADDING, -MARGIN, -PADDING)
        if row is None:
            paint_skeleton_bar(painter, inside.left(), inside.top() + 7, inside.width() * 0.7, 10)
            paint_skeleton_bar(painter, inside.left(), inside.bottom() - 6, 70, 8)
        else:
            self._paint_row(painter, inside, row, option.font)
        painter.restore()

    def _paint_row(self, painter: QPainter, inside: QRect, row: ItemPairRow, font: QFont) -> None:
        colours, (goal_font, small) = theme.current(), _fonts(font)
        painter.setFont(small)
        difference = formats.signed(row.difference)
        room = inside.width() - painter.fontMetrics().horizontalAdvance(difference) - 8
        first = QRect(inside.left(), inside.top(), inside.width(), QFontMetrics(goal_font).height())
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        colour = colours.dim if not row.difference else colours.hit if row.difference > 0 else colours.miss
        painter.setPen(QColor(colour))
        painter.drawText(first, right, difference)
        painter.setFont(goal_font)
        painter.setPen(QColor(colours.text))
        goal = painter.fontMetrics().elidedText(straight(" ".join(row.goal.split())), Qt.TextElideMode.ElideRight, room)
        painter.drawText(first, Qt.AlignmentFlag.AlignVCenter, goal)
        painter.setFont(small)
        height = max(painter.fontMetrics().height(), GLYPH)
        second = QRect(inside.left(), inside.bottom() - height + 1, inside.width(), height)
        glyphs = len(self.runs) * (GLYPH + GLYPH_GAP)
        painter.setPen(QColor(colours.dim))
        detail = painter.fontMetrics().elidedText(
            straight(row.detail), Qt.TextElideMode.ElideRight, second.width() - glyphs
        )
        painter.drawText(second, Qt.AlignmentFlag.AlignVCenter, detail)
        left = second.right() + 1 - glyphs + GLYPH_GAP
        for run, verdict in zip(self.runs, (row.a, row.b), strict=True):
            place = QRectF(left, second.center().y() - GLYPH / 2 + 0.5, GLYPH, GLYPH)
            paint_verdict_of(painter, place, run, verdict)
            left += GLYPH + GLYPH_GAP


def paint_verdict_of(painter: QPainter, place: QRectF, run: int, verdict: ShownVerdict) -> None:
    """A run's verdict: its shape filled for a hit, hollow and crossed for a miss; else the sign of the verdict."""
    if verdict in (ShownVerdict.HIT, ShownVerdict.MISS):
        hit = verdict is ShownVerdict.HIT
        paint_run_glyph(painter, place.adjusted(1, 1, -1, -1), run, filled=hit, crossed=not hit)
    else:
        paint_verdict_cell(painter, place.adjusted(3, 3, -3, -3), verdict)


def _fonts(font: QFont) -> tuple[QFont, QFont]:
    return derived(font, 12.5, weight=QFont.Weight.Medium), derived(font, 11)


def _paint_ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    colours, place = theme.current(), option.rect
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(place, QColor(colours.selection))
        painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(place, QColor(colours.hover))
    painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))
    if option.state & QStyle.StateFlag.State_HasFocus:
        paint_focus_ring(painter, place)
