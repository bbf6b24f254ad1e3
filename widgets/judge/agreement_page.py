"""What judges said of the pairs, and how far they agree, in full."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets.common import Badge
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.judge.judge_values import AgreementShown
from stepscope.widgets.scores.figure_grid import FigureGrid
from stepscope.widgets.scores.shares import BarList

MOST_TABLES, MOST_BARS = 10, 4
BESIDE_ROWS, HIGHEST = 84, 400
"""Of a card of bars, in pixels: what it has besides its rows, and how high it grows before it scrolls."""


class AgreementPage(QScrollArea):
    """One table below the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Agreement")
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(12, 12, 12, 12)
        self._column.setSpacing(8)
        self._note = QLabel()
        self._note.setProperty("role", "dim")
        self._note.setWordWrap(True)
        self._sample = Badge("the sample, not a finding", "warn")
        head = QHBoxLayout()
        head.addWidget(self._note, 1)
        head.addWidget(self._sample, 0, Qt.AlignmentFlag.AlignTop)
        self._column.addLayout(head)
        self._titles: list[QLabel] = []
        self.grids: list[FigureGrid] = []
        for _ in range(MOST_TABLES):
            title = QLabel()
            title.setProperty("role", "heading")
            card = QFrame()
            card.setProperty("card", "true")
            grid = FigureGrid("")
            column = QVBoxLayout(card)
            column.setContentsMargins(0, 4, 0, 4)
            column.addWidget(grid)
            self._column.addSpacing(4)
            self._column.addWidget(title)
            self._column.addWidget(card)
            self._titles.append(title)
            self.grids.append(grid)
        self.bars = [BarList("", sortable=False, asks="match") for _ in range(MOST_BARS)]
        for one in self.bars:
            self._column.addWidget(one)
        self._column.addStretch(1)
        self.setWidget(inside)

    def show_agreement(self, shown: AgreementShown) -> None:
        self._note.setText(straight(shown.note))
        self._sample.setVisible(shown.sample)
        for place, (title, grid) in enumerate(zip(self._titles, self.grids, strict=True)):
            there = place < len(shown.tables)
            title.setVisible(there)
            card = grid.parentWidget()
            assert card is not None
            card.setVisible(there)
            if there:
                title.setText(shown.tables[place].title)
                grid.setAccessibleName(shown.tables[place].title)
                grid.set_table(shown.tables[place])
        for place, card in enumerate(self.bars):
            here = shown.bars[place] if place < len(shown.bars) else None
            card.setVisible(here is not None)
            if here is not None:
                card.set_title(here.title)
                card.set_bars(here.bars, run=0)
                card.setMinimumHeight(min(HIGHEST, BESIDE_ROWS + card.rows.sizeHint().height()))
