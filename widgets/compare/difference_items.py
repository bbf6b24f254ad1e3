"""The steps of the list: their model, and how a row is painted with a glyph for each run."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from stepscope.widgets import theme
from stepscope.widgets.common import ShownVerdict, paint_run_glyph, paint_verdict_cell, run_letter
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.item_painting import paint_cut, paint_item_ground
from stepscope.widgets.common.paged_item_model import PagedItemModel, RowRole
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.states import paint_skeleton_bar
from stepscope.widgets.compare.run_comparison import DifferenceRow

MARGIN, PADDING, LINE_GAP = 12, 7, 3
GLYPH, GLYPH_GAP = 13, 6


class DifferenceItemModel(PagedItemModel[DifferenceRow]):
    columns = ("Step",)

    def cell(self, value: DifferenceRow, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.goal
        said = ", ".join(f"{run_letter(run)} {verdict_words(verdict)}" for run, verdict in value.verdicts)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(f"{value.goal}\n{value.detail}: {said}" if value.detail else f"{value.goal}\n{said}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (value.goal, value.detail, said)))
        return None


class DifferenceDelegate(QStyledItemDelegate):
    """Goal; below it which step, and each run's verdict in its own shape."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        goal, small = row_fonts(option.font)
        second = max(QFontMetrics(small).height(), GLYPH)
        return QSize(160, 2 * PADDING + QFontMetrics(goal).height() + LINE_GAP + second + 1)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        paint_item_ground(painter, option)
        row, inside = index.data(RowRole), option.rect.adjusted(MARGIN, PADDING, -MARGIN, -PADDING)
        if row is None:
            paint_skeleton_bar(painter, inside.left(), inside.top() + 7, inside.width() * 0.7, 10)
            paint_skeleton_bar(painter, inside.left(), inside.bottom() - 6, 70, 8)
        else:
            self._paint_row(painter, inside, row, option.font)
        painter.restore()

    def _paint_row(self, painter: QPainter, inside: QRect, row: DifferenceRow, font: QFont) -> None:
        goal_font, small = row_fonts(font)
        first = QRect(inside.left(), inside.top(), inside.width(), QFontMetrics(goal_font).height())
        paint_cut(painter, first, row.goal, goal_font, theme.current().text)
        height = max(QFontMetrics(small).height(), GLYPH)
        second = QRect(inside.left(), inside.bottom() - height + 1, inside.width(), height)
        glyphs = len(row.verdicts) * (GLYPH + GLYPH_GAP)
        paint_cut(painter, second.adjusted(0, 0, -glyphs, 0), row.detail, small, theme.current().dim)
        left = second.right() + 1 - glyphs + GLYPH_GAP
        for run, verdict in row.verdicts:
            place = QRectF(left, second.center().y() - GLYPH / 2 + 0.5, GLYPH, GLYPH)
            paint_run_verdict(painter, place, run, verdict)
            left += GLYPH + GLYPH_GAP


def verdict_words(verdict: ShownVerdict | None) -> str:
    return "nothing" if verdict is None else verdict.word


def paint_run_verdict(painter: QPainter, place: QRectF, run: int, verdict: ShownVerdict | None) -> None:
    """A run's verdict: its shape filled for a hit, hollow and crossed for a miss; a dash where there is nothing, else
    the sign of the verdict."""
    if verdict is None or verdict is ShownVerdict.UNSCORED:
        painter.setPen(QColor(theme.current().dim))
        painter.drawText(place.adjusted(-4, -4, 4, 4), Qt.AlignmentFlag.AlignCenter, "–")
    elif verdict in (ShownVerdict.HIT, ShownVerdict.MISS):
        hit = verdict is ShownVerdict.HIT
        paint_run_glyph(painter, place.adjusted(0.5, 0.5, -0.5, -0.5), run, filled=hit, crossed=not hit)
    else:
        paint_verdict_cell(painter, place.adjusted(2, 2, -2, -2), verdict)


def row_fonts(font: QFont) -> tuple[QFont, QFont]:
    """Fonts of the first and of the second line of a row."""
    return derived(font, 12.5, weight=QFont.Weight.Medium), derived(font, 11)
