"""What tables about asking have besides: rows and columns of Navi-plus' settings, and what has to fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.core.domain.prediction import Task

if TYPE_CHECKING:
    from stepscope.app.services.reproduction.tables import PaperTable

MORE = ("drop", "recovery")
"""Metrics of a setting that the protocol does not have: how much less than the original task, and the share of the drop
that is won back."""


def check_asking(table: PaperTable) -> None:
    """Raises ValueError where settings are of another task, lack, or a row is run like one that there is not."""
    ids = {row.id for row in table.rows if not row.like}
    for row in table.rows:
        if row.like and row.like not in ids:
            raise ValueError(f"row {row.id}: like is {row.like!r}, which is no row with a model of its own")
    for column in table.columns:
        if column.removed is not None and column.removed < 0:
            raise ValueError(f"column {column.id}: removed is {column.removed}, not 0 or more")
        asks = bool(column.setting) or column.removed is not None or any(row.setting for row in table.rows)
        if asks and table.task is not Task.ASK:
            raise ValueError(f"column {column.id}: setting and removed are of asking, and the task is {table.task}")
        lacks = any(not (column.setting or row.setting) for row in table.rows)
        if table.task is Task.ASK and lacks and (column.metric in MORE or column.removed is not None):
            raise ValueError(f"column {column.id}: {column.metric} needs a setting, of the column or of every row")
