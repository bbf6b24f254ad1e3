"""The panel beside the board: how sure a run is of each pair of steps, the metrics over all procedures, what helped
people, and how far people, runs and the reference agree."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import EmptyState, PanelHeader, run_letter
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.ordering.matrix import PairMatrixView
from stepscope.widgets.ordering.ordering_rows import GridCell, PairMatrix
from stepscope.widgets.ordering.value_grid import ValueGrid

SIDE = 12
TITLE = "Pairwise confidence"
HOW = "How sure the run is that the row's step comes before the column's. Outlined: against the reference."
LOOKED = "How much the row's step looked at the column's on the way to the answer; a row adds up to 1."
NONE_SAID = "The shown runs do not say how sure they are of pairs."
NONE_MADE = "No run has ordered these steps yet: Evaluate ▸ Step Ordering does."
HELPED = "Answers of people after ordering blind."
AGREE = "Exact: the share of common procedures with the very same order. τ: the mean over them."


class OrderPanel(QWidget):
    """`step_chosen(int)`: the place, in the reference order, of the step whose row of the matrix was clicked;
    `runs_wanted()`: the runs that wait are to be shown."""

    step_chosen = Signal(int)
    runs_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._matrices: tuple[PairMatrix, ...] = ()
        self._none = NONE_SAID
        self._chosen = (-1, False)
        self._header = PanelHeader(TITLE, parent=self)
        self.runs = ElidedCombo()
        self.runs.setAccessibleName("Run whose pairs are shown")
        self.runs.activated.connect(self._choose)
        self._how = _words(HOW)
        self.matrix = PairMatrixView()
        self.pair = _words("")
        self.waiting = EmptyState("ordering", "", "", [("show", "Show")])
        self.waiting.pressed.connect(lambda _which: self.runs_wanted.emit())
        self._totals_title = _heading("All procedures")
        self.totals = ValueGrid("Metrics over all procedures")
        self._helped_title = _heading("Which input helped?")
        self.helped, self._helped_words = ValueGrid("Which input helped"), _words(HELPED)
        self._agree_title = _heading("Agreement, two at a time")
        self.agreement, self._agree_words = ValueGrid("Agreement of each two"), _words(AGREE)
        self._empty = EmptyState("results", "No order to show", "Evaluate ▸ Step Ordering makes orders.")
        self.matrix.pair_chosen.connect(self._tell_pair)
        self._lay_out()
        self.set_matrices(())
        self.set_totals("", ())
        self.set_people((), ())

    def hide_all(self, title: str, detail: str) -> None:
        """Show nothing but why nothing is to be seen; "" shows all of it again."""
        self._empty.set_words(title, detail)
        self._empty.setVisible(bool(title))
        self._inside.setVisible(not title)

    def set_matrices(self, matrices: Sequence[PairMatrix], waiting: int | None = None) -> None:
        """Show what the runs say of the pairs of the procedure's steps. `waiting`: where no run that orders steps is
        shown, how many there are to be shown."""
        self._matrices = tuple(matrices)
        self.waiting.set_words(
            f"{formats.counted(waiting or 0, 'run')} of this task {'waits' if waiting == 1 else 'wait'}",
            "No run that orders steps is shown.",
        )
        self.waiting.setVisible(bool(waiting))
        shown = next((at for at, one in enumerate(self._matrices) if (one.run, one.attention) == self._chosen), 0)
        with QSignalBlocker(self.runs):
            self.runs.clear()
            self.runs.addItems([_titled(one) for one in self._matrices])
            self.runs.setCurrentIndex(shown if self._matrices else -1)
        self.runs.setVisible(len(self._matrices) > 1)
        self._how.setVisible(not waiting)
        self._none = NONE_SAID if waiting is None else NONE_MADE
        self._show_matrix(self._matrices[shown] if self._matrices else None)

    def set_totals(self, title: str, rows: Sequence[Sequence[GridCell]]) -> None:
        """Show the metrics over all procedures, the head first."""
        self._totals_title.setText(straight(title))
        self._show_part(rows, self.totals, self._totals_title)

    def set_people(self, helped: Sequence[Sequence[GridCell]], pairs: Sequence[Sequence[GridCell]]) -> None:
        """Show what people said helped them, and how far each two parties agree."""
        self._show_part(helped, self.helped, self._helped_title, self._helped_words)
        self._show_part(pairs, self.agreement, self._agree_title, self._agree_words)

    @staticmethod
    def _show_part(rows: Sequence[Sequence[GridCell]], grid: ValueGrid, *others: QWidget) -> None:
        grid.set_rows(rows)
        for part in (grid, *others):
            part.setVisible(bool(rows))

    def _choose(self, place: int) -> None:
        self._chosen = self._matrices[place].run, self._matrices[place].attention
        self._show_matrix(self._matrices[place])

    def _show_matrix(self, matrix: PairMatrix | None) -> None:
        self.matrix.set_matrix(matrix)
        self._how.setText(self._none if matrix is None else LOOKED if matrix.attention else HOW)
        self._header.set_title("Attention between steps" if matrix is not None and matrix.attention else TITLE)
        self._header.set_run(matrix.run if matrix is not None else None)
        self._header.set_detail(matrix.name if matrix is not None else "")
        self.pair.setText(straight(_summary(matrix) if matrix is not None else ""))
        self.pair.setVisible(matrix is not None)

    def _tell_pair(self, row: int, column: int) -> None:
        self.pair.setText(straight(self.matrix.tip(row, column)))
        self.pair.show()
        self.step_chosen.emit(row)

    def _lay_out(self) -> None:
        self._inside = QWidget()
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(SIDE, 8, SIDE, SIDE)
        column.setSpacing(10)
        for part in (
            self.runs, self._how, self.waiting, self.matrix, self.pair, self._totals_title, self.totals,
            self._helped_title, self.helped, self._helped_words, self._agree_title, self.agreement, self._agree_words,
        ):  # fmt: skip
            if part in (self._totals_title, self._helped_title, self._agree_title):
                column.addSpacing(8)
            column.addWidget(part)
        column.addStretch(1)
        page = QScrollArea()
        page.setAccessibleName("Pairwise confidence and metrics")
        page.setFrameShape(QFrame.Shape.NoFrame)
        page.setWidgetResizable(True)
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


def _titled(matrix: PairMatrix) -> str:
    return f"{run_letter(matrix.run)}  {matrix.name}{', attention' if matrix.attention else ''}"


def _summary(matrix: PairMatrix) -> str:
    """The pair of which the run is surest against the reference, and whether the order that it gave says otherwise: a
    model need not make its order of its pairs."""
    letter, count = run_letter(matrix.run), len(matrix.labels)
    if matrix.attention:
        most, row, column = max((weight, row, column) for row, weights in enumerate(matrix.before)
                                for column, weight in enumerate(weights) if row != column)  # fmt: skip
        return f"Of other steps “{matrix.labels[row]}” looks most at “{matrix.labels[column]}”: {most:.2f}."
    wrong = [(matrix.before[row][column], row, column) for row in range(count) for column in range(row)
             if matrix.is_against(row, column)]  # fmt: skip
    if not wrong:
        yet = "" if matrix.in_order else f", yet {letter}'s order is"
        return f"No pair is against the reference{yet}."
    sure, row, column = max(wrong)
    yet = ", yet its order does not" if matrix.in_order else ""
    return f"{letter} puts “{matrix.labels[row]}” before “{matrix.labels[column]}”: {sure:.2f}{yet}."


def _heading(text: str) -> QLabel:
    label = QLabel(straight(text))
    label.setProperty("role", "heading")
    return label


def _words(text: str) -> QLabel:
    label = QLabel(straight(text))
    label.setWordWrap(True)
    label.setProperty("role", "secondary")
    return label
