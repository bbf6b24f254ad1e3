"""Widgets side by side that go on in the next row where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """`gap` pixels between the items and between the rows; rows are as high as their highest item."""

    def __init__(self, gap: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """The largest item alone."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size.grownBy(self._margins())

    def setGeometry(self, place: QRect) -> None:
        super().setGeometry(place)
        self._arrange(place, move=True)

    def _margins(self) -> QMargins:
        return self.contentsMargins()

    def _arrange(self, place: QRect, *, move: bool) -> int:
        """Give the items their places; returns the height that is needed."""
        inside = place.marginsRemoved(self._margins())
        x, y, row = inside.left(), inside.top(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(max(inside.width(), 1), item.sizeHint().height()))
            if x > inside.left() and x + size.width() > inside.left() + inside.width():
                x, y, row = inside.left(), y + row + self._gap, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x, row = x + size.width() + self._gap, max(row, size.height())
        margins = self._margins()
        return y + row - place.top() + margins.bottom()
