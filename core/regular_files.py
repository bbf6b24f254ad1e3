"""Opening files that somebody else may have put in another's place: a pipe that nobody writes to would be waited for
without end, a device has no end."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Literal, overload

_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_BINARY", "O_CLOEXEC"))


@overload
def open_regular(path: Path | str) -> BufferedReader: ...


@overload
def open_regular(path: Path | str, *, buffering: Literal[0]) -> FileIO: ...


def open_regular(path: Path | str, *, buffering: Literal[0, -1] = -1) -> BufferedReader | FileIO:
    """The regular file at a path, to be read. Raises OSError as `open` does, and at once for a folder, a pipe, a socket
    or a device; ValueError for what cannot be a path."""
    number = os.open(path, _FLAGS)
    try:
        kind = os.fstat(number).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind):
            raise OSError(errno.EINVAL, "this is no file", str(path))
        raw = FileIO(number, "rb")
    except BaseException:
        os.close(number)
        raise
    return raw if buffering == 0 else BufferedReader(raw)


def is_file(path: Path) -> bool:
    """Whether a regular file lies there; False where the system cannot tell, say for a name that is too long."""
    try:
        return path.is_file()
    except OSError:
        return False
