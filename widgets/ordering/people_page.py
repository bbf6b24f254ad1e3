"""All people who order: what each was given and has done, how far they agree, who is flagged, and what helped."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import format as formats
from stepscope.widgets.common import EmptyState, PanelHeader, text_button
from stepscope.widgets.common.cells_table import CampaignTableRow, CellsItemModel, CellsTable
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.plain_words import plain_label, straight
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.ordering.people_values import FlagChoice, Grid, OrdererLine, OrderPeopleContent
from stepscope.widgets.ordering.value_grid import ValueGrid

SIDE, LEAST_SIDE, LEAST_NAME = 12, 280, 84
LEAST_AGREEMENT = 0.2
PEOPLE_COLUMNS = ("Person", "Flagged", "κ", "Accuracy", "Orders", "Given", "Done", "Others κ", "Time", "Sure")
PROCEDURE_COLUMNS = ("Procedure", "Orders", "Accuracy", "κ", "Time", "Sure")
HOW = (
    "κ: the mean agreement with each other person who ordered the same under the same condition; Others κ: on the "
    "orders that they called right too. Time: the median of a procedure. Sure: the mean from 1 to 5."
)
WHO_SAW = {"text": "Who saw text", "picture": "Who saw pictures", "both": "Who saw both"}
NOTHING = "Assign procedures to people, or take orders over from a file."


class OrderPeoplePage(QWidget):
    """`assign_wanted()`; `assignments_wanted(bool)` and `orders_wanted(bool)`: they are to be imported (True), or
    written; `references_wanted()`: what people called right too is to be voted and written; `run_wanted(str, str)`: the
    orders of a person ("": of all) who saw this ("": anything) are to be kept as a run; `rules_changed()`."""

    assign_wanted = Signal()
    assignments_wanted = Signal(bool)
    orders_wanted = Signal(bool)
    references_wanted = Signal()
    run_wanted = Signal(str, str)
    rules_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.assign = text_button("Assign…", primary=True, tip="Give the procedures of the list to people")
        self.take, self.write = text_button("Import"), text_button("Export")
        self.references = text_button("Vote references…", tip="Write orders that more than half called right as a file")
        self.keep = text_button("Keep as run", tip="Orders of people beside those of models, in Results and Compare")
        self.least, self.leave_out = QDoubleSpinBox(), QCheckBox("Leave flagged out")
        self.least.setRange(-1, 1)
        self.least.setDecimals(2)
        self.least.setSingleStep(0.05)
        self.least.setValue(LEAST_AGREEMENT)
        self.least.setAccessibleName("Mean kappa below which a person is flagged")
        calm(self.least)
        self.people = CellsTable("People", CellsItemModel(PEOPLE_COLUMNS, numbers=range(2, 10)), stretch=[])
        self.procedures = CellsTable(
            "Procedures by people", CellsItemModel(PROCEDURE_COLUMNS, numbers=range(1, 6)), stretch=[]
        )
        self._people_head, self._procedures_head = PanelHeader("People"), PanelHeader("Procedures")
        self.conditions, self.helped = ValueGrid("Metrics by what was shown"), ValueGrid("Which input helped")
        self.test = ValueGrid("Both against text")
        self._titles = [_heading(words) for words in ("By what was shown", "Which input helped?", "Both against text")]
        self._test_words, self._how = _words(""), _words(HOW)
        self._empty = EmptyState("users", "Nobody has ordered anything here yet", NOTHING)
        self._seen: tuple[str, ...] = ()
        self._lay_out()
        self._connect()
        self.set_content(OrderPeopleContent())

    @property
    def flags(self) -> FlagChoice:
        """Who is flagged, and whether they are left out."""
        return FlagChoice(round(self.least.value(), 2), self.leave_out.isChecked())

    def set_content(self, content: OrderPeopleContent) -> None:
        self.people.set_rows([_person(one) for one in content.people])
        self.procedures.set_rows([CampaignTableRow(one.id, one.words, one.words[0]) for one in content.procedures])
        self._seen = content.seen
        self._people_head.set_detail(content.detail)
        self._procedures_head.set_detail(formats.counted(len(content.procedures), "procedure"))
        shown = ((self.conditions, content.conditions), (self.helped, content.helped), (self.test, content.test))
        for title, (grid, rows) in zip(self._titles, shown, strict=True):
            self._show_part(title, grid, rows)
        self._test_words.setText(straight(content.test_words))
        self._test_words.setVisible(bool(content.test))
        self._how.setText(straight(content.hidden or HOW))
        self._lower.setVisible(bool(content.procedures))
        there = bool(content.people)
        self._split.setVisible(there)
        self._empty.setVisible(not there)
        self._share_room()
        for part, can in (
            (self.references, content.alternatives and not content.hidden), (self.keep, content.ordered),
            (self.write, content.assigned or content.ordered),
        ):  # fmt: skip
            part.setEnabled(can)
        self._write_orders.setEnabled(content.ordered)
        self._write_assignments.setEnabled(content.assigned)

    @staticmethod
    def _show_part(title: QLabel, grid: ValueGrid, rows: Grid) -> None:
        grid.set_rows(rows)
        for part in (title, grid):
            part.setVisible(bool(rows))

    def _connect(self) -> None:
        self.assign.clicked.connect(self.assign_wanted)
        self.references.clicked.connect(self.references_wanted)
        self.least.valueChanged.connect(lambda _value: self.rules_changed.emit())
        self.leave_out.toggled.connect(lambda _on: self.rules_changed.emit())
        take, write = QMenu("", self.take), QMenu("", self.write)
        take.addAction("Assignments…").triggered.connect(lambda _on=False: self.assignments_wanted.emit(True))
        take.addAction("Orders…").triggered.connect(lambda _on=False: self.orders_wanted.emit(True))
        self._write_assignments, self._write_orders = write.addAction("Assignments…"), write.addAction("Orders…")
        self._write_assignments.triggered.connect(lambda _on=False: self.assignments_wanted.emit(False))
        self._write_orders.triggered.connect(lambda _on=False: self.orders_wanted.emit(False))
        self.take.setMenu(take)
        self.write.setMenu(write)
        self._runs = QMenu("", self.keep)
        self._runs.aboutToShow.connect(self._fill_runs)
        self.keep.setMenu(self._runs)

    def _fill_runs(self) -> None:
        """All people, those of each condition that there was, and whoever is chosen in the table."""
        self._runs.clear()
        wanted = [("All people", "", ""), *((WHO_SAW[shown], "", shown) for shown in self._seen)]
        wanted += [(name, name, "") for name in self.people.keys()]  # noqa: SIM118 - a table
        for words, who, shown in wanted:
            action = self._runs.addAction(plain_label(words))
            action.triggered.connect(lambda _on=False, who=who, shown=shown: self.run_wanted.emit(who, shown))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Names have what the numbers leave, and never less than is needed to tell them apart."""
        for table in (self.people, self.procedures):
            header = table.horizontalHeader()
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
            rest = sum(header.sectionSizeHint(at) for at in range(1, header.count()))
            rest = max(rest, sum(header.sectionSize(at) for at in range(1, header.count())))
            header.resizeSection(0, max(LEAST_NAME, table.viewport().width() - rest))

    def _lay_out(self) -> None:
        tools = QWidget(self)
        tools.setProperty("bar", "tools")
        row = FlowLayout(8, tools)
        row.setContentsMargins(16, 6, 12, 6)
        for part in (self.assign, self.take, self.write, self.references, self.keep, self._flag_group(),
                     self.leave_out):  # fmt: skip
            row.addWidget(part)
        self._lower = QSplitter(Qt.Orientation.Horizontal)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.addWidget(_column(self._people_head, self.people))
        self._split.addWidget(self._lower)
        self._lower.addWidget(_column(self._procedures_head, self.procedures))
        self._lower.addWidget(self._side())
        for split, first, second in ((self._split, 1, 1), (self._lower, 3, 2)):
            split.setChildrenCollapsible(False)
            split.setStretchFactor(0, first)
            split.setStretchFactor(1, second)
        self._lower.splitterMoved.connect(lambda *_: self._share_room())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(tools)
        column.addWidget(self._split, 1)
        column.addWidget(self._empty, 1)

    def _flag_group(self) -> QWidget:
        group = QWidget()
        line = QHBoxLayout(group)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        word = QLabel("Flag below κ")
        word.setProperty("role", "secondary")
        word.setBuddy(self.least)
        line.addWidget(word)
        line.addWidget(self.least)
        return group

    def _side(self) -> QScrollArea:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(SIDE, 8, SIDE, SIDE)
        column.setSpacing(10)
        grids = (self.conditions, self.helped, self.test)
        for title, grid in zip(self._titles, grids, strict=True):
            column.addWidget(title)
            column.addWidget(grid)
            column.addSpacing(8)
        column.addWidget(self._test_words)
        column.addWidget(self._how)
        column.addStretch(1)
        page = QScrollArea()
        page.setAccessibleName("Figures of all people")
        page.setFrameShape(QFrame.Shape.NoFrame)
        page.setWidgetResizable(True)
        page.setMinimumWidth(LEAST_SIDE)
        page.setWidget(inside)
        return page


def _person(one: OrdererLine) -> CampaignTableRow:
    tip = f"{one.name}: {one.flag}" if one.flag else one.name
    return CampaignTableRow(one.name, (one.name, one.flag, *one.words), tip)


def _heading(words: str) -> QLabel:
    label = QLabel(words)
    label.setProperty("role", "heading")
    return label


def _words(text: str) -> QLabel:
    label = QLabel(straight(text))
    label.setWordWrap(True)
    label.setProperty("role", "secondary")
    return label


def _column(head: PanelHeader, table: CellsTable) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(head)
    column.addWidget(table, 1)
    return whole
