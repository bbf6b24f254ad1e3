"""The panel beside the board: how sure a run is of each pair of steps, and all metrics of this procedure."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import EmptyState, PanelHeader, RunBadge, run_letter
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.ordering.matrix import PairMatrixView
from stepscope.widgets.ordering.ordering_rows import OrderMetrics, PairMatrix

SIDE = 12
HOW = "How sure the run is that the row's step comes before the column's. Outlined: against the reference."
NONE_SAID = "The shown runs do not say how sure they are of pairs."


class OrderPanel(QWidget):
    """`step_chosen(int)`: the place, in the reference order, of the step whose row of the matrix was clicked."""

    step_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._matrices: tuple[PairMatrix, ...] = ()
        self._chosen_run = -1
        self.shown: list[list[str]] = []
        """the metrics' table in words, a row a metric"""
        self._header = PanelHeader("Pairwise confidence")
        self.runs = QComboBox()
        self.runs.setAccessibleName("Run whose pairs are shown")
        self.runs.activated.connect(self._choose)
        self._how = _words(HOW)
        self.matrix = PairMatrixView()
        self.pair = _words("")
        self._metrics_title = QLabel("This procedure")
        self._metrics_title.setProperty("role", "heading")
        self._table = QWidget()
        self._grid = QGridLayout(self._table)
        self._empty = EmptyState("results", "No order to show", "Evaluate ▸ Step Ordering makes orders.")
        self.matrix.pair_chosen.connect(self._tell_pair)
        self._lay_out()
        theme.notifier().changed.connect(self._colour)
        self.set_orders((), (), ())

    def set_orders(self, matrices: Sequence[PairMatrix], metrics: Sequence[OrderMetrics], runs: Sequence[int]) -> None:
        """Show what the runs say of the procedure; `runs` (0 is A) are those that the metrics' values belong to."""
        self._matrices = tuple(matrices)
        shown = next((at for at, one in enumerate(self._matrices) if one.run == self._chosen_run), 0)
        with QSignalBlocker(self.runs):
            self.runs.clear()
            self.runs.addItems([f"{run_letter(one.run)}  {one.name}" for one in self._matrices])
            self.runs.setCurrentIndex(shown if self._matrices else -1)
        self.runs.setVisible(len(self._matrices) > 1)
        self.matrix.set_matrix(self._matrices[shown] if self._matrices else None)
        self._how.setText(HOW if self._matrices else NONE_SAID)
        self._tell_worst()
        self._fill(metrics, runs)
        self._empty.setVisible(not runs)
        self._inside.setVisible(bool(runs))

    def _choose(self, place: int) -> None:
        self._chosen_run = self._matrices[place].run
        self.matrix.set_matrix(self._matrices[place])
        self._tell_worst()

    def _tell_pair(self, row: int, column: int) -> None:
        self.pair.setText(straight(self.matrix.tip(row, column)))
        self.pair.show()
        self.step_chosen.emit(row)

    def _tell_worst(self) -> None:
        """The pair of which the run is surest against the reference."""
        found = self._matrices[max(self.runs.currentIndex(), 0)] if self._matrices else None
        count = len(found.labels) if found else 0
        wrong = [(found.before[row][column], row, column) for row in range(count) for column in range(count)
                 if found is not None and row > column and found.is_against(row, column)] if found else []  # fmt: skip
        text = ""
        if found is not None and wrong:
            sure, row, column = max(wrong)
            text = f"{run_letter(found.run)} puts “{found.labels[row]}” before “{found.labels[column]}”: {sure:.2f}."
        elif found is not None:
            text = "No pair is against the reference."
        self.pair.setText(straight(text))
        self.pair.setVisible(bool(text))

    def _fill(self, metrics: Sequence[OrderMetrics], runs: Sequence[int]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self._values: list[tuple[QLabel, int]] = []
        self.shown = [[metric.title, *metric.words()] for metric in metrics]
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for column, run in enumerate(runs, start=1):
            self._grid.addWidget(RunBadge(run, 16), 0, column, right)
        for row, metric in enumerate(metrics, start=1):
            self._grid.addWidget(QLabel(straight(f"{metric.title} ↓" if metric.low else metric.title)), row, 0)
            for column, (run, value) in enumerate(zip(runs, metric.words(), strict=True), start=1):
                label = QLabel(straight(value))
                label.setFont(derived(self.font(), 12.5))
                self._values.append((label, run))
                self._grid.addWidget(label, row, column, right)
        self._colour()

    def _colour(self) -> None:
        """Values in the colours of their runs."""
        for label, run in self._values:
            palette = label.palette()
            palette.setColor(label.foregroundRole(), QColor(theme.current().run_colour(run)))
            label.setPalette(palette)

    def _lay_out(self) -> None:
        self._inside = QWidget()
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(SIDE, 8, SIDE, SIDE)
        column.setSpacing(10)
        for part in (self.runs, self._how, self.matrix, self.pair):
            column.addWidget(part)
        column.addSpacing(8)
        column.addWidget(self._metrics_title)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(10)
        self._grid.setHorizontalSpacing(16)
        self._grid.setColumnStretch(0, 1)
        column.addWidget(self._table)
        column.addStretch(1)
        page = QScrollArea()
        page.setAccessibleName("Pairwise confidence and metrics")
        page.setFrameShape(QFrame.Shape.NoFrame)
        page.setWidgetResizable(True)
        page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        holder = QWidget()
        both = QVBoxLayout(holder)
        both.setContentsMargins(0, 0, 0, 0)
        both.addWidget(self._inside)
        both.addWidget(self._empty)
        page.setWidget(holder)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._header)
        outer.addWidget(page, 1)


def _words(text: str) -> QLabel:
    label = QLabel(straight(text))
    label.setWordWrap(True)
    label.setProperty("role", "secondary")
    return label
