"""Word vectors as text: fastText's and word2vec's `.vec` (a first line "COUNT DIM") and GloVe's `.txt` (without one).

A line is a word and its numbers with single spaces between them, a space at the end or none. The file is mapped, and
only where each word's line begins is held; a line becomes numbers when its word is asked for. No converted copy is
kept: a line is parsed in microseconds, and a second file of gigabytes would have to be held true to the first.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.models.encoders.word_index import WordIndex, check_count, mapped
from stepscope.models.runtimes.weights import damaged_by, open_weights, unreadable

_HEADER = re.compile(rb"(\d+) (\d+)")
_MOST_DIGITS = 12
_MOST_NUMBERS = 65_536
_LONGEST_LINE = 4 << 20
"""Bytes; one of 65,536 numbers in full length has less than half of it."""
_OF_NUMBERS = b"0123456789.eE+- "
_PIECES = re.compile(r"[^\W_]+|[^\w\s]|_")
_FORMS = "Read are fastText's .bin and .vec, word2vec's text format and GloVe's .txt."

Vector = NDArray[np.float32]


class WordTextFile:
    """A text file of word vectors. Threads may share it."""

    form = "text"
    lengths_count = True
    """A text's vector is the mean of its words' vectors as they are (MoTIF, section 4.1: mean pooled; paper)."""

    def __init__(self, file: Path) -> None:
        """Reads the file once. Raises UserError naming file and line for one that is of no such format, cut off, or
        holds another number of words or numbers than it says, or what is no number."""
        self._file = file
        self._data = mapped(file)
        lines = _read_lines(file)
        self.size, self._starts, self._first, self._longest = lines.size, lines.starts, lines.first, lines.longest
        self._index = WordIndex(self._data, lines.hashes, lines.starts, b" ")

    def vectors(self, text: str) -> list[Vector | None]:
        """One for each word between white space as it stands, else in small letters; of one that is not known either
        way one for each of its runs of letters and digits and each other sign (ours: the tables were made of texts cut
        like that). None for what is not known. Raises UserError where a line holds what is no number."""
        found: list[Vector | None] = []
        for word in text.split():
            whole = self._vector(word)
            found += [whole] if whole is not None else [self._vector(piece) for piece in _PIECES.findall(word)]
        return found

    def _vector(self, word: str) -> Vector | None:
        for form in dict.fromkeys((word, word.lower())):
            row = self._index.row(form.encode("utf-8", "replace"))
            if row is not None:
                return self._numbers(row)
        return None

    def _numbers(self, row: int) -> Vector:
        start = self._starts[row]
        line = self._data[start : start + self._longest].partition(b"\n")[0]
        try:
            numbers = [float(one) for one in line.split()[-self.size :]]
        except ValueError as error:
            raise _no_number(self._file, row + self._first) from error
        with np.errstate(over="ignore"):
            found = np.array(numbers, np.float32)
        if not np.isfinite(found).all():
            raise _no_number(self._file, row + self._first)
        return found


@dataclass(frozen=True, slots=True)
class _Lines:
    """Of a whole file: numbers of a vector, where each word begins, the words' hashes, the number of the first word's
    line, and the bytes of the longest line."""

    size: int
    starts: array[int]
    hashes: array[int]
    first: int
    longest: int


def _read_lines(file: Path) -> _Lines:
    starts, hashes = array("q"), array("q")
    size, said, first, longest, at = 0, None, 1, 0, 0
    for number, line in enumerate(_lines(file), 1):
        told = line.rstrip(b" \r\n")
        header = _HEADER.fullmatch(told) if number == 1 else None
        if header:
            said, size = _of_header(header[1], header[2], file)
            first = 2
        else:
            size = size or _size_of(told, file)
            hashes.append(hash(_word_of(told, size, file, number)))
            starts.append(at)
            longest = max(longest, len(line))
            check_count(len(starts), file)
        at += len(line)
    if said is not None and said != len(starts):
        raise damaged_by(file, f"its first line says {said:,} words, and {len(starts):,} are there")
    if not starts:
        raise damaged_by(file, "it holds no words")
    return _Lines(size, starts, hashes, first, longest)


def _lines(file: Path) -> Iterator[bytes]:
    """With their ends; empty ones are left out at the end of the file, and refused elsewhere."""
    empty = 0
    with open_weights(file) as stream:
        try:
            for number, line in enumerate(iter(partial(stream.readline, _LONGEST_LINE + 1), b""), 1):
                if len(line) > _LONGEST_LINE:
                    why = f"is no file of word vectors: a line is longer than {_LONGEST_LINE >> 20} MB."
                    raise UserError(why, place=file, record=number, hint=_FORMS)
                if not line.strip():
                    empty = empty or number
                    continue
                if empty:
                    raise UserError("has an empty line before its end.", place=file, record=empty, hint=_FORMS)
                yield line
        except OSError as error:
            raise unreadable(file, error) from error


def _of_header(count: bytes, size: bytes, file: Path) -> tuple[int, int]:
    """Words and numbers of a vector as the first line says."""
    if max(len(count), len(size)) > _MOST_DIGITS or not 0 < int(size) <= _MOST_NUMBERS or not int(count):
        shown = f"{count[:20].decode()} words of {size[:20].decode()} numbers"
        raise damaged_by(file, f"its first line says {shown}")
    check_count(int(count), file)
    return int(count), int(size)


def _size_of(line: bytes, file: Path) -> int:
    """Numbers behind the first word of a file without a header."""
    size = line.count(b" ")
    if not 0 < size <= _MOST_NUMBERS:
        raise UserError("is no file of word vectors.", place=file, record=1, hint=_FORMS)
    return size


def _word_of(line: bytes, size: int, file: Path, number: int) -> bytes:
    """The word, spaces in it too, of a line with `size` numbers behind it. What stands there is only held to be made of
    the signs of numbers: parsing them all would take minutes for large files."""
    spaces = line.count(b" ")
    if spaces == size:
        word, _, numbers = line.partition(b" ")
    elif spaces > size:
        word, numbers = _split_before(line, size)
    else:
        raise UserError(f"has {spaces:,} numbers in a line, not {size:,}.", place=file, record=number, hint=_FORMS)
    if numbers.translate(None, _OF_NUMBERS):
        raise _no_number(file, number)
    return word


def _split_before(line: bytes, size: int) -> tuple[bytes, bytes]:
    """A line parted before its last `size` fields."""
    word = line.rsplit(b" ", size)[0]
    return word, line[len(word) + 1 :]


def _no_number(file: Path, line: int) -> UserError:
    hint = "Choose another file. " + _FORMS
    return UserError("holds what is no number in a line.", place=file, record=line, hint=hint)
