"""How a turn looks: the person's words in a blue bubble at the right, the agent's question in its colour at the left,
actions as lines of a card, news in the middle."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen

from stepscope.core.frozen import dataclass
from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.text_block import TextBlock
from stepscope.widgets.live.conversation.conversation_turns import Origin, Turn, TurnKind

SIDE, GAP = 14, 12
"""Beside the frame of the list, which is 2 wide."""
MINE_SHARE, ASK_SHARE = 0.83, 0.9
"""Of the width, at most, for a bubble of the person's and of the agent's."""
PADDING, MINE_TOP, ASK_TOP = 12, 8, 10
CARD_TOP, CARD_SIDE = 10, 12
SIGN, CAPTION_SIGN = 14, 11
ROUND, CORNER = 12, 3
ORIGIN_ICONS = {Origin.RECORDED: "recorded", Origin.SIMULATED: "simulated", Origin.LIVE: "live"}
ORIGIN_WORDS = {
    Origin.RECORDED: "recorded",
    Origin.SIMULATED: "answered by a program",
    Origin.LIVE: "live",
}


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Whether an action is the first or the last of those told one after the other, and a turn the first of all."""

    first: bool = True
    last: bool = True
    top: bool = False


def caption(turn: Turn) -> str:
    """The speaker and the time: "You, goal · 0:00", "Northstar 7B · 0:31 · waiting for you"."""
    who = ", ".join(filter(None, (turn.who, "goal" if turn.kind is TurnKind.GOAL else "")))
    when = "" if turn.time is None else formats.clock(turn.time)
    return " · ".join(filter(None, (who, when, "waiting for you" if turn.waiting else "")))


def spoken(turn: Turn) -> str:
    """The turn for screen readers, and as a tooltip."""
    kind = {TurnKind.ASK: "Asks", TurnKind.SAY: "Says", TurnKind.GOAL: "Goal"}.get(turn.kind, "")
    head = ". ".join(filter(None, (caption(turn), kind, turn.text)))
    return f"{head.rstrip('.')}. {ORIGIN_WORDS[turn.origin].capitalize()}"


def turn_height(turn: Turn, font: QFont, width: int, around: Neighbours) -> int:
    """Logical pixels of the turn's row."""
    above = SIDE if around.top else 0
    if turn.kind is TurnKind.ACTION:
        edges = (CARD_TOP - 4) * (around.first + around.last)
        return above + _line(font, 12) + 8 + edges + (GAP if around.last else 0)
    if turn.kind is TurnKind.NEWS:
        block = TextBlock(turn.text, derived(font, 11), width - 2 * SIDE, centred=True)
        return above + round(block.size.height()) + GAP
    below = max(_line(font, 11), round(_caption(turn, font, width).size.height()))
    return above + round(_bubble(turn, font, width).height()) + 4 + below + GAP


