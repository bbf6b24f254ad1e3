"""Widgets side by side, or one below the other where they have no room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget


class RoomRow(QWidget):
    """`pushed`: the parts from this one on stand at the right. Hidden parts take no room."""

    def __init__(self, *parts: QWidget, gap: int = 8, pushed: int | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts, self._gap = parts, gap
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(gap)
        self._row.setSizeConstraint(QBoxLayout.SizeConstraint.SetNoConstraint)
        for place, part in enumerate(parts):
            if place == pushed:
                self._row.addStretch(1)
            self._row.addWidget(part)

    def stacked(self) -> bool:
        return self._row.direction() is QBoxLayout.Direction.TopToBottom

    def minimumSizeHint(self) -> QSize:
        widest = max((part.minimumSizeHint().width() for part in self._shown()), default=0)
        return QSize(widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        """Parts come, go and grow with the text size: all of it asks for a layout."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return done

    def _arrange(self) -> None:
        shown = self._shown()
        needed = sum(part.sizeHint().width() for part in shown) + self._gap * max(0, len(shown) - 1)
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        wanted = beside if needed <= self.width() else below
        if self._row.direction() is not wanted:
            self._row.setDirection(wanted)

    def _shown(self) -> list[QWidget]:
        return [part for part in self._parts if not part.isHidden()]
