"""Follow-up questions beside those of the annotators, read by page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.paged_item_model import PagedItemModel
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.results.metrics_item_model import RIGHT
from stepscope.widgets.results.reason_values import QuestionRow

GOAL, APP, REASON, ASKED, ANNOTATORS, COSINE, METEOR = range(7)
ORDERS = {APP: "app", REASON: "reason", COSINE: "cos_sim", METEOR: "meteor"}
"""The columns by which the rows can be sorted, and what that order is called."""


class QuestionsItemModel(PagedItemModel[QuestionRow]):
    columns = ("Goal", "App", "Reason", "The model asks", "The annotators ask", "Cosine", "METEOR")

    def cell(self, value: QuestionRow, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return straight(_words(value, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words("\n".join(value.annotators) if column == ANNOTATORS else _words(value, column))
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (COSINE, METEOR):
            return RIGHT
        if role == Qt.ItemDataRole.ForegroundRole and column not in (ASKED, ANNOTATORS):
            return QColor(theme.current().secondary)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and section in (COSINE, METEOR):
            return RIGHT
        if role == Qt.ItemDataRole.ToolTipRole and orientation is Qt.Orientation.Horizontal:
            return "A click sorts by this column, a second one the other way" if section in ORDERS else None
        return super().headerData(section, orientation, role)

    def placeholder(self, row: int, column: int, role: int) -> Any:
        return "…" if role == Qt.ItemDataRole.DisplayRole and column == GOAL else super().placeholder(row, column, role)


def _words(row: QuestionRow, column: int) -> str:
    return {
        GOAL: row.goal,
        APP: row.app or formats.NONE,
        REASON: row.reason or formats.NONE,
        ASKED: row.asked or formats.NONE,
        ANNOTATORS: " · ".join(row.annotators) or formats.NONE,
        COSINE: formats.score(row.cosine),
        METEOR: formats.score(row.meteor),
    }[column]
