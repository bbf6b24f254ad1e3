"""Data on its way to machines that cannot see it: whole, once, and nothing from outside of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services.cluster import shipping
from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.cluster.shipping import ShippedData, not_shared, ship, unpack, way_of
from stepscope.app.services.provenance import SAMPLE
from stepscope.core import limits
from stepscope.core.errors import SourceError
from stepscope.core.sources.registry import open_source


class Stored:
    """An object store: references are places in a list. Counts what is fetched."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.fetched = 0

    def put(self, piece: bytes) -> int:
        self.pieces.append(piece)
        return len(self.pieces) - 1

    def get(self, place: int) -> bytes:
        self.fetched += 1
        return self.pieces[place]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def usual_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(limits.VARIABLE, "")
    yield
    limits.choose({})


def tree(path: Path) -> dict[str, bytes | None]:
    """All that lies there, folders as None."""
    if path.is_file():
        return {"": path.read_bytes()}
    entries = sorted(path.rglob("*"))
    return {str(one.relative_to(path)): None if one.is_dir() else one.read_bytes() for one in entries}


names = st.text("abcäö .-_", min_size=1, max_size=6).filter(lambda name: name.strip(" .") == name)


@given(files=st.dictionaries(st.lists(names, min_size=1, max_size=3).map(tuple), st.binary(max_size=300), max_size=6))
def test_a_folder_comes_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, files: dict[tuple[str, ...], bytes]
) -> None:
    data = tmp_path_factory.mktemp("data") / "set"
    data.mkdir()
    for parts, content in files.items():
        place = data.joinpath(*parts)
        if any(parent.is_file() for parent in place.parents) or place.is_dir():
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    stored = Stored()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shipping, "PIECE_BYTES", 64)
        there = unpack(ship(data, stored.put), stored.get)
    assert there.name == "set"
    assert tree(there) == tree(data)


def test_a_file_comes_alone_with_its_time(tmp_path: Path) -> None:
    file = tmp_path / "episodes.jsonl"
    file.write_bytes(b"{}\n" * 100)
    os.utime(file, (1_000, 1_234))
    stored = Stored()
    there = unpack(ship(file, stored.put), stored.get)
    assert (there.name, there.read_bytes(), there.stat().st_mtime) == (file.name, file.read_bytes(), 1_234)


def test_what_is_there_is_not_fetched_again_and_other_content_has_a_place_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("1")
    stored = Stored()
    first = unpack(ship(file, stored.put), stored.get)
    assert unpack(ship(file, stored.put), stored.get) == first
    assert stored.fetched == 1
    file.write_text("2")
    other = unpack(ship(file, stored.put), stored.get)
    assert other != first
    assert (first.read_text(), other.read_text()) == ("1", "2")


def test_links_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of somebody else")
    data = tmp_path / "set"
    data.mkdir()
    (data / "a").write_text("a")
    (data / "link").symlink_to(secret)
    (data / "up").symlink_to(tmp_path, target_is_directory=True)
    stored = Stored()
    assert tree(unpack(ship(data, stored.put), stored.get)) == {"a": b"a"}
    assert b"of somebody else" not in stored.pieces


@pytest.mark.usefixtures("usual_limits")
def test_data_larger_than_the_limit_is_refused_before_more_is_sent(tmp_path: Path) -> None:
    limits.choose({shipping.LIMIT: 10})
    data = tmp_path / "set"
    data.mkdir()
    (data / "a").write_bytes(b"12345678")
    (data / "b").write_bytes(b"123")
    stored = Stored()
    with pytest.raises(SourceError, match=r"larger than the 10 bytes that are sent around.*--limit-cluster-data-bytes"):
        ship(data, stored.put)
    assert stored.pieces == [b"12345678"]


@pytest.mark.usefixtures("usual_limits")
def test_what_was_used_long_ago_makes_room(tmp_path: Path, home: Path) -> None:
    limits.choose({shipping.LIMIT: 25})
    stored = Stored()

    def there(name: str) -> tuple[Path, ShippedData]:
        file = tmp_path / name
        file.write_bytes(name.encode() * 10)
        shipped = ship(file, stored.put)
        return unpack(shipped, stored.get), shipped

    old, _ = there("a")
    os.utime(old.parent, (0, 0))
    new, _ = there("b")
    assert old.exists()
    newest, _ = there("c")
    assert not old.exists()
    assert new.exists() and newest.exists()
    last, _ = there("d")
    assert all(one.exists() for one in (new, newest, last)), "what is in use stays, limit or not"
    assert not list((home / "cache" / shipping.FOLDER).glob("fetching-*"))


def test_a_broken_way_leaves_nothing_half(tmp_path: Path, home: Path) -> None:
    file = tmp_path / "a"
    file.write_text("a")
    shipped = ship(file, Stored().put)

    def gone(_place: int) -> bytes:
        raise ConnectionError("the store is gone")

    with pytest.raises(ConnectionError):
        unpack(shipped, gone)
    assert list((home / "cache" / shipping.FOLDER).iterdir()) == []


class Recordings:
    """What is asked of a source here; its path is not the sample's."""

    format = "recording"

    def __init__(self, path: Path) -> None:
        self.path = path


def test_recordings_of_people_are_sent_only_where_that_was_said(tmp_path: Path) -> None:
    recorded: Any = Recordings(tmp_path)
    assert way_of(ClusterChoice(), recorded) == "shared"
    assert way_of(ClusterChoice(data="shipped"), recorded) == "shipped"
    assert way_of(ClusterChoice(), open_source(SAMPLE)) == "auto", "nobody is in it"
    told = str(not_shared(tmp_path, "machine2", ClusterChoice()))
    assert (
        "not at this place on machine2" in told and "people's recordings" in told and "--cluster-data shipped" in told
    )
    assert "people's recordings" not in str(not_shared(tmp_path, "machine2", ClusterChoice(data="shared")))
