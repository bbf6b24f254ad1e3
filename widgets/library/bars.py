"""The narrow rows below the list: what was skipped, how far reading is; and what stands there while it is read."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from stepscope.widgets.common import Badge, ElidedLabel, LinkButton
from stepscope.widgets.common.states import paint_skeleton_bar
from stepscope.widgets.format import count, counted

COUNT_AFTER_MS = 1000
"""A count is worth reading only when loading takes this long."""
SKELETON_AFTER_MS = 100


class PartialBar(QWidget):
    """12 of 495 skipped, in amber; a click tells which."""

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._badge = Badge("", "warn")
        self._rest = ElidedLabel("", "secondary")
        self._show = LinkButton("Show")
        self._show.setAccessibleName("Show what could not be read")
        self._show.clicked.connect(self.pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self._badge)
        row.addWidget(self._rest, 1)
        row.addWidget(self._show)
        self.hide()

    def set_counts(self, skipped: int, total: int, problems: int = 0) -> None:
        if skipped:
            self._badge.set_words(f"⚠ {count(skipped)} of {count(total)} skipped", "warn")
            self._rest.setText(f"the other {count(total - skipped)} are open")
        else:
            self._badge.set_words(f"⚠ {counted(problems, 'problem')}", "warn")
            self._rest.setText("all episodes are open")
        self.setVisible(skipped > 0 or problems > 0)

    def words(self) -> str:
        return self._badge.text()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.pressed.emit()


class ReadingBar(QWidget):
    """The source that is being read, how far, and a way to stop it; comes after a second: what is quick does not
    flicker."""

    stop_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ElidedLabel("", "secondary")
        self._stop = LinkButton("Stop")
        self._stop.setAccessibleName("Stop reading")
        self._stop.setToolTip("Stop reading; what was found stays open (Ctrl+Shift+.)")
        self._stop.clicked.connect(self.stop_pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self._words, 1)
        row.addWidget(self._stop)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(COUNT_AFTER_MS)
        self._timer.timeout.connect(self.show)
        self.hide()

    def set_words(self, words: str) -> None:
        """Such as "Reading MoTIF: 1,240 episodes"; "" when nothing is read any more."""
        self._words.setText(words)
        if not words:
            self._timer.stop()
            self.hide()
        elif self.isHidden() and not self._timer.isActive():
            self._timer.start()

    def words(self) -> str:
        return self._words.text()


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
