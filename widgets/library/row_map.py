"""Which row of the list shows what, when episodes stand under headings of which some are folded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate


class RowMap:
    """Rows and positions both count from 0. `counts` are the episodes of each group, in order and `total` together;
    without any there are no headings and each position is its row."""

    def __init__(self, total: int, counts: Sequence[int] = (), folded: Sequence[bool] = ()) -> None:
        self._total = total
        self._counts = tuple(counts)
        self._folded = list(folded)
        self._firsts = [0, *accumulate(self._counts)]
        """first position of each group"""
        self._headings: list[int] = []
        """row of each heading, then the number of rows"""
        self._measure()

    @property
    def rows(self) -> int:
        return self._headings[-1] if self._counts else self._total

    @property
    def headings(self) -> list[int]:
        """The rows of all headings, ascending."""
        return self._headings[:-1]

    def heading_at(self, row: int) -> int:
        """The group whose heading stands in this row, -1 for a row of an episode."""
        if not self._counts or not 0 <= row < self.rows:
            return -1
        group = self._group_at(row)
        return group if self._headings[group] == row else -1

    def position_at(self, row: int) -> int:
        """The position of the episode in this row, -1 for a heading and outside of the list."""
        if not 0 <= row < self.rows:
            return -1
        if not self._counts:
            return row
        group = self._group_at(row)
        inside = row - self._headings[group] - 1
        return self._firsts[group] + inside if inside >= 0 else -1

    def row_of(self, position: int) -> int:
        """The row of an episode; that of its heading where its group is folded."""
        if not self._counts:
            return position
        group = self.group_of(position)
        if self._folded[group]:
            return self._headings[group]
        return self._headings[group] + 1 + position - self._firsts[group]

    def group_of(self, position: int) -> int:
        """The group in which an episode is; only where there are groups."""
        return min(bisect_right(self._firsts, position), len(self._counts)) - 1

    def is_folded(self, group: int) -> bool:
        return self._folded[group]

    def fold(self, group: int, folded: bool) -> None:
        """Hide the group's episodes, or show them again."""
        self._folded[group] = folded
        self._measure()

    def below(self, group: int) -> tuple[int, int]:
        """First and last row that the group's episodes take when it is not folded."""
        heading = self._headings[group]
        return heading + 1, heading + self._counts[group]

    def _measure(self) -> None:
        rows = (1 + (0 if folded else count) for count, folded in zip(self._counts, self._folded, strict=True))
        self._headings = [0, *accumulate(rows)]

    def _group_at(self, row: int) -> int:
        return bisect_right(self._headings, row) - 1
