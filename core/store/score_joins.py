"""Predictions with their scores, and the items on which two rules say different things."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, select
from sqlalchemy.orm import Session, aliased

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.store.repositories import outcomes
from stepscope.core.store.tables import PredictionRow, ScoreRow, ScoringRow


def with_scores(query: Select[*tuple[Any, ...]], chosen: ColumnElement[bool] | None = None) -> Select[*tuple[Any, ...]]:
    """Predictions joined with their scores, those under the run's own protocol unless a scoring is chosen."""
    which = ScoringRow.own.is_(True) if chosen is None else chosen
    return query.join_from(PredictionRow, ScoreRow, ScoreRow.prediction_id == PredictionRow.id).join(
        ScoringRow, and_(ScoringRow.id == ScoreRow.scoring_id, which)
    )


def is_null() -> ColumnElement[bool]:
    return and_(ScoreRow.malformed.is_(True), PredictionRow.status != PredictionStatus.MALFORMED.value)


def beside_own(
    query: Select[*tuple[Any, ...]], own: type[ScoreRow], prediction: ColumnElement[int] | Any
) -> Select[*tuple[Any, ...]]:
    """The query joined with the score of the same prediction under the run's own protocol."""
    rule = aliased(ScoringRow)
    query = query.join(own, own.prediction_id == prediction)
    return query.join(rule, and_(rule.id == own.scoring_id, rule.own.is_(True)))


def is_flip(before: type[ScoreRow], after: type[ScoreRow]) -> ColumnElement[bool]:
    """Both scored, and right under one of the two only."""
    both = before.value.is_not(None), after.value.is_not(None)
    return and_(*both, (before.value == 1.0) != (after.value == 1.0))


def flips(db: Session, run_id: str, scoring_id: int) -> list[tuple[Outcome, Score]]:
    """Items whose verdict under the scoring is another than under the run's own protocol, in the order they were done:
    each with its own score, and the one under the scoring."""
    after = aliased(ScoreRow)
    query = with_scores(select(PredictionRow, ScoreRow, after)).where(PredictionRow.run_id == run_id)
    query = query.join(after, and_(after.prediction_id == PredictionRow.id, after.scoring_id == scoring_id))
    rows = db.execute(query.where(is_flip(ScoreRow, after)).order_by(PredictionRow.id))
    return [(outcomes.outcome_of(item, before), outcomes.score_of(score, item.status)) for item, before, score in rows]


def reasons_unscored(db: Session, scoring_id: int) -> list[tuple[str, int]]:
    """Why items have no score under the scoring, the most frequent reason first."""
    number = func.count()
    query = select(ScoreRow.why, number).where(
        ScoreRow.scoring_id == scoring_id, ScoreRow.status == ScoreStatus.UNSCORED.value
    )
    return [(row[0], row[1]) for row in db.execute(query.group_by(ScoreRow.why).order_by(number.desc(), ScoreRow.why))]


def flip_counts(db: Session, run_id: str) -> dict[int, int]:
    """How many items flip, by scoring."""
    before = aliased(ScoreRow)
    number = func.sum(case((is_flip(before, ScoreRow), 1), else_=0))
    query = select(ScoringRow.id, number).join(ScoreRow, ScoreRow.scoring_id == ScoringRow.id)
    query = beside_own(query.where(ScoringRow.run_id == run_id), before, ScoreRow.prediction_id)
    return {row[0]: row[1] for row in db.execute(query.group_by(ScoringRow.id))}


def judged_by_one(db: Session, run_id: str, scoring_id: int) -> tuple[list[ItemKey], list[ItemKey]]:
    """Items that only the run's own protocol could score, and items that only the scoring could."""
    after = aliased(ScoreRow)
    query = with_scores(select(PredictionRow.episode, PredictionRow.step, ScoreRow.value.is_not(None)))
    query = query.join(after, and_(after.prediction_id == PredictionRow.id, after.scoring_id == scoring_id))
    one = ScoreRow.value.is_(None) != after.value.is_(None)
    found: tuple[list[ItemKey], list[ItemKey]] = [], []
    for episode, step, own in db.execute(query.where(PredictionRow.run_id == run_id, one).order_by(PredictionRow.id)):
        found[0 if own else 1].append(ItemKey(episode, step))
    return found
