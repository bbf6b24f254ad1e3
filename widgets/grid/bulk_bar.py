"""What is done with all chosen tiles at once: a bar at the foot of the grid."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QCompleter, QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from stepscope.widgets import icons
from stepscope.widgets.common import icon_button, text_button
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.common.plain_words import plain_label

ICON_WIDTH = 34
"""Pixels of a button that is its icon alone."""
WORDS_FIT = 800
"""Pixels of width from which on the buttons have words, at the usual text size."""
TO_STAR, TO_CHECK, TO_FLAW, TO_NOTE = "star", "checked", "defect", "note"
TO_CAUSE, TO_OPEN, TO_LEAVE = "cause", "open", "leave"


class BulkBar(QFrame):
    """`tagged(tag)` or `noted(text)`: Enter in the field, which is for tags unless a note was asked for;
    `wanted(what)`: a button."""

    tagged = Signal(str)
    noted = Signal(str)
    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bulk")
        self.setProperty("card", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(8)
        self.count = QLabel("", self)
        self.count.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.count.setProperty("role", "title")
        self.line = QLineEdit(self)
        self.line.setPlaceholderText("Tag (Q)")
        self.line.setAccessibleName("Tag the chosen steps")
        self._sign = self.line.addAction(icons.icon("tag"), QLineEdit.ActionPosition.LeadingPosition)
        self._is_note = False
        self.line.setMinimumWidth(72)
        self._known = QStringListModel(self)
        completer = self._completer = QCompleter(self._known, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.line.setCompleter(completer)
        self.line.returnPressed.connect(self._take)
        self.line.editingFinished.connect(lambda: None if self.line.hasFocus() else self._ask_for_tags())
        row.addWidget(self.count)
        row.addWidget(self.line, 1)
        self._buttons: list[tuple[QPushButton, str]] = []
        for what, words, key, name in (
            (TO_CHECK, "Checked", "C", "check"), (TO_STAR, "Star", "S", "star"), (TO_FLAW, "Defect…", "X", "flag"),
            (TO_NOTE, "Note…", "W", "note"),
            (TO_CAUSE, "Cause…", "Shift+Q", "select"), (TO_OPEN, "Open", "Enter", "replay"),
        ):  # fmt: skip
            button = text_button(words, icon=name, tip=f"{words.rstrip('…')} ({key})")
            button.clicked.connect(lambda _checked=False, wanted=what: self.wanted.emit(wanted))
            button.setAccessibleName(words)
            self._buttons.append((button, words))
            row.addWidget(button)
        self.cross = icon_button("clear", "Choose none (Esc)")
        self.cross.clicked.connect(lambda: self.wanted.emit(TO_LEAVE))
        row.addWidget(self.cross)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """In a narrow grid the buttons are their icons, and the last of them give way; their keys go on working."""
        narrow = self.width() < WORDS_FIT * pixel_size(self.font()) / BASE_PIXELS
        for button, words in self._buttons:
            button.setText("" if narrow else plain_label(words))
            button.setMaximumWidth(ICON_WIDTH if narrow else self.maximumWidth())
        fixed = self.count.sizeHint().width() + self.line.minimumWidth() + self.cross.width() + 48
        fitting = max((self.width() - fixed) // (ICON_WIDTH + 8), 1) if narrow else len(self._buttons)
        for place, (button, _words) in enumerate(self._buttons):
            button.setVisible(place < fitting)

    @property
    def cause_button(self) -> QPushButton:
        return next(button for button, words in self._buttons if words == "Cause…")

    def set_count(self, count: int, hidden: int) -> None:
        words = f"{count:,} selected"
        self.count.setText(f"{words}, {hidden:,} hidden" if hidden else words)
        self.setVisible(count > 0)
        self._fit()

    def set_known_tags(self, tags: Sequence[str]) -> None:
        """Tags that are in use, the last one that was given first."""
        self._known.setStringList(list(tags))
        if not self._is_note:
            self._ask_for_tags()

    def _ask_for_tags(self) -> None:
        """The field is for tags again."""
        tags = self._known.stringList()
        self._is_note = False
        self._sign.setIcon(icons.icon("tag"))
        self.line.setCompleter(self._completer)
        self.line.setAccessibleName("Tag the chosen steps")
        self.line.setPlaceholderText(f"Tag, such as {tags[0]} (Q)" if tags else "Tag (Q)")

    def ask_for_note(self) -> None:
        """Put the keyboard into the field, which is for a note on all chosen steps then."""
        self._is_note = True
        self.line.clear()
        self._sign.setIcon(icons.icon("note"))
        self.line.setCompleter(None)  # type: ignore[arg-type]
        self.line.setAccessibleName("Note on the chosen steps")
        self.line.setPlaceholderText("Note on all of these")
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def ask_for_tag(self) -> None:
        """Put the keyboard into the field, with the last tag offered."""
        self._ask_for_tags()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        tags = self._known.stringList()
        if tags and not self.line.text():
            self.line.setText(tags[0])
        self.line.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.wanted.emit(TO_LEAVE)
        else:
            super().keyPressEvent(event)

    def _take(self) -> None:
        text, told = self.line.text().strip(), self.noted if self._is_note else self.tagged
        if text:
            self.line.clear()
            told.emit(text)
            self._ask_for_tags()
