"""Metrics of a run as a table; the columns of a baseline and of the paper are there only when their numbers are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.results.result_rows import MetricRow

Index = QModelIndex | QPersistentModelIndex
MetricRole = int(Qt.ItemDataRole.UserRole)
TITLE, VALUE, INTERVAL, PLOT, BASELINE, DIFFERENCE, P, N, FEASIBLE, INFEASIBLE, PAPER = range(11)
"""What a column shows; which column shows what depends on what there is (`shows`)."""
HEADS = (
    "Metric", "This run", "95 % interval", "", "baseline", "Difference", "p, paired", "n", "Feasible", "Infeasible",
    "Paper",
)  # fmt: skip
FEW = 10
"""Below this many items a rate says little."""
ELSEWHERE = "*"
"""Behind a paper's number that is about other data."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class MetricsItemModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[MetricRow, ...] = ()
        self._shows: tuple[int, ...] = (TITLE, VALUE, INTERVAL, PLOT, N)
        self._words: list[list[str]] = []
        self._run = self._baseline = ""

    def set_metrics(self, rows: Sequence[MetricRow], *, paper: bool = True, run: str = "", baseline: str = "") -> None:
        """`paper` False hides the papers' numbers (a stand-in's scores are not to be compared). `run` is this run's
        letter, `baseline` that of the run that it is compared with; "" for none."""
        compared = (BASELINE, DIFFERENCE, P) if baseline else ()
        papers = (PAPER,) if paper and any(row.paper is not None for row in rows) else ()
        told = any(row.of_feasible is not None or row.of_infeasible is not None for row in rows)
        parts = (FEASIBLE, INFEASIBLE) if told else ()
        shows = (TITLE, VALUE, INTERVAL, PLOT, *compared, N, *parts, *papers)
        same = (shows, len(rows), run, baseline) == (self._shows, len(self._rows), self._run, self._baseline)
        if not same:
            self.beginResetModel()
        self._rows, self._run, self._baseline, self._shows = tuple(rows), run, baseline, shows
        self._words = [[WORDS[column](row) for column in shows] for row in rows]
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(shows) - 1))

    def lengths(self) -> tuple[int, ...]:
        """Letters of the longest words in each column."""
        return tuple(max(map(len, column)) for column in zip(*self._words, strict=True))

    def shows(self, column: int) -> int:
        """What the column shows: TITLE, VALUE, …"""
        return self._shows[column]

    def column_of(self, what: int) -> int:
        """Where this is shown, -1 when it is not."""
        return self._shows.index(what) if what in self._shows else -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._shows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], self._shows[index.column()]
        if role == MetricRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and column != TITLE:
            return RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(_tip(row, column))
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(_colour(row, column))
        if role == Qt.ItemDataRole.FontRole and (column == VALUE or (row.main and column == TITLE)):
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._shows):
            return None
        what = self._shows[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and what != TITLE:
            return RIGHT
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self._head(what)

    def _head(self, what: int) -> str:
        """A column's words, with the letters of the runs that it is about."""
        if what == DIFFERENCE and self._run:
            return f"{self._run} − {self._baseline}"
        letter = {VALUE: self._run, BASELINE: self._baseline}.get(what, "")
        return f"{letter} {HEADS[what].lower()}" if letter else HEADS[what]


def _paper_words(row: MetricRow) -> str:
    return formats.score(row.paper) + (ELSEWHERE if row.paper is not None and row.paper_elsewhere else "")


WORDS: dict[int, Callable[[MetricRow], str]] = {
    TITLE: lambda row: row.title + (" ↓" if row.lower_is_better else ""),
    VALUE: lambda row: formats.score(row.value),
    INTERVAL: lambda row: formats.interval(row.interval),
    PLOT: lambda _row: "",
    BASELINE: lambda row: formats.score(row.baseline),
    DIFFERENCE: lambda row: formats.signed(row.difference),
    P: lambda row: formats.p_value(row.p),
    N: lambda row: formats.count(row.n) + (" few" if 0 < row.n < FEW else ""),
    FEASIBLE: lambda row: formats.score(row.of_feasible),
    INFEASIBLE: lambda row: formats.score(row.of_infeasible),
    PAPER: _paper_words,
}
"""What stands in a column of a row."""


def _colour(row: MetricRow, column: int) -> str:
    colours = theme.current()
    if row.n < FEW or (column == VALUE and row.value is None):
        return colours.dim
    if column == DIFFERENCE and row.difference:
        better = (row.difference < 0) is row.lower_is_better
        return colours.hit if better else colours.miss
    if column == PAPER:
        return colours.dim if row.paper is None or row.paper_elsewhere else colours.reference
    return colours.text if column in (TITLE, VALUE) else colours.secondary


def _tip(row: MetricRow, column: int) -> str:
    if column == PAPER:
        return row.paper_source
    if column in (BASELINE, DIFFERENCE, P):
        return row.difference_tip
    if column in (FEASIBLE, INFEASIBLE):
        return f"{row.title} over goals that {'can' if column == FEASIBLE else 'cannot'} be reached"
    return "\n".join(filter(None, (row.tip or row.title, row.why)))
