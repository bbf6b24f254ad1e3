"""The reasons of a feasibility run in the words of their page."""

from __future__ import annotations

from typing import Any

import numpy as np

from stepscope.app.gui.features.results.breakdown_presenter import bars_of
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.prediction import FeasibilityAnswer
from stepscope.core.domain.run import Outcome
from stepscope.core.evaluation import breakdown
from stepscope.core.evaluation.breakdown.feasibility_answers import NO_ANSWER, NO_REASON
from stepscope.core.evaluation.breakdown.reasons import agrees
from stepscope.core.scoring.infeasible_details import COS_SIM, METEOR
from stepscope.core.store.columns import RunColumns
from stepscope.widgets import format as words
from stepscope.widgets.results.reason_values import QuestionRow, ReasonDetails
from stepscope.widgets.scores.breakdown_values import ConfusionCell, ConfusionTable

NONE_INFEASIBLE = "No judged item of this run is infeasible: there is no reason to be told, and nothing to be missed."
NO_REASONS = f"This model gives no reasons: what it calls infeasible stands under “{NO_REASON}”."
NO_EVIDENCE = "This model tells no evidence: nothing says which screen or element moved its answers."
NO_QUESTIONS = "Neither the model nor the annotators put a question."


def reason_details(columns: RunColumns, mask: Any) -> ReasonDetails:
    """What the page shows of a run; `mask` has the items that count, None for all."""
    found = breakdown.reason_confusion(columns, mask)
    infeasible = sum(found.rows[1:])
    places = breakdown.question_items(columns, mask)
    return ReasonDetails(
        confusion=_confusion(found) if found.total else ConfusionTable(),
        note=_note(columns, infeasible, found),
        reasons=bars_of(breakdown.missed_by(columns, "reason", mask)),
        apps=bars_of(breakdown.missed_by(columns, "app", mask), words.app_name),
        evidence=bars_of(breakdown.missed_by(columns, "evidence", mask)),
        evidence_note="" if columns.said.tells_evidence or not infeasible else NO_EVIDENCE,
        questions=len(places),
        questions_note=_questions_note(columns, places),
    )


def question_row(outcome: Outcome, summary: EpisodeSummary | None) -> QuestionRow:
    """An item whose model or annotators ask something."""
    answer, parts = outcome.prediction.answer, dict(outcome.score.parts)
    told = summary.feasibility if summary is not None else None
    return QuestionRow(
        outcome.key,
        summary.goal if summary is not None and summary.goal else outcome.key.episode,
        words.app_name(summary.app or "") if summary is not None else "",
        told.reason.value if told is not None and told.reason is not None else "",
        answer.question if isinstance(answer, FeasibilityAnswer) else "",
        told.follow_up if told is not None else (),
        parts.get(COS_SIM),
        parts.get(METEOR),
    )


def _confusion(found: breakdown.ConfusionMatrix) -> ConfusionTable:
    cells = tuple(
        tuple(
            ConfusionCell(cell.count, agrees(cell.reference, cell.predicted), cell.selection if cell.count else None)
            for cell in row
        )
        for row in found.cells
    )
    return ConfusionTable(found.references, found.predictions, cells)


def _note(columns: RunColumns, infeasible: int, found: breakdown.ConfusionMatrix) -> str:
    """What is missing of what the page is about."""
    if not infeasible:
        return NONE_INFEASIBLE if found.total else ""
    without = sum(rows for name, rows in zip(found.references, found.rows, strict=True) if name == NO_REASON)
    parts = [
        "" if columns.said.gives_reasons else NO_REASONS,
        f"Of {words.count(without)} infeasible the data does not say why." if without else "",
        f"“{NO_ANSWER}” counts as the wrong class." if NO_ANSWER in found.predictions else "",
    ]
    return " ".join(filter(None, parts))


def _questions_note(columns: RunColumns, places: Any) -> str:
    if not len(places):
        return NO_QUESTIONS
    asks, annotated = columns.said.asks[places], columns.said.annotated[columns.episode[places]]
    both = np.count_nonzero(asks & annotated)
    if not asks.any():
        return f"This model asks nothing; the annotators ask about {words.count(len(places))}."
    cosine = columns.part(COS_SIM)[places]
    compared = "" if not both or not np.isnan(cosine).all() else "; no sentence model was there for the cosine"
    counts = np.count_nonzero(asks), np.count_nonzero(annotated), both
    model, people, together = (words.count(int(one)) for one in counts)
    return f"the model asks {model}, the annotators {people}, both {together}{compared}"
