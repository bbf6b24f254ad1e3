"""Choices that were saved under a name: pick one, save the present one, forget one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QLineEdit, QWidget

from stepscope.widgets.common import icon_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.evaluate.parts import choose_combo

AskName = Callable[[QWidget, str], str]


def ask_name(parent: QWidget, proposed: str) -> str:
    """The name that a person gives; "" when they think better of it."""
    name, kept = QInputDialog.getText(parent, "Save preset", "Name of the preset:", QLineEdit.EchoMode.Normal, proposed)
    return name.strip() if kept else ""


class PresetBar(QWidget):
    """`names` is the combo; its first row stands for no preset."""

    chosen = Signal(str)
    saved = Signal(str)
    deleted = Signal(str)

    def __init__(self, ask: AskName = ask_name, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ask = ask
        self.names = ElidedCombo(6)
        self.save_button = icon_button("save", "Save these choices as a preset")
        self.delete_button = icon_button("trash", "Delete this preset")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.names, 1)
        row.addWidget(self.save_button)
        row.addWidget(self.delete_button)
        self.names.activated.connect(lambda _place: self._pick())
        self.save_button.clicked.connect(self._save)
        self.delete_button.clicked.connect(lambda: self.deleted.emit(self.current()))
        self.set_names(())

    def current(self) -> str:
        return self.names.currentData() or ""

    def set_names(self, names: Sequence[str], current: str = "") -> None:
        rows = [("", "last choice" if names else "none saved", "", True), *((name, name, "", True) for name in names)]
        choose_combo(self.names, rows, current if current in names else "")
        if current not in names:
            self.names.setCurrentIndex(0)
        self.names.setEnabled(bool(names))
        self.delete_button.setEnabled(bool(self.current()))

    def _pick(self) -> None:
        self.delete_button.setEnabled(bool(self.current()))
        if self.current():
            self.chosen.emit(self.current())

    def _save(self) -> None:
        name = self._ask(self, self.current())
        if name:
            self.saved.emit(name)
