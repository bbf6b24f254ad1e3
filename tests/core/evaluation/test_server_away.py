"""An evaluation whose store's server goes away: it waits, says for how long, and ends with the same numbers."""

from dataclasses import replace
from threading import Event, Lock

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from stepscope.core.domain.run import ItemKey, RunState
from stepscope.core.errors import StoreError
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.evaluation.summaries import summary
from stepscope.core.progress import CancelToken
from stepscope.core.store import queries
from stepscope.core.store.abandoned_runs import mark_interrupted
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from tests.deaf_proxy import DeafProxy
from tests.patience import PATIENCE

EPISODES = {"a": 40, "b": 40, "c": 20}
ITEMS = [ItemKey(name, step) for name, taps in EPISODES.items() for step in range(taps + 1)]
ENOUGH = 50


@pytest.fixture(scope="module")
def server(postgresql_servers):
    """One that may be stopped: nobody else is on it."""
    with postgresql_servers() as running:
        yield running


@pytest.fixture
def database(server):
    with server.database() as url, Database.open(url) as opened:
        try:
            yield opened
        finally:
            server.stop()  # whatever the test left
            server.start()


@pytest.fixture
def begin(database, fakes):
    def begin(token=None, predictor=None, **more):
        source = fakes.FakeSource.of(**EPISODES)
        predictor = predictor or fakes.FakePredictor()
        return EvaluationRun.start(
            database, fakes.SPEC, source, [*EPISODES], predictor, fakes.FakeScorer(), token=token, **more
        )

    return begin


def keys(database, run_id):
    with database.reading() as db:
        return [outcome.key for outcome in queries.each_item(db, run_id)]


def until_away(server, updates):
    """Stop the server in the middle; the first update that says that it is away."""
    for update in updates:
        if update.committed >= ENOUGH:
            break
    server.stop()
    return next(update for update in updates if update.away is not None)


def test_a_run_goes_on_when_the_server_is_back(server, database, begin, fakes):
    run = begin()
    updates = run.updates()
    away = until_away(server, updates)
    assert (away.away, away.state) == (0, RunState.RUNNING)
    again = next(updates)
    assert again.away is not None and again.away > 0
    assert again.committed == away.committed
    server.start()
    *_, last = updates
    assert (last.state, last.away, last.committed) == (RunState.DONE, None, len(ITEMS))
    assert keys(database, run.run_id) == ITEMS
    whole = begin()
    list(whole.updates())
    broken, unbroken = (summary(database, one.run_id, fakes.FakeScorer()) for one in (run, whole))
    assert {**broken, "run": ""} == {**unbroken, "run": ""}


@pytest.mark.parametrize("batches", [False, True])
@pytest.mark.parametrize("reading", ["data", "model"])
def test_data_and_models_that_read_in_the_store_wait_too(server, database, fakes, reading, batches):
    """No item is in error for what the server is to blame for, and none is stored twice."""
    first, stopped = Lock(), Event()

    def look(who):
        if who == reading and first.acquire(blocking=False):
            server.stop()
            stopped.set()
        with database.reading() as db:
            db.scalar(text("SELECT 1"))

    class Source(fakes.FakeSource):
        def read(self, episode_id):
            if episode_id == "b":
                look("data")
            return super().read(episode_id)

    class Predictor(fakes.FakePredictor):
        info = replace(fakes.FakePredictor().info, batches=batches)
        batch_size = 8

        def prepare(self, request):
            return request

        def predict_batch(self, inputs):
            return [self.predict(one) for one in inputs]

        def warm_up(self):
            pass

        def predict(self, request):
            if request.episode == "b":
                look("model")
            return super().predict(request)

    run = EvaluationRun.start(database, fakes.SPEC, Source.of(**EPISODES), [*EPISODES], Predictor(), fakes.FakeScorer())
    absences = 0
    for update in run.updates():
        if update.away == 0:
            absences += 1
            assert stopped.wait(PATIENCE)  # another thread may still be at it
            server.start()
    assert absences == 1
    assert (update.state, update.committed) == (RunState.DONE, len(ITEMS))
    assert keys(database, run.run_id) == ITEMS
    assert summary(database, run.run_id, fakes.FakeScorer())["errors"] == 0


def test_the_time_away_is_neither_work_nor_pace(server, database, begin):
    now = [0.0]

    def clock():
        now[0] += 0.001
        return now[0]

    run = begin(clock=clock)
    updates = run.updates()
    until_away(server, updates)
    now[0] += 500
    next(updates)
    server.start()
    *_, last = updates
    with database.reading() as db:
        assert 0 < runs.get(db, run.run_id).worked_s < 100
    assert last.progress.rate > 1


def test_a_run_that_is_cancelled_while_the_server_is_away_can_be_resumed(server, database, begin, fakes):
    token = CancelToken()
    run = begin(token)
    updates = run.updates()
    committed = until_away(server, updates).committed
    token.cancel()
    with pytest.raises(StoreError, match="Cancelled while the store's server was away") as caught:
        list(updates)
    assert "gone on with" in caught.value.hint
    server.start()
    assert mark_interrupted(database) == [run.run_id]
    assert len(keys(database, run.run_id)) == committed
    predictor = fakes.FakePredictor()
    resumed = EvaluationRun.resume(database, run.run_id, fakes.FakeSource.of(**EPISODES), predictor, fakes.FakeScorer())
    assert [*resumed.updates()][-1].state is RunState.DONE
    assert len(predictor.requests) == len(ITEMS) - committed
    assert keys(database, run.run_id) == ITEMS


def test_a_server_that_stays_away_ends_the_run_with_a_message(server, database, begin):
    now = [0.0]
    run = begin(clock=lambda: now[0])
    updates = run.updates()
    until_away(server, updates)
    now[0] += 899
    assert next(updates).away == 899
    now[0] += 1
    with pytest.raises(StoreError, match="has been away for 15 min"):
        list(updates)
    server.start()
    assert mark_interrupted(database) == [run.run_id]


@pytest.mark.parametrize("at_the_end", [False, True])
def test_a_commit_of_which_the_servers_word_was_lost_is_not_done_twice(server, fakes, at_the_end):
    proxy = DeafProxy(server.port)
    with server.database() as url:
        name = make_url(url).database
        through = make_url(server.url(name, password="s3cret/of:me@50%")).set(port=proxy.port)
        with Database.open(through.render_as_string(hide_password=False)) as database:
            predictor = fakes.FakePredictor()
            run = EvaluationRun.start(
                database, fakes.SPEC, fakes.FakeSource.of(**EPISODES), [*EPISODES], predictor, fakes.FakeScorer()
            )
            for update in run.updates():
                if proxy.lost == 0 and update.progress.done >= (len(ITEMS) if at_the_end else ENOUGH):
                    proxy.lose_next_commit()
            assert proxy.lost == 1
            assert (update.state, update.committed) == (RunState.DONE, len(ITEMS))
            assert keys(database, run.run_id) == ITEMS
            assert len(predictor.requests) == len(ITEMS)
            with database.reading() as db:
                assert runs.get(db, run.run_id).state is RunState.DONE
    proxy.close()
