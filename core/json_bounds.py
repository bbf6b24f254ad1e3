"""How many values a JSON text has, told before it is parsed.

What a text takes as Python objects is up to its values, not its length: 120 MB of `{}` become 3 GB. A text that is too
short to hold too many is not looked at; of a longer one commas and opening brackets are counted, which are as many as
its values or more; only where these are too many is the text looked through for those that stand outside of texts. How
deep values nest the parser bounds by itself (RecursionError beyond some thousand), and no reader recurses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stepscope.core.limits import limit

_PIECE = 1 << 17
"""Bytes that stay in the processor's cache."""

_QUOTE, _COMMA, _OPEN, _CLOSE = b'",{}'
_TO_BRACE = np.uint8(32)
"""The bit by which `{` and `[`, and `}` and `]`, differ."""
_SPACES = b" \t\r\n"
_ONE, _TOP = np.uint64(1), np.uint64(63)
_SHIFTS = tuple(np.uint64(1 << place) for place in range(6))

_Bits = NDArray[np.uint64]
"""A bit for each character, the first one's the lowest."""


class TooManyValues(ValueError):  # noqa: N818 - it is what is wrong with the text
    """A JSON text goes beyond the limit `json-nodes`. Who passes over broken JSON passes over it as well."""

    def __init__(self, most: int) -> None:
        super().__init__(f"the JSON has more than {most:,} values")


def bounded_loads(text: str) -> Any:
    """The value of a stranger's JSON text. Raises TooManyValues above `json-nodes` and what `json.loads` raises:
    ValueError, RecursionError."""
    check_values(text)
    return json.loads(text)


def check_values(text: str | bytes) -> None:
    """Raise TooManyValues for JSON, as text or in UTF-8, that has more values than `json-nodes`."""
    most = limit("json-nodes")
    if len(text) < 2 * most:  # a value takes a character at least, and another one parts it from the next
        return
    count = 1
    for piece in _pieces(text):
        codes = np.frombuffer(piece, np.uint8)
        count += int(np.count_nonzero(codes == _COMMA)) + int(np.count_nonzero(codes | _TO_BRACE == _OPEN))
        if count > most:
            break
    else:
        return
    counter = ValueCounter()
    for piece in _pieces(text):
        counter.feed(piece)
        if counter.values > most + 1:
            break
    if counter.values > most:
        raise TooManyValues(most)


def _pieces(text: str | bytes) -> Iterator[bytes]:
    for start in range(0, len(text), _PIECE):
        piece = text[start : start + _PIECE]
        yield piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece


class ValueCounter:
    """Takes a JSON text in UTF-8 piece by piece. `values` counts lists, objects and what is in them, without the keys
    of objects; it may be one too many while a list or object has just begun."""

    def __init__(self) -> None:
        self.values = 1
        self._in_text = False
        self._escaped = False
        self._opened = False
        """Whether the last character that is no blank opened a list or object."""

    def feed(self, piece: bytes) -> None:
        """Count what begins in the next piece."""
        piece = self._without_escapes(piece).translate(None, _SPACES)
        if not piece:
            return
        codes = np.frombuffer(piece.ljust(-(-len(piece) // 64) * 64), np.uint8)
        outside = ~self._inside(_bits(codes == _QUOTE))
        braces = codes | _TO_BRACE
        opens, closes = _bits(braces == _OPEN) & outside, _bits(braces == _CLOSE) & outside
        following = closes >> _ONE
        following[:-1] |= closes[1:] << _TOP
        empty = _count(opens & following) + (self._opened and bool(closes[0] & _ONE))
        self.values += _count(_bits(codes == _COMMA) & outside) + _count(opens) - empty
        self._opened = bool(opens[-1] >> np.uint64((len(piece) - 1) % 64) & _ONE)

    def _without_escapes(self, piece: bytes) -> bytes:
        """The piece without escaped quotation marks and backslashes."""
        if self._escaped:
            piece, self._escaped = piece[1:], False
        if b"\\" not in piece:
            return piece
        self._escaped = bool((len(piece) - len(piece.rstrip(b"\\"))) & 1)
        return piece.replace(b"\\\\", b"").replace(b'\\"', b"")

    def _inside(self, quotes: _Bits) -> _Bits:
        """Bits of what stands in texts, with the mark that begins each and without that which ends it."""
        inside = quotes
        for shift in _SHIFTS:
            inside = inside ^ (inside << shift)
        odd = (inside >> _TOP).astype(np.bool_)
        before = np.logical_xor.accumulate(np.concatenate(((self._in_text,), odd)))
        self._in_text = bool(before[-1])
        return inside ^ np.where(before[:-1], ~np.uint64(0), np.uint64(0))


def _bits(marks: NDArray[np.bool_]) -> _Bits:
    return np.packbits(marks, bitorder="little").view(np.uint64)


def _count(bits: _Bits) -> int:
    return int(np.bitwise_count(bits).sum())
