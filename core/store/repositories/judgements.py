"""Judgements of pairs of texts, texts that people wrote, and who judges what. Whatever a change drops it returns, so
that it can be put back.

They belong to a path, as annotations do, not to the index of what lies there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace as changed
from typing import Any, TypeVar

from sqlalchemy import Row, Select, select
from sqlalchemy.orm import Session

from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import (
    JudgeAssignment,
    JudgeId,
    Judgement,
    PairAnswers,
    TextOrigin,
    TextPair,
    TextPairKey,
    WrittenText,
    origin_of,
)
from stepscope.core.store.repositories.slots import SlottedRows
from stepscope.core.store.tables import (
    JudgeAssignmentRow,
    JudgementRow,
    WrittenTextRow,
    storable,
    table_of,
)

Value = TypeVar("Value", Judgement, WrittenText, JudgeAssignment)
Origins = tuple[TextOrigin, TextOrigin]


def of_pairs(db: Session, source: str, origins: Origins | None = None, episode: str | None = None) -> list[Judgement]:
    """Judgements about a data set, of one pair of origins where that is given, and of one episode."""
    query = _between(_all(JudgementRow, source), JudgementRow, origins)
    if episode is not None:
        query = query.where(JudgementRow.episode == storable(episode))
    order = JudgementRow.episode, JudgementRow.step, JudgementRow.first, JudgementRow.second
    return [_judgement(row) for row in db.execute(query.order_by(*order, JudgementRow.by_model, JudgementRow.judge))]


def judgement_at(db: Session, key: TextPairKey, judge: JudgeId) -> Judgement | None:
    """What the judge said of the pair."""
    found = of_pairs(db, storable(key.source), (key.first, key.second), key.episode)
    return next((one for one in found if one.slot == (_stored_key(key), _stored_judge(judge))), None)


def replace_judgements(db: Session, before: Iterable[Judgement], after: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """Drop what is in the slots of `before`, keep `after`; returns all that was there and is no more."""
    return _JUDGEMENTS.replace(db, before, after)


def written_of(db: Session, source: str, *, author: str | None = None, episode: str | None = None) -> list[WrittenText]:
    """Texts that people wrote about a data set, of one author or one episode where that is given."""
    query = _all(WrittenTextRow, source)
    for column, value in ((WrittenTextRow.author, author), (WrittenTextRow.episode, episode)):
        if value is not None:
            query = query.where(column == storable(value))
    order = WrittenTextRow.episode, WrittenTextRow.step, WrittenTextRow.author
    return [_written(row) for row in db.execute(query.order_by(*order))]


def authors(db: Session, source: str) -> list[str]:
    """Everybody who wrote a text about a data set."""
    return sorted(db.scalars(select(WrittenTextRow.author).distinct().where(WrittenTextRow.source == source)))


def replace_written(
    db: Session, before: Iterable[WrittenText], after: Sequence[WrittenText]
) -> tuple[WrittenText, ...]:
    """As `replace_judgements`."""
    return _WRITTEN.replace(db, before, after)


def assignments_of(db: Session, source: str, origins: Origins | None = None) -> list[JudgeAssignment]:
    """Who is to judge what, by annotator and in their order."""
    query = _between(_all(JudgeAssignmentRow, source), JudgeAssignmentRow, origins)
    order = JudgeAssignmentRow.annotator, JudgeAssignmentRow.position, JudgeAssignmentRow.episode
    return [_assignment(row) for row in db.execute(query.order_by(*order))]


def replace_assignments(
    db: Session, before: Iterable[JudgeAssignment], after: Sequence[JudgeAssignment]
) -> tuple[JudgeAssignment, ...]:
    """As `replace_judgements`."""
    return _ASSIGNMENTS.replace(db, before, after)


def judges(db: Session, source: str) -> list[JudgeId]:
    """Everybody who judged something of a data set, is to judge something, or wrote something; models too."""
    found = {JudgeId(name, by_model) for name, by_model in db.execute(
        select(JudgementRow.judge, JudgementRow.by_model).distinct().where(JudgementRow.source == source)
    )}  # fmt: skip
    assigned = select(JudgeAssignmentRow.annotator).distinct().where(JudgeAssignmentRow.source == source)
    found |= {JudgeId(name) for name in (*db.scalars(assigned), *authors(db, source))}
    return sorted(found, key=lambda judge: (judge.by_model, judge.name.casefold(), judge.name))


# Inside --------------------------------------------------------------------------------------------------------------


def _all(row: type[Any], source: str) -> Select[*tuple[Any, ...]]:
    """Columns, no mapped rows: ids are used again, and a session would hand out what it knows under the old one."""
    return select(*table_of(row).c).where(row.source == source)


def _between(query: Select[*tuple[Any, ...]], row: type[Any], origins: Origins | None) -> Select[*tuple[Any, ...]]:
    if origins is None:
        return query
    first, second = sorted(origins, key=lambda origin: origin.rank)
    return query.where(row.first == storable(first.code), row.second == storable(second.code))


def _stored_key(key: TextPairKey) -> TextPairKey:
    """The key as it comes back from the store."""
    first, second = (TextOrigin(one.kind, storable(one.name)) for one in (key.first, key.second))
    return TextPairKey(storable(key.source), storable(key.episode), key.step, first, second)


def _stored_judge(judge: JudgeId) -> JudgeId:
    return JudgeId(storable(judge.name), judge.by_model)


def _storable_judgement(one: Judgement) -> Judgement:
    pair = TextPair(_stored_key(one.pair.key), storable(one.pair.first), storable(one.pair.second))
    return changed(one, pair=pair, judge=_stored_judge(one.judge))


def _storable_written(one: WrittenText) -> WrittenText:
    return changed(one, source=storable(one.source), episode=storable(one.episode), author=storable(one.author))


def _storable_assignment(one: JudgeAssignment) -> JudgeAssignment:
    return changed(one, key=_stored_key(one.key), annotator=storable(one.annotator))


def _key_columns(key: TextPairKey) -> dict[str, Any]:
    return {
        "source": key.source,
        "episode": key.episode,
        "step": key.step,
        "first": key.first.code,
        "second": key.second.code,
    }


def _key(row: Row[*tuple[Any, ...]]) -> TextPairKey:
    return TextPairKey(row.source, row.episode, row.step, origin_of(row.first), origin_of(row.second))


def _judgement_row(one: Judgement) -> dict[str, Any]:
    return {
        **_key_columns(one.pair.key),
        "first_text": one.pair.first,
        "second_text": one.pair.second,
        "judge": one.judge.name,
        "by_model": one.judge.by_model,
        **one.answers._asdict(),
        "rejected": one.rejected,
        "remark": one.remark,
        "seconds": one.seconds,
        "seed": one.seed,
        "made": one.made,
        "detail": one.detail,
        "error": one.error.value if one.error is not None else "",
    }


def _judgement(row: Row[*tuple[Any, ...]]) -> Judgement:
    answers = PairAnswers(row.first_fulfilled, row.second_fulfilled, row.first_satisfies, row.second_satisfies)
    pair = TextPair(_key(row), row.first_text, row.second_text)
    judge = JudgeId(row.judge, row.by_model)
    said = row.rejected, row.remark, row.seconds, row.seed, row.detail
    return Judgement(pair, judge, answers, row.made, *said, GoalErrorClass(row.error) if row.error else None)


def _written_row(one: WrittenText) -> dict[str, Any]:
    return {
        "source": one.source,
        "episode": one.episode,
        "step": one.step,
        "author": one.author,
        "text": one.text,
        "seconds": one.seconds,
        "made": one.made,
    }


def _written(row: Row[*tuple[Any, ...]]) -> WrittenText:
    return WrittenText(row.source, row.episode, row.step, row.author, row.text, row.made, row.seconds)


def _assignment_row(one: JudgeAssignment) -> dict[str, Any]:
    return {**_key_columns(one.key), "annotator": one.annotator, "position": one.position}


def _assignment(row: Row[*tuple[Any, ...]]) -> JudgeAssignment:
    return JudgeAssignment(_key(row), row.annotator, row.position)


_JUDGEMENTS = SlottedRows[Judgement](
    JudgementRow, _storable_judgement, _judgement, _judgement_row, lambda one: one.slot,
    lambda one: (one.pair.key.source, one.pair.key.episode),
)  # fmt: skip
_WRITTEN = SlottedRows[WrittenText](
    WrittenTextRow, _storable_written, _written, _written_row, lambda one: one.slot,
    lambda one: (one.source, one.episode),
)  # fmt: skip
_ASSIGNMENTS = SlottedRows[JudgeAssignment](
    JudgeAssignmentRow, _storable_assignment, _assignment, _assignment_row, lambda one: one.slot,
    lambda one: (one.key.source, one.key.episode),
)  # fmt: skip
