"""Collecting what could not be read while an episode is put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Picture, Problem
from stepscope.core.errors import SourceError, UserError
from stepscope.core.limits import exceeded, limit

MOST_TOLD = 1_000
"""Problems that are listed one by one, of an episode or of a file of many; of what goes beyond their number is told."""


@dataclass
class Findings:
    """The problems of one episode; file names are told relative to `folder`, never as paths of this machine.

    `file` is the one that is meant where a problem names none. `pictures` are those that were looked at for it, by
    folder and name, with what is wrong with them.
    """

    episode: str
    folder: Path
    problems: list[Problem] = field(default_factory=list)
    file: Path | str = ""
    pictures: dict[tuple[Path, str], Picture | SourceError] = field(default_factory=dict)
    _more: int = 0
    _elements: int = 0

    def add(self, message: str, *, step: int | None = None, field: str = "", file: Path | str = "") -> None:
        if len(self.problems) >= MOST_TOLD:
            self._more += 1
            return
        self.problems.append(Problem(message, self.episode, step, field, relative_name(file or self.file, self.folder)))

    def add_error(self, error: UserError, *, step: int | None = None, field: str = "", file: Path | str = "") -> None:
        """Keep a refused file or value as a problem of the episode."""
        self.add(told_reason(error), step=step, field=field or getattr(error, "field", ""), file=file or error.place)

    def tree(
        self, tree: UITree | None, notes: Iterable[str] = (), *, step: int, field: str = "view_hierarchy",
        file: Path | str = "",
    ) -> UITree | None:  # fmt: skip
        """A step's tree as it was read just now, with notes on what was left out of it; one that several steps share
        comes here once.

        Raises SourceError where the trees of the episode have more elements together than `episode-elements`: small
        files can name one page in every step, and what they name is held as often as it is read.
        """
        for note in notes:
            self.add(note, step=step, field=field, file=file)
        self._elements += len(tree) if tree is not None else 0
        most = limit("episode-elements")
        if self._elements > most:
            message = f"the UI trees of the episode have more than {most:,} elements together"
            raise exceeded("episode-elements", message, place=file or self.file or self.folder, field=field)
        return tree

    def as_tuple(self) -> tuple[Problem, ...]:
        if not self._more:
            return tuple(self.problems)
        return (*self.problems, Problem(f"{self._more:,} more problems are not listed", self.episode))


def told_reason(error: UserError) -> str:
    """Why something cannot be read, in sentences: what happened and, if known, what to do."""
    return f"{error.message}. {error.hint}" if error.hint else error.message


def problem_of(error: SourceError, base: Path, episode: str = "", file: str = "") -> Problem:
    """A refused record as a problem of the source in the folder `base`."""
    return Problem(told_reason(error), episode, None, error.field, relative_name(error.place, base) or file)


def relative_name(file: Path | str, folder: Path) -> str:
    """`file` as seen from `folder`; its bare name when it lies elsewhere."""
    if not file:
        return ""
    path = Path(file)
    if path.is_relative_to(folder):
        return path.relative_to(folder).as_posix() if path != folder else ""
    return path.name if path.is_absolute() else path.as_posix()
