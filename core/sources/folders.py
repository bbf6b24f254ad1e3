"""Data sets that are folders: finding the episodes in them and reading each on demand.

A format says which episodes a folder holds (`locate`), what an episode is called (`identify`) and how it is read
(`load`). Folders are walked in natural order; hidden folders are skipped and links to folders are not followed.
"""

from __future__ import annotations

import heapq
import math
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from core.domain.episode import Episode, EpisodeSummary, Problem, summarise
from core.errors import SourceError, UsageError
from core.sources.files import natural_key
from core.sources.findings import relative_name

_MAX_DEPTH = 12
_SNIFF_ENTRIES = 2_000
_SNIFF_FOLDERS = 400
_LEVELS_ABOVE = 4
_SNIFF_DEPTH = 5


@dataclass(frozen=True)
class Listing:
    """What lies directly in `folder`: names of files (also linked ones), of folders, and of links to folders."""

    folder: Path
    files: frozenset[str]
    folders: frozenset[str]
    links: frozenset[str] = frozenset()

    def has_folder(self, *names: str) -> bool:
        """Whether one of `names` is a folder here."""
        return any(name in self.folders or name in self.links for name in names)

    def files_ending(self, *suffixes: str) -> list[str]:
        """Visible files with one of the suffixes (lower case, with dot), in natural order."""
        found = [name for name in self.files if name.lower().endswith(suffixes) and not name.startswith(".")]
        return sorted(found, key=natural_key)


def list_folder(folder: Path, limit: int | None = None) -> Listing:
    """The folder's listing, of `limit` entries at most; SourceError when it cannot be listed."""
    files, folders, links = set(), set(), set()
    try:
        with os.scandir(folder) as entries:
            for entry in islice(entries, limit):
                if entry.is_dir(follow_symlinks=False):
                    folders.add(entry.name)
                elif entry.is_symlink() and entry.is_dir():
                    links.add(entry.name)
                else:
                    files.add(entry.name)
    except OSError as error:
        raise SourceError(f"the folder cannot be listed: {error.strerror}", place=folder) from error
    return Listing(folder, frozenset(files), frozenset(folders), frozenset(links))


Locate = Callable[[Listing], Iterable[Path]]


def holds_episode(path: Path, locate: Locate) -> bool:
    """Whether a bounded look into `path` meets an episode.

    At most 400 folders, five levels deep, 2,000 entries of each. Near folders come first, and of many siblings the
    first ones with what lies in them before the last ones: ten thousand app folders do not hide the traces in them.
    """
    queue = [(0.0, 0, path, 0)]
    seen = 0
    for _ in range(_SNIFF_FOLDERS):
        if not queue:
            return False
        cost, _, folder, depth = heapq.heappop(queue)
        try:
            listing = list_folder(folder, _SNIFF_ENTRIES)
        except SourceError:
            continue
        if any(True for _ in locate(listing)):
            return True
        for place, name in enumerate(_visible(listing.folders) if depth < _SNIFF_DEPTH else ()):
            seen += 1
            heapq.heappush(queue, (cost + 1 + math.log2(1 + place), seen, folder / name, depth + 1))
    return False


def find_episodes(root: Path, locate: Locate) -> Iterator[Path | Problem]:
    """Every episode's place below `root`, in natural order, and a problem for each folder that could not be entered.

    A folder that holds an episode is not searched further.
    """
    stack = [(root, 0)]
    while stack:
        folder, depth = stack.pop()
        try:
            listing = list_folder(folder)
        except SourceError as error:
            yield Problem(error.message, file=relative_name(folder, root))
            continue
        places = list(locate(listing))
        yield from places
        if places:
            continue
        for name in _visible(listing.links):
            yield Problem("a link to a folder is not followed", file=relative_name(folder / name, root))
        if depth < _MAX_DEPTH:
            stack.extend((folder / name, depth + 1) for name in reversed(_visible(listing.folders)))


def find_above(folder: Path, name: str) -> Path | None:
    """A file called `name` in the episode's folder or in one of the four above it: tables that a data set has once."""
    folder = folder.absolute()
    for level in (folder, *list(folder.parents)[:_LEVELS_ABOVE]):
        if (level / name).is_file():
            return level / name
    return None


def _visible(names: Iterable[str]) -> list[str]:
    return sorted((name for name in names if not name.startswith(".")), key=natural_key)


@dataclass(frozen=True)
class _Place:
    id: str
    path: Path
    wanted_id: str


class FolderSource:
    """A `Source` over a folder. `identify` must be cheap; `load` receives the place and the id it is to carry.

    Ids that occur twice get "~2", "~3", … in walking order, which does not change between runs.
    """

    def __init__(
        self,
        format: str,
        path: Path,
        *,
        locate: Locate,
        identify: Callable[[Path], str],
        load: Callable[[Path, str], Episode],
    ) -> None:
        self.format = format
        self.path = path
        self._locate = locate
        self._identify = identify
        self._load = load
        self._known: dict[str, _Place] = {}
        self._walked = False
        self._walking = threading.Lock()

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        """Index rows in walking order; an unreadable episode comes as a problem."""
        for place in self._places():
            if isinstance(place, Problem):
                yield place
                continue
            try:
                yield summarise(self._episode(place))
            except SourceError as error:
                message = f"{error.message}. {error.hint}" if error.hint else error.message
                yield Problem(message, place.id, None, error.field, relative_name(error.place, self.path))

    def read(self, episode_id: str) -> Episode:
        """The whole episode; UsageError when there is none of that id, SourceError when it cannot be read."""
        place = self._known.get(episode_id) or self._found(episode_id)
        if place is None:
            raise UsageError(
                f"there is no episode {episode_id!r}",
                place=self.path,
                hint="`stepscope inspect PATH --episodes` lists them.",
            )
        return self._episode(place)

    def _found(self, episode_id: str) -> _Place | None:
        """The episode after one walk through everything, which is never walked again for another one."""
        with self._walking:
            if not self._walked:
                for _ in self._places():
                    pass
            return self._known.get(episode_id)

    def _places(self) -> Iterator[_Place | Problem]:
        used: set[str] = set()
        for found in find_episodes(self.path, self._locate):
            if isinstance(found, Problem):
                yield found
                continue
            wanted = self._identify(found)
            unique, count = wanted, 1
            while unique in used:
                count += 1
                unique = f"{wanted}~{count}"
            used.add(unique)
            place = _Place(unique, found, wanted)
            self._known[unique] = place
            yield place
        self._walked = True

    def _episode(self, place: _Place) -> Episode:
        episode = self._load(place.path, place.id)
        if place.id == place.wanted_id:
            return episode
        problem = Problem(
            f"the id {place.wanted_id!r} occurs more than once; this one is called {place.id!r}",
            place.id,
            field="id",
            file=relative_name(place.path, self.path),
        )
        return replace(episode, problems=(problem, *episode.problems))
