"""The items of a run by several processes: the same outcomes in the same order, and a death that costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services import item_processes
from stepscope.app.services.evaluation import EvaluationRequest, run_parts, start
from stepscope.app.services.item_processes import AHEAD, ItemOrder, ItemProcesses, ItemShare, even_parts, fits
from stepscope.app.services.library import open_indexed
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.errors import UserError
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.process import children
from stepscope.core.process.children import Child
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.options import parse_options
from stepscope.core.settings import store_url
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.models import registry

Start = Callable[..., EvaluationRun]


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    with Database.open(store_url(tmp_path / "store.db")) as found:
        yield found


@pytest.fixture
def begin(database: Database) -> Start:
    """A new run over episodes of the sample."""
    *_, indexed = open_indexed(database, SAMPLE, CancelToken())

    def begin(limit: int, model: str = "noisy-copy") -> EvaluationRun:
        request = EvaluationRequest(model=model, limit=limit)
        return start(database, indexed.source, indexed.source_id, request).run

    return begin


def order_of(database: Database, run: EvaluationRun) -> ItemOrder:
    assert database.address is not None
    return ItemOrder(database.address, run.run_id)


def stored(database: Database, run: EvaluationRun) -> list[Outcome]:
    with database.reading() as db:
        return list(queries.items(db, run.run_id, limit=None).rows)


def end(run: EvaluationRun) -> None:
    for _ in run.updates():
        pass


class Dealt:
    """Stands in the place of a worker, and does its shares in this process."""

    most = 0

    def __init__(self, work: Callable[[ItemShare], list[Outcome]]) -> None:
        self._work, self._shares = work, list[ItemShare]()

    def give(self, share: ItemShare) -> None:
        self._shares.append(share)
        Dealt.most = max(Dealt.most, len(self._shares))

    def outcomes(self, token: CancelToken, waiting: Callable[[], None]) -> Iterator[Outcome]:
        yield from self._work(self._shares.pop(0))

    def close(self) -> None:
        self._shares.clear()


def test_shares_come_back_in_the_order_of_the_rows(
    database: Database, begin: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = begin(10)
    alone.evaluate = evaluate
    end(alone)
    run = begin(10)
    parts = run_parts(database, run.run_id)
    options = parse_options(parts.scorer.info, {})

    def work(share: ItemShare) -> list[Outcome]:
        return list(evaluate(parts.source, share.units, parts.predictor, parts.scorer, options, done=share.done))

    monkeypatch.setattr(item_processes, "SHARE_SECONDS", 0.0)  # an episode a share
    monkeypatch.setattr(item_processes, "_Worker", lambda _order: Dealt(work))
    ticks = iter(range(10_000))
    run.evaluate = ItemProcesses(order_of(database, run), 2, look=1, worth=1, clock=lambda: float(next(ticks)))
    end(run)
    assert stored(database, run) == stored(database, alone)
    assert 1 <= Dealt.most <= AHEAD


@given(count=st.integers(1, 300), size=st.integers(1, 64), hands=st.integers(1, 8))
def test_rows_are_dealt_out_so_that_all_end_together(count: int, size: int, hands: int) -> None:
    units = [str(place) for place in range(count)]
    parts = even_parts(units, size, hands)
    assert [unit for part in parts for unit in part] == units
    sizes = [len(part) for part in parts]
    assert min(sizes) > 0 and max(sizes) <= size and max(sizes) - min(sizes) <= 1
    work = [sum(sizes[hand::hands]) for hand in range(hands)]
    assert max(work) - min(work) <= -(-len(parts) // hands), "a row a round"
    assert len(parts) >= min(hands, count), "nobody is left without"


def test_a_hundred_rows_in_shares_of_thirty() -> None:
    assert [len(part) for part in even_parts(["row"] * 100, 30, 2)] == [25, 25, 25, 25]


def test_a_short_run_starts_no_process(database: Database, begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_processes, "_Worker", lambda _order: pytest.fail("a process was started"))
    run = begin(3)
    run.evaluate = ItemProcesses(order_of(database, run), 2, clock=lambda: 0.0)
    end(run)
    assert {outcome.key.episode for outcome in stored(database, run)} == set(run._episodes)


def test_processes_that_die_over_and_over_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "command", lambda _module: [sys.executable, "-c", "pass"])
    worker = item_processes._Worker(ItemOrder("", ""))
    worker.give(ItemShare(("e",), frozenset({ItemKey("e", 0)})))
    with pytest.raises(UserError, match="ended 3 times"):
        list(worker.outcomes(CancelToken(), lambda: None))
    worker.close()


def test_which_models_several_processes_can_have(database: Database, begin: Start) -> None:
    spec = begin(1).spec
    copy = registry.load("noisy-copy")
    assert fits(copy.info, copy, spec)
    assert not fits(replace(copy.info, runtime="onnx"), copy, spec)
    assert not fits(replace(copy.info, own_history=True), copy, spec)
    assert not fits(copy.info, copy, replace(spec, predictions="answers.jsonl"))
    assert not fits(copy.info, copy, replace(spec, task=Task.ROLLOUT))

    class Foreign:
        info = copy.info

    assert not fits(copy.info, Foreign(), spec)  # type: ignore[arg-type]


@pytest.mark.chain
def test_a_killed_process_costs_nothing(database: Database, begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Child] = []
    launch = children.launch

    def launched(*given: Any, **more: Any) -> Child:
        started.append(launch(*given, **more))
        return started[-1]

    monkeypatch.setattr(children, "launch", launched)
    monkeypatch.setattr(item_processes, "LARGEST_SHARE", 2)
    alone = begin(12)
    alone.evaluate = evaluate
    end(alone)
    run = begin(12)
    run.evaluate = ItemProcesses(order_of(database, run), 2, look=0, worth=0)
    for update in run.updates():
        if update.outcome is not None and update.progress.done == 12:
            started[0].kill()
    assert len(started) == 3
    assert stored(database, run) == stored(database, alone)
