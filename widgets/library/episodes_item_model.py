"""The list of episodes for Qt's views: as many rows as the filter leaves, read by page, perhaps under headings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.paged_item_model import Index, PagedItemModel, RowRole
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.run_glyph import run_letter
from stepscope.widgets.format import confidence, counted
from stepscope.widgets.library.episode_list_rows import WRONG, EpisodeGroup, EpisodeListRow
from stepscope.widgets.library.row_map import RowMap

UNKNOWN = "Not known"
"""Heading of what has none."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The content of a heading's row."""

    group: EpisodeGroup
    folded: bool

    @property
    def words(self) -> str:
        return self.group.words or UNKNOWN


class EpisodesItemModel(PagedItemModel[EpisodeListRow]):
    """One column; the delegate paints the row value (RowRole), an EpisodeRow or a Heading.

    A *position* counts the episodes of the list, a *row* what the view shows: without groups they are the same.
    """

    columns = ("Episode",)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: tuple[EpisodeGroup, ...] = ()
        self._coming: tuple[EpisodeGroup, ...] = ()
        self._folded: set[str] = set()
        self._map = RowMap(0)

    def set_total(self, total: int, groups: Sequence[EpisodeGroup] = ()) -> None:
        """Hold other rows altogether; with `groups`, whose counts make up the total, under headings. Groups that were
        folded stay so."""
        self._coming = tuple(groups)
        super().set_total(total)

    def mark_stale(self, total: int | None = None, groups: Sequence[EpisodeGroup] | None = None) -> None:
        """The same rows with other contents; other `groups` reset the model, whose rows stay until new ones come."""
        self._coming = self._groups if groups is None else tuple(groups)
        super().mark_stale(total)

    # rows and positions

    @property
    def headings(self) -> list[int]:
        """The rows of headings."""
        return self._map.headings

    def heading(self, row: int) -> Heading | None:
        """What stands in this row if it is a heading."""
        group = self._map.heading_at(row)
        return Heading(self._groups[group], self._map.is_folded(group)) if group >= 0 else None

    def position_at(self, row: int) -> int:
        """The position of the episode in this row, -1 for a heading and outside."""
        return self._map.position_at(row)

    def row_of(self, position: int) -> int:
        """The row of the episode; that of its heading while its group is folded."""
        return self._map.row_of(position)

    def heading_row_of(self, row: int) -> int:
        """The row of the heading above this row, -1 without groups."""
        position = self.position_at(row)
        return row if position < 0 or not self._groups else self._map.headings[self._map.group_of(position)]

    def fold(self, row: int, folded: bool) -> None:
        """Hide or show the episodes under the heading in this row."""
        group = self._map.heading_at(row)
        if group < 0 or self._map.is_folded(group) == folded:
            return
        (self._folded.add if folded else self._folded.discard)(self._groups[group].key)
        first, last = self._map.below(group)
        if folded:
            self.beginRemoveRows(QModelIndex(), first, last)
            self._map.fold(group, True)
            self.endRemoveRows()
        else:
            self.beginInsertRows(QModelIndex(), first, last)
            self._map.fold(group, False)
            self.endInsertRows()
        heading = self.index(row, 0)
        self.dataChanged.emit(heading, heading)

    def fold_all(self, folded: bool) -> None:
        """Hide the episodes of all groups, or show them; resets the model."""
        self.beginResetModel()
        self._folded = {group.key for group in self._groups} if folded else set()
        self._map = self._new_map(self._total)
        self.endResetModel()

    def reveal(self, position: int) -> int:
        """Unfold the group of this episode; gives its row."""
        if self._groups and self._map.is_folded(group := self._map.group_of(position)):
            self.fold(self._map.headings[group], False)
        return self._map.row_of(position)

    # Qt's side

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self._map.rows

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        heading = self.heading(index.row())
        if heading is not None:
            return _of_heading(heading, role)
        value = self.value(self._map.position_at(index.row()))
        if role == RowRole:
            return value
        if value is None:
            return self.placeholder(index.row(), index.column(), role)
        return self.cell(value, index.column(), role)

    def cell(self, value: EpisodeListRow, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.goal or value.id
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(value)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(tooltip(value))
        return None

    def _hold(self, total: int) -> None:
        super()._hold(total)
        self._groups = self._coming
        self._map = self._new_map(total)

    def _row_of(self, place: int) -> int:
        return self._map.row_of(place)

    def _resize(self, total: int) -> None:
        if self._groups or self._coming:
            if total != self._total or self._groups != self._coming:
                self.beginResetModel()
                self._hold(total)
                self.endResetModel()
        else:
            super()._resize(total)

    def _new_map(self, total: int) -> RowMap:
        counts = [group.count for group in self._groups]
        return RowMap(total, counts, [group.key in self._folded for group in self._groups])


def _of_heading(heading: Heading, role: int) -> Any:
    if role == RowRole:
        return heading
    if role == Qt.ItemDataRole.DisplayRole:
        return heading.words
    if role == Qt.ItemDataRole.AccessibleTextRole:
        state = "folded" if heading.folded else "unfolded"
        return f"{heading.words}, {counted(heading.group.count, 'episode')}, {state}"
    return None


def spoken(row: EpisodeListRow) -> str:
    """The row in one sentence, for screen readers."""
    parts = [row.goal or row.id, row.app, counted(row.steps, "step"), _feasibility(row)]
    if row.asks:
        parts.append(counted(row.asks, "question"))
    parts += row.said
    for run, verdicts in zip(row.runs, row.verdicts, strict=False):
        if verdicts:
            parts.append(f"run {run_letter(run)} {sum(verdict in WRONG for verdict in verdicts)} wrong")
    return ", ".join(filter(None, parts))


def tooltip(row: EpisodeListRow) -> str:
    """All that the row may have had to cut."""
    lines = [row.goal, f"Episode {row.id}", _feasibility(row)]
    if row.splits:
        lines.append(f"Split: {', '.join(row.splits)}")
    for run, first, lowest in zip(row.runs, row.first_wrong, row.confidences, strict=False):
        said = [f"first wrong at step {first}"] if first else []
        said += [f"lowest confidence {confidence(lowest)}"] if lowest is not None else []
        if said:
            lines.append(f"{run_letter(run)}: {', '.join(said)}")
    if row.problems:
        lines.append(f"{counted(row.problems, 'problem')} while reading")
    return "\n".join(filter(None, (*lines, *row.said)))


def _feasibility(row: EpisodeListRow) -> str:
    return f"{row.label}: {row.reason}" if row.label and row.reason else row.label
