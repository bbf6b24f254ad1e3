"""Paints a selected item: picture; goal; app and badge; confidence as a small bar; what could be asked back."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.paged_item_model import RowRole
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.states import paint_skeleton_bar
from stepscope.widgets.results.selection_item_model import PICTURE, SelectionItemModel
from stepscope.widgets.scores.breakdown_values import SelectionListRow

MARGIN, PADDING, GAP, LINE_GAP = 12, 6, 12, 4
LEAST_HEIGHT = 84
BAR_WIDTH, BAR_HEIGHT = 72, 4
ICON = 12
BADGE_SIDES = 10
BADGE_ROOM = BADGE_SIDES + 10
"""What a badge takes beside its words, and with the gap before it."""
ELIDE = Qt.TextElideMode.ElideRight
MARKS = (("star", "star"), ("note", "note"), ("defect", "flag"))
"""Field of a row, and the icon that stands for it."""


class SelectionDelegate(QStyledItemDelegate):
    """All rows are equally high; `run` (0 for A) gives the confidence its colour, `confidence` its name."""

    run = 0
    confidence = "Confidence"

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        goal, small = _fonts(option.font)
        lines = QFontMetrics(goal).height() + 3 * QFontMetrics(small).height() + 3 * LINE_GAP
        return QSize(200, max(LEAST_HEIGHT, lines + 2 * PADDING + 1))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        _paint_ground(painter, option)
        row, place = index.data(RowRole), option.rect
        picture = QRect(place.left() + MARGIN, 0, PICTURE.width(), PICTURE.height())
        picture.moveTop(place.center().y() - PICTURE.height() // 2)
        inside = place.adjusted(MARGIN + PICTURE.width() + GAP, PADDING, -MARGIN, -PADDING)
        if row is None:
            _paint_placeholder(painter, picture, inside, index.row())
        else:
            model = index.model()
            assert isinstance(model, SelectionItemModel)
            _paint_picture(painter, picture, model, row)
            self._paint_lines(painter, inside, row, option.font)
        painter.restore()

    def _paint_lines(self, painter: QPainter, inside: QRect, row: SelectionListRow, font: QFont) -> None:
        goal_font, small = _fonts(font)
        above, below = QFontMetrics(goal_font).height(), QFontMetrics(small).height()
        rest = 1 + (row.confidence is not None) + bool(row.question) + bool(row.said)
        goal = _goal_lines(row.goal, goal_font, inside.width(), 2 if rest < 3 else 1)
        height = len(goal) * above + rest * (below + LINE_GAP)
        top = inside.top() + max(0, (inside.height() - height) // 2)
        painter.setFont(goal_font)
        painter.setPen(QColor(theme.current().text))
        for words in goal:
            painter.drawText(QRect(inside.left(), top, inside.width(), above), Qt.AlignmentFlag.AlignVCenter, words)
            top += above
        painter.setFont(small)
        line = QRect(inside.left(), top + LINE_GAP, inside.width(), below)
        _paint_app(painter, line, row)
        if row.confidence is not None:
            line.translate(0, below + LINE_GAP)
            self._paint_confidence(painter, line, row.confidence)
        if row.said:
            line.translate(0, below + LINE_GAP)
            _paint_sentence(painter, line, "run", row.said, theme.current().run_colour(self.run))
        if row.question:
            line.translate(0, below + LINE_GAP)
            _paint_sentence(painter, line, "ask", row.question, theme.current().dim)

    def _paint_confidence(self, painter: QPainter, line: QRect, confidence: float) -> None:
        colours, metrics = theme.current(), painter.fontMetrics()
        scale = metrics.height() / 14
        value = formats.confidence(confidence)
        bar = round(BAR_WIDTH * scale)
        room = line.width() - bar - metrics.horizontalAdvance(value) - 16
        if room < metrics.horizontalAdvance(self.confidence):
            bar = max(24, bar + room - metrics.horizontalAdvance(self.confidence))
            room = line.width() - bar - metrics.horizontalAdvance(value) - 16
        name = metrics.elidedText(straight(self.confidence), ELIDE, room)
        painter.setPen(QColor(colours.dim))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, name)
        left = line.left() + metrics.horizontalAdvance(name) + 8
        track = QRectF(left, line.center().y() - BAR_HEIGHT / 2 + 0.5, bar, BAR_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.line))
        painter.drawRoundedRect(track, 2, 2)
        share = min(max(confidence, 0.0), 1.0) if confidence == confidence else 0.0
        painter.setBrush(QColor(colours.run_colour(self.run)))
        painter.drawRoundedRect(QRectF(track.left(), track.top(), track.width() * share, BAR_HEIGHT), 2, 2)
        painter.setPen(QColor(colours.text))
        words = QRect(round(track.right()) + 8, line.top(), line.width(), line.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, value)


def _fonts(font: QFont) -> tuple[QFont, QFont]:
    return derived(font, 12.5, weight=QFont.Weight.Medium), derived(font, 11)


def _goal_lines(goal: str, font: QFont, width: int, most: int) -> list[str]:
    """The goal in at most `most` lines, the last one cut where it is longer."""
    text, metrics = " ".join(goal.split()), QFontMetrics(font)
    if most == 1 or metrics.horizontalAdvance(text) <= width:
        return [metrics.elidedText(straight(text), ELIDE, width)]
    layout = QTextLayout(straight(text), font)
    layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(width)
    layout.endLayout()
    first = text[: line.textLength()].rstrip()
    return [first, metrics.elidedText(straight(text[line.textLength() :].lstrip()), ELIDE, width)]


def _paint_ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    colours, place = theme.current(), option.rect
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(place, QColor(colours.selection))
        painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(place, QColor(colours.hover))
    painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))
    if option.state & QStyle.StateFlag.State_HasFocus:
        paint_focus_ring(painter, place)


def _paint_picture(painter: QPainter, place: QRect, model: SelectionItemModel, row: SelectionListRow) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colours, picture, frame = theme.current(), model.picture(row.key), QRectF(place)
    shape = QPainterPath()
    shape.addRoundedRect(frame, 4, 4)
    painter.fillPath(shape, QColor(colours.canvas))
    if picture is not None:
        painter.save()
        painter.setClipPath(shape)
        painter.drawPixmap(place, picture)
        painter.restore()
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(frame.adjusted(-0.5, -0.5, 0.5, 0.5), 4, 4)


def _paint_app(painter: QPainter, line: QRect, row: SelectionListRow) -> None:
    """App and detail, the badge, and at the right what the person marked."""
    colours, metrics = theme.current(), painter.fontMetrics()
    right = line.right()
    for name in (icon for field, icon in MARKS if getattr(row, field)):
        icons.icon(name, colours.warn).paint(painter, QRect(right - ICON, line.center().y() - ICON // 2, ICON, ICON))
        right -= ICON + 4
    badge = metrics.horizontalAdvance(row.badge) + BADGE_ROOM if row.badge else 0
    words = " · ".join(filter(None, (row.app, row.detail)))
    room = max(0, right - line.left() - badge)
    cut = metrics.elidedText(straight(words), ELIDE, room)
    painter.setPen(QColor(colours.secondary))
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, cut)
    if row.badge:
        left = line.left() + (metrics.horizontalAdvance(cut) + 8 if cut else 0)
        fits = metrics.elidedText(straight(row.badge), ELIDE, max(0, right - left - BADGE_SIDES))
        paint_badge(painter, left, line.center().y() + 0.5, fits, row.kind)


def _paint_sentence(painter: QPainter, line: QRect, sign: str, text: str, colour: str) -> None:
    """One line of words behind an icon."""
    icons.icon(sign, colour).paint(painter, QRect(line.left(), line.center().y() - ICON // 2, ICON, ICON))
    words = line.adjusted(ICON + 4, 0, 0, 0)
    painter.setPen(QColor(theme.current().secondary if sign == "run" else colour))
    cut = painter.fontMetrics().elidedText(straight(" ".join(text.split())), ELIDE, words.width())
    painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, cut)


def _paint_placeholder(painter: QPainter, picture: QRect, inside: QRect, row: int) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.current().line2))
    painter.drawRoundedRect(picture, 4, 4)
    middle = inside.center().y()
    paint_skeleton_bar(painter, inside.left(), middle - 14, inside.width() * (0.8 - 0.12 * (row % 3)), 10)
    paint_skeleton_bar(painter, inside.left(), middle + 4, 120, 8)
    paint_skeleton_bar(painter, inside.left(), middle + 20, 90, 8)
