"""A run over 100,000 web pages of 158 tasks: its fields out of SQLite, and what the page of fields works out of them.

A page has three radio buttons, a text and a checkbox field; every second task has only the first four.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import insert

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation.breakdown import by_task, by_type, task_pairs
from stepscope.core.evaluation.breakdown.web_items import web_items
from stepscope.core.settings import store_url
from stepscope.core.store.columns import RunColumns, load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import outcomes, runs
from stepscope.core.store.tables import PredictionRow, ScoreRow, table_of
from stepscope.core.store.worker import WorkerClaim
from tests.benchmarks.figures import Tell

PAGES, TASKS = 100_000, 158
BUDGET_MS = 50.0
SPEC = RunSpec(Task.WEBTASK, "m", "data", "turkingbench", "fields")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, str]]:
    draw = np.random.default_rng(0)
    radio, text, box = draw.integers(0, 4, PAGES).tolist(), draw.random(PAGES).tolist(), draw.integers(0, 2, PAGES)
    predictions, scores = [], []
    with Database.open(store_url(tmp_path_factory.mktemp("pages") / "store.db")) as database:
        with database.unit_of_work() as db:
            run = runs.add(db, SPEC, [], WorkerClaim.here(), total=PAGES)
            scoring = outcomes.scoring(db, run, "fields", "1", (), own=True)
            for n in range(PAGES):
                parts = [["radio", radio[n]], ["radio_fields", 3], ["text", round(text[n], 3)], ["text_fields", 1]]
                parts += [["checkbox", int(box[n])], ["checkbox_fields", 1]] if n % TASKS % 2 else []
                predictions.append({
                    "id": n + 1, "run_id": run, "episode": f"Task number {n % TASKS}/{n // TASKS}", "step": -1,
                    "status": "ok", "reference": "", "kind": "", "answer": "{}", "confidence": None,
                    "latency_ms": 1.0, "raw": "", "why": "",
                })  # fmt: skip
                scores.append({
                    "scoring_id": scoring, "prediction_id": n + 1, "status": "scored", "value": 0.5,
                    "malformed": False, "why": "2 of 4 fields right", "parts": json.dumps(parts, separators=(",", ":")),
                })  # fmt: skip
            db.execute(insert(table_of(PredictionRow)), predictions)
            db.execute(insert(table_of(ScoreRow)), scores)
        yield database, run


def best(work: Callable[[], object], times: int = 7) -> float:
    """The shortest time, in milliseconds."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - began))
    return min(found)


def reordered(columns: RunColumns) -> RunColumns:
    """The same pages as another run that did them in another order."""
    order = np.random.default_rng(1).permutation(columns.n)
    return replace(
        columns, run_id="other", row=columns.row[order], episode=columns.episode[order], value=columns.value[order],
        _kept={name: values[order] for name, values in columns._kept.items()},
    )  # fmt: skip


def test_a_hundred_thousand_pages(
    stored: tuple[Database, str], capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    columns = load_columns(*stored, index=False)
    loaded = best(lambda: web_items(load_columns(*stored, index=False)), 3)
    web_items(columns)
    other = reordered(columns)
    kept = np.random.default_rng(2).random(columns.n) < 0.95
    works: dict[str, Callable[[], object]] = {
        "by type": lambda: by_type(columns, kept),
        "by task": lambda: by_task(columns, kept),
        "two runs by task": lambda: task_pairs(columns, other, kept),
    }
    times = {what: best(work) for what, work in works.items()}
    for what, took in times.items():
        figure(f"100,000 pages {what}", took, "ms", budget=BUDGET_MS)
    with capsys.disabled():
        print(f"\n100,000 pages with their fields from the store: {loaded / 1000:.2f} s; ms (budget {BUDGET_MS:.0f}):")
        for what, took in times.items():
            print(f"  {what}: {took:.1f}{'' if took <= BUDGET_MS else '  MISSED'}")
    assert sum(task.pages for task in by_task(columns)) == PAGES
