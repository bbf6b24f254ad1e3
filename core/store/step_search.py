"""Which of some episodes have a step of a kind, and between which steps: what going to the next such step asks for.

Nothing here puts episodes in an order: whoever looks for the next one asks about a handful after the other, in an order
of their own, and stops at the first that has one. `episodes` None asks about all: quick where few have any.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.domain.prediction import ASKS
from stepscope.core.store.tables import EPISODE_STEP, AnnotationRow, EpisodeRow, PredictionRow, ScoreRow, ScoringRow

Ends = dict[str, tuple[int, int]]
"""By episode the lowest and the highest index of such a step; episodes without one are left out."""

FLAGS = (AnnotationKind.STAR, AnnotationKind.NOTE, AnnotationKind.DEFECT)
"""What makes a flagged step."""


def wrong(db: Session, runs: Collection[str], episodes: Sequence[str] | None, scorings: Mapping[str, int]) -> Ends:
    """Steps that any of the runs has wrong, under its own protocol or the scoring of it that `scorings` names. What was
    answered about the whole episode counts as its step -1."""
    query = _judged(db, select(PredictionRow.episode, *_ends(PredictionRow.step)), runs, episodes, scorings)
    return _found(db, query.where(ScoreRow.value < 1.0).group_by(PredictionRow.episode))


def differing(db: Session, runs: Collection[str], episodes: Sequence[str], scorings: Mapping[str, int]) -> Ends:
    """Steps that one of the runs has right and another wrong."""
    right = func.sum(case((ScoreRow.value == 1.0, 1), else_=0))
    query = _judged(db, select(PredictionRow.episode, PredictionRow.step), runs, episodes, scorings)
    query = query.where(ScoreRow.value.is_not(None)).group_by(PredictionRow.episode, PredictionRow.step)
    steps = query.having(and_(right > 0, right < func.count())).subquery()
    return _found(db, select(steps.c.episode, *_ends(steps.c.step)).group_by(steps.c.episode))


def asking(db: Session, runs: Collection[str], episodes: Sequence[str] | None) -> Ends:
    """Steps at which any of the runs puts a question."""
    query = select(PredictionRow.episode, *_ends(PredictionRow.step)).where(
        PredictionRow.run_id.in_(runs), *_among(PredictionRow.episode, episodes), PredictionRow.kind == ASKS
    )
    return _found(db, query.group_by(PredictionRow.episode))


def with_questions(db: Session, source_id: int, episodes: Sequence[str] | None) -> set[str]:
    """The episodes in which the recording asks, or a question was due."""
    asks = or_(EpisodeRow.asks > 0, EpisodeRow.actions.contains(f'["{ASKS}",', autoescape=True))
    query = select(EpisodeRow.episode).where(EpisodeRow.source_id == source_id, *_among(EpisodeRow.episode, episodes))
    return set(db.scalars(query.where(asks)))


def flagged(db: Session, source: str, episodes: Sequence[str] | None) -> Ends:
    """Steps with a star, a note or a defect; `source` is the data's path, as annotations have it."""
    kinds = [kind.value for kind in FLAGS]
    query = select(AnnotationRow.episode, *_ends(AnnotationRow.step)).where(
        AnnotationRow.source == source,
        *_among(AnnotationRow.episode, episodes),
        AnnotationRow.kind.in_(kinds),
        AnnotationRow.step != EPISODE_STEP,
    )
    return _found(db, query.group_by(AnnotationRow.episode))


def unchecked(db: Session, source_id: int, source: str, episodes: Sequence[str] | None) -> set[str]:
    """The episodes with a step that nobody has checked: neither the step nor the episode as a whole."""
    said = select(AnnotationRow.episode, func.min(AnnotationRow.step), func.count()).where(
        AnnotationRow.source == source,
        *_among(AnnotationRow.episode, episodes),
        AnnotationRow.kind == AnnotationKind.CHECKED.value,
    )
    checked = {episode: (least, many) for episode, least, many in db.execute(said.group_by(AnnotationRow.episode))}
    query = select(EpisodeRow.episode, EpisodeRow.steps).where(
        EpisodeRow.source_id == source_id, *_among(EpisodeRow.episode, episodes), EpisodeRow.steps > 0
    )
    return {
        episode
        for episode, steps in db.execute(query)
        if episode not in checked or (checked[episode][0] != EPISODE_STEP and checked[episode][1] < steps)
    }


def checked_steps(db: Session, source: str, episode: str) -> set[int]:
    """The indices of the steps of the episode that are checked, each by itself."""
    query = select(AnnotationRow.step).where(
        AnnotationRow.source == source,
        AnnotationRow.episode == episode,
        AnnotationRow.kind == AnnotationKind.CHECKED.value,
    )
    return set(db.scalars(query)) - {EPISODE_STEP}


def _ends(step: Any) -> tuple[ColumnElement[int], ColumnElement[int]]:
    return func.min(step), func.max(step)


def _among(column: InstrumentedAttribute[str], episodes: Sequence[str] | None) -> list[ColumnElement[bool]]:
    return [] if episodes is None else [column.in_(episodes)]


def _judged(
    db: Session,
    query: Select[*tuple[Any, ...]],
    runs: Collection[str],
    episodes: Sequence[str] | None,
    scorings: Mapping[str, int],
) -> Select[*tuple[Any, ...]]:
    """Joined with the scores; their scorings are looked up before, so that a question about all episodes goes through
    the scores, of which few may be wanted, and not through all predictions."""
    own = select(ScoringRow.id).where(ScoringRow.run_id.in_(set(runs) - scorings.keys()), ScoringRow.own)
    ids = [*db.scalars(own), *(scoring for run, scoring in scorings.items() if run in runs)]
    query = query.join_from(ScoreRow, PredictionRow, PredictionRow.id == ScoreRow.prediction_id)
    query = query.where(ScoreRow.scoring_id.in_(ids))
    if episodes is None:
        return query
    return query.where(PredictionRow.run_id.in_(runs), PredictionRow.episode.in_(episodes))


def _found(db: Session, query: Select[*tuple[Any, ...]]) -> Ends:
    return {episode: (first, last) for episode, first, last in db.execute(query)}
