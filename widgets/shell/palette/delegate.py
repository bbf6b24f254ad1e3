"""Paints a row of the palette: icon, title with the matched letters lit, detail; shortcut or why it rests."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import BASE_PIXELS, derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.search_field import paint_key_hint
from stepscope.widgets.shell.palette.palette_item_model import PlacesRole, RowRole
from stepscope.widgets.shell.palette.palette_row import PaletteRow

MARGIN, ICON, ROW = 12, 15, 34
ICONS = {
    "command": "palette", "app": "app", "episode": "replay", "step": "next", "rule": "flag", "link": "link",
    "filter": "filter", "run": "results", "setting": "settings",
}  # fmt: skip
Index = QModelIndex | QPersistentModelIndex


class PaletteDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(300, max(ROW, QFontMetrics(derived(option.font, 13)).height() + 18))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: PaletteRow = index.data(RowRole)
        colours, place = theme.current(), option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(place, QColor(colours.selection))
            painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
        if not row.enabled:
            painter.setOpacity(0.6)
        side = round(ICON * derived(option.font, BASE_PIXELS).pixelSize() / BASE_PIXELS)
        sign = QRect(place.left() + MARGIN, place.center().y() - side // 2, side, side)
        icons.icon(ICONS.get(row.kind, "info")).paint(painter, sign)
        right = _paint_end(painter, place, row, option.font)
        left = sign.right() + 10
        room = QRect(left, place.top(), right - left - 8, place.height())
        left = _paint_title(painter, room, row.title, index.data(PlacesRole), option.font)
        painter.setFont(derived(option.font, 12))
        painter.setPen(QColor(colours.dim))
        rest = QRect(left + 10, place.top(), right - left - 18, place.height())
        if rest.width() > 30:
            cut = painter.fontMetrics().elidedText(straight(row.detail), Qt.TextElideMode.ElideRight, rest.width())
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, cut)
        painter.restore()


def _paint_end(painter: QPainter, place: QRect, row: PaletteRow, font: QFont) -> int:
    """Shortcut, or why the row rests; gives its left edge."""
    right = place.right() - MARGIN
    painter.setFont(derived(font, 12))
    if not row.enabled and row.why:
        painter.setPen(QColor(theme.current().dim))
        cut = painter.fontMetrics().elidedText(straight(row.why), Qt.TextElideMode.ElideRight, place.width() // 2)
        width = painter.fontMetrics().horizontalAdvance(cut)
        painter.drawText(
            QRect(right - width, place.top(), width + 1, place.height()), Qt.AlignmentFlag.AlignVCenter, cut
        )
        return right - width
    if not row.shortcut:
        return right
    painter.setFont(font)
    return round(paint_key_hint(painter, right, place.center().y() + 0.5, row.shortcut))


def _paint_title(painter: QPainter, room: QRect, title: str, places: tuple[int, ...], font: QFont) -> int:
    """The title letter run by letter run, so that matched ones are lit; gives its right edge."""
    colours = theme.current()
    plain = derived(font, 13, weight=QFont.Weight.Medium)
    lit = derived(font, 13, weight=QFont.Weight.Bold)
    shown = QFontMetrics(lit).elidedText(straight(title), Qt.TextElideMode.ElideRight, room.width())
    matched, left = set(places), room.left()
    start = 0
    while start < len(shown):
        end = start
        while end < len(shown) and (end in matched) == (start in matched):
            end += 1
        painter.setFont(lit if start in matched else plain)
        painter.setPen(QColor(colours.accent if start in matched else colours.text))
        part = shown[start:end]
        width = painter.fontMetrics().horizontalAdvance(part)
        painter.drawText(QRect(left, room.top(), width + 1, room.height()), Qt.AlignmentFlag.AlignVCenter, part)
        left, start = left + width, end
    return left
