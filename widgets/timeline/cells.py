"""Paints the cells of the filmstrip: a step's small picture and its reference action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap

from stepscope.core.frozen import dataclass
from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.timeline.timeline_step import TimelineStep

FILM_HEIGHT = 72
LABEL_WIDTH = 128
CELL_WIDTH = 124
THUMB_HEIGHT = 60
THUMB_WIDEST = 64
NARROWEST = 44
SIGN, SIGN_PITCH = 13, 15
LOOP_BAR = 4


@dataclass(frozen=True)
class CellFonts:
    """Fonts of one painting, and by how much the text size stretches the rows."""

    small: QFont
    action: QFont
    scale: float
    _last: ClassVar[tuple[str, CellFonts] | None] = None

    @classmethod
    def of(cls, base: QFont) -> CellFonts:
        """Those for the font of a widget; the last ones are kept."""
        key = base.key()
        if cls._last is None or cls._last[0] != key:
            small = derived(base, 11)
            scale = max(1.0, QFontMetrics(small).height() / 14)
            cls._last = key, cls(small, derived(base, 12.5, weight=QFont.Weight.Medium), scale)
        return cls._last[1]

    @property
    def film_height(self) -> int:
        return round(FILM_HEIGHT * self.scale)

    @property
    def label_width(self) -> int:
        return round(LABEL_WIDTH * self.scale)

    @property
    def cell_width(self) -> int:
        return round(CELL_WIDTH * self.scale)

    @property
    def narrowest(self) -> int:
        """Width of a column with a thumbnail and nothing beside it."""
        return round(NARROWEST * self.scale)


def paint_column_ground(painter: QPainter, column: QRect, *, current: bool, hovered: bool) -> None:
    """The step's column behind its cells: the current one is lit and has a line on top."""
    colours = theme.current()
    if current:
        painter.fillRect(column, QColor(colours.selection))
        painter.fillRect(QRect(column.left(), column.top(), column.width(), 2), QColor(colours.selection_line))
    elif hovered:
        painter.fillRect(column, QColor(colours.hover))
    painter.fillRect(QRect(column.left(), column.top(), 1, column.height()), QColor(colours.line2))


def paint_film_cell(
    painter: QPainter,
    place: QRect,
    step: TimelineStep,
    thumbnail: QPixmap | None,
    fonts: CellFonts,
    *,
    current: bool,
    signs: Sequence[str] = (),
) -> None:
    """Thumbnail, "3 · 5.8 s", the reference action with its icon, what it was done to; `signs` are icons of what people
    said about the step. The time gives way to them."""
    colours = theme.current()
    inside = place.adjusted(8, 6, -8, -6)
    left = inside.left() + paint_thumbnail(painter, inside, thumbnail, current) + 8
    width = inside.right() - left
    if width < SIGN_PITCH:
        return
    painter.setFont(fonts.small)
    line = round(20 * fonts.scale)
    top = inside.center().y() - round(1.5 * line)
    number = str(step.index + 1)
    head = number if step.time is None else f"{number} · {formats.moment(step.time)}"
    bubble = {"": (), "asked": ("ask",)}.get(step.ask, ("say",))
    room = width - SIGN_PITCH * (len(signs) + len(bubble))
    if painter.fontMetrics().horizontalAdvance(head) > room:
        head = number
    paint_text(painter, QRect(left, top, width, line), head, colours.dim)
    for index, name in enumerate(reversed((*signs, *bubble)), start=1):
        sign = QRect(inside.right() - index * SIGN_PITCH + 2, top + (line - SIGN) // 2, SIGN, SIGN)
        icons.icon(name, colours.hit if name == "check" else colours.warn).paint(painter, sign)
    icons.icon(step.icon, colours.reference).paint(painter, QRect(left, top + line + (line - 13) // 2, 13, 13))
    painter.setFont(fonts.action)
    paint_text(painter, QRect(left + 17, top + line, width - 17, line), step.word, colours.reference)
    painter.setFont(fonts.small)
    paint_text(painter, QRect(left, top + 2 * line, width, line), step.detail, colours.secondary)


def paint_loop(painter: QPainter, place: QRect, fonts: CellFonts) -> None:
    """The range that is played over and over: a bar above its steps with a post at both ends, over a weak ground."""
    colour = QColor(theme.current().accent)
    film = QRect(place.left(), place.top(), place.width(), fonts.film_height)
    weak = QColor(colour)
    weak.setAlphaF(0.12)
    painter.fillRect(film, weak)
    painter.fillRect(QRect(film.left(), film.top(), film.width(), LOOP_BAR), colour)
    for left in (film.left(), film.right() - 1):
        painter.fillRect(QRect(left, film.top(), 2, film.height()), colour)


def paint_thumbnail(painter: QPainter, inside: QRect, thumbnail: QPixmap | None, current: bool) -> int:
    """A step's picture at the left of `inside` and as high as it; gives its width."""
    colours = theme.current()
    height = inside.height()
    width = round(height * 0.45)
    if thumbnail is not None and not thumbnail.isNull():
        width = min(round(height * thumbnail.width() / thumbnail.height()), THUMB_WIDEST, inside.width())
    place = QRectF(inside.left(), inside.top(), width, height)
    path = QPainterPath()
    path.addRoundedRect(place, 4, 4)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    if thumbnail is None or thumbnail.isNull():
        painter.fillPath(path, QColor(colours.line2))
    else:
        painter.save()
        painter.setClipPath(path)
        kept = min(1.0, width / (height * thumbnail.width() / thumbnail.height()))
        part = QRectF(thumbnail.width() * (1 - kept) / 2, 0, thumbnail.width() * kept, thumbnail.height())
        painter.drawPixmap(place, thumbnail, part)
        painter.restore()
    painter.setPen(QPen(QColor(colours.selection_line if current else colours.line), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place.adjusted(-0.5, -0.5, 0.5, 0.5), 4, 4)
    return width


def paint_text(painter: QPainter, place: QRect, text: str, colour: str) -> None:
    """One line in the painter's font, cut where it does not fit."""
    painter.setPen(QColor(colour))
    cut = painter.fontMetrics().elidedText(straight(" ".join(text.split())), Qt.TextElideMode.ElideRight, place.width())
    if cut != "…":
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, cut)
