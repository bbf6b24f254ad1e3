"""Opening a data set for both faces: find the format, read the index, keep it in the store for the next time.

Reading is done by a process of its own (`core.sources.reader_process`); what it finds is written to the store here. Of
all programs that share a store one makes the index of a data set; the others follow how far it is, and take its place
when it dies (`core.store.repositories.index_claims`).
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import cast

from sqlalchemy.orm import Session

from stepscope.app.services.provenance import PROCEDURES
from stepscope.core.background_call import call_in_thread
from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem, is_lost
from stepscope.core.domain.filter import Query
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.webtask import WebInstance, WebTask
from stepscope.core.errors import SourceError, StoreError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.process.kept import KeptProcesses
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.regular_files import FileProgress, is_there
from stepscope.core.sources import reader_process
from stepscope.core.sources.procedures import EpisodeProcedureSource, read_procedure
from stepscope.core.sources.reader_process import EpisodePlace, Piece, ReaderProcess
from stepscope.core.sources.registry import formats, open_known, open_source
from stepscope.core.sources.source import Source, web_tasks_of
from stepscope.core.store.engine import Database
from stepscope.core.store.filter_search import find
from stepscope.core.store.fingerprint import fingerprint, looks_same
from stepscope.core.store.repositories import index_claims, sources, steps
from stepscope.core.store.repositories.index_claims import IndexClaim, IndexClaimLostError
from stepscope.core.store.repositories.sources import StoredSource
from stepscope.core.store.worker import WorkerClaim, hold, is_alive, let_go

COUNT_SECONDS = 0.5
"""The shortest time between two counts of the whole source."""

CHECKED_AT_ONCE = 2_000
"""Episodes that one request to the reader names."""

BEAT_SECONDS = 10.0
"""How often the owner of an index says that it lives while it finds nothing; each piece that it finds says so too."""

SILENT_SECONDS = 120.0
"""An owner that has not been heard of for so long is taken for dead, by the watch of whoever waits: clocks of machines
differ. Twice what a writer on a server waits for its turn."""

FOLLOW_SECONDS = 0.25
"""How often whoever waits for an index looks how far it is."""

KEPT_READERS = 2
"""Reading processes that stay when they have nothing to do."""


@dataclass(frozen=True, slots=True)
class IndexProgress:
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
    file: FileProgress | None = None
    """The large file that is being read, and how far."""


@dataclass(frozen=True, slots=True)
class ExternalIndexProgress:
    """Progress of another program (or of another task of this one) that reads the data."""

    episodes: int
    problems: int

    def __str__(self) -> str:
        return f"Another program is reading this data: {self.episodes:,} episode{'s' * (self.episodes != 1)} so far"


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


def known_index(database: Database, path: Path, *, as_procedures: bool = False) -> IndexProgress | None:
    """What the store's index says of `path`, which nobody has held against the files yet; None where it has none, or
    the data looks changed already."""
    if not is_there(path):
        return None
    path = path.resolve()
    with database.reading() as db:
        known = sources.find(db, _key(path, as_procedures))
        skipped = sources.count_skipped(db, known.id) if known else 0
    if known is None or not looks_same(path, known.fingerprint):
        return None
    source = source_of(database, known.id, path, known.format, as_procedures=as_procedures)
    return IndexProgress(known.id, source, known.episodes, known.problems, skipped, False, old=True)


def open_indexed(
    database: Database,
    path: Path,
    token: CancelToken,
    format_name: str | None = None,
    *,
    again: bool = False,
    as_procedures: bool = False,
) -> Iterator[IndexProgress | ExternalIndexProgress]:
    """Open `path` and yield how far its index is; the last value is whole unless cancelled.

    An index in the store is shown at once and then held against the files; when they are no longer the same, or with
    `again`, they are read anew. While somebody else reads them, this is followed. Raises SourceError or UsageError when
    nothing can be read there.
    """
    if not is_there(path):
        raise UsageError("There is nothing at this place.", place=path, hint="Check the spelling, or choose another.")
    path = path.resolve()
    key = _key(path, as_procedures)
    silent: _Sign | None = None
    while True:
        with database.reading() as db:
            known, other = sources.find(db, key), index_claims.making(db, key)
            skipped = sources.count_skipped(db, known.id) if known else 0
        usable = (
            known is not None
            and not again
            and format_name in (None, known.format)
            and looks_same(path, known.fingerprint)
        )
        if usable or not _is_at_work(other, silent):
            if known is not None and usable:
                source = source_of(database, known.id, path, known.format, as_procedures=as_procedures)
                yield IndexProgress(known.id, source, known.episodes, known.problems, skipped, False, old=True)
            mark = call_in_thread(
                lambda: fingerprint(path), "fingerprint"
            )  # from before the reading: a change from now on is noticed later
            try:
                if known is not None and usable and (known.fingerprint == mark.result() or database.read_only):
                    yield IndexProgress(known.id, source, known.episodes, known.problems, skipped, True)
                    return
                if database.read_only:
                    why = database.refusal()
                    raise UsageError(
                        f"This data set is not in the store's index. {why.message}", place=path, hint=why.hint
                    )
                opened = _viewed(open_source(path, format_name), as_procedures)
                made = yield from _made(database, key, opened, mark, token, silent, known.id if known else None)
                if made is not None:
                    yield made
                    return
            finally:
                wait([mark])
        silent = yield from _follow(database, lambda db: index_claims.making(db, key), token)
        if token.cancelled:
            return


def whole_index(
    database: Database,
    path: Path,
    token: CancelToken,
    format_name: str | None = None,
    *,
    as_procedures: bool = False,
    told: Callable[[IndexProgress | ExternalIndexProgress], object] = lambda _: None,
) -> IndexProgress | None:
    """The data at `path` with its whole index; None when cancelled. `told` hears how far it is. Errors as those of
    `open_indexed`."""
    for how_far in open_indexed(database, path, token, format_name, as_procedures=as_procedures):
        told(how_far)
        if isinstance(how_far, IndexProgress) and how_far.whole:
            return how_far
    return None


_Sign = tuple[str, int]
"""An owner's claim and its last sign of life."""


