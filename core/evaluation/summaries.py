"""What a stored run came to: its metrics, the object of `evaluate --json`, the one metric for a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np
from sqlalchemy import select

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.domain.score import Metrics
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.by_feasibility import TASKS, by_feasibility
from stepscope.core.evaluation.column_metrics import column_metrics
from stepscope.core.evaluation.rules import Scoring
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.scoring.rule import AggregatingScorer
from stepscope.core.scoring.statistics import FloatArray, group_sums
from stepscope.core.store.columns import load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import RunCounts
from stepscope.core.store.repositories import runs
from stepscope.core.store.tables import ScoringRow


def summary(database: Database, run_id: str, scorer: AggregatingScorer | None = None) -> dict[str, Any]:
    """The object of `evaluate --json`: counts and metrics of what is stored now, by the run's own protocol, looked up
    by its name when `scorer` is not given. Raises UsageError for an unknown run."""
    return summary_of(*run_metrics(database, run_id, scorer))


def summary_of(run: Run, metrics: Metrics) -> dict[str, Any]:
    """The summary of a run whose metrics are known."""
    return {
        "run": run.id,
        "task": run.spec.task.value,
        "model": run.spec.model,
        "protocol": run.spec.protocol,
        "state": run.state.value,
        "n": metrics.n,
        "errors": metrics.errors,
        "unscored": metrics.unscored,
        "malformed": metrics.malformed,
        "null": metrics.null,
        "note": run.note,
        "metrics": metrics.as_dict(),
    }


def run_metrics(
    database: Database, run_id: str, scorer: AggregatingScorer | None = None, *, bootstrap: int = 0
) -> tuple[Run, Metrics]:
    """The run and its metrics, computed from the stored scores; with draws of whole episodes they have intervals."""
    with database.reading() as db:
        run = runs.get(db, run_id)
    rule = scorer or run_scorer(run.spec.protocol)
    options = parse_options(rule.info, dict(run.spec.options))
    columns = load_columns(database, run_id, index=False)
    return run, column_metrics(columns, rule, options, bootstrap=bootstrap)


def means_by_feasibility(
    database: Database, run: Run, scoring: Scoring | None = None, scoring_id: int | None = None
) -> dict[str, Any]:
    """What `evaluate --json` adds for a run of automation over goals that can and that cannot be reached: under
    `by_feasibility` the counts and metrics of each. Nothing elsewhere."""
    if run.spec.task not in TASKS:
        return {}
    rule = run_scorer(run.spec.protocol if scoring is None else scoring.protocol)
    options = dict(run.spec.options if scoring is None else scoring.options)
    columns = load_columns(database, run.id, scoring_id)
    found = by_feasibility(columns, rule, parse_options(rule.info, options))
    forms = {label.value: {"n": one.n, "metrics": one.as_dict()} for label, one in found.items()}
    return {"by_feasibility": forms} if forms else {}


def field_means(database: Database, run: Run, scoring_id: int | None = None) -> dict[str, Any]:
    """What `evaluate --json` adds for a run over web tasks, as `score fields` has it: `by_type`, the mean over all
    scored fields of a type, and `by_task`, that over all scored fields of a task. Nothing for other tasks."""
    if run.spec.task is not Task.WEBTASK:
        return {}
    from stepscope.core.evaluation.breakdown.web_items import TYPES, web_items  # numpy work that other tasks do without

    items = web_items(load_columns(database, run.id, scoring_id, index=False))
    rows = items.scored
    sums, counts = items.sums[rows].sum(axis=0), items.counts[rows].sum(axis=0)
    tasks = items.task[rows].astype(np.int64)
    totals, fields = (group_sums(tasks, part[rows], len(items.tasks)) for part in (items.total, items.fields))
    return {
        "by_type": _quotients(TYPES, sums, counts),
        "by_task": _quotients(items.tasks, totals, fields) | _unscored(items.tasks, fields),
    }


def _quotients(names: Sequence[str], totals: FloatArray, counts: FloatArray) -> dict[str, float | None]:
    found = zip(names, totals, counts, strict=True)
    return {name: float(total / count) for name, total, count in found if count}


def _unscored(names: Sequence[str], counts: FloatArray) -> dict[str, float | None]:
    return {name: None for name, count in zip(names, counts, strict=True) if not count}


@dataclass(frozen=True, slots=True)
class MainMetric:
    """The metric that stands for a run's protocol where there is room for one."""

    name: str
    value: float


@dataclass
class MainMetrics:
    """The main metric of each run of a list. What was found is kept as long as a run has the same scores."""

    _kept: dict[tuple[object, ...], MainMetric | None] = field(default_factory=dict)

    def of(self, database: Database, found: Sequence[RunCounts]) -> dict[str, MainMetric]:
        """The main metrics by run id, without runs that have no value and rules that are not known here."""
        with database.reading() as db:
            rows = db.execute(select(ScoringRow.run_id, ScoringRow.scorer_version).where(ScoringRow.own))
            version: dict[str, str] = {run_id: number for run_id, number in rows}  # noqa: C416 - rows are no pairs to mypy
        kept: dict[tuple[object, ...], MainMetric | None] = {}
        shown: dict[str, MainMetric] = {}
        for counts in found:
            run_id = counts.run.id
            key = run_id, version.get(run_id), counts.run.done, counts.scored, counts.right, counts.malformed
            metric = kept[key] = self._kept[key] if key in self._kept else _main_metric(database, counts)
            if metric is not None:
                shown[run_id] = metric
        self._kept = kept
        return shown


def _main_metric(database: Database, counts: RunCounts) -> MainMetric | None:
    if not counts.scored:
        return None
    try:
        rule = run_scorer(counts.run.spec.protocol)
        _, metrics = run_metrics(database, counts.run.id, rule)
    except UsageError:
        return None
    values = metrics.as_dict()
    name = rule.info.main_of(values)
    value = values.get(name)
    return None if value is None else MainMetric(name, value)
