"""Stored predictions under other rules: each once, gone on with after a kill, never mixed, and what changes.

The fake rule `side` is right within `limit` pixels, and the fake model is 1 pixel aside at steps 2, 5, 8, …: under the
run's own limit of 0.5 these are wrong, under a limit of 1 or more they are right. A finish is not judged.
"""

from dataclasses import replace

import pytest

from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey, RunState
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.errors import StoreError, UsageError
from stepscope.core.evaluation import rescore as rescoring
from stepscope.core.evaluation.rescore import (
    changes,
    count_items_to_score,
    flips,
    metrics_under,
    rescore,
    rule_table,
    scoring_of,
)
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.evaluation.summaries import run_metrics
from stepscope.core.progress import CancelToken
from stepscope.core.scoring import registry
from stepscope.core.scoring.named_rules import RULES
from stepscope.core.store import queries
from stepscope.core.store.repositories import runs
from stepscope.core.store.worker import WorkerClaim, hold, let_go


@pytest.fixture(autouse=True)
def side(monkeypatch, fakes):
    """The fake rule among the protocols; tests change what it does."""
    scorer = fakes.FakeScorer()
    monkeypatch.setitem(registry.PROTOCOLS._loaded, "side", scorer)
    return scorer


@pytest.fixture
def wide():
    return scoring_of("side", {"limit": "2"})


@pytest.fixture
def evaluated(database, fakes):
    def evaluate(source, predictor=None):
        predictor = predictor or fakes.FakePredictor()
        ids = list(source.episodes)
        run = EvaluationRun.start(database, fakes.SPEC, source, ids, predictor, fakes.FakeScorer())
        list(run.updates())
        return run.run_id

    return evaluate


def newer(scorer, version="8"):
    """The rule in another version, which is stricter by nothing but its name."""
    scorer.info = replace(scorer.info, version=version)


def values(database, run_id, scoring):
    with database.reading() as db:
        found = rescoring.scored_under(db, run_id, scoring)
        return {(e, s): score.value for e, s, score in queries.scores(db, run_id, found.id)}


def whys(database, run_id, scoring):
    with database.reading() as db:
        found = rescoring.scored_under(db, run_id, scoring)
        rows = queries.items(db, run_id, scoring_id=found.id, limit=None).rows
        return {(row.key.episode, row.key.step): (row.score.status, row.score.why) for row in rows}


# -- rules by name


def test_a_rule_has_all_its_options():
    assert scoring_of("side", {}).options == (("limit", "0.5"),)
    assert scoring_of("side", {"limit": "2"}) == scoring_of("side", {"limit": "2.0"})
    assert scoring_of("aitw", {"direction": "exact"}).options == (("direction", "exact"), ("text", "ignore"))


@pytest.mark.parametrize(("protocol", "settings"), [("sides", {}), ("side", {"limt": "1"}), ("side", {"limit": "x"})])
def test_rules_that_there_are_not(protocol, settings):
    with pytest.raises(UsageError):
        scoring_of(protocol, settings)


# -- scoring again


def test_every_item_is_scored_once_and_the_runs_own_scores_stay(database, fakes, evaluated, wide):
    source = fakes.FakeSource.of(a=3, b=1)
    run = evaluated(source)
    own = run_metrics(database, run)[1]
    source.read_ids.clear()
    updates = list(rescore(database, run, source, [wide]))
    assert [update.progress.done for update in updates] == [0, 1, 2, 3, 4, 5, 6, 6]
    assert updates[-1].progress.total == updates[-1].committed == 6
    assert [update.final for update in updates] == [False] * 7 + [True]
    assert updates[-1].complete
    assert source.read_ids == ["a", "b"], "each episode is read once"
    assert values(database, run, wide) == {
        ("a", 0): 1.0, ("a", 1): 1.0, ("a", 2): 1.0, ("a", 3): None, ("b", 0): 1.0, ("b", 1): None,
    }  # fmt: skip
    assert metrics_under(database, run, wide).as_dict() == {"accuracy": 1.0}
    assert run_metrics(database, run)[1] == own
    assert own.as_dict() == {"accuracy": 3 / 4}


def test_several_rules_read_each_episode_once(database, fakes, evaluated, wide):
    source = fakes.FakeSource.of(a=3, b=1)
    run = evaluated(source)
    source.read_ids.clear()
    list(rescore(database, run, source, [wide, scoring_of("side", {"limit": "3"}), wide]))
    assert source.read_ids == ["a", "b"]
    with database.reading() as db:
        assert [(s.options, s.items, s.own) for s in queries.scorings(db, run)] == [
            ((("limit", "0.5"),), 6, True),
            ((("limit", "2.0"),), 6, False),
            ((("limit", "3.0"),), 6, False),
        ]


