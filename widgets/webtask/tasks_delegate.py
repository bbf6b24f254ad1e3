"""Paints a web task: title, split below it, the shown run's score as bar and number."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived, pixel_size
from stepscope.widgets.common.item_painting import paint_cut, paint_item_ground
from stepscope.widgets.webtask.side_values import WebTaskRow
from stepscope.widgets.webtask.tasks_item_model import TaskRole

Index = QModelIndex | QPersistentModelIndex
MARGIN, PADDING, GAP = 12, 6, 10
BAR_WIDTH, BAR_HEIGHT = 44, 5
LEAST_TITLE = 96
"""With less room for the title the bar goes, and the number stays."""


class TasksDelegate(QStyledItemDelegate):
    """All rows are equally high; `run` (0 is A) gives the bars their colour, None that of the reference."""

    run: int | None = 0

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        title, small = _fonts(option.font)
        return QSize(160, 2 * PADDING + QFontMetrics(title).height() + QFontMetrics(small).height() + 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_item_ground(painter, option)
        task: WebTaskRow = index.data(TaskRole)
        inside = option.rect.adjusted(MARGIN, PADDING, -MARGIN, -PADDING - 1)
        right = self._paint_score(painter, inside, task, option.font)
        title, small = _fonts(option.font)
        colours = theme.current()
        first = QRect(inside.left(), inside.top(), right - inside.left(), QFontMetrics(title).height())
        paint_cut(painter, first, task.title, title, colours.text)
        height = QFontMetrics(small).height()
        second = QRect(inside.left(), inside.bottom() - height + 1, right - inside.left(), height)
        paint_cut(painter, second, task.detail, small, colours.warn if task.note else colours.dim)
        painter.restore()

    def _paint_score(self, painter: QPainter, inside: QRect, task: WebTaskRow, font: QFont) -> int:
        """Bar and number at the right; gives where the words must end. Without a score there is nothing."""
        if task.score is None:
            return inside.right()
        colours, scale = theme.current(), pixel_size(font) / 13
        number = derived(font, 12.5)
        painter.setFont(number)
        painter.setPen(QColor(colours.text))
        width = max(map(QFontMetrics(number).horizontalAdvance, ("0.00", formats.confidence(task.score))))
        place = QRect(inside.right() - width, inside.top(), width + 1, inside.height())
        painter.drawText(
            place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, formats.confidence(task.score)
        )
        bar = round(BAR_WIDTH * scale)
        left = place.left() - GAP - bar
        if left - GAP - inside.left() < LEAST_TITLE * scale:
            return place.left() - GAP
        self._paint_bar(painter, QRectF(left, inside.center().y() - BAR_HEIGHT / 2 + 1, bar, BAR_HEIGHT), task.score)
        return left - GAP

    def _paint_bar(self, painter: QPainter, track: QRectF, score: float) -> None:
        colours = theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.line))
        painter.drawRoundedRect(track, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        share = min(max(score, 0.0), 1.0)
        if share:
            painter.setBrush(QColor(colours.reference if self.run is None else colours.run_colour(self.run)))
            filled = QRectF(track.left(), track.top(), max(share * track.width(), BAR_HEIGHT), BAR_HEIGHT)
            painter.drawRoundedRect(filled, BAR_HEIGHT / 2, BAR_HEIGHT / 2)


def _fonts(font: QFont) -> tuple[QFont, QFont]:
    return derived(font, 13, weight=QFont.Weight.Medium), derived(font, 11)
