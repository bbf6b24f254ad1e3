"""A model without weights through the engine, from files to the store: alone, and by two processes.

The set is generated: traces of five states, each with a picture and a view hierarchy of some 29 KB. There are so many
that a run takes ten seconds, the shortest that is shared among processes in truth. Time by the clock and of the
processor is that of all processes of the run, starting and ending them included.
"""

from __future__ import annotations

import json
import resource
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from stepscope.app.services.evaluation import EvaluationRequest, start
from stepscope.app.services.item_processes import ItemOrder, ItemProcesses
from stepscope.app.services.library import open_indexed
from stepscope.core.evaluation import runner
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from tests.benchmarks.figures import Tell
from tests.benchmarks.test_bench_folders import STATES, TASK, hierarchy, picture

TRACES = 1_300
ROUNDS = 3


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("motif") / "raw_data"
    jpeg, tree = picture(), hierarchy().encode()
    places = {f"view_{state}.jpg": [[0.1 * state, 0.5]] for state in range(STATES - 1)}
    metadata = json.dumps({"gestures": places | {f"view_{STATES - 1}.jpg": []}}).encode()
    for index in range(TRACES):
        folder = root / "com.example.app" / str(uuid.UUID(int=index + 1))
        for name, data in (("screens", jpeg), ("view_hierarchies", tree)):
            (folder / name).mkdir(parents=True)
            for state in range(STATES):
                (folder / name / f"view_{state}.jpg").write_bytes(data)
        (folder / "metadata.json").write_bytes(metadata)
        (folder / "trace_info.json").write_text(json.dumps(TASK | {"task_command": f"open row {index}"}))
    return root


@pytest.fixture
def begin(traces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], EvaluationRun]]:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    with Database.open(store_url(tmp_path / "store.db")) as database:
        *_, indexed = open_indexed(database, traces, CancelToken())

        def begin(processes: int) -> EvaluationRun:
            request = EvaluationRequest(model="text-match")
            run = start(database, indexed.source, indexed.source_id, request).run
            assert database.address is not None
            order = ItemOrder(database.address, run.run_id)
            run.evaluate = ItemProcesses(order, processes, look=0, worth=0) if processes else runner.evaluate
            return run

        yield begin


def processor_seconds() -> float:
    """Of this process and of all its children that have ended."""
    used: list[Any] = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measured(run: EvaluationRun) -> tuple[float, float, int]:
    """Seconds by the clock and of the processor, and the items."""
    clock, processor = time.perf_counter(), processor_seconds()
    items = sum(update.outcome is not None for update in run.updates())
    return time.perf_counter() - clock, processor_seconds() - processor, items


def test_two_processes_over_one(
    begin: Callable[[int], EvaluationRun], capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    measured(begin(0))
    shares, costs, each = [], [], []
    for _ in range(ROUNDS):
        (alone, own, items), (both, theirs, _) = measured(begin(0)), measured(begin(2))
        shares.append(alone / both / 2)
        costs.append(theirs / own)
        each.append(own / items * 1e3)
        with capsys.disabled():
            print(
                f"\ntext-match, {items:,} steps with trees of 29 KB: alone {alone / items * 1e3:.2f} ms an item, of the"
                f" processor {own / items * 1e3:.2f}; by two processes {both / items * 1e3:.2f} and"
                f" {theirs / items * 1e3:.2f}: {alone / both / 2:.2f} of two cores (budget 0.8)"
            )
        assert items
    figure("a weightless model by two processes, share of two cores", median(shares), budget=0.8, more=True)
    figure("a weightless model by two processes, processor time over one's", median(costs))
    figure("a weightless model with trees of 29 KB, an item", min(each), "ms of processor")
