"""Files that are there whole or not at all, for whatever the window writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from core.errors import UserError


class Abandoned(Exception):  # noqa: N818 - no error: somebody does not want the file any more
    """Raised inside `whole_file` to leave what was there before."""


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A stream into a draft beside `path`, which takes its place at the end; whatever is raised inside leaves what was
    there. Raises UserError when it cannot be written."""
    draft = path.with_name(path.name + ".part")
    try:
        try:
            with draft.open("wb") as stream:
                yield stream
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError(f"{path.name} cannot be written: {reason}.", hint="Choose another place.") from error
