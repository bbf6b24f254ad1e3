"""The episodes beside the one that is shown, read before they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.core.domain.episode import Episode
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken

MOST_STEPS = 1000
"""Longer episodes are not kept: reading one takes the window's time, and it takes memory."""


@dataclass
class _Reading:
    """One that is being read. `begun`: by its thread, it waits for no other; `then`: who asked for it meanwhile."""

    episode: str
    begun: bool = False
    then: Callable[[Episode | None], object] | None = None


class EpisodesAhead(QObject):
    """Keeps those of one source that were wanted last. `read()`: one more is there. One that cannot be read is passed
    over: who asks for it is told."""

    read = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self._source: OpenSource | None = None
        self._wanted: tuple[str, ...] = ()
        self._kept: dict[str, Episode | None] = {}
        """None: is being read, or is not to be kept"""
        self._token = CancelToken()
        self._reading: _Reading | None = None

    @property
    def episodes(self) -> list[Episode]:
        return [episode for wanted in self._wanted if (episode := self._kept.get(wanted)) is not None]

    def want(self, source: OpenSource, episodes: Iterable[str]) -> None:
        """Read these where they are not kept yet, in this order and one after the other; forget all others."""
        if self._source is None or source.source is not self._source.source:
            self.forget()
        self._source, self._wanted = source, tuple(episodes)
        self._kept = {wanted: self._kept[wanted] for wanted in self._wanted if wanted in self._kept}
        self._read_next()

    def forget(self) -> None:
        self._token.cancel()
        self._token, self._source, self._wanted, self._kept = CancelToken(), None, (), {}
        self._reading = None

    def take(self, source: OpenSource, episode: str) -> Episode | None:
        """The episode, if it is there."""
        same = self._source is not None and source.source is self._source.source
        return self._kept.get(episode) if same else None

    def wait_for(self, source: OpenSource, episode: str, then: Callable[[Episode | None], object]) -> bool:
        """Whether the episode is being read at this moment; `then` gets it, None where it cannot be had."""
        same, reading = self._source is not None and source.source is self._source.source, self._reading
        if not same or reading is None or not reading.begun or reading.episode != episode:
            return False
        reading.then = then
        return True

    def _read_next(self) -> None:
        source, missing = self._source, [wanted for wanted in self._wanted if wanted not in self._kept]
        if source is None or not missing:
            return
        episode, asked = missing[0], self._token
        self._kept[episode] = None
        reading = self._reading = _Reading(episode)

        def read(_token: CancelToken) -> Episode | None:
            if asked.cancelled:
                return None
            reading.begun = True
            try:
                return source.source.read(episode)
            except UserError:
                return None

        def told(found: Episode | None) -> None:
            if self._reading is reading:
                self._reading = None
            if reading.then is not None:
                reading.then(found)

        def broken(error: Exception) -> None:
            told(None)
            if reading.then is None:  # else who asked for it reads it, and says the same
                self._context.messages.failure(error)

        def came(found: Episode | None) -> None:
            told(found)
            if asked is not self._token:
                return
            if found is not None and episode in self._kept and len(found.steps) <= MOST_STEPS:
                self._kept[episode] = found
                self.read.emit()
            self._read_next()

        self._context.start(f"read {episode} ahead", read, came, failed=broken, priority=-2)
