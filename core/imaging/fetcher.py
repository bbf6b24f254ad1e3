"""Pictures fetched before anyone asks for them, by threads that stand back while a person waits for one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Generic

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.cache import Gate, PictureCache, Value
from stepscope.core.imaging.pixel_memory import pixel_memory

MOST_THREADS = 2
"""More decode no faster on the two cores of a small machine."""


@dataclass(frozen=True, slots=True)
class PictureRequest(Generic[Value]):
    """A picture to be had in a cache; `tell` gets it in the thread that fetched it. A damaged one is passed over: who
    asks for it is told."""

    cache: PictureCache[Value]
    picture: Picture
    max_size: Size | None = None
    tell: Callable[[Value], object] | None = None


class Fetcher(Generic[Value]):
    """Fulfils wishes in order: those of the queue that was named first (`queues`) before those of the next.

    `gate` is the one of the caches. Every method may be called from any thread.
    """

    def __init__(self, gate: Gate, queues: tuple[str, ...]) -> None:
        self._gate, self._state = gate, gate.changed
        self._wishes: dict[str, list[PictureRequest[Value]]] = {name: [] for name in queues}
        self._threads: list[threading.Thread] = []
        self._busy, self._most = 0, 1
        self._closed = False

    def request(self, queue: str, wishes: Iterable[PictureRequest[Value]], *, threads: int = 1) -> None:
        """Replace what a queue wanted and has not begun. `threads` (1 or 2) decode at once, until the next call."""
        with self._state:
            self._most = min(threads, MOST_THREADS)
            self._set(queue, list(wishes))

    def want_more(self, queue: str, wishes: Iterable[PictureRequest[Value]]) -> None:
        """Add to what a queue wants."""
        with self._state:
            self._set(queue, [*self._wishes[queue], *wishes])

    def drop(self, queue: str) -> None:
        """A queue wants nothing any more that has not begun."""
        with self._state:
            self._set(queue, [])

    def wait_until_idle(self, timeout: float | None = None) -> bool:
        """Wait (seconds) until nothing is left to fetch; False when time ran out."""
        with self._state:
            return self._state.wait_for(lambda: not self._busy and not any(self._wishes.values()), timeout)

    def close(self) -> None:
        """End fetching and wait for the threads."""
        with self._state:
            self._closed = True
            self._state.notify_all()
        for thread in self._threads:
            thread.join()

    def _set(self, queue: str, wishes: list[PictureRequest[Value]]) -> None:
        if self._closed:
            return
        self._wishes[queue] = wishes
        while wishes and len(self._threads) < self._most:
            thread = threading.Thread(target=self._work, name="picture fetcher", daemon=True)
            self._threads.append(thread)
            thread.start()
        self._state.notify_all()

    def _work(self) -> None:
        while (wish := self._next()) is not None:
            try:
                kept = wish.cache.fetch(wish.picture, wish.max_size, hurried=self._most > 1)
                if wish.tell is not None:
                    wish.tell(kept)
                if wish.max_size is None and self._most == 1:  # who asks for another one need not wait for its memory
                    pixel_memory.get_ready(3 * wish.picture.size.width * wish.picture.size.height)
            except UserError:
                continue  # whoever asks for the picture itself is told
            finally:
                with self._state:
                    self._busy -= 1
                    self._state.notify_all()

    def _next(self) -> PictureRequest[Value] | None:
        """The next wish once nobody waits and a thread may work; None when closed."""
        with self._state:
            self._state.wait_for(lambda: self._closed or self._may_begin())
            if self._closed:
                return None
            self._busy += 1
            return next(wishes for wishes in self._wishes.values() if wishes).pop(0)

    def _may_begin(self) -> bool:
        return self._gate.is_free and self._busy < self._most and any(self._wishes.values())
