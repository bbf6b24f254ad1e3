"""Work for the next turn of the event loop: what may come after the picture is painted."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from stepscope.app.gui.shell.scrub_predictor import HURRIED, STAYS_MS

TURN_SECONDS = 0.004
"""So much of a turn is given to such work; what is left over comes in the next one."""
LIGHT_MS = 100
"""Milliseconds between two calls of light work while a person hurries through steps."""


class Debouncer(QObject):
    """Calls once in the next turn, however often it was asked for in this one.

    Asked for again and again, as by a held arrow key, it waits until nobody asks any more, if it `waits`: work that
    looks itself whether somebody hurries, or that asks for its own next turn, does not. `light` work, which shows where
    one is, is done now and then meanwhile.
    """

    def __init__(self, parent: QObject, call: Callable[[], object], *, light: bool = False, waits: bool = True) -> None:
        super().__init__(parent)
        self._light, self._waits, self._call = light, waits, call
        self._asked = self._called = float("-inf")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._do)

    def ask(self, *_values: object) -> None:
        if self._timer.isActive() and (self._light or self._timer.interval() == 0):
            return
        now = time.perf_counter()
        hurried, self._asked = now - self._asked < HURRIED, now
        if self._light:
            self._timer.start(max(0, LIGHT_MS - round(1000 * min(now - self._called, 1.0))))
        else:
            self._timer.start(STAYS_MS if hurried and self._waits else 0)

    @property
    def is_waiting(self) -> bool:
        return self._timer.isActive()

    def _do(self) -> None:
        if _turn.is_full:
            self._timer.start(0)
            return
        self._called = time.perf_counter()
        try:
            self._call()
        finally:
            _turn.spend(time.perf_counter() - self._called)


class _TurnTime(QObject):
    """What was spent of the turn of the event loop by all who do something in it."""

    _over = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._spent = 0.0
        self._over.connect(self._begin, Qt.ConnectionType.QueuedConnection)

    @property
    def is_full(self) -> bool:
        return self._spent > TURN_SECONDS

    def spend(self, seconds: float) -> None:
        if not self._spent:
            self._over.emit()
        self._spent += seconds

    def _begin(self) -> None:
        self._spent = 0.0


_turn = _TurnTime()
