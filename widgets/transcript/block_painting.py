"""Painting of a block: its head in one line, and below it, where it is open, what `block_layout` has placed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen

from stepscope.core.frozen import dataclass
from stepscope.widgets import icons, theme
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.item_painting import paint_cut
from stepscope.widgets.transcript.block_layout import PADDING, BlockLayout, PlacedPart
from stepscope.widgets.transcript.transcript_values import BlockPicture, TranscriptBlock

_SIGNS = {
    ShownVerdict.HIT: "check",
    ShownVerdict.MISS: "cross",
    ShownVerdict.MALFORMED: "warning",
    ShownVerdict.NULL: "warning",
    ShownVerdict.ERROR: "error",
    ShownVerdict.UNSCORED: "minus",
}
TOKENS_WIDTH, TIME_WIDTH = 96, 60


@dataclass(frozen=True, slots=True)
class BlockState:
    """How a block is painted: `hits` of the search by part, and the one that is shown."""

    is_open: bool
    is_current: bool
    has_focus: bool
    hits: Mapping[int, Sequence[tuple[int, int]]]
    hit: tuple[int, tuple[int, int]] | None = None


def paint_head(painter: QPainter, place: QRectF, block: TranscriptBlock, font: QFont, state: BlockState) -> None:
    """Number, verdict, action, badge, tokens and time in one line."""
    colours = theme.current()
    if state.is_current:
        painter.fillRect(place, QColor(colours.selection))
    middle = place.center().y()
    _paint_icon(painter, "chevron_down" if state.is_open else "chevron_right", place.left() + 12, middle, colours.dim)
    scale = derived(font, 13).pixelSize() / 13
    right = place.right() - 14
    columns = [(block.time, TIME_WIDTH * scale), (block.tokens, TOKENS_WIDTH * scale)]
    while columns and not columns[-1][0]:  # nothing stands there: the words have the room
        columns.pop()
    for words, width in columns:
        painter.setFont(derived(font, 12))
        painter.setPen(QColor(colours.secondary))
        box = QRectF(right - width, place.top(), width, place.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)
        right -= width + 8
    if block.badge:
        painter.setFont(derived(font, 11, weight=QFont.Weight.Medium))
        badge = painter.fontMetrics().horizontalAdvance(block.badge) + 10
        paint_badge(painter, right - badge, middle, block.badge, "warn")
        right -= badge + 8
    left = place.left() + 30
    painter.setFont(derived(font, 13))
    painter.setPen(QColor(colours.dim))
    wide = max(22.0 * scale, float(painter.fontMetrics().horizontalAdvance(block.number)))
    painter.drawText(QRectF(left, place.top(), wide, place.height()), Qt.AlignmentFlag.AlignCenter, block.number)
    left += wide + 6
    if block.verdict is not None:
        tone = {"hit": colours.hit, "miss": colours.miss, "warn": colours.warn}.get(block.verdict.badge, colours.dim)
        _paint_icon(painter, _SIGNS[block.verdict], left, middle, tone)
    left += 22
    bold = derived(font, 13, weight=QFont.Weight.DemiBold)
    painter.setFont(bold)
    wide = min(painter.fontMetrics().horizontalAdvance(block.title) + 2, max(0, right - left))
    paint_cut(painter, _rect(left, place, wide), block.title, bold, colours.text)
    left += wide + 8
    if right > left:
        paint_cut(painter, _rect(left, place, right - left), block.detail, derived(font, 13), colours.secondary)


def paint_body(
    painter: QPainter,
    origin: QPointF,
    layout: BlockLayout,
    block: TranscriptBlock,
    font: QFont,
    state: BlockState,
    clip: QRectF,
    picture_of: Callable[[str], QImage | None],
) -> None:
    """All below the head that lies in `clip`; `origin` is the block's top left."""
    colours = theme.current()
    for placed in layout.parts:
        _paint_part(painter, origin, placed, font, state, clip)
    for number, box in layout.pictures:
        _paint_picture(painter, box.translated(origin), block.pictures[number], picture_of)
    painter.setFont(derived(font, 12))
    for fact, box in layout.facts:
        paint_cut(painter, box.translated(origin).toRect(), fact, derived(font, 12), colours.secondary)
    for words, box in layout.warnings:
        bar = box.translated(origin)
        painter.fillRect(bar, QColor(colours.warn_background))
        _paint_icon(painter, "warning", bar.left() + 6, bar.center().y(), colours.warn)
        paint_cut(painter, bar.adjusted(28, 0, -6, 0).toRect(), words, derived(font, 12), colours.warn)
    for number, box in layout.attempts:
        attempt, bar = block.attempts[number], box.translated(origin)
        tone = colours.warn if attempt.failed else colours.hit
        _paint_icon(painter, "refresh" if attempt.failed else "check", bar.left(), bar.center().y(), tone)
        paint_cut(painter, bar.adjusted(20, 0, 0, 0).toRect(), attempt.words, derived(font, 12), colours.secondary)
    painter.setFont(derived(font, 12, weight=QFont.Weight.Medium))
    painter.setPen(QColor(colours.accent))
    for link in layout.links:
        painter.drawText(link.place.translated(origin), Qt.AlignmentFlag.AlignCenter, link.words)