def _is_at_work(other: IndexClaim | None, silent: _Sign | None) -> bool:
    """Whether somebody works on an index: the process lives, and has been heard of since the sign `silent`."""
    if other is None or silent == (other.worker.claim, other.beat):
        return False
    return is_alive(other.worker) is not False


def _follow(
    database: Database, look: Callable[[Session], IndexClaim | None], token: CancelToken
) -> Generator[ExternalIndexProgress, None, _Sign | None]:
    """Wait until nobody is at work any more, or cancelled. Returns the last sign of an owner that was silent too
    long."""
    last: _Sign | None = None
    since = 0.0
    while not token.cancelled:
        with database.reading() as db:
            other = look(db)
        if other is None or not _is_at_work(other, None):
            return None
        if (sign := (other.worker.claim, other.beat)) != last:
            last, since = sign, time.monotonic()
        elif time.monotonic() - since >= SILENT_SECONDS:
            return last
        yield ExternalIndexProgress(other.episodes, other.problems)
        token.wait(FOLLOW_SECONDS)
    return None


@contextmanager
def _owned(database: Database, worker: WorkerClaim, take: Callable[[Session], int | None]) -> Iterator[int | None]:
    """The index that `take` gives the worker to own, as long as the block lasts; None where another is at work."""
    hold(worker)  # before anybody can read the claim
    try:
        with database.unit_of_work() as db:
            source_id = take(db)
        if source_id is None:
            yield None
            return
        over = threading.Event()
        beats = threading.Thread(target=_beat, args=(database, source_id, worker.claim, over), daemon=True)
        beats.start()
        try:
            yield source_id
        finally:
            over.set()
            beats.join()
            with suppress(StoreError), database.unit_of_work() as db:
                index_claims.release(db, source_id, worker.claim)
    finally:
        let_go(worker)