def test_nothing_is_done_twice(database, fakes, evaluated, wide, side, monkeypatch):
    source = fakes.FakeSource.of(a=3)
    run = evaluated(source)
    assert count_items_to_score(database, run, [wide]) == 4
    list(rescore(database, run, source, [wide]))
    source.read_ids.clear()
    assert count_items_to_score(database, run, [wide]) == 0
    (first, last) = rescore(database, run, source, [wide])
    assert first.progress.done == last.progress.done == 4
    assert last.complete
    assert source.read_ids == []


def test_the_runs_own_rule_is_there_already(database, fakes, evaluated):
    source = fakes.FakeSource.of(a=1)
    run = evaluated(source)
    assert count_items_to_score(database, run, [scoring_of("side", {})]) == 0
    list(rescore(database, run, source, [scoring_of("side", {})]))
    with database.reading() as db:
        assert [s.own for s in queries.scorings(db, run)] == [True]


def test_cancelled_between_items_it_goes_on_where_it_stopped(database, fakes, evaluated, wide):
    source = fakes.FakeSource.of(a=3, b=3)
    run = evaluated(source)
    token = CancelToken()
    for update in rescore(database, run, source, [wide], token=token):
        if update.progress.done == 3:
            token.cancel()
    assert (update.progress.done, update.committed, update.final, update.complete) == (3, 3, True, False)
    assert len(values(database, run, wide)) == 3
    with pytest.MonkeyPatch.context() as patch:
        judged = []
        patch.setattr(fakes.FakeScorer, "score_step", _noting(judged, fakes.FakeScorer.score_step))
        done = [update.progress.done for update in rescore(database, run, source, [wide])]
    assert done == [3, 4, 5, 6, 7, 8, 8]
    assert judged == [("a", 3), ("b", 0), ("b", 1), ("b", 2), ("b", 3)]


def _noting(judged, score_step):
    def note(self, step, prediction, options):
        judged.append((prediction.episode, step.index))
        return score_step(self, step, prediction, options)

    return note


@pytest.mark.parametrize("how", ["close", "interrupt"])
def test_broken_off_it_keeps_what_is_done(database, fakes, evaluated, wide, how):
    run = evaluated(fakes.FakeSource.of(a=3))
    updates = rescore(database, run, fakes.FakeSource.of(a=3), [wide])
    for _ in range(3):
        next(updates)
    if how == "close":
        updates.close()
    else:
        with pytest.raises(KeyboardInterrupt):
            updates.throw(KeyboardInterrupt())
    assert len(values(database, run, wide)) == 2


def test_a_rule_that_two_score_at_once_has_each_item_once(database, fakes, evaluated, wide):
    source = fakes.FakeSource.of(a=3)
    run = evaluated(source)
    first, second = (rescore(database, run, source, [wide]) for _ in range(2))
    for updates in (first, second, first, second):
        next(updates)
    assert list(first)[-1].complete
    assert list(second)[-1].complete
    assert len(values(database, run, wide)) == 4


def test_batches_are_committed_as_time_goes_by(database, fakes, evaluated, wide, clock):
    source = fakes.FakeSource.of(a=9)
    run = evaluated(source)
    committed = []
    for update in rescore(database, run, source, [wide], clock=clock):
        clock.now += rescoring.BATCH_SECONDS / 4
        committed.append(update.committed)
    assert committed == [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 10]


# -- what cannot be scored


def test_an_episode_that_cannot_be_read_gives_errors_until_it_can(database, fakes, evaluated, wide):
    source = fakes.FakeSource.of(a=1, b=1)
    run = evaluated(source)
    gone = fakes.FakeSource({"a": None, "b": fakes.episode("b", 1)})
    assert list(rescore(database, run, gone, [wide]))[-1].complete
    found = whys(database, run, wide)
    assert {key: status for key, (status, _) in found.items()} == {
        ("a", 0): ScoreStatus.ERROR, ("a", 1): ScoreStatus.ERROR,
        ("b", 0): ScoreStatus.SCORED, ("b", 1): ScoreStatus.UNSCORED,
    }  # fmt: skip
    assert found["a", 0][1] == "The episode cannot be read: data/fake:a: goal is missing"
    assert metrics_under(database, run, wide).errors == 2
    assert count_items_to_score(database, run, [wide]) == 2, "such an error is no last word"
    list(rescore(database, run, source, [wide]))
    assert values(database, run, wide) == {("a", 0): 1.0, ("a", 1): None, ("b", 0): 1.0, ("b", 1): None}


