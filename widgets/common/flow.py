"""Widgets side by side that go on in the next row where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """`gap` pixels between the items and between the rows; rows are as high as their highest item, the others in their
    middle."""

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
        rows: list[list[tuple[QLayoutItem, QRect]]] = [[]]
        x, y = inside.left(), inside.top()
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(max(inside.width(), 1), item.sizeHint().height()))
            if rows[-1] and x + size.width() > inside.left() + inside.width():
                x, y = inside.left(), y + _height(rows[-1]) + self._gap
                rows.append([])
            rows[-1].append((item, QRect(QPoint(x, y), size)))
            x += size.width() + self._gap
        for row in rows if move else ():
            for item, rect in row:
                item.setGeometry(rect.translated(0, (_height(row) - rect.height()) // 2))
        return y + _height(rows[-1]) - place.top() + self._margins().bottom()


def _height(row: list[tuple[QLayoutItem, QRect]]) -> int:
    return max((rect.height() for _item, rect in row), default=0)
