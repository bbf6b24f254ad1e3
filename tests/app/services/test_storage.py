"""What is kept on the disk is counted, caches alone are cleaned, and every machine that is sent to is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.app.services.storage import CACHES, clean, destinations, stored_parts
from stepscope.core.errors import UserError
from stepscope.core.settings import store_url, user_cache_dir, user_data_dir
from stepscope.models.chat import servers


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    return tmp_path


def put(path: Path, size: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    return path


def test_parts_are_counted_with_what_lies_beside_them(home: Path) -> None:
    store = put(home / "store.db", 1000)
    put(home / "store.db-wal", 50)
    put(home / "store.db-columns" / "source-1-a-b.arrow", 4)
    put(user_data_dir() / "models" / "mine" / "weights.onnx", 700)
    put(user_cache_dir() / "predictions.db", 20)
    put(user_cache_dir() / "predictions.db-wal", 5)
    put(user_cache_dir() / "mobilenet_v2-abc.onnx", 9)
    found = {part.name: part.bytes for part in stored_parts(store_url(store))}
    assert found == {
        "store": 1054, "models": 700, "recordings": 0, "pages": 0, "logs": 0, "predictions.db": 25, "other": 9
    }  # fmt: skip


def test_a_link_out_of_a_cache_is_taken_away_and_what_it_leads_to_stays(home: Path) -> None:
    outside = put(home / "mine" / "picture.png", 400)
    folder = user_cache_dir() / "unpacked"
    folder.mkdir(parents=True)
    (folder / "link").symlink_to(outside.parent)
    put(folder / "a.png", 30)
    assert {part.name: part.bytes for part in stored_parts("sqlite:///x.db") if part.can_clean} == {"unpacked": 30}
    assert clean("unpacked") == 30
    assert not folder.exists() and outside.exists()


@pytest.mark.parametrize("name", [*CACHES, "other"])
def test_each_cache_is_cleaned_alone(name: str) -> None:
    kept = [put(user_cache_dir() / (one if one != "other" else "some.onnx"), 3) for one in (*CACHES, "other")]
    assert clean(name) == 3
    assert [path for path in kept if not path.exists()] == [
        user_cache_dir() / ("some.onnx" if name == "other" else name)
    ]


def test_what_is_no_cache_is_never_deleted(home: Path) -> None:
    kept = put(user_data_dir() / "models" / "weights.onnx", 3)
    for name in ("models", "store", "../data/models", ""):
        with pytest.raises(UserError, match="no cache"):
            clean(name)
    assert kept.exists()


def test_every_machine_that_is_sent_to_is_named() -> None:
    assert destinations("sqlite:///x.db") == []
    servers.add(servers.ChatServer("lab", "https://models.example.org:8443/v1"))
    servers.add(servers.ChatServer("own", "http://127.0.0.1:8000/v1"))
    found = destinations("postgresql://me@store.example.org/runs", ["10.0.0.9:5555"])
    assert [(one.host, one.is_here) for one in found] == [
        ("store.example.org", False), ("models.example.org", False), ("127.0.0.1", True), ("10.0.0.9:5555", False)
    ]  # fmt: skip
