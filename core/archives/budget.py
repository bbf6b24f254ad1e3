"""How much may come out of a packed file: bytes that were really produced are counted, never those that it claims."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.errors import SourceError
from stepscope.core.limits import BYTES, exceeded, limit, written_figure


class Budget:
    """The bytes that may come out of the file at `path`, which has `size` of them: so many times its size
    (`archive-ratio`), and what any file may unpack to (`archive-bytes`)."""

    def __init__(self, path: Path, size: int) -> None:
        by_size, free = size * limit("archive-ratio"), limit("archive-bytes")
        self.most = by_size + free
        self.taken = 0
        self._path = path
        self._limit = "archive-ratio" if by_size > free else "archive-bytes"

    def take(self, count: int) -> None:
        """Count bytes that came out. Raises SourceError when they are too many."""
        self.taken += count
        if self.taken > self.most:
            raise self.refusal()

    def refusal(self) -> SourceError:
        """What is told of a file that unpacks, or says to unpack, to more than it may."""
        message = f"it unpacks to more than {written_figure(BYTES, self.most)}, far more than data of its size does"
        return exceeded(self._limit, message, place=self._path)

    def counted(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Pass the pieces on, as long as they are not too many."""
        for piece in pieces:
            self.take(len(piece))
            yield piece
