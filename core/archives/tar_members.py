"""What lies in a tar stream, entry by entry (POSIX.1-2017, pax; GNU tar's long names and large numbers).

Python's own reader searches pax headers in quadratic time (CVE-2024-6232, mended in later patches of the versions that
this program runs on), and calls itself for every header before a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.archives.names import CHUNK, BrokenArchive, Member, check_count, is_litter, refused, safe_parts
from stepscope.core.archives.packings import ByteReader

_BLOCK = 512
_MAX_HEADER = 1 << 20
"""Bytes of one header with its long names: a name has some thousand at most, the rest are times and rights."""
_MAX_DIGITS = 20
_POSIX = b"ustar\0"
_FILES, _OLD_FILE, _FOLDERS = b"07\0", b"\0", b"5"
_LONG_NAME, _LONG_LINK, _PAX, _PAX_GLOBAL, _SPARSE = b"L", b"K", b"xX", b"g", b"S"
_NAME, _SIZE, _HOLES = "path", "size", "GNU.sparse."


def tar_members(stream: ByteReader, path: Path) -> Iterator[Member]:
    """The regular files in the archive's order; what follows its end is not read. Raises BrokenArchive for damage, and
    SourceError for links, devices, sparse files, names that lead out and too many entries."""
    source = _TarStream(stream)
    everywhere: dict[str, str] = {}
    known = dict(everywhere)  # of the next file: what headers before it say
    number = 0
    while (head := source.header()) is not None:
        kind, size = head[156:157], _number(head[124:136])
        if kind in _LONG_NAME + _LONG_LINK + _PAX + _PAX_GLOBAL:
            if size > _MAX_HEADER:
                raise BrokenArchive("a header is too large")
            said = source.take(size)
            source.skip(-size % _BLOCK)
            if kind in _LONG_NAME:
                known[_NAME] = _text(said.partition(b"\0")[0])
            elif kind in _PAX:
                known |= _records(said)
            elif kind in _PAX_GLOBAL:
                everywhere |= _records(said)
                known = everywhere | known
            continue
        number += 1
        check_count(number, path)
        name = known.get(_NAME) or _own_name(head)
        sparse = kind in _SPARSE or any(key.startswith(_HOLES) for key in known)
        if _SIZE in known:
            size = _decimal(known[_SIZE])
        known = dict(everywhere)
        if kind in _FOLDERS or (kind == _OLD_FILE and name.endswith("/")):
            continue
        parts = safe_parts(name, path)
        if sparse or kind not in _FILES:
            raise refused(path, name, "is a link, a device or sparse")
        chunks = source.chunks(size)
        if not is_litter(name):
            yield Member(parts, size, chunks)
        for _ in chunks:
            pass  # what was not taken
        source.skip(-size % _BLOCK)


class _TarStream:
    """The stream, of which nothing may be missing."""

    def __init__(self, stream: ByteReader) -> None:
        self._stream = stream
        self._first = True

    def header(self) -> bytes | None:
        """The next header, None at the archive's end: a block of zeros, or the stream's end behind a file."""
        block = self._stream.read(_BLOCK)
        if not block and not self._first:
            return None
        if len(block) < _BLOCK:
            raise BrokenArchive("it is cut short" if block else "it is empty")
        self._first = False
        if not block.strip(b"\0"):
            return None
        told = _number(block[148:156])
        if told != sum(block) - sum(block[148:156]) + 8 * 0x20 and told != _signed_sum(block):
            raise BrokenArchive("a header does not fit its check sum")
        return block

    def take(self, count: int) -> bytes:
        data = self._stream.read(count)
        if len(data) < count:
            raise BrokenArchive("it is cut short")
        return data

    def skip(self, count: int) -> None:
        for _ in self.chunks(count):
            pass

    def chunks(self, count: int) -> Iterator[bytes]:
        """The next `count` bytes in pieces."""
        left = count
        while left:
            piece = self._stream.read(min(left, CHUNK))
            if not piece:
                raise BrokenArchive("it is cut short")
            left -= len(piece)
            yield piece


def _signed_sum(block: bytes) -> int:
    """The check sum as some old programs made it, of signed bytes."""
    rest = block[:148] + block[156:]
    return sum(rest) - 256 * sum(octet > 127 for octet in rest) + 8 * 0x20


def _number(field: bytes) -> int:
    """A number of a header: octal digits, or GNU's large ones, whose first bit is set."""
    if field[0] in (0x80, 0xFF):
        value = int.from_bytes(field[1:], "big", signed=field[0] == 0xFF)
        if value < 0:
            raise BrokenArchive("a size is below zero")
        return value
    digits = field.partition(b"\0")[0].strip()
    if digits.strip(b"01234567"):
        raise BrokenArchive("a header has no number where one should be")
    return int(digits or b"0", 8)


def _decimal(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > _MAX_DIGITS:
        raise BrokenArchive("a pax header has no number where one should be")
    return int(text)


def _own_name(head: bytes) -> str:
    name = head[:100].partition(b"\0")[0]
    prefix = head[345:500].partition(b"\0")[0] if head[257:263] == _POSIX else b""
    return _text(prefix + b"/" + name if prefix else name)


def _records(data: bytes) -> dict[str, str]:
    """What is asked for of a pax header's records, each "length key=value\\n"."""
    found: dict[str, str] = {}
    place = 0
    while place < len(data) and data[place]:
        digits = data[place : place + _MAX_DIGITS].partition(b" ")[0]
        if not digits.isdigit() or not len(digits) + 2 < int(digits) <= len(data) - place:
            raise BrokenArchive("a pax header is broken")
        key, equals, value = data[place + len(digits) + 1 : place + int(digits) - 1].partition(b"=")
        place += int(digits)
        if not equals:
            raise BrokenArchive("a pax header is broken")
        name = _text(key)
        if name in (_NAME, _SIZE):
            found[name] = _text(value)
        elif name.startswith(_HOLES):
            found[_HOLES] = ""
    return found


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
