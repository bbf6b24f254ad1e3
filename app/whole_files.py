"""Files that are there whole or not at all, for whatever the window writes."""

from __future__ import annotations

import errno
import io
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from core.errors import UserError
from core.progress import CancelToken


class Abandoned(Exception):  # noqa: N818 - no error: somebody does not want the file any more
    """Raised inside `whole_file` to leave what was there before."""


@contextmanager
def drafted(path: Path) -> Iterator[IO[bytes]]:
    """A stream into a new file beside `path`, which takes its place at the end; whatever is raised inside leaves what
    was there. Where `path` is a link, the file that it leads to is replaced. Raises OSError when it cannot be written.

    The draft's name is nobody else's: nothing that lies there, not even a link, is written over on the way.
    """
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
        draft.unlink(missing_ok=True)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """`drafted` for the window: raises UserError when the file cannot be written."""
    try:
        with drafted(path) as stream:
            yield stream
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError(f"{path.name} cannot be written: {reason}.", hint="Choose another place.") from error


@contextmanager
def unless_cancelled(token: CancelToken) -> Iterator[None]:
    """The file of an abandoned export is as it was before."""
    try:
        yield
    except Abandoned:
        if not token.cancelled:
            raise


@contextmanager
def whole_text(path: Path, token: CancelToken) -> Iterator[io.TextIOWrapper]:
    """A text file that is there when it is whole, and left as it was when the token is cancelled."""
    with unless_cancelled(token), whole_file(path) as stream:
        with utf8(stream) as text:
            yield text
        if token.cancelled:
            raise Abandoned


@contextmanager
def utf8(stream: IO[bytes]) -> Iterator[io.TextIOWrapper]:
    """UTF-8 into the stream, which stays open."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="")
    try:
        yield text
    finally:
        text.detach()  # flushes, and may find the disk full
