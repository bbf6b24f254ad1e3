"""Every dress of an archive that people have opens, by other programs' own packers; what it becomes is bounded."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import shutil
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core import limits
from stepscope.core.archives.unpack import unpack, unpack_folder
from stepscope.core.errors import SourceError
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.sources import reader_process
from stepscope.core.sources.reader_process import ReaderProcess

MIB = 1 << 20
NOISE = os.urandom(1_200_000)
FILES = {"trace_1/0.png": NOISE, "trace_1/" + "long" * 50 + "/ü.json": b"{}", "empty": b"", "text": b"abc " * 300_000}


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    yield
    limits.choose({})


@pytest.fixture(scope="module")
def reader() -> Iterator[ReaderProcess]:
    made = ReaderProcess()
    yield made
    made.close()


def done(path: Path) -> Path:
    work = unpack(path)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def tree(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def tarred(files: dict[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=form) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def zstd(data: bytes) -> bytes:
    packed: bytes = pyarrow.Codec("zstd").compress(data, asbytes=True)
    return packed


def lzma_alone(data: bytes) -> bytes:
    return lzma.compress(data, lzma.FORMAT_ALONE)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".tar": bytes,
    ".tar.gz": gzip.compress,
    ".tar.bz2": bz2.compress,
    ".tar.xz": lzma.compress,
    ".tar.zst": zstd,
    ".tar.lzma": lzma_alone,
}


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_opens_in_every_dress(tmp_path: Path, suffix: str, form: int) -> None:
    path = tmp_path / ("My data" + suffix)
    path.write_bytes(PACKERS[suffix](tarred(FILES, form)))
    folder = done(path)
    assert tree(folder) == FILES
    assert folder.name == "My data"


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zip_opens_with_every_method_of_pythons_own(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
    assert tree(done(tmp_path / "a.zip")) == FILES


def test_large_numbers_and_what_stands_before_a_zip_file(tmp_path: Path) -> None:
    """Zip64 fields (4.5.3), which a writer that does not know a size ahead leaves, and a self-extractor's program."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in FILES.items():
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(data)
    (tmp_path / "a.zip").write_bytes(b"PKSFX\n" * 100 + stream.getvalue())
    assert tree(done(tmp_path / "a.zip")) == FILES


def test_packings_around_one_another_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    twice = gzip.compress(lzma.compress(tarred({"a": b"x"})))
    path.write_bytes(twice)
    assert tree(done(path)) == {"a": b"x"}
    path.write_bytes(bz2.compress(twice))
    with pytest.raises(SourceError, match=r"packed 3 times.*--limit-archive-layers 6"):
        done(path)
    limits.choose({"archive-layers": 4})
    assert tree(done(path)) == {"a": b"x"}


