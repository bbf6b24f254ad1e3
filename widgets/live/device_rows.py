"""Devices as two-line rows: how they are reached, name, facts, a pill that says how they are, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from stepscope.widgets import icons, theme
from stepscope.widgets.common.badge import badge_colours
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.live.live_state import DeviceRow, RowState

Index = QModelIndex | QPersistentModelIndex
SIDE, TOP, SIGN, GAP = 12, 10, 20, 12
CONNECT = "Connect"
PILLS = {
    RowState.LIVE: ("hit", "check"),
    RowState.CONNECTING: ("neutral", ""),
    RowState.BACK_SOON: ("warn", "refresh"),
    RowState.READY: ("neutral", ""),
    RowState.UNAUTHORISED: ("warn", ""),
    RowState.NO_PERMISSION: ("warn", ""),
    RowState.OFFLINE: ("miss", ""),
    RowState.UNKNOWN: ("neutral", ""),
}
SIGNS = {"simulated": "device", "network": "wifi", "replay": "recorded"}
WRAP = int(Qt.TextFlag.TextWordWrap)


def can_connect(row: DeviceRow) -> bool:
    """A device on the network that is away may be back at the same address."""
    return row.state is RowState.READY or (row.state is RowState.OFFLINE and row.kind == "network")


def row_words(row: DeviceRow) -> str:
    """The whole row for screen readers."""
    return ". ".join(filter(None, (row.name, row.detail, row.state.value, row.hint.rstrip("."))))


class DevicesItemModel(QAbstractListModel):
    """A row a device; the simulated phone comes first, the others in the order given."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[DeviceRow, ...] = ()

    def set_rows(self, rows: Sequence[DeviceRow]) -> None:
        """Rows of the same devices are changed in place, so that the current one stays so."""
        ordered = tuple(sorted(rows, key=lambda row: row.kind != "simulated"))
        if [row.serial for row in ordered] != [row.serial for row in self._rows]:
            self.beginResetModel()
            self._rows = ordered
            self.endResetModel()
        elif ordered != self._rows:
            self._rows = ordered
            self.dataChanged.emit(self.index(0), self.index(len(ordered) - 1))

    def row(self, place: int) -> DeviceRow | None:
        return self._rows[place] if 0 <= place < len(self._rows) else None

    def place_of(self, serial: str) -> int:
        return next((place for place, row in enumerate(self._rows) if row.serial == serial), -1)

    def open_place(self) -> int:
        """The device in use, -1 without any."""
        return next((place for place, row in enumerate(self._rows) if row.state.open), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index.row())
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row_words(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words("\n".join(filter(None, (row.name, row.detail, row.hint))))
        return row if role == Qt.ItemDataRole.UserRole else None


class DeviceDelegate(QStyledItemDelegate):
    """The current or hovered row of a device that can be connected offers that in its pill."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(Qt.ItemDataRole.UserRole)
        colours, place = theme.current(), option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if chosen or hovered:
            painter.fillRect(place, QColor(colours.selection if chosen else colours.hover))
        if chosen:
            painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
        painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))
        self._paint_sign(painter, option, row)
        pill = self._paint_pill(painter, option, row, offered=(chosen or hovered) and row.state is RowState.READY)
        self._paint_words(painter, option, row, pill)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(Qt.ItemDataRole.UserRole)
        line = _line(option.font)
        width = self._width(option)
        height = 2 * TOP + 2 * line + (self._hint_height(option.font, row, width) if row is not None else 0)
        return QSize(width, height + 1)

    def pill_place(self, option: QStyleOptionViewItem, row: DeviceRow, *, offered: bool) -> QRect:
        """The pill's place at the right of the two lines, or of the first where the second needs the room."""
        words, sign = (CONNECT, "") if offered else (row.state.value, PILLS[row.state][1])
        metrics = QFontMetrics(derived(option.font, 11, weight=QFont.Weight.Medium))
        width = metrics.horizontalAdvance(words) + 11 + (14 if sign else 0)
        height, line = metrics.height() + 4, _line(option.font)
        left = option.rect.right() - SIDE - width + 1
        detail = QFontMetrics(derived(option.font, 11)).horizontalAdvance(row.detail)
        tight = option.rect.left() + SIDE + SIGN + GAP + detail > left - 8
        middle = option.rect.top() + TOP + (line // 2 if tight else line)
        return QRect(left, middle - height // 2, width, height)

    def _width(self, option: QStyleOptionViewItem) -> int:
        view = self.parent()
        return view.viewport().width() if isinstance(view, QAbstractItemView) else max(option.rect.width(), 200)

    def _hint_height(self, font: QFont, row: DeviceRow, width: int) -> int:
        if row.state.usable or not row.hint:
            return 0
        room = max(60, width - 2 * SIDE - SIGN - GAP)
        return QFontMetrics(derived(font, 11)).boundingRect(0, 0, room, 10_000, WRAP, row.hint).height() + 4

    def _paint_sign(self, painter: QPainter, option: QStyleOptionViewItem, row: DeviceRow) -> None:
        top = option.rect.top() + TOP + _line(option.font) - SIGN // 2
        place = QRect(option.rect.left() + SIDE, top, SIGN, SIGN)
        if row.kind in SIGNS:
            icons.icon(SIGNS[row.kind]).paint(painter, place)
        else:
            paint_usb(painter, QRectF(place), theme.current().secondary)

    def _paint_pill(self, painter: QPainter, option: QStyleOptionViewItem, row: DeviceRow, *, offered: bool) -> QRect:
        place = self.pill_place(option, row, offered=offered)
        colours = theme.current()
        kind, sign = PILLS[row.state]
        ink, ground = badge_colours(kind)
        if offered:
            ink, ground, sign = QColor(colours.accent_text), QColor(colours.accent_background), ""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(place, 4, 4)
        painter.setFont(derived(option.font, 11, weight=QFont.Weight.Medium))
        painter.setPen(ink)
        if sign:
            spot = QRect(place.left() + 5, place.center().y() - 5, 11, 11)
            icons.icon(sign, ink.name()).paint(painter, spot)
            painter.setPen(ink)
        words = place.adjusted(19 if sign else 0, 0, 0, 0)
        aligned = Qt.AlignmentFlag.AlignLeft if sign else Qt.AlignmentFlag.AlignHCenter
        painter.drawText(words, aligned | Qt.AlignmentFlag.AlignVCenter, CONNECT if offered else row.state.value)
        return place

    def _paint_words(self, painter: QPainter, option: QStyleOptionViewItem, row: DeviceRow, pill: QRect) -> None:
        colours, line = theme.current(), _line(option.font)
        left, top = option.rect.left() + SIDE + SIGN + GAP, option.rect.top() + TOP
        lines = ((row.name, derived(option.font, 13, weight=QFont.Weight.Medium), colours.text),
                 (row.detail, derived(option.font, 11), colours.secondary))  # fmt: skip
        for place, (text, font, colour) in enumerate(lines):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            beside = place == 0 or pill.bottom() > top + line + 4
            width = (pill.left() - 8 if beside else option.rect.right() - SIDE) - left
            cut = painter.fontMetrics().elidedText(straight(text), Qt.TextElideMode.ElideRight, width)
            box = QRect(left, top + place * line, width, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, cut)
        if not row.state.usable and row.hint:
            painter.setPen(QColor(colours.warn))
            box = QRect(left, top + 2 * line + 2, option.rect.right() - SIDE - left, option.rect.height())
            painter.drawText(box, WRAP, straight(row.hint))


def _line(font: QFont) -> int:
    return max(17, QFontMetrics(derived(font, 13)).height() + 1)


def paint_usb(painter: QPainter, place: QRectF, colour: str) -> None:
    """The trident of a USB plug, which the icon font lacks."""
    unit = place.width() / 16
    painter.save()
    painter.translate(place.topLeft())
    painter.scale(unit, unit)
    painter.setPen(
        QPen(QColor(colour), 1.35, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    )
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for line in (
        ((8, 13), (8, 2.5)),
        ((6.3, 4.2), (8, 2.5), (9.7, 4.2)),
        ((8, 10.5), (4.5, 8.5), (4.5, 6)),
        ((8, 9), (11.5, 7), (11.5, 5)),
    ):
        painter.drawPolyline([QPointF(x, y) for x, y in line])
    painter.setBrush(QColor(colour))
    painter.drawEllipse(QPointF(8, 13.5), 1.2, 1.2)
    painter.restore()
