"""The pages of a SQLite file, read without SQLite: what is left of a damaged one.

SQLite stops at the first page that makes no sense. Here every page stands for itself: rows are taken out of each leaf,
found from above where the way down is whole, or on its own where it is not. One broken cell costs one row.
Format: sqlite.org/fileformat2.html (the header, b-tree pages, cells, the record format, overflow and free pages).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from mmap import mmap

from stepscope.core.frozen import dataclass

MAGIC = b"SQLite format 3\0"
_TABLE_INNER, _TABLE_LEAF, _INDEX_INNER, _INDEX_LEAF = 0x05, 0x0D, 0x02, 0x0A
_KINDS = {_TABLE_INNER, _TABLE_LEAF, _INDEX_INNER, _INDEX_LEAF}
_INNER = {_TABLE_INNER, _INDEX_INNER}
_SIZES = tuple(1 << power for power in range(9, 17))
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_HEADER = 100

Value = int | float | str | bytes | None


class DatabasePageError(ValueError):
    """A page, a cell or a record is not what the format says."""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A row as it lies in the file: `rowid` is None in a table without one, where the key's columns come first."""

    rowid: int | None
    values: tuple[Value, ...]


@dataclass(slots=True)
class PageWalkReport:
    """The damage that a walk met: broken pages and broken cells, by count."""

    pages: int = 0
    cells: int = 0


