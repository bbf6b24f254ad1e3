"""The formats that can be opened, and finding out which of them a folder holds by its content."""

from __future__ import annotations

from pathlib import Path

from core.errors import SourceError, UsageError
from core.sources import aitz, llamatouch, motif, recording, rico
from core.sources.source import Format, Source

FORMATS: tuple[Format, ...] = (recording.FORMAT, llamatouch.FORMAT, aitz.FORMAT, motif.FORMAT, rico.FORMAT)
"""In order of precedence: where a folder holds several formats, the first one here is opened."""


def format_named(name: str) -> Format:
    """The format called `name`; UsageError listing the others when there is none."""
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in FORMATS)
    raise UsageError(f"there is no format {name!r}", hint=f"Formats: {names}.")


def detect_all(path: Path) -> tuple[Format, ...]:
    """Every format met in a bounded look at `path`, in order of precedence; its name plays no part."""
    return tuple(known for known in FORMATS if known.sniff(path))


def detect(path: Path) -> Format:
    """The format of `path`. Of several in one folder the first in `FORMATS` wins; the others need to be named.

    Raises SourceError when there is nothing at `path`, nothing in it, or nothing known.
    """
    _check_there(path)
    for known in FORMATS:
        if known.sniff(path):
            return known
    names = ", ".join(known.name for known in FORMATS)
    if path.is_file():
        raise SourceError(
            "no known format in this file",
            place=path,
            hint="Most data sets are folders: give the folder that holds it.",
        )
    raise SourceError(
        f"no known format found in the folder; looked for {names}",
        place=path,
        hint="`stepscope formats` tells what each looks like; --format names one that lies deeper.",
    )


def open_source(path: Path, format: str | None = None) -> Source:
    """The data set at `path`, in the format called `format` or the one that is detected.

    Raises UsageError for an unknown format's name and SourceError when there is nothing to open.
    """
    if format is None:
        return detect(path).open(path)
    known = format_named(format)
    _check_there(path)
    if path.is_file() and not known.sniff(path):
        raise SourceError(f"this file is not in the format {format!r}", place=path, hint="Give the data set's folder.")
    return known.open(path)


def _check_there(path: Path) -> None:
    try:
        if not path.exists():
            raise SourceError("there is no such file or folder", place=path)
        if path.is_dir() and next(path.iterdir(), None) is None:
            raise SourceError("the folder is empty", place=path)
    except OSError as error:
        raise SourceError(f"cannot be opened: {error.strerror}", place=path) from error
    except ValueError as error:
        raise SourceError("this cannot be a file's name", place=repr(str(path))) from error
