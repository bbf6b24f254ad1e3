"""The data of a run, held against its index: a screen that was there when the index was made and is not any more is an
error of its episode, never an answer that was given without it."""

from __future__ import annotations

import time

from stepscope.app.services.library import IndexedSource
from stepscope.core.domain.episode import Episode, Problem, summarise
from stepscope.core.errors import SourceError
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.fingerprint import fingerprint
from stepscope.core.store.repositories import sources

_SHARE = 20
"""A look at all files is believed for so many times as long as it took: it costs a twentieth of the time."""

_HINT = "Put back what has gone, or read the data again; then resume with the errors to be done again."


def as_indexed(database: Database, source_id: int, source: Source) -> Source:
    """The source for a run over this index of it."""
    return VerifiedIndexSource(database, source_id, source) if type(source) is IndexedSource else source


class VerifiedIndexSource(IndexedSource):
    """Reads episodes that are still what the index says of them.

    Of an episode that had been read whole the index knows each problem. Of the others it knows how all files looked:
    where one of their steps has a problem now, these must look as they did.
    """

    def __init__(self, database: Database, source_id: int, indexed: IndexedSource) -> None:
        super().__init__(indexed.inner, indexed._place_of)
        self._database, self._source_id = database, source_id
        self._same_until = 0.0

    def read(self, episode_id: str, place: str = "") -> Episode:
        """The episode; SourceError where it has lost something since its index was made."""
        episode = super().read(episode_id, place)
        in_steps = [problem for problem in episode.problems if problem.step is not None]
        with self._database.reading() as db:
            row = sources.whole_row(db, self._source_id, episode_id)
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
        with self._database.reading() as db:
            stored = sources.get(db, self._source_id)
        if stored is not None and stored.fingerprint and fingerprint(self.path) != stored.fingerprint:
            return False
        now = time.monotonic()
        self._same_until = now + _SHARE * (now - begun)
        return True


def _said(problem: Problem) -> tuple[int | None, str, str, str]:
    return problem.step, problem.field, problem.file, problem.message
