"""Paints the board: cards, the lines between rows, and the rows' labels."""

from __future__ import annotations

from itertools import product

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import paint_reference_glyph, paint_run_glyph, run_letter
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.ordering.board_layout import BoardSizes
from stepscope.widgets.ordering.ordering_rows import BoardRow, OrderRow, YourRow

RADIUS = 6
GLYPH = 12
PAD = 8
PICTURE_HEIGHT = 112
LARGEST_WORDS = 1.5
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter
_TOP_WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop


@dataclass(frozen=True)
class OrderBoardFonts:
    """Fonts of one painting and the measures that grow with them and with the zoom, in logical pixels."""

    text: QFont
    small: QFont
    scale: float
    zoom: float = 1.0

    @classmethod
    def of(cls, base: QFont, zoom: float = 1.0) -> OrderBoardFonts:
        small = derived(base, 11)
        grown = min(max(zoom, 1.0), LARGEST_WORDS)
        return cls(derived(base, 12 * grown), small, max(1.0, QFontMetrics(small).height() / 14), zoom)

    def sizes(self, shown: str) -> BoardSizes:
        """The measures of cards that show "both", "text" or "picture"."""
        small = QFontMetrics(self.small).height()
        words = 2 * PAD + small + 4 + 4 * QFontMetrics(self.text).height()
        picture = round(PICTURE_HEIGHT * self.zoom)
        your_height = {"both": picture + words, "text": words, "picture": picture + small + 2 * PAD}[shown]
        return BoardSizes(
            label_width=round(124 * self.scale),
            label_line=small + 8,
            card_width=round(132 * self.scale * self.zoom),
            card_height=round(72 * self.scale * max(1.0, self.zoom)),
            your_height=your_height,
            gap=12,
            drop=52,
            margin=24,
        )


@dataclass(frozen=True, slots=True)
class CardLook:
    """How a card looks. `run` None: it is in no run's row; `moved`: a run put it elsewhere than the reference has it;
    `ringed`: it has the keyboard; `same`: it is the step whose card has it; `yours`: a card of the person's own row."""

    number: int
    text: str
    letter: str = ""
    picture: QPixmap | None = None
    has_picture: bool = False
    shown: str = "both"
    run: int | None = None
    moved: bool = False
    ringed: bool = False
    same: bool = False
    yours: bool = False
    locked: bool = False


def paint_card(painter: QPainter, place: QRect, look: CardLook, fonts: OrderBoardFonts) -> None:
    """A step: number, words, picture, and a sign whether a run put it where the reference has it."""
    colours = theme.current()
    frame = QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setPen(QPen(QColor(_edge(look)), 2 if look.ringed or look.same else 1.2))
    painter.setBrush(QColor(colours.selection if look.ringed else colours.raised))
    painter.drawRoundedRect(frame, RADIUS, RADIUS)
    inside = QRectF(place).adjusted(PAD, PAD, -PAD, -PAD)
    pictured = look.has_picture and look.shown != "text"
    if look.yours:
        inside = _paint_your_picture(painter, place, look, fonts) if pictured else inside
    elif pictured:
        inside = _paint_beside(painter, inside, look, fonts)
    _paint_head(painter, inside, look, fonts)
    if look.shown != "picture":
        _paint_words(painter, inside, look, fonts)


def paint_gap(painter: QPainter, place: QRect) -> None:
    """The place at which a dragged card would land."""
    colours = theme.current()
    painter.setPen(QPen(QColor(colours.selection_line), 2, Qt.PenStyle.DashLine))
    ground = QColor(colours.selection_line)
    ground.setAlphaF(0.1)
    painter.setBrush(ground)
    painter.drawRoundedRect(QRectF(place).adjusted(1, 1, -1, -1), RADIUS, RADIUS)


def _paint_your_picture(painter: QPainter, place: QRect, look: CardLook, fonts: OrderBoardFonts) -> QRectF:
    """The picture at the top of a card, as wide as the card; gives the room that is left."""
    low = QFontMetrics(fonts.small).height() + 2 * PAD
    high = place.height() - low if look.shown == "picture" else round(PICTURE_HEIGHT * fonts.zoom)
    _paint_picture(painter, QRectF(place.left() + 1, place.top() + 1, place.width() - 2, high), look)
    return QRectF(place).adjusted(PAD, high + PAD, -PAD, -PAD)


def _paint_beside(painter: QPainter, inside: QRectF, look: CardLook, fonts: OrderBoardFonts) -> QRectF:
    """The picture at the left of the words, or in their place; gives the room that is left."""
    if look.shown == "picture":
        _paint_picture(painter, inside.adjusted(_number_width(fonts), 0, -GLYPH - 4, 0), look)
        return inside
    width = inside.height() * 0.6
    _paint_picture(painter, QRectF(inside.left(), inside.top(), width, inside.height()), look)
    return inside.adjusted(width + PAD, 0, 0, 0)


