"""Paints the cells of a recording: what was done, asked, missed and left out."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.live.live_state import CellKind, RecordedCell
from stepscope.widgets.timeline.cells import CellFonts, paint_text, paint_thumbnail

HEIGHT, THUMB, SIDE, GAP, SIGN = 86, 62, 10, 8, 13
GAP_SHARE = 0.6
"""A time without the device is told in a narrower cell."""
NOTE_SIGN = 12


def film_height(font: QFont) -> int:
    """Logical pixels of a row of cells at this text size."""
    return round(HEIGHT * CellFonts.of(font).scale)


def cell_width(font: QFont, kind: CellKind) -> int:
    wide = CellFonts.of(font).cell_width
    return round(wide * GAP_SHARE) if kind is CellKind.GAP else wide


def paint_recorded_cell(
    painter: QPainter, place: QRect, cell: RecordedCell, thumbnail: QPixmap | None, font: QFont, *, current: bool
) -> None:
    """One cell on the ground that is there already."""
    if cell.kind is CellKind.GAP:
        _paint_gap(painter, place, cell, font)
        return
    if cell.kind is CellKind.LOGIN:
        painter.fillRect(place.adjusted(1, 2, 0, 0), QBrush(QColor(theme.current().line), Qt.BrushStyle.BDiagPattern))
    colours, scale = theme.current(), CellFonts.of(font).scale
    thumb = round(THUMB * scale)
    inside = QRect(place.left() + SIDE, place.center().y() - thumb // 2 + 1, place.width() - 2 * SIDE, thumb)
    left = inside.left()
    if cell.kind is not CellKind.LOGIN:
        left += paint_thumbnail(painter, inside, thumbnail, current) + GAP
    width, line = inside.right() - left, round(17 * scale)
    if width < SIGN:
        return
    top = inside.center().y() - round(1.5 * line)
    ink = _ink(cell.kind)
    painter.setFont(derived(font, 11))
    paint_text(painter, QRect(left, top, width, line), _head(cell), colours.dim)
    if cell.note:
        sign = QRect(inside.right() - NOTE_SIGN, top + (line - NOTE_SIGN) // 2, NOTE_SIGN, NOTE_SIGN)
        icons.icon("note", colours.accent).paint(painter, sign)
    side = round(SIGN * scale)
    name = cell.icon or {CellKind.ASK: "ask", CellKind.LOGIN: "login"}.get(cell.kind, "info")
    icons.icon(name, ink).paint(painter, QRect(left, top + line + (line - side) // 2, side, side))
    painter.setFont(derived(font, 12))
    strong = colours.warn if cell.kind is CellKind.ASK else colours.text
    paint_text(painter, QRect(left, top + 2 * line, width, line), cell.words, strong)


def paint_next(painter: QPainter, place: QRect, words: str, font: QFont) -> None:
    """Where the next step will stand."""
    painter.setFont(derived(font, 12))
    painter.setPen(QColor(theme.current().dim))
    painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), words)


def cell_words(cell: RecordedCell) -> str:
    """The whole cell for tooltip and screen reader: "Step 5, 0:22. Tap Buy now. Note: odd"."""
    when = "" if cell.time is None else formats.clock(cell.time)
    head = ", ".join(filter(None, (f"Step {cell.number}" if cell.number else "", when)))
    note = f"Note: {cell.note}" if cell.note else ""
    told = {CellKind.ASK: "Asks: ", CellKind.GAP: "The device was ", CellKind.LOGIN: ""}.get(cell.kind, "")
    return ". ".join(filter(None, (head, told + (cell.whole or cell.words), note)))


def _head(cell: RecordedCell) -> str:
    number = str(cell.number) if cell.number else ""
    return " · ".join(filter(None, (number, "" if cell.time is None else formats.clock(cell.time))))


def _ink(kind: CellKind) -> str:
    colours = theme.current()
    return {CellKind.ASK: colours.warn, CellKind.LOGIN: colours.secondary}.get(kind, colours.reference)


def _paint_gap(painter: QPainter, place: QRect, cell: RecordedCell, font: QFont) -> None:
    """A time in which the device was away: a broken line with words."""
    colours = theme.current()
    painter.setFont(derived(font, 11))
    metrics = QFontMetrics(painter.font())
    words = metrics.elidedText(straight(cell.words), Qt.TextElideMode.ElideRight, place.width() - 8)
    painter.setPen(QPen(QColor(colours.warn), 1, Qt.PenStyle.DashLine))
    middle, half = place.center().y(), metrics.height() // 2 + 4
    for top, bottom in ((place.top() + 8, middle - half), (middle + half, place.bottom() - 8)):
        painter.drawLine(place.center().x(), top, place.center().x(), bottom)
    painter.setPen(QColor(colours.warn))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
