"""Campaigns: the list of them, and the chosen one on three pages with what the person here is to do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.campaigns.campaign_views import CampaignListRow, CampaignView
from stepscope.widgets.campaigns.goals_page import GoalsPage
from stepscope.widgets.campaigns.pairing_page import PairingPage
from stepscope.widgets.campaigns.parts import MARGIN, line, plain
from stepscope.widgets.campaigns.progress_page import ProgressPage
from stepscope.widgets.common import ElidedLabel, EmptyState, PanelHeader, SegmentedControl, icon_button, text_button
from stepscope.widgets.common.cells_table import CampaignTableRow, CellsItemModel, CellsTable

GOALS, PAIRING, PROGRESS = "goals", "pairing", "progress"
LIST_WIDTH = 220
EXPORTS = (
    ("recording", "Recordings and tables…"),
    ("motif", "Recordings in MoTIF's layout…"),
    ("apps", "Apps as CSV…"),
    ("goals", "Goals as CSV…"),
    ("pairs", "Pairs and majorities as CSV…"),
)


class CampaignsView(QWidget):
    """Signals: the name of the campaign that is looked at ("" for none); a new one, its settings, its end are wanted;
    the next task is wanted, the one at hand is left to others, a recording is to be linked to it; an export is wanted.
    `goals`, `pairing` and `progress` are its pages."""

    chosen = Signal(str)
    new_requested = Signal()
    edit_requested = Signal()
    remove_requested = Signal()
    next_requested = Signal()
    skip_requested = Signal()
    link_requested = Signal()
    export_requested = Signal(str)

    def __init__(
        self,
        person: str,
        methods: Sequence[str],
        rules: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.list = CellsTable("Campaigns", CellsItemModel(("Campaign", "Done"), numbers=(1,)), stretch=[0])
        self.list.horizontalHeader().hide()
        self.list.setSelectionMode(CellsTable.SelectionMode.SingleSelection)
        self.new = icon_button("plus", "New campaign")
        self.edit = icon_button("settings", "Name, instructions and demonstrations of a pair")
        self.remove = icon_button("trash", "Delete campaign")
        self.goals, self.pairing, self.progress = GoalsPage(), PairingPage(methods, rules), ProgressPage()
        self.pages = SegmentedControl([(GOALS, "Goals"), (PAIRING, "Pairing"), (PROGRESS, "Progress")], "Page")
        self.person = line("Who you are", "your name")
        self.person.setText(person)
        self.person.setFixedWidth(120)
        self.next = text_button("My next task", primary=True, tip="Fills in the goal and opens the app")
        self.export = text_button("Export")
        self.task = ElidedLabel("", "secondary")
        self.skip = text_button("Skip", tip="Leave this pair to others")
        self.link = text_button("Link recording…", tip="A recording that was made for this task before")
        self._title = ElidedLabel("", "title")
        self._instructions = plain(QLabel(), "secondary")
        self._empty = EmptyState(
            "app", "No campaign yet", "Several people demonstrate goals in apps, and say whether each can be reached.",
            (("new", "New campaign"),),
        )  # fmt: skip
        self._lay_out()
        self._connect()
        self.set_view(None)

    def set_campaigns(self, rows: Sequence[CampaignListRow], current: str = "") -> None:
        """All campaigns; keeps the chosen one, or takes `current`."""
        cells = [
            CampaignTableRow(row.name, (row.name, f"{row.done} of {row.wanted}" if row.wanted else "–")) for row in rows
        ]
        self.list.set_rows(cells)
        names = [row.name for row in rows]
        if current in names:
            self.list.choose(current)
        elif rows and not self.list.keys():
            self.list.choose(names[0])
        if not rows:
            self.set_view(None)

    def current(self) -> str:
        """The chosen campaign's name, "" for none."""
        names = self.list.keys()
        return names[0] if names else ""

    def set_view(self, view: CampaignView | None) -> None:
        """Show the chosen campaign."""
        self._stack.setCurrentIndex(0 if view is None else 1)
        for button in (self.edit, self.remove):
            button.setEnabled(view is not None)
        if view is None:
            return
        self._title.setText(view.name)
        self._instructions.setText(view.instructions)
        self._instructions.setVisible(bool(view.instructions))
        self.goals.set_view(view)
        self.pairing.set_view(view)
        self.progress.set_view(view)
        self.next.setEnabled(bool(view.pairs))
        self.task.setText(view.task)
        for part in (self.task, self.skip, self.link):
            part.setVisible(bool(view.task))

    def show_page(self, page: str) -> None:
        """GOALS, PAIRING or PROGRESS."""
        self.pages.set_value(page)
        self._pages.setCurrentIndex((GOALS, PAIRING, PROGRESS).index(page))

    def _connect(self) -> None:
        self.list.chosen.connect(lambda: self.chosen.emit(self.current()))
        self.list.delete_requested.connect(self.remove_requested)
        self.new.clicked.connect(self.new_requested)
        self._empty.pressed.connect(lambda _which: self.new_requested.emit())
        self.edit.clicked.connect(self.edit_requested)
        self.remove.clicked.connect(self.remove_requested)
        self.pages.chosen.connect(self.show_page)
        self.next.clicked.connect(self.next_requested)
        self.skip.clicked.connect(self.skip_requested)
        self.link.clicked.connect(self.link_requested)
        menu = QMenu(self.export)
        for what, words in EXPORTS:
            menu.addAction(words, partial(self.export_requested.emit, what))
        self.export.setMenu(menu)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(PanelHeader("Campaigns", self.edit, self.remove, self.new))
        column.addWidget(self.list, 1)
        left.setMinimumWidth(LIST_WIDTH)
        self._pages = QStackedWidget()
        for page in (self.goals, self.pairing, self.progress):
            self._pages.addWidget(page)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._whole())
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(self._stack)
        split.setStretchFactor(1, 1)
        row = QVBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(split)

    def _whole(self) -> QWidget:
        """The chosen campaign: who one is and what is to be done above its pages."""
        head, task = QHBoxLayout(), QHBoxLayout()
        head.setContentsMargins(MARGIN, 8, MARGIN, 8)
        head.setSpacing(8)
        head.addWidget(self._title, 1)
        name = QLabel("You are")
        name.setProperty("role", "dim")
        name.setBuddy(self.person)
        for part in (name, self.person, self.next, self.export):
            head.addWidget(part)
        task.setContentsMargins(MARGIN, 0, MARGIN, 0)
        task.setSpacing(8)
        task.addWidget(self.task, 1)
        task.addWidget(self.link)
        task.addWidget(self.skip)
        tabs = QHBoxLayout()
        tabs.setContentsMargins(MARGIN, 4, MARGIN, 8)
        tabs.addWidget(self.pages)
        tabs.addStretch(1)
        self._instructions.setContentsMargins(MARGIN, 0, MARGIN, 4)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._instructions)
        column.addLayout(task)
        column.addLayout(tabs)
        column.addWidget(self._pages, 1)
        return whole
