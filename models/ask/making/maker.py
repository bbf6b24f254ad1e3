"""What makes ambiguous tasks out of an episode: rules, or a model that is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from stepscope.core.domain.ambiguous_task import MissingPiece, StepReading
from stepscope.core.domain.episode import Episode
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """A goal without what `pieces` hold; no pieces where the episode has not enough informative steps for `removed`."""

    removed: int
    goal: str
    pieces: tuple[MissingPiece, ...] = ()


class StepProblem(NamedTuple):
    """Why an answer about a step could not be read."""

    step: int
    why: str


@dataclass(frozen=True, slots=True)
class EpisodeDrafts:
    """What was made of an episode. `failed` says why nothing was, "" where all went well; `unfinished`: the questions
    that may be asked are spent. `problems` are answers that could not be read; where they leave too few steps there is
    no draft, so that it is tried again."""

    drafts: tuple[TaskDraft, ...] = ()
    readings: tuple[StepReading, ...] = ()
    failed: str = ""
    unfinished: bool = False
    problems: tuple[StepProblem, ...] = ()


class AskTaskMaker(Protocol):
    """Makes ambiguous tasks. `name` stands beside them, `version` changes with every change of what it makes; `at_once`
    episodes may be given to it at a time."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def at_once(self) -> int: ...

    def set_token(self, token: CancelToken) -> None:
        """Work begins, which this token may end."""
        ...

    def make(self, episode: Episode, removed: Sequence[int]) -> EpisodeDrafts:
        """A draft for each number of steps to leave out. Raises SourceError for a picture that cannot be read."""
        ...
