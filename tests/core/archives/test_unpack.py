"""Archives become folders: once, whole, bounded, and never outside their place."""

from __future__ import annotations

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core import limits
from stepscope.core.archives import unpack as module
from stepscope.core.archives.unpack import unpack, unpack_folder
from stepscope.core.errors import SourceError
from stepscope.core.progress import CancelToken, Progress


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    yield
    limits.choose({})


FILES = {"trace_1/instruction.txt": b"12\nsend it", "trace_1/0.png": os.urandom(3_000_000), "readme.md": b"#" * 90_000}


def done(path: Path, **arguments: Any) -> Path:
    """Unpack to the end and return the folder."""
    work = unpack(path, **arguments)
    while True:
        try:
            assert isinstance(next(work), Progress)
        except StopIteration as end:
            return end.value


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def written(path: Path, files: dict[str, bytes]) -> Path:
    return (zipped if path.suffix == ".zip" else tarred)(path, files)


def tree(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("name", ["My data (1).zip", "a.b.tar", "a.b.tar.gz", "a.b.tgz"])
def test_all_files_are_there_under_the_archives_name(tmp_path: Path, name: str) -> None:
    litter = {"__MACOSX/trace_1/._0.png": b"x", "trace_1/.DS_Store": b"x"}
    folder = done(written(tmp_path / name, {**FILES, **litter}))
    assert tree(folder) == FILES
    assert folder.name == ("My data (1)" if name.endswith(".zip") else "a.b")
    assert folder.is_relative_to(unpack_folder())


def test_the_second_time_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = zipped(tmp_path / "a.zip", FILES)
    folder = done(path)
    monkeypatch.setattr(module, "open_archive", None)
    assert done(path) == folder
    assert list(unpack(path)) == []


def test_a_changed_archive_is_another_folder(tmp_path: Path) -> None:
    first = done(zipped(tmp_path / "a.zip", {"a.txt": b"1"}))
    second = done(zipped(tmp_path / "a.zip", {"a.txt": b"22"}))
    assert first != second
    assert tree(first) == {"a.txt": b"1"}
    assert tree(second) == {"a.txt": b"22"}


def test_progress_counts_files(tmp_path: Path) -> None:
    steps = list(unpack(zipped(tmp_path / "a.zip", FILES)))
    assert (steps[0].done, steps[-1].done, steps[-1].total) == (0, 3, 3)
    steps = list(unpack(tarred(tmp_path / "a.tar.gz", FILES)))
    assert (steps[-1].done, steps[-1].total) == (3, None)


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_cancelled_work_is_taken_up_again(tmp_path: Path, name: str) -> None:
    path, token = written(tmp_path / name, FILES), CancelToken()
    work = unpack(path, token)
    while next(work).done < 1:
        pass
    token.cancel()
    with pytest.raises(StopIteration) as end:
        while True:
            next(work)
    assert not end.value.value.exists()
    (part,) = unpack_folder().iterdir()
    assert list(tree(part)) == ["a/trace_1/instruction.txt"]
    first = part / "a" / "trace_1" / "instruction.txt"
    before = first.stat().st_ino
    folder = done(path)
    assert tree(folder) == FILES
    assert (folder / "trace_1" / "instruction.txt").stat().st_ino == before
    assert len(list(unpack_folder().iterdir())) == 1


NAMES = [
    "../x",
    "a/../../x",
    "/etc/passwd",
    "\\etc\\passwd",
    "a\\..\\..\\x",
    "C:\\x",
    "c:x",
    "a/b\nc",
    "n" * 300,
    "a/" * 50,
]


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
@pytest.mark.parametrize("inside", NAMES)
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str, inside: str) -> None:
    path = written(tmp_path / name, {"good.txt": b"x", inside + "x": b"evil"})
    with pytest.raises(SourceError) as told:
        done(path)
    assert told.value.place == str(path)
    assert told.value.hint
    assert not list(unpack_folder().iterdir())


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_file_are_refused(tmp_path: Path, kind: bytes) -> None:
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        info = tarfile.TarInfo("shadow")
        info.type, info.linkname = kind, "/etc/shadow"
        archive.addfile(info)
    with pytest.raises(SourceError, match="link, a device"):
        done(path)


def test_links_in_a_zip_file_are_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("shadow")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/shadow")
    with pytest.raises(SourceError, match="link or device"):
        done(tmp_path / "a.zip")


def test_a_file_where_a_folder_should_be_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be unpacked"):
        done(tarred(tmp_path / "a.tar", {"a": b"x", "a/b": b"y"}))


def test_an_encrypted_zip_is_told(tmp_path: Path) -> None:
    data = bytearray(zipped(tmp_path / "a.zip", {"a.txt": b"secret"}).read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + place] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(SourceError, match="encrypted"):
        done(tmp_path / "a.zip")


