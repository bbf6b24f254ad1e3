"""Files of JSON records: JSON Lines, one list of objects, or a single object, told apart by content.

Records are found by their place (offset and length in bytes), so that a file is walked once in flat memory and one
record is read again without the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from stepscope.core.domain.episode import Problem
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import LFS_HINT, LFS_POINTER
from stepscope.core.json_bounds import bounded_loads
from stepscope.core.limits import BYTES, exceeded, hint, limit, written_figure
from stepscope.core.regular_files import open_regular
from stepscope.core.sources.files import bounded_lines, long_line, parse_json

_LINE_SUFFIXES = (".jsonl", ".ndjson")
_CHUNK = 1 << 20
_LIST_CHUNK = 1 << 18
"""Pieces of a list that stay in the processor's cache are looked through the quickest (measured)."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ByteSpan:
    """The place of record `number` (from 1), in bytes of the file."""

    number: int
    offset: int
    length: int

    @property
    def place(self) -> str:
        """The reader's note by which `span_at` finds the record again."""
        return f"{self.offset} {self.length}"


def span_at(place: str) -> ByteSpan:
    """The span that a note of an index names; SourceError when it is none."""
    numbers = place.split(" ")
    if len(numbers) != 2 or not all(number.isdecimal() and len(number) < 16 for number in numbers):
        raise SourceError("the index's note of this record's place is not understood")
    return ByteSpan(0, int(numbers[0]), int(numbers[1]))


def find_records(path: Path) -> Iterator[ByteSpan | Problem]:
    """Every record's place in order; a problem where the file stops making sense.

    Raises SourceError when the file cannot be opened or is only a git-lfs pointer.
    """
    try:
        with open_regular(path) as stream:
            head = stream.read(len(LFS_POINTER) + len(_BOM))
            if head.startswith(LFS_POINTER):
                raise SourceError("the file is not there, only its git-lfs pointer", place=path, hint=LFS_HINT)
            start = len(_BOM) if head.startswith(_BOM) else 0
            first = _first_byte(stream, start)
            stream.seek(start)
            if first is None:
                yield Problem("the file is empty")
            elif first[1] == b"[":
                yield from _bounded(_items(stream, first[0] + 1))
            elif path.suffix.lower() in _LINE_SUFFIXES or (first[1] == b"{" and _is_line(stream, first[0])):
                yield from _bounded(_lines(stream, start))
            else:
                yield ByteSpan(1, start, path.stat().st_size - start)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=path) from error


def find_items(path: Path, offset: int) -> Iterator[ByteSpan | Problem]:
    """The places of the items of a list inside a larger object; the first byte behind its bracket is at `offset`."""
    try:
        with open_regular(path) as stream:
            yield from _bounded(_items(stream, offset, alone=False))
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=path) from error


def read_span(path: Path, span: ByteSpan) -> bytes:
    """The record's bytes; SourceError when the file is no longer that long or the record is too large."""
    most = limit("json-bytes")
    if span.length > most:
        message = f"the record is larger than {written_figure(BYTES, most)}"
        raise exceeded("json-bytes", message, place=path, record=span.number or "")
    try:
        with open_regular(path) as stream:
            stream.seek(span.offset)
            data = stream.read(span.length)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=path) from error
    if len(data) != span.length:
        raise SourceError("the file is shorter than it was when it was indexed", place=path)
    return data


def read_record(path: Path, span: ByteSpan) -> Mapping[str, Any]:
    """The JSON object at `span`; SourceError when it is broken or something else."""
    form = record_value(read_span(path, span), path, span)
    if not isinstance(form, dict):
        raise SourceError("the record is no JSON object", place=path, record=span.number or "")
    return form


def record_value(data: bytes, path: Path, span: ByteSpan) -> object:
    """`data` as JSON, with the record's number in what goes wrong."""
    record = span.number or ""
    try:
        return parse_json(data.decode("utf-8").strip(), path)
    except UnicodeDecodeError as error:
        raise SourceError(f"is not UTF-8 text (byte {error.start})", place=path, record=record) from error
    except SourceError as error:
        raise SourceError(error.message, place=path, record=record, hint=error.hint) from error


def record_problem(error: SourceError, span: ByteSpan, path: Path) -> Problem:
    """A refused record as a problem that names it by its number in the file."""
    message = f"record {span.number}: {error.message}. {error.hint}".rstrip(" .")
    return Problem(message, field=error.field, file=str(path))


def _first_byte(stream: BinaryIO, start: int) -> tuple[int, bytes] | None:
    """Offset and value of the first byte that is no white space."""
    stream.seek(start)
    offset = start
    while chunk := stream.read(_CHUNK):
        bare = chunk.lstrip()
        if bare:
            return offset + len(chunk) - len(bare), bare[:1]
        offset += len(chunk)
    return None


def _is_line(stream: BinaryIO, offset: int) -> bool:
    """Whether the first record stands on a line of its own and more follows: JSON Lines under another suffix."""
    stream.seek(offset)
    line = stream.readline(limit("json-bytes"))
    more = stream.read(_CHUNK).strip()
    stream.seek(offset)
    if not more:
        return False
    try:
        return isinstance(bounded_loads(line.decode("utf-8")), dict)
    except (ValueError, RecursionError):
        return False


def _lines(stream: BinaryIO, start: int) -> Iterator[ByteSpan | Problem]:
    stream.seek(start)
    for number, offset, line in bounded_lines(stream):
        if line is None:
            yield Problem(f"line {number}: {long_line()}. {hint('json-bytes')}")
        elif line.strip():
            yield ByteSpan(number, offset, len(line))


def _bounded(records: Iterator[ByteSpan | Problem]) -> Iterator[ByteSpan | Problem]:
    """The records up to `file-records`, and a problem where there are more."""
    most, count = limit("file-records"), 0
    for record in records:
        count += isinstance(record, ByteSpan)
        if count > most:
            yield Problem(f"the file has more than {most:,} records; the rest is not read. {hint('file-records')}")
            return
        yield record


def _items(stream: BinaryIO, offset: int, *, alone: bool = True) -> Iterator[ByteSpan | Problem]:
    """The objects and lists of the list whose first byte behind the bracket is at `offset`.

    A problem comes at the end when the list is cut short, when it holds other items as well, and, when it is `alone`
    in its file, when something follows it.
    """
    from stepscope.core.sources.json_lists import ListScanner

    scanner = ListScanner(offset)
    stream.seek(offset)
    while not scanner.ended and (chunk := stream.read(_LIST_CHUNK)):
        for number, (start, length) in enumerate(scanner.feed(chunk), scanner.count + 1):
            yield ByteSpan(number, start, length)
    if not scanner.ended:
        yield Problem(f"the file ends before its list does; {scanner.count} whole records are in it")
    elif alone and (scanner.rest.strip() or _first_byte(stream, stream.tell())):
        yield Problem("something follows the end of the list; it is not read")
    if scanner.stranger is not None:
        yield Problem(f"the list has items that are no records: the first one after record {scanner.stranger}")
