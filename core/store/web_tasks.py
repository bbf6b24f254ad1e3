"""The web tasks of a source, from its index."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stepscope.core.frozen import dataclass
from stepscope.core.store.tables import EpisodeRow

_INSTANCE = "instance"


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task and how many pages of it there are."""

    name: str
    split: str
    instances: int


def task_rows(db: Session, source_id: int) -> list[TaskRow]:
    """Every task of the source, in the order of the data."""
    first = func.min(EpisodeRow.position)
    question = (
        select(EpisodeRow.app, func.max(EpisodeRow.split), func.count())
        .where(EpisodeRow.source_id == source_id, EpisodeRow.kind == _INSTANCE)
        .group_by(EpisodeRow.app)
        .order_by(first)
    )
    return [TaskRow(app or "", split or "", count) for app, split, count in db.execute(question)]


def instance_ids(db: Session, source_id: int, task: str) -> list[str]:
    """The task's instances in the order of the data."""
    question = (
        select(EpisodeRow.episode)
        .where(EpisodeRow.source_id == source_id, EpisodeRow.kind == _INSTANCE, EpisodeRow.app == task)
        .order_by(EpisodeRow.position)
    )
    return list(db.scalars(question))