def _beat(database: Database, source_id: int, claim: str, over: threading.Event) -> None:
    """Say now and then that the owner lives, until it is over or the index is another's."""
    while not over.wait(BEAT_SECONDS):
        try:
            with database.unit_of_work() as db:
                index_claims.beat(db, source_id, claim)
        except IndexClaimLostError:
            return
        except StoreError:  # the owner finds out with its next piece
            continue


def _made(
    database: Database,
    key: str,
    opened: Source,
    mark: Future[str],
    token: CancelToken,
    silent: _Sign | None,
    before: int | None,
) -> Generator[IndexProgress, None, IndexProgress | None]:
    """Make the index that is to stand in the place of `before`, and return it whole; None when cancelled, and where
    another is at work, has taken over or has made one since."""
    worker = WorkerClaim.here()

    def take(db: Session) -> int | None:
        now = sources.find(db, key)
        made_since = now is not None and now.id != before
        free = not made_since and not _is_at_work(index_claims.making(db, key), silent)
        return sources.begin_index(db, key, opened.format, worker) if free else None

    with suppress(IndexClaimLostError), _owned(database, worker, take) as source_id:
        if source_id is not None:
            source = _source(database, source_id, opened)
            return (yield from _scan(database, source_id, source, mark, token, worker.claim))
    return None


def _scan(
    database: Database, source_id: int, source: IndexedSource, mark: Future[str], token: CancelToken, claim: str
) -> Generator[IndexProgress, None, IndexProgress | None]:
    found = problems = skipped = 0
    wrapped = isinstance(source.inner, EpisodeProcedureSource)
    with borrowed_reader() as reader:
        for piece in reader_process.scan(reader, source.path, source.format, token, as_procedures=wrapped):
            if token.cancelled:
                return None
            if isinstance(piece, FileProgress):
                yield IndexProgress(source_id, source, found, problems, skipped, False, file=piece)
                continue
            with database.unit_of_work() as db:
                found = sources.add_index(db, source_id, found, piece, claim)
                index_claims.sweep(db)
            problems += sum(len(e.problems) if isinstance(e, EpisodeSummary) else 1 for e in piece)
            skipped += sum(isinstance(entry, Problem) and is_lost(entry) for entry in piece)
            yield IndexProgress(source_id, source, found, problems, skipped, False)
    if token.cancelled:
        return None
    check_still_there(source.path)
    with database.unit_of_work() as db:
        sources.finish_index(db, source_id, mark.result(), claim)
    return IndexProgress(source_id, source, found, problems, skipped, True)


def indexed_source(database: Database, path: Path, format: str) -> Source:
    """The data at `path`, with the store's index of it at hand where there is one. Errors as those of `open_source`."""
    with database.reading() as db:
        known = sources.find(db, path.resolve())
    if known is None or known.format != format:
        return open_source(path, format)
    return source_of(database, known.id, path, format)


def _key(path: Path, as_procedures: bool) -> str:
    """What the store calls the data at a path, which is resolved."""
    return f"{path}{PROCEDURES}" if as_procedures else str(path)


def source_of(
    database: Database, source_id: int, path: Path, format: str, *, as_procedures: bool = False
) -> IndexedSource:
    """The data at `path`, whose format is known, with this index of the store at hand."""
    return _source(database, source_id, _viewed(open_known(path, format), as_procedures))


def _viewed(opened: Source, as_procedures: bool) -> Source:
    return EpisodeProcedureSource(opened) if as_procedures else opened


def _source(database: Database, source_id: int, opened: Source) -> IndexedSource:
    def place_of(episode: str) -> str:
        with database.reading() as db:
            return sources.place_of(db, source_id, episode)

    return IndexedSource(opened, place_of)


def check_still_there(
    path: Path, hint: str = "What was found so far is listed; put the data back and read it again."
) -> None:
    """Raise SourceError where the data has gone while it was read."""
    if not is_there(path):
        raise SourceError("the data is not there any more", place=path, hint=hint)


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
class CheckProgress:
    """How far reading every episode whole is, and what the source counts now."""

    progress: Progress
    stored: StoredSource


def places_of(database: Database, source_id: int) -> list[EpisodePlace]:
    """All episodes of an index, in order."""
    with database.reading() as db:
        return [EpisodePlace(*row) for row in sources.all_places(db, source_id)]


