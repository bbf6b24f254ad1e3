"""The recogniser of touches: presses, moves and releases become taps, long presses, double taps and swipes."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, QTimer, Signal

from stepscope.core.domain.geometry import Point

HELD_MS = 500
"""A press that stays so long is a long press: what Android itself calls one by default is 400 or 500 ms."""
AGAIN_MS = 250
"""A tap waits so long for a second one; Android's own apps wait 300 ms."""
SEEN_MS = 300
"""What is seen of a touch stays so long after it: the device answers later than the hand ends."""
SLACK = 6.0
"""Logical pixels that the pointer may move before a press is a swipe."""


class Touch(QObject):
    """Places are points of the device's screen. A tap is told as soon as no second one can make it a double tap: the
    pointer has gone on, or AGAIN_MS are over. `changed`: what is to be seen of the touch (`trail`) is another.

    `swiped(start, end, milliseconds)`.
    """

    tapped = Signal(object)
    double_tapped = Signal(object)
    long_pressed = Signal(object)
    swiped = Signal(object, object, int)
    changed = Signal()

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self.trail: tuple[Point, ...] = ()
        self._clock = clock
        self._start: tuple[QPointF, Point, float] | None = None
        self._moved = False
        self._tap: tuple[QPointF, Point] | None = None
        self._held = self._timer(HELD_MS, self._hold)
        self._again = self._timer(AGAIN_MS, self.settle)
        self._fade = self._timer(SEEN_MS, lambda: self._show(()))

    @property
    def is_down(self) -> bool:
        return self._start is not None

    @property
    def waits(self) -> bool:
        """Whether a tap waits for a second one."""
        return self._tap is not None

    def press(self, place: QPointF, point: Point) -> None:
        """`place` is where the pointer is on the glass, `point` what lies there on the device's screen."""
        if self._tap is not None and _far(place, self._tap[0]) > SLACK:
            self.settle()
        self._again.stop()
        self._start, self._moved = (place, point, self._clock()), False
        self._held.start()
        self._fade.stop()
        self._show((point,))

    def move(self, place: QPointF, point: Point) -> None:
        """Moved, with the button down or not."""
        if self._start is None:
            if self._tap is not None and _far(place, self._tap[0]) > SLACK:
                self.settle()
            return
        if not self._moved and _far(place, self._start[0]) > SLACK:
            self._moved = True
            self._held.stop()
        if self._moved:
            self._show((*self.trail, point))

    def release(self, point: Point) -> None:
        if self._start is None:
            return
        place, first, at = self._start
        moved = self._moved
        self._end()
        if moved:
            self.settle()
            self.swiped.emit(first, point, max(1, round(1000 * (self._clock() - at))))
        elif self._tap is not None:
            self._tap = None
            self.double_tapped.emit(first)
        else:
            self._tap = (place, first)
            self._again.start()

    def cancel(self) -> None:
        """Forget the touch that goes on."""
        self._end()
        self._show(())

    def settle(self) -> None:
        """Tell the tap that waits: no second one is coming."""
        self._again.stop()
        tap, self._tap = self._tap, None
        if tap is not None:
            self.tapped.emit(tap[1])

    def _hold(self) -> None:
        if self._start is not None:
            point = self._start[1]
            self._end()
            self.settle()
            self.long_pressed.emit(point)

    def _end(self) -> None:
        self._held.stop()
        self._start = None
        self._fade.start()

    def _show(self, trail: tuple[Point, ...]) -> None:
        if trail != self.trail:
            self.trail = trail
            self.changed.emit()

    def _timer(self, milliseconds: int, call: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(call)
        return timer


def _far(one: QPointF, other: QPointF) -> float:
    between = one - other
    return max(abs(between.x()), abs(between.y()))
