"""Opening waits for nobody: only regular files are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stepscope.core import regular_files
from stepscope.core.regular_files import FileProgress, being_read, is_file, open_regular


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "link").symlink_to("a")
    for name in ("a", "link"):
        with open_regular(tmp_path / name) as stream:
            assert stream.read() == b"abc"
        assert is_file(tmp_path / name)
    with open_regular(str(tmp_path / "a"), buffering=0) as stream:
        assert stream.seek(1) == 1 and stream.read(1) == b"b"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_a_device_and_a_folder_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for path in (tmp_path / "pipe", tmp_path / "link", Path("/dev/zero")):
        with pytest.raises(OSError, match="this is no file"):
            open_regular(path)
        assert not is_file(path)
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "a")
    with pytest.raises(OSError, match="too long"):
        open_regular(tmp_path / ("a" * 300))
    assert not is_file(tmp_path / ("a" * 300))


def test_how_far_the_largest_open_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular_files, "LARGE", 1000)
    sizes = {"small": 999, "large": 4000, "largest": 8000}
    for name, size in sizes.items():
        (tmp_path / name).write_bytes(bytes(size))
    assert being_read() is None
    with open_regular(tmp_path / "small"):
        assert being_read() is None
    with open_regular(tmp_path / "large", buffering=0) as large:
        large.read(3000)
        assert being_read() == FileProgress(tmp_path / "large", 3000, 4000)
        assert str(being_read()) == "75 % of large (3.906 KB)"
        with open_regular(tmp_path / "largest") as largest:
            largest.seek(80)
            assert str(being_read()) == "1 % of largest (7.812 KB)"
        assert being_read() == FileProgress(tmp_path / "large", 3000, 4000)
    assert being_read() is None