def zip_bomb(path: Path) -> None:
    """100 MB of zeros in 100 KB, told honestly."""
    zipped(path, {"zeros": bytes(100_000_000)})


def lying_zip_bomb(path: Path) -> None:
    """The same, but the table of contents says that it has ten bytes."""
    zip_bomb(path)
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<I", 100_000_000), struct.pack("<I", 10)))


def overlapping_zip_bomb(path: Path) -> None:
    """One packed stream that five hundred names share (D. Fifield, A better zip bomb, 2019)."""
    zipped(path, {"0000": bytes(1_000_000)})
    data = path.read_bytes()
    start, end = data.find(b"PK\x01\x02"), data.find(b"PK\x05\x06")
    entry = data[start:end]
    entries = [entry.replace(b"0000", b"%04d" % n) for n in range(500)]
    table = b"".join(entries)
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 500, 500, len(table), start, 0)
    path.write_bytes(data[:start] + table + tail)


def tar_bomb(path: Path) -> None:
    packer, zeros = zlib.compressobj(9, zlib.DEFLATED, 31), bytes(1 << 20)
    info = tarfile.TarInfo("zeros")
    info.size = 200 << 20
    with path.open("wb") as stream:
        stream.write(packer.compress(info.tobuf()))
        for _ in range(200):
            stream.write(packer.compress(zeros))
        stream.write(packer.flush())


@pytest.mark.parametrize("make", [zip_bomb, lying_zip_bomb, overlapping_zip_bomb, tar_bomb])
def test_bombs_are_refused_and_leave_nothing(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / ("a.tar.gz" if make is tar_bomb else "a.zip")
    make(path)
    limits.choose({"archive-bytes": 20_000_000})
    with pytest.raises(SourceError):
        done(path)
    assert not list(unpack_folder().iterdir())


@pytest.mark.parametrize("name", ["a.zip", "a.tar"])
def test_too_many_files_are_refused(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, {f"{n}.txt": b"" for n in range(12)})
    limits.choose({"archive-files": 10})
    with pytest.raises(SourceError, match=r"more than 10 files.*--limit-archive-files 20"):
        done(path)


def test_a_full_disk_is_told_before_anything_is_written(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", FILES)
    limits.choose({"disk-kept-free": 1 << 53})
    with pytest.raises(SourceError, match=r"no room to unpack.*--limit-disk-kept-free"):
        done(path)


def test_a_tar_header_that_says_to_be_huge_is_not_read(tmp_path: Path) -> None:
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 1 << 32
    path = tmp_path / "a.tar"
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(4096))
    with pytest.raises(SourceError, match="header is too large"):
        done(path)


def test_a_table_of_contents_that_says_to_be_huge_is_not_read(tmp_path: Path) -> None:
    data = bytearray(zipped(tmp_path / "a.zip", FILES).read_bytes())
    end = data.rfind(b"PK\x05\x06")
    data[end + 12 : end + 16] = struct.pack("<I", 0x7FFFFFFF)
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(SourceError, match="table of contents is cut short"):
        done(tmp_path / "a.zip")


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tar"])
@pytest.mark.parametrize("share", [0.0, 0.001, 0.5])
def test_a_cut_archive_is_told_and_leaves_nothing(tmp_path: Path, name: str, share: float) -> None:
    path = written(tmp_path / name, FILES)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(SourceError):
        done(path)
    assert not list(unpack_folder().iterdir())


def test_what_is_no_archive_is_told(tmp_path: Path) -> None:
    for data in (
        b"PK not a zip",
        gzip.compress(b"hello"),
        b"BZh91AY",
        b"{}",
        b"version https://git-lfs.github.com/spec",
    ):
        path = tmp_path / "a.zip"
        path.write_bytes(data)
        with pytest.raises(SourceError):
            done(path)
    with pytest.raises(SourceError, match="not there"):
        done(tmp_path / "none.zip")


@given(
    kind=st.sampled_from(["a.zip", "a.tar", "a.tar.gz"]),
    edits=st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 255)), min_size=1, max_size=4),
    cut=st.integers(0, 300),
)
def test_a_damaged_archive_gives_a_folder_inside_or_a_source_error(
    tmp_path: Path, kind: str, edits: list[tuple[int, int]], cut: int
) -> None:
    path = written(tmp_path / kind, {"a/b.txt": b"hello" * 20, "c": b"", "ü.json": b"{}"})
    data = bytearray(path.read_bytes())
    for place, value in edits:
        data[place % len(data)] = value
    path.write_bytes(data[: len(data) - cut])
    try:
        folder = done(path)
    except SourceError:
        return
    assert folder.is_dir()
