"""Names out of data stay inside the data's folder, and files that cannot be read say why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import SourceError
from stepscope.core.sources.files import is_empty, natural_key, parse_json, read_bytes, read_json, safe_join, text_of
from stepscope.core.sources.look import list_folder


@pytest.mark.parametrize(
    "name",
    ["", "..", "../x", "a/../../x", "/etc/passwd", "\\\\host\\share", "C:\\x", "c:/x", "a\\..\\..\\b", "~/x", "a\0b"],
)
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError):
        safe_join(tmp_path, name)


def test_names_inside_are_joined(tmp_path: Path) -> None:
    assert safe_join(tmp_path, "screens/0.png") == tmp_path / "screens" / "0.png"
    assert safe_join(tmp_path, "..hidden") == tmp_path / "..hidden"


def test_links_may_point_inside_and_not_outside(tmp_path: Path) -> None:
    root = tmp_path / "data"
    root.mkdir()
    (tmp_path / "secret").write_text("x")
    (root / "real").write_text("x")
    (root / "inside").symlink_to(root / "real")
    (root / "outside").symlink_to(tmp_path / "secret")
    (root / "up").symlink_to(tmp_path)
    (root / "circle").symlink_to(root / "circle")
    assert safe_join(root, "inside") == root / "inside"
    for name in ("outside", "up/secret", "circle"):
        with pytest.raises(SourceError):
            safe_join(root, name)


def test_a_linked_root_is_the_root(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert safe_join(tmp_path / "link", "x") == tmp_path / "link" / "x"


@given(name=st.text(max_size=40))
def test_any_name_joins_inside_or_is_refused(tmp_path: Path, name: str) -> None:
    root = tmp_path
    try:
        path = safe_join(root, name)
    except SourceError:
        return
    assert path.resolve().is_relative_to(root.resolve())


def test_a_name_too_long_for_a_file_is_a_source_error(tmp_path: Path) -> None:
    try:
        path = safe_join(tmp_path, "x" * 5000)
    except SourceError:
        return
    with pytest.raises(SourceError):
        read_bytes(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"{", "broken JSON at line 1"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5000, "too long"),
        (b"version https://git-lfs.github.com/spec/v1\n", "git-lfs pointer"),
    ],
)
def test_json_that_cannot_be_read_says_why(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=message) as caught:
        read_json(path)
    assert caught.value.place == str(path)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\xef\xbb\xbf[1]")
    assert read_json(path) == [1]


def test_text_that_no_file_can_hold_is_replaced() -> None:
    assert text_of(parse_json('"a\\ud800b"')) == "a�b"
    assert text_of(None) == text_of(3) == ""


def test_natural_order() -> None:
    assert sorted(["trace_10", "trace_2", "10", "9", "a"], key=natural_key) == ["9", "10", "a", "trace_2", "trace_10"]


def test_the_blobs_of_a_hub_cache_are_inside(tmp_path: Path) -> None:
    """datasets--x/snapshots/REVISION/file is a link to datasets--x/blobs/HASH; nothing else beside it is inside."""
    snapshot, blobs = tmp_path / "x" / "snapshots" / "r" / "data", tmp_path / "x" / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    for name, target in (("in", blobs / "1"), ("out", tmp_path / "x" / "refs")):
        target.write_text("{}")
        (snapshot / name).symlink_to(target)
    assert safe_join(snapshot, "in") == snapshot / "in"
    with pytest.raises(SourceError, match="a link that leads out"):
        safe_join(snapshot, "out")
    listing = list_folder(snapshot)
    assert listing.files == {"in"} and listing.barred == {"out": "a link that leads out of the data's folder"}


def test_links_within_what_was_opened_are_listed(tmp_path: Path) -> None:
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
    (tmp_path / "b" / "file").write_text("x")
    (tmp_path / "a" / "file").symlink_to(tmp_path / "b" / "file")
    (tmp_path / "a" / "folder").symlink_to(tmp_path / "b")
    (tmp_path / "a" / "lost").symlink_to(tmp_path / "none")
    inside = list_folder(tmp_path / "a", root=tmp_path)
    assert (inside.files, inside.links, inside.barred) == ({"file", "lost"}, {"folder"}, {})
    alone = list_folder(tmp_path / "a")
    assert (alone.files, alone.links, set(alone.barred)) == (set(), set(), {"file", "folder", "lost"})


def test_a_pipe_beside_empty_files_is_no_empty_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "empty.jsonl").touch()
    assert is_empty(tmp_path / "empty.jsonl") and not is_empty(tmp_path / "pipe.jsonl")
