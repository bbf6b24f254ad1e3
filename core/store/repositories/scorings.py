"""Rules that were put to a run beside its own: which ones, and what each of them has not judged yet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, exists, func, or_, select, true
from sqlalchemy.orm import Session, aliased

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.run import Outcome
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.frozen import dataclass
from stepscope.core.store.codec import options_from_text
from stepscope.core.store.repositories import outcomes
from stepscope.core.store.tables import PredictionRow, RunRow, ScoreRow, ScoringRow

Options = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class StoredScoring:
    """A rule with all its options on a run. `own`: the run's protocol; `items` have a score, an error among others."""

    id: int
    protocol: str
    options: tuple[tuple[str, str], ...]
    version: str
    own: bool
    items: int


@dataclass(frozen=True, slots=True)
class UnscoredItem:
    """An item, its score under the run's own protocol (None: it has none), and the scorings that have to judge it."""

    outcome: Outcome
    scorings: tuple[int, ...]


def of_run(db: Session, run_id: str) -> list[StoredScoring]:
    """The run's own rule first, then the others in the order in which they were added."""
    judged = select(func.count()).where(ScoreRow.scoring_id == ScoringRow.id).correlate(ScoringRow).scalar_subquery()
    query = select(ScoringRow, judged).where(ScoringRow.run_id == run_id)
    found = db.execute(query.order_by(ScoringRow.own.desc(), ScoringRow.id))
    return [
        StoredScoring(row.id, row.scorer, options_from_text(row.options), row.scorer_version, row.own, items)
        for row, items in found
    ]


def find(db: Session, run_id: str, protocol: str, options: Options) -> StoredScoring | None:
    """The scoring of the run with just these options."""
    wanted = tuple(sorted(options))
    return next((s for s in of_run(db, run_id) if s.protocol == protocol and tuple(sorted(s.options)) == wanted), None)


def enter(db: Session, run_id: str, protocol: str, version: str, options: Options) -> tuple[int, bool]:
    """The scoring's id, entered when it is new, and whether it is the run's own one by another version of the rule.

    Scores by another version are dropped, but for the run's own: those are replaced all at once (`replace_own`).
    """
    known = find(db, run_id, protocol, options)
    if known is None:
        return outcomes.scoring(db, run_id, protocol, version, options), False
    if known.version == version or known.own:
        return known.id, known.version != version
    db.execute(delete(ScoreRow).where(ScoreRow.scoring_id == known.id))
    outcomes.touch(db, known.id)
    db.get_one(ScoringRow, known.id).scorer_version = version
    return known.id, False


def replace_own(db: Session, run_id: str, scoring_id: int, version: str) -> None:
    """Drop the scores of the run's own rule for want of those of this version of it, which the run then names."""
    db.execute(delete(ScoreRow).where(ScoreRow.scoring_id == scoring_id))
    outcomes.touch(db, scoring_id)
    db.get_one(ScoringRow, scoring_id).scorer_version = version
    db.get_one(RunRow, run_id).scorer_version = version


def episodes_to_judge(
    db: Session, run_id: str, scoring_ids: Collection[int], anew: Collection[int] = ()
) -> list[tuple[str, int]]:
    """Episodes with items that lack a score under some of the scorings, and how many items, in the run's order.

    A scoring in `anew` lacks all. An error counts as no score, unless the predictor itself failed on the item.
    """
    query = select(PredictionRow.episode, func.count()).where(PredictionRow.run_id == run_id)
    query = query.where(or_(*(_lacks(scoring, anew) for scoring in scoring_ids)))
    rows = db.execute(query.group_by(PredictionRow.episode).order_by(func.min(PredictionRow.id)))
    return [(episode, count) for episode, count in rows]


def items_to_judge(
    db: Session, run_id: str, episodes: Collection[str], scoring_ids: Collection[int], anew: Collection[int] = ()
) -> list[UnscoredItem]:
    """The items of these episodes that lack a score under some of the scorings, in the run's order."""
    lacking = [_lacks(scoring, anew) for scoring in scoring_ids]
    query: Select[*tuple[Any, ...]] = (
        select(PredictionRow, ScoreRow, *lacking)
        .join(ScoringRow, and_(ScoringRow.run_id == PredictionRow.run_id, ScoringRow.own))
        .join(ScoreRow, and_(ScoreRow.prediction_id == PredictionRow.id, ScoreRow.scoring_id == ScoringRow.id))
        .where(PredictionRow.run_id == run_id, PredictionRow.episode.in_(episodes), or_(*lacking))
        .order_by(PredictionRow.id)
    )
    return [
        UnscoredItem(
            outcomes.outcome_of(row[0], row[1]),
            tuple(scoring for scoring, lacks in zip(scoring_ids, row[2:], strict=True) if lacks),
        )
        for row in db.execute(query)
    ]


def _lacks(scoring_id: int, anew: Collection[int]) -> ColumnElement[bool]:
    """Whether the enclosing query's prediction has to be judged under the scoring."""
    if scoring_id in anew:
        return true()
    score = aliased(ScoreRow)
    kept = or_(
        score.status != ScoreStatus.ERROR.value,
        and_(PredictionRow.status == PredictionStatus.FAILED.value, score.why == PredictionRow.why),
    )
    here = score.scoring_id == scoring_id, score.prediction_id == PredictionRow.id
    return ~exists(select(score.scoring_id).where(*here, kept)).correlate(PredictionRow)
