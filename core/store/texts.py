"""Many texts in one piece of memory, searched all at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.filter import Pattern, Text, Value
from stepscope.core.lazy import lazy_module
from stepscope.core.store.kept_columns import Columns, joined, separated

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
else:
    pa, pc = lazy_module("pyarrow"), lazy_module("pyarrow.compute")

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]

_BETWEEN = b"\0"
"""Between texts: none in the store has it, and no filter asks for it."""


_FEW = 20_000
"""Places of a needle that are found one after the other; where there are more, each text is looked into up to the
first."""


class Texts:
    """Texts without NUL, as they are or `joined`. Every answer has one entry a text: whether it is meant. Case is
    ignored."""

    def __init__(self, texts: Sequence[str] | bytes, folded: bytes | None = None) -> None:
        self._given = texts
        self._given_folded = folded

    @classmethod
    def of_columns(cls, columns: Columns) -> Texts:
        """What `columns` gave."""
        return cls(bytes(columns["texts"]), bytes(columns["folded"]))

    def columns(self) -> Columns:
        """The texts as they are kept in a file."""
        return {"texts": joined(self.texts), "folded": self._folded}

    @cached_property
    def texts(self) -> Sequence[str]:
        return separated(self._given) if isinstance(self._given, bytes) else self._given

    def __len__(self) -> int:
        return len(self._begins) if isinstance(self._given, bytes) else len(self._given)

    def compared(self, operator: str, values: Sequence[Value]) -> BoolArray:
        """Next to any of the values: `:` part of the text, `=` the whole, a pattern found in it."""
        found = np.zeros(len(self), np.bool_)
        for value in values:
            if isinstance(value, Pattern):
                found |= self._matching(value)
            else:
                found |= self._having(value.text if isinstance(value, Text) else str(value), operator == "=")
        return found

    def having(self, part: str) -> tuple[BoolArray, BoolArray]:
        """Which of the texts begin with this part, and which have it anywhere."""
        if not part:
            return np.ones(len(self), np.bool_), np.ones(len(self), np.bool_)
        needle = part.casefold().encode("utf-8", "surrogatepass")
        return self._owners(_places(self._folded, _BETWEEN + needle) + 1), self._owners(_places(self._folded, needle))

    @cached_property
    def _folded(self) -> bytes:
        """All texts in one case, NUL before each and behind the last."""
        if self._given_folded is not None:
            return self._given_folded
        return (
            (_BETWEEN + joined(self.texts)).decode("utf-8", "surrogatepass").casefold().encode("utf-8", "surrogatepass")
        )

    @cached_property
    def _begins(self) -> IntArray:
        """Where each text begins in `_folded`."""
        ends = np.flatnonzero(np.frombuffer(self._folded, np.uint8) == 0)
        return ends[:-1] + 1

    def _having(self, wanted: str, whole: bool) -> BoolArray:
        needle = wanted.casefold().encode("utf-8", "surrogatepass")
        if whole:
            places = _places(self._folded, _BETWEEN + needle) + 1
            return self._owners(places[np.frombuffer(self._folded, np.uint8)[places + len(needle)] == 0])
        places = _places(self._folded, needle, _FEW)
        if len(places) < _FEW:
            return self._owners(places)
        found: BoolArray = pc.match_substring(self._in_arrow, needle).to_numpy(zero_copy_only=False)
        return found

    @cached_property
    def _in_arrow(self) -> pa.Array:
        """The folded texts, each with its NUL."""
        fits = len(self._folded) < 1 << 31
        offsets = np.append(self._begins, len(self._folded)).astype(np.int32 if fits else np.int64)
        kind = pa.binary() if fits else pa.large_binary()
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(self._folded)]
        return pa.Array.from_buffers(kind, len(self), buffers)

    def _owners(self, places: IntArray) -> BoolArray:
        """The texts to which these places in `_folded` belong."""
        found = np.zeros(len(self), np.bool_)
        found[np.searchsorted(self._begins, places, "right") - 1] = True
        return found

    def _matching(self, pattern: Pattern) -> BoolArray:
        return np.fromiter(map(bool, map(pattern.compiled.search, self.texts)), np.bool_, len(self))


class EncodedTexts:
    """Few different texts of many things: `code` is the place in `names` of each thing's text."""

    def __init__(self, code: NDArray[np.int32], names: Sequence[str]) -> None:
        self.code = code
        self.names = Texts(names)

    @classmethod
    def of_columns(cls, columns: Columns) -> EncodedTexts:
        """What `columns` gave."""
        return cls(np.asarray(columns["code"]), tuple(separated(bytes(columns["names"]))))

    def columns(self) -> Columns:
        """The texts as they are kept in a file."""
        return {"code": self.code, "names": joined(self.names.texts)}

    @classmethod
    def of(cls, texts: Sequence[str]) -> EncodedTexts:
        """The texts numbered in the order of their first appearance."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        return cls(np.fromiter(map(places.__getitem__, texts), np.int32, len(texts)), tuple(places))

    def compared(self, operator: str, values: Sequence[Value]) -> BoolArray:
        """Which texts compare so, as `Texts.compared` tells it, with one entry a thing."""
        return self.names.compared(operator, values)[self.code]

    def counts(self) -> IntArray:
        """How many things have each of the texts."""
        return np.bincount(self.code, minlength=len(self.names))


def _places(text: bytes, needle: bytes, most: int = -1) -> IntArray:
    """Where the needle begins, each place once, one behind the other, `most` of them. (To split is a loop in C over all
    of them.)"""
    pieces = text.split(needle, most)
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return (np.cumsum(lengths + len(needle)) - len(needle))[:-1]
