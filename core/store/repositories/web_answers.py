"""What people answered on pages of web tasks. Whatever a change drops it returns, so that `replace` can put it back.

Answers belong to a path, as annotations do, not to the index of what lies there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace as changed
from typing import Any

from sqlalchemy import Row, Select, delete, func, insert, select
from sqlalchemy.orm import Session

from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.frozen import dataclass
from stepscope.core.store.codec import compact
from stepscope.core.store.repositories.sources import IN_PIECES
from stepscope.core.store.tables import WebAnswerRow, storable, table_of

Answers = tuple[WebAnswer, ...]
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class AnswerProgress:
    """The progress of a person with a task: answers that were submitted and drafts, and the seconds of the
    submitted."""

    task: str
    annotator: str
    submitted: int
    drafts: int
    seconds: float


def put(db: Session, answer: WebAnswer) -> WebAnswer | None:
    """Keep the answer; returns the one whose place it took."""
    before = replace(db, (), (answer,))
    return before[0] if before else None


def replace(db: Session, before: Iterable[WebAnswer], after: Sequence[WebAnswer]) -> Answers:
    """Drop the answers of `before`, keep those of `after`; returns everything that was there and is no more.

    Of `before` only the key counts. With `gone = replace(db, before, after)`, `replace(db, after, gone)` makes
    everything as it was.
    """
    latest = {one.key: one for one in map(_storable, after)}
    gone = _at(db, latest.keys() | {_storable(one).key for one in before})
    ids = [number for number, _ in gone]
    for first in range(0, len(ids), IN_PIECES):
        db.execute(delete(table_of(WebAnswerRow)).where(WebAnswerRow.id.in_(ids[first : first + IN_PIECES])))
    if latest:
        db.execute(insert(table_of(WebAnswerRow)), [_row(one) for one in latest.values()])
    return tuple(answer for _, answer in gone)


def get(db: Session, source: str, instance: str, annotator: str) -> WebAnswer | None:
    """The person's answer to the instance, draft or submitted."""
    found = _at(db, {(storable(source), storable(instance), storable(annotator))})
    return found[0][1] if found else None


def of_source(
    db: Session, source: str, *, task: str | None = None, instance: str | None = None, annotator: str | None = None
) -> list[WebAnswer]:
    """Answers and drafts by task, instance and annotator; of all people, or of one."""
    query = _all(source)
    wanted = (WebAnswerRow.task, task), (WebAnswerRow.instance, instance), (WebAnswerRow.annotator, annotator)
    for column, value in wanted:
        if value is not None:
            query = query.where(column == value)
    return [_value(row) for row in db.execute(query.order_by(*_ORDER))]


def annotators(db: Session, source: str | None = None) -> list[str]:
    """Everybody who answered something, a draft counts, in any data or in this."""
    query = select(WebAnswerRow.annotator).distinct()
    if source is not None:
        query = query.where(WebAnswerRow.source == source)
    return sorted(db.scalars(query), key=lambda name: (name.casefold(), name))


def sources(db: Session) -> list[str]:
    """The data that there are answers about."""
    return sorted(db.scalars(select(WebAnswerRow.source).distinct()))


def holders(db: Session, source: str, task: str) -> dict[str, dict[str, bool]]:
    """Holders of a task's instances: by instance, annotator and whether it is submitted."""
    query = select(WebAnswerRow.instance, WebAnswerRow.annotator, WebAnswerRow.submitted)
    query = query.where(WebAnswerRow.source == source, WebAnswerRow.task == task)
    found: dict[str, dict[str, bool]] = {}
    for instance, annotator, submitted in db.execute(query):
        found.setdefault(instance, {})[annotator] = submitted is not None
    return found


def progress(db: Session, source: str) -> list[AnswerProgress]:
    """How far each annotator is with each task."""
    submitted = func.count(WebAnswerRow.submitted)
    seconds = func.sum(WebAnswerRow.seconds).filter(WebAnswerRow.submitted.is_not(None))
    by = WebAnswerRow.task, WebAnswerRow.annotator
    query = select(*by, submitted, func.count() - submitted, func.coalesce(seconds, 0.0))
    query = query.where(WebAnswerRow.source == source).group_by(*by).order_by(*by)
    return [AnswerProgress(*row) for row in db.execute(query)]


_ORDER = (WebAnswerRow.task, WebAnswerRow.instance, WebAnswerRow.annotator)


def _all(source: str) -> Select[*tuple[Any, ...]]:
    """Columns, no mapped rows: ids are used again, and a session would hand out what it knows under the old one."""
    return select(*table_of(WebAnswerRow).c).where(WebAnswerRow.source == source)


def _at(db: Session, keys: Iterable[Key]) -> list[tuple[int, WebAnswer]]:
    """What is there under these keys, with its row's id."""
    wanted = set(keys)
    by_source: dict[str, set[str]] = {}
    for source, instance, _ in wanted:
        by_source.setdefault(source, set()).add(instance)
    found: list[tuple[int, WebAnswer]] = []
    for source, instances in sorted(by_source.items()):
        names = sorted(instances)
        for first in range(0, len(names), IN_PIECES):
            piece = WebAnswerRow.instance.in_(names[first : first + IN_PIECES])
            rows = db.execute(_all(source).where(piece).order_by(*_ORDER))
            found += [(row.id, value) for row in rows if (value := _value(row)).key in wanted]
    return found


def _storable(answer: WebAnswer) -> WebAnswer:
    """The answer with a key as it comes back from the store."""
    texts = storable(answer.source), storable(answer.task), storable(answer.instance), storable(answer.annotator)
    source, task, instance, annotator = texts
    return changed(answer, source=source, task=task, instance=instance, annotator=annotator)


def _row(answer: WebAnswer) -> dict[str, Any]:
    return {
        "source": answer.source,
        "task": answer.task,
        "instance": answer.instance,
        "annotator": answer.annotator,
        "fields": compact([list(pair) for pair in answer.fields.items()]),
        "seconds": answer.seconds,
        "changed": answer.changed,
        "submitted": answer.submitted,
        "log": answer.log,
    }


def _value(row: Row[*tuple[Any, ...]]) -> WebAnswer:
    fields = dict(json.loads(row.fields))
    return WebAnswer(
        row.source, row.task, row.instance, row.annotator, fields, row.changed, row.seconds, row.submitted, row.log
    )
