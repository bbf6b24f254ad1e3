"""Opening a data set for a window: a process of its own reads it, writes the store's index and reads every episode
whole afterwards, so that none of it holds up who steps through an episode meanwhile. `app.services.index_child` is what
runs there; without a window `app.services.library` does the same where it is called.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from pathlib import Path

from stepscope.app.services.library import (
    CheckProgress,
    ExternalIndexProgress,
    IndexedSource,
    IndexProgress,
    check_indexed,
    known_index,
    open_indexed,
    source_of,
)
from stepscope.app.services.worker import CheckJob, IndexJob, WorkProcess
from stepscope.core.frozen import dataclass
from stepscope.core.process.kept import KeptProcesses
from stepscope.core.progress import CancelToken
from stepscope.core.regular_files import FileProgress
from stepscope.core.sources.procedures import EpisodeProcedureSource
from stepscope.core.sources.reader_process import LESS_URGENT
from stepscope.core.sources.registry import formats
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database

KEPT_INDEXERS = 1
"""Indexing processes that stay when they have nothing to do."""


@dataclass(frozen=True, slots=True)
class IndexMessage:
    """`IndexProgress` on its way from the process that reads: the source is named by where it lies and its format."""

    source_id: int
    path: Path
    format: str
    episodes: int
    problems: int
    skipped: int
    whole: bool
    old: bool
    file: FileProgress | None


def _indexer() -> WorkProcess:
    kept, module = "What was found is kept: open it again.", "stepscope.app.services.index_child"
    return WorkProcess("the data set", kept, module, LESS_URGENT)


_indexers = KeptProcesses(_indexer, KEPT_INDEXERS)
atexit.register(_indexers.close)


def warm_up() -> None:
    """Load the formats, and have a process ready for the first data set."""
    with _indexers.borrowed() as indexer:
        indexer.start()
        formats()
        indexer.wait_until_ready(IndexJob())


def open_aside(
    database: Database, path: Path, token: CancelToken, *, again: bool = False, as_procedures: bool = False
) -> Iterator[IndexProgress | ExternalIndexProgress]:
    """`library.open_indexed` in a process of its own. An index that the store has is told at once, from here."""
    if database.address is None:
        yield from open_indexed(database, path, token, again=again, as_procedures=as_procedures)
        return
    now = None if again else known_index(database, path, as_procedures=as_procedures)
    if now is not None:
        yield now
    job = IndexJob(database.address, path, again, as_procedures)
    with _indexers.borrowed() as indexer:
        for told in indexer.run(job, token):
            if isinstance(told, ExternalIndexProgress):
                yield told
                continue
            if now is None or now.source_id != told.source_id:
                own: Source = source_of(database, told.source_id, told.path, told.format, as_procedures=as_procedures)
            else:
                own = now.source
            now = _received(told, own)
            yield now


def check_aside(database: Database, source_id: int, source: Source, token: CancelToken) -> Iterator[CheckProgress]:
    """`library.check_indexed` in a process of its own."""
    if database.address is None:
        yield from check_indexed(database, source_id, source, token)
        return
    inner = source.inner if isinstance(source, IndexedSource) else source
    as_procedures = isinstance(inner, EpisodeProcedureSource)
    job = CheckJob(database.address, source_id, inner.path, inner.format, as_procedures)
    with _indexers.borrowed() as indexer:
        yield from indexer.run(job, token)


def told_index(progress: IndexProgress | ExternalIndexProgress) -> IndexMessage | ExternalIndexProgress:
    """What is said of it to another process."""
    if isinstance(progress, ExternalIndexProgress):
        return progress
    source, counts = progress.source, (progress.episodes, progress.problems, progress.skipped)
    return IndexMessage(
        progress.source_id, source.path, source.format, *counts, progress.whole, progress.old, progress.file
    )


def _received(told: IndexMessage, source: Source) -> IndexProgress:
    counts = told.episodes, told.problems, told.skipped
    return IndexProgress(told.source_id, source, *counts, told.whole, told.old, told.file)
