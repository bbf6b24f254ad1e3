"""What an ONNX file says of itself, looked at before ONNX Runtime, which is C++, reads the file.

Layout by onnx.proto (https://github.com/onnx/onnx) and the encoding of protocol buffers
(https://protobuf.dev/programming-guides/encoding): a message is a row of fields, each with a number, a wire type and
what it holds, which may be a message again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import IO

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import exceeded, limit, written_figure
from stepscope.models.runtimes.weights import damaged_by, open_weights

LARGEST = (1 << 31) - 1
"""Bytes of a message by the encoding's rules, and so of an ONNX file."""

_VARINT, _EIGHT, _MESSAGE, _FOUR = 0, 1, 2, 5
_WINDOW = 1 << 16
_DEEPEST = 100
"""Messages within messages; the reader in C++ ends there too."""
_MOST_DIMENSIONS = 64
_WEIGHTS_A_BYTE = 8
"""The smallest kind of number has a bit."""
_DENSER = 64
"""Times that a tensor of few values may be larger than they."""
_MOST_NAME = 4096
_MOST_NUMBER = 20

_NODE, _GRAPH, _FUNCTION, _TENSOR, _SPARSE, _OTHER = "node", "graph", "function", "tensor", "sparse tensor", "other"
_INNER: dict[str, dict[int, str]] = {
    "model": {7: _GRAPH, 8: _OTHER, 14: _OTHER, 20: "training", 25: _FUNCTION},
    "training": {1: _GRAPH, 2: _GRAPH},
    _GRAPH: {1: _NODE, 5: _TENSOR, 11: _OTHER, 12: _OTHER, 13: "value", 14: _OTHER, 15: _SPARSE, 16: _OTHER},
    _FUNCTION: {7: _NODE, 9: _OTHER, 11: "attribute", 12: "value", 14: _OTHER},
    _NODE: {5: "attribute", 9: _OTHER},
    "attribute": {5: _TENSOR, 6: _GRAPH, 10: _TENSOR, 11: _GRAPH, 22: _SPARSE, 23: _SPARSE},
    _SPARSE: {1: _TENSOR, 2: _TENSOR},
    "value": {2: "type"},
    "type": {1: "typed", 4: "holder", 9: "holder"},
    "holder": {1: "type"},
    "typed": {2: "shape"},
    "shape": {1: _OTHER},
}
"""Which fields of a message are messages to look into, and of which kind."""
_ONCE = {"model": (7,), "training": (1, 2), "attribute": (5, 6, 22), _SPARSE: (1, 2)}
_MODELS_GRAPH, _OPERATOR, _DOMAIN = 7, 4, 7


@dataclass(frozen=True, slots=True)
class _WireField:
    """`number` of the field, 0 < `within` where it may be a message; `value` of a plain number; where it lies."""

    number: int
    wire: int
    value: int
    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start

    @property
    def within(self) -> int:
        return self.number if self.wire == _MESSAGE else 0


@dataclass(slots=True)
class _OperationCount:
    """A function's or a graph's operations: how many, and which of the file's functions may be meant."""

    count: int = 0
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)


def check(file: Path) -> tuple[Path, ...]:
    """The files beside it that hold its weights, in the order in which it names them.

    Raises UserError naming the file where it is no ONNX model, claims what is not there, or names a file that does not
    lie in its own folder; beyond `model-nodes` and `model-fields` it says how to raise that limit.
    """
    with open_weights(file) as stream:
        size = stream.seek(0, 2)
        if size > LARGEST:
            raise damaged_by(file, f"it has {written_figure('bytes', size)}, and an ONNX file ends at 2 GB")
        return _OnnxFileWalk(file, stream, size).walk()


