"""Opening a data set for both faces: find the format, read the index, keep it in the store for the next time.

Reading is done by a process of its own (`core.sources.reader_process`); what it finds is written to the store here.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

from app.provenance import PROCEDURES
from core.domain.episode import Episode, EpisodeSummary, Problem, is_lost
from core.domain.filter import Query
from core.domain.procedure import Procedure
from core.domain.webtask import WebInstance, WebTask
from core.errors import SourceError, UsageError
from core.progress import CancelToken, Progress, ProgressMeter
from core.sources import reader_process
from core.sources.procedures import AsProcedures, read_procedure
from core.sources.reader_process import Place, ReaderProcess
from core.sources.registry import formats, open_known, open_source
from core.sources.source import Source, web_tasks_of
from core.store.engine import Database
from core.store.finding import find
from core.store.fingerprint import fingerprint, looks_same
from core.store.repositories import sources, steps
from core.store.repositories.sources import StoredSource

COUNT_SECONDS = 0.5
"""The shortest time between two counts of the whole source."""

CHECKED_AT_ONCE = 2_000
"""Episodes that one request to the reader names."""

KEPT_READERS = 2
"""Reading processes that stay when they have nothing to do."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """How far indexing is: the source's row id in the store, episodes and problems found. `skipped` counts the problems
    that cost a whole record; the others lie inside episodes that are open. `whole`: all is there and is that of the
    files; before that, rows of an earlier time may stand in until the files have been looked at (`old`)."""

    source_id: int
    source: Source
    episodes: int
    problems: int
    skipped: int
    whole: bool
    old: bool = False


class IndexedSource:
    """A source with the index at hand: an episode is read at the place that the index names, without a search."""

    def __init__(self, source: Source, place_of: Callable[[str], str]) -> None:
        self.format = source.format
        self.path = source.path
        self.inner = source
        self._place_of = place_of

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        return self.inner.scan()

    def read(self, episode_id: str, place: str = "") -> Episode:
        return self.inner.read(episode_id, place or self._place_of(episode_id))

    def read_procedure(self, procedure_id: str, place: str = "") -> Procedure:
        return read_procedure(self.inner, procedure_id, place or self._place_of(procedure_id))

    def read_task(self, name: str) -> WebTask:
        return web_tasks_of(self.inner).read_task(name)

    def read_instance(self, instance_id: str, place: str = "") -> WebInstance:
        return web_tasks_of(self.inner).read_instance(instance_id, place or self._place_of(instance_id))


def open_indexed(
    database: Database,
    path: Path,
    token: CancelToken,
    format_name: str | None = None,
    *,
    again: bool = False,
    as_procedures: bool = False,
) -> Iterator[Indexed]:
    """Open `path` and yield how far its index is; the last value is whole unless cancelled.

    An index in the store is shown at once and then held against the files; when they are no longer the same, or with
    `again`, they are read anew. Raises SourceError or UsageError when nothing can be read there.
    """
    if not path.exists():
        raise UsageError("There is nothing at this place.", place=path, hint="Check the spelling, or choose another.")
    path = path.resolve()
    key = f"{path}{PROCEDURES}" if as_procedures else str(path)
    with database.reading() as db:
        known = sources.find(db, key)
        skipped = sources.count_skipped(db, known.id) if known else 0
    usable = (
        known is not None and not again and format_name in (None, known.format) and looks_same(path, known.fingerprint)
    )
    if known is not None and usable:
        source = _source(database, known.id, open_known(path, known.format), as_procedures)
        yield Indexed(known.id, source, known.episodes, known.problems, skipped, False, old=True)
    mark = _begun(lambda: fingerprint(path))  # from before the reading: what changes later is noticed next time
    try:
        if known is not None and usable and (known.fingerprint == mark.result() or database.read_only):
            yield Indexed(known.id, source, known.episodes, known.problems, skipped, True)
            return
        if database.read_only:
            raise UsageError(
                "This data set is not in the store's index, and the store is read-only.",
                place=path,
                hint="Open it with a store that can be written.",
            )
        opened = open_source(path, format_name)
        with database.unit_of_work() as db:
            source_id = sources.begin_index(db, key, opened.format)
        yield from _scan(database, source_id, _source(database, source_id, opened, as_procedures), mark, token)
    finally:
        wait([mark])


def indexed_source(database: Database, path: Path, format: str) -> Source:
    """The data at `path`, with the store's index of it at hand where there is one. Errors as those of `open_source`."""
    with database.reading() as db:
        known = sources.find(db, path.resolve())
    if known is None or known.format != format:
        return open_source(path, format)
    return _source(database, known.id, open_known(path, format), False)


