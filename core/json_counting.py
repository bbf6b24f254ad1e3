"""Counting the values of a JSON text with numpy; `json_bounds` imports it for a text that is long enough to be
counted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

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


def holds_more(text: str | bytes, most: int) -> bool:
    """Whether JSON, as text or in UTF-8, has more than `most` values."""
    count = 1
    for piece in _pieces(text):
        codes = np.frombuffer(piece, np.uint8)
        count += int(np.count_nonzero(codes == _COMMA)) + int(np.count_nonzero(codes | _TO_BRACE == _OPEN))
        if count > most:
            break
    else:
        return False
    counter = ValueCounter()
    for piece in _pieces(text):
        counter.feed(piece)
        if counter.values > most + 1:
            break
    return counter.values > most


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
