"""A first, bounded look at a path: what lies in its folders and how the files in them begin.

All formats are asked about one `FolderScan`, so that a folder is listed once and the beginning of a file is read once
however many formats want to know.
"""

from __future__ import annotations

import heapq
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from itertools import islice
from pathlib import Path

from stepscope.core.archives.opening import LFS_POINTER
from stepscope.core.drafts import reason
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.regular_files import is_file, open_regular
from stepscope.core.sources.files import A_LINK_OUT, is_empty, leads_out, natural_key

_ENTRIES = 2_000
_FOLDERS = 400
_DEPTH = 5
_LEVELS_ABOVE = 4
_HEAD_BYTES = 65_536


@dataclass(frozen=True)
class Listing:
    """The entries directly in `folder`: names of files (also linked ones), of folders, and of links to folders.

    `barred` says of links that lead out of the data why they are none of these. Of a path that is a single file it is
    the file's folder with nothing else in it.
    """

    folder: Path
    files: frozenset[str]
    folders: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    barred: Mapping[str, str] = field(default_factory=dict, compare=False)
    _heads: dict[str, bytes] = field(default_factory=dict, compare=False, repr=False)
    _refused: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def has_folder(self, *names: str) -> bool:
        """Whether one of `names` is a folder here."""
        return any(name in self.folders or name in self.links for name in names)

    def files_ending(self, *suffixes: str) -> list[str]:
        """Visible files with one of the suffixes (lower case, with dot), in natural order."""
        found = [name for name in self.files if name.lower().endswith(suffixes) and not name.startswith(".")]
        return sorted(found, key=natural_key)

    def head(self, name: str) -> bytes:
        """The first 64 KB of the file called `name`; empty where it is not there or cannot be read."""
        if name not in self._heads:
            try:
                self._heads[name] = _head(self.folder / name)
            except OSError as error:
                self._heads[name], self._refused[name] = b"", f"cannot be read: {reason(error)}"
        return self._heads[name]

    def is_empty(self, name: str) -> bool:
        """Whether the file called `name` has no bytes."""
        return not self.head(name) and is_empty(self.folder / name)

    def pointers(self) -> list[str]:
        """Names of the files whose head was asked for and that are git-lfs pointers, in natural order."""
        return visible(name for name, head in self._heads.items() if head.startswith(LFS_POINTER))

    def refused(self) -> dict[str, str]:
        """Names of the files whose head was asked for and that the system did not let be read, each with why, in
        natural order."""
        return {name: self._refused[name] for name in visible(self._refused)}


def with_empty(listing: Listing, names: Iterable[str], known: Callable[[str], bool]) -> Iterator[Path]:
    """Files for whose names `known` says yes and, where there are some, the empty ones of the names, to be told."""
    names = list(names)
    own = {name for name in names if known(name)}
    for name in names if own else ():
        if name in own or listing.is_empty(name):
            yield listing.folder / name


Locate = Callable[[Listing], Iterable[Path]]
"""What of a format lies in a folder: an episode's folder or file, or a file of many episodes."""


def list_folder(folder: Path, limit: int | None = None, root: Path | None = None) -> Listing:
    """The folder's listing, of `limit` entries at most; SourceError when it cannot be listed. Links may lead to all
    that lies in `root`, which is the folder itself unless it is named."""
    files, folders, links = set[str](), set[str](), set[str]()
    barred: dict[str, str] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in islice(entries, limit):
                if entry.is_dir(follow_symlinks=False):
                    folders.add(entry.name)
                elif entry.is_symlink() and (why := _why_not(Path(entry.path), folder if root is None else root)):
                    barred[entry.name] = why
                else:
                    (links if entry.is_dir() else files).add(entry.name)
    except OSError as error:
        raise SourceError(f"the folder cannot be listed: {error.strerror}", place=folder) from error
    return Listing(folder, frozenset(files), frozenset(folders), frozenset(links), barred)


def _why_not(link: Path, root: Path) -> str:
    """Why a link is not followed, "" where it is: one that leads to something in `root`, or nowhere (whoever wants what
    is not there tells it)."""
    try:
        return A_LINK_OUT if leads_out(root, link) else ""
    except (OSError, ValueError, RuntimeError):
        return "a link that leads nowhere"


def listing_of(path: Path, root: Path | None = None) -> Listing:
    """The listing of a folder, or that of a single file."""
    return list_folder(path, root=root) if path.is_dir() else Listing(path.parent, frozenset((path.name,)))


class FolderScan:
    """A scan of at most 400 folders, five levels deep, 2,000 entries of each.

    Near folders come first, and of many siblings the first ones with what lies in them before the last ones: ten
    thousand app folders do not hide the traces in them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: list[Listing] = []
        self._walk = self._listings()

    def listings(self) -> Iterator[Listing]:
        """The folders in the order in which they are looked into."""
        place = 0
        while True:
            if place == len(self._seen):
                fresh = next(self._walk, None)
                if fresh is None:
                    return
                self._seen.append(fresh)
            yield self._seen[place]
            place += 1

    def holds(self, locate: Locate) -> bool:
        """Whether something that `locate` knows is met."""
        return any(True for listing in self.listings() for _ in locate(listing))

    def _listings(self) -> Iterator[Listing]:
        if not self.path.is_dir():
            yield listing_of(self.path)
            return
        queue = [(0.0, 0, self.path, 0)]
        seen = 0
        for _ in range(_FOLDERS):
            if not queue:
                return
            cost, _, folder, depth = heapq.heappop(queue)
            try:
                listing = list_folder(folder, _ENTRIES, self.path)
            except SourceError:
                continue
            yield listing
            for place, name in enumerate(visible(listing.folders) if depth < _DEPTH else ()):
                seen += 1
                heapq.heappush(queue, (cost + 1 + math.log2(1 + place), seen, folder / name, depth + 1))


def find_above(folder: Path, name: str) -> Path | None:
    """A file called `name` in the episode's folder or in one of the four above it: tables that a data set has once."""
    folder = folder.absolute()
    for level in (folder, *list(folder.parents)[:_LEVELS_ABOVE]):
        if (level / name).is_file() and not _leads_out(level, name):
            return level / name
    return None


def _leads_out(folder: Path, name: str) -> bool:
    try:
        return leads_out(folder, folder / name)
    except (OSError, ValueError, RuntimeError):
        return True


def visible(names: Iterable[str]) -> list[str]:
    """Names that do not begin with a dot, in natural order."""
    return sorted((name for name in names if not name.startswith(".")), key=natural_key)


def _head(path: Path) -> bytes:
    if not is_file(path):
        return b""
    with open_regular(path) as stream:
        return stream.read(_HEAD_BYTES)
