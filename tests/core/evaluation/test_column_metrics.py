"""Metrics out of columns are those of the same scores one by one."""

import numpy as np
import pytest

from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.column_metrics import column_metrics, scored_items
from stepscope.core.scoring.registry import run_scorer, step_metrics
from stepscope.core.scoring.rule import ScoredItem
from stepscope.core.store import queries
from stepscope.core.store.columns import load_columns
from stepscope.core.store.repositories import outcomes, runs
from stepscope.core.store.worker import WorkerClaim


def scores(draw):
    """Scores of 40 episodes in a shuffled order, of each kind some."""
    keys = [ItemKey(f"e{n}", step) for n in range(40) for step in range(n % 5 + 1)]
    for key in draw.permutation(np.array(keys, dtype=object)).tolist():
        kind, right, same = draw.integers(0, 12), bool(draw.integers(0, 2)), bool(draw.integers(0, 2))
        if kind == 0:
            yield key, Score.unscored("")
        elif kind == 1:
            yield key, Score.error("")
        elif kind == 2:
            yield key, Score.unusable("", null=True, type=0.0)
        else:
            ground = {"ground": float(right)} if kind % 2 else {}
            yield key, Score.scored(right, "", malformed=kind == 3, type=float(same), **ground)


@pytest.fixture
def run(database, fakes):
    draw = np.random.default_rng(0)
    status = PredictionStatus.EMPTY
    found = [Outcome(key, Prediction(key.episode, key.step, None, status), score, "tap") for key, score in scores(draw)]
    with database.unit_of_work() as db:
        run_id = runs.add(db, fakes.SPEC, ["e0"], WorkerClaim.here(), total=len(found))
        own = outcomes.scoring(db, run_id, "side", "7", fakes.SPEC.options, own=True)
        outcomes.add_many(db, run_id, own, found)
    return run_id


@pytest.mark.parametrize("protocol", ["aitw", "aitz", "android_control"])
def test_columns_and_scores_give_the_same_metrics_and_the_same_draws(database, run, protocol):
    scorer = run_scorer(protocol)
    options = {"rule": "radius14"}
    with database.reading() as db:
        items = [ScoredItem(*row) for row in queries.scores(db, run)]
    apps = {f"e{n}": f"app {n % 7}" for n in range(30)}
    columns = load_columns(database, run)
    for cluster_of in (None, apps):
        expected = step_metrics(scorer, items, options, bootstrap=30, seed=3, cluster_of=cluster_of)
        found = column_metrics(columns, scorer, options, bootstrap=30, seed=3, cluster_of=cluster_of)
        assert found == expected and found.intervals and found.errors and found.null


def test_a_mask_leaves_items_out(database, run):
    columns = load_columns(database, run, index=False)
    mask = columns.step == 0
    with database.reading() as db:
        items = [ScoredItem(*row) for row in queries.scores(db, run) if row[1] == 0]
    scorer = run_scorer("aitz")
    assert column_metrics(columns, scorer, {}, mask) == step_metrics(scorer, items, {})


def test_items_are_numbered_in_the_order_in_which_they_are_given(database, run):
    columns = load_columns(database, run)
    rows = np.flatnonzero(columns.status == 0)[::-1]
    found = scored_items(columns, rows)
    episodes = [columns.episodes[code] for code in columns.episode[rows]]
    assert list(found.names) == list(dict.fromkeys(episodes))
    assert [found.names[unit] for unit in found.unit] == episodes
    assert found.part("type").tolist() == pytest.approx(columns.part("type")[rows].tolist(), nan_ok=True)
