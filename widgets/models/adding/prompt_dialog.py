"""The words that an agent is asked in: to be read, and to be changed into an adapter of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import plain_label, straight, window_title

WIDTH, HEIGHT = 760, 640
ABOUT = (
    "In braces stands what is put in: {names}. A line of which something named is empty is left out. Saved, it is an "
    "adapter of your own with a version of its own; runs keep the words that they were asked in."
)
TABS = {"prompt": "Phone", "prompt_web": "Web page", "prompt_grounding": "Grounding"}


class PromptDialog(QDialog):
    """`words` are (system, user) by where the prompt stands; `names` what they may name in braces."""

    saved = Signal(str, object)
    """the adapter's name, and the words as they are now"""

    def __init__(
        self,
        title: str,
        words: Mapping[str, tuple[str, str]],
        versions: Mapping[str, str],
        names: Sequence[str],
        own_name: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(window_title(f"Prompt of {title}"))
        self.resize(WIDTH, HEIGHT)
        self.save = text_button("Save as Own Adapter", primary=True, icon="save")
        self.close_button = text_button("Close")
        self._edits: dict[str, tuple[QPlainTextEdit, QPlainTextEdit]] = {}
        self._first = {place: (system, user) for place, (system, user) in words.items()}
        self._trouble = QLabel()
        self._trouble.setProperty("role", "miss")
        self._trouble.setWordWrap(True)
        self._trouble.hide()
        self.tabs = QTabWidget()
        for place, (system, user) in words.items():
            self.tabs.addTab(self._tab(place, system, user, versions[place]), plain_label(TABS[place]))
        self.name = QLineEdit(own_name)
        self.name.setAccessibleName("Name of the adapter")
        about = QLabel(ABOUT.format(names=", ".join(f"{{{one}}}" for one in names)))
        about.setWordWrap(True)
        about.setProperty("role", "secondary")
        for button in (self.save, self.close_button):
            button.setAutoDefault(False)
        self.save.clicked.connect(lambda: self.saved.emit(self.name.text().strip(), self.words()))
        self.close_button.clicked.connect(self.reject)
        form = QFormLayout()
        form.addRow("Adapter", self.name)
        buttons = QHBoxLayout()
        buttons.addLayout(form, 1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(about)
        column.addWidget(self.tabs, 1)
        column.addWidget(self._trouble)
        column.addLayout(buttons)
        self._tell()

    def words(self) -> dict[str, tuple[str, str]]:
        """System and user of each prompt as they stand."""
        return {place: (system.toPlainText(), user.toPlainText()) for place, (system, user) in self._edits.items()}

    def edit(self, place: str) -> tuple[QPlainTextEdit, QPlainTextEdit]:
        """Where the system's and the user's words of a prompt are written."""
        return self._edits[place]

    def set_trouble(self, words: str) -> None:
        """Why it cannot be saved; "" for nothing."""
        self._trouble.setText(straight(words))
        self._trouble.setVisible(bool(words))

    def _tab(self, place: str, system: str, user: str, version: str) -> QWidget:
        edits = QPlainTextEdit(system), QPlainTextEdit(user)
        for edit, name in zip(edits, ("System", "User"), strict=True):
            edit.setAccessibleName(f"{name} words, {TABS[place]}")
            edit.setProperty("mono", True)
            edit.setTabChangesFocus(True)
            edit.textChanged.connect(self._tell)
        self._edits[place] = edits
        whole = QWidget()
        column = QVBoxLayout(whole)
        for edit, name in zip(edits, ("System", "User"), strict=True):
            label = QLabel(f"{name}, version {straight(version)}" if name == "System" else name)
            label.setProperty("role", "dim")
            column.addWidget(label)
            column.addWidget(edit, 1)
        return whole

    def _tell(self) -> None:
        """Only what is changed can be saved."""
        changed = self.words() != self._first
        self.save.setEnabled(changed)
        self.save.setToolTip("" if changed else "Change something first")
        self.set_trouble("")
