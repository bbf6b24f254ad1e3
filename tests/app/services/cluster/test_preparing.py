"""Data made ready by a cluster: the index and the vectors of one machine, whatever dies on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.app.services import library
from stepscope.app.services.cluster import preparing
from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.cluster.connection import Cluster, connected
from stepscope.app.services.cluster.preparing import Encoders, FreshVectors
from stepscope.app.services.library import IndexProgress, places_of
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.filter_parser import parse
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.filter_search import find
from stepscope.core.store.queries import episodes
from stepscope.models.features.cache import FeatureCache

pytestmark = pytest.mark.xdist_group("ray")


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[list[Database]]:
    """Two that are empty."""
    with Database.open(store_url(tmp_path / "a.db")) as first, Database.open(store_url(tmp_path / "b.db")) as second:
        yield [first, second]


@pytest.fixture
def cluster(choice: ClusterChoice) -> Iterator[Cluster]:
    with connected(choice) as made:
        yield made


def opened(database: Database) -> IndexProgress:
    *_, indexed = library.open_indexed(database, SAMPLE, CancelToken())
    assert isinstance(indexed, IndexProgress)
    return indexed


def said(database: Database, source_id: int) -> tuple[Any, ...]:
    """What an index has, and what a filter over steps finds in it."""
    ids = [place.id for place in places_of(database, source_id)]
    with database.reading() as db:
        return episodes(db, source_id, ids), find(db, source_id, parse("action:type")).ids


def test_a_cluster_makes_the_index_of_one_machine(
    stores: list[Database], cluster: Cluster, choice: ClusterChoice, two_nodes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though a node goes on the way."""
    here, there = map(opened, stores)
    list(library.check_indexed(stores[0], here.source_id, here.source, CancelToken()))
    monkeypatch.setattr(preparing, "READ_AT_ONCE", 1)
    read = partial(preparing.read_whole, cluster, choice)
    checks = library.check_indexed(stores[1], there.source_id, there.source, CancelToken(), read)
    next(checks)
    with two_nodes.without_second():
        *_, last = checks
    assert last.progress.done == last.progress.total == len(places_of(stores[0], here.source_id))
    assert said(stores[1], there.source_id) == said(stores[0], here.source_id)
    assert print.__module__ == "builtins", "Ray Data leaves Python's own in its place"


def test_an_index_that_was_stopped_is_gone_on_with(
    stores: list[Database], cluster: Cluster, choice: ClusterChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, token = stores[0], CancelToken()
    monkeypatch.setattr(preparing, "READ_AT_ONCE", 4)
    monkeypatch.setattr(library, "COUNT_SECONDS", 0.0)
    indexed = opened(database)
    read = partial(preparing.read_whole, cluster, choice)
    done = 0
    for checked in library.check_indexed(database, indexed.source_id, indexed.source, token, read):
        done = checked.progress.done
        token.cancel()
    assert done == 4
    *_, last = library.check_indexed(database, indexed.source_id, indexed.source, CancelToken())
    assert last.progress.total == len(places_of(database, indexed.source_id)) - 4


def test_a_cluster_makes_the_vectors_of_one_machine(
    stores: list[Database], cluster: Cluster, choice: ClusterChoice, tmp_path: Path
) -> None:
    indexed = opened(stores[0])
    wanted, encoders = places_of(stores[0], indexed.source_id)[:3], Encoders()
    kept = FeatureCache(tmp_path / "vectors.db")
    here = dict[bytes, Any]()
    for _, made in preparing.vectors_here(indexed.source, wanted, encoders, kept, CancelToken()):
        kept.put(made)
        here |= made
    there, done = dict[bytes, Any](), 0
    shipped = replace(choice, data="shipped")
    for count, made in preparing.vectors_there(indexed.source, wanted, encoders, cluster, shipped, CancelToken()):
        there |= made
        done += count
    assert done == 3
    assert there.keys() == here.keys() and here
    assert all(np.allclose(there[key], here[key], atol=1e-6) for key in here)
    again = preparing.vectors_here(indexed.source, wanted, encoders, kept, CancelToken())
    assert [made for _, made in again] == [{}], "they are kept"
    kept.close()


def test_data_that_is_to_be_shared_and_is_not_is_told(
    stores: list[Database], cluster: Cluster, choice: ClusterChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed = opened(stores[0])
    monkeypatch.setattr(preparing, "fingerprint", lambda _path: "of other files")
    work = preparing.read_whole(cluster, replace(choice, data="shared"), indexed.source, [], CancelToken())
    with pytest.raises(UserError, match="not at this place on each machine, or other than here"):
        next(work)


def test_vectors_on_their_way_are_told_once(tmp_path: Path) -> None:
    kept = FeatureCache(tmp_path / "vectors.db")
    one = np.ones(3, np.float32)
    kept.put({b"old": one})
    fresh = FreshVectors(kept)
    fresh.put({b"new": 2 * one})
    assert fresh.has(b"old") and fresh.has(b"new") and not fresh.has(b"none")
    assert {key: list(value) for key, value in fresh.get([b"old", b"new", b"none"]).items()} == {
        b"old": [1.0, 1.0, 1.0], b"new": [2.0, 2.0, 2.0],
    }  # fmt: skip
    assert list(fresh.take()) == [b"new"]
    fresh.put({b"new": 2 * one})
    assert fresh.take() == {}
    assert not kept.has(b"new"), "who asked keeps it"
    kept.close()
