"""Files that are there whole or not at all, and the words for a disk that refuses them."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def draft_stream(path: Path) -> Iterator[IO[bytes]]:
    """A stream into a new file beside `path`, which takes its place at the end; whatever is raised inside leaves what
    was there. Where `path` is a link, the file that it leads to is replaced. Raises OSError when it cannot be written.

    The draft's name is nobody else's: nothing that lies there, not even a link, is written over on the way.
    """
    import secrets  # with the first file: it brings OpenSSL

    target = path.resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder", str(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "this is a device or a pipe, which a file would replace", str(path))
    draft = target.with_name(f".{target.name[:60]}.{secrets.token_hex(6)}.partial")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(draft, flags, 0o666)  # with the permissions that any new file of this user gets
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write the file and the folders above it. Raises OSError; then what was there is as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with draft_stream(path) as stream:
        stream.write(data)


def is_full(error: OSError) -> bool:
    """Whether there is no room: on the disk, in the user's share of it, or for a file of that size."""
    if isinstance(error, shutil.Error):  # copying a folder: what went wrong with each file, in words
        return any(os.strerror(number) in str(error) for number in _FULL)
    return error.errno in _FULL


def ends_all(error: Exception) -> bool:
    """Whether an error of ours says that the disk refuses everything: then the next file need not be tried."""
    cause = error.__cause__
    return isinstance(cause, OSError) and (is_full(cause) or cause.errno == errno.EROFS)


def reason(error: OSError) -> str:
    """Why the system refused, in words for the middle of a sentence."""
    if is_full(error):
        return "the disk is full"
    return (error.strerror or str(error)).lower()


def advice(error: OSError) -> str:
    """What to do about a file that cannot be written, as a sentence."""
    return "Make room, or choose another place." if is_full(error) else "Choose another place."
