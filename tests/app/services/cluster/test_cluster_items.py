"""A run by a cluster of two nodes: the numbers of one machine, whatever dies on the way."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.cluster import items as cluster_items
from stepscope.app.services.cluster import workers
from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.cluster.connection import connected
from stepscope.app.services.evaluation import EvaluationRequest, resume, start
from stepscope.app.services.library import open_indexed
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Outcome, RunState
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.runs import EvaluationRun, RunUpdate
from stepscope.core.evaluation.summaries import summary
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from tests.patience import PATIENCE

pytestmark = pytest.mark.xdist_group("ray")

Start = Callable[..., EvaluationRun]
EPISODES = 12
"""Of the sample: some 60 items."""
MANY = 40
"""Of them, more than are dealt ahead."""
EARLY = 20
"""Items after which something happens."""


@pytest.fixture(params=["file", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    if request.param == "file":
        with Database.open(store_url(tmp_path / "store.db")) as found:
            yield found
        return
    with request.getfixturevalue("postgresql").database() as url, Database.open(url) as found:
        yield found


@pytest.fixture
def in_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    with Database.open(store_url(tmp_path / "store.db")) as found:
        yield found


@pytest.fixture
def a_row_a_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_items, "SHARE_SECONDS", 0.0)


@pytest.fixture
def both_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is dealt before there were two workers."""
    free = workers.ClusterWorkers.has_free_hand.fget  # type: ignore[attr-defined]
    waiting = property(lambda self: len(self.paces()) >= 2 and free(self))
    monkeypatch.setattr(workers.ClusterWorkers, "has_free_hand", waiting)


def begun(
    database: Database, choice: ClusterChoice | None, token: CancelToken | None = None, **wanted: Any
) -> EvaluationRun:
    *_, indexed = open_indexed(database, SAMPLE, CancelToken())
    request = EvaluationRequest(**{"model": "noisy-copy", "limit": EPISODES, **wanted})
    return start(database, indexed.source, indexed.source_id, request, token, cluster=choice).run


def end(run: EvaluationRun) -> RunUpdate:
    *_, last = run.updates()
    return last


def stored(database: Database, run_id: str) -> list[Outcome]:
    """What a run has, in its order, without how long each answer took."""
    with database.reading() as db:
        rows = queries.items(db, run_id, limit=None).rows
    return [replace(row, prediction=replace(row.prediction, latency_ms=None)) for row in rows]


def numbers(database: Database, run_id: str) -> dict[str, object]:
    found = summary(database, run_id)
    return {name: found[name] for name in ("n", "errors", "unscored", "malformed", "null", "metrics")}


def check_same(database: Database, run: EvaluationRun, alone: EvaluationRun) -> None:
    assert stored(database, run.run_id) == stored(database, alone.run_id)
    assert numbers(database, run.run_id) == numbers(database, alone.run_id)


def process_of(name: str) -> int:
    return int(name.rpartition(" ")[2])


@pytest.mark.parametrize(("task", "model"), [(Task.AUTOMATION, "noisy-copy"), (Task.ORDERING, "random-order")])
def test_a_cluster_gives_the_numbers_of_one_machine(
    in_file: Database, choice: ClusterChoice, task: Task, model: str
) -> None:
    alone = begun(in_file, None, task=task, model=model)
    end(alone)
    run = begun(in_file, choice, task=task, model=model)
    last = end(run)
    check_same(in_file, run, alone)
    assert last.state is RunState.DONE
    assert sum(worker.items for worker in last.workers) == last.committed > 0


def words_and_numbers(outcomes: list[Outcome]) -> tuple[list[str], list[float]]:
    """All that they say, by item: what is no fraction, and what is."""
    text = "\n".join(map(repr, sorted(outcomes, key=lambda one: (one.key.episode, one.key.step))))
    pieces = re.split(r"(\d+\.\d+(?:e-\d+)?)", text)
    return pieces[::2], [float(one) for one in pieces[1::2]]


