"""What every reader of a data set offers, and what a format says of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from core.domain.episode import Episode, EpisodeSummary, Platform, Problem


class Source(Protocol):
    """An opened data set. Opening is quick; reading happens in `scan` and `read`, both safe on any thread."""

    format: str
    path: Path

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        """Every episode's index row in the data set's own order, lazily; a `Problem` where an episode is unreadable."""
        ...

    def read(self, episode_id: str) -> Episode:
        """The whole episode; raises SourceError when it cannot be read and UsageError when there is none of that id."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be read. `sniff` looks at content only (never at the folder's name) and must be quick."""

    name: str
    title: str
    platform: Platform
    kind: Literal["episodes", "procedures", "webtasks", "predictions"]
    checked: Literal["real", "fixture"]
    sniff: Callable[[Path], bool]
    open: Callable[[Path], Source]
