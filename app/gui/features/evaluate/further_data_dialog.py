"""From which other open data the rows of a paper's table learn besides, as a person ticks it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from stepscope.widgets.common.plain_words import straight, tip_words, window_title

WORDS = "Rows of this table learn from further data too, as the paper's do. Learn also from:"


class FurtherDataDialog(QDialog):
    """A list of data sets by key and title, the `ticked` ones ticked."""

    def __init__(self, parent: QWidget, offered: Sequence[tuple[str, str]], ticked: Iterable[str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(window_title("Further data"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        label = QLabel(straight(WORDS))
        label.setWordWrap(True)
        self.data = QListWidget()
        self.data.setAccessibleName(WORDS)
        label.setBuddy(self.data)
        known = set(ticked)
        for key, title in offered:
            item = QListWidgetItem(straight(title), self.data)
            item.setData(Qt.ItemDataRole.UserRole, key)
            item.setToolTip(tip_words(key))
            item.setCheckState(Qt.CheckState.Checked if key in known else Qt.CheckState.Unchecked)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go_on = buttons.addButton("Go On", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(label)
        column.addWidget(self.data)
        column.addWidget(buttons)
        self.resize(420, 260)

    def ticked(self) -> tuple[str, ...]:
        """The keys that are ticked now, in the list's order."""
        items = (self.data.item(at) for at in range(self.data.count()))
        return tuple(
            str(item.data(Qt.ItemDataRole.UserRole)) for item in items if item.checkState() is Qt.CheckState.Checked
        )
