"""What lies in a zip file, entry by entry (PKWARE's APPNOTE 6.3).

Python's own reader makes an object of every entry at once, which takes a gigabyte for a million of them, and cannot
bound what bzip2 and lzma give at a time. Here the table of contents is walked as a stream, and a member gives no byte
more than the table says.
"""

from __future__ import annotations

import io
import stat
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from stepscope.core.archives.inflate import InflateError
from stepscope.core.archives.names import BrokenArchive, Member, check_count, is_litter, refused, safe_parts
from stepscope.core.archives.opening import open_file
from stepscope.core.archives.packings import unpacked_member, zip_methods
from stepscope.core.frozen import dataclass
from stepscope.core.limits import limit

_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR_64 = 20
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_FIELD = struct.Struct("<HH")
_END_MAGIC, _END_64_MAGIC, _LOCATOR_MAGIC = b"PK\5\6", b"PK\6\6", b"PK\6\7"
_LONGEST_TAIL = _END.size + 0xFFFF
_IN_64 = 0xFFFFFFFF
_ENCRYPTED, _END_MARKED, _UTF8 = 0x1, 0x2, 0x800
_BUFFER = 1 << 18


@dataclass(frozen=True, slots=True)
class _ZipEntry:
    """A file as the table of contents tells it; `offset` is where its local header begins."""

    name: str
    flags: int
    method: int
    check: int
    packed: int
    size: int
    mode: int
    offset: int


class ZipMembers:
    """The zip file at `path`. `count` files and `size` bytes in all, as its table of contents says; litter and folders
    are left out. Raises BrokenArchive, and SourceError for too many entries."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with open_file(path) as stream:
            self._start, self._length, self._shift = _table(stream, path)
        self.count = self.size = 0
        for entry in self._entries():
            self.count += 1
            self.size += entry.size

    def __iter__(self) -> Iterator[Member]:
        """The files in the table's order. SourceError for one that is refused."""
        with open_file(self._path) as raw, io.BufferedReader(raw, _BUFFER) as stream:  # type: ignore[type-var]
            for entry in self._entries():
                parts = safe_parts(entry.name, self._path)
                kind = stat.S_IFMT(entry.mode)
                if kind not in (0, stat.S_IFREG):
                    raise refused(self._path, entry.name, "is a link or device")
                if entry.flags & _ENCRYPTED:
                    raise refused(self._path, entry.name, "is encrypted")
                if entry.method not in zip_methods():
                    why = f"is compressed by a method that is not read (number {entry.method})"
                    raise refused(self._path, entry.name, why)
                yield Member(parts, entry.size, _chunks(stream, entry))

    def _entries(self) -> Iterator[_ZipEntry]:
        """The files of the table of contents, which is never in memory as a whole."""
        with open_file(self._path) as raw, io.BufferedReader(raw, _BUFFER) as stream:  # type: ignore[type-var]
            stream.seek(self._start)
            left, number, most = self._length, 0, limit("archive-files")
            while left > 0:
                number += 1
                if number > most:
                    check_count(number, self._path)
                entry, length = _entry(stream, self._shift)
                left -= length
                if not entry.name.endswith("/") and not is_litter(entry.name):
                    yield entry


def _table(stream: BinaryIO, path: Path) -> tuple[int, int, int]:
    """Where the table of contents begins, its bytes, and how many bytes stand before the archive."""
    length = stream.seek(0, 2)
    tail_start = max(0, length - _LONGEST_TAIL - _LOCATOR_64 - _END_64.size)
    stream.seek(tail_start)
    tail = stream.read(length - tail_start)
    place = tail.rfind(_END_MAGIC)
    if place < 0 or len(tail) - place < _END.size:
        raise BrokenArchive("it has no table of contents")
    _, _, _, _, count, size, offset, _ = _END.unpack_from(tail, place)
    end = place
    if tail[max(place - _LOCATOR_64, 0) : place][:4] == _LOCATOR_MAGIC:
        large = place - _LOCATOR_64 - _END_64.size
        if large >= 0 and tail.startswith(_END_64_MAGIC, large):
            _, _, _, _, _, _, _, count, size, offset = _END_64.unpack_from(tail, large)
            end = large
    check_count(count, path)
    start = tail_start + end - size
    shift = start - offset
    if start < 0 or shift < 0:
        raise BrokenArchive("its table of contents is cut short")
    return start, size, shift


def _entry(stream: BinaryIO, shift: int) -> tuple[_ZipEntry, int]:
    """The next entry of the table and how many bytes it takes there."""
    head = stream.read(_ENTRY.size)
    if len(head) < _ENTRY.size or head[:4] != b"PK\1\2":
        raise BrokenArchive("its table of contents is broken")
    _, _, _, flags, method, _, _, check, packed, size, names, extras, comments, _, _, attributes, offset = (
        _ENTRY.unpack(head)
    )
    rest = stream.read(names + extras + comments)
    if len(rest) < names + extras + comments:
        raise BrokenArchive("its table of contents is cut short")
    if _IN_64 in (packed, size, offset):
        size, packed, offset = _large(rest[names : names + extras], size, packed, offset)
    name = rest[:names].decode("utf-8" if flags & _UTF8 else "cp437").partition("\0")[0]
    return _ZipEntry(name, flags, method, check, packed, size, attributes >> 16, shift + offset), _ENTRY.size + len(
        rest
    )


def _large(extra: bytes, *numbers: int) -> list[int]:
    """Size, packed size and offset out of the extended field, where the entry has no room for them (4.5.3)."""
    place = 0
    while place + _FIELD.size <= len(extra):
        kind, length = _FIELD.unpack_from(extra, place)
        place += _FIELD.size
        if kind == 1:
            given = extra[place : place + length]
            there = iter(struct.unpack_from(f"<{len(given) // 8}Q", given))
            try:
                return [next(there) if number == _IN_64 else number for number in numbers]
            except StopIteration:
                break
        place += length
    raise BrokenArchive("an entry of its table of contents lacks its size")


def _chunks(stream: BinaryIO, entry: _ZipEntry) -> Iterator[bytes]:
    """The member's bytes, held against the table's size and check sum."""
    stream.seek(entry.offset)
    head = stream.read(_LOCAL.size)
    if len(head) < _LOCAL.size or head[:4] != b"PK\3\4":
        raise BrokenArchive(f"{entry.name[:80]!r} is not where it should be")
    *_, names, extras = _LOCAL.unpack(head)
    stream.seek(names + extras, 1)
    left, check = entry.size, 0
    packed = _StreamSection(stream, entry.packed)
    for piece in unpacked_member(packed, entry.method, entry.size, bool(entry.flags & _END_MARKED)):
        left -= len(piece)
        if left < 0:
            raise InflateError(f"{entry.name[:80]!r} holds more than it says")
        check = zlib.crc32(piece, check)
        yield piece
    if left:
        raise InflateError(f"{entry.name[:80]!r} holds less than it says")
    if check != entry.check:
        raise InflateError(f"{entry.name[:80]!r} does not fit its check sum")


class _StreamSection:
    """The next `length` bytes of a stream."""

    def __init__(self, stream: BinaryIO, length: int) -> None:
        self._stream, self._left = stream, length

    def read(self, count: int) -> bytes:
        data = self._stream.read(min(count, self._left))
        self._left -= len(data)
        return data
