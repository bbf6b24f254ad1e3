"""Many texts in one piece of memory, searched all at once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

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


_BLANK = b" "

_FEW = 50_000
"""Places of a needle that are found one after the other; where there are more, each text is looked into up to the
first."""

_MANY_BYTES = 1 << 20
"""Texts together are searched in a millisecond up to so many; of more, the words that they have are searched."""

_AT_ONCE = 1 << 18
"""Bytes whose words are numbered at a time: other threads wait so long, some milliseconds."""

_MANY_TEXTS = 10_000
"""Of so many texts an expression is searched by RE2 where it means the same there."""

_SAME_IN_RE2 = re.compile(
    r"""(?:
        [|^$(] | \(\?: | \\b
        | (?: [\w\ @%&~"':;,<>=!/#-] | \. | \) | \\[dDwWsS.*+?()\[\]{}|^$\\/-]
            | \[\^? (?: a-z | A-Z | 0-9 | [\w\ @%:;,.<>=!/*+?()] | \\[dws] )+ \] )
          (?: [*+?]\?? | \{\d{1,3}(?:,\d{0,3})?\}\?? )?
    )*""",
    re.ASCII | re.VERBOSE,
)
"""Expressions of what Python's `re` and RE2 find in the same texts of printable ASCII."""

_MOST_ENDS = 10_000
"""Up to so many ends of neighbours, the members of each row of neighbours are taken at once."""


class Texts:
    """Texts without NUL, as they are or `joined`. Every answer has one entry a text: whether it is meant. Case is
    ignored."""

    def __init__(self, texts: Sequence[str] | bytes, folded: bytes | None = None, words: _Words | None = None) -> None:
        self._given = texts
        self._given_folded = folded
        self._words = words

    @classmethod
    def of_columns(cls, columns: Columns) -> Texts:
        """What `columns` gave."""
        words = _Words(columns) if "words" in columns else None
        return cls(bytes(columns["texts"]), bytes(columns["folded"]), words)

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
        if self._words is not None and _BLANK not in needle:
            of_words = self._words.texts_with(needle, len(self))
            if of_words is not None:
                return of_words
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
        search = pattern.compiled.search
        if len(self) < _MANY_TEXTS or _SAME_IN_RE2.fullmatch(pattern.source) is None:
            return np.fromiter(map(bool, map(search, self.texts)), np.bool_, len(self))
        plain, odd = self._plain
        try:
            found: BoolArray = np.array(pc.match_substring_regex(plain, pattern.source, ignore_case=True))
        except pa.ArrowInvalid:  # it repeats more often than RE2 does
            return np.fromiter(map(bool, map(search, self.texts)), np.bool_, len(self))
        for place in odd:
            found[place] = search(self.texts[place]) is not None
        return found

    @cached_property
    def _plain(self) -> tuple[pa.Array, list[int]]:
        """The texts for RE2, and which of them have more than the printable characters of ASCII: of others, its classes
        and its disregard of case are not Python's."""
        is_plain = [text.isascii() and text.isprintable() for text in self.texts]
        plain = [text if fits else "" for text, fits in zip(self.texts, is_plain, strict=True)]
        return pa.array(plain, pa.string()), np.flatnonzero(~np.array(is_plain, np.bool_)).tolist()


class _Words:
    """The different words of texts, which are what stands between blanks, and which texts have each. A needle without a
    blank is in a text where it is in one of its words, and of words there are few that stand in many texts."""

    def __init__(self, columns: Columns) -> None:
        words = bytes(columns["words"])
        self._words = Texts(words, _BETWEEN + words)
        self._first, self._texts = np.asarray(columns["first"]), np.asarray(columns["word texts"])

    def texts_with(self, needle: bytes, texts: int) -> BoolArray | None:
        """Which of so many texts have the needle; None where too many words have it."""
        places = _places(self._words._folded, needle, _FEW)
        return None if len(places) >= _FEW else members(self._first, self._texts, self._words._owners(places), texts)


def with_words(columns: Columns) -> Columns:
    """The columns of `Texts` with those of `_Words` where the texts are many: the words, where the texts of each begin,
    and the texts of each one after the other. Some seconds of work, so that it has no place where somebody waits."""
    folded = bytes(columns["folded"])
    if len(folded) < _MANY_BYTES:
        return columns
    number: defaultdict[bytes, int] = defaultdict(count().__next__)
    ends, nothing = number[_BETWEEN], number[b""]
    codes, owners = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    begin, texts = 1, 0
    while begin < len(folded):
        end = folded.index(_BETWEEN, min(begin + _AT_ONCE, len(folded) - 1)) + 1
        parts = folded[begin:end].replace(_BETWEEN, b" \0 ").split(_BLANK)
        code = np.fromiter(map(number.__getitem__, parts), np.int32, len(parts))
        owner = np.cumsum(code == ends, dtype=np.int32) + np.int32(texts)
        is_word = code > nothing
        codes.append(code[is_word])
        owners.append(owner[is_word])
        begin, texts = end, int(owner[-1])
    code = np.concatenate(codes) - 2
    first = np.concatenate(([0], np.cumsum(np.bincount(code, minlength=len(number) - 2))))
    in_order = np.concatenate(owners)[np.argsort(code, kind="stable")]
    words = b"".join(word + _BETWEEN for word in list(number)[2:])
    return {**columns, "words": words, "first": first, "word texts": in_order}


def members(first: IntArray, things: NDArray[Any], wanted: BoolArray, size: int) -> BoolArray:
    """Which of `size` things belong to any of the groups that are wanted: those of group g are `things` from `first[g]`
    to `first[g + 1]`."""
    found = np.zeros(size, np.bool_)
    ends = np.flatnonzero(np.diff(wanted, prepend=False, append=False))
    if len(ends) <= _MOST_ENDS:
        for here, end in first[ends].reshape(-1, 2).tolist():
            found[things[here:end]] = True
        return found
    groups = np.flatnonzero(wanted)
    lengths = first[groups + 1] - first[groups]
    at = np.repeat(first[groups] - np.cumsum(lengths) + lengths, lengths)
    at += np.arange(len(at))
    found[things[at]] = True
    return found


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
