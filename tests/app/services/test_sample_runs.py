"""The runs that come with the sample: made by this program, entered once, and gone for good when they are deleted."""

from __future__ import annotations

import gzip
import importlib.util
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from types import ModuleType

import pytest

from stepscope.app.services import sample_runs
from stepscope.app.services.provenance import SAMPLE, is_shipped
from stepscope.app.services.sample_runs import EPISODE, STEP, enter_shipped_runs, shipped_outcomes, shipped_runs
from stepscope.core.domain.run import ItemKey, RunState
from stepscope.core.evaluation.bundle import read_bundle, write_bundle
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import run_list
from stepscope.core.store.repositories import runs

READ = "stepscope.core.evaluation.bundle.read_bundle"
MAKER = Path(__file__).parents[3] / "packaging" / "make-sample-runs.py"


@pytest.fixture
def maker() -> ModuleType:
    """The script that makes the runs."""
    spec = importlib.util.spec_from_file_location("make_sample_runs", MAKER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


def ids_in(database: Database) -> set[str]:
    with database.reading() as db:
        return {counts.run.id for counts in run_list(db)}


def test_evaluating_again_gives_the_same_answers_and_verdicts(maker: ModuleType, tmp_path: Path) -> None:
    made = maker.make(tmp_path)
    assert [maker.differences(run.bundle, path) for run, path in zip(shipped_runs(), made, strict=True)] == [[], []]
    with gzip.open(made[0], "rt") as file:
        assert str(SAMPLE.parent) not in file.read(), "nothing of the machine on which it was made"


def test_a_changed_verdict_is_told(maker: ModuleType, tmp_path: Path) -> None:
    run, other = shipped_runs()
    told = maker.differences(run.bundle, shutil.copy(other.bundle, tmp_path / "text-match.bundle"))
    assert f"text-match: {EPISODE}, step {STEP} differs" in told


def test_the_first_is_right_and_the_other_wrong_where_the_sample_opens() -> None:
    verdicts = {
        run.model: next(one.score.right for one in answers if one.key == ItemKey(EPISODE, STEP))
        for run, answers in shipped_outcomes()
    }
    assert verdicts == {"text-match": True, "nearest-element": False}


def test_a_store_is_given_them_once(store: Path) -> None:
    with Database.open(store_url(store)) as database:
        assert ids_in(database) == set(), "a new store has no runs"
        first, second = enter_shipped_runs(database)
        assert enter_shipped_runs(database) == (first, second)
        with database.reading() as db:
            found = [counts.run for counts in run_list(db)]
        assert len(found) == 2 and all(is_shipped(run) and run.state is RunState.DONE for run in found)
        assert {run.spec.source for run in found} == {str(SAMPLE)} and {run.done for run in found} == {260}
        with database.unit_of_work() as db:
            runs.remove(db, first)
        assert enter_shipped_runs(database) == (second,)
    with Database.open(store_url(store)) as database:
        assert enter_shipped_runs(database) == (second,), "who deleted one does not get it back"


def test_programs_that_start_side_by_side_enter_them_once(store: Path) -> None:
    Database.open(store_url(store)).close()
    together = Barrier(4)

    def start(_number: int) -> tuple[str, ...]:
        with Database.open(store_url(store)) as database:
            together.wait()
            return enter_shipped_runs(database)

    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(start, range(4)))
    with Database.open(store_url(store)) as database:
        assert found == {tuple(run.id for run in shipped_runs())} and len(ids_in(database)) == 2


def test_one_that_was_deleted_meanwhile_does_not_come_back(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that looked before another had entered a run, and writes after somebody deleted it there."""
    run = shipped_runs()[0]
    with Database.open(store_url(store)) as database, Database.open(store_url(store)) as other:
        real = read_bundle

        def late(*arguments: object, **more: object) -> object:
            monkeypatch.setattr(READ, real)
            enter_shipped_runs(other)
            with other.unit_of_work() as db:
                runs.remove(db, run.id)
            return real(*arguments, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(READ, late)
        assert enter_shipped_runs(database) == (shipped_runs()[1].id,)


def test_what_another_installation_has_is_not_this_ones(tmp_path: Path) -> None:
    here, there = shipped_runs()[0], shipped_runs(tmp_path / "episodes")[0]
    assert here.id != there.id


def test_a_copy_in_another_store_is_a_run_like_any_other(store: Path, tmp_path: Path) -> None:
    with Database.open(store_url(store)) as database:
        first, _ = enter_shipped_runs(database)
        path = tmp_path / "copy.bundle"
        with path.open("wb") as stream:
            list(write_bundle(database, first, stream))
        copied = list(read_bundle(database, path, run_id="abcdef"))[-1]
        with database.reading() as db:
            assert copied.result == "imported" and not is_shipped(runs.get(db, "abcdef"))
    with gzip.open(path) as file:
        assert json.loads(file.readline())["run"]["note"] == sample_runs.REMARK
