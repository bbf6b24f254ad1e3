"""Scoring stored runs again, for both faces: the run's data, the rules with a short name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.services.library import indexed_source
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.rescore import RescoreUpdate, count_items_to_score, rescore
from stepscope.core.evaluation.rules import Scoring, named_scorings
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.order_references import check_references
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs

if TYPE_CHECKING:
    from stepscope.core.sources.source import Source


_TRIED = 20
"""So many episodes are looked for in data at another place before it is refused."""


def rescore_run(
    database: Database,
    run_id: str,
    wanted: Sequence[Scoring],
    *,
    source: Source | None = None,
    token: CancelToken | None = None,
) -> Iterator[RescoreUpdate]:
    """`core.evaluation.rescore.rescore` on the run's own data, or on `source`. Data is opened only where there is
    something left to score. Raises UsageError when it is not there."""
    with database.reading() as db:
        run = runs.get(db, run_id)
    for one in wanted:
        if run_scorer(one.protocol).info.task is Task.ORDERING:
            check_references(dict(one.options))
    if source is not None and str(source.path) != run.spec.source:
        _check_has_some(database, run, source)
    if source is None and count_items_to_score(database, run_id, wanted):
        source = _data_of(database, run)
    yield from rescore(database, run_id, source, wanted, token=token)


def rules_for(run: Run) -> dict[str, Scoring]:
    """The rules with a short name that judge the run's task."""
    named = named_scorings()
    return {rule: one for rule, one in named.items() if run_scorer(one.protocol).info.task is run.spec.task}


def _check_has_some(database: Database, run: Run, source: Source) -> None:
    """Raise UsageError when data that is said to be the run's, at another place, has none of its first episodes."""
    with database.reading() as db:
        episodes = runs.selection(db, run.id)[:_TRIED]
    for episode in episodes:
        try:
            source.read(episode)
        except UserError:
            continue
        return
    if episodes:
        raise UsageError("None of the run's episodes is in it.", place=source.path, hint="Name the run's own data.")


def _data_of(database: Database, run: Run) -> Source:
    path = Path(run.spec.source)
    if not path.exists():
        hint = "Put it back, or name the place where it is now with --data PATH."
        raise UsageError("The run's data is not there any more.", place=path, hint=hint)
    return indexed_source(database, path, run.spec.format)
