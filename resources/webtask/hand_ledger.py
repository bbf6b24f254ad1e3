"""Whether a page has heard of the clicks and keys that were sent to it.

The browser hands them on one after the other, each after the answer to the one before, and a script that is asked
something overtakes them: who read the page right after a key would miss its letter.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from stepscope.resources.sample.steps import Steps, Wait

HEARD_SECONDS = 1.0
"""So long the page may take from one to the next; what goes into a frame of the page never is heard of."""


class HandLedger:
    """Releases of keys and mouse buttons are counted, and turns of the wheel."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sent: Counter[str] = Counter()
        self._known: Counter[str] = Counter()

    def clear(self) -> None:
        """Another page has heard of nothing."""
        self._sent.clear()
        self._known.clear()

    def sent(self, what: str) -> None:
        self._sent[what] += 1

    def sent_as_one(self, what: str) -> None:
        """Of several such the page may hear as of one."""
        self._sent[what] = self._known[what] + 1

    def heard(self, counts: Callable[[], Steps], pause: Wait) -> Steps:
        """Wait until the page has heard of all that was sent before the call. `counts` asks the page of how many it
        has; what it has not heard of a while after the one before is given up."""
        sent = Counter(self._sent)
        end = self._clock() + HEARD_SECONDS
        while lost := sent - self._known:
            heard: Counter[str] = Counter((yield from counts()))
            if heard != self._known:
                self._known, end = heard, self._clock() + HEARD_SECONDS
            elif self._clock() > end:
                self._sent -= lost
                return
            else:
                yield pause
