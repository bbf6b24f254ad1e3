"""The ask records of an indexed data set as a file of JSON Lines."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from stepscope.app.services.export.whole_files import WriteAbandonedError, unless_cancelled, utf8, whole_file
from stepscope.app.services.library import IndexedSource
from stepscope.core.domain.episode import Problem
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.sources.ask_records import ask_lines, asking_episodes
from stepscope.core.sources.procedures import EpisodeProcedureSource
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources


@dataclass(frozen=True, slots=True)
class EpisodesWithAsks:
    """The episodes of a source that have asks, by id and place. `whole`: all of the source has been looked at."""

    source: Source
    places: tuple[tuple[str, str], ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class AskExportReport:
    """The number of records in the file, and the episodes that could not be read."""

    records: int
    problems: tuple[Problem, ...]


def find_asking(database: Database, source_id: int, source: Source) -> EpisodesWithAsks:
    """What the index says; a source that is open as procedures is read as the episodes that it has."""
    with database.reading() as db:
        places, whole = sources.asking(db, source_id)
    inner = source.inner if isinstance(source, IndexedSource) else source
    return EpisodesWithAsks(inner.source if isinstance(inner, EpisodeProcedureSource) else inner, tuple(places), whole)


def write_asks(
    asking: EpisodesWithAsks, path: Path, token: CancelToken
) -> Generator[Progress, None, AskExportReport | None]:
    """Write the records to `path`, all at once at the end; a cancelled file is None and leaves what was there."""
    meter = ProgressMeter(total=len(asking.places))
    records, problems = 0, []
    with unless_cancelled(token), whole_file(path) as stream, utf8(stream) as text:
        for place in asking.places:
            for found in asking_episodes(asking.source, [place]):
                if isinstance(found, Problem):
                    problems.append(found)
                else:
                    text.writelines(ask_lines([found]))
                    records += 1
            yield meter.advance()
            if token.cancelled:
                raise WriteAbandonedError
    if token.cancelled:
        return None
    return AskExportReport(records, tuple(problems))
