"""Paints a field: its number, name, type and score; what was filled in, what people answered, and why the score."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QStyledItemDelegate, QStyleOptionViewItem

from stepscope.core.frozen import dataclass
from stepscope.widgets import icons, theme
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.fonts import derived, monospace, pixel_size
from stepscope.widgets.common.item_painting import paint_cut, paint_item_ground
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.text_block import TextBlock
from stepscope.widgets.webtask.fields_item_model import FieldRole, FieldsItemModel
from stepscope.widgets.webtask.side_values import (
    FieldAnswerState,
    FieldRow,
    FieldsState,
    PeopleVisibility,
    answer_words,
    badge_of,
    people_lines,
    people_words,
)

Index = QModelIndex | QPersistentModelIndex
MARGIN, PADDING, GAP, LINE_GAP = 12, 8, 8, 2
TAG, CARET, CAPTION = 18, 12, 56
"""Sides of the number and of the arrow, and the room for "Model" and "People", at the text size of 13."""
BADGE_SIDES = 10
LONGEST = 400
"""Letters of a value that are looked at for its one line."""
MOST_KEPT = 2000
"""Heights of rows."""
HIDDEN_WORDS = "hidden until you submit"
NO_ANSWERS = "no answers"
FOLLOWING = "follow"


@dataclass(frozen=True, slots=True)
class _TextPart:
    """One or more lines below the head: `caption` at the left ("People"), or none; `role` a colour of the theme."""

    caption: str
    words: str
    role: str
    small: bool = False


class FieldDelegate(QStyledItemDelegate):
    """A closed row has a line for each part, an open one as many as the words need."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._heights: dict[Hashable, int] = {}
        """Of open rows, kept: the list asks for all of them whenever one has changed."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row, model = index.data(FieldRole), index.model()
        if not isinstance(row, FieldRow) or not isinstance(model, FieldsItemModel):
            return QSize(0, 0)
        if not model.is_open(row.name):
            return QSize(200, _row_height(row, model.state, option, is_open=False))
        key = (row, model.state.who, model.state.people, option.font.key(), _inner_width(option))
        if key not in self._heights:
            if len(self._heights) > MOST_KEPT:
                self._heights.clear()
            self._heights[key] = _row_height(row, model.state, option, is_open=True)
        return QSize(200, self._heights[key])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, model = index.data(FieldRole), index.model()
        if not isinstance(row, FieldRow) or not isinstance(model, FieldsItemModel):
            return
        painter.save()
        paint_item_ground(painter, option)
        inside = option.rect.adjusted(MARGIN, PADDING, -MARGIN, -PADDING)
        _paint_head(painter, inside, row, model.state, option.font)
        is_open = model.is_open(row.name)
        _paint_caret(painter, arrow_place(option.rect, option.font), is_open=is_open)
        left, top = inside.left() + _indent(option.font), inside.top() + _head_height(option.font) + 3
        for part in parts_of(row, model.state, is_open=is_open):
            height = _part_height(part, option.font, inside.right() - left + 1, is_open=is_open)
            place = QRect(left, top, inside.right() - left + 1, height)
            _paint_part(painter, place, part, option.font, is_open=is_open)
            top += height + LINE_GAP
        painter.restore()


def _row_height(row: FieldRow, state: FieldsState, option: QStyleOptionViewItem, *, is_open: bool) -> int:
    width, height = _inner_width(option), _head_height(option.font) + 3
    for part in parts_of(row, state, is_open=is_open):
        height += _part_height(part, option.font, width, is_open=is_open) + LINE_GAP
    return 2 * PADDING + height


def arrow_place(row: QRect, font: QFont) -> QRect:
    """Where a row's arrow stands; a click there opens and closes it."""
    side = round(TAG * _scale(font))
    return QRect(row.left() + MARGIN, row.top() + PADDING + _head_height(font) + 2, side, side)


def parts_of(row: FieldRow, state: FieldsState, *, is_open: bool) -> list[_TextPart]:
    """The lines below the head. An open row gives every distinct answer its own."""
    parts = []
    if row.state is not FieldAnswerState.MISSING or row.value is not None:
        role = "dim" if row.value is None else "text"
        parts.append(_TextPart(state.who, answer_words(row.value, row.type), role))
    parts += _people(row, state, is_open=is_open)
    notes = " · ".join(filter(None, (row.agreement, row.why)))
    if notes and state.people is not PeopleVisibility.HIDDEN:
        parts.append(_TextPart("", notes, "miss" if row.state is FieldAnswerState.ERROR else "dim", small=True))
    if is_open and row.label:
        parts.append(_TextPart("", row.label, "dim", small=True))
    return parts


def _people(row: FieldRow, state: FieldsState, *, is_open: bool) -> list[_TextPart]:
    if state.people is PeopleVisibility.HIDDEN:
        return [_TextPart("People", HIDDEN_WORDS, "dim")]
    if not row.people:
        return [_TextPart("People", NO_ANSWERS, "dim")]
    if not is_open or len(row.people) == 1:
        return [_TextPart("People", people_words(row), "secondary")]
    return [
        _TextPart("People" if place == 0 else FOLLOWING, words, "secondary")
        for place, words in enumerate(people_lines(row))
    ]


