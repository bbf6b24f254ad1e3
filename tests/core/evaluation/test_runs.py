"""A stored run: committed in batches, paused, cancelled, broken, taken over, resumed; and never an item twice."""

import sqlite3
from dataclasses import replace
from itertools import pairwise
from threading import Event

import pytest

from stepscope.core.domain.run import ItemKey, RunState
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.errors import StoreError, UsageError
from stepscope.core.evaluation.runs import BATCH_ITEMS, BATCH_SECONDS, EvaluationRun, reopen_errors
from stepscope.core.evaluation.summaries import summary
from stepscope.core.progress import CancelToken
from stepscope.core.store import queries
from stepscope.core.store.abandoned_runs import mark_interrupted
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import outcomes, runs, sources
from stepscope.core.store.worker import WorkerClaim, is_alive, process_start


def start(database, fakes, source, predictor=None, **more):
    predictor = predictor or fakes.FakePredictor()
    ids = list(source.episodes)
    return EvaluationRun.start(database, fakes.SPEC, source, ids, predictor, fakes.FakeScorer(), **more)


def resume(database, fakes, run_id, source, predictor=None, **more):
    predictor = predictor or fakes.FakePredictor()
    return EvaluationRun.resume(database, run_id, source, predictor, fakes.FakeScorer(), **more)


def stored(database, run_id):
    with database.reading() as db:
        return runs.get(db, run_id)


def stored_keys(database, run_id):
    with database.reading() as db:
        return [outcome.key for outcome in queries.each_item(db, run_id)]


def all_keys(**taps):
    return [ItemKey(name, step) for name, count in taps.items() for step in range(count + 1)]


def test_a_run_goes_from_queued_to_done_with_every_item_once(database, fakes):
    run = start(database, fakes, fakes.FakeSource.of(a=3, b=1), total=6)
    assert stored(database, run.run_id).state is RunState.QUEUED
    updates = list(run.updates())
    assert [update.state for update in updates] == [RunState.RUNNING] * 7 + [RunState.DONE]
    assert [update.outcome.key for update in updates[1:-1]] == all_keys(a=3, b=1)
    assert updates[-1].progress.done == updates[-1].committed == 6
    run_row = stored(database, run.run_id)
    assert (run_row.state, run_row.done, run_row.total) == (RunState.DONE, 6, 6)
    assert stored_keys(database, run.run_id) == all_keys(a=3, b=1)


def test_the_run_says_by_what_it_was_made(database, fakes):
    run = start(database, fakes, fakes.FakeSource.of(a=0))
    spec = stored(database, run.run_id).spec
    assert (spec.model, spec.protocol, spec.scorer_version, spec.options) == ("fake", "side", "7", (("limit", "0.5"),))


def test_the_total_is_counted_from_the_index(database, fakes):
    source = fakes.FakeSource.of(a=3, b=1)
    with database.unit_of_work() as db:
        sources.replace_index(db, fakes.SPEC.source, "fake", "f", list(source.scan()))
    assert stored(database, start(database, fakes, source).run_id).total == 6


def test_the_summary_is_the_contracts_object(database, fakes):
    source = fakes.FakeSource({"bad": None, "a": fakes.episode("a", 3)})
    run = start(database, fakes, source)
    list(run.updates())
    assert summary(database, run.run_id, fakes.FakeScorer()) == {
        "run": run.run_id,
        "task": "automation",
        "model": "fake",
        "protocol": "side",
        "state": "done",
        "n": 3,
        "errors": 1,
        "unscored": 1,
        "malformed": 0,
        "null": 0,
        "note": "",
        "metrics": {"accuracy": 2 / 3},
    }
    assert stored(database, run.run_id).total == 5


def test_a_metric_over_nothing_is_none(database, fakes):
    run = start(database, fakes, fakes.FakeSource.of(a=0))
    list(run.updates())
    assert summary(database, run.run_id, fakes.FakeScorer())["metrics"] == {"accuracy": None}


def test_an_unknown_option_is_refused_before_anything_is_written(database, fakes):
    spec = replace(fakes.SPEC, options=(("limt", "1"),))
    with pytest.raises(UsageError):
        EvaluationRun.start(database, spec, fakes.FakeSource.of(a=1), ["a"], fakes.FakePredictor(), fakes.FakeScorer())
    with database.reading() as db:
        assert queries.run_list(db) == []


