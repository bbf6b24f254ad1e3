"""Cells of the table of candidate spaces: the choice with a word about the space, and the share right as a bar."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionViewItem

from stepscope.widgets import theme
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_delegate import SIDE, RowDelegate, paint_row_ground
from stepscope.widgets.results.coordinates_item_model import BAR, SpaceRole
from stepscope.widgets.results.coordinates_values import SpaceRow
from stepscope.widgets.results.interval_delegate import UNIT, axis_font, scale_in, ticks

Index = QModelIndex | QPersistentModelIndex
RADIO, GAP, THICK = 14, 8, 8
BAR_WIDTH, BADGE_SIZE = 96, 11
KINDS = {"fits best": "hit", "may be misread": "warn"}


class SpaceNameDelegate(RowDelegate):
    """A round button that is filled in the current row, the title, and the note as a label."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: SpaceRow = index.data(SpaceRole)
        metrics = option.fontMetrics
        note = metrics.horizontalAdvance(row.note) + 10 + GAP if row.note else 0
        width = 2 * SIDE + RADIO + GAP + metrics.horizontalAdvance(straight(row.title)) + note + GAP
        return QSize(width, super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: SpaceRow = index.data(SpaceRole)
        colours = theme.current()
        paint_row_ground(painter, option)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRectF(option.rect).adjusted(SIDE, 0, -SIDE, -1)
        on = bool(option.state & QStyle.StateFlag.State_Selected)
        middle = QPointF(place.left() + RADIO / 2, place.center().y())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colours.accent if on else colours.dim), 1.5))
        painter.drawEllipse(middle, RADIO / 2 - 1, RADIO / 2 - 1)
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            painter.drawEllipse(middle, RADIO / 2 - 4, RADIO / 2 - 4)
        painter.setPen(QColor(colours.text))
        painter.setFont(option.font)
        metrics = painter.fontMetrics()
        left, title = place.left() + RADIO + GAP, straight(row.title)
        room = place.right() - left
        cut = metrics.elidedText(title, Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(QRectF(left, place.top(), room, place.height()), Qt.AlignmentFlag.AlignVCenter, cut)
        left += metrics.horizontalAdvance(cut) + GAP
        painter.setFont(derived(option.font, BADGE_SIZE))
        if row.note and left + painter.fontMetrics().horizontalAdvance(row.note) + 10 <= place.right():
            paint_badge(painter, left, place.center().y(), row.note, KINDS.get(row.note, "neutral"))
        painter.restore()


class ShareDelegate(RowDelegate):
    """The share of right places from 0 to 1, with its 95 % interval as a whisker."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(BAR_WIDTH, super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: SpaceRow = index.data(SpaceRole)
        colours, scale = theme.current(), scale_in(option.rect)
        paint_row_ground(painter, option)
        if row.share is None or scale.width() <= 0:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.line2), 1))
        for share in (0.0, 0.5, 1.0):
            x = scale.left() + share * scale.width()
            painter.drawLine(QPointF(x, scale.top()), QPointF(x, scale.bottom()))
        middle = scale.center().y()
        colour = QColor(colours.hit if row.better else colours.miss if row.chosen else colours.dim)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        bar = QRectF(scale.left(), middle - THICK / 2, max(row.share * scale.width(), 1.5), THICK)
        painter.drawRoundedRect(bar, 2, 2)
        if row.interval is not None:
            painter.setPen(QPen(QColor(colours.text), 1.2))
            low, high = (scale.left() + end * scale.width() for end in row.interval)
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
            for x in (low, high):
                painter.drawLine(QPointF(x, middle - 4), QPointF(x, middle + 4))
        painter.restore()


class SpacesHeader(QHeaderView):
    """Above the bars stand the numbers of their scale."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHighlightSections(False)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def paintSection(self, painter: QPainter, rect: QRect, column: int) -> None:
        painter.save()
        super().paintSection(painter, rect, column)
        painter.restore()
        if column != BAR:
            return
        scale, font = scale_in(rect), axis_font(self.font())
        painter.setFont(font)
        painter.setPen(QColor(theme.current().dim))
        for share, words in ticks(UNIT, font, scale.width()):
            x = scale.left() + share * scale.width()
            painter.drawText(QRectF(x - 40, rect.top(), 80, rect.height()), Qt.AlignmentFlag.AlignCenter, words)
