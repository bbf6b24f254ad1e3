"""The filter: its line, a chip for each condition, and the row that says what is wrong with it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import LinkButton
from stepscope.widgets.common.elided import ElidedLabel
from stepscope.widgets.format import count
from stepscope.widgets.library.chips import ConditionRow
from stepscope.widgets.library.episode_list_rows import FilterProblem
from stepscope.widgets.library.filter_line import FilterLine
from stepscope.widgets.library.filter_words import Condition, conditions_of, ready_for_more, without


class FilterField(QWidget):
    """Line, chips and message edit one text. `changed` fires with a text that has settled."""

    changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = FilterLine()
        self.chips = ConditionRow()
        self._error: FilterProblem | None = None
        self._shown = ""
        """the text whose conditions the chips are"""
        self._row = self._message_row()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        for part in (self.line, self._row, self.chips):
            column.addWidget(part)
        self.line.settled.connect(self._settled)
        self.line.textEdited.connect(lambda _text: self.set_error(None))
        self._suggestion.clicked.connect(self._take_suggestion)
        self.chips.chosen.connect(self._select)
        self.chips.removed.connect(self._remove)
        self.chips.add_wanted.connect(self.begin_condition)

    def show_text(self, text: str) -> None:
        """Put a text that is in force; nothing is told."""
        self.set_error(None)
        self.line.show_text(text)
        self._show_conditions(text)

    def set_error(self, error: FilterProblem | None) -> None:
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

    def begin_condition(self) -> None:
        """Make room for another condition at the end of the line and offer the fields that there are."""
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)
        self.line.setText(ready_for_more(self.line.text()))
        self.line.offer(every=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _message_row(self) -> QWidget:
        self._sign = QLabel()
        self._sign.setPixmap(icons.icon("warning", lambda: theme.current().miss).pixmap(QSize(14, 14)))
        self._message = ElidedLabel("", "secondary")
        self._suggestion = LinkButton()
        self._kept = ElidedLabel("", "dim")
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self._sign, self._message, self._suggestion):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._kept)
        whole.hide()
        return whole

    def _make_room(self) -> None:
        """Hide the number of the last result in a narrow dock, where the words need its room (their tooltip has it)."""
        needed = sum(part.sizeHint().width() for part in (self._message, self._suggestion, self._kept)) + 60
        self._kept.setVisible(self.width() >= needed)

    def _take_suggestion(self) -> None:
        error = self._error
        if error is not None:
            text = self.line.text()
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)
            self._take(text[: error.start] + error.suggestion + text[error.start + error.length :])

    def _show_conditions(self, text: str) -> None:
        """A text that makes no sense keeps the chips of the one before, whose result is still shown."""
        found = conditions_of(text)
        if found or not text.strip():
            self._shown = text
            self.chips.set_conditions(found)

    def _settled(self, text: str) -> None:
        self._show_conditions(text)
        self.changed.emit(text)

    def _select(self, condition: Condition) -> None:
        self.show_text(self._shown)
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)
        self.line.setSelection(condition.start, condition.length)

    def _remove(self, condition: Condition) -> None:
        self._take(without(self._shown, condition))

    def _take(self, text: str) -> None:
        """Put a text that is to hold at once."""
        self.show_text(text)
        self.changed.emit(text)