# -- batches


def test_fast_items_are_committed_in_batches(database, fakes, clock):
    run = start(database, fakes, fakes.FakeSource.of(a=99), clock=clock)
    committed = [update.committed for update in run.updates()]
    assert sorted(set(committed)) == [0, BATCH_ITEMS, 2 * BATCH_ITEMS, 3 * BATCH_ITEMS, 100]
    assert max(later - earlier for earlier, later in pairwise(committed)) == BATCH_ITEMS


def test_slow_items_never_wait_for_a_batch_to_fill(database, fakes, clock):
    class Slow(fakes.FakePredictor):
        def predict(self, request):
            clock.now += BATCH_SECONDS * 0.8
            return super().predict(request)

    run = start(database, fakes, fakes.FakeSource.of(a=4), Slow(), clock=clock)
    updates = [update for update in run.updates() if update.outcome]
    assert [update.committed for update in updates] == [1, 2, 3, 4, 5]


def test_a_finished_batch_does_not_wait_for_the_next_one(database, fakes, clock, monkeypatch):
    monkeypatch.setattr("stepscope.core.evaluation.prefetch.PATIENCE_SECONDS", 0.01)
    first_is_safe = Event()

    class Batching(fakes.FakePredictor):
        batch_size, fingerprint = 4, ""
        info = replace(fakes.FakePredictor().info, batches=True)

        def prepare(self, request):
            return request

        def predict_batch(self, prepared):
            if prepared[0].step:
                assert first_is_safe.wait(20)
            return [self.predict(request) for request in prepared]

        def warm_up(self):
            """Nothing to warm."""

    def add(db, run_id, scoring, batch):
        store(db, run_id, scoring, batch)
        if batch:
            first_is_safe.set()

    store = outcomes.add_many
    monkeypatch.setattr(outcomes, "add_many", add)
    run = start(database, fakes, fakes.FakeSource.of(a=11), Batching(), clock=clock)
    updates = [update for update in run.updates() if update.outcome]
    assert [update.committed for update in updates[:5]] == [0, 0, 0, 0, 4], "by no clock"
    assert all(update.outcome.score.status != "error" for update in updates)


def test_each_commit_is_a_sign_of_life(database, fakes, clock):
    run = start(database, fakes, fakes.FakeSource.of(a=99), clock=clock)
    with database.unit_of_work() as db:
        db.connection().exec_driver_sql("UPDATE run SET heartbeat = '2000-01-01 00:00:00'")
    work = run.updates()
    next(work)
    with database.reading() as db:
        (claim,) = runs.claimed(db, run.run_id)
    assert claim.heartbeat.year > 2000 and is_alive(claim.worker)
    work.close()


def test_live_metrics_come_with_the_batches_and_ever_more_seldom(database, fakes, clock):
    class SlowRule(fakes.FakeScorer):
        def tally(self, items, options):
            clock.now += 0.4
            return super().tally(items, options)

    rule = SlowRule()
    source = fakes.FakeSource.of(a=199)
    run = EvaluationRun.start(database, fakes.SPEC, source, ["a"], fakes.FakePredictor(), rule, clock=clock)
    updates = list(run.updates())
    assert rule.tallied == [32, 199]  # once at the first batch, then not before 20 times its cost, and at the end
    assert updates[-1].metrics.n == 199
    assert updates[31].metrics is None and updates[32].metrics.n == 32


# -- ways to stop


def test_cancelling_keeps_what_is_done_and_resuming_does_the_rest(database, fakes):
    token, source = CancelToken(), fakes.FakeSource.of(a=3, b=3)
    run = start(database, fakes, source, token=token)
    work = run.updates()
    seen = [next(work) for _ in range(4)]
    token.cancel()
    assert [update.state for update in work] == [RunState.CANCELLED]
    assert stored(database, run.run_id).state is RunState.CANCELLED
    assert len(stored_keys(database, run.run_id)) == 3 == seen[-1].progress.done

    predictor = fakes.FakePredictor()
    rest = list(resume(database, fakes, run.run_id, source, predictor).updates())
    assert next((request.episode, request.step) for request in predictor.requests) == ("a", 3)
    assert rest[0].progress.done == 3 and rest[-1].state is RunState.DONE
    assert stored_keys(database, run.run_id) == all_keys(a=3, b=3)
    assert rest[-1].metrics.values == tuple(summary(database, run.run_id, fakes.FakeScorer())["metrics"].items())