def paint_ground(painter: QPainter, place: QRectF, state: BlockState) -> None:
    """The line below a block, the bar at its left where it is the step that is shown, and the ring of the keyboard."""
    colours = theme.current()
    painter.fillRect(QRectF(place.left(), place.bottom() - 1, place.width(), 1), QColor(colours.line2))
    if state.is_current:
        painter.fillRect(QRectF(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
    if state.is_current and state.has_focus:
        paint_focus_ring(painter, place.toRect().adjusted(0, 0, 0, -1))


def _paint_part(
    painter: QPainter, origin: QPointF, placed: PlacedPart, font: QFont, state: BlockState, clip: QRectF
) -> None:
    colours, part = theme.current(), placed.part
    if part.title:
        line = placed.title.translated(origin)
        painter.setFont(derived(font, 12, weight=QFont.Weight.Medium))
        painter.setPen(QColor(colours.secondary))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, part.title)
        wide = painter.fontMetrics().horizontalAdvance(part.title) + 12
        painter.setFont(derived(font, 11))
        painter.setPen(QColor(colours.dim))
        painter.drawText(
            line.adjusted(wide, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, part.note
        )
    if placed.fold is not None:
        bar = placed.fold.translated(origin)
        painter.fillRect(bar, QColor(colours.inset))
        sign = "chevron_right" if placed.pane is None else "chevron_down"
        _paint_icon(painter, sign, bar.left() + 6, bar.center().y(), colours.dim)
        paint_cut(painter, bar.adjusted(26, 0, -8, 0).toRect(), part.summary, derived(font, 12), colours.dim)
    if placed.pane is None:
        return
    box = placed.place.translated(origin)
    if not box.intersects(clip):
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colours.line2), 1))
    painter.setBrush(QColor(colours.inset))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    current = state.hit[1] if state.hit is not None and state.hit[0] == placed.number else None
    placed.pane.paint(
        painter,
        box.topLeft() + QPointF(PADDING, PADDING),
        clip,
        colours.text,
        state.hits.get(placed.number, ()),
        current,
        part.stopped,
    )
    if placed.more is not None:
        painter.setFont(derived(font, 12, weight=QFont.Weight.Medium))
        painter.setPen(QColor(colours.accent))
        words = f"Show all {len(part.text):,} letters"
        painter.drawText(placed.more.translated(origin), Qt.AlignmentFlag.AlignVCenter, words)


def _paint_picture(
    painter: QPainter, box: QRectF, one: BlockPicture, picture_of: Callable[[str], QImage | None]
) -> None:
    colours, image = theme.current(), picture_of(one.key)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    if image is None or image.isNull():
        painter.fillRect(box, QColor(colours.line2))
    else:
        painter.drawImage(box, image)
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box)
    for x, y in one.points:
        paint_said_point(painter, QPointF(box.left() + x * box.width(), box.top() + y * box.height()), 6)


def paint_said_point(painter: QPainter, at: QPointF, arm: float) -> None:
    """A place as the model said it: a cross that is seen on any ground."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for colour, width in (("#0D1014", 4.0), ("#FFFFFF", 1.8)):
        painter.setPen(QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            painter.drawLine(at + QPointF(dx * 2, dy * 2), at + QPointF(dx * arm, dy * arm))


def _paint_icon(painter: QPainter, name: str, left: float, middle: float, colour: str) -> None:
    icons.icon(name, colour).paint(painter, QRect(round(left), round(middle) - 7, 14, 14))


def _rect(left: float, place: QRectF, width: float) -> QRect:
    return QRect(round(left), round(place.top()), round(width), round(place.height()))
