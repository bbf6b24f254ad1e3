"""Opening files that somebody else may have put in another's place: a pipe that nobody writes to would be waited for
without end, a device has no end."""

from __future__ import annotations

import errno
import os
import stat
import weakref
from contextlib import suppress
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Literal, overload

from stepscope.core.frozen import dataclass
from stepscope.core.limits import BYTES, written_figure

_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_BINARY", "O_CLOEXEC"))

LARGE = 16 << 20
"""From this size on it is worth telling how much of a file has been read."""

_large: weakref.WeakKeyDictionary[FileIO, FileProgress] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class FileProgress:
    """The number of a file's bytes that have been read."""

    path: Path
    done: int
    total: int

    @property
    def percent(self) -> int:
        return min(self.done * 100 // self.total, 100)

    def __str__(self) -> str:
        return f"{self.percent} % of {self.path.name} ({written_figure(BYTES, self.total)})"


@overload
def open_regular(path: Path | str) -> BufferedReader: ...


@overload
def open_regular(path: Path | str, *, buffering: Literal[0]) -> FileIO: ...


def open_regular(path: Path | str, *, buffering: Literal[0, -1] = -1) -> BufferedReader | FileIO:
    """The regular file at a path, to be read. Raises OSError as `open` does, and at once for a folder, a pipe, a socket
    or a device; ValueError for what cannot be a path."""
    number = os.open(path, _FLAGS)
    try:
        facts = os.fstat(number)
        kind = facts.st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind):
            raise OSError(errno.EINVAL, "this is no file", str(path))
        raw = FileIO(number, "rb")
    except BaseException:
        os.close(number)
        raise
    if facts.st_size >= LARGE:
        _large[raw] = FileProgress(Path(path), 0, facts.st_size)
    return raw if buffering == 0 else BufferedReader(raw)


def being_read() -> FileProgress | None:
    """How far the largest file is that this program has open, in whatever thread; None while there is none of `LARGE`
    bytes."""
    found = []
    for one in _large.keyrefs():
        raw = one()
        file = None if raw is None else _large.get(raw)
        if raw is not None and file is not None:
            with suppress(ValueError, OSError):  # it has been closed since
                found.append(FileProgress(file.path, os.lseek(raw.fileno(), 0, os.SEEK_CUR), file.total))
    return max(found, key=lambda file: file.total, default=None)


def is_file(path: Path) -> bool:
    """Whether a regular file lies there; False where the system cannot tell, say for a name that is too long."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_there(path: Path) -> bool:
    """Whether anything can be found at a place; links that lead nowhere, or in a circle, and disks that fail do not."""
    try:
        return path.exists()
    except OSError:
        return False
