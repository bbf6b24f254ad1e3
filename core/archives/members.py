"""What lies in a zip or tar archive, as a stream of files; archives from strangers, so nothing they say is relied on.

Links, devices, encrypted and sparse files and names that lead elsewhere are refused with a SourceError for the whole
archive: no data set needs them. An archive inside an archive stays a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

from stepscope.core.archives.budget import Budget
from stepscope.core.archives.inflate import InflateError
from stepscope.core.archives.names import UNPACK_HINT, BrokenArchive, Member
from stepscope.core.archives.opening import open_file, unreadable
from stepscope.core.archives.packings import PieceReader, packing_of, unpacked
from stepscope.core.archives.tar_members import tar_members
from stepscope.core.archives.zip_members import ZipMembers
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import exceeded, limit

_ZIP = b"PK"
_NOT_READ = {b"7z\xbc\xaf\x27\x1c": "7-Zip", b"Rar!\x1a\x07": "RAR"}
_LONGEST_MAGIC = 8
_BUFFER = 1 << 18
_BROKEN_HINT = "Fetch the file again."


@dataclass(frozen=True, slots=True)
class ArchiveMembers:
    """The files; `count` and `size` (bytes, as the archive says) are known before reading only for a zip file."""

    members: Iterator[Member]
    count: int | None = None
    size: int = 0


@contextmanager
def open_archive(path: Path) -> Iterator[ArchiveMembers]:
    """The archive's files in its own order. SourceError for what is neither zip nor tar, broken or refused."""
    with ExitStack() as stack:
        with _told(path):
            contents = _contents(stack.enter_context(open_file(path)), path)
        yield contents


def _contents(stream: BinaryIO, path: Path) -> ArchiveMembers:
    head = stream.read(_LONGEST_MAGIC)
    stream.seek(0)
    if head.startswith(_ZIP):
        archive = ZipMembers(path)
        return ArchiveMembers(_members(iter(archive), path), archive.count, archive.size)
    return ArchiveMembers(_members(tar_members(_without_packings(stream, path), path), path))


def _members(found: Iterator[Member], path: Path) -> Iterator[Member]:
    for member in _guarded(found, path):
        yield Member(member.parts, member.size, _guarded(member.chunks, path))


def _without_packings(stream: BinaryIO, path: Path) -> PieceReader:
    """The stream under all that it is packed in. What comes out of every layer is counted: one of them alone could
    become endless and the next one make little of it."""
    source = PieceReader(iter(lambda: stream.read(_BUFFER), b""))
    layers = 1
    while True:
        head = source.read(_LONGEST_MAGIC)
        source = PieceReader(_rest(head, source))
        if name := next((name for magic, name in _NOT_READ.items() if head.startswith(magic)), ""):
            hint = "Unpack it with a program of yours and open the folder."
            raise SourceError(f"{name} archives are not read", place=path, hint=hint)
        if layers > 1 and head.startswith(_ZIP):
            hint = "Unpack it once and open what is in it."
            raise SourceError("it is a zip file that is packed once more", place=path, hint=hint)
        packing = packing_of(head)
        if not packing:
            return source
        layers += 1
        if layers > limit("archive-layers"):
            raise exceeded("archive-layers", f"it is packed {layers - 1} times around one another", place=path)
        source = PieceReader(Budget(path, path.stat().st_size).counted(_guarded(unpacked(source, packing), path)))


def _rest(head: bytes, source: PieceReader) -> Iterator[bytes]:
    """What was looked at and what follows."""
    if head:
        yield head
    while piece := source.read(_BUFFER):
        yield piece


_Item = TypeVar("_Item")


def _guarded(items: Iterator[_Item], path: Path) -> Iterator[_Item]:
    """Pass the items on; whatever goes wrong between them becomes a SourceError."""
    while True:
        with _told(path):
            try:
                item = next(items)
            except StopIteration:
                return
        yield item


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Raise what goes wrong as SourceError."""
    try:
        yield
    except (BrokenArchive, InflateError, UnicodeDecodeError) as error:
        message = f"the archive is broken, cut short or of no known kind ({error})"
        raise SourceError(message, place=path, hint=_BROKEN_HINT) from error
    except (ValueError, OverflowError) as error:
        raise SourceError(f"the archive cannot be read ({error})", place=path, hint=UNPACK_HINT) from error
    except OSError as error:
        raise unreadable(error, path) from error
