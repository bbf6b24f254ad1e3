"""Predictions and their scores. An item of a run has one prediction, and one score under each scoring."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import Prediction, PredictionStatus, answer_word
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.errors import StoreError
from stepscope.core.store.codec import answer_from_text, answer_to_text, compact, options_to_text
from stepscope.core.store.repositories import attachments, model_calls
from stepscope.core.store.tables import EPISODE_STEP, PredictionRow, ScoreRow, ScoringRow, table_of


def scoring(
    db: Session, run_id: str, scorer: str, version: str, options: Sequence[tuple[str, str]], *, own: bool = False
) -> int:
    """The id of this rule with these options on this run, entered when it is new. `own`: the run's protocol.

    Raises StoreError when scores of another version of the rule are there: a run never mixes two.
    """
    text = options_to_text(options)
    same = ScoringRow.run_id == run_id, ScoringRow.scorer == scorer, ScoringRow.options == text
    row = db.scalar(select(ScoringRow).where(*same))
    if row is None:
        row = ScoringRow(run_id=run_id, scorer=scorer, scorer_version=version, options=text, own=own)
        db.add(row)
        db.flush()
    elif row.scorer_version != version:
        hint = "Score the run again, or start a new one."
        raise StoreError(
            f"Run {run_id} was scored by version {row.scorer_version} of {scorer}, this is {version}.", hint=hint
        )
    return row.id


def counts(db: Session, run_id: str) -> dict[str, tuple[int, bool]]:
    """The number of outcomes of each episode of the run, under its stored id, and whether one is about the whole
    episode."""
    own = PredictionRow.run_id == run_id
    query = select(PredictionRow.episode, func.count(), func.min(PredictionRow.step)).where(own)
    rows = db.execute(query.group_by(PredictionRow.episode))
    return {episode: (count, first == EPISODE_STEP) for episode, count, first in rows}


def add_many(db: Session, run_id: str, scoring_id: int, outcomes: Sequence[Outcome]) -> None:
    """Store predictions with their scores, pictures and calls. Raises StoreError when an item of the run has one
    already."""
    if not outcomes:
        return
    rows = [_prediction_row(run_id, outcome) for outcome in outcomes]
    statement = insert(PredictionRow).returning(PredictionRow.id, sort_by_parameter_order=True)
    try:
        ids = db.scalars(statement, rows).all()
    except IntegrityError as error:
        raise StoreError(f"An item of run {run_id} was to be stored a second time ({error.orig}).") from error
    attachments.add_many(db, ids, [outcome.prediction.pictures for outcome in outcomes])
    model_calls.add_many(db, run_id, ids, [outcome.prediction.calls for outcome in outcomes])
    scores = [_score_row(scoring_id, key, outcome.score) for key, outcome in zip(ids, outcomes, strict=True)]
    db.execute(insert(table_of(ScoreRow)), scores)
    touch(db, scoring_id)


def touch(db: Session, *scoring_ids: int) -> None:
    """Note that scores under these scorings are others than before: what was read of them is no longer true."""
    table = table_of(ScoringRow)
    db.execute(update(table).where(table.c.id.in_(scoring_ids)).values(changed=time.time_ns()))


def add_scores(db: Session, run_id: str, scoring_id: int, scores: Iterable[tuple[ItemKey, Score]]) -> None:
    """Scores of stored predictions under another rule. An error that is there gives way, any other score stays.

    Raises StoreError for an item without a prediction.
    """
    given = dict(scores)
    ids = _ids_of(db, run_id, given)
    missing = next((key for key in given if key not in ids), None)
    if missing is not None:
        raise StoreError(f"Run {run_id} has no prediction for step {missing.step} of episode {missing.episode}.")
    here = ScoreRow.scoring_id == scoring_id, ScoreRow.prediction_id.in_(ids.values())
    db.execute(delete(ScoreRow).where(*here, ScoreRow.status == ScoreStatus.ERROR.value))
    known = set(db.scalars(select(ScoreRow.prediction_id).where(*here)))
    rows = [_score_row(scoring_id, ids[key], score) for key, score in given.items() if ids[key] not in known]
    if rows:
        db.execute(insert(table_of(ScoreRow)), rows)
    touch(db, scoring_id)


def _ids_of(db: Session, run_id: str, keys: Collection[ItemKey]) -> dict[ItemKey, int]:
    """Row ids of the predictions for these items and others of the same episodes."""
    columns = PredictionRow.id, PredictionRow.episode, PredictionRow.step
    episodes = list(dict.fromkeys(key.episode for key in keys))
    query = select(*columns).where(PredictionRow.run_id == run_id, PredictionRow.episode.in_(episodes))
    found = {ItemKey(episode, step): row_id for row_id, episode, step in db.execute(query)}
    return {key: found[key] for key in keys if key in found}


def keys(db: Session, run_id: str) -> frozenset[ItemKey]:
    """The items of the run that are done."""
    found = select(PredictionRow.episode, PredictionRow.step).where(PredictionRow.run_id == run_id)
    return frozenset(ItemKey(episode, step) for episode, step in db.execute(found))


def drop_errors(db: Session, run_id: str) -> int:
    """Forget the items that ended in an error under the run's own protocol, so that resuming does them again."""
    broken = (
        select(ScoreRow.prediction_id)
        .join(ScoringRow)
        .where(ScoringRow.run_id == run_id, ScoringRow.own, ScoreRow.status == ScoreStatus.ERROR.value)
    )
    touch(db, *db.scalars(select(ScoringRow.id).where(ScoringRow.run_id == run_id)))
    dropped = delete(PredictionRow).where(PredictionRow.id.in_(broken)).returning(PredictionRow.id)
    return len(db.scalars(dropped, execution_options={"synchronize_session": False}).all())


