"""What a GGUF file says of itself, looked at before llama.cpp, which is C++, reads the file.

Layout by the specification of GGUF (versions 2 and 3, little-endian), https://github.com/ggml-org/ggml, docs/gguf.md.
"""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import BinaryIO

from stepscope.core.errors import UserError
from stepscope.core.limits import exceeded, limit
from stepscope.core.regular_files import open_regular

_MAGIC, _VERSIONS = b"GGUF", (2, 3)
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a value by its type; texts and arrays have none of their own."""
_TEXT, _ARRAY = 8, 9
_MOST_DIMENSIONS = 4
_LEAST_VALUE, _LEAST_TENSOR = 13, 24
"""Bytes of an entry with an empty name, and of a tensor without dimensions."""
_NAME = 65_535
"""The longest name of an entry by the specification."""
_WEIGHTS_A_BYTE = 8
"""No kind of weight has less than a bit and a half."""
_HINT = "Is it a whole GGUF file of a language model?"


def check(file: Path) -> None:
    """Raises UserError naming the file where its header cannot be: counts, lengths, types, dimensions and offsets that
    do not fit into the file. Beyond `model-entries` texts it says how to raise that limit."""
    try:
        with open_regular(file) as stream:
            _GgufHeader(file, stream, file.stat().st_size).walk()
    except OSError as error:
        raise UserError(f"the model file cannot be read: {error.strerror or error}.", place=file) from error


class _GgufHeader:
    def __init__(self, file: Path, stream: BinaryIO, size: int) -> None:
        self._file, self._stream, self._size = file, stream, size
        self._texts, self._most = 0, limit("model-entries")

    def walk(self) -> None:
        if self._stream.read(4) != _MAGIC:
            raise self._wrong("it does not begin as one")
        version = self._number("I")
        if version not in _VERSIONS:
            raise self._wrong(f"its version is {version}, of which 2 and 3 are known")
        tensors, values = self._number("Q"), self._number("Q")
        if tensors * _LEAST_TENSOR + values * _LEAST_VALUE > self._size:
            raise self._wrong(f"it is too short for the {tensors:,} tensors and {values:,} entries that it says it has")
        for _ in range(values):
            self._text(_NAME)
            self._value(self._number("I"))
        offsets = [self._tensor() for _ in range(tensors)]
        room = self._size - self._stream.tell()
        if any(offset > room for offset in offsets):
            raise self._wrong("a tensor lies behind its end")

    def _value(self, kind: int) -> None:
        if kind in _SIZES:
            self._skip(_SIZES[kind])
        elif kind == _TEXT:
            self._text(self._size)
        elif kind == _ARRAY:
            inner, count = self._number("I"), self._number("Q")
            if inner in _SIZES:
                self._skip(count * _SIZES[inner])
            elif inner == _TEXT:
                self._fits(count * 8)
                for _ in range(count):
                    self._text(self._size)
            else:
                raise self._wrong(f"it has an array of values of the unknown type {inner}")
        else:
            raise self._wrong(f"it has a value of the unknown type {kind}")

    def _tensor(self) -> int:
        """Where its weights begin, counted from the end of the header."""
        self._text(_NAME)
        count = self._number("I")
        if count > _MOST_DIMENSIONS:
            raise self._wrong(f"a tensor has {count:,} dimensions")
        weights = math.prod(self._number("Q") for _ in range(count))
        if weights > self._size * _WEIGHTS_A_BYTE:
            raise self._wrong(f"a tensor has {weights:,} weights, for which it is too short")
        self._number("I")
        return self._number("Q")

    def _text(self, longest: int) -> None:
        self._texts += 1
        if self._texts > self._most:
            raise exceeded("model-entries", f"this model has more than {self._most:,} texts.", place=self._file)
        length = self._number("Q")
        if length > longest:
            raise self._wrong(f"it has a text of {length:,} bytes")
        self._skip(length)

    def _number(self, kind: str) -> int:
        data = self._stream.read(struct.calcsize(kind))
        if len(data) < struct.calcsize(kind):
            raise self._wrong("it ends within its header")
        return int(struct.unpack(f"<{kind}", data)[0])

    def _fits(self, count: int) -> None:
        if count > self._size - self._stream.tell():
            raise self._wrong("it ends within its header")

    def _skip(self, count: int) -> None:
        self._fits(count)
        self._stream.seek(count, 1)

    def _wrong(self, why: str) -> UserError:
        return UserError(f"is no model that can be loaded: {why}.", place=self._file, hint=_HINT)
