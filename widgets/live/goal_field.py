"""The goal in words, with goals that others have written as suggestions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QListView, QWidget

from stepscope.widgets.common.growing_text import ENTER, GrowingLine
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.live.live_state import GoalSuggestion

MOST_SHOWN = 8
FOR_THE_LIST = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class GoalField(GrowingLine):
    """Down in it shows all suggestions; while one writes, those that hold what is written."""

    changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Goal", "What is to be done, in words", parent=parent)
        self._model = QStandardItemModel(self)
        self._completer = QCompleter(self._model, self)
        self._completer.setWidget(self)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setMaxVisibleItems(MOST_SHOWN)
        self._list = QListView()
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName("Suggested goals")
        self._completer.setPopup(self._list)
        self._list.clicked.connect(lambda index: self._take(index.data()))
        self.edited.connect(self._suggest)
        self.edited.connect(self.changed)

    def set_suggestions(self, suggestions: Sequence[GoalSuggestion]) -> None:
        self._model.clear()
        for suggestion in suggestions:
            item = QStandardItem(suggestion.text)
            item.setToolTip(tip_words("\n".join(filter(None, (suggestion.text, suggestion.detail)))))
            item.setEditable(False)
            self._model.appendRow(item)
        tip = f"Down shows {self._model.rowCount()} suggestions" if suggestions else ""
        self.setToolTip(tip_words(tip))
        self.setAccessibleDescription(tip)

    def suggested(self) -> list[str]:
        """What the list offers now."""
        model = self._completer.completionModel()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    def list_shown(self) -> bool:
        return self._list.isVisible()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.list_shown() and event.key() in FOR_THE_LIST:
            self._answer_list(event)
        elif event.key() == Qt.Key.Key_Down and self.textCursor().atEnd() and self._model.rowCount():
            self._suggest("")
        else:
            super().keyPressEvent(event)

    def _answer_list(self, event: QKeyEvent) -> None:
        """Enter takes the chosen goal, every other key of the list's closes it; Tab goes on from there."""
        index = self._list.currentIndex()
        self._list.hide()
        if event.key() in ENTER and index.isValid():
            self._take(index.data())
        elif event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            super().keyPressEvent(event)

    def _suggest(self, text: str) -> None:
        """Offer what holds `text`; nothing where it is one of them already."""
        if not self._model.rowCount():
            return
        self._completer.setCompletionPrefix(text)
        offered = self.suggested()
        if not offered or offered == [text]:
            self._list.hide()
            return
        self._completer.complete()

    def _take(self, text: str) -> None:
        self.show_text(text)
        self._list.hide()
        self.changed.emit(self.text())
