"""How the list of Review paints: the rows of tasks, and the states by which it can be filtered."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.ambiguous.review_values import ReviewChoice, ReviewRow
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.item_painting import paint_cut, paint_item_ground
from stepscope.widgets.common.tiles import Place, Tiles

ROW = Qt.ItemDataRole.UserRole
SIGN = 14
LINE = 28
SIGNS = {
    "": "select", "open": "ask", "accepted": "check", "edited": "note", "rejected": "cross", "failed": "warning",
    "differs": "users",
}  # fmt: skip
"""The sign of each state by which the list can be filtered."""


class ReviewRowDelegate(QStyledItemDelegate):
    """Two lines, what was said in a badge at the right, and a warning where a rule found something."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: ReviewRow = index.data(ROW)
        colours = theme.current()
        painter.save()
        paint_item_ground(painter, option)
        inside = option.rect.adjusted(12, 6, -10, -6)
        small = derived(option.font, 11)
        painter.setFont(small)
        width = QFontMetrics(small).horizontalAdvance(row.state) + 10
        middle = inside.top() + inside.height() // 2
        paint_badge(painter, inside.right() - width, middle, row.state, row.kind)
        half = inside.height() // 2
        room = inside.width() - width - 10 - (SIGN + 8 if row.fails else 0)
        if row.fails:
            place = QRect(inside.left() + room + 6, middle - SIGN // 2, SIGN, SIGN)
            icons.icon("warning", lambda: colours.warn).paint(painter, place)
        words = QRect(inside.left(), inside.top(), room, half)
        paint_cut(painter, words, row.title, derived(option.font, 13, weight=QFont.Weight.Medium), colours.text)
        paint_cut(painter, words.translated(0, half), row.detail, small, colours.dim)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, 2 * QFontMetrics(option.font).height() + 16)


class StateRows(Tiles):
    """A line for each state with how many tasks are in it; `chosen` carries its value."""

    radius = 0.0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Filter by state", parent)
        self._choices: tuple[ReviewChoice, ...] = ()
        self._value = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_choices(self, choices: Sequence[ReviewChoice], chosen: str) -> None:
        """These lines, of which one holds."""
        if (tuple(choices), chosen) != (self._choices, self._value):
            self._choices, self._value = tuple(choices), chosen
            self.tiles_changed()

    def choices(self) -> dict[str, int]:
        """How many tasks each state has."""
        return {choice.value: choice.count for choice in self._choices}

    def sizeHint(self) -> QSize:
        return QSize(120, len(self._choices) * self._line())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def shape(self) -> Place:
        return (len(self._choices), 1) if self._choices else (0, 0)

    def tile(self, row: int, _column: int) -> QRectF:
        return QRectF(0, row * self._line(), self.width(), self._line())

    def key(self, row: int, _column: int) -> str:
        return self._choices[row].value

    def words(self, row: int, _column: int) -> str:
        choice = self._choices[row]
        return f"{choice.words}, {formats.count(choice.count)}"

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        colours, choice, place = theme.current(), self._choices[row], self.tile(row, column)
        if choice.value == self._value:
            painter.fillRect(place, QColor(colours.selection))
            painter.fillRect(QRectF(0, place.top(), 3, place.height()), QColor(colours.selection_line))
        elif hovered:
            painter.fillRect(place, QColor(colours.hover))
        ink = {"accepted": colours.hit, "edited": colours.hit, "rejected": colours.miss, "failed": colours.warn}
        sign = QRect(12, round(place.center().y()) - SIGN // 2, SIGN, SIGN)
        icons.icon(SIGNS.get(choice.value, "select"), ink.get(choice.value, colours.secondary)).paint(painter, sign)
        painter.setFont(derived(self.font(), 13))
        painter.setPen(QColor(colours.text if choice.count else colours.dim))
        words = place.adjusted(12 + SIGN + 10, 0, -12, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, choice.words)
        painter.setPen(QColor(colours.secondary))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(words, right, formats.count(choice.count))

    def _line(self) -> int:
        return max(LINE, self.fontMetrics().height() + 10)
