"""Cancelling and counting of long work. Long work is a generator that yields and asks its token between items."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import field
from typing import TypeVar

from stepscope.core.frozen import dataclass

Result = TypeVar("Result")


class CancelToken:
    """Set from any thread; polled by the work. `pause` holds the work at its next `wait_if_paused`."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._running = threading.Event()
        self._running.set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    @property
    def paused(self) -> bool:
        return not self._running.is_set()

    def cancel(self) -> None:
        """End the work after its current item; also wakes paused work."""
        self._cancelled.set()
        self._running.set()

    def pause(self) -> None:
        self._running.clear()

    def resume(self) -> None:
        self._running.set()

    def wait(self, seconds: float) -> None:
        """Do nothing for so long; ends at once when cancelled."""
        self._cancelled.wait(seconds)

    def wait_if_paused(self) -> None:
        """Block the calling worker while paused; returns at once when cancelled."""
        self._running.wait()


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a piece of long work. `rate` is items a second over the running time, None before the first
    item."""

    done: int
    total: int | None
    rate: float | None = None
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class WorkerPace:
    """What one of several workers has done: items, and of them a second over the time since it was ready. `name` is its
    machine and process; a lost one has died, or its machine is gone."""

    name: str
    items: int
    rate: float
    lost: bool = False


def then_result(told: Iterable[Progress | Result]) -> Generator[Progress, None, Result | None]:
    """How far it is, and as the generator's value what came of it, which is told last; None where it was stopped
    before."""
    result: Result | None = None
    for one in told:
        if isinstance(one, Progress):
            yield one
        else:
            result = one
    return result


@dataclass
class ProgressMeter:
    """Turns "one more done" into `Progress`; paused time is not counted. `clock` returns seconds."""

    total: int | None
    done: int = 0
    clock: Callable[[], float] = time.monotonic
    _started: float = field(init=False)
    _counted_from: int = field(init=False)

    def __post_init__(self) -> None:
        self._started = self.clock()
        self._counted_from = self.done

    def discount(self, seconds: float) -> None:
        """Leave out `seconds` that were spent paused."""
        self._started += seconds

    def advance(self, count: int = 1) -> Progress:
        self.done += count
        return self.snapshot()

    def reach(self, done: int) -> Progress:
        """So many are done by now."""
        return self.advance(done - self.done)

    def snapshot(self) -> Progress:
        elapsed = self.clock() - self._started
        fresh = self.done - self._counted_from
        rate = fresh / elapsed if fresh and elapsed > 0 else None
        left = (self.total - self.done) / rate if rate and self.total is not None else None
        return Progress(self.done, self.total, rate, left)
