"""Archives that are opened become folders in the user's cache: a process of its own unpacks them."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from stepscope.app.services.library import borrowed_reader
from stepscope.core.archives.unpack import unpack_folder
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.sources import reader_process


def unpack(path: Path, token: CancelToken) -> Generator[Progress, None, Path | None]:
    """Unpack an archive; yields progress in files and returns its folder, None when cancelled. Raises SourceError for
    one that is broken, refused, or larger than the limits and the disk allow."""
    with borrowed_reader() as reader:
        return (yield from reader_process.unpack(reader, path, unpack_folder(), token))
