"""Work for the next turn of the event loop: what may come after the picture is painted."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from stepscope.app.gui.shell.scrub_predictor import HURRIED, STAYS_MS

TURN_SECONDS = 0.004
"""So much of a turn is given to such work; what is left over comes in the next one."""
HELD_MS, LONGEST_HELD = 3, 0.04
"""What is held back is looked at again after so many milliseconds, and is done after so many seconds, whatever is
waited for."""
LIGHT_MS = 100
"""Milliseconds between two calls of light work while a person hurries through steps."""


class Debouncer(QObject):
    """Calls once in the next turn, however often it was asked for in this one.

    Asked for again and again, as by a held arrow key, it waits until nobody asks any more, if it `waits`: work that
    looks itself whether somebody hurries, or that asks for its own next turn, does not. `light` work, which shows where
    one is, is done now and then meanwhile. While a person waits for a picture (`hold_back`), all of it waits a moment.
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
        if _turn.is_full or _turn.is_held:
            self._timer.start(HELD_MS if _turn.is_held else 0)
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
        self.held_until = 0.0
        self._over.connect(self._begin, Qt.ConnectionType.QueuedConnection)

    @property
    def is_full(self) -> bool:
        return self._spent > TURN_SECONDS

    @property
    def is_held(self) -> bool:
        return time.perf_counter() < self.held_until

    def spend(self, seconds: float) -> None:
        if not self._spent:
            self._over.emit()
        self._spent += seconds

    def _begin(self) -> None:
        self._spent = 0.0


_turn = _TurnTime()


def hold_back() -> None:
    """Such work comes after what a person waits for now: until `go_on`, for a moment at the most."""
    _turn.held_until = time.perf_counter() + LONGEST_HELD


def go_on() -> None:
    """It has come, or will not."""
    _turn.held_until = 0.0
