"""The line in which episodes are filtered, and the row below it that says what is wrong with the filter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QColor, QInputMethodEvent, QResizeEvent, QTextCharFormat
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLabel, QListView, QVBoxLayout, QWidget

from widgets import icons, theme
from widgets.common.buttons import LinkButton
from widgets.common.elided import ElidedLabel
from widgets.common.fonts import monospace
from widgets.common.search_field import SearchField
from widgets.episodes.values import FilterError
from widgets.format import count

NAME = re.compile(r"(?:^|[\s(|])-?([A-Za-z]\w*)$")
"""The name of a field that is being typed: a word at the end, behind a space, a bracket or a minus."""


class FilterLine(SearchField):
    """A fixed-width line that can underline one wrong token and turns its frame red then; it offers names of fields
    while one is typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Filter: app:spotify wrong:A", icon="filter", name="Filter episodes", hint="/", parent=parent)
        self.setProperty("mono", True)
        self.setFont(monospace(self.font()))
        self.setMinimumHeight(28)
        self._names = QStringListModel(self)
        self._completer = QCompleter(self._names, self)
        self._completer.setWidget(self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._popup = QListView()
        self._popup.setAccessibleName("Fields of the filter")
        self._completer.setPopup(self._popup)
        self._completer.activated.connect(self._complete)
        self.textEdited.connect(lambda _text: self._offer())

    def set_names(self, names: Sequence[str]) -> None:
        """What is offered: names of fields, with a colon where a value must follow."""
        self._names.setStringList(list(names))

    def offered(self) -> list[str]:
        """The names that are offered now."""
        if not self._popup.isVisible():
            return []
        model = self._completer.completionModel()
        return [model.data(model.index(row, 0)) for row in range(model.rowCount())]

    def _offer(self) -> None:
        typed = NAME.search(self.text()[: self.cursorPosition()])
        self._completer.setCompletionPrefix(typed.group(1) if typed else "")
        found = self._completer.completionCount() if typed else 0
        if not typed or not found or (found == 1 and self._completer.currentCompletion() == typed.group(1)):
            self._popup.hide()
        else:
            self._completer.complete()

    def _complete(self, name: str) -> None:
        at = self.cursorPosition()
        typed = NAME.search(self.text()[:at])
        if typed is not None:
            self.setSelection(typed.start(1), at - typed.start(1))
            self.insert(name)
            self.textEdited.emit(self.text())

    def underline(self, token: tuple[int, int] | None) -> None:
        """(start, length) of the wrong token; None when all is well."""
        self.setProperty("state", "" if token is None else "error")
        self.style().unpolish(self)
        self.style().polish(self)
        attributes = []
        if token is not None and token[1] > 0:
            shape = QTextCharFormat()
            shape.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            shape.setUnderlineColor(QColor(theme.current().miss))
            start = token[0] - self.cursorPosition()
            kind = QInputMethodEvent.AttributeType.TextFormat
            attributes.append(QInputMethodEvent.Attribute(kind, start, token[1], shape))
        self.inputMethodEvent(QInputMethodEvent("", attributes))
        self.update()


class FilterField(QWidget):
    """Line and message. `changed` fires with a text that has settled."""

    changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = FilterLine()
        self._error: FilterError | None = None
        self._sign = QLabel()
        self._sign.setPixmap(icons.icon("warning", lambda: theme.current().miss).pixmap(QSize(14, 14)))
        self._message = ElidedLabel("", "secondary")
        self._suggestion = LinkButton()
        self._kept = ElidedLabel("", "dim")
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self._sign, self._message, self._suggestion):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._kept)
        self._row.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        column.addWidget(self.line)
        column.addWidget(self._row)
        self.line.settled.connect(self.changed)
        self.line.textEdited.connect(lambda _text: self.set_error(None))
        self._suggestion.clicked.connect(self._take_suggestion)

    def set_error(self, error: FilterError | None) -> None:
        """Show what is wrong, or that nothing is."""
        self._error = error
        self._row.setVisible(error is not None)
        self.line.underline(None if error is None else (error.start, error.length))
        if error is None:
            return
        ending = " Did you mean" if error.suggestion and "mean" not in error.message else ""
        self._message.setText(error.message + ending)
        self._suggestion.setText(error.suggestion + "?" if error.suggestion else "")
        self._suggestion.setVisible(bool(error.suggestion))
        self._suggestion.setAccessibleName(f"Replace with {error.suggestion}")
        kept = "" if error.kept is None else f"showing the last result, {count(error.kept)}"
        self._kept.setText(kept)
        self._message.set_tip(kept)
        self._make_room()

    def message(self) -> str:
        """The words of the row, "" when nothing is wrong."""
        if self._error is None:
            return ""
        return " ".join(filter(None, (self._message.text(), self._suggestion.text())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """In a narrow dock the number of the last result gives way to the words (their tooltip has it)."""
        needed = sum(part.sizeHint().width() for part in (self._message, self._suggestion, self._kept)) + 60
        self._kept.setVisible(self.width() >= needed)

    def _take_suggestion(self) -> None:
        error = self._error
        if error is None:
            return
        text = self.line.text()
        repaired = text[: error.start] + error.suggestion + text[error.start + error.length :]
        self.set_error(None)
        self.line.show_text(repaired)
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit(repaired)
