"""Items of a run as files for other programs: CSV, and predictions that can be imported again.

Cells of the CSV that a spreadsheet would take for a formula get an apostrophe in front: ids and model output come from
strangers.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from core.domain.action import action_point
from core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from core.domain.run import Outcome, Run
from core.domain.wire import action_to_json
from core.store import queries
from core.store.codec import answer_to_json, compact
from core.store.engine import Database
from core.store.queries import ItemFilter
from core.store.repositories import runs

COLUMNS = (
    "run", "model", "protocol", "options", "scorer_version", "code_version", "filter", "episode", "step", "status",
    "score", "malformed", "null", "why", "reference_kind", "predicted_kind", "confidence", "latency_ms",
    "prediction", "raw",
)  # fmt: skip
"""`step` is empty for an item about a whole episode, `score` for one without a value, `prediction` is JSON."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export_csv(database: Database, run_id: str, stream: TextIO, show: ItemFilter = "all") -> int:
    """Write one row for each item under the run's own protocol; returns how many. Open `stream` with newline=""."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    count = 0
    with database.reading() as db:
        head = _head(runs.get(db, run_id), show)
        for count, outcome in enumerate(queries.each_item(db, run_id, show), start=1):  # noqa: B007 - counts
            writer.writerow([*head, *_cells(outcome)])
    return count


def export_predictions(database: Database, run_id: str, stream: TextIO) -> int:
    """Write the run's predictions as JSON Lines that `--predictions` reads; returns how many.

    A malformed or refused prediction is written as null. One that failed is left out: nothing was predicted.
    """
    count = 0
    with database.reading() as db:
        run = runs.get(db, run_id)
        heading = {"model": run.spec.model, "note": run.note, "run": run.id, "protocol": run.spec.protocol}
        stream.write(_line({"run": heading}))
        for outcome in queries.each_item(db, run_id):
            if outcome.prediction.status is not PredictionStatus.FAILED:
                stream.write(_line(prediction_line(outcome.prediction)))
                count += 1
    return count


def items_json(
    database: Database, run_id: str, show: ItemFilter = "all", scoring_id: int | None = None
) -> Iterator[dict[str, Any]]:
    """The items of `runs show --json`, one after the other, under the run's own rule or another scoring of it."""
    with database.reading() as db:
        for outcome in queries.each_item(db, run_id, show, scoring_id):
            prediction, score = outcome.prediction, outcome.score
            yield {
                "episode": outcome.key.episode,
                "step": prediction.step,
                "status": score.status.value,
                "score": score.value,
                "malformed": score.malformed,
                "null": score.null,
                "why": score.why,
                "prediction": answer_to_json(prediction.answer) if prediction.answer else None,
            }


def prediction_line(prediction: Prediction) -> dict[str, Any]:
    """One line of a prediction file (INTERFACE, section 2)."""
    line: dict[str, Any] = {"episode": prediction.episode}
    if prediction.step is not None:
        line["step"] = prediction.step
    match prediction.answer:
        case None:
            line["action"] = None
        case ActionAnswer(action, candidates):
            line["action"] = action_to_json(action)
            point = action_point(action)
            if point is not None:
                line["size"] = [point.size.width, point.size.height]
            if candidates:
                line["candidates"] = [{"action": action_to_json(c.action), "score": c.score} for c in candidates]
        case answer:
            line.update(answer_to_json(answer))
    if prediction.confidence is not None and 0 <= prediction.confidence <= 1:
        line["confidence"] = prediction.confidence
    if prediction.latency_ms is not None:
        line["latency_ms"] = prediction.latency_ms
    if prediction.raw:
        line["raw"] = prediction.raw
    return line


def _line(form: Mapping[str, Any]) -> str:
    return json.dumps(form, ensure_ascii=False) + "\n"


def _head(run: Run, show: ItemFilter) -> list[str]:
    spec = run.spec
    options = compact(dict(spec.options))
    values = (run.id, spec.model, spec.protocol, options, spec.scorer_version, spec.code_version, show)
    return [safe_cell(value) for value in values]


def _cells(outcome: Outcome) -> list[object]:
    prediction, score = outcome.prediction, outcome.score
    return [
        safe_cell(outcome.key.episode),
        "" if prediction.step is None else prediction.step,
        score.status.value,
        "" if score.value is None else score.value,
        int(score.malformed),
        int(score.null),
        safe_cell(score.why),
        outcome.reference,
        prediction.action.kind if prediction.action else "",
        "" if prediction.confidence is None else prediction.confidence,
        "" if prediction.latency_ms is None else prediction.latency_ms,
        compact(answer_to_json(prediction.answer)) if prediction.answer else "",
        safe_cell(prediction.raw),
    ]


def safe_cell(text: str) -> str:
    """The text as a cell of CSV that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