class _OnnxFileWalk:
    def __init__(self, file: Path, stream: IO[bytes], size: int) -> None:
        self._file, self._stream, self._size = file, stream, size
        self._window, self._from = b"", 0
        self._read_fields, self._most_fields = 0, limit("model-fields")
        self._nodes, self._most_nodes = 0, limit("model-nodes")
        self._functions: dict[tuple[str, str], _OperationCount] = {}
        self._beside: dict[str, Path] = {}

    def walk(self) -> tuple[Path, ...]:
        found, main = set[int](), _OperationCount()
        for one in self._fields(0, self._size):
            self._once("model", one, found)
            kind = _INNER["model"].get(one.within)
            if kind == _FUNCTION:
                self._function(one)
            elif kind is not None:
                self._message(kind, one, main, 1)
        if _MODELS_GRAPH not in found:
            raise self._wrong("it has no graph")
        self._expanded(main)
        return tuple(self._beside.values())

    # --- messages ----------------------------------------------------------------------------------------------------

    def _message(self, kind: str, whole: _WireField, body: _OperationCount, depth: int) -> None:
        """Look into one message; `body` counts the operations in it."""
        if depth > _DEEPEST:
            raise self._wrong(f"it is nested more than {_DEEPEST} times")
        if kind == _TENSOR:
            self._tensor(whole)
            return
        if kind == _SPARSE:
            self._sparse(whole)
        inner, found = _INNER.get(kind, {}), set[int]()
        called = {_OPERATOR: "", _DOMAIN: ""}
        for one in self._fields(whole.start, whole.end):
            self._once(kind, one, found)
            if kind == _NODE and one.within in called:
                called[one.within] = self._text(one)
            elif (below := inner.get(one.within)) is not None:
                self._message(below, one, body, depth + 1)
        if kind == _NODE:
            self._count()
            body.count += 1
            body.calls[called[_DOMAIN], called[_OPERATOR]] += 1

    def _once(self, kind: str, one: _WireField, found: set[int]) -> None:
        """A reader joins messages that stand where one belongs: what was looked at would not be what is read."""
        if one.within in _ONCE.get(kind, ()):
            if one.within in found:
                raise self._wrong("it has several messages where one belongs")
            found.add(one.within)

    def _function(self, whole: _WireField) -> None:
        body, name, domain = _OperationCount(), "", ""
        for one in self._fields(whole.start, whole.end):
            if one.within == 1:
                name = self._text(one)
            elif one.within == 10:
                domain = self._text(one)
            elif (below := _INNER[_FUNCTION].get(one.within)) is not None:
                self._message(below, one, body, 2)
        self._functions[domain, name] = body

    def _expanded(self, main: _OperationCount) -> None:
        """How many operations there are once every function stands where it is called: that of a function is known
        before those that call it are counted."""
        calls = {name: {one for one in body.calls if one in self._functions} for name, body in self._functions.items()}
        known: dict[tuple[str, str], int] = {}
        try:
            order = tuple(TopologicalSorter(calls).static_order())
        except CycleError as error:
            raise self._wrong("a function of it calls itself") from error
        deep: dict[tuple[str, str], int] = {}
        for name in order:
            known[name] = self._total(self._functions[name], known)
            deep[name] = 1 + max((deep[one] for one in calls[name]), default=0)
            if deep[name] > _DEEPEST:
                raise self._wrong(f"its functions call one another more than {_DEEPEST} times deep")
        self._total(main, known)

    def _total(self, body: _OperationCount, known: dict[tuple[str, str], int]) -> int:
        total = body.count + sum(times * known.get(name, 0) for name, times in body.calls.items())
        if total > self._most_nodes:
            raise self._too_many()
        return total

    def _tensor(self, whole: _WireField) -> None:
        """Check that the tensor's numbers are there: here, or in the file that it names."""
        self._count()
        dimensions: list[int] = []
        held, elsewhere = 0, False
        told: dict[str, str] = {}
        for one in self._fields(whole.start, whole.end):
            if one.number == 1:
                dimensions += self._numbers(one)
            elif one.number in (4, 5, 7, 9, 10, 11):
                held += one.length or 1
            elif one.number == 6:
                held += one.length + 1
            elif one.within == 13:
                name, value = self._entry(one)
                if told.setdefault(name, value) != value:
                    raise self._wrong(f"the {name[:40]} of its weights is told twice")
            elif one.number == 14:
                elsewhere = one.value != 0
            if len(dimensions) > _MOST_DIMENSIONS:
                raise self._wrong(f"a tensor has more than {_MOST_DIMENSIONS} dimensions")
        if any(one < 0 for one in dimensions):
            raise self._wrong("a tensor has a negative length")
        if elsewhere or told:
            held = self._held_beside(told)
        if (count := math.prod(dimensions)) > held * _WEIGHTS_A_BYTE:
            raise self._wrong(f"a tensor has {_large(count)} numbers, for which it is too short")

    def _sparse(self, whole: _WireField) -> None:
        dimensions: list[int] = []
        for one in self._fields(whole.start, whole.end):
            if one.number == 3:
                dimensions += self._numbers(one)
            if len(dimensions) > _MOST_DIMENSIONS:
                raise self._wrong(f"a tensor has more than {_MOST_DIMENSIONS} dimensions")
        if any(one < 0 for one in dimensions) or math.prod(dimensions) > whole.length * _DENSER:
            raise self._wrong(f"a tensor has {_large(math.prod(dimensions))} numbers, of which it holds few")

    def _held_beside(self, told: dict[str, str]) -> int:
        """How many bytes of the other file are meant. It lies in the model's own folder, whatever it is called."""
        name = told.get("location", "")
        place = self._beside.get(name) or self._file.parent / name
        try:
            if "*" in name or not place.resolve().is_relative_to(self._file.parent.resolve()) or not place.is_file():
                raise self._wrong(f"its weights are in {name[:100]!r}, which is no file of its folder")
            size = place.stat().st_size
        except (OSError, ValueError) as error:
            raise self._wrong(f"its weights are in {name[:100]!r}, which is no file of its folder") from error
        first = self._told(told, "offset", 0)
        length = self._told(told, "length", size - first)
        if first + length > size or length < 0:
            raise self._wrong(f"its weights lie behind the end of {name[:100]!r}")
        self._beside[name] = place
        return length

    def _told(self, told: dict[str, str], name: str, usual: int) -> int:
        text = told.get(name, "")
        if not text:
            return usual
        if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_NUMBER):
            raise self._wrong(f"the {name} of its weights is {text[:40]!r}")
        return int(text)

    def _entry(self, whole: _WireField) -> tuple[str, str]:
        words = {one.number: self._text(one) for one in self._fields(whole.start, whole.end) if one.within in (1, 2)}
        return words.get(1, ""), words.get(2, "")

    def _count(self) -> None:
        self._nodes += 1
        if self._nodes > self._most_nodes:
            raise self._too_many()

    # --- the encoding ------------------------------------------------------------------------------------------------

    def _fields(self, start: int, end: int) -> Iterator[_WireField]:
        at = start
        while at < end:
            self._read_fields += 1
            if self._read_fields > self._most_fields:
                words = f"this model has more than {self._most_fields:,} fields."
                raise exceeded("model-fields", words, place=self._file)
            key, at = self._varint(at, end)
            number, wire = key >> 3, key & 7
            value, first = 0, at
            if wire == _VARINT:
                value, at = self._varint(at, end)
            elif wire == _MESSAGE:
                length, first = self._varint(at, end)
                at = first + length
            elif wire in (_EIGHT, _FOUR):
                at += 8 if wire == _EIGHT else 4
            else:
                raise self._wrong("it is not made as one")
            if at > end or number == 0:
                raise self._wrong("it is not made as one, or is cut off")
            yield _WireField(number, wire, value, first, at)

    def _varint(self, at: int, end: int) -> tuple[int, int]:
        """A number of 64 bits without a sign, and where it ends."""
        value = shift = 0
        while at < end and shift < 70:
            if not self._from <= at < self._from + len(self._window):
                self._from, self._window = at, self._read(at, _WINDOW)
                if not self._window:
                    break
            byte = self._window[at - self._from]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value & ((1 << 64) - 1), at
            shift += 7
        raise self._wrong("it is not made as one, or is cut off")

    def _numbers(self, one: _WireField) -> list[int]:
        """Signed numbers, one or several in a field."""
        if one.wire != _MESSAGE:
            return [_signed(one.value)]
        found, at = list[int](), one.start
        while at < one.end and len(found) <= _MOST_DIMENSIONS:
            value, at = self._varint(at, one.end)
            found.append(_signed(value))
        return found

    def _text(self, one: _WireField) -> str:
        if one.length > _MOST_NAME:
            raise self._wrong(f"it has a name of {one.length:,} bytes")
        return self._read(one.start, one.length).decode("utf-8", "replace")

    def _read(self, at: int, count: int) -> bytes:
        self._stream.seek(at)
        return self._stream.read(count)

    def _wrong(self, why: str) -> UserError:
        return damaged_by(self._file, why)

    def _too_many(self) -> UserError:
        words = f"this model has more than {self._most_nodes:,} operations and tensors."
        return exceeded("model-nodes", words, place=self._file)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _large(count: int) -> str:
    return f"{count:,}" if count < 1 << 63 else "more than 2^63"
