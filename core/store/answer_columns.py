"""What stored feasibility answers say beyond their label, as columns: the reason, whether they ask, what weighed most.

These stand in the text of an answer only, and every answer has to be read for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.core.frozen import dataclass
from stepscope.core.store.column_reading import BoolArray, CodeArray, TextCodes, all_texts, with_predictions
from stepscope.core.store.tables import EpisodeRow, PredictionRow

REASONS = tuple(reason.value for reason in InfeasibilityReason)
NOTHING = -1
"""No reason, no evidence; of a piece of evidence: a whole screen."""
_Told = tuple[str | None, str | None, int | None, str]
"""Reason, question, step and text of the heaviest evidence."""
_PLACES = "$.reason", "$.question", "$.evidence[0][0]", "$.evidence[0][2]"
"""Where these stand in a stored answer (`core.store.codec`)."""
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
    """Of the items with these prediction ids, in their order."""
    place = {int(one): number for number, one in enumerate(row.tolist())}
    pieces = TextCodes()
    reason = np.full(len(row), NOTHING, np.int8)
    asks = np.zeros(len(row), np.bool_)
    step, piece = (np.full(len(row), NOTHING, np.int32) for _ in range(2))
    for one, (said, question, where, words) in _answers(db, scoring_id):
        at = place.get(one)
        if at is None:
            continue
        if said:
            reason[at] = REASONS.index(said)
        asks[at] = bool((question or "").strip())
        if where is not None:
            step[at] = where
            if words := " ".join(words.split()):
                piece[at] = pieces[words]
    return FeasibilityColumns(reason, asks, step, piece, tuple(pieces), _annotated(db, episodes, source_id))


def _answers(db: Session, scoring_id: int) -> Iterator[tuple[int, _Told]]:
    """Predictions with an answer that says more than a label and a score. SQLite takes the few words out of each long
    text itself, in a part of the time and beside other threads."""
    is_sqlite = db.get_bind().dialect.name == "sqlite"
    text = func.json_extract(PredictionRow.answer, *_PLACES) if is_sqlite else PredictionRow.answer
    more = or_(*(PredictionRow.answer.contains(f'"{name}":') for name in ("reason", "question", "evidence")))
    query = with_predictions(select(PredictionRow.id, text), scoring_id).where(more)
    cursor = db.connection().execute(query).cursor
    while cursor is not None and (rows := cursor.fetchmany(_AT_ONCE)):
        yield from ((one, json.loads(found) if is_sqlite else _told(json.loads(found))) for one, found in rows)


def _told(form: Mapping[str, Any]) -> _Told:
    """What stands at `_PLACES`; the heaviest evidence stands first."""
    (where, _weight, words, _box), *_rest = form.get("evidence") or [(None, 0.0, "", None)]
    return form.get("reason"), form.get("question"), where, words


def _annotated(db: Session, episodes: tuple[str, ...], source_id: int | None) -> BoolArray:
    """Which of the episodes have a question of their annotators in the index of the data."""
    if source_id is None:
        return np.zeros(len(episodes), np.bool_)
    here = EpisodeRow.source_id == source_id, EpisodeRow.follow_up != "[]"
    known = frozenset(all_texts(db, select(EpisodeRow.episode).where(*here)))
    return np.fromiter((one in known for one in episodes), np.bool_, len(episodes))
