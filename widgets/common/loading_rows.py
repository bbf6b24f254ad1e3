"""What stands in the place of a list while it is read."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from stepscope.widgets.common.elided import ElidedLabel
from stepscope.widgets.common.states import paint_skeleton_bar

COUNT_AFTER_MS = 1000
"""A count is worth reading only when loading takes this long."""
SKELETON_AFTER_MS = 100


class LoadingRows(QWidget):
    """Skeleton rows after 100 ms, the count after a second: what is quick does not flicker."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._skeleton = False
        self._words = ElidedLabel("", "secondary")
        self._words.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addStretch(1)
        column.addWidget(self._words)
        self._skeleton_timer = self._after(SKELETON_AFTER_MS, self._show_skeleton)
        self._count_timer = self._after(COUNT_AFTER_MS, self._words.show)

    def set_words(self, words: str) -> None:
        """Say what is being read; "" starts afresh next time."""
        self._words.setText(words)
        if not words:
            self._skeleton_timer.stop()
            self._count_timer.stop()
            self._words.hide()
            self._skeleton = False
        elif not self._words.isVisibleTo(self) and not self._count_timer.isActive():
            self._skeleton_timer.start()
            self._count_timer.start()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._skeleton:
            return
        painter = QPainter(self)
        for row in range(3):
            top, width = 16 + row * 52, self.width() - 24
            painter.setOpacity(1 - row / 4)
            paint_skeleton_bar(painter, 12, top, width * (0.7 - 0.1 * row), 10)
            paint_skeleton_bar(painter, 12, top + 20, 64, 8)
            paint_skeleton_bar(painter, 84, top + 20, 44, 8)
            paint_skeleton_bar(painter, self.width() - 72, top + 20, 60, 8)
        painter.end()

    def _show_skeleton(self) -> None:
        self._skeleton = True
        self.update()

    def _after(self, milliseconds: int, call: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(call)
        return timer
