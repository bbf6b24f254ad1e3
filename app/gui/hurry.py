"""Whether a person hurries through steps (holds the arrow key, scrubs), which way, and how far ahead to decode."""

from __future__ import annotations

HURRIED = 0.15
"""Seconds between two steps below which a person only glances at them."""
FARTHEST_LEAD = 4
AHEAD = 8
"""Steps decoded ahead while one hurries."""


class Hurry:
    """Told of every step; knows no clock and no pictures."""

    def __init__(self) -> None:
        self._place = 0
        self._time = float("-inf")
        self._way, self._lead = 1, 1
        self.is_on = False

    def went_to(self, place: int, now: float) -> None:
        """The step at `place` is shown from the moment `now` (seconds) on."""
        self.is_on = now - self._time < HURRIED
        if place != self._place:
            self._way = 1 if place > self._place else -1
        if not self.is_on:
            self._lead = 1
        self._place, self._time = place, now

    def found(self, was_there: bool) -> None:
        """Whether the step's picture was there in time: where it was not, later ones are begun with."""
        self._lead = max(self._lead - 1, 1) if was_there else min(self._lead + 1, FARTHEST_LEAD)

    def over(self) -> None:
        """The person stays."""
        self.is_on, self._lead = False, 1

    def ahead(self, steps: int) -> list[int]:
        """Places whose pictures to decode now, of an episode of `steps`."""
        places = (self._place + self._way * by for by in range(self._lead, self._lead + AHEAD))
        return [place for place in places if 0 <= place < steps]

    def around(self, steps: int) -> list[int]:
        """Places to decode for someone who stays: the neighbours first, more of them the way one went."""
        places = (self._place + self._way * by for by in (1, -1, 2, 3, -2))
        return [place for place in places if 0 <= place < steps]
