"""How runs did on the web tasks of an open source, and what they left in a page."""

from __future__ import annotations

from collections.abc import Mapping

from stepscope.core.domain.prediction import FieldsAnswer, Prediction
from stepscope.core.domain.score import Score
from stepscope.core.domain.webtask import WebInstance, WebTask, task_of
from stepscope.core.frozen import dataclass
from stepscope.core.sources.source import Source, web_tasks_of
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.webtask.solving import Trace, trace_from_json

FIELDS = "_fields"
"""Ends the names of the parts of a page's score that count fields (`core.scoring.web_fields`)."""


@dataclass(frozen=True, slots=True)
class PageRead:
    """One instance with its task: all that is needed to show it."""

    task: WebTask
    instance: WebInstance


@dataclass(frozen=True, slots=True)
class PageResult:
    """The answers that a run left in a page. `trace` None: the run kept none (imported predictions, older runs), or
    what it kept cannot be read: then `trouble` says why."""

    prediction: Prediction
    score: Score | None
    values: Mapping[str, str]
    missing: tuple[str, ...] = ()
    trace: Trace | None = None
    trouble: str = ""


def read_page(source: Source, instance_id: str) -> PageRead:
    """Raises SourceError when it cannot be read, UsageError when there is none of that id."""
    pages = web_tasks_of(source)
    instance = pages.read_instance(instance_id)
    return PageRead(pages.read_task(instance.task), instance)


def task_scores(database: Database, run_id: str, scoring_id: int | None = None) -> dict[str, float]:
    """The run's score of each task: the mean over the scored fields of all its instances, as the protocol has it."""
    sums: dict[str, tuple[float, float]] = {}
    with database.reading() as db:
        found = queries.scores(db, run_id, scoring_id)
    for episode, _step, score in found:
        task, parts = task_of(episode), dict(score.parts)
        counted = [name for name in parts if name.endswith(FIELDS)]
        total, count = sums.get(task, (0.0, 0.0))
        total += sum(parts.get(name.removesuffix(FIELDS), 0.0) for name in counted)
        sums[task] = (total, count + sum(parts[name] for name in counted))
    return {task: total / count for task, (total, count) in sums.items() if count}


def filled(database: Database, run_id: str, instance_id: str) -> PageResult | None:
    """What the run left in this page; None where it has not come to it."""
    with database.reading() as db:
        found = queries.items(db, run_id, episodes=[instance_id], limit=1)
    if not found.rows:
        return None
    return filled_by(found.rows[0].prediction, found.rows[0].score)


def filled_by(prediction: Prediction, score: Score | None) -> PageResult:
    """The same of a prediction at hand."""
    answer = prediction.answer
    fields, missing = (dict(answer.fields), answer.missing) if isinstance(answer, FieldsAnswer) else ({}, ())
    if not prediction.trace:
        return PageResult(prediction, score, fields, missing)
    try:
        trace = trace_from_json(prediction.trace)
    except ValueError as error:  # it came with a stranger's bundle
        return PageResult(
            prediction, score, fields, missing, trouble=f"What was done on this page cannot be read: {error}."
        )
    return PageResult(prediction, score, fields or dict(trace.left), missing or trace.missing, trace)
