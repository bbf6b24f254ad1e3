"""Work in an event loop, written as one piece: a generator that yields what it waits for.

Each yield is a function that is given `resume` and calls it once with what the yield shall be worth. Nothing blocks and
no loop runs inside another.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

Wait = Callable[[Callable[[Any], None]], object]
Steps = Generator[Wait, Any, Any]


class GeneratorRun:
    """A generator at work. `done` is called once, with what it returned and None, or with None and what it raised."""

    def __init__(self, steps: Steps, done: Callable[[Any, Exception | None], object]) -> None:
        self._steps, self._done = steps, done
        self._turn = 0
        self._over = False

    def start(self) -> None:
        self._go(lambda: next(self._steps))

    def fail(self, error: Exception) -> None:
        """Let the generator see `error` instead of what it waits for."""
        if not self._over:
            self._go(lambda: self._steps.throw(error))

    def _go(self, move: Callable[[], Wait]) -> None:
        self._turn += 1
        try:
            wait = move()
        except StopIteration as end:
            self._end(end.value, None)
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            self._end(None, error)
        else:
            turn = self._turn
            wait(lambda value: self._resume(turn, value))

    def _resume(self, turn: int, value: Any) -> None:
        """An answer that comes after a failure, or a second time, is nobody's."""
        if not self._over and turn == self._turn:
            self._go(lambda: self._steps.send(value))

    def _end(self, value: Any, error: Exception | None) -> None:
        self._over = True
        self._done(value, error)
