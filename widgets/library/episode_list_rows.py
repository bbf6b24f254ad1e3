"""What the list of episodes shows, as frozen values."""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.verdict import ShownVerdict

WRONG = frozenset({ShownVerdict.MISS, ShownVerdict.MALFORMED, ShownVerdict.NULL})
"""Verdicts that count as wrong."""

ALL_RUNS = tuple(range(8))
"""The numbers of all letters."""


@dataclass(frozen=True, slots=True)
class EpisodeListRow:
    """One row. `position` is its place in the list as filtered and sorted; `label` and `reason` are the feasibility's.

    `verdicts` holds a row of verdicts per shown run, one per step, empty for a run that has nothing here; `confidences`
    the lowest of each of these runs, if it says any; `runs` which these are (0 is A). `asks` and `problems` count.
    `signs` are the icons of what people said about it or its steps (star, check, flag, note), `said` tells it in words,
    a line each.
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
    verdicts: tuple[tuple[ShownVerdict, ...], ...] = ()
    signs: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    format: str = ""
    confidences: tuple[float | None, ...] = ()
    runs: tuple[int, ...] = ALL_RUNS

    @property
    def first_wrong(self) -> tuple[int | None, ...]:
        """The first wrong step of each of these runs, counted from 1."""
        return tuple(
            next((step for step, verdict in enumerate(row, start=1) if verdict in WRONG), None) for row in self.verdicts
        )


@dataclass(frozen=True, slots=True)
class EpisodeGroup:
    """A heading of the list: its words ("" is unknown), what it shares with no other, how many episodes it has."""

    key: str
    words: str
    count: int


@dataclass(frozen=True, slots=True)
class FilterSuggestion:
    """A suggestion for the filter: its text, what it means, and how many episodes have it if that is known."""

    text: str
    words: str = ""
    count: int | None = None


@dataclass(frozen=True, slots=True)
class SavedFilter:
    """A filter that is kept under a name; `count` is how many episodes pass, None while or where it is not known, and
    `wrong` why it cannot be looked up here."""

    name: str
    text: str
    count: int | None = None
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class FilterProblem:
    """A mistake in the filter: words, where the wrong token stands in the text, what may have been meant.

    `suggestion` replaces the token; `kept` tells how many episodes the last good filter shows, None when none is kept.
    """

    message: str
    start: int = 0
    length: int = 0
    suggestion: str = ""
    kept: int | None = None


class RowPart(StrEnum):
    """A part of a row of the list besides its goal; the value is what is kept."""

    APP = "app"
    STEPS = "steps"
    LABEL = "label"
    SPLIT = "split"
    FORMAT = "format"
    ASKS = "asks"
    FIRST_WRONG = "first_wrong"
    CONFIDENCE = "confidence"
    NOTES = "notes"
    VERDICTS = "verdicts"

    @property
    def words(self) -> str:
        return {
            "app": "App",
            "steps": "Number of steps",
            "label": "Feasibility",
            "split": "Split",
            "format": "Format of the data",
            "asks": "Questions",
            "first_wrong": "First wrong step",
            "confidence": "Lowest confidence",
            "notes": "Notes and flags",
            "verdicts": "Verdicts of the shown runs",
        }[self.value]


USUAL_PARTS = (RowPart.APP, RowPart.STEPS, RowPart.LABEL, RowPart.ASKS, RowPart.NOTES, RowPart.VERDICTS)


class EpisodeGrouping(StrEnum):
    """The property that the episodes under one heading share."""

    NONE = "none"
    APP = "app"
    SPLIT = "split"
    LABEL = "label"
    REASON = "reason"
    PLATFORM = "platform"

    @property
    def words(self) -> str:
        return {
            "none": "No Groups",
            "app": "By App",
            "split": "By Split",
            "label": "By Feasibility",
            "reason": "By Reason",
            "platform": "By Platform",
        }[self.value]
