"""Where the cards of the board stand: in columns that all rows share, and on further lines where the width ends.

The person's own row comes first, all its lines together. Below, the other rows go on together like the parts of a
score: the first line of each, then the second of each, so that cards that belong together stay near each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QRect

from stepscope.core.frozen import dataclass

COLUMNS_BESIDE_LABELS = 4
"""Where fewer columns than these fit, labels stand above their rows instead of beside them (ours)."""
WIDEST = 2
"""So many times the least width a card is wide at most."""


@dataclass(frozen=True, slots=True)
class BoardSizes:
    """Measures in logical pixels: `card_width` is the least, `label_line` the height of a label above its row."""

    label_width: int
    label_line: int
    card_width: int
    card_height: int
    your_height: int
    gap: int
    drop: int
    margin: int


class BoardLayout:
    """Places in the content, whose top left is 0, 0. `counts` are the cards of each row; `yours` is the number of the
    person's own row, -1 for none."""

    def __init__(self, width: int, counts: Sequence[int], yours: int, sizes: BoardSizes) -> None:
        self._sizes, self._counts, self._yours = sizes, tuple(counts), yours
        longest = max((1, *counts))
        self.labels_above = self._fitting(width - sizes.label_width) < min(longest, COLUMNS_BESIDE_LABELS)
        self.left = sizes.gap if self.labels_above else sizes.label_width
        room = width - self.left - sizes.gap
        self.per_line = min(longest, max(1, self._fitting(width - self.left)))
        share = (room + sizes.gap) // self.per_line - sizes.gap
        self.card_width = max(1, min(share, WIDEST * sizes.card_width))
        self._line = sizes.label_line if self.labels_above else 0
        self._others = [row for row in range(len(counts)) if row != yours]
        self._your_pitch = sizes.your_height + sizes.gap
        your_lines = self.lines(yours) if yours >= 0 else 0
        self._below = sizes.margin + your_lines * self._your_pitch + (self._line + sizes.gap if your_lines else 0)
        self._row_pitch = self._line + sizes.card_height + sizes.drop
        self._band_pitch = len(self._others) * self._row_pitch
        bands = max((self.lines(row) for row in self._others), default=0)
        last = self._below + bands * self._band_pitch - (sizes.drop if bands else 0)
        self.width, self.height = width, last + sizes.margin

    def lines(self, row: int) -> int:
        """On how many lines a row stands; one without cards has one for its words."""
        return max(1, -(-self._counts[row] // self.per_line))

    def top(self, row: int, line: int) -> int:
        """The top of the cards on a line of a row."""
        if row == self._yours:
            return self._sizes.margin + line * self._your_pitch + self._line
        return self._below + line * self._band_pitch + self._others.index(row) * self._row_pitch + self._line

    def row_height(self, row: int) -> int:
        return self._sizes.your_height if row == self._yours else self._sizes.card_height

    def card(self, row: int, position: int) -> QRect:
        line, column = divmod(position, self.per_line)
        left = self.left + column * (self.card_width + self._sizes.gap)
        return QRect(left, self.top(row, line), self.card_width, self.row_height(row))

    def label(self, row: int, line: int) -> QRect:
        """Where the label of a line stands; the person's own row has one for all its lines, at the first."""
        top = self.top(row, line)
        if self.labels_above:
            return QRect(0, top - self._line, self.width, self._line)
        return QRect(0, top, self.left - self._sizes.gap, self.row_height(row))

    def seen_lines(self, row: int, top: int, bottom: int) -> range:
        """The lines of a row that reach between two heights of the content."""
        pitch = self._your_pitch if row == self._yours else self._band_pitch
        if pitch <= 0:
            return range(0)
        first, high = self.top(row, 0), self._line + self.row_height(row)
        start = max(0, -(-(top - first - high) // pitch))
        return range(start, min(self.lines(row), max(start, (bottom - first + self._line) // pitch + 1)))

    def seen(self, row: int, top: int, bottom: int) -> Iterator[int]:
        """The positions of a row that lie between two heights of the content."""
        for line in self.seen_lines(row, top, bottom):
            yield from range(line * self.per_line, min((line + 1) * self.per_line, self._counts[row]))

    def nearest(self, row: int, x: int, y: int) -> int:
        """The position of a row whose card is nearest to a place of the content."""
        pitch = self._your_pitch if row == self._yours else self._band_pitch
        line = (y - self.top(row, 0) + self._sizes.gap // 2) // max(1, pitch)
        line = min(max(line, 0), self.lines(row) - 1)
        column = (x - self.left + self._sizes.gap // 2) // (self.card_width + self._sizes.gap)
        column = min(max(column, 0), self.per_line - 1)
        return min(line * self.per_line + column, max(0, self._counts[row] - 1))

    def _fitting(self, width: int) -> int:
        """How many of the least cards stand side by side there."""
        return width // (self._sizes.card_width + self._sizes.gap)
