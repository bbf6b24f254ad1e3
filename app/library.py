"""Opening a data set for both faces: find the format, read the index, keep it in the store for the next time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.domain.episode import EpisodeSummary, Problem
from core.errors import UsageError
from core.progress import CancelToken
from core.sources.registry import open_source
from core.sources.source import Source
from core.store.engine import Database
from core.store.fingerprint import fingerprint
from core.store.repositories import sources

PIECE = 200
"""Index rows written at once."""

PIECE_SECONDS = 0.25
"""The longest that found rows wait before they are written and shown."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """How far indexing is: the source's row id in the store, episodes and problems found. `skipped` counts the problems
    that cost a whole record; the others lie inside episodes that are open. `whole`: all is there."""

    source_id: int
    source: Source
    episodes: int
    problems: int
    skipped: int
    whole: bool


def open_indexed(
    database: Database, path: Path, token: CancelToken, format_name: str | None = None, *, again: bool = False
) -> Iterator[Indexed]:
    """Open `path` and yield how far its index is; the last value is whole unless cancelled.

    An index that is still that of the files is taken from the store at once; `again` reads anyway. Raises SourceError
    or UsageError when nothing can be read there.
    """
    if not path.exists():
        raise UsageError("There is nothing at this place.", place=path, hint="Check the spelling, or choose another.")
    path = path.resolve()
    source = open_source(path, format_name)
    mark = fingerprint(path)
    with database.reading() as db:
        known = sources.find(db, path)
        skipped = sources.count_skipped(db, known.id) if known else 0
    if known and not again and known.fingerprint == mark and known.format == source.format:
        yield Indexed(known.id, source, known.episodes, known.problems, skipped, True)
        return
    if database.read_only:
        raise UsageError(
            "This data set is not in the store's index, and the store is read-only.",
            place=path,
            hint="Open it with a store that can be written.",
        )
    yield from _scan(database, source, path, mark, token)


def _scan(database: Database, source: Source, path: Path, mark: str, token: CancelToken) -> Iterator[Indexed]:
    with database.unit_of_work() as db:
        source_id = sources.begin_index(db, path, source.format)
    found = problems = skipped = 0
    piece: list[EpisodeSummary | Problem] = []
    due = time.monotonic() + PIECE_SECONDS
    for entry in source.scan():
        if token.cancelled:
            return
        piece.append(entry)
        skipped += isinstance(entry, Problem)
        if len(piece) >= PIECE or time.monotonic() >= due or not found:
            found, problems = _write(database, source_id, found, problems, piece)
            piece, due = [], time.monotonic() + PIECE_SECONDS
            yield Indexed(source_id, source, found, problems, skipped, False)
    found, problems = _write(database, source_id, found, problems, piece)
    with database.unit_of_work() as db:
        sources.finish_index(db, source_id, mark)
    yield Indexed(source_id, source, found, problems, skipped, True)


def _write(
    database: Database, source_id: int, found: int, problems: int, piece: list[EpisodeSummary | Problem]
) -> tuple[int, int]:
    with database.unit_of_work() as db:
        found = sources.add_index(db, source_id, found, piece)
    return found, problems + sum(len(e.problems) if isinstance(e, EpisodeSummary) else 1 for e in piece)
