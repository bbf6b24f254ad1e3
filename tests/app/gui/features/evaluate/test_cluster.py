"""An evaluation by a Ray cluster, begun in the window: the numbers of this machine, and its workers live."""

from __future__ import annotations

import pytest

from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.evaluation import EvaluationRequest, start
from stepscope.app.services.library import open_indexed
from stepscope.app.services.presets import load_presets
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunState
from stepscope.core.evaluation.summaries import summary
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database

pytestmark = pytest.mark.xdist_group("ray")


def fill(person, address: str, workers: int = 0) -> None:
    """Choose noisy-copy and a cluster in the form."""
    person.choose("evaluate.automation")
    person.bench.evaluate.show_form(model="noisy-copy", protocol="aitw")
    fields = person.window.evaluate.fields
    fields.where.setCurrentIndex(fields.where.findData("cluster"))
    fields.address.setText(address)
    fields.workers.setValue(workers)
    person.settle()


def test_a_run_goes_to_the_cluster_and_its_workers_are_seen(
    open_window, shop, two_nodes, tmp_path, monkeypatch
) -> None:
    with Database.open(store_url(tmp_path / "alone.db")) as database:
        *_, index = open_indexed(database, shop, CancelToken())
        prepared = start(database, index.source, index.source_id, EvaluationRequest("aitw", "noisy-copy"))
        list(prepared.run.updates())
        alone = summary(database, prepared.run.run_id)
    person = open_window(shop, worker=True)
    fill(person, two_nodes.address, 2)
    assert f"--cluster {two_nodes.address} --cluster-workers 2" in person.window.evaluate.command()
    seen, told = [], person.bench.results.set_progress

    def listen(run, progress, metrics=None, workers=()) -> None:
        told(run, progress, metrics, workers)
        row = next(row for row in person.bench.results.rows() if row.id == run)
        seen.append((row.state, row.workers, workers))

    monkeypatch.setattr(person.bench.results, "set_progress", listen)
    person.window.evaluate.run()
    person.until(lambda: person.bench.results.run_ids, "the run in the list")
    (run,) = person.bench.results.run_ids
    person.until(lambda: person.state_of(run) is RunState.DONE, "the end of the run")
    person.settle()
    found = summary(person.bench.context.database, run)
    assert {**found, "run": ""} == {**alone, "run": ""}
    last = seen[-1][2]
    assert sum(pace.items for pace in last) == found["n"]
    assert all(row == workers for state, row, workers in seen if state is RunState.RUNNING)
    kept = load_presets().last[Task.AUTOMATION]
    assert (kept.cluster, kept.workers) == (two_nodes.address, 2)


def test_where_nobody_answers_nothing_is_queued(open_window, shop) -> None:
    person = open_window(shop)
    fill(person, "127.0.0.1:1")
    person.window.evaluate.run()
    person.until(lambda: person.told, "the message")
    assert "127.0.0.1:1: The Ray cluster cannot be reached" in person.told[0]
    assert not person.bench.results.run_ids


def test_a_stopped_run_is_resumed_where_it_was_begun(open_window, shop) -> None:
    """The job that goes to the process for evaluations names the cluster, the first time and the second."""
    person = open_window(shop)
    jobs = []

    def work(_database, job, _token):
        jobs.append(job.cluster)
        yield from ()

    person.bench.evaluate.work = work
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr("stepscope.app.services.cluster.connection.check_there", lambda _choice: None)
        fill(person, "cluster.example:6379")
        person.window.evaluate.run()
        person.until(lambda: jobs, "the run at work")
        person.settle()
    (run,) = person.bench.results.run_ids
    person.bench.evaluate.resume(run)
    person.until(lambda: len(jobs) == 2, "the run at work again")
    assert jobs == [ClusterChoice("cluster.example:6379")] * 2
