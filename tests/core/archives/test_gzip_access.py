"""Any place of a gzip file is reached through an index that is kept, renewed and never relied on blindly."""

from __future__ import annotations

import gzip
import os
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.archives import gzip_access, index_files
from stepscope.core.archives.gzip_access import close_all, prepare, prepared_beside, read_span
from stepscope.core.archives.index_files import FileKey, index_file, index_folder, load_index, make_room
from stepscope.core.errors import SourceError
from stepscope.core.progress import CancelToken

LENGTH = 5_000_000


@pytest.fixture(scope="module")
def content() -> bytes:
    """Half noise, half easily packed, so that deflate blocks are of all sizes."""
    random = np.random.default_rng(5)
    noise = random.integers(0, 256, LENGTH, dtype=np.uint8)
    noise[random.integers(0, 2, LENGTH, dtype=np.uint8).repeat(1)[:LENGTH] == 0] = 32
    noise[1_000_000:2_500_000] = 7
    return noise.tobytes()


@pytest.fixture(scope="module")
def packed(content: bytes) -> bytes:
    return gzip.compress(content, 1)


@pytest.fixture
def path(tmp_path: Path, packed: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gzip_access, "SPACING", 200_000)
    monkeypatch.setattr(gzip_access, "_STEP", 1_000_000)
    file = tmp_path / "shard.gz"
    file.write_bytes(packed)
    return file


PLACES = [(0, 1), (0, 100_000), (4_999_000, 1_000), (2_345_678, 700_000), (999_999, 2), (0, LENGTH), (123, 0)]


@pytest.mark.parametrize(("offset", "length"), PLACES)
def test_a_stretch_is_what_lies_there(path: Path, content: bytes, offset: int, length: int) -> None:
    assert read_span(path, offset, length) == content[offset : offset + length]


