"""Work for the next turn of the event loop: what may come after the picture is painted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Soon(QObject):
    """Calls once in the next turn, however often it was asked for in this one."""

    def __init__(self, parent: QObject, call: Callable[[], object]) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(lambda: call())

    def ask(self, *_values: object) -> None:
        self._timer.start()

    @property
    def is_waiting(self) -> bool:
        return self._timer.isActive()
