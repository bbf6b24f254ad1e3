"""What tables with judged columns have besides: rows of what people wrote, the protocol that counts judgements, data
that stands in for the paper's; and what has to fit together in such a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.registry import format_named

if TYPE_CHECKING:
    from stepscope.app.services.reproduction.tables import PaperColumn, PaperTable

INTENT = "intent"
"""The protocol of judged columns: it counts what was said of a run's texts, whatever rule the run has."""

PLATFORM_WORDS = {"android": "Android", "web": "web"}
"""Platforms of columns, as they stand before "data"."""


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """A row of what people wrote who saw the trajectories only: beside the recorded goals ("reference"), or each two of
    them with each other ("people"). Nothing is run."""

    kind: Literal["written"]
    beside: Literal["reference", "people"]

    @property
    def seeded(self) -> bool:
        """Nothing is drawn."""
        return False


def platform_of(format: str) -> str:
    """The platform of a format's episodes, "" for what is no single format."""
    try:
        return format_named(format).platform
    except UsageError:
        return ""


def check_judged(table: PaperTable, column: PaperColumn) -> None:
    """Raises ValueError where a column cannot be judged as it says, or not with the table's rows."""
    if column.judged and table.task is not Task.GOAL:
        raise ValueError(f"column {column.id}: only goals are judged, and the task is {table.task}")
    if not column.judged and (column.each or column.app is not None or column.pairs is not None):
        raise ValueError(f"column {column.id}: each, app and pairs are of judged columns")
    for row in table.rows:
        if isinstance(row.run, WrittenRow) and (column.judged != "people" or column.each or column.app is not None):
            raise ValueError(f"column {column.id}: what people wrote (row {row.id}) is judged by people, not by app")
