"""The list of episodes for Qt's views: as many rows as the filter leaves, read by page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from widgets.common.paged_item_model import PagedItemModel
from widgets.episodes.values import EpisodeRow
from widgets.format import counted


class EpisodesItemModel(PagedItemModel[EpisodeRow]):
    """One column; the delegate paints the row value (RowRole)."""

    columns = ("Episode",)

    def cell(self, value: EpisodeRow, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.goal or value.id
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(value)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(value)
        return None


def spoken(row: EpisodeRow) -> str:
    """The row in one sentence, for screen readers."""
    parts = [row.goal or row.id, row.app, counted(row.steps, "step"), _feasibility(row)]
    if row.asks:
        parts.append(counted(row.asks, "question"))
    parts += row.said
    for run, verdicts in enumerate(row.verdicts):
        wrong = sum(verdict.value in ("miss", "malformed", "error") for verdict in verdicts)
        parts.append(f"run {chr(ord('A') + run)} {wrong} wrong")
    return ", ".join(filter(None, parts))


def tooltip(row: EpisodeRow) -> str:
    """All that the row may have had to cut."""
    lines = [row.goal, f"Episode {row.id}", _feasibility(row)]
    if row.problems:
        lines.append(f"{counted(row.problems, 'problem')} while reading")
    return "\n".join(filter(None, (*lines, *row.said)))


def _feasibility(row: EpisodeRow) -> str:
    return f"{row.label}: {row.reason}" if row.label and row.reason else row.label
