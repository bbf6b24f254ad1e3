"""Paints the board: cards, the lines between rows, and the rows' labels."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import paint_reference_glyph, paint_run_glyph, run_letter
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.ordering.ordering_rows import OrderRow

RADIUS = 6
GLYPH = 12
_WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class OrderBoardFonts:
    """Fonts of one painting and the measures that grow with them, in logical pixels."""

    text: QFont
    small: QFont
    scale: float

    @classmethod
    def of(cls, base: QFont) -> OrderBoardFonts:
        small = derived(base, 11)
        return cls(derived(base, 12), small, max(1.0, QFontMetrics(small).height() / 14))

    @property
    def label_width(self) -> int:
        return round(124 * self.scale)

    @property
    def card_width(self) -> int:
        """The least."""
        return round(132 * self.scale)

    @property
    def card_height(self) -> int:
        return round(72 * self.scale)

    @property
    def gap(self) -> int:
        return 12

    @property
    def drop(self) -> int:
        """Between two rows, where the lines are."""
        return 52

    @property
    def margin(self) -> int:
        return 24


def paint_card(
    painter: QPainter,
    place: QRect,
    text: str,
    picture: QPixmap | None,
    fonts: OrderBoardFonts,
    *,
    number: int,
    run: int | None,
    moved: bool,
    ringed: bool,
    same: bool,
    has_picture: bool,
) -> None:
    """A step: its picture at the left, place and words, a sign whether a run put it where the reference has it.

    `ringed`: it has the keyboard; `same`: it is the step whose card has it.
    """
    colours = theme.current()
    frame = QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setPen(QPen(QColor(_edge(run, moved, ringed, same)), 2 if ringed or same else 1.2))
    painter.setBrush(QColor(colours.selection if ringed else colours.raised))
    painter.drawRoundedRect(frame, RADIUS, RADIUS)
    inside = QRectF(place).adjusted(8, 8, -8, -8)
    left = inside.left()
    if has_picture:
        left += _paint_picture(painter, QRectF(left, inside.top(), inside.height() * 0.6, inside.height()), picture) + 8
    painter.setFont(fonts.small)
    painter.setPen(QColor(colours.dim))
    line = painter.fontMetrics().height()
    painter.drawText(QRectF(left, inside.top(), 30, line), Qt.AlignmentFlag.AlignVCenter, str(number))
    if run is not None:
        glyph = QRectF(inside.right() - GLYPH, inside.top() + (line - GLYPH) / 2, GLYPH, GLYPH)
        paint_run_glyph(painter, glyph, run, filled=not moved, crossed=moved)
    painter.setFont(fonts.text)
    painter.setPen(QColor(colours.text))
    words = QRect(round(left), round(inside.top()) + line, round(inside.right() - left), round(inside.height()) - line)
    painter.drawText(words, int(_WRAP), fitted(" ".join(text.split()), fonts.text, words))


def fitted(text: str, font: QFont, place: QRect) -> str:
    """The text cut at a word so that it fits into the place when wrapped."""
    text = straight(text)
    metrics, flags = QFontMetrics(font), int(_WRAP)

    def fits(words: str) -> bool:
        return metrics.boundingRect(0, 0, place.width(), 100_000, flags, words).height() <= place.height()

    if fits(text):
        return text
    parts = text.split(" ")
    low, high = 1, len(parts)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(" ".join(parts[:middle]) + "…") else (low, middle - 1)
    return " ".join(parts[:low]) + "…"


def paint_line(painter: QPainter, start: QPointF, end: QPointF, run: int | None) -> None:
    """Paint the line from a card to the same step in the reference: straight and grey, or a curve in the run's
    colour."""
    colours = theme.current()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if run is None:
        painter.setPen(QPen(QColor(colours.dim), 1.4))
        painter.drawLine(start, end)
        return
    painter.setPen(QPen(QColor(colours.run_colour(run)), 1.8))
    path = QPainterPath(start)
    bend = (end.y() - start.y()) * 0.55
    path.cubicTo(QPointF(start.x(), start.y() + bend), QPointF(end.x(), end.y() - bend), end)
    painter.drawPath(path)


def paint_label(painter: QPainter, place: QRect, line: OrderRow | None, note: str, fonts: OrderBoardFonts) -> None:
    """The label at the left of a row: a run's glyph and name; `line` None is the reference."""
    colours = theme.current()
    painter.fillRect(place.adjusted(0, -30, 0, 30), QColor(colours.window))
    glyph = QRectF(place.left() + 16, place.top() + 6, 16, 16)
    if line is None:
        paint_reference_glyph(painter, glyph)
    else:
        paint_run_glyph(painter, glyph, line.run, letter=True)
    title = QRect(place.left() + 38, place.top() + 4, place.width() - 40, 20)
    painter.setFont(derived(fonts.text, 12.5, weight=QFont.Weight.DemiBold))
    painter.setPen(QColor(colours.text))
    painter.drawText(
        title, Qt.AlignmentFlag.AlignVCenter, "Reference" if line is None else f"Run {run_letter(line.run)}"
    )
    painter.setFont(fonts.small)
    below = QRect(place.left() + 16, title.bottom() + 4, place.width() - 18, place.bottom() - title.bottom() - 4)
    name = note if line is None else line.name
    painter.setPen(QColor(colours.dim))
    flags = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop)
    painter.drawText(below, flags, fitted(name, fonts.small, below))
    if line is not None and not line.order:
        _paint_note(painter, place, note or "no order", line.verdict)


def _paint_note(painter: QPainter, place: QRect, note: str, verdict: ShownVerdict | None) -> None:
    """Why there are no cards in the row."""
    colours = theme.current()
    painter.setPen(
        QColor(colours.warn if verdict in (ShownVerdict.MALFORMED, ShownVerdict.NULL) else colours.secondary)
    )
    words = QRect(place.right() + 12, place.top(), 560, place.height())
    painter.drawText(words, int(_WRAP), fitted(note, painter.font(), words))


def _paint_picture(painter: QPainter, place: QRectF, picture: QPixmap | None) -> float:
    """The picture's upper part, as wide as the place; gives the width."""
    colours = theme.current()
    path = QPainterPath()
    path.addRoundedRect(place, 4, 4)
    painter.fillPath(path, QColor(colours.line2))
    if picture is not None and not picture.isNull():
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
        scale = max(place.width() / picture.width(), place.height() / picture.height())
        part = QRectF(0, 0, place.width() / scale, place.height() / scale)
        part.moveLeft((picture.width() - part.width()) / 2)
        painter.drawPixmap(place, picture, part)
        painter.restore()
    return place.width()


def _edge(run: int | None, moved: bool, ringed: bool, same: bool) -> str:
    colours = theme.current()
    if ringed or same:
        return colours.selection_line
    return colours.run_colour(run) if moved and run is not None else colours.line
