"""How far every pair is, who demonstrates, and how far people agree."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QSplitter, QVBoxLayout, QWidget

from stepscope.core.domain.campaign import AppEntry, CampaignGoal
from stepscope.widgets.campaigns.campaign_views import AgreementView, CampaignView, PairProgressRow
from stepscope.widgets.campaigns.parts import MARGIN, line, plain
from stepscope.widgets.common import PanelHeader, text_button
from stepscope.widgets.common.cells_table import CampaignTableRow, CellsItemModel, CellsTable
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.format import counted, share
from stepscope.widgets.scores.breakdown_values import Bar
from stepscope.widgets.scores.card import ResultCard
from stepscope.widgets.scores.shares import BarRows

LEAST_SIDE = 340
NEUTRAL = 3
"""The run whose colour says neither right nor wrong."""


class ProgressPage(QWidget):
    """Signals: an app's package and a goal to be paired by hand; pairs to be taken away; an annotator's name to be
    added or taken away; that what is missing is to be given out."""

    pair_added = Signal(str, object)
    pairs_removed = Signal(object)
    person_added = Signal(str)
    people_removed = Signal(object)
    assign_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        columns = CellsItemModel(("Goal", "App", "Origin", "Done", "Majority", "Agree"), numbers=(3, 5))
        self.pairs = CellsTable("Pairs", columns, stretch=[0])
        self.people = CellsTable(
            "Annotators", CellsItemModel(("Annotator", "Done", "Open", "Skipped"), numbers=(1, 2, 3)), stretch=[0]
        )
        self.remove_pairs, self.remove_people = text_button("Delete"), text_button("Remove")
        self.assign = text_button("Assign all", tip="Give every pair what it lacks, spread over all annotators")
        self._pairs_head = PanelHeader("Pairs", self.remove_pairs)
        self._people_head = PanelHeader("Annotators", self.assign, self.remove_people)
        self.app, self.goal = ElidedCombo(10), ElidedCombo(16)
        self.app.setAccessibleName("App of the new pair")
        self.goal.setAccessibleName("Goal of the new pair")
        self.add_pair = text_button("Add pair")
        self.new_person = line("New annotator", "name")
        self.add_person = text_button("Add")
        self.agreement = AgreementCard()
        self._filled: tuple[tuple[AppEntry, ...], tuple[CampaignGoal, ...]] = (), ()
        self.add_pair.setEnabled(False)
        self._lay_out()
        self._connect()

    def set_view(self, view: CampaignView) -> None:
        self.pairs.set_rows([_pair_cells(row, view.k) for row in view.pairs])
        whole = sum(row.done >= view.k for row in view.pairs)
        none = "none yet: pair a category, or add one below"
        some = f"{whole} of {counted(len(view.pairs), 'pair')} complete, {view.k} each"
        self._pairs_head.set_detail(some if view.pairs else none)
        self.people.set_rows(
            [
                CampaignTableRow(row.name, (row.name, str(row.done), str(row.open), str(row.skipped)))
                for row in view.people
            ]
        )
        self._people_head.set_detail(counted(len(view.people), "person", "people"))
        self.agreement.set_agreement(view.agreement)
        self.assign.setEnabled(bool(view.pairs and view.people))
        self._fill(view.apps, view.goals)
        self._renew()

    def _fill(self, apps: tuple[AppEntry, ...], goals: tuple[CampaignGoal, ...]) -> None:
        """All apps and goals to choose from; thousands take their time, so the same ones stay."""
        if self._filled == (apps, goals):
            return
        self._filled = apps, goals
        titles = {app.package: app.title for app in apps}
        before = self.app.currentData(), self.goal.currentData()
        self.app.clear()
        self.goal.clear()
        for app in apps:
            self.app.addItem(app.title, app.package)
        for goal in goals:
            self.goal.addItem(f"{goal.text} ({titles.get(goal.app, goal.app)})", goal)
        for combo, value in zip((self.app, self.goal), before, strict=True):
            place = next((place for place in range(combo.count()) if combo.itemData(place) == value), 0)
            combo.setCurrentIndex(place if combo.count() else -1)
        self.add_pair.setEnabled(bool(apps and goals))

    def _connect(self) -> None:
        for table in (self.pairs, self.people):
            table.chosen.connect(self._renew)
        for asked in (self.remove_pairs.clicked, self.pairs.delete_requested):
            asked.connect(lambda *_: self.pairs_removed.emit(self.pairs.keys()))
        for asked in (self.remove_people.clicked, self.people.delete_requested):
            asked.connect(lambda *_: self.people_removed.emit(self.people.keys()))
        self.add_pair.clicked.connect(lambda: self.pair_added.emit(self.app.currentData(), self.goal.currentData()))
        self.assign.clicked.connect(self.assign_requested)
        for asked in (self.add_person.clicked, self.new_person.returnPressed):
            asked.connect(self._add_person)

    def _add_person(self) -> None:
        if self.new_person.text().strip():
            self.person_added.emit(self.new_person.text())
            self.new_person.clear()

    def _renew(self) -> None:
        self.remove_pairs.setEnabled(bool(self.pairs.keys()))
        self.remove_people.setEnabled(bool(self.people.keys()))

    def _lay_out(self) -> None:
        new_pair = _row(QLabel("Demonstrate"), (self.goal, 3), QLabel("in"), (self.app, 2), self.add_pair)
        new_person = _row((self.new_person, 1), self.add_person)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(_column(self._pairs_head, self.pairs, new_pair))
        below = QWidget()
        inside = QVBoxLayout(below)
        inside.setContentsMargins(MARGIN, 0, MARGIN, MARGIN)
        inside.addWidget(self.agreement)
        side = _column(self._people_head, self.people, new_person, below)
        side.setMinimumWidth(LEAST_SIDE)
        split.addWidget(side)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(split)


class AgreementCard(ResultCard):
    """The numbers of pairs by the share of labels that agree with the majority."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Agree with the majority", parent=parent)
        self.rows = BarRows("Agreement with the majority, by pairs", stacked=False, asks="of the pairs with two labels")
        self.rows.run = NEUTRAL
        self.words = plain(QLabel(), "secondary")
        scroll = QScrollArea()
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self.rows)
        scroll.setMinimumHeight(96)
        self.body.addWidget(scroll, 1)
        self.body.addWidget(self.words)

    def set_agreement(self, view: AgreementView) -> None:
        total = sum(bar.pairs for bar in view.bars)
        self.rows.set_bars(
            [Bar(f"{share(bar.share)}{' tie' if bar.tied else ''}", bar.pairs, total) for bar in reversed(view.bars)]
        )
        self.detail.setText(counted(total, "pair") if total else "")
        self.words.setText(view.words)


def _pair_cells(row: PairProgressRow, k: int) -> CampaignTableRow:
    goal, agree = row.pair.goal, "" if row.share is None else share(row.share)
    words = (goal.text, row.app, row.pair.origin.value, f"{row.done} of {k}", row.majority, agree)
    return CampaignTableRow(row.pair, words, row.tip)


def _column(*parts: QWidget) -> QWidget:
    """Parts one below the other; the second and fourth share what room there is."""
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for place, part in enumerate(parts):
        column.addWidget(part, place % 2)
    return whole


def _row(*parts: QWidget | tuple[QWidget, int]) -> QWidget:
    """Parts side by side, some with a stretch."""
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(MARGIN, 8, MARGIN, 8)
    row.setSpacing(8)
    for part in parts:
        widget, stretch = part if isinstance(part, tuple) else (part, 0)
        row.addWidget(widget, stretch)
    return whole
