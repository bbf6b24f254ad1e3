"""Where each word of a file of word vectors stands. The words stay in the file: 24 bytes for each are held here."""

from __future__ import annotations

import mmap
from array import array
from pathlib import Path

import numpy as np

from stepscope.core.limits import exceeded, limit
from stepscope.models.runtimes.weights import damaged_by, open_weights, unreadable


class WordIndex:
    """Words by Python's own hash, which is drawn anew by every process: nobody can make words that share one. A word
    found by its hash is compared with the file."""

    def __init__(self, data: mmap.mmap, hashes: array[int], starts: array[int], end: bytes) -> None:
        """`starts[row]` is the place in `data` where the word of that row begins, `end` what stands behind each."""
        found = np.frombuffer(hashes, np.int64)
        self._order = np.argsort(found, kind="stable")
        self._hashes = found[self._order]
        self._starts, self._data, self._end = starts, data, end

    def __len__(self) -> int:
        return len(self._starts)

    def row(self, word: bytes) -> int | None:
        """The number of the word, from 0; of one that stands there twice the first. None where it is not there."""
        wanted, whole = hash(word), word + self._end
        at = int(self._hashes.searchsorted(wanted))
        while at < len(self._hashes) and self._hashes[at] == wanted:
            row = int(self._order[at])
            start = self._starts[row]
            if self._data[start : start + len(whole)] == whole:
                return row
            at += 1
        return None


def mapped(file: Path) -> mmap.mmap:
    """The file's bytes, read from the disk as they are asked for. Raises UserError for what is no file, is empty or
    cannot be read."""
    with open_weights(file) as stream:
        try:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError as error:
            raise damaged_by(file, "it is empty") from error
        except OSError as error:
            raise unreadable(file, error) from error


def check_count(count: int, file: Path) -> None:
    """Raises SourceError beyond `model-entries` words."""
    if count > (most := limit("model-entries")):
        raise exceeded("model-entries", f"these word vectors are of more than {most:,} words.", place=file)
