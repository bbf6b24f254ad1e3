"""Tables and plots of Review, one below the other: how far people agree, or what the tasks are like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets.ambiguous.review_values import LengthBar, TaskFigures
from stepscope.widgets.common import Badge, text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.plot_library import plot_library
from stepscope.widgets.scores.card import ResultCard
from stepscope.widgets.scores.figure_grid import FigureGrid
from stepscope.widgets.scores.figure_values import FigureTable
from stepscope.widgets.scores.shares import BarList

if TYPE_CHECKING:
    from stepscope.widgets.ambiguous.lengths_plot import LengthsPlot

BESIDE_ROWS, HIGHEST = 84, 400
"""Of a card of bars, in pixels: what it has besides its rows, and how high it grows before it scrolls."""
PLOT_HEIGHT = 240


class LengthsCard(ResultCard):
    """The share of tasks by a number of steps, as columns; the plot is made when it is first needed."""

    def __init__(self, title: str, label: str, run: int) -> None:
        super().__init__(title)
        self._label, self._run = label, run
        self._bars: tuple[LengthBar, ...] = ()
        self._plot: LengthsPlot | None = None
        self.setMinimumHeight(PLOT_HEIGHT)
        plot_library().ready.connect(self._draw)

    def set_bars(self, bars: Sequence[LengthBar], mean: str) -> None:
        self._bars = tuple(bars)
        self.detail.setText(mean)
        self._draw()

    def bars(self) -> tuple[LengthBar, ...]:
        return self._bars

    def _draw(self) -> None:
        """Once the plots' library is there; until then it is on its way."""
        if not self._bars:
            return
        if not plot_library().is_ready:
            plot_library().begin()
            return
        if self._plot is None:
            from stepscope.widgets.ambiguous.lengths_plot import LengthsPlot

            self._plot = LengthsPlot(self.accessibleName(), self._label, self._run)
            self.body.addWidget(self._plot, 1)
        self._plot.set_bars(self._bars)


class ReviewFiguresPage(QScrollArea):
    """`copied` and `saved`: the person wants the figures as CSV, in the clipboard or in a file."""

    copied = Signal()
    saved = Signal()
    maker_chosen = Signal(str)

    def __init__(self, name: str, *, saves: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._note = QLabel()
        self._note.setProperty("role", "dim")
        self._note.setWordWrap(True)
        self._sample = Badge("the sample, not a finding", "warn")
        self.copy, self.save = text_button("Copy as CSV"), text_button("Save CSV…")
        self.maker = ElidedCombo(12)
        self.maker.setAccessibleName("Whose tasks")
        self.lengths = LengthsCard("Steps of a task", "Steps", 0)
        self.informative = LengthsCard("Informative steps of a task", "Informative steps", 1)
        self.enough = BarList("Tasks with enough informative steps", sortable=False, hides_few=False, asks="enough")
        self.grids: list[FigureGrid] = []
        self._tables: list[tuple[QLabel, QFrame]] = []
        self._lay_out(saves)

    def show_figures(self, shown: TaskFigures) -> None:
        self._note.setText(straight(shown.note))
        self._sample.setVisible(shown.sample)
        self._plots.setVisible(bool(shown.lengths))
        self.enough.setVisible(bool(shown.enough))
        if shown.lengths:
            self.lengths.set_bars(shown.lengths, shown.mean_length)
            self.informative.set_bars(shown.informative, shown.mean_informative)
        self.enough.set_bars(shown.enough, run=0)
        self.enough.setMinimumHeight(min(HIGHEST, BESIDE_ROWS + self.enough.rows.sizeHint().height()))
        self._set_tables(shown.tables)

    def set_makers(self, makers: Sequence[tuple[str, str]], chosen: str) -> None:
        """Whose tasks can be looked at, by name and words; hidden where there is one only."""
        with QSignalBlocker(self.maker):
            self.maker.clear()
            for name, words in makers:
                self.maker.addItem(words, name)
            self.maker.setCurrentIndex(self.maker.findData(chosen))
        self.maker.setVisible(len(makers) > 1)

    def rows(self, title: str) -> list[list[str]]:
        """The words of a table, for tests; [] where there is none."""
        for grid in self.grids:
            if grid.accessibleName() == title and not grid.isHidden():
                return grid.rows()
        return []

    def _set_tables(self, tables: Sequence[FigureTable]) -> None:
        while len(self.grids) < len(tables):
            self._add_table()
        for place, (title, card) in enumerate(self._tables):
            there = place < len(tables)
            title.setVisible(there)
            card.setVisible(there)
            if there:
                title.setText(straight(tables[place].title))
                self.grids[place].setAccessibleName(tables[place].title)
                self.grids[place].set_table(tables[place])

    def _add_table(self) -> None:
        title, card, grid = QLabel(), QFrame(), FigureGrid("")
        title.setProperty("role", "heading")
        card.setProperty("card", "true")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(0, 4, 0, 4)
        inside.addWidget(grid)
        at = self._column.count() - 1  # before the stretch
        self._column.insertWidget(at, title)
        self._column.insertWidget(at + 1, card)
        self._tables.append((title, card))
        self.grids.append(grid)

    def _lay_out(self, saves: bool) -> None:
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(12, 12, 12, 12)
        self._column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._sample)
        head.addStretch(1)
        for part in (self.maker, self.copy, self.save):
            head.addWidget(part)
        self._column.addLayout(head)
        self._column.addWidget(self._note)
        for button in (self.copy, self.save):
            button.setVisible(saves)
        self.maker.hide()
        self._plots = QWidget()
        both = QHBoxLayout(self._plots)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(8)
        both.addWidget(self.lengths, 1)
        both.addWidget(self.informative, 1)
        self._column.addWidget(self._plots)
        self._column.addWidget(self.enough)
        self._column.addStretch(1)
        self.setWidget(inside)
        self._plots.hide()
        self.enough.hide()
        self.copy.clicked.connect(self.copied)
        self.maker.activated.connect(lambda _place: self.maker_chosen.emit(self.maker.currentData() or ""))
        self.save.clicked.connect(self.saved)