def paint_turn(
    painter: QPainter, place: QRect, turn: Turn, font: QFont, around: Neighbours, *, lit: bool, ring: bool
) -> None:
    """`lit`: its step is the one shown; `ring`: it has the keyboard."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inside = place.adjusted(SIDE, SIDE if around.top else 0, -SIDE, 0)
    if turn.kind is TurnKind.ACTION:
        frame = _paint_action(painter, inside, turn, font, around, lit=lit)
    elif turn.kind is TurnKind.NEWS:
        block = TextBlock(turn.text, derived(font, 11), inside.width(), centred=True)
        block.paint(painter, QPointF(inside.topLeft()), theme.current().dim)
        frame = QRectF(QPointF(inside.topLeft()), block.size)
    else:
        frame = _paint_bubble(painter, inside, turn, font, place.width())
    if ring:
        painter.setPen(QPen(QColor(theme.current().selection_line), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame.adjusted(-2, -2, 2, 2), 6, 6)


# bubbles


def _words(turn: Turn, font: QFont, width: int) -> TextBlock:
    share = MINE_SHARE if turn.kind is not TurnKind.ASK else ASK_SHARE
    return TextBlock(turn.text, derived(font, 13), max(60.0, (width - 2 * SIDE) * share - 2 * PADDING))


def _head_height(turn: Turn, font: QFont) -> int:
    return _line(font, 11) + 4 if turn.kind is TurnKind.ASK else 0


def _bubble(turn: Turn, font: QFont, width: int, words: TextBlock | None = None) -> QRectF:
    """The bubble at the origin; as wide as its words or its head."""
    block = words or _words(turn, font, width)
    top = ASK_TOP if turn.kind is TurnKind.ASK else MINE_TOP
    head = 64.0 if turn.kind is TurnKind.ASK else 0.0
    high = 2 * top + _head_height(turn, font) + block.size.height()
    return QRectF(0, 0, max(block.size.width(), head) + 2 * PADDING, high)


def _paint_bubble(painter: QPainter, inside: QRect, turn: Turn, font: QFont, width: int) -> QRectF:
    colours, words = theme.current(), _words(turn, font, width)
    bubble, mine = _bubble(turn, font, width, words), turn.kind is not TurnKind.ASK
    bubble.moveTopLeft(QPointF(inside.right() - bubble.width() + 1 if mine else inside.left(), inside.top()))
    ink = colours.accent_text if mine else colours.text
    ground, edge = _bubble_colours(turn)
    painter.setBrush(ground)
    painter.setPen(QPen(edge, 1) if edge is not None else Qt.PenStyle.NoPen)
    shape = bubble if edge is None else bubble.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawPath(_bubble_path(shape, mine))
    top = bubble.top() + (MINE_TOP if mine else ASK_TOP)
    if not mine:
        _paint_head(painter, QPointF(bubble.left() + PADDING, top), turn, font)
        top += _head_height(turn, font)
    words.paint(painter, QPointF(bubble.left() + PADDING, top), ink)
    _paint_caption(painter, inside, bubble.bottom() + 4, _caption(turn, font, width), turn, mine=mine)
    return bubble


def _paint_head(painter: QPainter, place: QPointF, turn: Turn, font: QFont) -> None:
    colour = _agent_colour(turn)
    line = _line(font, 11)
    sign = QRect(round(place.x()), round(place.y()) + (line - SIGN) // 2, SIGN, SIGN)
    icons.icon("ask", colour).paint(painter, sign)
    painter.setFont(derived(font, 11, weight=QFont.Weight.DemiBold))
    painter.setPen(QColor(colour))
    painter.drawText(QRectF(place.x() + SIGN + 6, place.y(), 200, line), Qt.AlignmentFlag.AlignVCenter, "ASK")


def _caption(turn: Turn, font: QFont, width: int) -> TextBlock:
    return TextBlock(caption(turn), derived(font, 11), width - 2 * SIDE - CAPTION_SIGN - 4)


def _paint_caption(painter: QPainter, inside: QRect, top: float, words: TextBlock, turn: Turn, *, mine: bool) -> None:
    """An icon that tells recorded, simulated and live apart, who and when."""
    colours, line = theme.current(), words.line_height
    left = inside.right() + 1 - round(words.size.width()) - CAPTION_SIGN - 4 if mine else inside.left()
    sign = QRect(left, round(top + (line - CAPTION_SIGN) / 2), CAPTION_SIGN, CAPTION_SIGN)
    icons.icon(ORIGIN_ICONS[turn.origin], colours.dim).paint(painter, sign)
    words.paint(painter, QPointF(left + CAPTION_SIGN + 4, top), colours.dim)


def _bubble_path(place: QRectF, mine: bool) -> QPainterPath:
    """Round but for the corner that points to who speaks."""
    path = QPainterPath()
    path.addRoundedRect(place, ROUND, ROUND)
    corner = QPainterPath()
    side = 2 * ROUND
    left = place.right() - side if mine else place.left()
    corner.addRoundedRect(QRectF(left, place.bottom() - side, side, side), CORNER, CORNER)
    return path.united(corner).simplified()


def _bubble_colours(turn: Turn) -> tuple[QColor, QColor | None]:
    """Ground and edge."""
    colours = theme.current()
    if turn.kind is not TurnKind.ASK:
        return QColor(colours.accent_background), None
    agent, panel = QColor(_agent_colour(turn)), QColor(colours.panel)
    return _mixed(agent, panel, 0.16), _mixed(agent, panel, 0.55)


def _agent_colour(turn: Turn) -> str:
    colours = theme.current()
    return colours.warn if turn.run is None else colours.run_colour(turn.run)


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    channels = ((one.redF(), other.redF()), (one.greenF(), other.greenF()), (one.blueF(), other.blueF()))
    red, green, blue = (share * a + (1 - share) * b for a, b in channels)
    return QColor.fromRgbF(red, green, blue)


# actions


def _paint_action(
    painter: QPainter, inside: QRect, turn: Turn, font: QFont, around: Neighbours, *, lit: bool
) -> QRectF:
    """A line of the card that all actions one after the other share."""
    colours = theme.current()
    card = QRectF(inside).adjusted(0.5, 0.5, -0.5, -GAP - 0.5 if around.last else 0)
    _paint_card(painter, card, around)
    top = inside.top() + (CARD_TOP - 4 if around.first else 0)
    row = QRect(inside.left() + CARD_SIDE, top, inside.width() - 2 * CARD_SIDE, _line(font, 12) + 8)
    if lit:
        painter.fillRect(row.adjusted(-6, 1, 6, -1), QColor(colours.selection))
    colour = colours.reference if turn.run is None else colours.run_colour(turn.run)
    sign = QRect(row.left(), row.center().y() - SIGN // 2, SIGN, SIGN)
    icons.icon(turn.icon or "tap", colour).paint(painter, sign)
    when = "" if turn.time is None else formats.clock(turn.time)
    painter.setFont(derived(font, 11))
    painter.setPen(QColor(colours.dim))
    painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, when)
    right = row.right() - painter.fontMetrics().horizontalAdvance(when) - 8
    painter.setFont(derived(font, 12))
    painter.setPen(QColor(colours.text if lit else colours.secondary))
    words = QRect(row.left() + SIGN + 8, row.top(), right - row.left() - SIGN - 8, row.height())
    text = " ".join(turn.text.split())
    cut = painter.fontMetrics().elidedText(straight(text), Qt.TextElideMode.ElideRight, words.width())
    painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, cut)
    return QRectF(row)


def _paint_card(painter: QPainter, card: QRectF, around: Neighbours) -> None:
    """The part of the card behind one line: it goes on above the first and below the last line, out of sight."""
    colours = theme.current()
    painter.save()
    painter.setClipRect(card.adjusted(-1, -1, 1, 1 if around.last else 0))
    whole = card.adjusted(0, 0 if around.first else -2 * ROUND, 0, 0 if around.last else 2 * ROUND)
    painter.setPen(QPen(QColor(colours.line2), 1))
    painter.setBrush(QColor(colours.inset))
    painter.drawRoundedRect(whole, 8, 8)
    painter.restore()


def _line(font: QFont, pixels: float) -> int:
    return _line_of(font.key(), pixels)


@lru_cache(maxsize=64)
def _line_of(key: str, pixels: float) -> int:
    """Line height by the font's key: thousands of rows are measured in the same few fonts."""
    font = QFont()
    font.fromString(key)
    return max(16, QFontMetrics(derived(font, pixels)).height())
