"""Items of a run as files for other programs: CSV, and predictions that can be imported again.

The CSV is for spreadsheets (`core.spreadsheet`): ids and model output come from strangers.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TextIO

from sqlalchemy.orm import Session

from stepscope.core.domain.action import action_point
from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.link import DeepLink
from stepscope.core.domain.prediction import ActionAnswer, FieldsAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.run import Outcome, Run
from stepscope.core.domain.webtask import task_of
from stepscope.core.domain.wire import action_to_json
from stepscope.core.evaluation.defects import Defects, defective
from stepscope.core.evaluation.rules import canonical, rule_name
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.sources.prediction_pictures import picture_form
from stepscope.core.spreadsheet import Cell, write_rows
from stepscope.core.store import columns, queries
from stepscope.core.store.codec import answer_to_json, compact
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import ItemFilter
from stepscope.core.store.repositories import annotations as annotation_rows
from stepscope.core.store.repositories import attachments, runs, sources
from stepscope.core.store.repositories.scorings import StoredScoring

COLUMNS = (
    "run", "model", "protocol", "options", "scorer_version", "code_version", "filter", "episode", "step", "status",
    "score", "malformed", "null", "why", "reference_kind", "predicted_kind", "confidence", "latency_ms",
    "prediction", "raw", "defect", "label", "app", "goal", "link",
)  # fmt: skip
"""`step` is empty for an item about a whole episode, `score` for one without a value, `prediction` is JSON. `defect`
has the reasons of the step and of its whole episode; `label`, `app` and `goal` are empty where the store's index does
not have the episode; `link` opens the step with the run over it, under this rule where that has a short name."""

_AT_ONCE = 500
_ANSWER_KEYS = {
    Task.FEASIBILITY: "feasibility",
    Task.GOAL: "goal",
    Task.ORDERING: "order",
    Task.WEBTASK: "fields",
    Task.ROLLOUT: "walk",
    Task.AFFORDANCE: "affordance",
}
"""Under which key a line says null. For a question null is an answer (none is asked), so `action` says it there."""


def export_csv(database: Database, run_id: str, stream: TextIO, **chosen: Any) -> int:
    """All of `csv_steps` at once."""
    return _finished(csv_steps(database, run_id, stream, CancelToken(), **chosen))


def csv_steps(
    database: Database,
    run_id: str,
    stream: TextIO,
    token: CancelToken,
    *,
    show: ItemFilter = "all",
    episodes: Collection[str] | None = None,
    rows: Sequence[int] | None = None,
    scoring_id: int | None = None,
    without_defects: bool = False,
    words: str = "",
    data: str = "",
) -> Generator[Progress, None, int]:
    """Write one row for each item; returns how many, which a cancel makes fewer. Open `stream` with newline="".

    Items are those of `show`, of `episodes` where they are named; or exactly the predictions with the ids `rows`, in
    that order. Under the run's own protocol unless another scoring of it is named. `words` stands in the column
    `filter` and says how the items were chosen; without it that is `show`. `data` is what links call the data; without
    it there are none.
    """
    write_rows(stream, [COLUMNS])
    with database.reading() as db:
        run = runs.get(db, run_id)
        every = show == "all" and rows is None and episodes is None and not without_defects
        meter = ProgressMeter(run.done if every else None if rows is None else len(rows))
        found = _outcomes(db, run_id, show, rows, scoring_id)
        if episodes is not None:
            found = (outcome for outcome in found if outcome.key.episode in episodes)
        if without_defects:
            found = _without(defective(db, run.spec.source), found)
        scoring = scoring_of_run(db, run_id, scoring_id)
        head = _head(run, scoring, words or show)
        rule = rule_name(canonical(scoring)) or "" if scoring is not None else ""
        about = _EpisodeLookup(db, run.spec.source)
        while not token.cancelled and (some := list(islice(found, _AT_ONCE))):
            about.look_up(some)
            ends = [_link(data, outcome, rule, run_id) for outcome in some]
            whole = zip(some, ends, strict=True)
            write_rows(stream, ([*head, *_cells(one), *about.cells(one), end] for one, end in whole))
            yield meter.advance(len(some))
    return meter.done


def export_predictions(database: Database, run_id: str, stream: TextIO) -> int:
    """All of `prediction_steps` at once."""
    return _finished(prediction_steps(database, run_id, stream, CancelToken()))


def prediction_steps(
    database: Database, run_id: str, stream: TextIO, token: CancelToken
) -> Generator[Progress, None, int]:
    """Write the run's predictions as JSON Lines that `--predictions` reads; returns how many, which a cancel makes
    fewer.

    A malformed or refused prediction is written as null. One that failed is left out: nothing was predicted.
    """
    count = 0
    with database.reading() as db:
        run = runs.get(db, run_id)
        heading = {"model": run.spec.model, "note": run.note, "run": run.id, "protocol": run.spec.protocol}
        stream.write(_line({"run": heading}))
        meter, found = ProgressMeter(run.done), queries.each_item(db, run_id)
        pictured = attachments.predictions_with(db, run_id)
        while not token.cancelled and (some := list(islice(found, _AT_ONCE))):
            for outcome in some:
                if outcome.prediction.status is not PredictionStatus.FAILED:
                    prediction = outcome.prediction
                    if outcome.key in pictured:
                        pictures = attachments.of_prediction(db, pictured[outcome.key])
                        prediction = replace(prediction, pictures=pictures)
                    stream.write(_line(prediction_line(prediction, run.spec.task)))
                    count += 1
            yield meter.advance(len(some))
    return count


def _finished(steps: Generator[Progress, None, int]) -> int:
    """What the steps come to when nobody looks at how far they are."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return int(end.value)