ReadWhole = Callable[[Source, Sequence[EpisodePlace], CancelToken], Iterator[Piece]]
"""Rows of episodes after reading each whole, in any order; less when cancelled."""


def _read_whole(inner: Source, wanted: Sequence[EpisodePlace], token: CancelToken) -> Iterator[Piece]:
    """By a reading process of this machine."""
    with borrowed_reader() as reader:
        for first in range(0, len(wanted), CHECKED_AT_ONCE):
            part = wanted[first : first + CHECKED_AT_ONCE]
            yield from reader_process.check(reader, inner.path, inner.format, part, token)
            if token.cancelled:
                return


def check_indexed(
    database: Database, source_id: int, source: Source, token: CancelToken, read: ReadWhole = _read_whole
) -> Iterator[CheckProgress]:
    """Read every episode whole of which only the outline is in the index, and complete its row and its problems. `read`
    reads them.

    Can be cancelled and goes on where it stopped. While somebody else does it, this is followed. Yields nothing when
    all was read already. Raises TakenOver when the data is read anew meanwhile.
    """
    inner = source.inner if isinstance(source, IndexedSource) else source
    silent: _Sign | None = None
    while not database.read_only and not token.cancelled:
        with database.reading() as db:
            left = [EpisodePlace(*row) for row in sources.unchecked(db, source_id)]
        if not left:
            return
        worker = WorkerClaim.here()

        def take(db: Session, worker: WorkerClaim = worker, silent: _Sign | None = silent) -> int | None:
            if _is_at_work(index_claims.completing(db, source_id), silent):
                return None
            index_claims.claim(db, source_id, worker)
            return source_id

        with _owned(database, worker, take) as own, suppress(IndexClaimLostError):
            if own is not None:
                yield from _completed(database, source_id, inner, read(inner, left, token), len(left), worker.claim)
                return
        silent = yield from _follow_completing(database, source_id, len(left), token)


def _completed(
    database: Database, source_id: int, inner: Source, pieces: Iterator[Piece], total: int, claim: str
) -> Iterator[CheckProgress]:
    meter = ProgressMeter(total=total)
    due = 0.0
    with _forgetting(database):
        for piece in pieces:
            progress = meter.advance(len(piece))
            with database.unit_of_work() as db:
                sources.update_index(db, source_id, piece, claim)
                if time.monotonic() < due and progress.done < total:
                    continue
                stored = sources.count_again(db, source_id)
            check_still_there(inner.path)
            due = time.monotonic() + COUNT_SECONDS
            yield CheckProgress(progress, stored)


def _follow_completing(
    database: Database, source_id: int, total: int, token: CancelToken
) -> Generator[CheckProgress, None, _Sign | None]:
    """`_follow` for completing, told in episodes that were read whole."""
    following = _follow(database, lambda db: index_claims.completing(db, source_id), token)
    due = 0.0
    while True:
        try:
            next(following)
        except StopIteration as end:
            return cast("_Sign | None", end.value)
        if time.monotonic() >= due:
            with database.reading() as db:
                left, stored = sources.count_unchecked(db, source_id), sources.get(db, source_id)
            due = time.monotonic() + COUNT_SECONDS
            if stored is not None:
                yield CheckProgress(Progress(max(0, total - left), total), stored)


@contextmanager
def _forgetting(database: Database) -> Iterator[None]:
    """At the end, what writing steps remembers of their texts is given back."""
    try:
        yield
    finally:
        with database.reading() as db:
            steps.forget(db)


_readers = KeptProcesses(ReaderProcess, KEPT_READERS)
atexit.register(_readers.close)


def borrowed_reader() -> AbstractContextManager[ReaderProcess]:
    """A process that reads, for this caller alone; processes that are done are kept for the next."""
    return _readers.borrowed()


def warm_up() -> None:
    """Load the formats and start a reading process ahead, so that the first data set need not wait for them."""
    with borrowed_reader() as reader:
        reader.start()
        formats()
        reader.wait_until_ready()
