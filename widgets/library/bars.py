"""The narrow rows below the list: what was skipped, how far reading is."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from stepscope.widgets.common import Badge, ElidedLabel, LinkButton
from stepscope.widgets.common.loading_rows import COUNT_AFTER_MS
from stepscope.widgets.format import count, counted


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


class MissingBar(QWidget):
    """The data is not there any more, in red; a button asks where it is now."""

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._badge = Badge("Not there any more", "miss")
        self._locate = LinkButton("Locate again…")
        self._locate.clicked.connect(self.pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self._badge)
        row.addStretch(1)
        row.addWidget(self._locate)
        self.hide()


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
