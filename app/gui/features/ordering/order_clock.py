"""The clock of whoever orders blind: it runs while they look at the cards, and can be stopped."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

TICK_MS = 1000
KEPT_EVERY = 10
"""Ticks after which the time is to be written: so much of it a kill costs at most."""


class OrderClock(QObject):
    """`ticked(float)`: the seconds by now; `due()`: it is time to write them. `paused`: it stands until the person lets
    it run."""

    ticked = Signal(float)
    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._counted = 0.0
        self._since: float | None = None
        self._ticks = 0
        self.paused = False
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def seconds(self) -> float:
        """The seconds until now."""
        return self._counted + (time.monotonic() - self._since if self._since is not None else 0.0)

    @property
    def is_running(self) -> bool:
        return self._since is not None

    def reset(self, seconds: float) -> None:
        """Go on from there."""
        self._counted = seconds
        if self._since is not None:
            self._since = time.monotonic()

    def start(self) -> None:
        """Run, unless it is paused."""
        if self._since is None and not self.paused:
            self._since = time.monotonic()
            self._timer.start()

    def stop(self) -> None:
        """Stand still."""
        self._counted, self._since = self.seconds, None
        self._timer.stop()

    def _tick(self) -> None:
        self._ticks += 1
        self.ticked.emit(self.seconds)
        if self._ticks % KEPT_EVERY == 0:
            self.due.emit()