def _paint_head(painter: QPainter, inside: QRect, row: FieldRow, state: FieldsState, font: QFont) -> None:
    colours, height = theme.current(), _head_height(font)
    head = QRect(inside.left(), inside.top(), inside.width(), height)
    _paint_tag(painter, head, row, state, font)
    left, right = head.left() + _indent(font), head.right()
    badge = badge_of(row, state.people)
    if badge is not None:
        painter.setFont(derived(font, 11, weight=QFont.Weight.Medium))
        width = painter.fontMetrics().horizontalAdvance(badge.words) + BADGE_SIDES
        paint_badge(painter, right - width + 1, head.center().y() + 0.5, badge.words, badge.kind)
        right -= width + GAP
    name, small = monospace(font, 13), derived(font, 11)
    name.setWeight(QFont.Weight.Medium)
    kind = QFontMetrics(small).horizontalAdvance(row.type)
    wide = QFontMetrics(name).horizontalAdvance(row.name)
    room = right - left + 1
    beside = wide + GAP + kind <= room
    painter.setFont(name)
    painter.setPen(QColor(colours.dim if row.state is FieldAnswerState.MISSING else colours.text))
    place = QRect(left, head.top(), room - (GAP + kind if beside else 0), height)
    cut = painter.fontMetrics().elidedText(straight(row.name), Qt.TextElideMode.ElideMiddle, place.width())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, cut)
    if beside:
        painter.setFont(small)
        painter.setPen(QColor(colours.dim))
        painter.drawText(
            QRect(left + wide + GAP, head.top(), kind + 1, height), Qt.AlignmentFlag.AlignVCenter, row.type
        )


def _paint_tag(painter: QPainter, head: QRect, row: FieldRow, state: FieldsState, font: QFont) -> None:
    """The number as the page shows it: filled in the run's colour; hollow where the page has no such field."""
    colours = theme.current()
    painter.setFont(derived(font, 11, weight=QFont.Weight.Bold))
    side = round(TAG * _scale(font))
    wide = max(side, painter.fontMetrics().horizontalAdvance(str(row.number)) + 6)
    place = QRectF(head.left(), head.center().y() - side / 2 + 0.5, min(wide, _indent(font) - 4), side)
    colour = QColor(_ink(state))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if row.state is FieldAnswerState.MISSING:
        painter.setPen(QColor(colours.dim))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(place, 4, 4)
        painter.setPen(QColor(colours.panel))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(row.number))


def _ink(state: FieldsState) -> str:
    """The run's colour; that of the accent for the person, that of the reference for the oracle."""
    colours = theme.current()
    if state.run is not None:
        return colours.run_colour(state.run)
    return colours.accent if state.mine else colours.reference


def _paint_caret(painter: QPainter, place: QRect, *, is_open: bool) -> None:
    side = round(place.width() * CARET / TAG)
    arrow = QRect(0, 0, side, side)
    arrow.moveCenter(place.center())
    icons.icon("chevron_down" if is_open else "chevron_right", theme.current().dim).paint(painter, arrow)


def _paint_part(painter: QPainter, place: QRect, part: _TextPart, font: QFont, *, is_open: bool) -> None:
    colours = theme.current()
    written = _part_font(part, font)
    left = place.left()
    if part.caption:
        width = _caption_width(font)
        if part.caption is not FOLLOWING:
            line = QRect(left, place.top(), width - 4, QFontMetrics(written).height())
            paint_cut(painter, line, part.caption, written, colours.dim)
        left += width
    colour = getattr(colours, part.role)
    if is_open:
        block = TextBlock(part.words, written, place.right() - left + 1)
        lift = (block.line_height - QFontMetrics(written).height()) / 2
        block.paint(painter, QPointF(left, place.top() - lift), colour)
    else:
        room = QRect(left, place.top(), place.right() - left + 1, place.height())
        paint_cut(painter, room, part.words[:LONGEST], written, colour)


def _part_height(part: _TextPart, font: QFont, width: int, *, is_open: bool) -> int:
    written = _part_font(part, font)
    line = QFontMetrics(written).height()
    if not is_open:
        return line
    room = width - (_caption_width(font) if part.caption else 0)
    return max(line, round(TextBlock(part.words, written, room).size.height()))


def _part_font(part: _TextPart, font: QFont) -> QFont:
    return derived(font, 11 if part.small else 12)


def _caption_width(font: QFont) -> int:
    return round(CAPTION * _scale(font))


def _indent(font: QFont) -> int:
    return round(TAG * _scale(font)) + GAP


def _head_height(font: QFont) -> int:
    return max(round(TAG * _scale(font)), QFontMetrics(monospace(font, 13)).height())


def _inner_width(option: QStyleOptionViewItem) -> int:
    """How wide the lines below the head are."""
    view = option.widget
    width = view.viewport().width() if isinstance(view, QAbstractScrollArea) else option.rect.width()
    return width - 2 * MARGIN - _indent(option.font)


def _scale(font: QFont) -> float:
    return pixel_size(font) / 13
