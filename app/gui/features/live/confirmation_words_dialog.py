"""What an agent on a device is always to ask about, as a person edits it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from stepscope.core.device.confirmation_policy import DEFAULT_WORDS
from stepscope.widgets.common.plain_words import straight

WORDS = "Words and phrases, one a line. An agent asks before it touches or types what has one. None: the usual ones."
APPS = "Apps by package or name, one a line. An agent asks before everything that it does in them."


class ConfirmationWordsDialog(QDialog):
    """Two lists, one entry a line. `Usual words` puts the first words back."""

    def __init__(self, parent: QWidget, words: Iterable[str], apps: Iterable[str]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Words that always ask")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._words, self._apps = QPlainTextEdit(), QPlainTextEdit()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton("Keep", QDialogButtonBox.ButtonRole.AcceptRole)
        usual = buttons.addButton("Usual words", QDialogButtonBox.ButtonRole.ResetRole)
        usual.clicked.connect(lambda: self._show(self._words, DEFAULT_WORDS))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for words_of, field, entries in ((WORDS, self._words, words), (APPS, self._apps, apps)):
            label = QLabel(straight(words_of))
            label.setWordWrap(True)
            label.setBuddy(field)
            field.setAccessibleName(words_of)
            field.setTabChangesFocus(True)
            column.addWidget(label)
            column.addWidget(field)
            self._show(field, entries)
        column.addWidget(buttons)
        self.resize(420, 480)

    def words(self) -> tuple[str, ...]:
        """The words as they stand now."""
        return _entries(self._words)

    def apps(self) -> tuple[str, ...]:
        return _entries(self._apps)

    def _show(self, field: QPlainTextEdit, entries: Iterable[str]) -> None:
        field.setPlainText("\n".join(entry.strip() for entry in entries))


def _entries(field: QPlainTextEdit) -> tuple[str, ...]:
    lines = (line.strip() for line in field.toPlainText().splitlines())
    return tuple(dict.fromkeys(line for line in lines if line))
