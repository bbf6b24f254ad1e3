"""Which items of a run a command is about: by their outcome, and by a filter over the episodes of its data."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.evaluate import index
from stepscope.app.cli.output import number_of, tell
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.core.domain.filter import Query
    from stepscope.core.domain.run import Run
    from stepscope.core.store.engine import Database
    from stepscope.core.store.filter_search import FilterResult


class RunItemFilter(StrEnum):
    """Which items of a run."""

    ALL = "all"
    WRONG = "wrong"
    RIGHT = "right"
    UNSCORED = "unscored"
    MALFORMED = "malformed"
    NULL = "null"
    ERROR = "error"
    FLIPS = "flips"


ShowOption = Annotated[RunItemFilter, typer.Option("--show", help="Only these items.")]


def passing(database: Database, run: Run, filter: str) -> frozenset[str]:
    """Episodes of the run's data that pass the filter, in which the run is A."""
    from stepscope.app.services.filtering import filter_inputs
    from stepscope.core.domain.filter_parser import parse
    from stepscope.core.store.filter_search import find
    from stepscope.core.store.repositories import sources

    query = parse(filter)

    def found_in(source_id: int) -> FilterResult:
        with database.reading() as db:
            return find(db, source_id, query, inputs=filter_inputs(db, query, {"A": run.id}))

    with database.reading() as db:
        source = sources.find(db, run.spec.source)
    found = found_in(source.id) if source is not None and source.fingerprint else None
    if found is None or found.unread:
        found = found_in(_indexed(database, run, query))
    if found.unread:
        unread = number_of(found.unread, "episodes")
        tell(f"stepscope: warning: {run.spec.source}: the steps of {unread} are not in the store's index.")
    return frozenset(found.ids)


def _indexed(database: Database, run: Run, query: Query) -> int:
    found = index(database, Path(run.spec.source), run.spec.format, CancelToken(), query)
    if found is None:
        raise UsageError("the run's data cannot be looked up.", place=run.spec.source)
    return found.source_id
