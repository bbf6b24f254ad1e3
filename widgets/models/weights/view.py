"""All weights in a list; below it what is known of the chosen ones, or the form for new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.forms.form_rows import FormRows
from stepscope.widgets.models.weights.values import WeightsChoice, WeightsFamily, WeightsLine, WeightsOffer

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("Name", "Kind", "Here", "Size", "Licence", "Wanted by")
HERE = COLUMNS.index("Here")
MARGIN = 12


class WeightsItemModel(QAbstractTableModel):
    """A row for the weights of each encoder and model, in the order given."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[WeightsLine, ...] = ()

    def set_rows(self, rows: Sequence[WeightsLine]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def place_of(self, name: str) -> int:
        """The row of that name, -1 where there is none."""
        return next((place for place, row in enumerate(self.rows) if row.name == name), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return COLUMNS[section] if shown else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        here = "yes" if row.here else "no"
        words = (row.name, row.kind, here, row.size, row.licence, row.wanted_by)[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return words or "–"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(row.why_not if index.column() == HERE and row.why_not else words)
        return None


class WeightsView(QWidget):
    """Signals: `file_wanted` and `folder_wanted` ask for a path to add; a WeightsChoice to add; names to check ("" for
    all), to remove, or whose folder is to be shown."""

    file_wanted = Signal()
    folder_wanted = Signal()
    chosen = Signal(object)
    check_requested = Signal(str)
    remove_requested = Signal(str)
    show_requested = Signal(str)

    def __init__(self, families: Sequence[WeightsFamily], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._families = {one.name: one for one in families}
        self._path = ""
        self.model = WeightsItemModel()
        self.table = RowTable("Weights")
        self.table.setModel(self.model)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.facts = FormRows()
        self.facts.options_here()
        self._make_form(families)
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        self.told.setAccessibleName("What came of it")
        self.add_file = text_button("Add file…", tip="Weights in a file: CLIP, ResNet, word vectors")
        self.add_folder = text_button("Add folder…", tip="Weights in a folder, as transformers or open_clip write one")
        self.check_all = text_button("Check all", tip="Read everything again and compare its SHA-256")
        self.check = text_button("Check", tip="Read these weights again and compare their SHA-256")
        self.show_folder = text_button("Show in folder")
        self.remove = text_button("Remove…", tip="Take them off the list; the files stay")
        self._lay_out()
        self._connect()
        self.tell("")
        self._show()

    def set_weights(self, rows: Sequence[WeightsLine], current: str = "") -> None:
        """All weights; keeps the chosen ones, or takes `current`."""
        wanted = current or self.current()
        self.model.set_rows(rows)
        if rows:
            self.table.setCurrentIndex(self.model.index(max(0, self.model.place_of(wanted)), 0))
        self._show()

    def offer(self, found: WeightsOffer) -> None:
        """The form for what was found at a path."""
        self._path = found.path
        self.path.setText(straight(found.path))
        self.name.setText(found.name)
        self.taken_for.setText(straight(found.taken_for))
        self.family.setCurrentIndex(max(0, self.family.findData(found.family)))
        self.architecture.clear()
        self.tag.clear()
        self.tell("")
        self._stack.setCurrentWidget(self._form)
        self._dress_form()
        self.name.setFocus()
        self.name.selectAll()

    def end_offer(self) -> None:
        """The list's own page again."""
        self._stack.setCurrentWidget(self._page)
        self.table.setFocus()

    def tell(self, words: str, *, trouble: bool = False) -> None:
        """Say how far work is or what came of it; "" takes it away."""
        self.told.setProperty("badge", "warn" if trouble else None)
        restyle(self.told)
        self.told.setText(straight(words))
        self.told.setVisible(bool(words))

    def current(self) -> str:
        """The name of the chosen weights, "" for none."""
        row = self._row()
        return row.name if row else ""

    def _row(self) -> WeightsLine | None:
        place = self.table.currentIndex().row()
        return self.model.rows[place] if 0 <= place < len(self.model.rows) else None

    def _make_form(self, families: Sequence[WeightsFamily]) -> None:
        self.path, self.taken_for = _words(), _words()
        self.name, self.architecture, self.tag = QLineEdit(), QLineEdit(), QLineEdit()
        self.family = QComboBox()
        for one in families:
            self.family.addItem(f"{one.name} – {one.title}", one.name)
        self.architecture.setPlaceholderText("open_clip's name, such as ViT-B-32")
        self.tag.setPlaceholderText("which published weights these are, if that matters")
        self.fields = FormRows()
        self.fields.add("Path", self.path)
        self.fields.add("Looks like", self.taken_for)
        self.fields.add("Family", self.family)
        self.fields.add("Name", self.name)
        self.fields.add("Architecture", self.architecture)
        self.fields.add("Published as", self.tag)
        self.add = text_button("Add weights", primary=True)
        self.leave = text_button("Go back")

    def _dress_form(self) -> None:
        """The options that the chosen family has."""
        family = self._families.get(self.family.currentData())
        options = family.options if family else ()
        self.fields.show_row(self.architecture, "architecture" in options)
        self.fields.show_row(self.tag, "tag" in options)

    def _show(self) -> None:
        row = self._row()
        rows: list[tuple[QLabel, QWidget]] = []
        for name, value in row.facts if row else ():
            label, words = QLabel(straight(name)), _words()
            label.setProperty("role", "dim")
            words.setText(straight(value))
            words.setAccessibleName(name)
            rows.append((label, words))
        self.facts.set_options(rows)
        self.check.setEnabled(row is not None and (row.here or row.own))
        self.show_folder.setEnabled(row is not None and bool(row.folder))
        self.remove.setEnabled(row is not None and row.own)

    def _choose(self) -> None:
        family = str(self.family.currentData())
        options = self._families[family].options
        self.chosen.emit(
            WeightsChoice(
                self._path,
                self.name.text().strip(),
                family,
                self.architecture.text().strip() if "architecture" in options else "",
                self.tag.text().strip() if "tag" in options else "",
            )
        )

    def _connect(self) -> None:
        self.table.selectionModel().currentRowChanged.connect(lambda _now, _before: self._show())
        self.family.currentIndexChanged.connect(lambda _place: self._dress_form())
        self.add_file.clicked.connect(self.file_wanted)
        self.add_folder.clicked.connect(self.folder_wanted)
        self.add.clicked.connect(self._choose)
        self.leave.clicked.connect(self.end_offer)
        self.check_all.clicked.connect(lambda: self.check_requested.emit(""))
        self.check.clicked.connect(lambda: self.check_requested.emit(self.current()))
        self.show_folder.clicked.connect(lambda: self.show_requested.emit(self.current()))
        self.remove.clicked.connect(lambda: self.remove_requested.emit(self.current()))

    def _lay_out(self) -> None:
        self._page, self._form = QWidget(), QWidget()
        column = QVBoxLayout(self._page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.facts)
        column.addStretch(1)
        column.addLayout(_row(
            (self.add_file, self.add_folder), (self.remove, self.show_folder, self.check_all, self.check)
        ))  # fmt: skip
        column = QVBoxLayout(self._form)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.fields)
        column.addStretch(1)
        column.addLayout(_row((), (self.leave, self.add)))
        self._stack = QStackedWidget()
        self._stack.addWidget(self._page)
        self._stack.addWidget(self._form)
        below = QVBoxLayout()
        below.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        below.setSpacing(10)
        below.addWidget(self.told)
        below.addWidget(self._stack)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.table, 1)
        whole.addLayout(below)


def _words() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _row(left: Sequence[QWidget], right: Sequence[QWidget]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for one in left:
        row.addWidget(one)
    row.addStretch(1)
    for one in right:
        row.addWidget(one)
    return row
