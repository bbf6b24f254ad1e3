"""Finished runs under their headings, as one flat list for Qt's list view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.run_glyph import run_letter
from stepscope.widgets.results.result_rows import RunListRow

Index = QModelIndex | QPersistentModelIndex
RunRole = int(Qt.ItemDataRole.UserRole)
"""The RunRow; None for a heading."""
ARCHIVED = "Archived"
"""The heading of runs that are put away, whatever they are about; closed until somebody opens it."""
HeadingRole = RunRole + 1
"""(words, open, badge) of a heading; None for a run."""
NO_FINDING = "not a finding"


class RunsItemModel(QAbstractListModel):
    """Rows are headings (str) and runs, in the order in which the runs came. `renamed(id, name)`: the person has typed
    another name for a run, "" to have none of its own."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[RunListRow, ...] = ()
        self._closed: set[str] = {ARCHIVED}
        self._filter = ""
        self._rows: list[str | RunListRow] = []

    def set_runs(self, runs: Sequence[RunListRow]) -> None:
        """Changed contents keep the rows; only another set of rows resets the list."""
        self._runs = tuple(runs)
        self._renew()

    def set_filter(self, text: str) -> None:
        """Runs with `text` in their name or heading."""
        self._filter = text.casefold().strip()
        self._renew()

    def toggle_group(self, group: str) -> None:
        """Close an open heading, open a closed one."""
        self._closed ^= {group}
        self._renew()

    def index_of(self, run_id: str) -> QModelIndex:
        for place, row in enumerate(self._rows):
            if isinstance(row, RunListRow) and row.id == run_id:
                return self.index(place, 0)
        return QModelIndex()

    def runs(self) -> tuple[RunListRow, ...]:
        return self._runs

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if isinstance(row, str):
            no_finding = any(run.no_finding and run.group == row for run in self._runs)
            spoken_words = f"{row}, {NO_FINDING}" if no_finding else row
            words = {
                Qt.ItemDataRole.DisplayRole: row,
                Qt.ItemDataRole.AccessibleTextRole: spoken_words,
                HeadingRole: (row, row not in self._closed, NO_FINDING if no_finding else ""),
            }
            return words.get(role)
        if role == RunRole:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            tags = f"Tags: {', '.join(row.tags)}" if row.tags else ""
            return tip_words("\n".join(filter(None, (row.name, row.doubt, row.message, row.group, tags, row.remark))))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Take another name as typed; the row changes once whoever keeps the runs has it."""
        row = self._rows[index.row()] if index.isValid() else ""
        if role != Qt.ItemDataRole.EditRole or isinstance(row, str):
            return False
        name = " ".join(str(value).split())
        if name not in (row.name, row.own_name):
            self.renamed.emit(row.id, name)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return super().flags(index)
        if isinstance(self._rows[index.row()], str):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def _renew(self) -> None:
        rows = self._laid_out()
        same = [_key(row) for row in rows] == [_key(row) for row in self._rows]
        if not same:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
            return
        changed = [place for place, (before, after) in enumerate(zip(self._rows, rows, strict=True)) if before != after]
        self._rows = rows
        if changed:
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], 0))

    def _laid_out(self) -> list[str | RunListRow]:
        groups: dict[str, list[RunListRow]] = {}
        for run in self._runs:
            if self._filter in f"{run.name} {run.group} {' '.join(run.tags)} {run.remark}".casefold():
                groups.setdefault(ARCHIVED if run.archived else run.group, []).append(run)
        rows: list[str | RunListRow] = []
        for group, runs in groups.items():
            rows.append(group)
            rows += [] if group in self._closed else runs
        return rows


def _key(row: str | RunListRow) -> tuple[bool, str]:
    return (True, row) if isinstance(row, str) else (False, row.id)


def spoken(run: RunListRow) -> str:
    """The run in one sentence, for screen readers."""
    letter = "" if run.letter is None else f"shown as {run_letter(run.letter)}"
    said = [word for word, holds in (("new", run.is_new), ("pinned", run.pinned), ("archived", run.archived)) if holds]
    told = (run.name, *said, run.doubt, *run.tags, run.metric, f"{run.done} items", run.state.value, run.when, letter)
    return ", ".join(filter(None, told))
