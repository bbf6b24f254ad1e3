"""A run's coordinate check as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """A space in which the places were read: `right` of the run's places, as a share with its interval, how many lie on
    the screen, the accuracy over all steps, and how much that is above the chosen space's. `note` is a word about it;
    `better` that its interval lies above the chosen one's."""

    id: str
    title: str
    right: int
    share: float | None
    interval: tuple[float, float] | None
    on_screen: float | None
    accuracy: float
    difference: float | None
    note: str = ""
    chosen: bool = False
    better: bool = False


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A step that would turn, in words; `better`: right then."""

    episode: str
    step: int
    better: bool
    said: str
    now: str
    then: str


@dataclass(frozen=True, slots=True)
class CoordinatesState:
    """`headline` and `detail` say what was found; `winner` is the space to read again in, "" where there is none or the
    answers are not there. `footer` counts what was read, `command` is the equal command line."""

    headline: str
    detail: str
    rows: tuple[SpaceRow, ...]
    turns: tuple[TurnRow, ...]
    footer: str
    command: str
    winner: str = ""
    can_read: bool = False
