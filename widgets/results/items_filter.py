"""The filter of a run's items: there before the views of results are."""

from __future__ import annotations

from enum import StrEnum


class ItemsFilter(StrEnum):
    """The items that the table lists."""

    ALL = "all"
    WRONG = "wrong"
    RIGHT = "right"
    MALFORMED = "malformed"
    NULL = "no answer"
    UNSCORED = "unscored"
    ERRORS = "errors"
    FLIPS = "flipped"
