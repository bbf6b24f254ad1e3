"""The files of an archive, and which of their names are taken: archives come from strangers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import COUNT, exceeded, limit, written_figure

CHUNK = 1 << 20
"""Bytes of a file that are handed on at once, at the most."""

MAX_DEPTH = 40
"""Folders inside one another (ours)."""

UNPACK_HINT = "Unpack it yourself and open the folder, if you trust where it comes from."

_MAX_NAME = 255
"""Bytes of a file's name on the common file systems."""
_LITTER = (".DS_Store", "Thumbs.db", "desktop.ini")


@dataclass(frozen=True, slots=True)
class Member:
    """A file of the archive: the parts of its name, its size as the archive says, and its bytes, to be taken before the
    next member; they are never more than the size."""

    parts: tuple[str, ...]
    size: int
    chunks: Iterator[bytes]


class BrokenArchive(Exception):  # noqa: N818 - a fact about a file, told as SourceError
    """The archive is damaged or of no known kind; the message says where."""


def safe_parts(name: str, path: Path) -> tuple[str, ...]:
    """The name's parts, when it stays inside a folder on every system; else SourceError for the archive at `path`."""
    slashed = name.replace("\\", "/")
    parts = tuple(part for part in slashed.split("/") if part not in ("", "."))
    drive = bool(parts) and len(parts[0]) >= 2 and parts[0][1] == ":"
    if not parts or slashed.startswith("/") or ".." in parts or drive or any(letter < " " for letter in name):
        raise refused(path, name, "is a name that leads out of the archive's folder")
    if len(parts) > MAX_DEPTH or any(len(part.encode("utf-8", "replace")) > _MAX_NAME for part in parts):
        raise refused(path, name, "is too long a name")
    return parts


def is_litter(name: str) -> bool:
    """What systems leave behind beside the data."""
    return name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1] in _LITTER


def refused(path: Path, name: str, why: str) -> SourceError:
    """The error of an archive with a file that is not taken."""
    return SourceError(f"{name[:80]!r} {why}; the archive is not opened", place=path, hint=UNPACK_HINT)


def check_count(entries: int, path: Path) -> None:
    """SourceError when the archive has, or says to have, too many entries: files, folders and headers."""
    most = limit("archive-files")
    if entries > most:
        raise exceeded("archive-files", f"the archive holds more than {written_figure(COUNT, most)} files", place=path)
