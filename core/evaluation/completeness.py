"""Whether a run that ended has all items that the index says should be there."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation.tasks import count_items, has_last_screens
from stepscope.core.store.repositories import outcomes, sources
from stepscope.core.store.tables import storable


def items_due(db: Session, run_id: str, spec: RunSpec, units: Sequence[str], done: int) -> int:
    """How many items the run should have: those that its rows have by the data's index; `done` where there is no index
    that tells.

    A row that could not be read is one item, in error. One of which only the outline is known is believed as it was
    read, unless nothing was; so is one of a run in which steps without an action may be items too.
    """
    index = sources.find(db, spec.source)
    if index is None:
        return done
    unread = {episode for episode, _place, _kind in sources.unchecked(db, index.id)}
    found = outcomes.counts(db, run_id)
    believes = spec.task is Task.ASK or has_last_screens(dict(spec.options))
    told: list[str] = []
    believed = 0
    for unit in units:
        count, whole = found.get(storable(unit), (0, False))
        if count and (whole or unit in unread or believes):
            believed += count
        else:
            told.append(unit)
    due = count_items(db, spec.task, index.id, told, dict(spec.options), spec.protocol) if told else 0
    if due is None:
        due = 0 if spec.task is Task.ASK else None
    return done if due is None else believed + due


def uneven(done: int, due: int) -> str:
    """What is to be told of a run whose items are not those that are due, "" where they are."""
    if done == due:
        return ""
    return f"The data's index has {due:,} items for this run, and {done:,} were done."
