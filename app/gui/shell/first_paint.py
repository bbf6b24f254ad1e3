"""What comes once a window has been painted for the first time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

AFTER_MS = 20
"""Left to a person's first key, which whatever is loaded in a thread then would hold up twice as long."""
UNSEEN_MS = 500
"""A window that nobody sees (minimised, on another desktop) is not painted: it waits no longer than this."""


class FirstPaint(QObject):
    """Calls `then` once, soon after the first painting of `window`, which is being shown."""

    def __init__(self, window: QWidget, then: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._then = window, then
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._call)
        self._timer.start(UNSEEN_MS)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._timer.interval() == UNSEEN_MS:
            self._timer.start(AFTER_MS)
        return False

    def _call(self) -> None:
        self._window.removeEventFilter(self)
        self._then()
