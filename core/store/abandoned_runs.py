"""Runs whose program ended before they did: what whoever opens the store asks first, without what works on runs."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.domain.run import RunState
from stepscope.core.errors import StoreError
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from stepscope.core.store.worker import is_alive


def mark_interrupted(database: Database) -> list[str]:
    """Mark runs whose worker is dead as interrupted; returns their ids. Runs of other machines are left alone.

    To be called when a program opens the store, before it shows runs. In a store that cannot be written now, they stay
    as they are.
    """
    with database.reading() as db:
        if not abandoned(runs.claimed(db)):
            return []
    try:
        with database.unit_of_work() as db:
            found = abandoned(runs.claimed(db))
            for run_id in found:
                runs.set_state(db, run_id, RunState.INTERRUPTED, "The program ended before the run was done.")
    except StoreError as error:
        if error.of_damage:
            raise
        return []
    return found


def abandoned(found: Sequence[runs.ClaimedRun]) -> list[str]:
    """The ids of those whose worker is known to be dead."""
    return [run.run_id for run in found if is_alive(run.worker) is False]
