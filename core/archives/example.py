"""tf.train.Example records, read where they lie: only what is asked for is decoded, and bytes are not copied.

Wire format as in the protocol buffers encoding guide. Example{1 features}, Features{map 1: key 1, value 2},
Feature{oneof 1 bytes_list, 2 float_list, 3 int64_list}, each list {repeated 1} (tensorflow/core/example/example.proto
and feature.proto). Numbers may be packed or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from stepscope.core.archives.wire import FIXED32, LENGTH, VARINT, MessageWalk, packed_count, unpacked_varints
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass

_KINDS = {1: "bytes", 2: "numbers with fraction", 3: "whole numbers"}
_BYTES, _FLOATS, _INTS = 1, 2, 3
_LIMIT, _VALUES = "record-values", "fields or values"


@dataclass(frozen=True, slots=True)
class _FeatureList:
    """A list's kind (0: none) and where its encoded parts lie, one after another, as protobuf merges them."""

    kind: int = 0
    spans: tuple[tuple[int, int], ...] = ()


class Example:
    """One record's features by name. A name that is not there has an empty list; asking for the wrong kind, and any
    value that is not protobuf, or more values than `record-values` in one list, raises SourceError."""

    def __init__(
        self, data: memoryview, features: dict[str, _FeatureList], place: Path | str, record: str | int
    ) -> None:
        self._data = data
        self._features = features
        self._place = place
        self._record = record

    @classmethod
    def parse(cls, data: bytes | memoryview, *, place: Path | str = "", record: str | int = "") -> Example:
        """The record's features; `place` and `record` name it in errors."""
        view = memoryview(data).cast("B")
        try:
            return cls(view, _features(view), place, record)
        except SourceError as error:
            raise SourceError(error.message, place=place, record=record, field=error.field, hint=error.hint) from error

    @property
    def names(self) -> tuple[str, ...]:
        """The features' names in the record's order."""
        return tuple(self._features)

    def ints(self, name: str) -> list[int]:
        values: list[int] = []
        walk = self._walk()
        for wire, start, value in self._values(name, _INTS, walk):
            if wire == VARINT:
                values.append(value - (1 << 64) if value >> 63 else value)
            elif wire == LENGTH:
                packed = self._data[start : start + value]
                try:
                    walk.count(packed_count(packed))
                    values += unpacked_varints(packed)
                except SourceError as error:
                    raise self._broken(name, error.message, error.hint) from error
            else:
                raise self._broken(name, "holds something else among its whole numbers")
        return values

    def floats(self, name: str) -> list[float]:
        values: list[float] = []
        walk = self._walk()
        for wire, start, value in self._values(name, _FLOATS, walk):
            if wire not in (FIXED32, LENGTH) or value % 4:
                raise self._broken(name, "holds something else among its numbers")
            try:
                walk.count(value // 4)
            except SourceError as error:
                raise self._broken(name, error.message, error.hint) from error
            values += np.frombuffer(self._data[start : start + value], "<f4").tolist()
        return values

    def blobs(self, name: str) -> list[memoryview]:
        """The bytes values, as views into the record."""
        return [self._data[start : start + length] for start, length in self.spans(name)]

    def texts(self, name: str) -> list[str]:
        """The bytes values as UTF-8; what is not UTF-8 becomes the replacement character."""
        return [str(blob, "utf-8", "replace") for blob in self.blobs(name)]

    def spans(self, name: str) -> list[tuple[int, int]]:
        """Offset (inside the record) and length of each bytes value."""
        found = []
        for wire, start, length in self._values(name, _BYTES, self._walk()):
            if wire != LENGTH:
                raise self._broken(name, "holds something else among its bytes")
            found.append((start, length))
        return found

    def _walk(self) -> MessageWalk:
        return MessageWalk(self._data, _LIMIT, _VALUES)

    def _values(self, name: str, kind: int, walk: MessageWalk) -> Iterator[tuple[int, int, int]]:
        """Wire type, place and length (or value) of each value of the list."""
        feature = self._features.get(name, _FeatureList())
        if feature.kind not in (0, kind):
            raise self._broken(name, f"holds {_KINDS[feature.kind]}, not {_KINDS[kind]}")
        try:
            for start, end in feature.spans:
                for number, wire, place, value in walk.fields(start, end):
                    if number == 1:
                        yield wire, place, value
        except SourceError as error:
            raise self._broken(name, error.message, error.hint) from error

    def _broken(self, name: str, message: str, hint: str = "") -> SourceError:
        text = message if message.startswith("holds") else f"cannot be read: {message}"
        called = name[:80]
        return SourceError(
            f"feature {called!r} {text}", place=self._place, record=self._record, field=called, hint=hint
        )


def _features(data: memoryview) -> dict[str, _FeatureList]:
    found: dict[str, _FeatureList] = {}
    walk = MessageWalk(data, _LIMIT, _VALUES)
    for number, wire, start, length in walk.fields(0, len(data)):
        if number != 1:
            continue
        _expect(wire)
        for inner, kind, place, size in walk.fields(start, start + length):
            if inner == 1:
                _expect(kind)
                name, feature = _entry(data, walk, place, place + size)
                found.pop(name, None)
                found[name] = feature
    return found


def _entry(data: memoryview, walk: MessageWalk, start: int, end: int) -> tuple[str, _FeatureList]:
    """A map entry's name and list; of values that come twice the lists follow one another."""
    name, of, spans = "", 0, list[tuple[int, int]]()
    for number, wire, place, length in walk.fields(start, end):
        if number == 1:
            _expect(wire)
            name = str(data[place : place + length], "utf-8", "replace")
        elif number == 2:
            _expect(wire)
            for kind, inner, first, size in walk.fields(place, place + length):
                if kind in _KINDS:
                    _expect(inner)
                    if kind != of:
                        of, spans = kind, []
                    spans.append((first, first + size))
    return name, _FeatureList(of, tuple(spans))


def _expect(wire: int) -> None:
    if wire != LENGTH:
        raise SourceError("this is not a tf.train.Example")