def test_a_model_of_numbers_gives_them_as_on_one_machine(in_file: Database, choice: ClusterChoice) -> None:
    """It computes other last digits in other batches, here as there; and its episodes go side by side in another way,
    since it hears what it asked before. What worked on a run is noted in it."""
    wanted: dict[str, Any] = {"task": Task.ASK, "model": "ask-timing", "limit": 4}
    alone = begun(in_file, None, **wanted)
    end(alone)
    run = begun(in_file, choice, **wanted)
    end(run)
    words, fractions = words_and_numbers(stored(in_file, run.run_id))
    words_here, fractions_here = words_and_numbers(stored(in_file, alone.run_id))
    assert words == words_here
    assert fractions == pytest.approx(fractions_here, abs=1e-5)
    by_cluster, here = numbers(in_file, run.run_id), numbers(in_file, alone.run_id)
    assert by_cluster.pop("metrics") == pytest.approx(here.pop("metrics"), abs=1e-5)
    assert by_cluster == here
    with in_file.reading() as db:
        there, at_home = runs.get(db, run.run_id), runs.get(db, alone.run_id)
    assert len(there.machines) == 1, "both nodes are this machine"
    assert there.machines == at_home.machines
    assert there.weights == at_home.weights != ""


@pytest.mark.usefixtures("a_row_a_share")
def test_a_killed_worker_costs_nothing(database: Database, choice: ClusterChoice) -> None:
    alone = begun(database, None, limit=MANY)
    end(alone)
    run = begun(database, choice, limit=MANY)
    killed = ""
    for place, update in enumerate(run.updates()):
        if place >= EARLY and not killed and update.workers:
            killed = update.workers[0].name
            os.kill(process_of(killed), signal.SIGKILL)
        last = update
    check_same(database, run, alone)
    assert [worker.name for worker in last.workers if worker.lost] == [killed]
    assert sum(not worker.lost for worker in last.workers) >= 1


@pytest.mark.usefixtures("a_row_a_share", "both_ready")
def test_a_node_that_goes_costs_nothing(in_file: Database, choice: ClusterChoice, two_nodes: Any) -> None:
    alone = begun(in_file, None, limit=MANY)
    end(alone)
    run = begun(in_file, choice, limit=MANY)
    updates = run.updates()
    for _ in range(EARLY):
        now = next(updates)
    processes = [os.pidfd_open(process_of(worker.name)) for worker in now.workers]
    with two_nodes.without_second():
        ended, _, _ = select.select(processes, [], [], PATIENCE)  # a worker outlives its node for a moment
        assert len(ended) == 1
        *_, last = updates
    for process in processes:
        os.close(process)
    check_same(in_file, run, alone)
    assert sum(worker.lost for worker in last.workers) == 1


@pytest.fixture
def killed(in_file: Database, choice: ClusterChoice) -> tuple[str, int]:
    """A run whose own process was killed in its midst, and how many items that process had said to be safe."""
    assert in_file.address is not None
    words = sys.executable, str(Path(__file__).with_name("killed_driver.py")), in_file.address, choice.address
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, env=environment, **pipes) as child:
        assert child.stdin is not None and child.stdout is not None
        try:
            run, committed = child.stdout.readline().strip(), 0
            while committed < EARLY:
                committed = int(child.stdout.readline())
                child.stdin.write("\n")
                child.stdin.flush()
        finally:
            child.kill()
    return run, committed


def test_a_killed_run_is_gone_on_with_and_nothing_is_there_twice(
    in_file: Database, choice: ClusterChoice, killed: tuple[str, int]
) -> None:
    run_id, committed = killed
    alone = begun(in_file, None, limit=MANY)
    end(alone)
    kept = len(stored(in_file, run_id))
    assert committed <= kept < numbers(in_file, alone.run_id)["n"]  # type: ignore[operator]
    again = resume(in_file, run_id, cluster=choice).run
    end(again)
    check_same(in_file, again, alone)


@pytest.mark.usefixtures("a_row_a_share")
def test_a_run_goes_on_where_it_was_stopped_here_or_there(in_file: Database, choice: ClusterChoice) -> None:
    alone = begun(in_file, None)
    end(alone)
    token = CancelToken()
    run = begun(in_file, choice, token)
    for place, _ in enumerate(run.updates()):
        if place == EARLY:
            token.cancel()
    with in_file.reading() as db:
        stopped = runs.get(db, run.run_id)
    assert stopped.state is RunState.CANCELLED
    assert 0 < stopped.done < numbers(in_file, alone.run_id)["n"]  # type: ignore[operator]
    token = CancelToken()
    again = resume(in_file, run.run_id, token).run
    for place, _ in enumerate(again.updates()):
        if place == EARLY // 2:
            token.cancel()
    end(resume(in_file, run.run_id, cluster=choice).run)
    check_same(in_file, run, alone)


