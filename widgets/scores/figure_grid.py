"""A small table of figures as labels: few rows, which a person may copy, with the source of a number as its tooltip."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.scores.figure_values import FigureCell, FigureTable

LEAST_NAMES = 110
"""Pixels at the usual text size below which names stand above their figures."""
BESIDE, ABOVE, TIGHT = range(3)
"""Where names stand; TIGHT: above, and the words of figures are broken where they can be."""
TINY = 11
"""Pixels of what stands below a figure, as the style sheet has it."""


class FigureGrid(QWidget):
    """The first column takes what room there is; where there is little, its words stand in a row of their own, where
    there is less, the others go on in another line. The others are as wide as their words."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 4, 12, 8)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)
        self._shown: FigureTable | None = None
        self._shape = BESIDE

    def set_table(self, table: FigureTable) -> None:
        if table != self._shown:
            self._shown = table
            self._shape = self._fitting()
            self._fill(table)

    def rows(self) -> list[list[str]]:
        """All words as they stand, for tests."""
        return [[cell.text for cell in row] for row in self._shown.rows] if self._shown else []

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._shown is not None and (shape := self._fitting()) != self._shape:
            self._shape = shape
            self._fill(self._shown)

    def _fitting(self) -> int:
        if self._shown is None or not self._shown.rows:
            return BESIDE
        metrics, tiny = self.fontMetrics(), QFontMetrics(derived(self.font(), TINY))
        columns = zip(self._shown.columns[1:], *(row[1:] for row in self._shown.rows), strict=True)
        left = self.width() - 24
        for title, *cells in columns:
            widths = [metrics.horizontalAdvance(word) for word in (title, *(cell.text for cell in cells))]
            widths += [tiny.horizontalAdvance(line) for cell in cells for line in cell.below.splitlines()]
            left -= max(widths) + self._grid.horizontalSpacing()
        if left >= LEAST_NAMES * metrics.height() / 16:
            return BESIDE
        return ABOVE if left >= 0 else TIGHT

    def _fill(self, table: FigureTable) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        if not table.rows:
            words = QLabel(straight(table.empty), self)
            words.setProperty("role", "dim")
            words.setWordWrap(True)
            self._grid.addWidget(words, 0, 0, 1, max(1, len(table.columns)))
            return
        for column, title in enumerate(table.columns):
            if column or self._shape == BESIDE:  # names that stand above have no column of their own
                self._put(0, column, FigureCell(title, role="dim"))
        for number, row in enumerate(table.rows):
            at = 1 + 4 * number
            self._grid.setRowMinimumHeight(at, 8)
            for column, cell in enumerate(row):
                self._put(at + 1, column, cell, paper=number in table.paper)

    def _put(self, row: int, column: int, cell: FigureCell, *, paper: bool = False) -> None:
        if column == 0:
            label: QLabel = ElidedLabel(cell.text, cell.role or ("link" if paper else ""), self)
            self._grid.addWidget(label, row, 0, 1, 1 if self._shape == BESIDE else self._grid.columnCount())
        else:
            tight = self._shape == TIGHT
            label = self._figure(cell.text.replace(" ", "\n") if tight and row == 0 else cell.text, cell.role)
            row += 1 if row and self._shape != BESIDE else 0
            self._grid.addWidget(label, row, column)
            if cell.below:
                below = self._figure(cell.below.replace(" – ", " –\n") if tight else cell.below, "tiny")
                below.setToolTip(tip_words(cell.tip))
                self._grid.addWidget(below, row + 1, column)
        if cell.tip:
            label.setToolTip(tip_words(cell.tip))

    def _figure(self, words: str, role: str) -> QLabel:
        label = QLabel(straight(words), self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("role", role)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return label
