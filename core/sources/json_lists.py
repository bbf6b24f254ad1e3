"""The items of one long JSON list, found in flat memory and about as quickly as they can be parsed.

The list comes in pieces. In each piece the quotation marks and brackets are found at once with numpy; only where an
item begins or ends is anything done by hand. Nothing is parsed: an item's bytes are for `json.loads`, which also
judges them. Only `json_records` looks for items, and loads this module when there is a list to look through.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stepscope.core.frozen import dataclass

_QUOTE, _BACKSLASH = b'"\\'
_SPACE = b" \t\r\n"

_Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Brackets:
    """Brackets of a piece that stand outside texts, and what they do to the depth of nesting (+1 or -1)."""

    places: _Places
    steps: _Places


class ListScanner:
    """Takes a list piece by piece, from the byte behind its bracket on, which lies at `offset`.

    `count` items were found; `ended` once the list's own bracket came, with what follows it in its piece in `rest`;
    `stranger` is how many items stand before the first thing that is neither object nor list, None without one.
    """

    def __init__(self, offset: int) -> None:
        self.count = 0
        self.ended = False
        self.rest = b""
        self.stranger: int | None = None
        self._offset = offset
        self._start = 0
        self._depth = 0
        self._in_text = False
        self._escaped = False
        self._commas = 0

    def feed(self, chunk: bytes) -> Iterator[tuple[int, int]]:
        """Offset and length of each item that ends in the next piece."""
        marks = self._marks(chunk)
        after = self._depth + np.cumsum(marks.steps)
        opens = (after == 1) & (marks.steps == 1)
        closes = (after <= 0) & (marks.steps == -1)
        behind = 0 if self._depth == 0 else len(chunk)
        for place, depth in zip(marks.places[opens | closes].tolist(), after[opens | closes].tolist(), strict=True):
            if depth == 1:
                self._between(chunk[behind:place], more=True)
                self._start = self._offset + place
            elif depth < 0:
                self._between(chunk[behind:place], more=False)
                self.ended, self.rest = True, chunk[place + 1 :]
                return
            else:
                self.count += 1
                behind = place + 1
                yield self._start, self._offset + behind - self._start
        self._depth = int(after[-1]) if len(after) else self._depth
        if self._depth == 0:
            self._between(chunk[behind:], more=None)
        self._offset += len(chunk)

    def _between(self, gap: bytes, more: bool | None) -> None:
        """Look at what stands between two items, or before the first; `more` None: the gap goes on in the next piece.

        Anything but white space and one comma is an item of another kind, or a slip of whoever wrote the list.
        """
        commas = gap.count(b",")
        self._commas += commas
        if len(gap.strip(_SPACE)) > commas:
            self._commas += 2
        if more is None:
            return
        expected = 1 if more and self.count else 0
        if self._commas != expected and self.stranger is None:
            self.stranger = self.count
        self._commas = 0

    def _marks(self, chunk: bytes) -> _Brackets:
        codes = np.frombuffer(chunk, np.uint8)
        quotes = self._bare_quotes(codes)
        lowered = codes | 32
        brackets = np.flatnonzero((lowered == ord("{")) | (lowered == ord("}")))
        outside = (np.searchsorted(quotes, brackets) & 1) == int(self._in_text)
        brackets = brackets[outside]
        self._in_text ^= bool(len(quotes) & 1)
        return _Brackets(brackets, np.where(lowered[brackets] == ord("{"), 1, -1))

    def _bare_quotes(self, codes: NDArray[np.uint8]) -> _Places:
        """Quotation marks that open or close a text: those without an odd number of backslashes before them."""
        quotes = np.flatnonzero(codes == _QUOTE)
        slashes = np.flatnonzero(codes == _BACKSLASH)
        if self._escaped:
            quotes, slashes = quotes[quotes > 0], slashes[slashes > 0]
        self._escaped = False
        if not len(slashes):
            return quotes
        firsts = np.flatnonzero(np.diff(slashes, prepend=-2) != 1)
        lengths = np.diff(np.append(firsts, len(slashes)))
        escaped = slashes[firsts[lengths % 2 == 1]] + lengths[lengths % 2 == 1]
        self._escaped = bool(len(escaped)) and int(escaped[-1]) == len(codes)
        is_escaped = np.zeros(len(codes) + 1, np.bool_)
        is_escaped[escaped] = True
        return quotes[~is_escaped[quotes]]
