"""Batches as large as the device's memory allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from stepscope.core.errors import OutOfMemory

P = TypeVar("P")
R = TypeVar("R")


class BatchSizer:
    """Runs batches and halves them where memory runs out. `size` is the largest batch that it still tries."""

    def __init__(self, largest: int) -> None:
        """`largest` is the size to begin with, at least 1."""
        if largest < 1:
            raise ValueError("a batch holds at least one item")
        self.size = largest

    def run(self, inputs: Sequence[P], predict: Callable[[Sequence[P]], Sequence[R]]) -> list[R | Exception]:
        """One answer for each input, in order; where there is none, the reason.

        A batch that does not fit is halved, and `size` remembers it. A batch that fails otherwise is halved too, so as
        to find the input whose fault it is; `size` stays. What a single input raises is that input's answer.
        """
        answers: list[R | Exception] = []
        while len(answers) < len(inputs):
            answers += self._part(inputs[len(answers) : len(answers) + self.size], predict)
        return answers

    def _part(self, part: Sequence[P], predict: Callable[[Sequence[P]], Sequence[R]]) -> list[R | Exception]:
        half = len(part) // 2
        try:
            found = predict(part)
            if len(found) == len(part):
                return list(found)
            raise ValueError(f"the model gave {len(found)} answers to {len(part)} inputs")
        except Exception as error:  # noqa: BLE001 - a model's fault on one input must not cost the others
            if not half:
                return [error.with_traceback(None)]  # its frames would hold on to the memory that ran out
            if isinstance(error, OutOfMemory):
                self.size = min(self.size, half)
        # Only here has the error, and with it the memory that its frames held, been let go.
        if self.size <= half:
            return self.run(part, predict)
        return self._part(part[:half], predict) + self._part(part[half:], predict)
