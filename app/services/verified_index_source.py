"""The data of a run, held against its index: a screen that was there when the index was made and is not any more is an
error of its episode, never an answer that was given without it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from stepscope.app.services.library import IndexedSource
from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem, summarise
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.fingerprint import fingerprint
from stepscope.core.store.repositories import sources

_SHARE = 20
"""A look at all files is believed for so many times as long as it took: it costs a twentieth of the time."""

_HINT = "Put back what has gone, or read the data again; then resume with the errors to be done again."


class IndexWords(Protocol):
    """What an index says: of an episode where it lies ("": nothing) and, where it was read whole, its row; and how all
    files looked when it was made ("": not known)."""

    def place_of(self, episode: str) -> str: ...

    def whole_row(self, episode: str) -> EpisodeSummary | None: ...

    def fingerprint(self) -> str: ...


class StoredIndex:
    """What the index of this row of the store says."""

    def __init__(self, database: Database, source_id: int) -> None:
        self._database, self._source_id = database, source_id

    def place_of(self, episode: str) -> str:
        with self._database.reading() as db:
            return sources.place_of(db, self._source_id, episode)

    def whole_row(self, episode: str) -> EpisodeSummary | None:
        with self._database.reading() as db:
            return sources.whole_row(db, self._source_id, episode)

    def fingerprint(self) -> str:
        with self._database.reading() as db:
            stored = sources.get(db, self._source_id)
        return stored.fingerprint if stored is not None else ""

    def excerpt(self, episodes: Sequence[str]) -> IndexExcerpt:
        """What it says of these, to be taken along."""
        with self._database.reading() as db:
            found = sources.known_rows(db, self._source_id, episodes)
        return IndexExcerpt(found, self.fingerprint())


@dataclass(frozen=True, slots=True)
class IndexExcerpt:
    """What an index says of some episodes, where its store cannot be asked: place and whole row of each."""

    rows: Mapping[str, tuple[str, EpisodeSummary | None]]
    files: str = ""

    def place_of(self, episode: str) -> str:
        return self.rows[episode][0] if episode in self.rows else ""

    def whole_row(self, episode: str) -> EpisodeSummary | None:
        return self.rows[episode][1] if episode in self.rows else None

    def fingerprint(self) -> str:
        return self.files


def as_indexed(database: Database, source_id: int, source: Source) -> Source:
    """The source for a run over this index of it."""
    if type(source) is not IndexedSource:
        return source
    return VerifiedIndexSource(source.inner, StoredIndex(database, source_id))


class VerifiedIndexSource(IndexedSource):
    """Reads episodes that are still what the index says of them.

    Of an episode that had been read whole the index knows each problem. Of the others it knows how all files looked:
    where one of their steps has a problem now, these must look as they did.
    """

    def __init__(self, source: Source, index: IndexWords) -> None:
        super().__init__(source, lambda episode: self.index.place_of(episode))
        self.index = index
        self._same_until = 0.0

    def read(self, episode_id: str, place: str = "") -> Episode:
        """The episode; SourceError where it has lost something since its index was made."""
        episode = super().read(episode_id, place)
        in_steps = [problem for problem in episode.problems if problem.step is not None]
        row = self.index.whole_row(episode_id)
        if row is not None:
            known = set(map(_said, row.problems))
            fresh = [problem for problem in episode.problems if _said(problem) not in known]
            now = summarise(episode)
            if fresh or (now.steps, now.screens) != (row.steps, row.screens):
                raise self._changed(episode_id, fresh)
        elif in_steps and not self._looks_same():
            raise self._changed(episode_id, in_steps)
        return episode

    def _changed(self, episode: str, problems: list[Problem]) -> SourceError:
        first = problems[0] if problems else Problem("it has other steps or screens", "")
        where = "" if first.step is None else f", step {first.step + 1}"
        where += f", {first.file}" if first.file else ""
        message = f"the data has changed since it was indexed{where}: {first.message.removesuffix('.')}"
        return SourceError(message, place=self.path, record=episode, field=first.field, hint=_HINT)

    def _looks_same(self) -> bool:
        begun = time.monotonic()
        if begun < self._same_until:
            return True
        known = self.index.fingerprint()
        if known and fingerprint(self.path) != known:
            return False
        now = time.monotonic()
        self._same_until = now + _SHARE * (now - begun)
        return True


def _said(problem: Problem) -> tuple[int | None, str, str, str]:
    return problem.step, problem.field, problem.file, problem.message
