"""The web tasks that pass the filter, in the order that was asked for."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from stepscope.widgets import format as formats
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.webtask.side_values import TaskOrder, WebTaskRow

Index = QModelIndex | QPersistentModelIndex
TaskRole = int(Qt.ItemDataRole.UserRole)
"""The WebTaskRow."""


class TasksItemModel(QAbstractListModel):
    """The tasks as rows; other scores leave them in their places until another order or filter is asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[WebTaskRow, ...] = ()
        self._shown: list[WebTaskRow] = []
        self._places: dict[str, int] = {}
        self._text, self._order = "", TaskOrder.NAME

    @property
    def total(self) -> int:
        """How many tasks are open, whether or not they pass the filter."""
        return len(self._all)

    @property
    def order(self) -> TaskOrder:
        return self._order

    def set_tasks(self, tasks: Sequence[WebTaskRow]) -> None:
        """The tasks that are open. The same tasks with other scores keep their rows."""
        known = {row.name for row in self._all} == {row.name for row in tasks}
        self._all = tuple(tasks)
        if not known:
            self._renew()
            return
        new = {row.name: row for row in self._all}
        self._shown = [new[row.name] for row in self._shown]
        if self._shown:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, 0))

    def set_filter(self, text: str) -> None:
        self._text = text
        self._renew()

    def set_order(self, order: TaskOrder) -> None:
        self._order = order
        self._renew()

    def task(self, row: int) -> WebTaskRow | None:
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def row_of(self, name: str) -> int:
        """The task's row, -1 where the filter leaves it out."""
        return self._places.get(name, -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        task = self.task(index.row())
        if task is None:
            return None
        if role == TaskRole:
            return task
        if role == Qt.ItemDataRole.DisplayRole:
            return task.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(_words(task, "\n"))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _words(task, ", ")
        return None

    def _renew(self) -> None:
        self.beginResetModel()
        passes = task_filter(self._text)
        self._shown = sorted((row for row in self._all if passes(row)), key=_KEYS[self._order])
        self._places = {row.name: place for place, row in enumerate(self._shown)}
        self.endResetModel()


def _by_name(row: WebTaskRow) -> tuple[str, str]:
    return row.title.casefold(), row.name


_KEYS: dict[TaskOrder, Any] = {
    TaskOrder.NAME: _by_name,
    TaskOrder.WORST: lambda row: (row.score is None, row.score or 0.0, _by_name(row)),
    TaskOrder.SPLIT: lambda row: (row.splits, _by_name(row)),
}


def _words(task: WebTaskRow, between: str) -> str:
    name = task.name if task.name != task.title else ""
    pages = formats.counted(task.instances, "page") if task.instances else ""
    score = "" if task.score is None else f"score {formats.score(task.score)}"
    return between.join(filter(None, (task.title, name, task.detail, pages, score)))


TERM = re.compile(r'(-?)(?:(split):|(score)\s*(<=|>=|<|>|=|:))?\s*("[^"]*"?|\S*)', re.IGNORECASE)
"""A term of the filter (ours): words, split:test, score<0.5, each with - before it for its opposite."""
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, ":": operator.eq,
}  # fmt: skip
TaskTest = Callable[[WebTaskRow], bool]


def task_filter(text: str) -> TaskTest:
    """Whether a task passes all terms of `text`, whatever their case. A bare word is searched in title, name and split;
    `split:train,test` means either. A term that is still being written passes everything; a task without a score
    passes no comparison of scores."""
    tests = [test for found in TERM.finditer(text) if (test := _term(*found.groups(""))) is not None]
    return lambda row: all(test(row) for test in tests)


def _term(sign: str, split: str, score: str, comparison: str, value: str) -> TaskTest | None:
    word = value.strip('"').casefold()
    test: TaskTest | None
    if split:
        test = _split(word)
    elif score:
        test = _score(comparison, word)
    else:
        test = _word(word) if word else None
    if test is None or not sign:
        return test
    asked = test
    return lambda row: not asked(row)


def _split(word: str) -> TaskTest | None:
    wanted = [part for part in word.split(",") if part]
    if not wanted:
        return None
    return lambda row: any(split.casefold().startswith(part) for split in row.splits for part in wanted)


def _score(comparison: str, word: str) -> TaskTest | None:
    try:
        bound = float(word)
    except ValueError:
        return None
    holds = COMPARISONS[comparison]
    return lambda row: row.score is not None and holds(row.score, bound)


def _word(word: str) -> TaskTest:
    return lambda row: word in f"{row.title}\n{row.name}\n{row.detail}".casefold()
