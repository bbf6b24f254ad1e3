"""The words in which a model is asked for a goal, beside exactly what is sent of an episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import plain_label, straight, window_title
from stepscope.widgets.evaluate.messages_preview import MessagesPreview, PreviewPart

WIDTH, HEIGHT = 1080, 720
DELAY_MS = 250
"""After the last key the preview is made anew."""
ABOUT = (
    "{seen} is the sentence about the pictures and {actions} the one about how actions are written, of the episode's "
    "platform; a line that has nothing to say is left out. Saved, it is a prompt of your own with its own version; "
    "runs keep the words that they were asked in."
)
LONG = {"system": "System, said first", "user": "Behind the trajectory"}
SENTENCES = {
    "seen.android": "Pictures, Android",
    "seen.web": "Pictures, web",
    "seen.none": "Without pictures",
    "actions.android": "Actions, Android",
    "actions.web": "Actions, web",
    "actions.none": "Without actions",
}


class GoalPromptDialog(QDialog):
    """`words` are those of a prompt by where they stand; the owner fills the preview whenever they change."""

    changed = Signal(object)
    """the words as they are now"""
    saved = Signal(str, object)
    """the prompt's name, and the words"""
    redacted = Signal(int, float, float)
    """the element that this picture, counted from 0, shows at these shares of its width and height is never to be
    sent"""
    restored = Signal()
    """the last of these is to be sent again"""

    def __init__(
        self, title: str, version: str, words: Mapping[str, str], own_name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(window_title(f"Prompt: {title}"))
        self.resize(WIDTH, HEIGHT)
        self._first = dict(words)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(lambda: self.changed.emit(self.words()))
        self.save = text_button("Save as Own Prompt", primary=True, icon="save")
        self.close_button = text_button("Close")
        self.name = QLineEdit(own_name)
        self.name.setAccessibleName("Name of the prompt")
        self._long = {place: QPlainTextEdit(words[place]) for place in LONG}
        self._short = {place: QLineEdit(words[place]) for place in SENTENCES}
        self.preview = MessagesPreview()
        self._size, self._trouble = QLabel(), QLabel()
        self._size.setWordWrap(True)
        self._size.setProperty("role", "secondary")
        self._trouble.setProperty("role", "miss")
        self._trouble.setWordWrap(True)
        self._trouble.hide()
        self._kept_back = QLabel()
        self._kept_back.setWordWrap(True)
        self.undo = text_button("Send Again", tip="Forget this rule")
        self._lay_out(version)
        self.set_redacted("")
        self.preview.pointed.connect(self.redacted)
        self.undo.clicked.connect(self.restored)
        self.save.clicked.connect(lambda: self.saved.emit(self.name.text().strip(), self.words()))
        self.close_button.clicked.connect(self.reject)
        self._tell()

    def words(self) -> dict[str, str]:
        """The words as they stand, by where they stand."""
        long = {place: edit.toPlainText().strip() for place, edit in self._long.items()}
        return long | {place: edit.text().strip() for place, edit in self._short.items()}

    def edit(self, place: str) -> QPlainTextEdit | QLineEdit:
        """Where the words of this place are written."""
        return self._long[place] if place in self._long else self._short[place]

    def set_preview(self, title: str, messages: Sequence[PreviewPart], size: str) -> None:
        """What is sent of the episode that `title` names, and how large it is."""
        self._title.setText(straight(title))
        self._size.setText(straight(size))
        self.preview.set_messages(messages)

    def set_redacted(self, words: str) -> None:
        """What is never sent since it was pointed at here; "" for nothing."""
        self._kept_back.setText(straight(f"Never sent any more: {words}.") if words else "")
        self._kept_back.setVisible(bool(words))
        self.undo.setVisible(bool(words))

    def set_trouble(self, words: str) -> None:
        """Why it cannot be sent or saved; "" for nothing."""
        self._trouble.setText(straight(words))
        self._trouble.setVisible(bool(words))

    def _lay_out(self, version: str) -> None:
        about = QLabel(ABOUT)
        about.setWordWrap(True)
        about.setTextFormat(Qt.TextFormat.PlainText)
        about.setProperty("role", "secondary")
        halves = QSplitter()
        halves.setChildrenCollapsible(False)
        halves.addWidget(self._words_half(version))
        halves.addWidget(self._preview_half())
        halves.setSizes([WIDTH // 2, WIDTH // 2])
        form = QFormLayout()
        form.addRow(plain_label("Name"), self.name)
        buttons = QHBoxLayout()
        buttons.addLayout(form, 1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(about)
        column.addWidget(halves, 1)
        column.addWidget(self._trouble)
        column.addLayout(buttons)

    def _words_half(self, version: str) -> QWidget:
        half = QWidget()
        column = QVBoxLayout(half)
        column.setContentsMargins(0, 0, 8, 0)
        for place, title in LONG.items():
            edit = self._long[place]
            label = QLabel(f"{title}, version {straight(version)}" if place == "system" else title)
            label.setProperty("role", "dim")
            label.setBuddy(edit)
            edit.setAccessibleName(title)
            edit.setProperty("mono", True)
            edit.setTabChangesFocus(True)
            edit.textChanged.connect(self._tell)
            column.addWidget(label)
            column.addWidget(edit, 4 if place == "system" else 1)
        rows = QFormLayout()
        for place, title in SENTENCES.items():
            line = self._short[place]
            line.setAccessibleName(title)
            line.setCursorPosition(0)
            line.textChanged.connect(self._tell)
            label = QLabel(title)
            label.setProperty("role", "dim")
            rows.addRow(label, line)
        column.addLayout(rows)
        return half

    def _preview_half(self) -> QWidget:
        half = QWidget()
        self._title = QLabel("What is sent")
        self._title.setWordWrap(True)
        self._title.setProperty("role", "dim")
        column = QVBoxLayout(half)
        column.setContentsMargins(8, 0, 0, 0)
        column.addWidget(self._title)
        column.addWidget(self.preview, 1)
        kept_back = QHBoxLayout()
        kept_back.addWidget(self._kept_back, 1)
        kept_back.addWidget(self.undo)
        column.addLayout(kept_back)
        column.addWidget(self._size)
        return half

    def _tell(self) -> None:
        """Only what is changed can be saved."""
        changed = self.words() != {place: one.strip() for place, one in self._first.items()}
        self.save.setEnabled(changed)
        self.save.setToolTip("" if changed else "Change something first")
        self.set_trouble("")
        self._timer.start()
