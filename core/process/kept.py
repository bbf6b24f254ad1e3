"""Child processes that are lent to one caller at a time and kept for the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


Lent = TypeVar("Lent", bound=Closable)


class KeptProcesses(Generic[Lent]):
    """Makes one where none is idle, and keeps `most` that are. Use it from any thread."""

    def __init__(self, make: Callable[[], Lent], most: int) -> None:
        self._make, self._most = make, most
        self._idle: list[Lent] = []
        self._giving = threading.Lock()

    @contextmanager
    def borrowed(self) -> Iterator[Lent]:
        """One for this caller alone."""
        with self._giving:
            one = self._idle.pop() if self._idle else self._make()
        try:
            yield one
        finally:
            with self._giving:
                keep = len(self._idle) < self._most
                if keep:
                    self._idle.append(one)
            if not keep:
                one.close()

    def close(self) -> None:
        """End those that wait for work."""
        with self._giving:
            idle, self._idle[:] = list(self._idle), []
        for one in idle:
            one.close()
