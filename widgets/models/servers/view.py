"""The chat servers in a list, and the chosen one in a form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets.common import EmptyState, text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.forms.form_rows import FormRows
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.models.servers.server_row import ServerEdit, ServerRow

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("Name", "URL", "Model", "Key")
MARGIN = 12
MOST_SECONDS, MOST_PARALLEL = 3600.0, 64


class ServersItemModel(QAbstractTableModel):
    """A row a server."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[ServerRow, ...] = ()

    def set_rows(self, rows: Sequence[ServerRow]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return COLUMNS[section] if shown else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row = self.rows[index.row()]
        return (row.name, row.url, row.model, row.key)[index.column()] or "–"


class ServersView(QWidget):
    """Signals: a ServerEdit to keep; names to be checked, removed, or whose key is to be forgotten."""

    saved = Signal(object)
    check_requested = Signal(str)
    remove_requested = Signal(str)
    forget_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ServersItemModel()
        self.table = RowTable("Chat servers")
        self.table.setModel(self.model)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self._none = EmptyState("say", "No chat server is known yet: write where it is, and add it.")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self._none)
        self._is_new = True
        self._make_fields()
        self._told = QLabel()
        self._told.setWordWrap(True)
        self._told.setTextFormat(Qt.TextFormat.PlainText)
        self._told.setAccessibleName("What came of it")
        self.add = text_button("Add", tip="A new server")
        self.save = text_button("Save", primary=True)
        self.check = text_button("Check", tip="Ask the server which models it has")
        self.forget = text_button("Forget key", tip="Take the key out of the keyring")
        self.remove = text_button("Remove…")
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(lambda _now, _before: self._show())
        self.add.clicked.connect(self._begin)
        self.save.clicked.connect(self._save)
        self.check.clicked.connect(lambda: self.check_requested.emit(self.current()))
        self.forget.clicked.connect(lambda: self.forget_requested.emit(self.current()))
        self.remove.clicked.connect(lambda: self.remove_requested.emit(self.current()))
        self._begin()

    def set_servers(self, rows: Sequence[ServerRow], current: str = "") -> None:
        """All servers; keeps the chosen one, or takes `current`."""
        wanted = current or self.current()
        self.model.set_rows(rows)
        self._stack.setCurrentWidget(self.table if rows else self._none)
        for button in (self.add, self.remove, self.forget, self.check):
            button.setVisible(bool(rows))
        place = next((place for place, row in enumerate(rows) if row.name == wanted), 0)
        if rows:
            self.table.setCurrentIndex(self.model.index(place, 0))
            self._show()
        else:
            self._begin()

    def tell(self, words: str, *, trouble: bool = False) -> None:
        """Say what came of a check or of saving; "" takes it away."""
        self._told.setProperty("badge", "warn" if trouble else None)
        restyle(self._told)
        self._told.setText(straight(words))
        self._told.setVisible(bool(words))

    def current(self) -> str:
        """The chosen server's name, "" while a new one is being written."""
        place = self.table.currentIndex().row()
        return self.model.rows[place].name if not self._is_new and 0 <= place < len(self.model.rows) else ""

    def _make_fields(self) -> None:
        self.name, self.url, self.served, self.key = (QLineEdit() for _ in range(4))
        self.url.setPlaceholderText("https://models.example/v1")
        self.served.setPlaceholderText("the model that is asked")
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.timeout, self.parallel = QDoubleSpinBox(), QSpinBox()
        self.timeout.setRange(1, MOST_SECONDS)
        self.timeout.setDecimals(0)
        self.timeout.setSuffix(" s")
        self.parallel.setRange(1, MOST_PARALLEL)
        for spin in (self.timeout, self.parallel):
            calm(spin)
        self.pictures = QCheckBox("Takes pictures")
        self.fields = FormRows()
        self.fields.add("Name", self.name)
        self.fields.add("URL", self.url)
        self.fields.add("Model", self.served)
        self.fields.add("Key", self.key)
        self.fields.add("Time-out", self.timeout)
        self.fields.add("At once", self.parallel)
        self.fields.add("", self.pictures)

    def _begin(self) -> None:
        """An empty form for a new server."""
        self._is_new = True
        self.table.clearSelection()
        self._fill(ServerRow("", ""))
        self.tell("")
        self.name.setFocus()

    def _show(self) -> None:
        place = self.table.currentIndex().row()
        if 0 <= place < len(self.model.rows):
            self._is_new = False
            self._fill(self.model.rows[place])
            self.tell(self.model.rows[place].warning, trouble=True)

    def _fill(self, row: ServerRow) -> None:
        self.name.setText(row.name)
        self.name.setEnabled(self._is_new)
        self.url.setText(row.url)
        self.served.setText(row.model)
        self.key.clear()
        self.key.setPlaceholderText(f"in the {row.key}; write to replace it" if row.key else "goes to the keyring only")
        self.timeout.setValue(row.timeout)
        self.parallel.setValue(row.parallel)
        self.pictures.setChecked(row.pictures)
        self.save.setText("Add server" if self._is_new else "Save")
        for button in (self.check, self.remove):
            button.setEnabled(not self._is_new)
        self.forget.setEnabled(row.key == "keyring")

    def _save(self) -> None:
        row = ServerRow(
            self.name.text().strip(),
            self.url.text().strip(),
            self.served.text().strip(),
            self.timeout.value(),
            self.parallel.value(),
            self.pictures.isChecked(),
        )
        self.saved.emit(ServerEdit(row, self._is_new, self.key.text()))

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.add)
        buttons.addStretch(1)
        for button in (self.remove, self.forget, self.check, self.save):
            buttons.addWidget(button)
        body = QVBoxLayout()
        body.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        body.setSpacing(10)
        body.addWidget(self.fields)
        body.addWidget(self._told)
        body.addLayout(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addLayout(body)