def outcome_of(prediction: PredictionRow, score: ScoreRow) -> Outcome:
    """The value of a stored item."""
    key = ItemKey(prediction.episode, prediction.step)
    return Outcome(key, _prediction(prediction), score_of(score, prediction.status), prediction.reference)


def score_of(row: ScoreRow, prediction: str) -> Score:
    """`prediction` is the status of the row's prediction: it tells nothing at all from what makes no sense."""
    parts = tuple((name, part) for name, part in json.loads(row.parts))
    null = row.malformed and prediction != PredictionStatus.MALFORMED.value
    return Score(ScoreStatus(row.status), row.value, row.why, row.malformed, parts, null)


def _prediction(row: PredictionRow) -> Prediction:
    return Prediction(
        episode=row.episode,
        step=None if row.step == EPISODE_STEP else row.step,
        answer=answer_from_text(row.answer),
        status=PredictionStatus(row.status),
        confidence=row.confidence,
        latency_ms=row.latency_ms,
        raw=row.raw,
        why=row.why,
        trace=row.trace or "",
    )


def _prediction_row(run_id: str, outcome: Outcome) -> dict[str, Any]:
    prediction = outcome.prediction
    return {
        "run_id": run_id,
        "episode": outcome.key.episode,
        "step": outcome.key.step,
        "status": prediction.status.value,
        "reference": outcome.reference,
        "kind": answer_word(prediction.answer),
        "answer": answer_to_text(prediction.answer),
        "confidence": prediction.confidence,
        "latency_ms": prediction.latency_ms,
        "raw": prediction.raw,
        "why": prediction.why,
        "trace": prediction.trace or None,
    }


def _score_row(scoring_id: int, prediction_id: int, score: Score) -> dict[str, Any]:
    return {
        "scoring_id": scoring_id,
        "prediction_id": prediction_id,
        "status": score.status.value,
        "value": score.value,
        "why": score.why,
        "malformed": score.malformed,
        "parts": compact(score.parts),
    }
