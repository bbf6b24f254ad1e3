"""What works on a machine of the cluster: it begins with the run's own data and version only, and raises nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.cluster.messages import (
    ClusterOrder,
    ClusterShare,
    DataNotHere,
    ShareResult,
    WorkerReady,
)
from stepscope.app.services.cluster.share_worker import ShareWorker
from stepscope.app.services.cluster.shipping import ship
from stepscope.app.services.item_processes import ItemShare
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.verified_index_source import IndexExcerpt
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.errors import UserError
from stepscope.core.sources.registry import open_source
from stepscope.core.store.fingerprint import fingerprint

FORMAT = open_source(SAMPLE).format


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two of the sample's episodes."""
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    place = tmp_path / "set"
    place.mkdir()
    for episode in sorted(one for one in SAMPLE.iterdir() if one.is_dir())[:2]:
        shutil.copytree(episode, place / episode.name)
    return place


@pytest.fixture
def order(data: Path) -> Callable[..., ClusterOrder]:
    def order(**wanted: Any) -> ClusterOrder:
        source = open_source(data)
        spec = RunSpec(Task.AUTOMATION, "noisy-copy", str(data), source.format, "motif", device="auto")
        return replace(ClusterOrder(spec, "auto", fingerprint(data)), **wanted)

    return order


def episodes(data: Path) -> tuple[str, ...]:
    return tuple(one.id for one in open_source(data).scan() if hasattr(one, "id"))


def test_it_begins_where_the_data_lies(order: Callable[..., ClusterOrder], data: Path) -> None:
    worker = ShareWorker(order())
    ready = worker.begin()
    assert isinstance(ready, WorkerReady)
    assert ready.weights == ""
    done = worker.work(ClusterShare(ItemShare(episodes(data)), IndexExcerpt({}, "")))
    assert isinstance(done, ShareResult)
    assert {outcome.key.episode for outcome in done.outcomes} == set(episodes(data))
    assert done.seconds > 0


@pytest.mark.parametrize("change", ["gone", "other"])
def test_data_that_is_not_here_or_other_is_asked_for(
    order: Callable[..., ClusterOrder], data: Path, tmp_path: Path, change: str
) -> None:
    wanted = order()
    pieces: list[bytes] = []
    shipped = ship(data, lambda piece: pieces.append(piece) or len(pieces) - 1)  # type: ignore[func-returns-value]
    names = episodes(data)
    if change == "gone":
        data.rename(tmp_path / "elsewhere")
    else:
        (data / "more").mkdir()
    worker = ShareWorker(wanted)
    assert isinstance(worker.begin(), DataNotHere)
    assert isinstance(worker.begin(shipped, pieces.__getitem__), WorkerReady)
    done = worker.work(ClusterShare(ItemShare(names), None))
    assert isinstance(done, ShareResult)
    assert {outcome.key.episode for outcome in done.outcomes} == set(names)
    assert not any("cannot be read" in outcome.score.why for outcome in done.outcomes)


def test_data_that_is_to_be_sent_is_not_looked_for(order: Callable[..., ClusterOrder]) -> None:
    assert isinstance(ShareWorker(order(way="shipped")).begin(), DataNotHere)


def test_another_version_of_the_program_is_refused(order: Callable[..., ClusterOrder]) -> None:
    told = ShareWorker(order(version="0.0.1")).begin()
    assert isinstance(told, UserError)
    assert "0.0.1 where the run was begun" in str(told)
    assert "same version on every machine" in str(told)


def test_whatever_a_model_raises_is_told(order: Callable[..., ClusterOrder]) -> None:
    wanted = order()
    told = ShareWorker(replace(wanted, spec=replace(wanted.spec, model="no-such"))).begin()
    assert type(told) is UserError, "the other side may lack a package's own class"
    assert "no-such" in str(told)
