"""Runs whose places fit another coordinate space: each is looked into once, when it has ended or is first shown."""

from __future__ import annotations

from pathlib import Path

from stepscope.app.services import coordinate_check, library
from stepscope.app.services.coordinate_check import CoordinateCheck
from stepscope.core.domain.model_name import is_asked
from stepscope.core.domain.prediction import WITH_PLACES
from stepscope.core.domain.run import Run, RunState
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import coordinate_doubts
from stepscope.core.store.repositories.coordinate_doubts import Doubt


def look_into(database: Database, run: Run, source: Source | None, token: CancelToken) -> Doubt | None:
    """Check the run and remember what was found; None when it was cancelled, and for a run that has not ended or whose
    answers have no places as its model said them. `source` is its data where that is open. Raises UserError where the
    data is gone."""
    has_places = run.spec.task in WITH_PLACES and is_asked(run.spec.model)
    if run.state is not RunState.DONE or not has_places:
        return None
    data = source or library.indexed_source(database, Path(run.spec.source), run.spec.format)
    for update in coordinate_check.check(database, run, data, token=token):
        if update.result is not None:
            return remember(database, update.result)
    return None


def remember(database: Database, found: CoordinateCheck) -> Doubt:
    """Keep what a check found, in the place of an earlier one; that the same winner was silenced stays."""
    best, chosen = found.candidates[0], found.chosen
    with database.unit_of_work() as db:
        doubt = Doubt(found.winner, chosen.name, chosen.points, chosen.right, best.right)
        return coordinate_doubts.put(db, found.run_id, doubt)


def words_of(doubt: Doubt, run: Run) -> str:
    """The doubt in a line; another space wins."""
    try:
        adapter = coordinate_check.adapter_of(run)
    except UsageError:
        adapter = None
    title = coordinate_check.space_words(doubt.winner, adapter)
    return f"may be misread: {doubt.then:,} of {doubt.points:,} places would be right as {title}, {doubt.now:,} are now"