def _paint_head(painter: QPainter, inside: QRectF, look: CardLook, fonts: OrderBoardFonts) -> None:
    """Number and letter at the left, the run's sign or the grip at the right."""
    colours = theme.current()
    painter.setFont(fonts.small)
    painter.setPen(QColor(colours.dim))
    line = painter.fontMetrics().height()
    words = f"{look.number}    item {look.letter}" if look.yours and look.letter else str(look.number)
    painter.drawText(QRectF(inside.left(), inside.top(), inside.width() - GLYPH, line), _MIDDLE, words)
    corner = QRectF(inside.right() - GLYPH, inside.top() + (line - GLYPH) / 2, GLYPH, GLYPH)
    if look.run is not None:
        paint_run_glyph(painter, corner, look.run, filled=not look.moved, crossed=look.moved)
    elif look.yours and not look.locked:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.dim))
        for column, row in product(range(2), range(3)):
            painter.drawEllipse(QPointF(corner.right() - 2 - 4 * column, corner.top() + 2 + 4 * row), 1.1, 1.1)


def _paint_words(painter: QPainter, inside: QRectF, look: CardLook, fonts: OrderBoardFonts) -> None:
    painter.setFont(fonts.text)
    painter.setPen(QColor(theme.current().text))
    line = QFontMetrics(fonts.small).height() + (4 if look.yours else 0)
    words = QRect(
        round(inside.left()), round(inside.top()) + line, round(inside.width()), round(inside.height()) - line
    )
    flags = int(_TOP_WRAP if look.yours else _WRAP)
    painter.drawText(words, flags, fitted(" ".join(look.text.split()), fonts.text, words))


def _number_width(fonts: OrderBoardFonts) -> int:
    return QFontMetrics(fonts.small).horizontalAdvance("00 ")


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


def paint_label(
    painter: QPainter, place: QRect, row: BoardRow, note: str, fonts: OrderBoardFonts, *, above: bool
) -> None:
    """The label of a row: glyph and name, and below them, or behind where it stands `above` its row, what is told of
    it; a row that is None is the reference."""
    colours = theme.current()
    if not above:
        painter.fillRect(place.adjusted(0, -30, 0, 30), QColor(colours.window))
    title, detail = _label_words(row, note)
    left, top = place.left() + (12 if above else 16), place.top() + (0 if above else 4)
    high = place.height() if above else 20
    glyph = QRectF(left, top + (high - 16) / 2, 16, 16)
    if row is None:
        paint_reference_glyph(painter, glyph)
    elif isinstance(row, OrderRow):
        paint_run_glyph(painter, glyph, row.run, letter=True)
    name_left = left if isinstance(row, YourRow) else left + 22
    painter.setFont(derived(fonts.small, 12.5, weight=QFont.Weight.DemiBold))
    painter.setPen(QColor(colours.text))
    painter.drawText(QRect(name_left, top, place.right() - name_left, high), _MIDDLE, title)
    name_width = painter.fontMetrics().horizontalAdvance(title)
    painter.setFont(fonts.small)
    painter.setPen(QColor(colours.dim))
    if above:
        beside = QRect(name_left + name_width + 10, top, place.right() - name_left - name_width - 22, high)
        cut = painter.fontMetrics().elidedText(straight(detail), Qt.TextElideMode.ElideRight, beside.width())
        painter.drawText(beside, _MIDDLE, cut)
    else:
        below = QRect(left, top + high + 4, place.width() - 18, place.bottom() - top - high - 4)
        painter.drawText(below, int(_TOP_WRAP), fitted(detail, fonts.small, below))


def paint_note(painter: QPainter, place: QRect, row: OrderRow, fonts: OrderBoardFonts) -> None:
    """Why there are no cards in a row."""
    colours = theme.current()
    bad = row.verdict in (ShownVerdict.MALFORMED, ShownVerdict.NULL)
    painter.setFont(fonts.small)
    painter.setPen(QColor(colours.warn if bad else colours.secondary))
    painter.drawText(place, int(_WRAP), fitted(row.note or "no order", fonts.small, place))


def _label_words(row: BoardRow, note: str) -> tuple[str, str]:
    """Title and what is told below it."""
    if row is None:
        return "Reference", note
    return ("You", row.note) if isinstance(row, YourRow) else (f"Run {run_letter(row.run)}", row.name)


def _paint_picture(painter: QPainter, place: QRectF, look: CardLook) -> None:
    """As much of the picture as fills the place, from its top; where nothing but pictures is shown, all of it."""
    colours, picture = theme.current(), look.picture
    path = QPainterPath()
    path.addRoundedRect(place, 4, 4)
    painter.fillPath(path, QColor(colours.line2))
    if picture is None or picture.isNull():
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
    across, down = place.width() / picture.width(), place.height() / picture.height()
    if look.shown == "picture":
        scale = min(across, down)
        whole = QRectF(0, 0, picture.width() * scale, picture.height() * scale)
        whole.moveCenter(place.center())
        painter.drawPixmap(whole, picture, QRectF(picture.rect()))
    else:
        scale = max(across, down)
        part = QRectF(0, 0, place.width() / scale, place.height() / scale)
        part.moveLeft((picture.width() - part.width()) / 2)
        painter.drawPixmap(place, picture, part)
    painter.restore()


def _edge(look: CardLook) -> str:
    colours = theme.current()
    if look.ringed or look.same:
        return colours.selection_line
    return colours.run_colour(look.run) if look.moved and look.run is not None else colours.line
