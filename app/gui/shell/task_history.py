"""What ran in this window: each piece of work with its time and its end, the latest first."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime

from stepscope.core.frozen import dataclass

LIMIT = 1000


@dataclass(frozen=True, slots=True)
class EndedWork:
    """`seconds` from when it was asked for to its end; `how`: "succeeded", "failed" (`error` says why), "cancelled"."""

    name: str
    lane: str
    ended: datetime
    seconds: float
    how: str
    error: str = ""


class TaskHistory:
    """The newest LIMIT pieces of work."""

    def __init__(self) -> None:
        self._ended: deque[EndedWork] = deque(maxlen=LIMIT)

    def add(self, name: str, lane: str, seconds: float, how: str, error: str = "") -> None:
        self._ended.appendleft(EndedWork(name, lane, datetime.now(UTC), seconds, how, error))

    def ended(self) -> tuple[EndedWork, ...]:
        """The latest first."""
        return tuple(self._ended)


class StepTimes:
    """How long the newest steps took from the key to the picture, in seconds."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=LIMIT)

    def add(self, seconds: float) -> None:
        self._seconds.append(seconds)

    def sorted(self) -> list[float]:
        """The shortest first."""
        return sorted(self._seconds)
