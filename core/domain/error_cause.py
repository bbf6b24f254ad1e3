"""Why a step went wrong, in the words that a person sorts wrong steps by."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from stepscope.core.frozen import dataclass


class ErrorCause(StrEnum):
    """The order is that in which causes are looked for: the first that fits counts. The values are those of the filter
    language (`cause:row`)."""

    UNREADABLE = "unreadable"
    MISSED_ASK = "ask"
    FINISHED_EARLY = "finish"
    KIND = "kind"
    DIRECTION = "direction"
    TEXT = "text"
    ROW = "row"
    NEAR = "near"
    FAR = "far"
    PLACELESS = "place"


CAUSE_TITLES = {
    ErrorCause.UNREADABLE: "Unreadable answer",
    ErrorCause.MISSED_ASK: "Missed ask",
    ErrorCause.FINISHED_EARLY: "Finished too early",
    ErrorCause.KIND: "Wrong kind of action",
    ErrorCause.DIRECTION: "Wrong direction",
    ErrorCause.TEXT: "Wrong text",
    ErrorCause.ROW: "Off by one row",
    ErrorCause.NEAR: "Near, wrong element",
    ErrorCause.FAR: "Far away",
    ErrorCause.PLACELESS: "Place not told",
}
"""What people call them."""


@dataclass(frozen=True, slots=True)
class CauseLabel:
    """The cause that a person gave to a run's wrong step, in the place of the one that was worked out. `made` has a
    time zone."""

    cause: ErrorCause
    author: str
    made: datetime
