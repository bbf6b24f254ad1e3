"""`stepscope inspect -o`: the episodes that were found as a file, as the window writes its list."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from stepscope.app.cli.output import check_output, write_file
from stepscope.app.services.version import VERSION
from stepscope.core.errors import UsageError

if TYPE_CHECKING:
    from stepscope.core.domain.episode import EpisodeSummary, Problem
    from stepscope.core.domain.filter import Query
    from stepscope.core.sources.source import Source

ENDINGS = (".csv", ".jsonl")


def check_list(output: Path) -> None:
    """Raise UsageError for a file that could not be written."""
    if output.suffix.lower() not in ENDINGS:
        raise UsageError(
            f"a list of episodes is no {output.suffix or 'file without an ending'}.",
            place=output,
            hint=f"Name a file that ends in {' or '.join(ENDINGS)}.",
        )
    check_output(output)


def write_list(
    output: Path, source: Source, entries: Sequence[EpisodeSummary | Problem], query: Query, words: str
) -> None:
    """Write one row for each of the episodes, which have passed the filter `query`; `words` is its text."""
    from stepscope.app.services.export.whole_files import utf8
    from stepscope.core.evaluation.episode_list import EpisodeListContent, csv_list_steps, json_list_steps
    from stepscope.core.progress import CancelToken
    from stepscope.core.store.engine import Database
    from stepscope.core.store.filter_search import find
    from stepscope.core.store.repositories import sources

    with Database.open("sqlite://") as database:
        with database.unit_of_work() as db:
            stored = sources.replace_index(db, source.path, source.format, "", entries)
        with database.reading() as db:
            found = find(db, stored.id, query)
        wanted = EpisodeListContent(stored.id, str(source.path), found.ids, (), found.steps_of, words, VERSION)
        steps = csv_list_steps if output.suffix.lower() == ".csv" else json_list_steps

        def write(stream: IO[bytes]) -> None:
            with utf8(stream) as text:
                deque(steps(database, wanted, text, CancelToken()), maxlen=0)

        write_file(output, write)