def test_a_step_that_the_data_lost_is_an_error(database, fakes, evaluated, wide):
    run = evaluated(fakes.FakeSource.of(a=3))
    list(rescore(database, run, fakes.FakeSource.of(a=1), [wide]))
    assert whys(database, run, wide)["a", 3] == (
        ScoreStatus.ERROR, "The data has no step 3 of this episode any more.",
    )  # fmt: skip


def test_what_the_predictor_failed_on_stays_an_error_in_the_same_words(database, fakes, evaluated, wide):
    class Broken(fakes.FakePredictor):
        def predict(self, request):
            raise RuntimeError("out of memory")

    source = fakes.FakeSource({"bad": None, "a": fakes.episode("a", 1)})
    run = evaluated(source, Broken())
    source.read_ids.clear()
    list(rescore(database, run, source, [wide]))
    assert source.read_ids == [], "there is nothing to judge in them"
    assert whys(database, run, wide) == {
        ("bad", -1): (ScoreStatus.ERROR, "The episode cannot be read: data/fake:bad: goal is missing"),
        ("a", 0): (ScoreStatus.ERROR, "The model failed: RuntimeError: out of memory"),
        ("a", 1): (ScoreStatus.ERROR, "The model failed: RuntimeError: out of memory"),
    }
    assert count_items_to_score(database, run, [wide]) == 0


def test_no_prediction_and_a_malformed_one_stay_what_they_are(database, fakes, evaluated, wide):
    class Odd(fakes.FakePredictor):
        def predict(self, request):
            status = PredictionStatus.MALFORMED if request.step else PredictionStatus.FAILED
            return Prediction(request.episode, request.step, None, status, why="nothing")

    source = fakes.FakeSource.of(a=2)
    run = evaluated(source, Odd())
    list(rescore(database, run, source, [wide]))
    metrics = metrics_under(database, run, wide)
    assert (metrics.n, metrics.malformed, metrics.null, metrics.unscored, metrics.errors) == (2, 2, 1, 1, 0)


def test_a_rule_that_breaks_gives_errors_and_is_asked_again(database, fakes, evaluated, wide, monkeypatch):
    source = fakes.FakeSource.of(a=1)
    run = evaluated(source)
    with monkeypatch.context() as patch:
        patch.setattr(fakes.FakeScorer, "score_step", lambda *_: 1 / 0)
        list(rescore(database, run, source, [wide]))
    assert whys(database, run, wide)["a", 0] == (
        ScoreStatus.ERROR, "The rule failed: ZeroDivisionError: division by zero",
    )  # fmt: skip
    list(rescore(database, run, source, [wide]))
    assert values(database, run, wide) == {("a", 0): 1.0, ("a", 1): None}


# -- versions


def test_scores_by_an_older_version_are_made_anew(database, fakes, evaluated, wide, side):
    source = fakes.FakeSource.of(a=2)
    run = evaluated(source)
    list(rescore(database, run, source, [wide]))
    newer(side)
    with pytest.raises(UsageError, match="Scored by version 7 of the rule; this is version 8"):
        metrics_under(database, run, wide)
    assert count_items_to_score(database, run, [wide]) == 3
    token = CancelToken()
    token.cancel()
    list(rescore(database, run, source, [wide], token=token))
    with pytest.raises(UsageError, match="has no scores under"):
        metrics_under(database, run, wide)
    list(rescore(database, run, source, [wide]))
    assert metrics_under(database, run, wide).n == 2


def test_the_runs_own_rule_in_a_newer_version_takes_the_place_of_the_old_at_once(database, fakes, evaluated, side):
    source = fakes.FakeSource.of(a=300)
    run = evaluated(source)
    own = scoring_of("side", {})
    newer(side)
    side.score_step = lambda *_: Score.scored(0, "stricter")
    before = run_metrics(database, run)[1]
    token = CancelToken()
    for update in rescore(database, run, source, [own], token=token):
        if update.progress.done == 280:
            token.cancel()
    assert run_metrics(database, run)[1] == before, "half of a run is never under another version"
    assert list(rescore(database, run, source, [own]))[-1].complete
    assert run_metrics(database, run)[1].as_dict() == {"accuracy": 0.0}
    assert run_metrics(database, run)[1].n == 301
    with database.reading() as db:
        assert runs.get(db, run).spec.scorer_version == "8"
        assert [(s.version, s.own, s.items) for s in queries.scorings(db, run)] == [("8", True, 301)]


# -- what is refused


