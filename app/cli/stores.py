"""Opening the store that a command works on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from stepscope.app.cli.output import tell
from stepscope.core.settings import default_store_url

if TYPE_CHECKING:
    from stepscope.core.domain.run import Run
    from stepscope.core.store.engine import Database


@contextmanager
def opened(url: str | None) -> Iterator[Database]:
    """The store at `url`, or the user's own; runs whose process died are marked as interrupted first."""
    from stepscope.core.store.abandoned_runs import mark_interrupted
    from stepscope.core.store.engine import Database

    with Database.open(url or default_store_url()) as database:
        for run_id in mark_interrupted(database):
            tell(f"stepscope: run {run_id} was interrupted: its program ended before it was done.")
        yield database


def find_run(database: Database, beginning: str) -> Run:
    """The one run whose id begins so, "last" for the latest. Raises UsageError."""
    from stepscope.core.store.repositories import runs

    with database.reading() as db:
        return runs.get(db, runs.find(db, beginning))