@pytest.mark.parametrize("head", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\0"])
def test_archives_of_other_kinds_are_told_by_name(tmp_path: Path, head: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(head + bytes(600))
    with pytest.raises(SourceError, match=r"7-Zip|RAR") as told:
        done(tmp_path / "a.zip")
    assert "open the folder" in told.value.hint


def bzip2_zip(path: Path, size: int, claim: int) -> None:
    """A member of zeros packed with bzip2 that says to have `claim` bytes, in local header and table."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive, archive.open("zeros", "w") as member:
        for _ in range(size // MIB):
            member.write(bytes(MIB))
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<I", size), struct.pack("<I", claim)))


def test_a_bzip2_member_that_lies_about_its_size_ends_at_once_and_takes_no_memory(
    reader: ReaderProcess, tmp_path: Path
) -> None:
    """256 MB of zeros in half a kilobyte, which say to have a hundred bytes, where there is no room for them."""
    limits.choose({"read-memory": 250 * MIB})
    path = tmp_path / "a.zip"
    bzip2_zip(path, 256 * MIB, 100)
    assert path.stat().st_size < 1_000
    with pytest.raises(SourceError, match="holds more than it says"):
        list(reader_process.unpack(reader, path, unpack_folder(), CancelToken()))
    assert not list(unpack_folder().iterdir())


def honest_zeros(suffix: str, size: int) -> bytes:
    """A tar file of one file of zeros, whose packed form never is in memory unpacked."""
    info = tarfile.TarInfo("zeros")
    info.size = size
    head, stream = info.tobuf(), io.BytesIO()
    if suffix == ".tar.zst":
        with pyarrow.CompressedOutputStream(pyarrow.PythonFile(stream, "w"), "zstd") as packed:
            packed.write(head)
            for _ in range(size // MIB):
                packed.write(bytes(MIB))
            packed.flush()
            return stream.getvalue()
    packer = {".tar.gz": None, ".tar.bz2": bz2.BZ2Compressor, ".tar.xz": lzma.LZMACompressor}[suffix]
    if packer is None:
        with gzip.GzipFile("", "wb", 9, stream) as file:
            file.write(head)
            for _ in range(size // MIB):
                file.write(bytes(MIB))
        return stream.getvalue()
    made = packer()
    return b"".join([made.compress(head), *(made.compress(bytes(MIB)) for _ in range(size // MIB)), made.flush()])


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"])
def test_a_packed_tar_bomb_is_refused_before_it_is_written(tmp_path: Path, suffix: str) -> None:
    limits.choose({"archive-bytes": 8 * MIB})
    path = tmp_path / f"a{suffix}"
    path.write_bytes(honest_zeros(suffix, 24 * MIB))
    with pytest.raises(SourceError, match=r"unpacks to more than .*--limit-archive-"):
        done(path)
    assert not list(unpack_folder().iterdir())


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"])
def test_what_follows_the_last_file_is_not_unpacked(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(PACKERS[suffix](tarred({"a": b"x"}) + bytes(16 * MIB)))
    limits.choose({"archive-bytes": 8 * MIB})
    assert tree(done(path)) == {"a": b"x"}


def test_a_layer_that_becomes_endless_is_refused_though_the_next_makes_nothing_of_it(tmp_path: Path) -> None:
    """Two hundred thousand empty gzip members, packed once more."""
    limits.choose({"archive-bytes": 2 * MIB, "archive-ratio": 1})
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(gzip.compress(b"") * 200_000 + gzip.compress(tarred({"a": b"x"}))))
    with pytest.raises(SourceError, match="unpacks to more than"):
        done(path)


def test_a_window_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    """An .lzma header that asks for a window of 2 GB, and an .xz file with one of 192 MB."""
    packed = bytearray(lzma_alone(tarred({"a": b"x"})))
    packed[1:5] = struct.pack("<I", 1 << 31)
    (tmp_path / "a.tar.lzma").write_bytes(packed)
    wide = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 192 * MIB}]
    (tmp_path / "a.tar.xz").write_bytes(lzma.compress(tarred({"a": b"x"}), filters=wide))
    for name in ("a.tar.xz", "a.tar.lzma"):
        with pytest.raises(SourceError, match=r"look back.*--limit-archive-window 256MB"):
            done(tmp_path / name)


def pax(records: bytes, size: int | None = None) -> bytes:
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, len(records) if size is None else size
    return info.tobuf(tarfile.USTAR_FORMAT) + records + bytes(-len(records) % 512)


BROKEN_HEADERS = {
    "digits without end": pax(b"1" * 900_000),  # quadratic in Python's reader before 3.11.10 (CVE-2024-6232)
    "a record that is longer than the header": pax(b"9999 path=x\n"),
    "a record of length 0": pax(b"0 path=x\n"),
    "a record without a value": pax(b"8 path\n\n\n"),
    "a negative size": pax(b"11 size=-1\n"),
    "a size of a thousand digits": pax(b"1011 size=" + b"9" * 1000 + b"\n"),
    "a header larger than is read": pax(b"", 2 * MIB),
}


@pytest.mark.parametrize("kind", BROKEN_HEADERS)
def test_broken_pax_headers_are_told(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a.tar").write_bytes(BROKEN_HEADERS[kind] + tarred({"a": b"x"}))
    with pytest.raises(SourceError, match="header"):
        done(tmp_path / "a.tar")


def test_thousands_of_headers_before_one_file_are_read_in_turn(tmp_path: Path) -> None:
    """Python's reader calls itself for each of them."""
    (tmp_path / "a.tar").write_bytes(pax(b"13 comment=x\n") * 5_000 + tarred({"a": b"x"}))
    assert tree(done(tmp_path / "a.tar")) == {"a": b"x"}


@pytest.mark.parametrize("key", ["GNU.sparse.map", "GNU.sparse.major"])
def test_sparse_files_are_refused(tmp_path: Path, key: str) -> None:
    record = f" {key}=0,1\n".encode()
    (tmp_path / "a.tar").write_bytes(pax(str(len(record) + 2).encode() + record) + tarred({"a": b"x"}))
    with pytest.raises(SourceError, match="sparse"):
        done(tmp_path / "a.tar")


def empty_zip(path: Path, count: int, told: int | None = None) -> None:
    """A zip file of so many names of one empty file, which says to have `told`."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("0000000", b"")
    data = path.read_bytes()
    start, end = data.find(b"PK\1\2"), data.find(b"PK\5\6")
    entry = data[start:end]
    table = b"".join(entry.replace(b"0000000", b"%07d" % number) for number in range(count))
    said = min(count if told is None else told, 0xFFFF)
    tail = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, said, said, len(table), start, 0)
    path.write_bytes(data[:start] + table + tail)


def test_entries_are_counted_whatever_the_archive_says(tmp_path: Path) -> None:
    """The usual writers of old wrote a count modulo 65,536; a hostile one writes 1."""
    limits.choose({"archive-files": 1_000})
    empty_zip(tmp_path / "a.zip", 1_001, told=1)
    with pytest.raises(SourceError, match="more than 1,000 files"):
        done(tmp_path / "a.zip")


def test_many_empty_files_are_told_with_their_number(reader: ReaderProcess, tmp_path: Path) -> None:
    empty_zip(tmp_path / "a.zip", 1_500)
    steps = list(reader_process.unpack(reader, tmp_path / "a.zip", unpack_folder(), CancelToken()))
    assert steps[0] == Progress(0, 1_500)
    (folder,) = unpack_folder().glob("*/a")
    assert sum(1 for _ in folder.iterdir()) == 1_500


def generated(kind: str, files: list[tuple[int, int]]) -> bytes:
    """An archive of files that each have so many zeros; the second number is what a zip file claims."""
    if kind == ".zip":
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_BZIP2) as archive:
            for number, (size, _) in enumerate(files):
                archive.writestr(f"{number}", bytes(size))
        data = stream.getvalue()
        for size, claim in files:
            data = data.replace(struct.pack("<I", size), struct.pack("<I", claim))
        return data
    return PACKERS[kind](tarred({f"{number}": bytes(size) for number, (size, _) in enumerate(files)}))


SIZES = st.tuples(st.integers(1_000_000, 5_000_000), st.sampled_from([1, 1_000, 5_000_000, 0xFFFFFFF0]))


@settings(max_examples=max(settings().max_examples // 8, 1))
@given(kind=st.sampled_from([".zip", *PACKERS]), files=st.lists(SIZES, min_size=1, max_size=4))
def test_no_archive_becomes_more_than_the_limit_and_a_piece(
    reader: ReaderProcess, tmp_path_factory: pytest.TempPathFactory, kind: str, files: list[tuple[int, int]]
) -> None:
    """Whatever it holds: neither on the disk, looked at after every piece, nor in the memory of the process that does
    it, which the system bounds."""
    here = tmp_path_factory.mktemp("archive")
    path, home = here / f"a{kind}", here / "unpacked"
    path.write_bytes(generated(kind, files))
    limits.choose({"archive-bytes": 8 * MIB, "archive-ratio": 1, "read-memory": 512 * MIB})
    most = 8 * MIB + path.stat().st_size + MIB
    with contextlib.suppress(SourceError):
        for _ in unpack(path, home=home):
            assert sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) <= most
    shutil.rmtree(home)
    try:
        list(reader_process.unpack(reader, path, home, CancelToken()))
    except SourceError as error:
        assert "memory" not in error.message and "failed" not in error.message
    shutil.rmtree(here)
