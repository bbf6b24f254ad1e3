"""What stored feasibility answers say beyond their label, as columns: the reason, whether they ask, what weighed most.

These stand in the text of an answer only, and every answer has to be read for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select
from sqlalchemy.orm import Session

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.core.store.column_reading import BoolArray, CodeArray, TextCodes, all_texts, with_predictions
from stepscope.core.store.tables import EpisodeRow, PredictionRow

REASONS = tuple(reason.value for reason in InfeasibilityReason)
NOTHING = -1
"""No reason, no evidence; of a piece of evidence: a whole screen."""
_AT_ONCE = 2_000
"""Answers that are in memory at a time."""


@dataclass(frozen=True, eq=False)
class FeasibilityColumns:
    """One entry an item of `RunColumns`: `reason` is a place in `REASONS`, `asks` tells of a follow-up question, `step`
    is the index of the step of the heaviest evidence, `piece` that evidence's text as an index into `pieces`; each
    NOTHING where there is none. `annotated` has one entry an episode: whether its annotators put a question."""

    reason: NDArray[np.int8]
    asks: BoolArray
    step: CodeArray
    piece: CodeArray
    pieces: tuple[str, ...]
    annotated: BoolArray

    @property
    def gives_reasons(self) -> bool:
        """Whether some answer says why."""
        return bool((self.reason != NOTHING).any())

    @property
    def tells_evidence(self) -> bool:
        """Whether some answer says what weighed."""
        return bool((self.step != NOTHING).any())


def feasibility_columns(
    db: Session, scoring_id: int, row: NDArray[np.int64], episodes: tuple[str, ...], source_id: int | None
) -> FeasibilityColumns:
    """Of the items with these prediction ids, in their order. Raises ValueError for a text that is no stored answer."""
    place = {int(one): number for number, one in enumerate(row.tolist())}
    pieces = TextCodes()
    reason = np.full(len(row), NOTHING, np.int8)
    asks = np.zeros(len(row), np.bool_)
    step, piece = (np.full(len(row), NOTHING, np.int32) for _ in range(2))
    for one, text in _answers(db, scoring_id):
        at = place.get(one)
        if at is None:
            continue
        form = json.loads(text)
        if said := form.get("reason"):
            reason[at] = REASONS.index(said)
        asks[at] = bool(form.get("question", "").strip())
        if evidence := form.get("evidence"):
            step[at], _weight, words, _box = evidence[0]  # the heaviest stands first
            if words := " ".join(words.split()):
                piece[at] = pieces[words]
    return FeasibilityColumns(reason, asks, step, piece, tuple(pieces), _annotated(db, episodes, source_id))


def _answers(db: Session, scoring_id: int) -> Iterator[tuple[int, str]]:
    """Predictions with an answer that says more than a label and a score."""
    query = with_predictions(select(PredictionRow.id, PredictionRow.answer), scoring_id)
    cursor = db.connection().execute(query.where(PredictionRow.answer.is_not(None))).cursor
    while cursor is not None and (rows := cursor.fetchmany(_AT_ONCE)):
        yield from (
            (one, text) for one, text in rows if '"evidence":' in text or '"reason":' in text or '"question":' in text
        )


def _annotated(db: Session, episodes: tuple[str, ...], source_id: int | None) -> BoolArray:
    """Which of the episodes have a question of their annotators in the index of the data."""
    if source_id is None:
        return np.zeros(len(episodes), np.bool_)
    here = EpisodeRow.source_id == source_id, EpisodeRow.follow_up != "[]"
    known = frozenset(all_texts(db, select(EpisodeRow.episode).where(*here)))
    return np.fromiter((one in known for one in episodes), np.bool_, len(episodes))
