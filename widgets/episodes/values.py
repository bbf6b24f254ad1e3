"""What the list of episodes shows, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from widgets.common.verdict import Verdict


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """One row. `position` is its place in the list as filtered and sorted; `label` and `reason` are the feasibility's.

    `verdicts` holds a row of verdicts per run, one per step; `asks` and `problems` count. `signs` are the icons of what
    people said about it or its steps (star, check, flag, note), `said` tells it in words, a line each.
    """

    position: int
    id: str
    goal: str
    app: str = ""
    steps: int = 0
    label: str = ""
    reason: str = ""
    asks: int = 0
    problems: int = 0
    verdicts: tuple[tuple[Verdict, ...], ...] = ()
    signs: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FilterError:
    """A mistake in the filter: words, where the wrong token stands in the text, what may have been meant.

    `suggestion` replaces the token; `kept` tells how many episodes the last good filter shows, None when none is kept.
    """

    message: str
    start: int = 0
    length: int = 0
    suggestion: str = ""
    kept: int | None = None


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """Something that could not be read, and where."""

    file: str
    record: str
    field: str
    message: str


class EpisodeSort(StrEnum):
    """Orders of the list."""

    DATA = "data"
    GOAL = "goal"
    APP = "app"
    STEPS = "steps"
    FIRST_WRONG = "first_wrong"

    @property
    def words(self) -> str:
        return {
            "data": "Data order",
            "goal": "Goal, A to Z",
            "app": "App, A to Z",
            "steps": "Most steps first",
            "first_wrong": "First wrong step",
        }[self.value]