class PageFile:
    """A store's bytes (or a memory map of its file) as pages, numbered from 1. Raises PageError for what has none."""

    def __init__(self, data: bytes | mmap) -> None:
        self._data = data
        self.page_size = self._found_size()
        if not self.page_size:
            raise DatabasePageError("there is no page of a SQLite database in it")
        self._usable = self.page_size - (data[20] if data[:16] == MAGIC and data[20] < 64 else 0)
        self.count = -(-len(data) // self.page_size)
        self.seen: set[int] = set()

    def _found_size(self) -> int:
        """What the header says, where that makes pages of the file; else the size that makes the most."""
        said = int.from_bytes(self._data[16:18], "big")
        said = 65536 if said == 1 else said
        alike = {size: self._alike(size) for size in _SIZES}
        best = max(_SIZES, key=lambda size: alike[size])
        return said if 2 * alike.get(said, 0) > alike[best] else best if alike[best] else 0

    def _alike(self, size: int) -> int:
        """How many pages of this size in the file's first megabyte look like those of a b-tree."""
        return sum(self._is_alike(begin, size) for begin in range(0, min(len(self._data), 1 << 20), size))

    def _is_alike(self, begin: int, size: int) -> bool:
        at = 0 if begin else _HEADER
        head = self._data[begin + at : begin + at + 8]
        if len(head) < 8 or head[0] not in _KINDS:
            return False
        free, cells, content = struct.unpack(">HHH", head[1:7])
        return bool(at + 8 + 2 * cells <= (content or 65536) <= size and free < size)

    def free_pages(self) -> set[int]:
        """Pages that the file keeps for later, as far as its list of them can be followed."""
        trunk, found = int.from_bytes(self._data[32:36], "big"), set[int]()
        while 1 < trunk <= self.count and trunk not in found:
            found.add(trunk)
            page = self._page(trunk)
            number = int.from_bytes(page[4:8], "big")
            leaves = range(min(number, (len(page) - 8) // 4))
            found |= {int.from_bytes(page[8 + 4 * n : 12 + 4 * n], "big") for n in leaves}
            trunk = int.from_bytes(page[:4], "big")
        return found

    def leaves(self, root: int, met: PageWalkReport) -> Iterator[int]:
        """The pages with rows of the b-tree at this page, in no order; what is broken is counted and passed over."""
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self.seen:
                continue
            if not 1 <= number <= self.count:
                met.pages += 1
                continue
            self.seen.add(number)
            try:
                kind, cells = self._cells(number)
            except DatabasePageError:
                met.pages += 1
                continue
            if kind in _INNER:
                waiting += self._children(number, cells)
            if kind != _TABLE_INNER:
                yield number

    def orphans(self) -> Iterator[int]:
        """Pages with rows that no walk has met and that are not free: those below a page that is lost."""
        free = self.free_pages()
        for number in range(1, self.count + 1):
            if number not in self.seen and number not in free:
                at = (number - 1) * self.page_size
                if self._data[at : at + 1] in (b"\x0d", b"\x0a", b"\x02"):
                    yield number

    def records(self, number: int, met: PageWalkReport) -> Iterator[TableRecord]:
        """The rows of one page; broken ones are counted and passed over."""
        try:
            kind, cells = self._cells(number)
        except DatabasePageError:
            return
        yield from self._rows(number, kind, cells, met)

    def _page(self, number: int) -> bytes:
        return self._data[(number - 1) * self.page_size : number * self.page_size]

    def _cells(self, number: int) -> tuple[int, list[int]]:
        """The page's kind and where its cells begin. Raises PageError."""
        page, at = self._page(number), _HEADER if number == 1 else 0
        if len(page) < at + 8 or page[at] not in _KINDS:
            raise DatabasePageError("no page of a b-tree")
        kind, cells = page[at], int.from_bytes(page[at + 3 : at + 5], "big")
        begin = at + (12 if kind in _INNER else 8)
        if begin + 2 * cells > len(page):
            raise DatabasePageError("the page names more cells than it has room for")
        return kind, list(struct.unpack_from(f">{cells}H", page, begin))

    def _children(self, number: int, cells: list[int]) -> list[int]:
        page, at = self._page(number), _HEADER if number == 1 else 0
        left = [int.from_bytes(page[cell : cell + 4], "big") for cell in cells if cell + 4 <= len(page)]
        return [int.from_bytes(page[at + 8 : at + 12], "big"), *left]

    def _rows(self, number: int, kind: int, cells: list[int], met: PageWalkReport) -> Iterator[TableRecord]:
        if kind == _TABLE_INNER:
            return
        page = self._page(number)
        for cell in cells:
            try:
                yield self._row(page, kind, cell)
            except (DatabasePageError, IndexError, struct.error, UnicodeDecodeError):
                met.cells += 1

    def _row(self, page: bytes, kind: int, at: int) -> TableRecord:
        at += 4 if kind == _INDEX_INNER else 0
        size, at = _varint(page, at)
        rowid = None
        if kind == _TABLE_LEAF:
            rowid, at = _varint(page, at)
            rowid -= 1 << 64 if rowid >= 1 << 63 else 0
        return TableRecord(rowid, _values(self._payload(page, at, size, kind)))

    def _payload(self, page: bytes, at: int, size: int, kind: int) -> bytes:
        """A cell's bytes, with those that lie on other pages."""
        usable = self._usable
        most = usable - 35 if kind == _TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        if size > len(self._data):
            raise DatabasePageError("a row is longer than the file")
        if size <= most:
            if at + size > usable:
                raise DatabasePageError("a row goes beyond its page")
            return page[at : at + size]
        least = (usable - 12) * 32 // 255 - 23
        here = least + (size - least) % (usable - 4)
        here = least if here > most else here
        if at + here + 4 > len(page):
            raise DatabasePageError("a row goes beyond its page")
        parts, left, met = [page[at : at + here]], size - here, set[int]()
        following = int.from_bytes(page[at + here : at + here + 4], "big")
        while left > 0:
            if not 1 <= following <= self.count or following in met:
                raise DatabasePageError("the rest of a row is lost")
            met.add(following)
            more = self._page(following)
            part = more[4 : 4 + min(left, usable - 4)]
            if len(part) < min(left, usable - 4):
                raise DatabasePageError("the rest of a row is cut off")
            parts.append(part)
            left -= len(part)
            following = int.from_bytes(more[:4], "big")
        self.seen |= met
        return b"".join(parts)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes and the place behind it."""
    value = 0
    for place in range(8):
        byte = data[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    return value << 8 | data[at + 8], at + 9


def _values(payload: bytes) -> tuple[Value, ...]:
    """The values of a record. Raises PageError where it is none, UnicodeDecodeError for a text that is no UTF-8."""
    size, at = _varint(payload, 0)
    if size > len(payload):
        raise DatabasePageError("a row's head is longer than the row")
    kinds = []
    while at < size:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    at = size
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise DatabasePageError("a row has another length than its values")
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(_part(payload, at, end), "big", signed=True), end
    if kind == 7:
        return struct.unpack(">d", _part(payload, at, at + 8))[0], at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind < 12:
        raise DatabasePageError("a value is of no kind that there is")
    end = at + (kind - 12 - kind % 2) // 2
    part = _part(payload, at, end)
    return (part.decode("utf-8") if kind % 2 else part), end


def _part(payload: bytes, begin: int, end: int) -> bytes:
    if end > len(payload):
        raise DatabasePageError("a value goes beyond its row")
    return payload[begin:end]
