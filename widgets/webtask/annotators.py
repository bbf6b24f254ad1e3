"""The people who fill in web tasks: who does now, in which order, how far everybody is, and how far they agree."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from stepscope.core.webtask.agreement import (
    DIFFERENCE,
    KAPPA,
    ROUGE_L,
    FieldAgreement,
    TaskAgreement,
    WorkerComparison,
)
from stepscope.widgets import format as formats
from stepscope.widgets.common import PanelHeader, text_button
from stepscope.widgets.common.cells_table import CampaignTableRow, CellsItemModel, CellsTable
from stepscope.widgets.common.segmented import SegmentedControl
from stepscope.widgets.forms.form_rows import FormRows
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.webtask.people_values import (
    PageDeliveryOptions,
    PeopleView,
    PersonRow,
)

MARGIN, GAP = 12, 8
LARGEST_SEED = 999_999
MOST = 99
"""People whose answers can be asked for before a page is left out (ours)."""
DATA, SHUFFLED = "data", "shuffled"
MEASURES = {KAPPA: "Cohen's kappa", ROUGE_L: "ROUGE-L", DIFFERENCE: "difference"}
NOBODY_YET = "Nobody has answered a page yet"
TOO_FEW = "Two people have to submit the same page before they can agree"


class PeoplePage(QWidget):
    """`habits_changed(PageDeliveryOptions)`: another person, order or switch is wanted; `opened(str, str)`: the task
    and annotator of a row are to be shown; `delete_requested(tuple)`: (task, annotator) of the rows whose answers are
    to go; `export_requested()` and `import_requested()`."""

    habits_changed = Signal(object)
    opened = Signal(str, str)
    delete_requested = Signal(object)
    export_requested = Signal()
    import_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = PageDeliveryForm()
        self.people = CellsTable(
            "People by task",
            CellsItemModel(("Task", "Annotator", "Submitted", "Begun", "A page", "In all"), numbers=(2, 3, 4, 5)),
            stretch=[0],
        )
        self.fields = CellsTable(
            "Agreement by field",
            CellsItemModel(("Field", "Type", "Measure", "Value", "Equal", "Pages", "n"), numbers=(3, 4, 5, 6)),
            stretch=[0],
        )
        self.workers = CellsTable(
            "People against the workers of the data",
            CellsItemModel(("Annotator", "Score", "Fields"), numbers=(1, 2)),
            stretch=[0],
        )
        self.take, self.export = text_button("Import…"), text_button("Export CSV…", primary=True)
        self.delete = text_button("Delete…")
        self._people_head = PanelHeader("Progress", self.delete)
        self._fields_head = PanelHeader("Agreement")
        self._workers_head = PanelHeader("Against the workers")
        self._lay_out()
        self._connect()
        self.set_view(PeopleView())

    def set_view(self, view: PeopleView) -> None:
        self.form.set_habits(view.habits, view.names)
        self.people.set_rows([_person(row) for row in view.rows])
        done = sum(row.submitted for row in view.rows)
        people = len({row.annotator for row in view.rows})
        some = f"{formats.counted(done, 'page')} by {formats.counted(people, 'person', 'people')}"
        self._people_head.set_detail(some if view.rows else NOBODY_YET)
        self._set_agreement(view.agreement)
        self.export.setEnabled(done > 0)
        self._renew()

    def _set_agreement(self, found: TaskAgreement | None) -> None:
        fields, workers = (found.fields, found.workers) if found is not None else ((), ())
        self.fields.set_rows([_field(row) for row in fields])
        self._fields_head.set_detail(found.task if found is not None and any(row.n for row in fields) else TOO_FEW)
        self.workers.set_rows([_workers(row) for row in workers])
        scored = sum(row.n for row in workers)
        self._workers_head.set_detail(f"{formats.counted(scored, 'field')} scored" if scored else "nothing to score")

    def _renew(self) -> None:
        self.delete.setEnabled(bool(self.people.keys()))

    def _connect(self) -> None:
        self.form.changed.connect(self.habits_changed)
        self.people.chosen.connect(self._renew)
        self.people.opened.connect(self._open)
        for asked in (self.delete.clicked, self.people.delete_requested):
            asked.connect(lambda *_: self.delete_requested.emit(self.people.keys()))
        self.export.clicked.connect(lambda: self.export_requested.emit())
        self.take.clicked.connect(lambda: self.import_requested.emit())

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(*self.people.cells.rows[index.row()].words[:2])

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(MARGIN, GAP, MARGIN, MARGIN)
        buttons.setSpacing(GAP)
        buttons.addStretch(1)
        buttons.addWidget(self.take)
        buttons.addWidget(self.export)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        for head, body in (
            (self._people_head, self.people),
            (self._fields_head, self.fields),
            (self._workers_head, self.workers),
        ):
            split.addWidget(_part(head, body))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.form)
        column.addWidget(split, 1)
        column.addLayout(buttons)


class PageDeliveryForm(QWidget):
    """`changed(PageDeliveryOptions)`: the person (not the program) wants other ones."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name, written = QComboBox(), QLineEdit()
        self.name.setLineEdit(written)
        self.name.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.name.setToolTip("Under which name pages are answered; a new one can be written")
        self.order = SegmentedControl([(DATA, "As in the data"), (SHUFFLED, "Shuffled")], "Order of the pages")
        self.seed, self.enough = QSpinBox(), QSpinBox()
        self.seed.setRange(0, LARGEST_SEED)
        self.seed.setToolTip("The same seed shuffles the pages the same way for everybody")
        self.enough.setRange(0, MOST)
        self.enough.setSpecialValueText("never")
        self.enough.setSuffix(" others")
        self.enough.setToolTip("Leave out pages that so many others have submitted")
        self.blind = QCheckBox("Hide workers' answers until a page is submitted")
        for spin in (self.seed, self.enough):
            calm(spin)
            spin.setKeyboardTracking(False)
        self._habits = PageDeliveryOptions()
        self._lay_out()
        written.editingFinished.connect(self._tell)
        self.name.activated.connect(self._tell)
        self.order.chosen.connect(self._tell)
        self.seed.valueChanged.connect(self._tell)
        self.enough.valueChanged.connect(self._tell)
        self.blind.toggled.connect(self._tell)

    def set_habits(self, habits: PageDeliveryOptions, names: tuple[str, ...]) -> None:
        """Show these without telling; `names` can be chosen beside the one that holds."""
        self._habits = habits
        for part in (self.name, self.seed, self.enough, self.blind):
            part.blockSignals(True)
        self.name.clear()
        self.name.addItems(list(dict.fromkeys([*names, habits.annotator] if habits.annotator else names)))
        self.name.setCurrentText(habits.annotator)
        self.order.set_value(DATA if habits.seed is None else SHUFFLED)
        self.seed.setValue(habits.seed or 0)
        self.enough.setValue(habits.enough)
        self.blind.setChecked(habits.blind)
        for part in (self.name, self.seed, self.enough, self.blind):
            part.blockSignals(False)
        self.seed.setEnabled(habits.seed is not None)

    def habits(self) -> PageDeliveryOptions:
        """The options as they stand in the fields; a name that is none is the one before."""
        shuffled = self.order.value() == SHUFFLED
        name = " ".join(self.name.currentText().split()) or self._habits.annotator
        return PageDeliveryOptions(
            name, self.seed.value() if shuffled else None, self.enough.value(), self.blind.isChecked()
        )

    def _tell(self, *_: object) -> None:
        self.seed.setEnabled(self.order.value() == SHUFFLED)
        wanted = self.habits()
        if wanted != self._habits:
            self._habits = wanted
            self.changed.emit(wanted)

    def _lay_out(self) -> None:
        order = QWidget()
        row = QHBoxLayout(order)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.order)
        seed = QLabel("seed")
        seed.setProperty("role", "dim")
        seed.setBuddy(self.seed)
        self.seed.setAccessibleName("Seed")
        row.addWidget(seed)
        row.addWidget(self.seed)
        row.addStretch(1)
        rows = FormRows()
        rows.add("Annotator", self.name)
        rows.add("Order", order, self.order)
        rows.add("Skip after", self.enough)
        rows.add("", self.blind)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.addWidget(rows)


def _part(head: QWidget, body: QWidget) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(head)
    column.addWidget(body, 1)
    return whole


def _person(row: PersonRow) -> CampaignTableRow:
    done = (
        f"{formats.count(row.submitted)} of {formats.count(row.total)}" if row.total else formats.count(row.submitted)
    )
    each = formats.duration(row.seconds / row.submitted) if row.submitted else ""
    words = (
        row.task,
        row.annotator,
        done,
        formats.count(row.drafts) if row.drafts else "",
        each,
        formats.duration(row.seconds) if row.submitted else "",
    )
    return CampaignTableRow((row.task, row.annotator), words, f"{row.annotator}, {row.task}: {done} submitted")


def _field(row: FieldAgreement) -> CampaignTableRow:
    value = "" if row.value is None else f"{row.value:.2f}"
    equal = "" if row.observed is None else formats.share(row.observed)
    counts = formats.count(row.instances), formats.count(row.n)
    return CampaignTableRow(row.field, (row.field, row.type.value, MEASURES[row.measure], value, equal, *counts))


def _workers(row: WorkerComparison) -> CampaignTableRow:
    return CampaignTableRow(row.annotator, (row.annotator, formats.score(row.score), formats.count(row.n)))
