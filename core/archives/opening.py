"""Opening a file that may be missing, unreadable or only a git-lfs pointer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from stepscope.core.errors import SourceError
from stepscope.core.regular_files import open_regular

LFS_POINTER = b"version https://git-lfs"
"""How a git-lfs pointer file begins (git-lfs specification, version 1)."""

LFS_HINT = "Run `git lfs pull` in the data set's repository."

ARCHIVE_SUFFIXES = (
    *(".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz", ".tar.lzma"),
    *(".tar.zst", ".tzst", ".7z", ".rar"),
)
"""How archives are called, also those that can only be refused in clear words."""

GZIP_MAGIC = b"\x1f\x8b\x08"
"""How a gzip file begins: its two identifying bytes and the method, deflate (RFC 1952, section 2.3.1)."""


def open_file(path: Path) -> BinaryIO:
    """The regular file, unbuffered; SourceError when it is missing, something else, or only a git-lfs pointer."""
    try:
        if not path.is_file():
            raise SourceError("the file is not there", place=path)
        stream = open_regular(path, buffering=0)
    except OSError as error:
        raise unreadable(error, path) from error
    try:
        head = stream.read(len(LFS_POINTER)) or b""
        stream.seek(0)
    except OSError as error:
        stream.close()
        raise unreadable(error, path) from error
    if head == LFS_POINTER:
        stream.close()
        raise SourceError("the file is not there, only its git-lfs pointer", place=path, hint=LFS_HINT)
    return stream


def is_gzip(path: Path) -> bool:
    """Whether the file begins as gzip does; False for one that cannot be read."""
    try:
        with open_regular(path, buffering=0) as stream:
            return stream.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    except (OSError, ValueError):
        return False


def unreadable(error: OSError, path: Path) -> SourceError:
    """What is told when the system refuses to read."""
    return SourceError(f"cannot be read: {error.strerror or os.strerror(error.errno or 0)}", place=path)
