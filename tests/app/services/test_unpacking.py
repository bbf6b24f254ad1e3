"""Archives are unpacked by another process: what ends that one leaves nothing half done, and this one takes no part."""

from __future__ import annotations

import gzip
import os
import signal
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.app.services import unpacking
from stepscope.app.services.library import _readers, borrowed_reader
from stepscope.core import limits
from stepscope.core.archives import unpack as core_unpack
from stepscope.core.archives.unpack import unpack_folder
from stepscope.core.errors import SourceError
from stepscope.core.progress import CancelToken

FILES = {f"trace_{number}/0.png": os.urandom(100_000) for number in range(4)}


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    yield
    limits.choose({})
    _readers.close()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as packed:
        for name, data in FILES.items():
            packed.writestr(name, data)
    return tmp_path / "data.zip"


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """The same files in the order of their names, and between the first two more headers than are read in a moment."""
    blocks = []
    for name, data in FILES.items():
        info = tarfile.TarInfo(name)
        info.size = len(data)
        blocks.append(gzip.compress(info.tobuf() + data + bytes(-len(data) % 512)))
    comment = tarfile.TarInfo("pax")
    comment.type, comment.size = tarfile.XHDTYPE, 13
    header = comment.tobuf(tarfile.USTAR_FORMAT) + b"13 comment=x\n".ljust(512, b"\0")
    blocks.insert(1, gzip.compress(header * 1_000) * 150)
    (tmp_path / "data.tar.gz").write_bytes(b"".join([*blocks, gzip.compress(bytes(1024))]))
    return tmp_path / "data.tar.gz"


def tree(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def done(path: Path) -> Path | None:
    work = unpacking.unpack(path, CancelToken())
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def check_nothing_is_half_done() -> None:
    """No folder, and in the one that is being made only whole files: at most the first one."""
    (part,) = unpack_folder().iterdir()
    assert part.suffix == ".part"
    assert list(tree(part / "data").items()) in ([], list(FILES.items())[:1])


def test_nothing_is_inflated_in_this_process(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_path: Path) -> None:
        raise AssertionError("unpacked here")

    monkeypatch.setattr(core_unpack, "open_archive", never)
    folder = done(archive)
    assert folder is not None and tree(folder) == FILES
    assert done(archive) == folder


def test_a_cancelled_unpacking_gives_no_folder_and_goes_on_next_time(slow: Path) -> None:
    token = CancelToken()
    work = unpacking.unpack(slow, token)
    assert next(work).done == 0
    token.cancel()
    with pytest.raises(StopIteration) as end:
        while True:
            next(work)
    assert end.value.value is None
    check_nothing_is_half_done()
    folder = done(slow)
    assert folder is not None and tree(folder) == FILES
    assert [file.name for file in unpack_folder().iterdir()] == [folder.parent.name]


def test_a_killed_process_leaves_nothing_half_done(slow: Path) -> None:
    with borrowed_reader() as reader:
        reader.wait_until_ready()
        process = reader._process
    assert process is not None
    work = unpacking.unpack(slow, CancelToken())
    next(work)
    os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(SourceError, match="ended abruptly"):
        while True:
            next(work)
    check_nothing_is_half_done()
    folder = done(slow)
    assert folder is not None and tree(folder) == FILES


def test_limits_that_a_person_chose_hold_in_the_other_process(archive: Path) -> None:
    limits.choose({"archive-bytes": 1 << 20, "archive-ratio": 1, "archive-files": 3})
    with pytest.raises(SourceError, match="more than 3 files"):
        done(archive)
    assert not list(unpack_folder().iterdir())
