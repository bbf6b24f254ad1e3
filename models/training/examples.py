"""Examples and targets on disk: nothing but where each lies is kept in memory, and any process may read any of them.

A file of examples is their arrays one behind the other, each item after a line of JSON that tells names, kinds and
shapes; beside it lies a file of where each item begins. Both are this program's own and last as long as a training.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, overload

import numpy as np
import orjson
from numpy.typing import NDArray

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.models.learned.recipe import Array, Example

DATA, PLACES = "examples.bin", "examples.places"
_ALIGNED = 16


class Examples(Protocol):
    """What a network learns from, or is measured by: examples and targets in one order."""

    @property
    def examples(self) -> Sequence[Example]: ...

    @property
    def targets(self) -> Sequence[Example]: ...

    def item(self, place: int) -> tuple[Example, Example]:
        """Example and target."""
        ...

    def __len__(self) -> int: ...


class ExampleWriter:
    """Appends items to a new file in `folder`; `finish` makes it readable. Raises UserError where it cannot be
    written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places: list[int] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / PLACES).unlink(missing_ok=True)
            self._file = (folder / DATA).open("wb")
        except OSError as error:
            raise self._unwritable(error) from error

    def add(self, example: Example, target: Example) -> None:
        try:
            self._places.append(self._file.tell())
            for part in (example, target):
                self._put(part)
        except OSError as error:
            raise self._unwritable(error) from error

    def finish(self) -> StoredExamples:
        """All that was added, to be read."""
        try:
            self._places.append(self._file.tell())
            self._file.close()
            write_whole(self._folder / PLACES, np.array(self._places, np.int64).tobytes())
        except OSError as error:
            raise self._unwritable(error) from error
        return StoredExamples(self._folder)

    def close(self) -> None:
        """Close the file, whole or not."""
        with suppress(OSError):  # of what is still in the buffer of a full disk: it was told already
            self._file.close()

    def _put(self, part: Example) -> None:
        arrays = {name: np.ascontiguousarray(array).reshape(np.shape(array)) for name, array in part.items()}
        head = orjson.dumps([[name, array.dtype.str, array.shape] for name, array in arrays.items()])
        self._file.write(len(head).to_bytes(4, "little") + head)
        for array in arrays.values():
            self._file.write(b"\0" * (-self._file.tell() % _ALIGNED))
            self._file.write(array.tobytes())

    def _unwritable(self, error: OSError) -> UserError:
        return UserError(
            f"the examples cannot be kept while the model is trained: {reason(error)}",
            place=self._folder,
            hint=advice(error),
        )


class StoredExamples:
    """Items that an `ExampleWriter` kept. Opened when the first is read, in each process for itself; their arrays are
    views of the file and cannot be written to. Raises UserError for a file that is not whole."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: tuple[mmap.mmap, NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        return len(self._opened()[1]) - 1

    def __getstate__(self) -> Path:
        return self.folder

    def __setstate__(self, folder: Path) -> None:
        self.__init__(folder)  # type: ignore[misc]

    @property
    def examples(self) -> Sequence[Example]:
        return _Part(self, 0)

    @property
    def targets(self) -> Sequence[Example]:
        return _Part(self, 1)

    def item(self, place: int) -> tuple[Example, Example]:
        """Example and target."""
        data, places = self._opened()
        at = int(places[place])
        example, at = _read(data, at)
        target, _ = _read(data, at)
        return example, target

    def _opened(self) -> tuple[mmap.mmap, NDArray[np.int64]]:
        if self._open is None:
            try:
                places = np.frombuffer((self.folder / PLACES).read_bytes(), np.int64)
                with (self.folder / DATA).open("rb") as file:
                    whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if places[-1] else mmap.mmap(-1, 1)
                if places[-1] > len(whole):
                    raise ValueError("it is cut off")
            except (OSError, ValueError, IndexError) as error:
                hint = "Train again: what the data holds is read anew."
                raise UserError(f"the kept examples cannot be read: {error}", place=self.folder, hint=hint) from error
            self._open = whole, places
        return self._open


@dataclass(slots=True)
class MemoryExamples:
    """A few items in memory, for callers that have them there."""

    examples: list[Example] = field(default_factory=list)
    targets: list[Example] = field(default_factory=list)

    def item(self, place: int) -> tuple[Example, Example]:
        return self.examples[place], self.targets[place]

    def __len__(self) -> int:
        return len(self.examples)


class JoinedExamples:
    """Several sets as one, in order."""

    def __init__(self, parts: Sequence[Examples]) -> None:
        self.parts = tuple(parts)
        self.begins = np.cumsum([0, *(len(part) for part in parts)])

    def __len__(self) -> int:
        return int(self.begins[-1])

    @property
    def examples(self) -> Sequence[Example]:
        return _Chain([part.examples for part in self.parts], self.begins)

    @property
    def targets(self) -> Sequence[Example]:
        return _Chain([part.targets for part in self.parts], self.begins)

    def item(self, place: int) -> tuple[Example, Example]:
        part = _part_of(self.begins, place)
        return self.parts[part].item(place - int(self.begins[part]))


class _Part(Sequence[Example]):
    """The examples, or the targets, of a file."""

    def __init__(self, whole: StoredExamples, which: int) -> None:
        self._whole, self._which = whole, which

    def __len__(self) -> int:
        return len(self._whole)

    @overload
    def __getitem__(self, place: int) -> Example: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Example]: ...
    def __getitem__(self, place: int | slice) -> Example | Sequence[Example]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        return self._whole.item(range(len(self))[place])[self._which]

    def __iter__(self) -> Iterator[Example]:
        return (self[place] for place in range(len(self)))


class _Chain(Sequence[Example]):
    """Several sequences as one."""

    def __init__(self, parts: Sequence[Sequence[Example]], begins: NDArray[np.int64]) -> None:
        self._parts, self._begins = parts, begins

    def __len__(self) -> int:
        return int(self._begins[-1])

    @overload
    def __getitem__(self, place: int) -> Example: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Example]: ...
    def __getitem__(self, place: int | slice) -> Example | Sequence[Example]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        at = range(len(self))[place]
        part = _part_of(self._begins, at)
        return self._parts[part][at - int(self._begins[part])]

    def __iter__(self) -> Iterator[Example]:
        return (one for part in self._parts for one in part)


def _part_of(begins: NDArray[np.int64], place: int) -> int:
    """Which of the parts that begin there holds the item."""
    return int(np.searchsorted(begins, place, side="right")) - 1


@lru_cache(maxsize=1024)
def _layout(head: bytes) -> list[tuple[str, np.dtype[Any], tuple[int, ...], int]]:
    """Name, kind, shape and size of each array; the same for many items."""
    return [(name, np.dtype(kind), tuple(shape), math.prod(shape)) for name, kind, shape in orjson.loads(head)]


def _read(data: mmap.mmap, at: int) -> tuple[Example, int]:
    """The arrays that begin there, and where what follows begins."""
    length = int.from_bytes(data[at : at + 4], "little")
    layout = _layout(data[at + 4 : at + 4 + length])
    at += 4 + length
    found: dict[str, Array] = {}
    for name, dtype, shape, count in layout:
        at += -at % _ALIGNED
        if count and dtype.itemsize:
            found[name] = np.frombuffer(data, dtype, count, at).reshape(shape)
        else:
            found[name] = np.zeros(shape, dtype)
        at += count * dtype.itemsize
    return found, at
