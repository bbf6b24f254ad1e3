"""Data sets whose files hold many episodes each: TFRecord shards, JSON Lines, tables.

A format says which files it knows (`locate`), lists what is in one (`outline`: index rows whose `place` is the reader's
own note of where the episode lies in that file) and reads one at such a place (`load`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from stepscope.core.archives.opening import is_gzip
from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import is_empty, safe_join
from stepscope.core.sources.findings import MOST_TOLD, problem_of, relative_name
from stepscope.core.sources.folders import (
    base_of,
    find_episodes,
    no_such_episode,
    numbered_id,
    renamed_problem,
    unique_id,
)
from stepscope.core.sources.look import Locate

_BETWEEN = "\t"
"""Stands between the file's name and the place inside it."""

_RENAMED = "\t"
"""Stands before the place inside the file where the episode's own id was taken, so that it has got a number."""

Outline = Callable[[Path], Iterator[EpisodeSummary | Problem]]
Load = Callable[[Path, str, str], Episode]


class ShardSource:
    """A `Source` over files of many episodes. `outline(file)` and `load(file, place, id)` may be called on any thread.

    Places live in the index. A reader that is not told an episode's place looks through the files once, as far as it
    must, and remembers what it passed. Ids that occur twice get "~2", "~3", … in reading order.
    """

    def __init__(self, format: str, path: Path, *, locate: Locate, outline: Outline, load: Load) -> None:
        self.format = format
        self.path = path
        self._base = base_of(path)
        self._locate = locate
        self._outline = outline
        self._load = load
        self._passed: dict[str, str] = {}
        self._search: Iterator[EpisodeSummary | Problem] | None = None
        self._searching = threading.Lock()

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        """Index rows file by file in natural order; what cannot be read comes as a problem."""
        return self._scan(_access_prepared)

    def _scan(self, beside: Callable[[Path], AbstractContextManager[None]]) -> Iterator[EpisodeSummary | Problem]:
        used: dict[str, int] = {}
        told: set[Problem] = set()
        for file in find_episodes(self.path, self._locate):
            if isinstance(file, Problem):
                if file not in told:
                    yield file
                continue
            name = file.relative_to(self._base).as_posix()
            problems = 0
            try:
                with beside(file):
                    empty = is_empty(file)
                    for row in self._outline(file):
                        empty = False
                        if isinstance(row, Problem):
                            problem = replace(row, file=relative_name(row.file, self._base) or name)
                            problems += 1
                            if problems <= MOST_TOLD:
                                told.add(problem)
                                yield problem
                        else:
                            yield _placed(row, name, used)
                    if empty:
                        yield Problem("the file is empty. Fetch it again.", file=name)
                    if problems > MOST_TOLD:
                        yield Problem(f"{problems - MOST_TOLD:,} more problems are not listed", file=name)
            except SourceError as error:
                yield problem_of(error, self._base, file=name)

    def read(self, episode_id: str, place: str = "") -> Episode:
        """The whole episode; UsageError when there is none of that id, SourceError when it cannot be read."""
        if not place:
            place = self._found(episode_id)
        name, _, inner = place.partition(_BETWEEN)
        wanted = numbered_id(episode_id) if inner.startswith(_RENAMED) else ""
        episode = self._load(safe_join(self._base, name), inner.removeprefix(_RENAMED) if wanted else inner, episode_id)
        if not wanted:
            return episode
        return replace(episode, problems=(renamed_problem(wanted, episode_id, name), *episode.problems))

    def _found(self, episode_id: str) -> str:
        """The episode's place; the search goes on where the last one ended."""
        with self._searching:
            if self._search is None:
                self._search = self._scan(lambda _file: nullcontext())  # it may rest for long
            while episode_id not in self._passed:
                row = next(self._search, None)
                if row is None:
                    raise no_such_episode(self.path, episode_id)
                if isinstance(row, EpisodeSummary):
                    self._passed[row.id] = row.place
            return self._passed[episode_id]


def _access_prepared(file: Path) -> AbstractContextManager[None]:
    """Beside the scan of a gzip file, make what leads to any place in it; episodes are read there afterwards."""
    if not is_gzip(file):
        return nullcontext()
    from stepscope.core.archives.gzip_access import prepared_beside

    return prepared_beside(file)


def _placed(row: EpisodeSummary, file: str, used: dict[str, int]) -> EpisodeSummary:
    given = unique_id(row.id, used)
    if given == row.id:
        return replace(row, place=f"{file}{_BETWEEN}{row.place}")
    own = [replace(problem, episode=given) if problem.episode == row.id else problem for problem in row.problems]
    problems = (renamed_problem(row.id, given, file), *own)
    return replace(row, id=given, place=f"{file}{_BETWEEN}{_RENAMED}{row.place}", problems=problems)
