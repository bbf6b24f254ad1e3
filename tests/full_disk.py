"""Disks without room, for tests: by the process's own bound on a file's size, which needs no rights, and real ones."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file that this process writes can become larger than `size` bytes; the system says so as of a full disk.

    Python would cut off the compiled modules that it keeps beside our own sources (see `core.bytecode`).
    """
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as python:
        python.setattr(sys, "dont_write_bytecode", True)
        python.setenv("PYTHONDONTWRITEBYTECODE", "1")
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)


@contextmanager
def small_disk(folder: Path, kilobytes: int = 1024) -> Iterator[Path]:
    """A disk of its own at `folder`; the test is skipped where none can be made."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, left: int = 0) -> Path:
    """Fill the disk but for `left` bytes; returns the file that takes the room."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as stream, pytest.raises(OSError, match="No space left"):
        while True:
            stream.write(bytes(4096))
    with filler.open("r+b") as stream:
        stream.truncate(filler.stat().st_size - left)
    return filler


def make_read_only(folder: Path) -> None:
    """The disk at `folder` can only be read from now on."""
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
