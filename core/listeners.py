"""Telling several listeners one kind of thing, from any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Listeners(Generic[T]):
    """Listeners come and go in any thread, also while they are told; who comes meanwhile hears the next thing."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._all: tuple[Callable[[T], object], ...] = ()

    def add(self, listener: Callable[[T], object]) -> Callable[[], None]:
        """Tell it from now on. What comes back ends that; called again it does nothing."""

        def hear(thing: T) -> object:  # one of its own: a listener that was added twice is taken away once
            return listener(thing)

        with self._changing:
            self._all = (*self._all, hear)
        return lambda: self._remove(hear)

    def tell(self, thing: T) -> None:
        """Call all of them, in the order in which they came. What the first raised is raised when all were called."""
        raised: Exception | None = None
        for listener in self._all:
            try:
                listener(thing)
            except Exception as error:  # noqa: BLE001 - raised below
                raised = raised or error
        if raised is not None:
            raise raised

    def _remove(self, hear: Callable[[T], object]) -> None:
        with self._changing:
            self._all = tuple(one for one in self._all if one is not hear)
