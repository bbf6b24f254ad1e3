"""The left dock: the procedures with what everybody made of them, and how far people agree."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from stepscope.widgets.common import PanelHeader, SearchField, text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.ordering.ordering_rows import GridCell, ProcedureLine, ValueColumn
from stepscope.widgets.ordering.procedures_item_model import LineRole, ProceduresTable
from stepscope.widgets.ordering.value_grid import ValueGrid

SIDE = 12
LONGEST_PERSON = 100


class ProceduresPanel(QWidget):
    """`procedure_chosen(str)`: the person went to a procedure; `left_for_board()`: Enter, to go on with its cards;
    `filter_settled(str)`; `person_named(str)`: another name for whoever orders; `next_wanted()`: the next procedure
    that they were given."""

    procedure_chosen = Signal(str)
    left_for_board = Signal()
    filter_settled = Signal(str)
    person_named = Signal(str)
    next_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._header = PanelHeader("Procedures", parent=self)
        self.filter = SearchField("Filter, as in Replay", icon="filter", name="Filter of the procedures", parent=self)
        self.filter.settled.connect(self.filter_settled)
        self.problem = QLabel(self)
        self.problem.setWordWrap(True)
        self.problem.setProperty("role", "secondary")
        self.problem.hide()
        self.table = ProceduresTable("Procedures", self)
        self.table.selectionModel().currentRowChanged.connect(self._tell)
        self.table.clicked.connect(lambda index: self._tell(index, QModelIndex()))
        self.table.opened.connect(lambda _index: self.left_for_board.emit())
        self.filter.left_downwards.connect(self.table.setFocus)
        self._chosen = ""
        self._agreement_title = QLabel(self)
        self._agreement_title.setProperty("role", "heading")
        self._agreement_title.setWordWrap(True)
        self.agreement = ValueGrid("Agreement of people", self)
        self.person = QLineEdit(self)
        self.person.setMaxLength(LONGEST_PERSON)
        self.person.setAccessibleName("Name under which you order")
        self.person.editingFinished.connect(self._name)
        self.tasks = QLabel(self)
        self.tasks.setProperty("role", "secondary")
        self.next = text_button("Next", tip="Open the next procedure that you were given and have not ordered")
        self.next.clicked.connect(self.next_wanted)
        self._lay_out()
        self.set_agreement(0, ())
        self.set_tasks(0, 0)

    def set_tasks(self, done: int, given: int) -> None:
        """How many procedures the person was given to order, and how many of them they have."""
        self.tasks.setText(f"{done:,} of {given:,} given to you done")
        for part in (self.tasks, self.next):
            part.setVisible(given > 0)
        self.next.setEnabled(done < given)

    def set_counts(self, shown: int, total: int) -> None:
        self._header.set_detail(f"{shown:,} of {total:,}" if total else "")

    def set_lines(self, columns: Sequence[ValueColumn], lines: Sequence[ProcedureLine]) -> None:
        """Show these procedures; the one that was chosen stays so."""
        selection = self.table.selectionModel()
        blocked = selection.blockSignals(True)
        self.table.set_lines(columns, lines)
        self.table.choose(self._chosen)
        selection.blockSignals(blocked)
        self.table.viewport().update()

    def show_chosen(self, procedure: str) -> None:
        """Select the procedure that is open; tells nobody."""
        goes_elsewhere, self._chosen = procedure != self._chosen, procedure
        blocked = self.table.selectionModel().blockSignals(True)
        self.table.choose(procedure)
        if goes_elsewhere:
            self.table.scrollTo(self.table.currentIndex())
        self.table.selectionModel().blockSignals(blocked)
        self.table.viewport().update()

    def set_problem(self, words: str) -> None:
        """Say what is wrong with the filter, "" for nothing."""
        self.problem.setText(straight(words))
        self.problem.setVisible(bool(words))

    def set_agreement(self, people: int, rows: Sequence[Sequence[GridCell]]) -> None:
        """How far people agree; the head of `rows` is not told."""
        words = f"Agreement of {people} people" if people > 1 else "Agreement: fewer than two people"
        self._agreement_title.setText(words)
        self.agreement.set_rows(rows)
        self.agreement.setVisible(people > 1)

    def set_person(self, name: str) -> None:
        if not self.person.hasFocus():
            self.person.setText(name)

    def _tell(self, index: QModelIndex, _before: QModelIndex) -> None:
        line = index.data(LineRole)
        if isinstance(line, ProcedureLine) and line.id != self._chosen:
            self._chosen = line.id
            self.procedure_chosen.emit(line.id)

    def _name(self) -> None:
        self.person_named.emit(" ".join(self.person.text().split()))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        search = QVBoxLayout()
        search.setContentsMargins(SIDE, 8, SIDE, 8)
        search.addWidget(self.filter)
        search.addWidget(self.problem)
        column.addLayout(search)
        column.addWidget(self.table, 1)
        below = QVBoxLayout()
        below.setContentsMargins(SIDE, 10, SIDE, 10)
        below.setSpacing(6)
        below.addWidget(self._agreement_title)
        below.addWidget(self.agreement)
        line = QHBoxLayout()
        word = QLabel("You order as", self)
        word.setProperty("role", "secondary")
        line.addWidget(word)
        line.addWidget(self.person, 1)
        below.addLayout(line)
        given = QHBoxLayout()
        given.addWidget(self.tasks, 1)
        given.addWidget(self.next)
        below.addLayout(given)
        column.addLayout(below)
