"""The rules of what is never sent: listed, added and removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from stepscope.core.frozen import dataclass
from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import plain_label, straight, tip_words

WIDTH, HEIGHT, NAME_WIDTH = 640, 600, 180
ABOUT = (
    "An element for which all of a rule holds is painted over in every picture that a model is shown, and its words "
    "are left out, with all that lies in it. Password fields always are. Upper and lower case are the same."
)
FIELDS = {
    "name": ("Name", "By which it is removed"),
    "id": ("Id", "The resource id, whole or behind its slash, or the HTML id or name"),
    "id_has": ("Id contains", "A part of it, such as email"),
    "kind": ("Class or tag", "Such as EditText, or input"),
    "text": ("Text", "The whole text or description"),
    "text_has": ("Text contains", "A part of it"),
    "app": ("Only in app", "A package, or the app or site as the data names it"),
}
"""What a rule may ask for, by the names of its fields, with what stands in an empty one."""


@dataclass(frozen=True, slots=True)
class RedactionRow:
    """A rule as it is listed."""

    name: str
    words: str


class RedactionsDialog(QDialog):
    """`added(fields)`: a rule by `FIELDS`; `removed(name)`. Answer both with `show_rules` or `set_trouble`."""

    added = Signal(object)
    removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Never sent")
        self.resize(WIDTH, HEIGHT)
        self.list = QTreeWidget()
        self.list.setHeaderLabels(["Rule", "Never sent"])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setColumnWidth(0, NAME_WIDTH)
        self.list.setAccessibleName("Rules")
        self.none = QLabel("There are no rules yet: only password fields are kept back.")
        self.none.setProperty("role", "secondary")
        self.remove = text_button("Remove", tip="What the rule kept back is sent again")
        self.add = text_button("Add Rule", primary=True)
        self.close_button = text_button("Close")
        self.fields = {name: QLineEdit() for name in FIELDS}
        self._trouble = QLabel()
        self._trouble.setProperty("role", "miss")
        self._trouble.setWordWrap(True)
        self._trouble.hide()
        self._lay_out()
        self.list.currentItemChanged.connect(self._tell)
        self.remove.clicked.connect(self._remove)
        self.add.clicked.connect(lambda: self.added.emit(self._given()))
        self.close_button.clicked.connect(self.reject)
        self._tell()

    def show_rules(self, rows: Sequence[RedactionRow], added: bool = False) -> None:
        """All rules as they are now; `added`: the last was written here, and the fields are for another."""
        self.list.clear()
        for row in rows:
            item = QTreeWidgetItem(self.list, [straight(row.name), straight(row.words)])
            item.setData(0, Qt.ItemDataRole.UserRole, row.name)
            item.setToolTip(1, tip_words(row.words))
        if added:
            for field in self.fields.values():
                field.clear()
        self.none.setVisible(not rows)
        self.set_trouble("")
        self._tell()

    def set_trouble(self, words: str) -> None:
        """Why a rule cannot be added or removed; "" for nothing."""
        self._trouble.setText(straight(words))
        self._trouble.setVisible(bool(words))

    def _given(self) -> Mapping[str, str]:
        return {name: field.text().strip() for name, field in self.fields.items()}

    def _remove(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.removed.emit(item.data(0, Qt.ItemDataRole.UserRole))

    def _tell(self) -> None:
        """Only a rule that says something can be added, only one that is chosen removed."""
        given = self._given()
        says = bool(given["name"]) and any(value for name, value in given.items() if name != "name")
        self.add.setEnabled(says)
        self.add.setToolTip("" if says else "Give a name, and an id, a class, a text or an app")
        self.remove.setEnabled(self.list.currentItem() is not None)

    def _lay_out(self) -> None:
        about = QLabel(ABOUT)
        about.setWordWrap(True)
        about.setProperty("role", "secondary")
        head = QHBoxLayout()
        head.addWidget(self.none, 1)
        head.addStretch(0)
        head.addWidget(self.remove)
        rows = QFormLayout()
        for name, (title, hint) in FIELDS.items():
            field = self.fields[name]
            field.setAccessibleName(title)
            field.setPlaceholderText(hint)
            field.textChanged.connect(self._tell)
            label = plain_label(title)
            rows.addRow(label, field)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(about)
        column.addWidget(self.list, 1)
        column.addLayout(head)
        column.addLayout(rows)
        column.addWidget(self._trouble)
        column.addLayout(buttons)
