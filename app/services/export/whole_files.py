"""Files that are there whole or not at all, for whatever the window writes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from stepscope.core.drafts import advice, draft_stream, reason
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken


class WriteAbandonedError(Exception):
    """Raised inside `whole_file` to leave what was there before."""


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """`draft_stream` for the window: raises UserError when the file cannot be written."""
    try:
        with draft_stream(path) as stream:
            yield stream
    except OSError as error:
        raise UserError(f"{path.name} cannot be written: {reason(error)}.", hint=advice(error)) from error


@contextmanager
def unless_cancelled(token: CancelToken) -> Iterator[None]:
    """The file of an abandoned export is as it was before."""
    try:
        yield
    except WriteAbandonedError:
        if not token.cancelled:
            raise


@contextmanager
def whole_text(path: Path, token: CancelToken) -> Iterator[io.TextIOWrapper]:
    """A text file that is there when it is whole, and left as it was when the token is cancelled."""
    with unless_cancelled(token), whole_file(path) as stream:
        with utf8(stream) as text:
            yield text
        if token.cancelled:
            raise WriteAbandonedError


@contextmanager
def utf8(stream: IO[bytes]) -> Iterator[io.TextIOWrapper]:
    """UTF-8 into the stream, which stays open."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="")
    try:
        yield text
    finally:
        text.detach()  # flushes, and may find the disk full
