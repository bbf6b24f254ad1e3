"""Which goals are demonstrated in which apps: clusters of a category, a picture of them, and what they would give."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSpinBox, QSplitter, QVBoxLayout, QWidget

from stepscope.core.domain.campaign import GoalKey
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.widgets.campaigns.campaign_views import CampaignView, PairingChoice, PairingView
from stepscope.widgets.campaigns.parts import MARGIN, plain
from stepscope.widgets.campaigns.picture import GoalPicture
from stepscope.widgets.common import icon_button, text_button
from stepscope.widgets.common.cells_table import CampaignTableRow, CellsItemModel, CellsTable
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.thin_bar import ThinBar
from stepscope.widgets.forms.option_fields import calm

NO_CATEGORY = "Apps without a category"
CLUSTERS_WIDTH = 440
MOST_CLUSTERS = 1000


class PairingPage(QWidget):
    """Signals: a PairingChoice to be worked on; that it is cancelled; that the choice between groups and original pairs
    is another (grouped, originals); that the pairs are accepted."""

    pair_requested = Signal(object)
    cancel_requested = Signal()
    options_changed = Signal(bool, bool)
    accepted = Signal()

    def __init__(self, methods: Sequence[str], rules: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        """`methods` make pictures; `rules` are words and whose they are."""
        super().__init__(parent)
        self._found: PairingView | None = None
        self._working = False
        self._make_form(methods)
        self.rules = plain(QLabel("\n".join(f"{words.rstrip('.')} ({source})." for words, source in rules)), "dim")
        self.rules.hide()
        self.picture = GoalPicture()
        columns = CellsItemModel(("Cluster", "Representative", "Goals", "Apps"), numbers=(0, 2))
        self.clusters = CellsTable("Clusters", columns, stretch=[1, 3])
        self.grouped = QCheckBox("Count closely clustered apps as one")
        self.originals = QCheckBox("Every goal in its own app too")
        self.close_words, self.summary = plain(QLabel(), "secondary"), plain(QLabel())
        self.accept = text_button("Accept pairs", primary=True)
        self._lay_out()
        self._connect()
        self.set_working("", 0, None)
        self.set_found(None)

    def set_view(self, view: CampaignView) -> None:
        """The categories that can be paired."""
        before = self.category.currentData()
        self.category.blockSignals(True)
        self.category.clear()
        for name in view.categories:
            self.category.addItem(name or NO_CATEGORY, name)
        self.category.setCurrentIndex(max(0, self.category.findData(before)))
        self.category.blockSignals(False)
        self._renew()

    def set_working(self, doing: str, done: int, total: int | None) -> None:
        """Show what is under way, "" when nothing is."""
        self._working = bool(doing)
        self.doing.setText(straight(doing))
        self.bar.setVisible(bool(doing))
        self.bar.set_progress(done, total)
        self.cancel.setVisible(bool(doing))
        self._renew()

    def tell(self, words: str) -> None:
        """Say what came of it, where there are no clusters."""
        self.doing.setText(straight(words))

    def set_found(self, found: PairingView | None) -> None:
        """The clusters; None for none yet."""
        fresh = found is None or self._found is None or self._found.dots != found.dots
        self._found = found
        clusters = found.clusters if found else ()
        self.clusters.set_rows(
            [
                CampaignTableRow(one.number, (str(one.number), one.representative, str(one.goals), one.apps))
                for one in clusters
            ]
        )
        if fresh:
            self.picture.set_dots(found.dots if found else ())
        self.summary.setText(found.summary if found else "")
        self.close_words.setText(found.close if found else "")
        self.close_words.setVisible(bool(found and found.close))
        self.grouped.setVisible(bool(found and found.close))
        self.originals.setVisible(found is not None)
        self._renew()

    def choice(self) -> PairingChoice:
        k = self.k.value() or None
        return PairingChoice(self.category.currentData() or "", k, self.seed.value(), self.method.currentData())

    def _make_form(self, methods: Sequence[str]) -> None:
        self.category, self.method = ElidedCombo(14), ElidedCombo(8)
        self.k, self.seed = QSpinBox(), QSpinBox()
        self.k.setRange(0, MOST_CLUSTERS)
        self.k.setSpecialValueText("by silhouette")
        self.seed.setRange(0, LARGEST_NUMBER)
        for words, value in (*((method, method) for method in methods), ("none", "")):
            self.method.addItem(words, value)
        names = ((self.category, "Category"), (self.k, "Clusters"), (self.seed, "Seed"), (self.method, "Picture"))
        self._form = QHBoxLayout()
        self._form.setContentsMargins(MARGIN, MARGIN, MARGIN, 4)
        self._form.setSpacing(8)
        for field, words in names:
            label = QLabel(straight(words))
            label.setProperty("role", "dim")
            label.setBuddy(field)
            field.setAccessibleName(words)
            if isinstance(field, QSpinBox):
                calm(field)
            self._form.addWidget(label)
            self._form.addWidget(field)
        self.pair = text_button("Pair", primary=True, tip="Cluster the goals of this category")
        self.explain = icon_button("info", "How pairs are made", checkable=True)
        self._form.addWidget(self.pair)
        self._form.addWidget(self.explain)
        self._form.addStretch(1)
        self.doing, self.cancel, self.bar = QLabel(), text_button("Cancel"), ThinBar()
        self.doing.setTextFormat(Qt.TextFormat.PlainText)
        self.doing.setProperty("role", "secondary")
        self.doing.setAccessibleName("How far pairing is")

    def _connect(self) -> None:
        self.pair.clicked.connect(lambda: self.pair_requested.emit(self.choice()))
        self.cancel.clicked.connect(self.cancel_requested)
        self.explain.toggled.connect(self.rules.setVisible)
        self.accept.clicked.connect(self.accepted)
        self.clusters.chosen.connect(self._light)
        self.picture.chosen.connect(self._choose_cluster_of)
        for box in (self.grouped, self.originals):
            box.toggled.connect(
                lambda _on: self.options_changed.emit(self.grouped.isChecked(), self.originals.isChecked())
            )

    def _light(self) -> None:
        chosen = self.clusters.keys()
        self.picture.light(chosen[0] if len(chosen) == 1 else None)

    def _choose_cluster_of(self, goal: GoalKey) -> None:
        self.clusters.choose(next(dot.cluster for dot in self.picture.dots() if dot.goal == goal))

    def _renew(self) -> None:
        self.pair.setEnabled(self.category.count() > 0 and not self._working)
        self.accept.setEnabled(self._found is not None and self._found.pairs > 0 and not self._working)

    def _lay_out(self) -> None:
        state = QHBoxLayout()
        state.setContentsMargins(MARGIN, 0, MARGIN, 8)
        self.bar.setFixedWidth(120)
        state.setSpacing(8)
        state.addWidget(self.doing)
        state.addWidget(self.bar)
        state.addWidget(self.cancel)
        state.addStretch(1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.picture)
        split.addWidget(self.clusters)
        self.clusters.setMinimumWidth(CLUSTERS_WIDTH)
        split.setStretchFactor(0, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(MARGIN, 8, MARGIN, MARGIN)
        words = QVBoxLayout()
        words.setSpacing(4)
        for part in (self.close_words, self.grouped, self.originals, self.summary):
            words.addWidget(part)
        foot.addLayout(words, 1)
        foot.addWidget(self.accept, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._form)
        self.rules.setContentsMargins(MARGIN, 0, MARGIN, 8)
        column.addWidget(self.rules)
        column.addLayout(state)
        column.addWidget(split, 1)
        column.addLayout(foot)
