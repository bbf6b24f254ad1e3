"""fastText's binary models (`.bin`): vectors of words, and of words that the training never saw by their parts.

Layout and rules are those of the library, version 12 of the format (facebookresearch/fastText 0.9.2, `fasttext.cc`,
`dictionary.cc`; code), all numbers little-endian: magic and version; the settings; the dictionary, each word with a
zero byte, its count and its kind; a byte that says whether the matrix is compressed; rows and columns; the rows of the
words and behind them those of the buckets that parts of words share. What follows is for training and is not read.
"""

from __future__ import annotations

import mmap
import struct
from array import array
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.models.encoders.word_index import WordIndex, check_count, mapped
from stepscope.models.runtimes.weights import damaged_by

MAGIC = struct.pack("<i", 793712314)
_VERSION = 12
_HEAD = struct.Struct("<ii 12i d iii qq")
"""Magic, version; dim, ws, epoch, minCount, neg, wordNgrams, loss, model, bucket, minn, maxn, lrUpdateRate, t; entries,
words, labels, tokens, kept parts (-1: all)."""
_COUNT_AND_KIND = 9
"""Bytes behind a word and its zero."""
_MATRIX = struct.Struct("<?qq")
_CLASSIFIER = 3
_MOST_NUMBERS = 65_536
"""Of a vector; the published ones have 300."""
_LONGEST_PART = 100
"""Letters of a part; the library's usual models take up to 6."""
_LONGEST_WORD = 65_536
"""Bytes of a word in the dictionary."""
_END_OF_LINE = b"</s>"
_OTHER = "Take a model of word vectors (skipgram or cbow) that is not compressed, such as cc.en.300.bin."
_OFFSET, _PRIME, _BITS = 2166136261, 16777619, 0xFFFFFFFF
"""Of the hash FNV-1a."""

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Head:
    """What of the file's beginning is used."""

    size: int
    words: int
    buckets: int
    shortest: int
    longest: int


class FastTextFile:
    """A model whose file is mapped; only the index of its words is held. Threads may share it."""

    form = "fastText"
    lengths_count = False
    """A text's vector is the mean of its words' vectors at length 1 (`get_sentence_vector`; code)."""

    def __init__(self, file: Path) -> None:
        """Raises UserError naming the file for one that is compressed, a classifier, of another version or damaged."""
        self._file = file
        data = mapped(file)
        self._head = _read_head(data, file)
        self.size = self._head.size
        self._index, end = _read_dictionary(data, self._head, file)
        self._matrix = _read_matrix(data, end, self._head, file)

    def vectors(self, text: str) -> list[Vector | None]:
        """One for each word of the text, which the library cuts at ASCII white space and nowhere else; None for a word
        that is not known and has no parts. Raises UserError where the model holds what is no number."""
        return [self._vector(word) for word in text.encode("utf-8", "replace").split()]

    def _vector(self, word: bytes) -> Vector | None:
        row = self._index.row(word)
        rows = [] if row is None else [row]
        if word != _END_OF_LINE and self._head.buckets:
            hashes = part_hashes(word, self._head.shortest, self._head.longest)
            rows += [self._head.words + one % self._head.buckets for one in hashes]
        if not rows:
            return None
        with np.errstate(over="ignore", invalid="ignore"):  # told below
            found = self._matrix[rows].sum(axis=0, dtype=np.float32) / np.float32(len(rows))
        if not np.isfinite(found).all():
            shown = word.decode("utf-8", "replace")[:60]
            raise damaged_by(self._file, f"its vector of {shown!r} holds what is no number")
        return np.asarray(found, np.float32)


def part_hashes(word: bytes, shortest: int, longest: int) -> list[int]:
    """The 32-bit hashes of a word's parts of so many letters, `<` and `>` around it, in the library's order; a sign at
    either end alone is none. FNV-1a over bytes that are extended with their sign, as the library's are (code)."""
    whole = b"<" + word + b">"
    letters = [at for at, byte in enumerate(whole) if byte & 0xC0 != 0x80]
    ends = [*letters[1:], len(whole)]
    found = []
    for first in range(len(letters)):
        value = _OFFSET
        for last in range(first, min(first + longest, len(letters))):
            for byte in whole[letters[last] : ends[last]]:
                value = ((value ^ (byte if byte < 0x80 else byte | 0xFFFFFF00)) * _PRIME) & _BITS
            alone = last == first and (first == 0 or ends[last] == len(whole))
            if last - first + 1 >= shortest and not alone:
                found.append(value)
    return found


def _read_head(data: mmap.mmap, file: Path) -> _Head:
    if len(data) < _HEAD.size:
        raise damaged_by(file, "it is cut off within its settings")
    _magic, version, size, *settings, entries, words, _labels, _tokens, kept = _HEAD.unpack_from(data)
    model, buckets, shortest, longest = settings[6:10]
    if version != _VERSION:
        raise UserError(f"is of version {version} of fastText's format, not {_VERSION}.", place=file, hint=_OTHER)
    if model == _CLASSIFIER:
        raise UserError("is a fastText classifier, not a model of word vectors.", place=file, hint=_OTHER)
    if kept >= 0:
        raise UserError("is a compressed fastText model (.ftz): it lacks parts of words.", place=file, hint=_OTHER)
    if not 0 < size <= _MOST_NUMBERS:
        raise damaged_by(file, f"its vectors would have {size} numbers")
    if not 0 < words == entries:
        raise damaged_by(file, f"it would have {words} words of {entries}")
    if buckets < 0 or not (0 <= shortest <= _LONGEST_PART and 0 <= longest <= _LONGEST_PART):
        raise damaged_by(file, f"its words would have parts of {shortest} to {longest} letters in {buckets} buckets")
    if longest and not buckets:
        raise damaged_by(file, "parts of words have no buckets")
    check_count(words, file)
    return _Head(size, words, buckets, shortest, longest)


def _read_dictionary(data: mmap.mmap, head: _Head, file: Path) -> tuple[WordIndex, int]:
    """The words, and the place behind the last one."""
    hashes, starts = array("q"), array("q")
    at = _HEAD.size
    for number in range(head.words):
        end = data.find(b"\0", at, at + _LONGEST_WORD)
        if end < 0 or end + _COUNT_AND_KIND >= len(data):
            raise damaged_by(file, f"it is cut off at word {number + 1:,} of {head.words:,}")
        hashes.append(hash(data[at:end]))
        starts.append(at)
        at = end + 1 + _COUNT_AND_KIND
    return WordIndex(data, hashes, starts, b"\0"), at


def _read_matrix(data: mmap.mmap, at: int, head: _Head, file: Path) -> Vector:
    """The rows of words and buckets, mapped."""
    if at + _MATRIX.size > len(data):
        raise damaged_by(file, "it is cut off before its vectors")
    compressed, rows, columns = _MATRIX.unpack_from(data, at)
    if compressed:
        raise UserError("is a compressed fastText model (.ftz), which is not read.", place=file, hint=_OTHER)
    if columns != head.size or rows != head.words + head.buckets:
        told = f"{rows:,} vectors of {columns:,} numbers"
        wanted = f"{head.words:,} words and {head.buckets:,} buckets of {head.size:,}"
        raise damaged_by(file, f"it holds {told} for {wanted}")
    if at + _MATRIX.size + rows * columns * 4 > len(data):
        raise damaged_by(file, f"it is cut off within its {rows:,} vectors")
    numbers = np.frombuffer(data, "<f4", rows * columns, at + _MATRIX.size)
    return numbers.reshape(rows, columns)
