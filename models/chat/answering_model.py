"""Who answers behind a server: a server may put another model in the place of the one that a run began with."""

from __future__ import annotations

import threading
from dataclasses import replace

from stepscope.models.chat.answers import ChatAnswer

_CHANGED = "The server answered as {now}; when this run began it was {first}."


class AnsweringModel:
    """The model that the server named first since `begin`; any thread may tell of answers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._first = ""

    def begin(self) -> None:
        """A run begins."""
        with self._lock:
            self._first = ""

    def noted(self, answer: ChatAnswer) -> ChatAnswer:
        """The answer, with a note where it is another model's. Names that the server gives may differ from the one that
        was asked for; only a change is told."""
        with self._lock:
            self._first = self._first or answer.model
            first = self._first
        if not answer.model or answer.model == first:
            return answer
        return replace(answer, note=_CHANGED.format(now=answer.model, first=first))
