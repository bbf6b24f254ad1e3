"""The wire format of protocol buffers, walked without copying: fields with their places (encoding guide of
protobuf.dev)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stepscope.core.errors import SourceError
from stepscope.core.limits import exceeded, limit

Fields = Iterator[tuple[int, int, int]]

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
_LONGEST = 10
_FEW = 24


def fields_of(data: memoryview, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Number, wire type, place and length of each field of the message in data[start:end].

    A varint's "length" is its value (unsigned, 64 bits). Raises SourceError for what is no protobuf message; groups,
    which proto3 does not write, are refused.
    """
    place = start
    while place < end:
        key, place = _varint(data, place, end)
        number, wire = key >> 3, key & 7
        if not 0 < number < 1 << 29:
            raise SourceError(f"byte {place} begins no protobuf field")
        if wire == LENGTH:
            length, place = _varint(data, place, end)
        elif wire == VARINT:
            value, after = _varint(data, place, end)
            yield number, wire, place, value
            place = after
            continue
        elif wire == FIXED32:
            length = 4
        elif wire == FIXED64:
            length = 8
        else:
            raise SourceError(f"byte {place} has a protobuf wire type that is not read ({wire})")
        if length > end - place:
            raise SourceError(f"a protobuf field of {length} bytes at byte {place} goes beyond the record")
        yield number, wire, place, length
        place += length


class MessageWalk:
    """A walk over messages inside one another that ends after `limit(name)` fields. The error above it says that there
    are more than so many `of` them."""

    def __init__(self, data: memoryview, name: str, of: str) -> None:
        self._data, self._limit, self._of = data, name, of
        self._left = limit(name)

    def fields(self, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
        """The fields as `fields_of` gives them; SourceError also for too many."""
        for field in fields_of(self._data, start, end):
            self.count(1)
            yield field

    def count(self, fields: int) -> None:
        """Count fields, or numbers that lie packed in one. SourceError when they are too many."""
        self._left -= fields
        if self._left < 0:
            raise exceeded(self._limit, f"it holds more than {limit(self._limit):,} {self._of}")


def packed_count(data: memoryview) -> int:
    """How many whole numbers a packed field holds."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) < 0x80))


def unpacked_varints(data: memoryview) -> list[int]:
    """The whole numbers (signed, 64 bits) of a packed field."""
    if len(data) <= _FEW:
        return _one_by_one(data)
    octets = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(octets < 0x80)
    if not len(ends) or ends[-1] != len(octets) - 1:
        raise SourceError("a whole number is cut short")
    starts = np.concatenate(([0], ends[:-1] + 1))
    lengths = ends - starts + 1
    if lengths.max() > _LONGEST:
        raise SourceError("a whole number has more than ten bytes")
    values = np.zeros(len(ends), np.uint64)
    for place in range(int(lengths.max())):
        there = np.flatnonzero(lengths > place)
        values[there] |= (octets[starts[there] + place] & np.uint8(0x7F)).astype(np.uint64) << np.uint64(7 * place)
    return values.view(np.int64).tolist()


def _one_by_one(data: memoryview) -> list[int]:
    values, place = [], 0
    while place < len(data):
        value, place = _varint(data, place, len(data))
        values.append(value - (1 << 64) if value >> 63 else value)
    return values


def _varint(data: memoryview, place: int, end: int) -> tuple[int, int]:
    """The number at `place` (unsigned, its lowest 64 bits) and the place after it."""
    value = shift = 0
    while place < end:
        octet = data[place]
        place += 1
        value |= (octet & 0x7F) << shift
        if octet < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, place
        shift += 7
        if shift == 7 * _LONGEST:
            raise SourceError(f"a whole number at byte {place} has more than ten bytes")
    raise SourceError("a whole number is cut short")
