"""The items of a drop-down list of the page, shown by the window: a page's own list would open where nobody sees it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from stepscope.core.webtask.page import PageOption
from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import tip_words

_MOST_ROWS = 12
_WIDEST = 560
_SIDES = 40
"""Pixels beside the words: frame, padding, scroll bar."""
_SHEET = """
QListWidget {{ background: {raised}; border: 1px solid {line}; border-radius: 6px; padding: 3px; color: {text}; }}
QListWidget::item {{ padding: 4px 8px; border-radius: 4px; }}
QListWidget::item:selected {{ background: {selection}; color: {text}; }}
"""


class PageList(QListWidget):
    """Letters find an item, arrows go on, Enter or a click takes it, Esc or a click elsewhere closes without taking.

    `taken(str)`: the value of the item; `closed()` afterwards, or alone.
    """

    taken = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowFlag(Qt.WindowType.Popup)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.itemEntered.connect(self.setCurrentItem)
        self.itemClicked.connect(self._take)

    def open(self, items: Sequence[PageOption], name: str, below: QRect) -> None:
        """Show the items under a place on the display, above it where there is no room below; at least as wide."""
        colours = theme.current()
        self.setStyleSheet(
            _SHEET.format(raised=colours.raised, line=colours.line, text=colours.text, selection=colours.selection)
        )
        self.setAccessibleName(f"Items of {name}" if name else "Items")
        self.clear()
        for one in items:
            words = " ".join((one.label or one.value).split())
            item = QListWidgetItem(words)
            item.setData(Qt.ItemDataRole.UserRole, one.value)
            item.setToolTip(tip_words(words))
            self.addItem(item)
        self.setCurrentRow(next((row for row, one in enumerate(items) if one.chosen), 0))
        self.setGeometry(self._place(below))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self.scrollToItem(self.currentItem(), QAbstractItemView.ScrollHint.PositionAtCenter)

    def _place(self, below: QRect) -> QRect:
        rows = max(1, min(self.count(), _MOST_ROWS))
        size = QSize(min(max(below.width(), self.sizeHintForColumn(0) + _SIDES), _WIDEST), self._height(rows))
        screen = QGuiApplication.screenAt(below.center()) or self.screen()
        room = screen.availableGeometry()
        fits = below.bottom() + 2 + size.height() <= room.bottom() or below.top() - room.top() < size.height()
        top = below.bottom() + 2 if fits else below.top() - 2 - size.height()
        left = min(max(below.left(), room.left()), max(room.left(), room.right() - size.width()))
        return QRect(QPoint(left, top), size)

    def _height(self, rows: int) -> int:
        return rows * max(1, self.sizeHintForRow(0)) + 8

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self._take(self.currentItem())
        elif event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Let no shortcut of the window come between the letters."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()

    def _take(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.taken.emit(item.data(Qt.ItemDataRole.UserRole))
        self.hide()