def scoring_of_run(db: Session, run_id: str, scoring_id: int | None) -> StoredScoring | None:
    """The run's scoring of that id; for None its own, which a run that was not begun does not have."""
    known = queries.scorings(db, run_id)
    return next((one for one in known if (one.own if scoring_id is None else one.id == scoring_id)), None)


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


def prediction_line(prediction: Prediction, task: Task = Task.AUTOMATION) -> dict[str, Any]:
    """One line of a prediction file (INTERFACE, section 2), for an answer to this task."""
    line = _place(prediction, task)
    match prediction.answer:
        case None:
            line |= {_ANSWER_KEYS.get(task, "action"): None, "status": prediction.status.value}
        case ActionAnswer(action, candidates):
            line["action"] = action_to_json(action)
            point = action_point(action)
            if point is not None:
                line["size"] = [point.size.width, point.size.height]
            if candidates:
                line["candidates"] = [{"action": action_to_json(c.action), "score": c.score} for c in candidates]
        case FieldsAnswer(fields, missing):
            line["fields"] = dict(fields)
            if missing:
                line["missing"] = list(missing)
        case answer:
            line.update(answer_to_json(answer))
    if prediction.confidence is not None and 0 <= prediction.confidence <= 1:
        line["confidence"] = prediction.confidence
    if prediction.latency_ms is not None:
        line["latency_ms"] = prediction.latency_ms
    if prediction.raw:
        line["raw"] = prediction.raw
    if prediction.pictures:
        line["pictures"] = [picture_form(one) for one in prediction.pictures]
    return line


def _place(prediction: Prediction, task: Task) -> dict[str, Any]:
    if task is Task.WEBTASK:
        name = task_of(prediction.episode)
        return {"task": name, "instance": prediction.episode.removeprefix(f"{name}/")}
    return {"episode": prediction.episode} | ({} if prediction.step is None else {"step": prediction.step})


class _EpisodeLookup:
    """The index's facts and people's annotations about the episodes of items."""

    def __init__(self, db: Session, source: str) -> None:
        self._db = db
        known = sources.find(db, source)
        self._source_id = None if known is None else known.id
        self._rows: dict[str, EpisodeSummary] = {}
        self._defects: dict[tuple[str, int | None], list[str]] = {}
        for one in annotation_rows.of_source(db, source, AnnotationKind.DEFECT):
            self._defects.setdefault((one.episode, one.step), []).append(one.value)

    def look_up(self, outcomes: Sequence[Outcome]) -> None:
        """Ask for the episodes of these items, and forget the others."""
        if self._source_id is not None:
            wanted = dict.fromkeys(outcome.key.episode for outcome in outcomes)
            new = [episode for episode in wanted if episode not in self._rows]
            self._rows = {episode: self._rows[episode] for episode in wanted if episode in self._rows}
            self._rows |= {row.id: row for row in sources.summaries(self._db, self._source_id, new)}

    def cells(self, outcome: Outcome) -> list[str]:
        """Defects, label, app, goal."""
        episode, step = outcome.key.episode, outcome.prediction.step
        said = [*self._defects.get((episode, step), ()), *self._defects.get((episode, None), ())]
        row = self._rows.get(episode)
        label = row.feasibility.label.value if row is not None and row.feasibility.label else ""
        about = ("", "") if row is None else (row.app or "", row.goal)
        return ["; ".join(dict.fromkeys(said)), label, *about]


def _outcomes(
    db: Session, run_id: str, show: ItemFilter, rows: Sequence[int] | None, scoring_id: int | None
) -> Iterator[Outcome]:
    if rows is None:
        yield from queries.each_item(db, run_id, show, scoring_id)
        return
    for first in range(0, len(rows), _AT_ONCE):
        yield from columns.rows(db, run_id, rows[first : first + _AT_ONCE], scoring_id)


def _without(defects: Defects, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    return (outcome for outcome in outcomes if outcome.key not in defects)


def _line(form: Mapping[str, Any]) -> str:
    return json.dumps(form, ensure_ascii=False) + "\n"


def _head(run: Run, scoring: StoredScoring | None, words: str) -> list[str]:
    spec = run.spec
    rule = (spec.protocol, spec.options, spec.scorer_version)
    if scoring is not None:
        rule = (scoring.protocol, scoring.options, scoring.version)
    protocol, options, version = rule
    return [run.id, spec.model, protocol, compact(dict(options)), version, spec.code_version, words]


def _cells(outcome: Outcome) -> list[Cell]:
    prediction, score = outcome.prediction, outcome.score
    return [
        outcome.key.episode,
        prediction.step,
        score.status.value,
        score.value,
        int(score.malformed),
        int(score.null),
        score.why,
        outcome.reference,
        prediction.action.kind if prediction.action else "",
        prediction.confidence,
        prediction.latency_ms,
        compact(answer_to_json(prediction.answer)) if prediction.answer else "",
        prediction.raw,
    ]


def _link(data: str, outcome: Outcome, rule: str, run_id: str) -> str:
    key = outcome.key
    return str(DeepLink(data, key.episode, max(key.step, 0), ("A",), rule, (run_id,))) if data else ""
