"""Limits as rows of their page."""

from __future__ import annotations

from stepscope.core import limits
from stepscope.widgets.preferences import LimitRow

_READING = "Reading data"
_GROUPS = {
    "archive": "Archives",
    "disk": "Archives",
    "picture": "Pictures",
    "answer": "Chat servers",
    "model": "Models out of files",
    "page": "Pages of web tasks",
}
"""By how a limit's name begins; all others are about reading."""
GROUPS_ORDER = tuple(dict.fromkeys((_READING, *_GROUPS.values())))


def limit_row(row: limits.Limit) -> LimitRow:
    """A limit as it is now."""
    now = limits.limit(row.name)
    return LimitRow(
        name=row.name,
        group=_GROUPS.get(row.name.partition("-")[0], _READING),
        words=row.words,
        reason=row.reason,
        value=limits.written_figure(row.unit, now),
        usual=limits.written_figure(row.unit, row.value),
        is_usual=now == row.value,
    )