def test_closing_the_generator_keeps_what_is_done(database, fakes):
    run = start(database, fakes, fakes.FakeSource.of(a=9))
    work = run.updates()
    for _ in range(3):
        next(work)
    work.close()
    assert stored(database, run.run_id).state is RunState.CANCELLED
    assert stored_keys(database, run.run_id) == all_keys(a=1)


def test_ctrl_c_keeps_what_is_done(database, fakes):
    class Interrupted(fakes.FakePredictor):
        def predict(self, request):
            if request.step == 2:
                raise KeyboardInterrupt
            return super().predict(request)

    run = start(database, fakes, fakes.FakeSource.of(a=9), Interrupted())
    with pytest.raises(KeyboardInterrupt):
        list(run.updates())
    assert stored(database, run.run_id).state is RunState.CANCELLED
    assert stored_keys(database, run.run_id) == all_keys(a=1)


def test_what_breaks_the_run_itself_leaves_it_failed_with_its_items(database, fakes, clock):
    class Broken(fakes.FakeScorer):
        def tally(self, items, options):
            raise ArithmeticError("no mean")

    source = fakes.FakeSource.of(a=40)
    run = EvaluationRun.start(database, fakes.SPEC, source, ["a"], fakes.FakePredictor(), Broken(), clock=clock)
    with pytest.raises(ArithmeticError):
        list(run.updates())
    found = stored(database, run.run_id)
    assert (found.state, found.message, found.done) == (RunState.FAILED, "ArithmeticError: no mean", BATCH_ITEMS)
    assert list(resume(database, fakes, run.run_id, source).updates())[-1].state is RunState.DONE
    assert stored_keys(database, run.run_id) == all_keys(a=40)


def test_a_paused_run_is_committed_and_says_so_before_it_waits(database, fakes, clock):
    token = CancelToken()
    run = start(database, fakes, fakes.FakeSource.of(a=3), token=token, total=4, clock=clock)
    work = run.updates()
    clock.now += 1
    for _ in range(3):
        last = next(work)
    token.pause()
    paused = next(work)
    assert (last.committed, paused.state, paused.committed) == (0, RunState.PAUSED, 2)
    assert stored(database, run.run_id).state is RunState.PAUSED
    rate = paused.progress.rate
    clock.now += 1000
    token.resume()
    again = next(work)
    assert (again.state, again.progress.rate) == (RunState.RUNNING, rate)
    assert [update.state for update in work][-1] is RunState.DONE


def test_a_paused_run_can_be_cancelled(database, fakes):
    token = CancelToken()
    work = start(database, fakes, fakes.FakeSource.of(a=3), token=token).updates()
    next(work)
    token.pause()
    assert next(work).state is RunState.PAUSED
    token.cancel()
    assert [update.state for update in work] == [RunState.RUNNING, RunState.CANCELLED]


# -- several workers


def test_a_run_at_work_cannot_be_resumed_by_another(database, fakes):
    source = fakes.FakeSource.of(a=3)
    run = start(database, fakes, source)
    work = run.updates()
    next(work)
    with pytest.raises(UsageError, match=r"is at work on .*, process \d+"):
        resume(database, fakes, run.run_id, source)
    assert mark_interrupted(database) == []
    work.close()
    assert list(resume(database, fakes, run.run_id, source).updates())[-1].state is RunState.DONE


def test_a_worker_that_lost_its_run_writes_nothing_more(database, fakes):
    run = start(database, fakes, fakes.FakeSource.of(a=3))
    work = run.updates()
    next(work)
    with database.unit_of_work() as db:
        runs.claim(db, run.run_id, WorkerClaim.here())
    with pytest.raises(StoreError, match="taken over"):
        list(work)
    assert stored(database, run.run_id).state is RunState.RUNNING
    assert stored_keys(database, run.run_id) == []


def test_a_run_deleted_while_it_works_ends_with_a_clear_word(database, fakes):
    run = start(database, fakes, fakes.FakeSource.of(a=3))
    work = run.updates()
    next(work)
    with database.unit_of_work() as db:
        runs.remove(db, run.run_id)
    with pytest.raises(StoreError, match="or deleted"):
        list(work)


