"""When garbage is collected: little by little, and all of it when nobody is there.

Python looks through everything now and then, which takes a window with all its modules 100 to 300 ms, in whatever
thread it happens, and no other thread runs meanwhile. Almost nothing here needs it: what holds no cycle goes by itself.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

LOOK_MS = 1_000
DUE = 3
"""Young collections since the last look after which what they left is looked through: some 20,000 objects at most."""
FEW = 20_000
"""So many objects are looked through in 5 to 15 ms. More of them came in one go, with modules or data, and stay."""
NEVER = 1_000_000
AWAY_LOOKS = 60
"""A person who has touched nothing for so many looks is away."""
PUT_ASIDE = 10
"""Looking through everything is worth it when something was put aside so often."""


class GarbageKeeper(QObject):
    """Keeps Python from looking through everything by itself, from `begin` to `end`.

    New objects are looked through once and then put aside (frozen). When nothing is at work and the person is away for
    a minute, which the same `signs` at every look say, what was put aside is looked through too.
    """

    def __init__(self, parent: QObject, signs: Callable[[], object]) -> None:
        super().__init__(parent)
        self._signs, self._last_signs = signs, signs()
        self._same_for = self._put_aside = 0
        self._before: tuple[int, int, int] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)

    def begin(self) -> None:
        if self._before is None:
            self._before = gc.get_threshold()
            gc.set_threshold(self._before[0], self._before[1], NEVER)
        self._timer.start()

    def end(self) -> None:
        """Python looks through everything by itself again, but for what was put aside."""
        self._timer.stop()
        if self._before is not None:
            gc.set_threshold(*self._before)
            self._before = None

    def _look(self) -> None:
        if gc.get_count()[2] >= DUE:
            if len(gc.get_objects(generation=2)) <= FEW:
                gc.collect()
            gc.freeze()
            self._put_aside += 1
        signs = self._signs()
        self._same_for = self._same_for + 1 if signs == self._last_signs else 0
        self._last_signs = signs
        if self._same_for >= AWAY_LOOKS and self._put_aside >= PUT_ASIDE:
            self._look_through_everything()

    def _look_through_everything(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._put_aside = 0
