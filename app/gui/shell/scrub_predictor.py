"""Whether a person hurries through steps (holds the arrow key, scrubs), which way, and how far ahead to decode."""

from __future__ import annotations

HURRIED = 0.15
"""Seconds between two steps below which a person only glances at them."""
STAYS_MS = 40
"""Milliseconds without another step after which a person who hurried stays; a held key repeats every 33."""
FARTHEST_LEAD = 8
CALM = 5
"""Pictures in a row that were there in time, after which one dares to begin with nearer ones."""
AHEAD = 8
"""Steps decoded ahead while one hurries."""


class ScrubPredictor:
    """Told of every step; knows no clock and no pictures."""

    def __init__(self) -> None:
        self._place = 0
        self._time = float("-inf")
        self._way, self._lead, self._in_time = 1, 1, 0
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
        self._in_time = self._in_time + 1 if was_there else 0
        if not was_there:
            self._lead = min(self._lead + 1, FARTHEST_LEAD)
        elif self._in_time >= CALM:
            self._lead, self._in_time = max(self._lead - 1, 1), 0

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
