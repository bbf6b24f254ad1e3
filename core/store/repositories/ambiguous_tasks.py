"""Ambiguous tasks and what people say of them. Whatever a change drops it returns, so that it can be put back.

They belong to a path, as annotations do, not to the index of what lies there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace as changed
from typing import Any, TypeVar

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session

from stepscope.core.domain.ambiguous_json import (
    check_names_from_text,
    check_names_to_text,
    piece_edits_from_text,
    piece_edits_to_text,
    pieces_from_text,
    pieces_to_text,
    readings_from_text,
    readings_to_text,
)
from stepscope.core.domain.ambiguous_task import AmbiguousTask, AskReview, ReviewVerdict, TaskSlot
from stepscope.core.store.ask_tables import AmbiguousTaskRow, AskReviewRow
from stepscope.core.store.repositories.slots import SlottedRows
from stepscope.core.store.tables import storable, table_of

Kept = TypeVar("Kept", AmbiguousTask, AskReview)


def tasks_of(
    db: Session, source: str, *, made_by: str | None = None, episode: str | None = None
) -> list[AmbiguousTask]:
    """The tasks of a data set by episode, maker and how much they leave out; of one maker or episode where given."""
    query = _all(AmbiguousTaskRow, source)
    for column, value in ((AmbiguousTaskRow.made_by, made_by), (AmbiguousTaskRow.episode, episode)):
        if value is not None:
            query = query.where(column == storable(value))
    order = AmbiguousTaskRow.episode, AmbiguousTaskRow.made_by, AmbiguousTaskRow.removed
    return [_task(row) for row in db.execute(query.order_by(*order))]


def made_slots(db: Session, source: str, made_by: str) -> dict[TaskSlot, str]:
    """The version of each task that somebody made of a data set, without reading the tasks."""
    row = AmbiguousTaskRow
    query = select(row.episode, row.removed, row.version).where(
        row.source == storable(source), row.made_by == storable(made_by)
    )
    return {TaskSlot(source, episode, made_by, removed): version for episode, removed, version in db.execute(query)}


def makers(db: Session, source: str) -> dict[str, int]:
    """How many tasks each model, or the rules, made of a data set."""
    row = AmbiguousTaskRow
    query = select(row.made_by, func.count()).where(row.source == storable(source)).group_by(row.made_by)
    return {row.made_by: row[1] for row in db.execute(query.order_by(row.made_by))}


def keep(db: Session, tasks: Sequence[AmbiguousTask]) -> tuple[AmbiguousTask, ...]:
    """Keep the tasks in place of what is in their slots; returns what was there."""
    return _TASKS.replace(db, (), tasks)


def drop(db: Session, tasks: Iterable[AmbiguousTask]) -> tuple[AmbiguousTask, ...]:
    """Drop what is in the slots of the tasks; returns it. Their reviews stay."""
    return _TASKS.replace(db, tasks, ())


def reviews_of(db: Session, source: str, *, episode: str | None = None) -> list[AskReview]:
    """The reviews of a data set's tasks, by task and reviewer; of one episode where that is given."""
    query = _all(AskReviewRow, source)
    if episode is not None:
        query = query.where(AskReviewRow.episode == storable(episode))
    order = AskReviewRow.episode, AskReviewRow.made_by, AskReviewRow.removed, AskReviewRow.reviewer
    return [_review(row) for row in db.execute(query.order_by(*order))]


def replace_reviews(db: Session, before: Iterable[AskReview], after: Sequence[AskReview]) -> tuple[AskReview, ...]:
    """Drop what is in the places of `before`, keep `after`; returns all that was there and is no more: with
    `gone = replace_reviews(db, before, after)`, `replace_reviews(db, after, gone)` makes everything as it was."""
    return _REVIEWS.replace(db, before, after)


def reviewers(db: Session, source: str) -> list[str]:
    """Everybody who reviewed a task of a data set."""
    query = select(AskReviewRow.reviewer).distinct().where(AskReviewRow.source == storable(source))
    return sorted(db.scalars(query), key=lambda name: (name.casefold(), name))


# Inside --------------------------------------------------------------------------------------------------------------


def _all(row: type[Any], source: str) -> Select[*tuple[Any, ...]]:
    """Columns, no mapped rows: ids are used again, and a session would hand out what it knows under the old one."""
    return select(*table_of(row).c).where(row.source == storable(source))


def _storable_slot(slot: TaskSlot) -> TaskSlot:
    """The slot as it comes back from the store."""
    return TaskSlot(storable(slot.source), storable(slot.episode), storable(slot.made_by), slot.removed)


def _storable_task(task: AmbiguousTask) -> AmbiguousTask:
    return changed(task, slot=_storable_slot(task.slot))


def _storable_review(review: AskReview) -> AskReview:
    return changed(review, slot=_storable_slot(review.slot), reviewer=storable(review.reviewer))


def _slot(row: Row[*tuple[Any, ...]]) -> TaskSlot:
    return TaskSlot(row.source, row.episode, row.made_by, row.removed)


def _task_row(task: AmbiguousTask) -> dict[str, Any]:
    return {
        **task.slot._asdict(),
        "version": task.version,
        "app": task.app,
        "original": task.original,
        "goal": task.goal,
        "pieces": pieces_to_text(task.pieces),
        "readings": readings_to_text(task.readings),
        "failed": check_names_to_text(task.failed),
        "made": task.made,
    }


def _task(row: Row[*tuple[Any, ...]]) -> AmbiguousTask:
    return AmbiguousTask(
        _slot(row),
        row.original,
        row.goal,
        pieces_from_text(row.pieces),
        readings_from_text(row.readings),
        row.made,
        row.version,
        row.app,
        check_names_from_text(row.failed),
    )


def _review_row(review: AskReview) -> dict[str, Any]:
    return {
        **review.slot._asdict(),
        "reviewer": review.reviewer,
        "verdict": review.verdict.value,
        "wording": review.wording,
        "goal": review.goal,
        "pieces": piece_edits_to_text(review.pieces),
        "note": review.note,
        "seconds": review.seconds,
        "made": review.made,
    }


def _review(row: Row[*tuple[Any, ...]]) -> AskReview:
    return AskReview(
        _slot(row),
        row.reviewer,
        ReviewVerdict(row.verdict),
        row.wording,
        row.made,
        row.goal,
        piece_edits_from_text(row.pieces),
        row.note,
        row.seconds,
    )


_TASKS = SlottedRows[AmbiguousTask](
    AmbiguousTaskRow, _storable_task, _task, _task_row, lambda one: one.slot,
    lambda one: (one.slot.source, one.slot.episode),
)  # fmt: skip
_REVIEWS = SlottedRows[AskReview](
    AskReviewRow, _storable_review, _review, _review_row, lambda one: one.key,
    lambda one: (one.slot.source, one.slot.episode),
)  # fmt: skip
