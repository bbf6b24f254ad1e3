"""What goes into the store comes out again, whole and once."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.action import ACTION_TYPES, Action, FinishStatus, Scroll, Swipe, Tap, Target, Type
from stepscope.core.domain.episode import FeasibilityLabel, Problem
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    Candidate,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    Task,
)
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec, RunState
from stepscope.core.domain.score import Score
from stepscope.core.errors import StoreError, UsageError
from stepscope.core.store import queries
from stepscope.core.store.codec import answer_from_text, answer_to_text
from stepscope.core.store.fingerprint import fingerprint
from stepscope.core.store.repositories import outcomes, runs, sessions, sources
from stepscope.core.store.worker import WorkerClaim

# -- sources


def test_an_index_comes_back_as_it_was(database, summaries, source_id):
    lost = Problem("not readable", "e9", None, "goal", "e9.json")
    with database.unit_of_work() as db:
        assert sources.add_index(db, source_id, 3, [lost]) == 3
        found = sources.finish_index(db, source_id, "f2")
        assert (found.episodes, found.steps, found.screens, found.problems) == (3, 16, 15, 2)
        assert sources.find(db, "data/phones") == found
        assert sources.summaries(db, source_id, ["e3", "e1", "nobody", "e2"]) == [
            summaries[2], summaries[0], summaries[1]
        ]  # fmt: skip
        assert sources.problems(db, source_id) == [*summaries[1].problems, lost]


def test_episodes_with_asks_are_found_with_their_places(database, summaries, source_id):
    asking = [replace(summaries[0], asks=2, place="b 7"), replace(summaries[1], asks=0), replace(summaries[2], asks=1)]
    with database.unit_of_work() as db:
        again = sources.begin_index(db, "data/phones", "motif")
        sources.add_index(db, again, 0, asking)
        assert sources.asking(db, again) == ([("e1", "b 7"), ("e3", summaries[2].place)], False)
        sources.finish_index(db, again, "f2")
        assert sources.asking(db, again)[1]


def test_forgetting_a_source_keeps_its_runs(database, source_id, two_runs):
    with database.unit_of_work() as db:
        sources.forget(db, source_id)
    with database.reading() as db:
        assert sources.find(db, "data/phones") is None
        assert sources.problems(db, source_id) == []
        assert runs.get(db, two_runs["A"]).done == 6


def test_actions_are_counted_only_when_every_episode_is_known(database, source_id):
    with database.reading() as db:
        assert sources.count_actions(db, source_id, ["e1", "e2"]) == 4
        assert sources.count_actions(db, source_id, ["e1", "e7"]) is None
        assert sources.count_actions(db, source_id, []) == 0


def test_text_that_no_database_can_hold_is_kept_as_escapes(database, summaries):
    odd = replace(summaries[0], id="x\ud800", goal="a\0b")
    with database.unit_of_work() as db:
        source = sources.replace_index(db, "odd", "motif", "", [odd])
        assert queries.matching(db, source.id) == ["x\\ud800"]
        assert sources.summaries(db, source.id, ["x\\ud800"])[0].goal == "a\\x00b"


def test_a_fingerprint_tells_whether_files_changed(tmp_path):
    data = tmp_path / "data"
    (data / "inner").mkdir(parents=True)
    (data / "inner" / "a.json").write_text("1")
    first = fingerprint(data)
    assert first == fingerprint(data) != ""
    (data / "inner" / "a.json").write_text("22")
    second = fingerprint(data)
    (data / "inner" / "b.json").write_text("")
    assert len({first, second, fingerprint(data), fingerprint(data / "inner" / "a.json")}) == 4
    assert fingerprint(tmp_path / "nothing") == ""


# -- runs


def test_a_run_comes_back_as_it_was(database, spec):
    with database.unit_of_work() as db:
        run_id = runs.add(db, spec, ["b", "a"], WorkerClaim.here(), total=7)
        run = runs.get(db, run_id)
    assert dict(run.spec.options) == dict(spec.options)
    assert replace(run.spec, options=spec.options) == spec
    assert (run.state, run.total, run.done, run.created.utcoffset().total_seconds()) == (RunState.QUEUED, 7, 0, 0)
    with database.reading() as db:
        assert runs.selection(db, run_id) == ("b", "a")


def test_a_run_is_found_by_the_beginning_of_its_id(database, two_runs):
    a, b = two_runs.values()
    with database.reading() as db:
        assert runs.find(db, a[:6]) == a
        assert runs.find(db, "last") == b
        for unknown in ("", "zz", "%"):
            with pytest.raises(UsageError):
                runs.find(db, unknown)
        with pytest.raises(UsageError, match="no run 'zz'"):
            runs.get(db, "zz")


def test_only_the_last_claim_counts(database, two_runs):
    first, second = WorkerClaim.here(), WorkerClaim.here()
    run_id = two_runs["A"]
    with database.unit_of_work() as db:
        runs.claim(db, run_id, first)
        runs.beat(db, run_id, first)
        runs.claim(db, run_id, second)
    with pytest.raises(StoreError, match="taken over"), database.unit_of_work() as db:
        runs.beat(db, run_id, first)


def test_deleting_a_run_deletes_what_hangs_on_it(database, two_runs):
    with database.unit_of_work() as db:
        runs.remove(db, two_runs["A"])
        assert outcomes.keys(db, two_runs["A"]) == frozenset()
        assert runs.selection(db, two_runs["A"]) == ()
        left = {table: db.connection().exec_driver_sql(f"SELECT count(*) FROM {table}").scalar()
                for table in ("run", "prediction", "scoring", "score", "selection")}  # fmt: skip
    assert left == {"run": 1, "prediction": 3, "scoring": 1, "score": 3, "selection": 1}


# -- outcomes


def test_an_item_cannot_be_stored_twice(database, spec, add_run, make_outcome):
    run_id = add_run(make_outcome("e1", 0, 1))
    with pytest.raises(StoreError, match="a second time"), database.unit_of_work() as db:
        scoring = outcomes.scoring(db, run_id, spec.protocol, "1", spec.options, own=True)
        outcomes.add_many(db, run_id, scoring, [make_outcome("e1", 1, 1), make_outcome("e1", 0, 0)])
    with database.reading() as db:
        assert outcomes.keys(db, run_id) == {ItemKey("e1", 0)}


def test_scores_under_another_rule_stand_beside_the_first(database, spec, add_run, make_outcome):
    run_id = add_run(make_outcome("e1", 0, 1), make_outcome("e1", 1, 0))
    with database.unit_of_work() as db:
        strict = outcomes.scoring(db, run_id, "aitw", "1", (("direction", "exact"), ("text", "exact")))
        assert strict == outcomes.scoring(db, run_id, "aitw", "1", (("text", "exact"), ("direction", "exact")))
        outcomes.add_scores(db, run_id, strict, [(ItemKey("e1", 0), Score.scored(0.5, "half", x=1.0))])
        assert queries.scores(db, run_id, strict) == [("e1", 0, Score.scored(0.5, "", x=1.0))]
        assert [score.value for _, _, score in queries.scores(db, run_id)] == [1.0, 0.0]
    with pytest.raises(StoreError, match="no prediction for step 9"), database.unit_of_work() as db:
        outcomes.add_scores(db, run_id, strict, [(ItemKey("e1", 9), Score.scored(1, ""))])


def test_a_run_never_mixes_two_versions_of_a_rule(database, spec, add_run, make_outcome):
    run_id = add_run(make_outcome("e1", 0, 1))
    with pytest.raises(StoreError, match="version 1 of aitw, this is 2"), database.unit_of_work() as db:
        outcomes.scoring(db, run_id, spec.protocol, "2", spec.options, own=True)


def test_errors_can_be_forgotten_to_be_done_again(database, two_runs):
    with database.unit_of_work() as db:
        assert outcomes.drop_errors(db, two_runs["A"]) == 1
        assert ItemKey("e3", 2) not in outcomes.keys(db, two_runs["A"])
        assert len(queries.scores(db, two_runs["A"])) == 5


def test_every_outcome_comes_back_whole(database, two_runs, make_outcome, add_run):
    odd = Score.scored(0.25, "why\nnot", b=2.0, a=1.0)
    whole = Prediction("e", None, GoalAnswer("tidy"), confidence=0.1, latency_ms=1e-3, raw="{…}")
    given = [
        Outcome(ItemKey("e", -1), whole, odd),
        make_outcome("e", 0, "error"),
        make_outcome("e", 1, None),
        make_outcome("e", 2, 0, malformed=True),
    ]
    run_id = add_run(*given)
    with database.reading() as db:
        assert queries.items(db, run_id).rows == tuple(given)
        assert list(queries.each_item(db, run_id)) == given


# -- answers

sizes = st.builds(Size, st.integers(1, 5000), st.integers(1, 5000))
coordinates = st.floats(-1e6, 1e6)


def points(size):
    return st.builds(Point, coordinates, coordinates, st.sampled_from([size, Size(7, 9)]))


def targets(size):
    boxes = st.tuples(coordinates, coordinates, st.floats(0, 99), st.floats(0, 99)).map(
        lambda b: Box(b[0], b[1], b[0] + b[2], b[1] + b[3], size)
    )
    return st.builds(Target, boxes, st.text(), st.none() | st.text())


def some_actions(size):
    fields = {
        "point": points(size), "to": points(size), "target": st.none() | targets(size) | targets(Size(3, 4)),
        "text": st.text(), "key": st.text(), "direction": st.sampled_from(Direction),
        "status": st.sampled_from(FinishStatus),
    }  # fmt: skip
    optional_point = {"scroll", "type", "select"}

    def build(kind):
        cls = ACTION_TYPES[kind]
        named = {name: fields[name] for name in cls.__dataclass_fields__ if name != "kind"}
        if kind in optional_point:
            named["point"] = st.none() | fields["point"]
        return st.builds(cls, **named)

    return st.sampled_from(list(ACTION_TYPES)).flatmap(build)


actions = sizes.flatmap(some_actions)
numbers = st.floats(allow_nan=False, allow_infinity=False)
answers = st.one_of(
    st.builds(ActionAnswer, actions, st.lists(st.builds(Candidate, actions, numbers), max_size=3).map(tuple)),
    st.builds(FeasibilityAnswer, st.sampled_from(FeasibilityLabel), st.none() | st.floats(0, 1)),
    st.builds(GoalAnswer, st.text()),
    st.builds(OrderAnswer, st.lists(st.text(), max_size=4).map(tuple)),
    st.builds(AskAnswer, st.none() | st.text()),
    st.builds(FieldsAnswer, st.lists(st.tuples(st.text(), st.text()), max_size=3).map(tuple)),
)


@settings(max_examples=settings().max_examples * 3 // 5)
@given(answers)
def test_every_answer_is_kept_without_loss(answer):
    assert answer_from_text(answer_to_text(answer)) == answer


def test_sizes_and_absent_places_are_kept():
    box = Target(Box(0, 0, 10, 20, Size(50, 50)))
    swipe = Swipe(Point(1, 2, Size(10, 20)), Point(3, 4, Size(30, 40)), box)
    cases: list[Action] = [swipe, Type("x", None, box), Scroll(Direction.UP, None, box), Tap(Point(1, 1, Size(8, 8)))]
    for action in cases:
        assert answer_from_text(answer_to_text(ActionAnswer(action))) == ActionAnswer(action)
    assert answer_to_text(None) is None and answer_from_text(None) is None
    assert not math.isnan(swipe.to.x)


# -- sessions


def test_sessions_are_kept_by_name_and_the_last_saved_wins(database):
    with database.unit_of_work() as db:
        sessions.save(db, "one", {"a": [1, None]})
        sessions.save(db, "two", {})
        sessions.save(db, "one", {"b": "ü"})
    with database.unit_of_work() as db:
        assert sessions.load(db, "one").payload == {"b": "ü"}
        sessions.remove(db, "two")
        assert [saved.name for saved in sessions.saved(db)] == ["one"]
        with pytest.raises(UsageError, match="no session"):
            sessions.load(db, "two")


@pytest.mark.parametrize(("ahead", "latest"), [(timedelta(hours=1), 1), (timedelta(days=400), 0)])
def test_the_last_run_is_the_latest_though_the_clock_was_set_back(database, ahead, latest):
    """A clock that was off by an hour is made good; one that was a year ahead was wrong, and its time is not kept."""
    now = datetime(2024, 5, 1, tzinfo=UTC)
    spec = RunSpec(Task.AUTOMATION, "m", "d", "f", "aitw")
    with database.unit_of_work() as db:
        made = [runs.add(db, spec, ["x"], WorkerClaim.here(), now=moment) for moment in (now + ahead, now)]
        assert runs.find(db, "last") == made[latest]
        assert runs.get(db, made[1]).created - now < timedelta(hours=2)
        assert queries.run_list(db)[0].run.id == made[latest]