def test_a_run_at_work_is_refused(database, fakes, evaluated, wide):
    run = evaluated(fakes.FakeSource.of(a=1))
    worker = WorkerClaim.here()
    hold(worker)
    with database.unit_of_work() as db:
        runs.claim(db, run, worker)
        runs.set_state(db, run, RunState.RUNNING)
    with pytest.raises(UsageError, match="at work"):
        list(rescore(database, run, fakes.FakeSource.of(a=1), [wide]))
    let_go(worker)
    list(rescore(database, run, fakes.FakeSource.of(a=1), [wide]))


def test_unknown_runs_and_rules_that_were_not_asked(database, fakes, evaluated, wide):
    with pytest.raises(UsageError, match="There is no run"):
        list(rescore(database, "zzz", fakes.FakeSource.of(a=1), [wide]))
    run = evaluated(fakes.FakeSource.of(a=1))
    with pytest.raises(UsageError, match=r"has no scores under side \(limit=2.0\). Make them"):
        flips(database, run, wide)
    with pytest.raises(UsageError, match="There is no run"):
        flips(database, "zzz", wide)


def test_a_deleted_run_ends_the_work(database, fakes, evaluated, wide):
    run = evaluated(fakes.FakeSource.of(a=3))
    updates = rescore(database, run, fakes.FakeSource.of(a=3), [wide])
    next(updates)
    next(updates)
    with database.unit_of_work() as db:
        runs.remove(db, run)
    with pytest.raises(StoreError, match="no prediction"):
        list(updates)


# -- what changes


def test_flips_are_told_in_the_runs_order_with_both_reasons(database, fakes, evaluated, wide):
    source = fakes.FakeSource.of(b=6, a=3)
    run = evaluated(source)
    list(rescore(database, run, source, [wide]))
    found = flips(database, run, wide)
    assert [flip.key for flip in found] == [ItemKey("b", 2), ItemKey("b", 5), ItemKey("a", 2)]
    assert {(f.before.right, f.after.right, f.reference, f.after.why) for f in found} == {
        (False, True, "tap", "1 away"),
    }  # fmt: skip
    with database.reading() as db:
        rule = rescoring.scored_under(db, run, wide)
        page = queries.items(db, run, show="flips", scoring_id=rule.id, offset=1, limit=1)
        assert page.total == 3
        assert [(row.key, row.score.value) for row in page.rows] == [(ItemKey("b", 5), 1.0)]
        assert queries.items(db, run, show="flips").total == 0


def test_items_that_one_rule_only_could_score_are_no_flips(database, fakes, evaluated, wide, side):
    source = fakes.FakeSource.of(a=3)
    run = evaluated(source)

    def half(step, prediction, options):
        return Score.unscored("no place") if step.index < 2 else Score.scored(0, "wrong")

    side.score_step = half
    list(rescore(database, run, source, [wide]))
    found = changes(database, run, wide)
    assert (found.flips, found.only_before) == ((), (ItemKey("a", 0), ItemKey("a", 1)))
    assert found.only_after == (ItemKey("a", 3),)


def test_the_table_of_rules(database, fakes, evaluated, wide, side):
    source = fakes.FakeSource.of(a=3)
    run = evaluated(source)
    list(rescore(database, run, source, [wide]))
    own, *named, other = rule_table(database, run, bootstrap=20, seed=1)
    assert (own.own, own.rule, own.flips, own.why) == (True, "", 0, "")
    assert own.metrics.as_dict() == {"accuracy": 2 / 3}
    assert own.metrics.intervals
    assert [row.rule for row in named] == [rule.id for rule in RULES]
    assert {(row.metrics, row.flips, row.why) for row in named} == {(None, None, "Not scored under it yet.")}
    assert (other.rule, other.title, other.flips, other.own) == ("", "side (limit=2.0)", 1, False)
    assert other.metrics.as_dict() == {"accuracy": 1.0}
    newer(side)
    own, *_, other = rule_table(database, run)
    assert own.metrics.n == 3, "a run keeps its numbers"
    assert own.why == other.why == "Scored by version 7 of the rule; this is version 8."
    assert (other.metrics, other.flips) == (None, None)


def test_the_table_tells_why_there_is_nothing(database, fakes, evaluated, wide, side):
    source = fakes.FakeSource.of(a=3)
    run = evaluated(source)
    token = CancelToken()
    for update in rescore(database, run, source, [wide], token=token):
        if update.progress.done == 1:
            token.cancel()
    assert rule_table(database, run)[-1].why == "1 of 4 items scored so far."
    side.score_step = lambda *_: Score.unscored("There is no tree.")
    list(rescore(database, run, source, [scoring_of("side", {"limit": "9"})]))
    row = rule_table(database, run)[-1]
    assert (row.why, row.metrics.as_dict(), row.flips) == ("There is no tree.", {"accuracy": None}, 0)