def test_the_index_is_kept_and_used_by_the_next_reader(
    path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(path)
    assert [file.name for file in index_folder().iterdir()] == [index_file(FileKey.of(path)).name]

    def never(*_args: object) -> bytes:
        raise AssertionError("built again")

    monkeypatch.setattr(gzip_access, "_build", never)
    monkeypatch.setattr(gzip_access, "_read_from_start", never)
    assert read_span(path, 3_000_000, 50) == content[3_000_000:3_000_050]
    prepare(path)


@pytest.mark.parametrize("damage", ["cut", "changed", "emptied", "gone"])
def test_a_damaged_index_is_built_again(path: Path, content: bytes, damage: str) -> None:
    prepare(path)
    kept = index_file(FileKey.of(path))
    data = bytearray(kept.read_bytes())
    if damage == "cut":
        kept.write_bytes(data[: len(data) // 2])
    elif damage == "changed":
        data[len(data) // 2] ^= 1
        kept.write_bytes(data)
    elif damage == "emptied":
        kept.write_bytes(b"")
    else:
        kept.unlink()
    assert load_index(FileKey.of(path)) is None
    assert read_span(path, 4_000_000, 9) == content[4_000_000:4_000_009]
    assert load_index(FileKey.of(path)) is not None


def test_a_changed_file_gets_another_index(path: Path, content: bytes) -> None:
    assert read_span(path, 100, 5) == content[100:105]
    path.write_bytes(gzip.compress(content[::-1], 1))
    os.utime(path, ns=(1, 1))
    assert read_span(path, 100, 5) == content[::-1][100:105]
    assert len(list(index_folder().iterdir())) == 2


def test_a_cache_folder_that_cannot_be_written_does_no_harm(
    path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr(index_files, "user_cache_dir", lambda: tmp_path / "file")
    assert read_span(path, 2_000_000, 7) == content[2_000_000:2_000_007]


def test_beyond_the_end_is_told(path: Path) -> None:
    for offset in (LENGTH - 5, LENGTH, LENGTH + 5_000_000):
        with pytest.raises(SourceError, match="ends at byte 5000000"):
            read_span(path, offset, 6)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.97])
def test_of_a_cut_file_all_before_the_cut_is_read(path: Path, content: bytes, packed: bytes, share: float) -> None:
    path.write_bytes(packed[: int(len(packed) * share)])
    low, high = 0, LENGTH
    while high - low > 1:  # find the last byte that is there
        middle = (low + high) // 2
        try:
            assert read_span(path, middle, 1) == content[middle : middle + 1]
            low = middle
        except SourceError:
            high = middle
    assert low > LENGTH * share * 0.3
    assert read_span(path, low - 3_000, 3_001) == content[low - 3_000 : low + 1]
    with pytest.raises(SourceError, match="cut short"):
        read_span(path, low, 2)


def test_of_a_broken_file_all_before_the_damage_is_read(path: Path, content: bytes, packed: bytes) -> None:
    broken = bytearray(packed)
    middle = len(packed) * 3 // 4
    broken[middle : middle + 20_000] = np.random.default_rng(1).bytes(20_000)
    path.write_bytes(broken)
    assert read_span(path, 1_800_000, 1_000) == content[1_800_000:1_801_000]
    with pytest.raises(SourceError):
        read_span(path, LENGTH - 10, 10)


def test_files_of_several_gzip_members(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "members.gz"
    path.write_bytes(gzip.compress(content[:2_000_000], 1) + gzip.compress(content[2_000_000:], 1))
    assert read_span(path, 1_999_990, 20) == content[1_999_990:2_000_010]
    assert read_span(path, 4_000_000, 20) == content[4_000_000:4_000_020]


def test_many_threads_read_many_files(tmp_path: Path, packed: bytes, content: bytes) -> None:
    """More files than are held open, so that one closes what another wants."""
    paths = [tmp_path / f"{n}.gz" for n in range(7)]
    for path in paths:
        path.write_bytes(packed)

    def read(n: int) -> bool:
        offset = n * 48_611 % (LENGTH - 100)
        return read_span(paths[n % 7], offset, 100) == content[offset : offset + 100]

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(read, range(120)))


def test_preparing_beside_a_scan(path: Path) -> None:
    with prepared_beside(path):
        pass
    assert load_index(FileKey.of(path)) is not None


def test_preparing_is_given_up_with_the_scan(path: Path) -> None:
    with pytest.raises(KeyError), prepared_beside(path):
        raise KeyError
    assert not any(thread.name == "gzip index" for thread in threading.enumerate())


def test_a_cancelled_preparation_leaves_no_index(path: Path, content: bytes) -> None:
    token = CancelToken()
    token.cancel()
    prepare(path, token)
    assert load_index(FileKey.of(path)) is None
    assert read_span(path, 10, 2) == content[10:12]


def test_what_is_no_gzip_needs_no_index(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"abc")
    prepare(plain)
    prepare(tmp_path / "none")
    with prepared_beside(tmp_path / "none"):
        pass
    assert not index_folder().exists()


def test_places_behind_a_full_index_are_still_read(path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gzip_access, "MAX_PLACES", 3)
    assert read_span(path, 4_900_000, 30) == content[4_900_000:4_900_030]


def test_the_oldest_indexes_make_room(tmp_path: Path) -> None:
    for age in range(5):
        file = tmp_path / f"{age}.gzindex"
        file.write_bytes(bytes(100))
        os.utime(file, ns=(age, age))
    make_room(tmp_path, 350, keep=tmp_path / "1.gzindex")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1.gzindex", "3.gzindex", "4.gzindex"]


@given(
    size=st.integers(0, 3_000),
    cut=st.integers(0, 4_000),
    edits=st.lists(st.tuples(st.integers(0, 4_000), st.integers(0, 255)), max_size=4),
    offset=st.integers(0, 4_000),
    length=st.integers(0, 4_000),
)
def test_any_gzip_file_gives_bytes_or_a_source_error(
    tmp_path: Path,
    size: int,
    cut: int,
    edits: list[tuple[int, int]],
    offset: int,
    length: int,
) -> None:
    data = bytearray(gzip.compress(bytes(range(256)) * (size // 256) + random.Random(size).randbytes(size % 256)))
    for place, value in edits:
        data[place % len(data)] = value
    path = tmp_path / "fuzz.gz"
    path.write_bytes(data[: max(0, len(data) - cut)])
    try:
        assert len(read_span(path, offset, length)) == length
    except SourceError:
        return
    finally:
        close_all()


def test_a_scan_that_ends_in_the_thread_beside_it_waits_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the collector ends a scan that was given up."""
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"x" * 1000))
    beside = prepared_beside(path)
    entered, ended, errors = threading.Event(), threading.Event(), []

    def end_here(*_: object) -> None:
        assert entered.wait(20)
        try:
            beside.__exit__(None, None, None)
        except RuntimeError as error:
            errors.append(error)
        ended.set()

    monkeypatch.setattr(gzip_access, "_prepare_quietly", end_here)
    beside.__enter__()
    entered.set()
    assert ended.wait(20) and errors == []
