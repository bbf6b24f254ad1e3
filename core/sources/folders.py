"""Data sets with a folder or file for each episode: finding the episodes and reading each on demand.

A format says which episodes a folder holds (`locate`), what an episode is called (`identify`) and how it is read
(`load`). Folders are walked in natural order; hidden folders are skipped and links to folders are not followed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from stepscope.core.archives.opening import LFS_HINT
from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem, summarise
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.regular_files import is_there
from stepscope.core.sources.files import safe_join
from stepscope.core.sources.findings import problem_of, relative_name
from stepscope.core.sources.look import Locate, list_folder, listing_of, visible

_MAX_DEPTH = 12
NO_SUCH_EPISODE = "there is no episode"


def find_episodes(root: Path, locate: Locate) -> Iterator[Path | Problem]:
    """Every place at or below `root`, in natural order, and a problem for each folder that could not be entered.

    A folder that is an episode is not searched further; beside files that were found, folders are. Files that `locate`
    looked into and that are only git-lfs pointers come as problems, if their names have an ending: the one that the
    format looks for. So do files that could not be looked into.
    """
    stack = [(root, 0)]
    base = base_of(root)
    while stack:
        folder, depth = stack.pop()
        try:
            listing = listing_of(folder, base) if folder is root else list_folder(folder, root=base)
        except SourceError as error:
            yield Problem(error.message, file=relative_name(folder, base))
            continue
        places = list(locate(listing))
        yield from places
        if folder in places:
            continue
        for name in listing.pointers():
            if Path(name).suffix and folder / name not in places:
                yield problem_of(only_a_pointer(folder / name), base)
        for name, why in listing.refused().items():
            if folder / name not in places:
                yield Problem(why, file=relative_name(folder / name, base))
        if barred := visible(listing.barred):
            others = f" ({len(barred) - 1} more beside it)" if len(barred) > 1 else ""
            told = f"{listing.barred[barred[0]]} is not followed{others}"
            yield Problem(told, file=relative_name(folder / barred[0], base))
        for name in visible(listing.links):
            yield Problem("a link to a folder is not followed", file=relative_name(folder / name, base))
        if depth < _MAX_DEPTH:
            stack.extend((folder / name, depth + 1) for name in reversed(visible(listing.folders)))


def base_of(path: Path) -> Path:
    """The folder that names are told relative to: the source's own, or that of its only file."""
    return path if path.is_dir() else path.parent


def only_a_pointer(path: Path) -> SourceError:
    """Said of a file whose content was never fetched."""
    return SourceError("the file is not there, only its git-lfs pointer", place=path, hint=LFS_HINT)


def below(path: Path, base: Path) -> str:
    """`path` as seen from `base`, in which it was found: the text is cut, since paths are slow and there are many."""
    whole, start = str(path), str(base)
    if whole == start:
        return "."
    if not whole.startswith(start):
        return path.relative_to(base).as_posix()
    return whole[len(start) :].lstrip(os.sep).replace(os.sep, "/")


def no_such_episode(path: Path, episode_id: str) -> UserError:
    """The error for an id that the data at `path` does not have; its hint says how to list those it has. SourceError
    where the data itself has gone."""
    if not is_there(path):
        return SourceError("the data is not there any more", place=path, hint="Put it back, or connect its disk.")
    return UsageError(
        f"{NO_SUCH_EPISODE} {episode_id!r}", place=path, hint="`stepscope inspect PATH --episodes` lists them."
    )


@dataclass(frozen=True)
class _EpisodePlace:
    id: str
    path: Path
    wanted_id: str


