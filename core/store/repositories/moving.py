"""Data that lies elsewhere than before: what models and people said of it goes along."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import CursorResult, Update, and_, exists, func, select, update
from sqlalchemy.orm import Session, aliased

from stepscope.core.domain.campaign import CampaignTask
from stepscope.core.frozen import dataclass
from stepscope.core.store.ask_tables import AmbiguousTaskRow, AskReviewRow
from stepscope.core.store.campaign_tables import CampaignAppRow, CampaignRow
from stepscope.core.store.tables import (
    AnnotationRow,
    EpisodeRow,
    HumanOrderRow,
    JudgeAssignmentRow,
    JudgementRow,
    RunRow,
    SourceRow,
    WebAnswerRow,
    WrittenTextRow,
)

_OF_PEOPLE: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (WebAnswerRow, ("instance", "annotator")),
    (JudgementRow, ("episode", "step", "first", "second", "judge", "by_model")),
    (JudgeAssignmentRow, ("episode", "step", "first", "second", "annotator")),
    (WrittenTextRow, ("episode", "step", "author")),
    (HumanOrderRow, ("procedure", "annotator", "blind")),
    (AmbiguousTaskRow, ("episode", "made_by", "removed")),
    (AskReviewRow, ("episode", "made_by", "removed", "reviewer")),
)
"""What people answered about data or models made of them, and by what, besides the data, a row is the only one of its
kind."""


@dataclass(frozen=True, slots=True)
class MovedRows:
    """How many runs, annotations, and answers of people (to web tasks, judgements, orders and the like) have gone
    along."""

    runs: int
    annotations: int
    answers: int


def missing_episodes(db: Session, old: str, new: str) -> int:
    """Count the episodes that the index of the data at `old` has and that at `new` has not; paths as the store knows
    them. 0 as well where `old` has no index any more."""
    before, now = (select(SourceRow.id).where(SourceRow.path == path).scalar_subquery() for path in (old, new))
    other = aliased(EpisodeRow)
    same = exists().where(and_(other.source_id == now, other.episode == EpisodeRow.episode))
    missing = select(func.count()).select_from(EpisodeRow).where(EpisodeRow.source_id == before, ~same)
    return db.scalar(missing) or 0


def move_data(db: Session, old: str, new: str) -> MovedRows:
    """Let everything that is said of the data at `old` be about that at `new`. An annotation, or an answer, that `new`
    has of its own stays, and that of `old` where it is. Procedures that people are to order are assigned there too."""
    _move_assignments(db, old, new)
    return MovedRows(
        _changed(db, update(RunRow).where(RunRow.source == old).values(source=new)),
        _moved(db, AnnotationRow, ("episode", "kind", "step", "slot"), old, new),
        sum(_moved(db, row, names, old, new) for row, names in _OF_PEOPLE),
    )


def _move_assignments(db: Session, old: str, new: str) -> None:
    """What campaigns of ordering call their app is the path of the data."""
    there = aliased(CampaignAppRow)
    known = exists().where(there.package == new, there.campaign_id == CampaignAppRow.campaign_id)
    ordering = select(CampaignRow.id).where(CampaignRow.task == CampaignTask.ORDERING.value)
    mine = and_(CampaignAppRow.package == old, CampaignAppRow.campaign_id.in_(ordering), ~known)
    _changed(db, update(CampaignAppRow).where(mine).values(package=new))


def _moved(db: Session, row: Any, names: tuple[str, ...], old: str, new: str) -> int:
    """Move the rows of which `new` has none with the same values of these names."""
    there = aliased(row)
    known = exists().where(there.source == new, *(getattr(there, name) == getattr(row, name) for name in names))
    return _changed(db, update(row).where(row.source == old, ~known).values(source=new))


def _changed(db: Session, change: Update) -> int:
    """How many rows it has changed."""
    return cast(CursorResult[Any], db.execute(change, execution_options={"synchronize_session": False})).rowcount
