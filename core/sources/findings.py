"""Collecting what could not be read while an episode is put together."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from core.domain.episode import Problem
from core.errors import SourceError, UserError

MOST_TOLD = 1_000
"""Problems that are listed one by one, of an episode or of a file of many; of what goes beyond their number is told."""


@dataclass
class Findings:
    """The problems of one episode; file names are told relative to `folder`, never as paths of this machine.

    `file` is the one that is meant where a problem names none.
    """

    episode: str
    folder: Path
    problems: list[Problem] = field(default_factory=list)
    file: Path | str = ""
    _more: int = 0

    def add(self, message: str, *, step: int | None = None, field: str = "", file: Path | str = "") -> None:
        if len(self.problems) >= MOST_TOLD:
            self._more += 1
            return
        self.problems.append(Problem(message, self.episode, step, field, relative_name(file or self.file, self.folder)))

    def add_error(self, error: UserError, *, step: int | None = None, field: str = "", file: Path | str = "") -> None:
        """Keep a refused file or value as a problem of the episode."""
        self.add(told_reason(error), step=step, field=field or getattr(error, "field", ""), file=file or error.place)

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
