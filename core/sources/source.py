"""What every reader of a data set offers, and what a format says of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass

if TYPE_CHECKING:
    from stepscope.core.domain.procedure import Procedure
    from stepscope.core.domain.webtask import WebInstance, WebTask
    from stepscope.core.sources.look import FolderScan, Locate


class Source(Protocol):
    """An opened data set. Opening is quick; reading happens in `scan` and `read`, both safe on any thread."""

    format: str
    path: Path

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        """Every episode's index row in the data set's own order, lazily; a `Problem` where an episode is unreadable.

        Rows of other kinds (procedures, web tasks' instances) say so.
        """
        ...

    def read(self, episode_id: str, place: str = "") -> Episode:
        """The whole episode; raises SourceError when it cannot be read and UsageError when there is none of that id.

        `place` is the index row's and saves a search. Procedures and instances are read as episodes too, for showing.
        """
        ...


@runtime_checkable
class ProcedureSource(Source, Protocol):
    """A source whose rows are procedures."""

    def read_procedure(self, procedure_id: str, place: str = "") -> Procedure:
        """The procedure; errors as those of `read`."""
        ...


@runtime_checkable
class WebTaskSource(Source, Protocol):
    """A source whose rows are instances of web tasks; a row's `app` is the name of its task.

    An instance's id is `<task>/<instance>`: by it scores and predictions of one task are put together
    (`core.domain.webtask.task_of`).
    """

    def read_task(self, name: str) -> WebTask:
        """The task of that name; errors as those of `read`."""
        ...

    def read_instance(self, instance_id: str, place: str = "") -> WebInstance:
        """The instance; errors as those of `read`."""
        ...


def web_tasks_of(source: Source) -> WebTaskSource:
    """The source as one of web tasks. Raises UsageError where it holds other things."""
    if isinstance(source, WebTaskSource):
        return source
    raise UsageError("there are no web tasks", place=source.path, hint="Choose a data set of web tasks.")


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be read. `sniff` looks at content only (never at the folder's name) and must be quick.

    `checked`: whether the reader was tried on the real data or only on a fixture made by the format's description.
    `beside` names a format whose files these accompany: where that one is found, these do not open of themselves.
    """

    name: str
    title: str
    platform: Platform
    kind: Literal["episodes", "procedures", "webtasks", "predictions"]
    checked: Literal["real", "fixture"]
    sniff: Callable[[FolderScan], bool]
    open: Callable[[Path], Source]
    beside: str = ""


def sniffer(locate: Locate) -> Callable[[FolderScan], bool]:
    """The `sniff` of a format that is there when `locate` finds something."""
    return lambda look: look.holds(locate)
