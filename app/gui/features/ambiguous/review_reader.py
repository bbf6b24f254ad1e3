"""Reads the ambiguous tasks of a data set and what was said of them. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.features.ambiguous.review_session import ReviewFilter, ReviewSession, by_slot
from stepscope.core.domain.ambiguous_task import AmbiguousTask
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import ambiguous_tasks as task_rows
else:
    task_rows = lazy_module("stepscope.core.store.repositories.ambiguous_tasks")


@dataclass(frozen=True, slots=True)
class ReviewRead:
    """What there is of a data set: the session of one person, all tasks, those of episodes without enough to leave
    out too, and who reviewed."""

    session: ReviewSession
    tasks: Sequence[AmbiguousTask]
    people: tuple[str, ...]


def read_tasks(database: Database, source: str, person: str, chosen: ReviewFilter, *, blind: bool) -> ReviewRead:
    """Raises StoreError."""
    with database.reading() as db:
        tasks = task_rows.tasks_of(db, source)
        reviews = task_rows.reviews_of(db, source)
    enough = sorted((task for task in tasks if task.is_enough), key=lambda task: bool(task.failed))
    session = ReviewSession(person, enough, by_slot(reviews), chosen, blind=blind)
    people = sorted({one.reviewer for one in reviews}, key=lambda name: (name.casefold(), name))
    return ReviewRead(session, tasks, tuple(people))
