"""A run's scores as columns: by hand, and the packed way out of SQLite against reading row by row."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from stepscope.core.domain.prediction import Prediction, PredictionStatus, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.domain.score import Score
from stepscope.core.errors import UsageError
from stepscope.core.store import column_packing, column_reading
from stepscope.core.store.columns import ERROR, SCORED, UNSCORED, load_columns, rows
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import outcomes, runs, sources
from stepscope.core.store.tables import PredictionRow
from stepscope.core.store.worker import WorkerClaim


@pytest.fixture
def columns(stocked):
    return load_columns(stocked.database, stocked.runs["A"])


def named(codes, names):
    return [names[code] for code in codes.tolist()]


def test_the_items_of_a_run_in_the_order_they_were_done(columns):
    assert columns.n == 6
    assert named(columns.episode, columns.episodes) == ["e1", "e1", "e1", "e3", "e3", "e3"]
    assert columns.step.tolist() == [0, 1, 2, 0, 1, 2]
    assert columns.status.tolist() == [SCORED, SCORED, SCORED, SCORED, UNSCORED, ERROR]
    np.testing.assert_array_equal(columns.value, [1, 0, 1, 0, np.nan, np.nan])
    assert columns.right.tolist() == [True, False, True, False, False, False]
    assert columns.malformed.tolist() == [False, False, False, True, False, False]
    assert not columns.null.any()
    assert named(columns.reference, columns.kinds) == ["tap", "tap", "type", "tap", "tap", "tap"]
    assert named(columns.predicted, columns.kinds) == ["tap", "tap", "type", "", "tap", ""]
    np.testing.assert_array_equal(columns.confidence, [0.9, 0.3, 0.8, np.nan, np.nan, np.nan])


def test_what_the_index_says_of_the_episodes(columns):
    assert columns.episodes == ("e1", "e3")
    assert named(columns.app, columns.apps) == ["com.Spotify.music", "shop"]
    assert named(columns.label, columns.labels) == ["feasible", ""]
    assert named(columns.reason, columns.reasons) == ["", ""]
    assert columns.steps.tolist() == [4, 10]
    assert [columns.goal(code) for code in (0, 1)] == ["Play a song", "50% off a_song"]


def test_parts_and_latencies_are_read_when_they_are_asked_for(columns):
    np.testing.assert_array_equal(columns.part("distance"), [0.25, 0.25, 0.25, np.nan, np.nan, np.nan])
    assert columns.part("distance") is columns.part("distance")
    assert np.isnan(columns.part("dist")).all()
    np.testing.assert_array_equal(columns.latency, [10, 3000, 20, np.nan, np.nan, np.nan])


def test_without_an_index_nothing_is_known_of_the_episodes(database, two_runs):
    columns = load_columns(database, two_runs["A"])
    assert columns.apps == columns.labels == columns.reasons == ("",)
    assert columns.steps.tolist() == [-1, -1]
    assert columns.goal(0) == ""


def test_a_small_run_of_a_large_source(database, summaries, add_run, make_outcome):
    many = [replace(summaries[0], id=f"more{n}") for n in range(40)]
    with database.unit_of_work() as db:
        sources.replace_index(db, "data/phones", "motif", "f1", [*many, *summaries])
    columns = load_columns(database, add_run(make_outcome("e3", 0, 1), make_outcome("gone", 0, 1)))
    assert named(columns.app, columns.apps) == ["shop", ""]
    assert columns.steps.tolist() == [10, -1]


def test_a_run_without_items(database):
    with database.unit_of_work() as db:
        run = runs.add(db, RunSpec(Task.AUTOMATION, "m", "d", "f", "aitw"), [], WorkerClaim.here())
    columns = load_columns(database, run)
    assert columns.n == 0
    assert columns.episodes == columns.kinds == ()
    assert columns.part("distance").shape == columns.latency.shape == (0,)


def test_unknown_runs_and_scorings_are_refused(stocked):
    a, b = stocked.runs["A"], stocked.runs["B"]
    with pytest.raises(UsageError):
        load_columns(stocked.database, "nobody")
    of_b = load_columns(stocked.database, b).scoring_id
    with pytest.raises(UsageError, match="has no scoring"):
        load_columns(stocked.database, a, of_b)
    assert load_columns(stocked.database, b, of_b).n == 3


def test_rows_of_a_page_in_the_order_asked_for(stocked, columns):
    with stocked.database.reading() as db:
        found = rows(db, columns.run_id, [columns.row[3], columns.row[0], 999])
        assert rows(db, columns.run_id, columns.row[:2], columns.scoring_id) == rows(
            db, columns.run_id, columns.row[:2]
        )
    assert [one.key for one in found] == [ItemKey("e3", 0), ItemKey("e1", 0)]
    assert found[0].score.malformed and found[1].score.right


def test_what_came_after_loading_has_no_part_in_lazy_columns(database, two_runs, make_outcome):
    columns = load_columns(database, two_runs["B"])
    with database.unit_of_work() as db:
        outcomes.add_many(db, two_runs["B"], columns.scoring_id, [make_outcome("e3", 0, 1, latency=5)])
    assert columns.part("distance").tolist() == [0.25] * 3
    assert np.isnan(columns.latency).all()


# --- packed against row by row ---------------------------------------------------------------------------------------

numbers = st.one_of(
    st.none(), st.sampled_from([0.0, 1.0, 0.5, 2.0**-9, 2.0**-10, 5e-324, -0.0]), st.floats(0, 1), st.floats(-1e9, 1e9)
)
values = st.one_of(st.none(), st.sampled_from([0.0, 1.0]), st.floats(0, 1))
kinds = st.sampled_from(["", "tap", "wait", "feasible", "a kind of its own", "other,one"])
item = st.tuples(
    st.sampled_from([0, 1]), st.sampled_from(["a", "b", "ä,\n", "\x1f", ""]), values, st.booleans(), st.booleans(),
    kinds, kinds, numbers, st.booleans(), numbers,
)  # fmt: skip


def outcome_of(step, drawn):
    _, episode, value, malformed, null, reference, _, confidence, _, part = drawn
    key = ItemKey(episode, step)
    status = PredictionStatus.EMPTY if null else PredictionStatus.MALFORMED
    if value is None:
        score = Score.error("x") if malformed else Score.unscored("x")
    else:
        parts = {} if part is None else {"other": 3.0, 'a "part"': part, "part": 1.0}
        score = Score.scored(value, "x", malformed=malformed, **parts)
    return Outcome(key, Prediction(episode, step, None, status, confidence=confidence, why="x"), score, reference)


def same(packed, plain):
    assert packed.row.tolist() == plain.row.tolist()
    for name in ("step", "status", "malformed", "null", "value", "confidence"):
        np.testing.assert_array_equal(getattr(packed, name), getattr(plain, name))
        assert getattr(packed, name).dtype == getattr(plain, name).dtype
    assert list(packed.places) == list(plain.places)
    assert packed.episode.tolist() == plain.episode.tolist()
    for name in ("reference", "predicted"):
        assert named(getattr(packed, name), packed.kinds) == named(getattr(plain, name), plain.kinds)
    assert set(packed.kinds) == set(plain.kinds)


@pytest.fixture(scope="module")
def sqlite():
    with Database.open("sqlite://") as opened:
        yield opened


@settings(max_examples=settings().max_examples // 4)
@given(st.lists(item, max_size=20), st.sampled_from([1, 4, 1 << 13]))
def test_packed_columns_are_those_read_row_by_row(spec, sqlite, monkeypatch, drawn, chunk):
    """Two runs that took turns, and of each a second scoring that lacks some items."""
    monkeypatch.setattr(column_packing, "_CHUNK", chunk)
    with sqlite.unit_of_work() as db:
        made = [runs.add(db, spec, ["x"], WorkerClaim.here()) for _ in range(2)]
        own = [outcomes.scoring(db, run, "aitw", "1", (), own=True) for run in made]
        other = [outcomes.scoring(db, run, "motif", "1", ()) for run in made]
        for step, one in enumerate(drawn):
            outcome = outcome_of(step - 1, one)
            outcomes.add_many(db, made[one[0]], own[one[0]], [outcome])
            if one[8]:
                outcomes.add_scores(db, made[one[0]], other[one[0]], [(outcome.key, outcome.score)])
            newest = select(PredictionRow.id).order_by(PredictionRow.id.desc()).limit(1).scalar_subquery()
            db.execute(update(PredictionRow).where(PredictionRow.id == newest).values(kind=one[6]))
    with sqlite.reading() as db:
        for scoring in (*own, *other):
            same(column_packing.items(db, scoring), column_reading.items(db, scoring))
            for name in ("part", 'a "part"', "none"):
                of_packed, of_plain = column_packing.part(db, scoring, name), column_reading.part(db, scoring, name)
                np.testing.assert_array_equal(of_packed[0], of_plain[0])
                np.testing.assert_array_equal(of_packed[1], of_plain[1])


def test_the_index_packed_is_the_index_read_row_by_row(stocked):
    with stocked.database.reading() as db:
        plain = column_reading.index(db, stocked.source_id)
        assert [list(row) for row in zip(*plain, strict=True)] == [
            ["e1", "com.Spotify.music", "feasible", "", 4],
            ["e2", "", "infeasible", "premature", 2],
            ["e3", "shop", "", "", 10],
        ]
        assert column_reading.index(db, stocked.source_id, ["e1", "e2", "e3"]) == plain
        if db.get_bind().dialect.name == "sqlite":
            assert column_packing.index(db, stocked.source_id) == plain
            assert column_packing.index(db, 999) == [[], [], [], [], []]
