"""What readers of TFRecord data sets share: reading an example's features."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from stepscope.core.archives.example import Example
from stepscope.core.domain.episode import Problem
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import text_of

Value = TypeVar("Value")


def refused_record(number: int, error: SourceError) -> Problem:
    """Record `number` of a shard, which cannot be read, with what to do about it."""
    message = f"{error.message}. {error.hint}" if error.hint else error.message
    return Problem(f"record {number}: {message}", field=error.field)


class Fields:
    """An example's features; one of the wrong kind counts as missing and is told to `note(field, message)`."""

    def __init__(self, example: Example, note: Callable[[str, str], None]) -> None:
        self._example = example
        self._note = note
        self._told: set[str] = set()

    def ints(self, name: str) -> list[int]:
        return self._read(self._example.ints, name)

    def floats(self, name: str) -> list[float]:
        return self._read(self._example.floats, name)

    def texts(self, name: str) -> list[str]:
        return [text_of(text) for text in self._read(self._example.texts, name)]

    def blobs(self, name: str) -> list[memoryview]:
        return self._read(self._example.blobs, name)

    def spans(self, name: str) -> list[tuple[int, int]]:
        return self._read(self._example.spans, name)

    def number(self, name: str) -> int | None:
        """The first number, None where there is none."""
        return next(iter(self.ints(name)), None)

    def text(self, name: str) -> str:
        """The first text, "" where there is none."""
        return next(iter(self.texts(name)), "")

    def _read(self, reader: Callable[[str], list[Value]], name: str) -> list[Value]:
        try:
            return reader(name)
        except SourceError as error:
            if name not in self._told:
                self._told.add(name)
                self._note(name, f"{error.message}. {error.hint}" if error.hint else error.message)
            return []
