"""What the index says of the tasks that a run's web pages are of."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from stepscope.core.store.repositories import sources
from stepscope.core.store.tables import EpisodeRow


def task_splits(db: Session, source: str) -> dict[str, tuple[str, ...]]:
    """The splits of each task of a source, named by its path; empty for one that was never indexed. A task whose pages
    are in several splits has them all."""
    known = sources.find(db, source)
    if known is None:
        return {}
    rows = db.execute(select(EpisodeRow.app, EpisodeRow.split).where(EpisodeRow.source_id == known.id).distinct())
    found: dict[str, dict[str, None]] = {}
    for task, splits in rows:
        if task:
            found.setdefault(task, {}).update(dict.fromkeys(filter(None, splits.split("\n"))))
    return {task: tuple(splits) for task, splits in found.items()}
