"""Scored items of a run, read by page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.paged_item_model import PagedItemModel
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.results.result_rows import ItemRow

EPISODE, STEP, VERDICT, SCORE, PREDICTED, REFERENCE, WHY = range(7)


class ItemsItemModel(PagedItemModel[ItemRow]):
    columns = ("Goal", "Step", "Verdict", "Score", "Predicted", "Reference", "Why")

    def cell(self, value: ItemRow, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return _words(value, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            words = f"{value.goal}\n{value.episode}".strip() if column == EPISODE else _words(value, column)
            return tip_words(words)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (STEP, SCORE):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole and column != EPISODE:
            return QColor(_colour(value, column))
        return None

    def placeholder(self, row: int, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and column == EPISODE:
            return "…"
        return super().placeholder(row, column, role)


def _words(row: ItemRow, column: int) -> str:
    return {
        EPISODE: row.goal or row.episode,
        STEP: formats.NONE if row.step is None else str(row.step + 1),
        VERDICT: row.verdict.words if row.before is None else f"{row.verdict.words}, was {row.before.word}",
        SCORE: formats.score(row.score),
        PREDICTED: row.predicted or formats.NONE,
        REFERENCE: row.reference or formats.NONE,
        WHY: row.why,
    }[column]


def _colour(row: ItemRow, column: int) -> str:
    colours = theme.current()
    if column == VERDICT:
        return {"hit": colours.hit, "miss": colours.miss, "warn": colours.warn}.get(
            row.verdict.badge, colours.secondary
        )
    return colours.secondary
