"""A run of a million scores: its columns out of SQLite, and every aggregate of a results view from them.

The run has 142,858 episodes of 7 steps; six actions in ten are taps, seven predictions in ten are right, 2 % malformed
and 3 % of items unscored. A second run has the same items in another order. The feasibility run of a million commands
is made of the first one's columns, since no data set has so many.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sqlalchemy import insert, select

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation import breakdown as of
from stepscope.core.evaluation.column_metrics import column_metrics
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.settings import store_url
from stepscope.core.store import queries
from stepscope.core.store.columns import RunColumns, load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import outcomes, runs
from stepscope.core.store.tables import EpisodeRow, PredictionRow, ScoreRow, ScoringRow, SourceRow, table_of
from stepscope.core.store.worker import WorkerClaim
from tests.benchmarks.figures import Tell

ITEMS, STEPS, AT_ONCE = 1_000_000, 7, 50_000
BUDGET_S, BUDGET_MS = 2.0, 50.0
KINDS = np.array(["tap", "type", "swipe", "press_key", "open_app", "wait", "finish"])
ANSWER = '{"action":{"type":"tap","x":%d,"y":%d},"size":[1080,1920]}'


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, str]]:
    with Database.open(store_url(tmp_path_factory.mktemp("million") / "store.db")) as database:
        with database.unit_of_work() as db:
            source = SourceRow(path="data", format="aitw", episodes=ITEMS // STEPS + 1)
            db.add(source)
            db.flush()
            db.execute(insert(table_of(EpisodeRow)), [episode(source.id, n) for n in range(ITEMS // STEPS + 1)])
            run = runs.add(
                db, RunSpec(Task.AUTOMATION, "m", "data", "aitw", "aitw"), [], WorkerClaim.here(), total=ITEMS
            )
            scoring = outcomes.scoring(db, run, "aitw", "1", (), own=True)
            for start in range(0, ITEMS, AT_ONCE):
                predictions, scores = rows(run, scoring, start)
                db.execute(insert(table_of(PredictionRow)), predictions)
                db.execute(insert(table_of(ScoreRow)), scores)
        yield database, run


def episode(source: int, number: int) -> dict[str, Any]:
    return {
        "source_id": source, "position": number, "episode": name(number), "goal": f"Do the thing number {number}",
        "app": f"com.example.app{number % 300}", "platform": "android", "steps": STEPS, "screens": STEPS,
        "action_count": STEPS, "actions": "[]", "reason": ("", "unclear")[number % 2],
    }  # fmt: skip


def name(number: int) -> str:
    return f"{number * 7919:012}-trace"


def rows(run: str, scoring: int, start: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    draw = np.random.default_rng(start)
    reference, other = (draw.choice(KINDS, AT_ONCE, p=[0.6, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05]) for _ in range(2))
    kind = np.where(draw.random(AT_ONCE) < 0.75, reference, other).tolist()
    right, malformed, unscored = (draw.random((3, AT_ONCE)) < [[0.7], [0.02], [0.03]]).tolist()
    confidence, latency = draw.random((2, AT_ONCE)).tolist()
    predictions, scores = [], []
    for n, of_reference in enumerate(reference.tolist()):
        item = start + n
        predictions.append({
            "id": item + 1, "run_id": run, "episode": name(item // STEPS), "step": item % STEPS,
            "status": "malformed" if malformed[n] else "ok", "reference": of_reference,
            "kind": "" if malformed[n] else kind[n], "answer": ANSWER % (item % 1080, item % 1920),
            "confidence": confidence[n], "latency_ms": latency[n] * 1000, "raw": "CLICK 0.5 0.5", "why": "",
        })  # fmt: skip
        scores.append({
            "scoring_id": scoring, "prediction_id": item + 1, "status": "unscored" if unscored[n] else "scored",
            "value": None if unscored[n] else float(right[n] and not malformed[n]), "malformed": malformed[n],
            "why": "0.05 from the reference, within 0.14", "parts": f'[["distance",{latency[n]:.6f}],["type",1.0]]',
        })  # fmt: skip
    return predictions, scores


def best(work: Callable[[], Any], times: int = 7) -> float:
    """The shortest time, in seconds."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


def in_other_order(columns: RunColumns) -> RunColumns:
    """The same items as another run that did its episodes in another order."""
    draw = np.random.default_rng(0)
    order = draw.permutation(len(columns.episodes))
    names = tuple(columns.episodes[code] for code in order.tolist())
    place = np.argsort(order).astype(np.int32)
    items = np.argsort(place[columns.episode], kind="stable")
    return replace(
        columns, run_id="other", row=columns.row[items], episode=place[columns.episode][items],
        step=columns.step[items], status=columns.status[items], value=columns.value[items],
        right=columns.right[items] ^ (draw.random(columns.n) < 0.1), episodes=names,
    )  # fmt: skip


def as_feasibility(columns: RunColumns) -> RunColumns:
    draw = np.random.default_rng(0)
    scores = np.where(columns.malformed, np.nan, draw.random(columns.n))
    positive = draw.random(columns.n) < 0.25
    predicted = np.where(columns.malformed, 2, scores >= 0.5)
    return replace(
        columns, task=Task.FEASIBILITY, kinds=("feasible", "infeasible", ""), reference=positive.astype(np.int32),
        predicted=predicted.astype(np.int32), right=positive == (predicted == 1), _kept={"part score": scores},
    )  # fmt: skip


