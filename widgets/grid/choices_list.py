"""Causes and tags with their counts; a click puts one into the filter, with Ctrl beside the others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.item_painting import paint_cut, paint_item_ground
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.grid.grid_values import Choice

CHOICE = Qt.ItemDataRole.UserRole
SECTION, ROW = 28, 30
_BAR = 44


class ChoicesList(QListWidget):
    """`picked(value, add)`: a line was clicked, or taken with Enter or Space; `add` with Ctrl."""

    picked = Signal(str, bool)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.setItemDelegate(_ChoiceDelegate(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(False)
        self._choices: tuple[Choice, ...] = ()

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self._choices

    def set_choices(self, choices: Sequence[Choice]) -> None:
        """Other lines; the keyboard's place stays on the line of the same value."""
        if tuple(choices) == self._choices:
            return
        now = self.currentItem()
        value = now.data(CHOICE).value if now is not None else None
        self._choices = tuple(choices)
        self.clear()
        for choice in choices:
            item = QListWidgetItem()
            item.setData(CHOICE, choice)
            chosen = ", chosen" if choice.chosen else ""
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{choice.title}, {choice.count:,}{chosen}")
            item.setToolTip(tip_words(choice.tip))
            self.addItem(item)
            if choice.value == value:
                self.setCurrentItem(item)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        item = self.itemAt(event.position().toPoint())
        if item is not None and event.button() is Qt.MouseButton.LeftButton:
            self._pick(item, bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if item is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._pick(item, bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        else:
            super().keyPressEvent(event)

    def _pick(self, item: QListWidgetItem, add: bool) -> None:
        self.picked.emit(item.data(CHOICE).value, add)


class _ChoiceDelegate(QStyledItemDelegate):
    """Title, a bar of its share of the most frequent one, the count; a section's name above its first line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        choice: Choice = index.data(CHOICE)
        grow = QFontMetricsF(option.font).height() / 17
        return QSize(120, round((ROW + (SECTION if choice.section else 0)) * max(grow, 1.0)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        choice: Choice = index.data(CHOICE)
        colours, place = theme.current(), QRect(option.rect)
        painter.save()
        if choice.section:
            head = round(place.height() * SECTION / (SECTION + ROW))
            words = QRect(place.left() + 12, place.top() + 6, place.width() - 24, head - 6)
            paint_cut(painter, words, choice.section, derived(option.font, 12), colours.dim)
            place.setTop(place.top() + head)
        ground = QStyleOptionViewItem(option)
        ground.rect = place
        paint_item_ground(painter, ground)
        if choice.chosen:
            painter.fillRect(place, QColor(colours.selection))
            painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
        font = QFont(option.font)
        count = f"{choice.count:,}"
        wide = max(round(QFontMetricsF(font).horizontalAdvance(count)), 22)
        right = place.right() - 12
        painter.setFont(font)
        painter.setPen(QColor(colours.secondary))
        side = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRect(right - wide, place.top(), wide, place.height()), side, count)
        most = max((one.count for one in self._of().choices if one.value), default=0)
        room = right - wide - place.left() - 12
        bar = _BAR if room > 150 else 0
        if bar and choice.value and most:
            ground_bar = QRect(right - wide - bar - 10, place.center().y() - 2, bar, 5)
            painter.fillRect(ground_bar, QColor(colours.inset))
            filled = max(round(bar * choice.count / most), 1 if choice.count else 0)
            painter.fillRect(QRect(ground_bar.left(), ground_bar.top(), filled, 5), QColor(colours.miss))
        words = QRect(place.left() + 14, place.top(), room - (bar + 16 if bar else 4), place.height())
        paint_cut(painter, words, choice.title, font, colours.text if choice.count else colours.dim)
        painter.restore()

    def _of(self) -> ChoicesList:
        parent = self.parent()
        assert isinstance(parent, ChoicesList)
        return parent