@pytest.mark.parametrize(
    ("claim", "interrupted"),
    [
        (lambda me: replace(me, claim="of an earlier moment"), True),  # this process, but nobody in it
        (lambda me: replace(me, started="another start"), True),  # the number was used again
        (lambda me: replace(me, pid=2**22 + 1), True),  # no such process
        (lambda me: replace(me, host="another-machine"), False),  # who knows
        (lambda me: replace(me, machine="another-machine", pid=2**22 + 1), False),  # one that is called the same
        (lambda me: replace(me, machine="", pid=2**22 + 1), True),  # written down before machines were told apart
    ],
)
def test_a_run_whose_worker_is_gone_is_marked_as_interrupted(database, fakes, claim, interrupted):
    source = fakes.FakeSource.of(a=3)
    run = start(database, fakes, source)
    with database.unit_of_work() as db:
        runs.claim(db, run.run_id, claim(WorkerClaim.here()))
        runs.set_state(db, run.run_id, RunState.RUNNING)
    assert mark_interrupted(database) == ([run.run_id] if interrupted else [])
    if interrupted:
        assert stored(database, run.run_id).state is RunState.INTERRUPTED
        assert resume(database, fakes, run.run_id, source).run_id == run.run_id
    else:
        with pytest.raises(UsageError, match=f"is at work on {claim(WorkerClaim.here()).host}"):
            resume(database, fakes, run.run_id, source)
        assert resume(database, fakes, run.run_id, source, take_over=True).run_id == run.run_id


def test_a_process_is_known_by_its_start():
    assert process_start(1) and process_start(1) == process_start(1)
    assert process_start(2**22 + 1) is None


# -- what is not resumed


def test_a_run_is_not_resumed_when_it_is_done_or_with_another_model_or_rule(database, fakes):
    source = fakes.FakeSource.of(a=1)
    run = start(database, fakes, source)
    run.token.cancel()
    list(run.updates())
    with pytest.raises(UsageError, match="begun with fake under side 7, not other under side 7"):
        resume(database, fakes, run.run_id, source, fakes.FakePredictor(name="other"))
    list(resume(database, fakes, run.run_id, source).updates())
    with pytest.raises(UsageError, match="nothing to resume"):
        resume(database, fakes, run.run_id, source)


def test_items_in_error_are_done_again_when_asked_for(database, fakes):
    class Flaky(fakes.FakePredictor):
        def predict(self, request):
            if request.step == 1:
                raise TimeoutError
            return super().predict(request)

    source = fakes.FakeSource.of(a=2)
    run = start(database, fakes, source, Flaky())
    list(run.updates())
    assert reopen_errors(database, run.run_id) == 1
    list(resume(database, fakes, run.run_id, source).updates())
    assert sorted(stored_keys(database, run.run_id), key=lambda key: key.step) == all_keys(a=2)
    assert summary(database, run.run_id, fakes.FakeScorer())["errors"] == 0
    assert reopen_errors(database, run.run_id) == 0
    assert stored(database, run.run_id).state is RunState.DONE


def test_an_item_done_twice_is_refused_by_the_store(database, fakes):
    run = start(database, fakes, fakes.FakeSource.of(a=1))
    done = [update.outcome for update in run.updates() if update.outcome]
    with pytest.raises(StoreError, match="a second time"), database.unit_of_work() as db:
        scoring = outcomes.scoring(db, run.run_id, "side", "7", run.spec.options)
        outcomes.add_many(db, run.run_id, scoring, done[:1])
    assert done[-1].score.status is ScoreStatus.UNSCORED


def test_a_store_that_is_busy_fails_the_run_and_resuming_loses_nothing(fakes, tmp_path):
    with Database.open(f"sqlite:///{tmp_path}/s.db", busy_timeout_ms=1) as database:
        source = fakes.FakeSource.of(a=3)
        run = start(database, fakes, source)
        work = run.updates()
        next(work)
        other = sqlite3.connect(tmp_path / "s.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="in use"):
            list(work)
        other.execute("ROLLBACK")
        other.close()
        assert mark_interrupted(database) == [run.run_id]
        list(resume(database, fakes, run.run_id, source).updates())
        assert stored_keys(database, run.run_id) == all_keys(a=3)