def test_a_million_scores(stored: tuple[Database, str], capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    database, run = stored
    load_columns(database, run)
    seconds = best(lambda: load_columns(database, run), 5)
    by_rows = best(lambda: as_rows(database, run), 3) * ITEMS / AT_ONCE
    columns = load_columns(database, run)
    part = best(lambda: load_columns(database, run).part("distance"), 3) - seconds
    held = sum(value.nbytes for value in vars(columns).values() if isinstance(value, np.ndarray))
    figure("a million scores loaded", seconds, "s", budget=BUDGET_S)
    figure("a million scores: rows of the driver over loading them", by_rows / seconds, more=True)
    with capsys.disabled():
        print(
            f"\n1,000,000 scores loaded in {seconds:.2f} s (budget {BUDGET_S:.0f}); the same rows from the driver "
            f"take {by_rows / seconds:.1f} times as long; a part {part:.2f} s; arrays of {held / 1e6:.0f} MB"
        )
    assert columns.n == ITEMS


def as_rows(database: Database, run: str) -> int:
    """The same numbers as tuples, of the first AT_ONCE items, without any more work on them."""
    columns = (
        PredictionRow.id, PredictionRow.episode, PredictionRow.step, ScoreRow.status, ScoreRow.value,
        ScoreRow.malformed, PredictionRow.status, PredictionRow.reference, PredictionRow.kind, PredictionRow.confidence,
    )  # fmt: skip
    query = select(*columns).join_from(ScoreRow, PredictionRow, PredictionRow.id == ScoreRow.prediction_id)
    with database.reading() as db:
        own = db.scalar(select(ScoringRow.id).where(ScoringRow.run_id == run))
        some = query.where(ScoreRow.scoring_id == own, PredictionRow.id <= AT_ONCE)
        return len(db.connection().execute(some).cursor.fetchall())


def test_every_aggregate_of_a_million(
    stored: tuple[Database, str], capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    columns = load_columns(*stored)
    other, asked = in_other_order(columns), as_feasibility(columns)
    kept = np.random.default_rng(1).random(columns.n) < 0.95
    select_ = of.ItemSelection.of
    chosen = select_(("app", "com.example.app7"), ("kind", "tap"), ("predicted", "type"), ("verdict", "wrong"))
    some = of.mask_of(columns, select_(("verdict", "wrong")))
    began = time.perf_counter()
    first = of.versus(columns, other)
    met = (time.perf_counter() - began) * 1000
    curve = of.pr_curve(asked, kept)
    works: dict[str, Callable[[], Any]] = {
        "four criteria": lambda: of.mask_of(columns, chosen, kept),
        "confidence range": lambda: of.mask_of(columns, select_(("confidence", of.NumberRange(0.2, 0.3)))),
        "episode length": lambda: of.mask_of(columns, select_(("length", of.NumberRange(7, 10)))),
        "episodes of a mask": lambda: of.episodes_of(columns, some),
        "confusion of kinds": lambda: of.confusion(columns, kept),
        "confusion of two": lambda: of.confusion(asked, kept),
        **{f"wrong by {by}": lambda by=by: of.wrong_by(columns, by, kept) for by in ("app", "kind", "step", "length")},
        "recall by reason": lambda: of.recall_by_reason(asked, kept),
        "precision and recall": lambda: of.pr_curve(asked, kept),
        "precision over confidence": lambda: of.pr_curve(columns, kept),
        "best F1": lambda: of.best_f1(curve),
        "curve as shown": curve.shown,
        "at a threshold": lambda: of.at_threshold(asked, 0.4, kept),
        "calibration": lambda: of.calibration(columns, 10, kept),
        "against itself": lambda: of.versus(columns, columns, kept, kept),
        "against another order": lambda: of.versus(columns, other),
        "sorted by difference": first.by_difference,
    }
    times = {what: best(work) * 1000 for what, work in works.items()}
    for what, took in [*times.items(), ("against another order, for the first time", met)]:
        figure(f"a million items: {what}", took, "ms", budget=BUDGET_MS)
    with capsys.disabled():
        print(f"\na million items, ms (budget {BUDGET_MS:.0f}):")
        for what, took in times.items():
            print(f"  {what}: {took:.1f}{'' if took <= BUDGET_MS else '  MISSED'}")
        print(f"  another order, met for the first time: {met:.0f}")
    assert first.n == np.count_nonzero(columns.status == 0)


def test_metrics_with_a_thousand_draws(
    stored: tuple[Database, str], capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    """Of columns in memory; and what it takes to have each score as an object, of which nothing is computed yet."""
    database, run = stored
    columns = load_columns(database, run)
    scorer = run_scorer("aitw")
    options = parse_options(scorer.info, {})
    metrics = best(lambda: column_metrics(columns, scorer, options), 3)
    drawn = best(lambda: column_metrics(columns, scorer, options, bootstrap=1000), 3)

    def objects() -> int:
        with database.reading() as db:
            return len(queries.scores(db, run))

    by_objects = best(objects, 1)
    figure("metrics of a million", metrics, "s")
    figure("metrics of a million with 1,000 draws", drawn, "s")
    with capsys.disabled():
        print(
            f"\nmetrics of a million: {metrics:.2f} s, with 1,000 draws {drawn:.2f} s; "
            f"the scores as objects alone take {by_objects:.1f} s"
        )


def test_one_pass_of_counting_in_python(
    stored: tuple[Database, str], capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    """The confusion over a loop that counts pairs of a dictionary."""
    columns = load_columns(*stored)
    pairs = list(zip(columns.reference.tolist(), columns.predicted.tolist(), strict=True))
    loop, fast = best(lambda: counted(pairs), 2), best(lambda: of.confusion(columns))
    figure("confusion of a million: a loop over it", loop / fast, more=True)
    with capsys.disabled():
        print(
            f"\nconfusion of a million: {fast * 1000:.1f} ms, a loop that counts takes {loop / fast:.0f} times as long"
        )


def counted(pairs: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for pair in pairs:
        found[pair] = found.get(pair, 0) + 1
    return found
