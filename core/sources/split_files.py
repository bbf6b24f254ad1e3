"""Split files: JSON objects that name the episode ids of each split, lying once beside or above the shards.

AITW's sets have 700,000 ids in each of five files, so that only their hashes are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.core.domain.episode import Problem
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import read_json, text_of
from stepscope.core.sources.look import find_above

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FOLDER = "splits"


@dataclass(frozen=True, slots=True)
class SplitFile:
    """A file called `name`; its splits are told as `partition/split`, plainly where there is no partition."""

    name: str
    partition: str = ""


@dataclass(frozen=True)
class SplitTable:
    """The splits of episodes, by id. `problems` says which files could not be used."""

    names: tuple[str, ...] = ()
    _hashes: tuple[NDArray[np.int64], ...] = ()
    problems: tuple[Problem, ...] = ()

    def of(self, episode_id: str) -> tuple[str, ...]:
        """Names of the splits that hold the id, in the files' order."""
        wanted = hash(episode_id)
        return tuple(name for name, known in zip(self.names, self._hashes, strict=True) if _holds(known, wanted))


def split_table(folder: Path, files: Sequence[SplitFile]) -> SplitTable:
    """The splits that the files tell of episodes in `folder`; each file is looked for there and in the four folders
    above, and in a folder `splits` of these. Reading is done once for all shards."""
    found = []
    for file in files:
        path = find_above(folder, file.name) or find_above(folder, f"{_FOLDER}/{file.name}")
        if path is not None:
            found.append((file, path, _changed(path)))
    return _table(tuple(found))


@lru_cache(maxsize=4)
def _table(files: tuple[tuple[SplitFile, Path, int], ...]) -> SplitTable:
    names: list[str] = []
    hashes: list[NDArray[np.int64]] = []
    problems: list[Problem] = []
    for file, path, _ in files:
        try:
            for label, known in _splits(path):
                names.append(f"{file.partition}/{label}" if file.partition else label)
                hashes.append(known)
        except SourceError as error:
            problems.append(Problem(f"the splits are not known: {error.message}", field="splits", file=path.name))
    return SplitTable(tuple(names), tuple(hashes), tuple(problems))


def _splits(path: Path) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Each split's name and the sorted hashes of its ids."""
    import numpy as np

    form = read_json(path)
    if not isinstance(form, dict) or not all(isinstance(ids, list) for ids in form.values()):
        raise SourceError("no JSON object of lists of episode ids", place=path)
    for label, ids in form.items():
        known = np.array([hash(str(identity)) for identity in ids if isinstance(identity, (str, int))], np.int64)
        known.sort()
        yield text_of(label), known


def _holds(known: NDArray[np.int64], wanted: int) -> bool:
    place = int(known.searchsorted(wanted))
    return place < len(known) and int(known[place]) == wanted


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
