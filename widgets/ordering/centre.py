"""The centre of the ordering workspace: what is open and how, the bars of choices, the board or all procedures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import ElidedLabel, KeyButton, SegmentedControl, icon_button
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.ordering.annotate_bar import AnnotateBar
from stepscope.widgets.ordering.board import OrderBoard
from stepscope.widgets.ordering.ordering_rows import ProcedureLine, ValueColumn, YourState
from stepscope.widgets.ordering.people_page import OrderPeoplePage
from stepscope.widgets.ordering.procedures_item_model import LineRole, ProceduresTable

EXPLORE, BLIND = "explore", "blind"
BOARD, ALL, PEOPLE = "board", "all", "people"
SHOWN = (("both", "Both"), ("text", "Text"), ("picture", "Picture"))
NAME_WIDTH = 260
NARROW = 600
"""Below this width buttons lose words, and the title row says no more than the goal."""


class OrderingCentre(QWidget):
    """`reference_chosen(int)`: the person holds the runs against another of several right orders; `mode_chosen(str)`:
    EXPLORE or BLIND; `page_chosen(str)`: BOARD, ALL or PEOPLE; `shown_chosen(str)`; `shuffle_wanted()`,
    `accept_wanted()`; `procedure_opened(str)`: a row of all procedures is to be opened."""

    reference_chosen = Signal(int)
    mode_chosen = Signal(str)
    page_chosen = Signal(str)
    shown_chosen = Signal(str)
    shuffle_wanted = Signal()
    accept_wanted = Signal()
    procedure_opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._goal, self._origin = ElidedLabel(), ElidedLabel("", "secondary")
        self._goal.setProperty("role", "title")
        self.modes = SegmentedControl(((EXPLORE, "Explore"), (BLIND, "Annotate blind")), "How you order", self)
        self.modes.chosen.connect(self.mode_chosen)
        self.all = icon_button("select", "All procedures in one table", shortcut="V", checkable=True)
        self.all.clicked.connect(lambda checked: self.page_chosen.emit(ALL if checked else BOARD))
        self.everybody = icon_button("users", "People: who orders what, how far they agree", checkable=True)
        self.everybody.clicked.connect(lambda checked: self.page_chosen.emit(PEOPLE if checked else BOARD))
        self.people = OrderPeoplePage(self)
        self.shown = SegmentedControl(SHOWN, "Show text, picture, or both of each step", self)
        self.shown.chosen.connect(self.shown_chosen)
        self._word = QLabel("Reference", self)
        self.references = QComboBox(self)
        self.references.setAccessibleName("Reference order")
        self.references.activated.connect(self.reference_chosen)
        self.shuffle = KeyButton("Shuffle", "R", "refresh")
        self.shuffle.clicked.connect(self.shuffle_wanted)
        self.accept = KeyButton("Accept my order", "Enter", "check", primary=True)
        self.accept.clicked.connect(self.accept_wanted)
        self.board = OrderBoard(self)
        self.board.accept_wanted.connect(self.accept_wanted)
        self.table = ProceduresTable("All procedures", self, name_width=NAME_WIDTH)
        self.table.opened.connect(self._open)
        self._stack, self._tools = QStackedWidget(self), QWidget(self)
        self.annotate = AnnotateBar(self._tools)
        self._lay_out()
        self.show_title("", "")
        self.show_references(0, 0)
        self.show_state(YourState())

    def show_title(self, goal: str, origin: str) -> None:
        """Say what is shown and where it comes from; "" for nothing."""
        self._goal.setText(goal or "No procedure is open")
        self._origin.setText(origin)

    def show_references(self, count: int, chosen: int) -> None:
        """Show how many orders are right, and which of them the runs are held against; 0 while that is not to be
        seen."""
        with QSignalBlocker(self.references):
            self.references.clear()
            self.references.addItems([f"{place + 1} of {count} orders" for place in range(count)])
            self.references.setCurrentIndex(chosen)
        for part in (self._word, self.references):
            part.setVisible(count > 1)

    def show_state(self, state: YourState) -> None:
        """Show how the person orders and what they have said of it."""
        self.modes.set_value(BLIND if state.blind else EXPLORE)
        self.shown.offer(state.inputs)
        self.shown.set_value(state.shown)
        self.shown.setEnabled(state.can_order)
        self.board.set_shown(state.shown)
        self.shuffle.setEnabled(state.can_order and not state.locked)
        self.accept.setEnabled(state.can_order and not state.accepted)
        self.annotate.set_shown(state.blind)
        self.annotate.show_state(state)

    def show_page(self, page: str) -> None:
        """Show the board, all procedures, or all people."""
        self.all.setChecked(page == ALL)
        self.everybody.setChecked(page == PEOPLE)
        self._stack.setCurrentIndex((BOARD, ALL, PEOPLE).index(page))
        self._tools.setVisible(page == BOARD)

    def set_lines(self, columns: Sequence[ValueColumn], lines: Sequence[ProcedureLine]) -> None:
        """The rows of all procedures."""
        self.table.set_lines(columns, lines)

    def _open(self, index: QModelIndex) -> None:
        line = index.data(LineRole)
        if isinstance(line, ProcedureLine):
            self.procedure_opened.emit(line.id)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        self.shuffle.set_compact(narrow)
        self._origin.setVisible(not narrow)

    def _lay_out(self) -> None:
        title = QWidget(self)
        title.setProperty("bar", "title")
        line = QHBoxLayout(title)
        line.setContentsMargins(16, 0, 12, 0)
        line.setSpacing(8)
        line.addWidget(self._goal, 1)
        line.addWidget(self._origin)
        line.addSpacing(8)
        line.addWidget(self.everybody)
        line.addWidget(self.all)
        line.addWidget(self.modes)
        tools = self._tools
        tools.setProperty("bar", "tools")
        row = FlowLayout(8, tools)
        row.setContentsMargins(16, 6, 12, 6)
        reference = QWidget(tools)
        beside = QHBoxLayout(reference)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self._word)
        beside.addWidget(self.references)
        for part in (self.shown, reference, self.shuffle, self.accept, *self.annotate.groups):
            row.addWidget(part)
        self._stack.addWidget(self.board)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.people)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(title)
        column.addWidget(tools)
        column.addWidget(self._stack, 1)