@pytest.mark.usefixtures("a_row_a_share")
def test_a_paused_run_holds_still_and_goes_on(in_file: Database, choice: ClusterChoice) -> None:
    token = CancelToken()
    run = begun(in_file, choice, token)
    states = []
    for place, update in enumerate(run.updates()):
        if place == EARLY:
            token.pause()
        if update.state is RunState.PAUSED:
            token.resume()
        states.append(update.state)
    assert RunState.PAUSED in states
    assert states[-1] is RunState.DONE


@pytest.mark.parametrize("task", [Task.AUTOMATION, Task.ORDERING])
def test_data_that_machines_cannot_see_is_sent_to_them(in_file: Database, choice: ClusterChoice, task: Task) -> None:
    model = "noisy-copy" if task is Task.AUTOMATION else "random-order"
    alone = begun(in_file, None, task=task, model=model, limit=3)
    end(alone)
    run = begun(in_file, replace(choice, data="shipped"), task=task, model=model, limit=3)
    end(run)
    check_same(in_file, run, alone)


@pytest.mark.usefixtures("a_row_a_share")
def test_rows_over_which_workers_die_end_the_run_and_are_named(
    in_file: Database, choice: ClusterChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = workers.ClusterWorkers.give

    def deadly(self: workers.ClusterWorkers, place: int, share: Any) -> bool:
        if place == 3:
            alive = [pace for pace in self.paces() if not pace.lost]
            done = given(self, place, share)
            for pace in alive:
                os.kill(process_of(pace.name), signal.SIGKILL)
            return done
        return given(self, place, share)

    monkeypatch.setattr(workers.ClusterWorkers, "give", deadly)
    run = begun(in_file, choice)
    with pytest.raises(UserError, match=r"3 workers died over the same rows, from .* on"):
        end(run)
    with in_file.reading() as db:
        found = runs.get(db, run.run_id)
    assert found.state is RunState.FAILED and found.state.resumable
    assert "3 workers died" in found.message


def test_a_worker_that_nothing_can_hold_is_refused(in_file: Database, choice: ClusterChoice) -> None:
    run = begun(in_file, replace(choice, cpus=64.0))
    with pytest.raises(UsageError, match=r"No machine of the cluster has 64 cores for a worker\..*1 and 0; "):
        end(run)
    run = begun(in_file, replace(choice, gpus=0.5))
    with pytest.raises(UsageError, match=r"1 core and 0.5 GPUs"):
        end(run)


def test_what_no_cluster_can_do_is_refused_before_anything_is_stored(in_file: Database) -> None:
    with pytest.raises(UsageError, match="Web tasks and walks alone have pages and phones of their own here"):
        begun(in_file, ClusterChoice(), task=Task.ROLLOUT, model="reference")
    with pytest.raises(UserError, match=r"127\.0\.0\.1:1: The Ray cluster cannot be reached"):
        begun(in_file, ClusterChoice("127.0.0.1:1"))
    with in_file.reading() as db:
        assert not queries.run_list(db)


@pytest.fixture
def stopped_server(postgresql_servers: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """A server of this test alone, which may be stopped, and a store on it."""
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    with postgresql_servers() as server, server.database() as url, Database.open(url) as database:
        try:
            yield server, database
        finally:
            server.stop()  # whatever the test left
            server.start()


@pytest.mark.usefixtures("a_row_a_share")
def test_a_cluster_waits_for_a_store_that_is_away(stopped_server: Any, choice: ClusterChoice) -> None:
    server, database = stopped_server
    alone = begun(database, None, limit=MANY)
    end(alone)
    run = begun(database, choice, limit=MANY)
    run.batch_items = 4
    updates = run.updates()
    for update in updates:
        if update.committed >= EARLY:
            break
    server.stop()
    away = next(update for update in updates if update.away is not None)
    again = next(updates)
    assert again.away is not None and again.committed == away.committed
    server.start()
    *_, last = updates
    assert (last.state, last.away) == (RunState.DONE, None)
    check_same(database, run, alone)


def test_signals_stay_the_programs_own(choice: ClusterChoice) -> None:
    def own(_number: int, _frame: object) -> None:
        """Cancels the work."""

    before = signal.signal(signal.SIGTERM, own)
    try:
        with connected(choice):
            assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, before)
