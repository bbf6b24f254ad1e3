"""What comes once a window has been painted for the first time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

UNSEEN_MS = 500
"""A window that nobody sees (minimised, on another desktop) is not painted: it waits no longer than this."""


class FirstPaint(QObject):
    """Calls `then` once, in a turn of the event loop after the first painting of `window`, which is being shown."""

    def __init__(self, window: QWidget, then: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._then = window, then
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._call)
        self._timer.start(UNSEEN_MS)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._timer.start(0)
        return False

    def _call(self) -> None:
        self._window.removeEventFilter(self)
        self._then()
