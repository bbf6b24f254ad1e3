"""Metrics with and without defects, over items that are small enough to count by hand."""

from datetime import UTC, datetime

import pytest

from stepscope.core.domain.annotation import Annotation, AnnotationKind, Defect
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.defects import Defects, defective, metrics_of, metrics_without_defects
from stepscope.core.evaluation.summaries import run_metrics
from stepscope.core.store import queries
from stepscope.core.store.columns import load_columns
from stepscope.core.store.repositories import annotations, outcomes, runs
from stepscope.core.store.worker import WorkerClaim

# a: right wrong wrong; b: right, unscored; c: wrong, error. 2 of 5 are right.
SCORES = {
    "a": [Score.scored(1, ""), Score.scored(0, ""), Score.scored(0, "")],
    "b": [Score.scored(1, ""), Score.unscored("")],
    "c": [Score.unusable("", null=True), Score.error("")],
}


@pytest.fixture
def run(database, fakes):
    found = [
        Outcome(ItemKey(episode, step), Prediction(episode, step, None, PredictionStatus.EMPTY), score, "tap")
        for episode, scores in SCORES.items()
        for step, score in enumerate(scores)
    ]
    with database.unit_of_work() as db:
        run_id = runs.add(db, fakes.SPEC, list(SCORES), WorkerClaim.here(), total=len(found))
        own = outcomes.scoring(db, run_id, "side", "7", fakes.SPEC.options, own=True)
        outcomes.add_many(db, run_id, own, found)
    return run_id


@pytest.fixture
def say(database, fakes):
    def put(episode, step=None, kind=AnnotationKind.DEFECT, value=Defect.WRONG_REFERENCE.value, source=None):
        made = datetime(2024, 5, 1, tzinfo=UTC)
        with database.unit_of_work() as db:
            annotations.put(db, Annotation(source or fakes.SPEC.source, episode, step, kind, value, "ann", made))

    return put


def counted(metrics):
    return metrics.as_dict()["accuracy"], metrics.n, metrics.unscored, metrics.malformed, metrics.errors


def test_without_defects_both_are_the_runs_metrics(database, fakes, run):
    found = metrics_without_defects(database, run, fakes.FakeScorer())
    assert found.defective == 0
    assert found.without == found.every == run_metrics(database, run, fakes.FakeScorer())[1]
    assert counted(found.every) == (2 / 5, 5, 1, 1, 1)


def test_defective_steps_and_episodes_are_left_out(database, fakes, run, say):
    say("a", 1)
    say("a", 1, value=Defect.WRONG_PICTURE.value)
    say("c")
    say("b", 9)
    say("elsewhere")
    say("b", None, AnnotationKind.NOTE, "not a defect")
    say("b", source="data/other")
    found = metrics_without_defects(database, run, fakes.FakeScorer())
    assert counted(found.every) == (2 / 5, 5, 1, 1, 1)
    assert counted(found.without) == (2 / 3, 3, 1, 0, 0)
    assert found.defective == 3


def test_when_everything_is_defective_nothing_is_left_to_measure(database, fakes, run, say):
    for episode in SCORES:
        say(episode)
    found = metrics_without_defects(database, run, fakes.FakeScorer())
    assert counted(found.without) == (None, 0, 0, 0, 0)
    assert found.defective == 7


def test_the_defects_of_a_source(database, fakes, say):
    with database.reading() as db:
        assert not defective(db, fakes.SPEC.source)
    say("a")
    say("b", 0)
    with database.reading() as db:
        found = defective(db, fakes.SPEC.source)
    assert found == Defects(frozenset({"a"}), frozenset({ItemKey("b", 0)}))
    assert ItemKey("a", 5) in found and ItemKey("a", -1) in found
    assert ItemKey("b", 0) in found and ItemKey("b", 1) not in found and ItemKey("b", -1) not in found


def test_under_another_rule(database, fakes, run, say):
    say("a", 0)
    with database.unit_of_work() as db:
        other = outcomes.scoring(db, run, "side", "7", (("limit", "9.0"),))
        outcomes.add_scores(db, run, other, [(ItemKey("a", n), Score.scored(n > 0, "")) for n in range(3)])
        (known,) = (one for one in queries.scorings(db, run) if not one.own)
    found = metrics_without_defects(database, run, fakes.FakeScorer(), scoring=known)
    assert counted(found.every) == (2 / 3, 3, 0, 0, 0)
    assert counted(found.without) == (1.0, 2, 0, 0, 0)


def test_intervals_are_drawn_for_each(database, fakes, run, say):
    say("a")
    found = metrics_without_defects(database, run, fakes.FakeScorer(), bootstrap=50, seed=1)
    assert dict(found.every.intervals)["accuracy"] is not None
    assert found.every.intervals != found.without.intervals


def test_columns_at_hand_and_defects_that_nobody_wrote_down(database, fakes, run):
    defects = Defects(steps=frozenset({ItemKey("a", 0), ItemKey("gone", 0)}), episodes=frozenset({"gone too"}))
    found = metrics_of(load_columns(database, run), defects, fakes.FakeScorer(), {"limit": 0.5})
    assert (counted(found.every)[0], counted(found.without)[0], found.defective) == (2 / 5, 1 / 4, 1)


def test_a_run_that_there_is_not(database, fakes):
    with pytest.raises(UsageError):
        metrics_without_defects(database, "none", fakes.FakeScorer())