def _source(database: Database, source_id: int, opened: Source, as_procedures: bool) -> IndexedSource:
    def place_of(episode: str) -> str:
        with database.reading() as db:
            return sources.place_of(db, source_id, episode)

    return IndexedSource(AsProcedures(opened) if as_procedures else opened, place_of)


def _scan(
    database: Database, source_id: int, source: IndexedSource, mark: Future[str], token: CancelToken
) -> Iterator[Indexed]:
    found = problems = skipped = 0
    wrapped = isinstance(source.inner, AsProcedures)
    with borrowed_reader() as reader:
        for piece in reader_process.scan(reader, source.path, source.format, token, as_procedures=wrapped):
            if token.cancelled:
                return
            with database.unit_of_work() as db:
                found = sources.add_index(db, source_id, found, piece)
            problems += sum(len(e.problems) if isinstance(e, EpisodeSummary) else 1 for e in piece)
            skipped += sum(isinstance(entry, Problem) and is_lost(entry) for entry in piece)
            yield Indexed(source_id, source, found, problems, skipped, False)
    if token.cancelled:
        return
    _check_still_there(source.path)
    with database.unit_of_work() as db:
        sources.finish_index(db, source_id, mark.result())
    yield Indexed(source_id, source, found, problems, skipped, True)


def _check_still_there(path: Path) -> None:
    if not path.exists():
        hint = "What was found so far is listed; put the data back and read it again."
        raise SourceError("the data is not there any more", place=path, hint=hint)


def _begun(work: Callable[[], str]) -> Future[str]:
    """The work's result, worked out in a thread of its own."""
    result: Future[str] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
            result.set_exception(error)

    threading.Thread(target=run, name="fingerprint", daemon=True).start()
    return result


def passing(db: Session, source_id: int, query: Query) -> list[str]:
    """Ids of the episodes of an indexed source that pass a filter without runs, in order. Raises UsageError where the
    index cannot tell yet, FilterError as `find`."""
    found = find(db, source_id, query)
    if found.unread:
        some = "1 episode" if found.unread == 1 else f"{found.unread:,} episodes"
        hint = "Wait until the data has been read to its end, then try again."
        raise UsageError(f"The steps of {some} have not been read yet: the filter cannot tell about them.", hint=hint)
    return found.ids


@dataclass(frozen=True, slots=True)
class Checked:
    """How far reading every episode whole is, and what the source counts now."""

    progress: Progress
    stored: StoredSource


def check_indexed(database: Database, source_id: int, source: Source, token: CancelToken) -> Iterator[Checked]:
    """Read every episode whole of which only the outline is in the index, and complete its row and its problems.

    Can be cancelled and goes on where it stopped. Yields nothing when all was read already.
    """
    with database.reading() as db:
        left = [] if database.read_only else [Place(*row) for row in sources.unchecked(db, source_id)]
    meter = ProgressMeter(total=len(left))
    inner = source.inner if isinstance(source, IndexedSource) else source
    if not left:
        return
    due = 0.0
    with borrowed_reader() as reader, _forgetting(database):
        for first in range(0, len(left), CHECKED_AT_ONCE):
            wanted = left[first : first + CHECKED_AT_ONCE]
            for piece in reader_process.check(reader, inner.path, inner.format, wanted, token):
                progress = meter.advance(len(piece))
                with database.unit_of_work() as db:
                    sources.update_index(db, source_id, piece)
                    if time.monotonic() < due and progress.done < len(left):
                        continue
                    stored = sources.count_again(db, source_id)
                _check_still_there(inner.path)
                due = time.monotonic() + COUNT_SECONDS
                yield Checked(progress, stored)
            if token.cancelled:
                return


@contextmanager
def _forgetting(database: Database) -> Iterator[None]:
    """At the end, what writing steps remembers of their texts is given back."""
    try:
        yield
    finally:
        with database.reading() as db:
            steps.forget(db)


_idle: list[ReaderProcess] = []
_giving = threading.Lock()


@contextmanager
def borrowed_reader() -> Iterator[ReaderProcess]:
    """A process that reads, for this caller alone; processes that are done are kept for the next."""
    with _giving:
        reader = _idle.pop() if _idle else ReaderProcess()
    try:
        yield reader
    finally:
        with _giving:
            keep = len(_idle) < KEPT_READERS
            if keep:
                _idle.append(reader)
        if not keep:
            reader.close()


def warm_up() -> None:
    """Load the formats and start a reading process ahead, so that the first data set need not wait for them."""
    with borrowed_reader() as reader:
        reader.start()
        formats()
        reader.wait_until_ready()


@atexit.register
def close_readers() -> None:
    """End the processes that wait for work."""
    with _giving:
        idle, _idle[:] = list(_idle), []
    for reader in idle:
        reader.close()
