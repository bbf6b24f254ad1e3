"""A run by a Ray cluster of two nodes of one core each, from files to the store, over the same run in one process; what
an item costs on its way; and how many outcomes a second the one process that stores them keeps up with, on a file and
on PostgreSQL.

The set is that of `test_bench_engine`. Starting the cluster counts nowhere; connecting to it and loading the model in
its workers count in the whole run, and not in the rate, which is that from the first outcome to the last.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.cluster.items import COMMITTED_AT_ONCE
from stepscope.app.services.evaluation import EvaluationRequest, start
from stepscope.app.services.library import open_indexed
from stepscope.core.domain.run import Outcome
from stepscope.core.evaluation import runner
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from tests import postgresql
from tests.benchmarks.figures import Tell
from tests.benchmarks.test_bench_engine import traces  # noqa: F401 - a fixture
from tests.ray_nodes import TwoNodes, two_nodes

pytest.importorskip("ray")

ROUNDS = 3
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}

Begin = Callable[[ClusterChoice | None], EvaluationRun]


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoNodes]:
    with two_nodes(tmp_path_factory.mktemp("ray-home")) as made:
        yield made


@pytest.fixture(params=["file", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    if request.param == "file":
        yield store_url(tmp_path / "store.db")
        return
    if why := postgresql.missing():
        pytest.skip(why)
    monkeypatch.setattr(postgresql, "SETTINGS", postgresql.SETTINGS | DURABLE)
    with postgresql.server() as server, server.database() as url:
        yield url


@pytest.fixture
def begin(store: str, traces: Path) -> Iterator[Begin]:  # noqa: F811 - the fixture
    with Database.open(store) as database:
        *_, indexed = open_indexed(database, traces, CancelToken())

        def begin(cluster: ClusterChoice | None) -> EvaluationRun:
            request = EvaluationRequest(model="text-match")
            run = start(database, indexed.source, indexed.source_id, request, cluster=cluster).run
            if cluster is None:
                run.evaluate = runner.evaluate
            return run

        yield begin


def measured(run: EvaluationRun) -> tuple[float, float, list[Outcome]]:
    """Seconds of the whole run, items a second from the first outcome to the last, and the outcomes."""
    begun, first, found = time.perf_counter(), 0.0, []
    for update in run.updates():
        if update.outcome is not None:
            first = first or time.perf_counter()
            found.append(update.outcome)
    ended = time.perf_counter()
    return ended - begun, len(found) / (ended - first), found


@pytest.mark.parametrize("store", ["file"], indirect=True)
def test_a_cluster_over_one_process(
    begin: Begin, nodes: TwoNodes, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    measured(begin(None))
    shares, extras, starts = [], [], []
    for _ in range(ROUNDS):
        whole, alone, found = measured(begin(None))
        whole_by_one, by_one, _ = measured(begin(ClusterChoice(nodes.address, workers=1)))
        whole_by_two, by_two, same = measured(begin(ClusterChoice(nodes.address, workers=2)))
        assert [one.score for one in same] == [one.score for one in found]
        shares.append(by_two / alone / 2)
        extras.append((2 / by_two - 1 / alone) * 1e3)
        starts.append(whole_by_one - len(found) / by_one)
        with capsys.disabled():
            print(
                f"\n{len(found):,} steps with trees of 29 KB: alone {alone:,.0f} a second ({whole:.1f} s); one worker"
                f" {by_one:,.0f} ({whole_by_one:.1f} s), two {by_two:,.0f} ({whole_by_two:.1f} s):"
                f" {by_two / alone / 2:.2f} of two cores; {extras[-1]:.2f} ms of a core more an item;"
                f" {starts[-1]:.1f} s until the first"
            )
    figure("a weightless model by two workers of a cluster, share of two cores", median(shares), more=True)
    figure("what an item costs more by a cluster", median(extras), "ms of a core")
    figure("a cluster's start until the first item", median(starts), "s")


def test_the_most_that_one_process_stores(
    begin: Begin, store: str, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    """Outcomes that are there already go to the store as they would from any number of workers."""
    _, _, found = measured(begin(None))
    rates = []
    for _ in range(ROUNDS):
        run = begin(None)

        def ready(*_given: Any, **_more: Any) -> Iterator[Outcome]:
            yield from found

        run.evaluate, run.batch_items = ready, COMMITTED_AT_ONCE
        _, rate, _ = measured(run)
        rates.append(rate)
    where = "PostgreSQL" if store.startswith("postgresql") else "a file"
    with capsys.disabled():
        print(f"\n{where}: {median(rates):,.0f} outcomes a second ({min(rates):,.0f} to {max(rates):,.0f})")
    figure(f"outcomes that one process stores in {where}", median(rates), "a second", more=True)