class FolderSource:
    """A `Source` over folders. `identify` must be cheap; `load` receives the place and the id it is to carry.

    `outline` makes the index row from little of the episode's data (no UI trees, no pictures); without it the whole
    episode is read for its row. Ids that occur twice get "~2", "~3", … in walking order, which does not change between
    runs.
    """

    def __init__(
        self,
        format: str,
        path: Path,
        *,
        locate: Locate,
        identify: Callable[[Path], str],
        load: Callable[[Path, str], Episode],
        outline: Callable[[Path, str], EpisodeSummary] | None = None,
    ) -> None:
        self.format = format
        self.path = path
        self._base = base_of(path)
        self._locate = locate
        self._identify = identify
        self._load = load
        self._outline = outline
        self._known: dict[str, _EpisodePlace] = {}
        self._walked = False
        self._walking = threading.Lock()

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        """Index rows in walking order; an unreadable episode comes as a problem."""
        for place in self._places():
            if isinstance(place, Problem):
                yield place
                continue
            try:
                yield self._row(place)
            except SourceError as error:
                yield problem_of(error, self._base, place.id)

    def read(self, episode_id: str, place: str = "") -> Episode:
        """The whole episode; UsageError when there is none of that id, SourceError when it cannot be read."""
        known = self._at(episode_id, place) or self._known.get(episode_id) or self._found(episode_id)
        if known is None:
            raise no_such_episode(self.path, episode_id)
        return self._episode(known)

    def _row(self, place: _EpisodePlace) -> EpisodeSummary:
        where = below(place.path, self._base)
        if self._outline is None:
            return summarise(self._episode(place), where)
        row = self._outline(place.path, place.id)
        return replace(row, place=where, checked=False, problems=(*_renamed(place, self._base), *row.problems))

    def _at(self, episode_id: str, where: str) -> _EpisodePlace | None:
        """The episode at a place that `scan` noted, None when it is no longer that."""
        if not where:
            return None
        try:
            path = safe_join(self._base, where)
        except SourceError:
            return None
        if not path.exists():
            return None
        wanted = self._identify(path)
        return (
            _EpisodePlace(episode_id, path, wanted) if episode_id in (wanted, _numbered(wanted, episode_id)) else None
        )

    def _found(self, episode_id: str) -> _EpisodePlace | None:
        """The episode after one walk through everything, which is never walked again for another one."""
        with self._walking:
            if not self._walked:
                for _ in self._places():
                    pass
            return self._known.get(episode_id)

    def _places(self) -> Iterator[_EpisodePlace | Problem]:
        used: dict[str, int] = {}
        for found in find_episodes(self.path, self._locate):
            if isinstance(found, Problem):
                yield found
                continue
            wanted = self._identify(found)
            place = _EpisodePlace(unique_id(wanted, used), found, wanted)
            self._known[place.id] = place
            yield place
        self._walked = True

    def _episode(self, place: _EpisodePlace) -> Episode:
        episode = self._load(place.path, place.id)
        return replace(episode, problems=(*_renamed(place, self._base), *episode.problems))


def unique_id(wanted: str, used: dict[str, int]) -> str:
    """`wanted`, or with "~2", "~3", … behind it where it is used already; what comes out is used from now on. `used`
    has the last number that was given for an id, so that the next is found at once."""
    unique, count = wanted, used.get(wanted, 0)
    while unique in used:
        count += 1
        unique = f"{wanted}~{count}"
    used[unique] = 1
    if unique != wanted:
        used[wanted] = count
    return unique


def renamed_problem(wanted: str, given: str, file: str = "") -> Problem:
    """Said of an episode whose id another one had already."""
    message = f"the id {wanted!r} occurs more than once; this one is called {given!r}"
    return Problem(message, given, field="id", file=file)


def numbered_id(given: str) -> str:
    """The id that `unique_id` put a number behind; "" when there is no number."""
    head, _, number = given.rpartition("~")
    return head if number.isdecimal() else ""


def _numbered(wanted: str, given: str) -> str:
    """`given` when it is `wanted` with a number behind it, else ""."""
    return given if wanted and numbered_id(given) == wanted else ""


def _renamed(place: _EpisodePlace, base: Path) -> tuple[Problem, ...]:
    if place.id == place.wanted_id:
        return ()
    return (renamed_problem(place.wanted_id, place.id, relative_name(place.path, base)),)
