"""Preferences: a list of pages at the left, the chosen page beside it."""

from __future__ import annotations

from typing import Protocol, cast

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets import icons
from stepscope.widgets.common import SearchField, text_button
from stepscope.widgets.common.plain_words import tip_words

LIST_WIDTH, NARROW_LIST_WIDTH, WIDE = 236, 196, 1100
PAGE_WIDTH = 1180
"""A page is no wider: words and their fields stay near each other."""

WAYS = {"Ctrl+Z": "undo", "Ctrl+Shift+Z": "redo", "Ctrl+Y": "redo", "Ctrl+F": "find"}


class PreferencePage(Protocol):
    """A page that can be searched."""

    def narrow(self, text: str) -> bool:
        """Show only what fits these words; whether there is any."""


class PreferencesView(QWidget):
    """`add_page` puts a page behind the others; `tell` says beside its name what waits there. `undone` and `redone`:
    the last change is to be taken back, or made again, by button or key."""

    undone = Signal()
    redone = Signal()
    shown = Signal(str)
    """another page is in front"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField("Find a setting", hint="Ctrl+F", name="Find a setting")
        self.list = QListWidget()
        self.list.setAccessibleName("Pages of preferences")
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setSpacing(1)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._pages = QStackedWidget()
        self._pages.setMaximumWidth(PAGE_WIDTH)
        self._names: list[str] = []
        self.undo = text_button("Undo", icon="back", tip="Take the last change back (Ctrl+Z)")
        self.undo.setProperty("ghost", True)
        self.undo.setEnabled(False)
        self.undo.clicked.connect(self.undone)
        self._remark = QLabel("Changes count at once.")
        self._remark.setProperty("role", "dim")
        self._remark.setWordWrap(True)
        self._lay_out()
        self.list.currentRowChanged.connect(self._show)
        self.search.textChanged.connect(self._narrow)
        self.search.left_downwards.connect(self.list.setFocus)

    def _lay_out(self) -> None:
        title = QLabel("Preferences")
        title.setProperty("role", "subtitle")
        side = self._side = QWidget()
        self.setProperty("ground", "panel")
        column = QVBoxLayout(side)
        column.setContentsMargins(12, 16, 8, 12)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addWidget(self.undo, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._remark)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(side)
        row.addWidget(self._pages, 1)
        row.addStretch(0)

    def add_page(self, name: str, icon: str, page: QWidget) -> None:
        """A page, which is a `PreferencePage`, under its name; the first one is shown."""
        self._names.append(name)
        self._pages.addWidget(page)
        self.list.addItem(QListWidgetItem(icons.icon(icon), name))
        if self.list.currentRow() < 0:
            self.list.setCurrentRow(0)

    def tell(self, name: str, words: str) -> None:
        """Say what waits on a page ("2 changed"), "" for nothing; its first word stands beside the name."""
        item = self.list.item(self._names.index(name))
        item.setText(f"{name}   {words.removesuffix(' changed')}".rstrip())
        item.setToolTip(tip_words(words))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name} {words}".rstrip())

    def set_undo(self, words: str) -> None:
        """Say what Undo would take back, "" where there is nothing."""
        self.undo.setEnabled(bool(words))
        self._remark.setText(words or "Changes count at once.")

    def show_page(self, name: str) -> None:
        """Raises ValueError for a page that there is not."""
        self.list.setCurrentRow(self._names.index(name))

    @property
    def page(self) -> str:
        """The name of the page in front."""
        return self._names[self.list.currentRow()]

    def shown_pages(self) -> list[str]:
        """The names of the pages that the search leaves."""
        return [name for row, name in enumerate(self._names) if not self.list.item(row).isHidden()]

    def _show(self, row: int) -> None:
        if row >= 0:
            self._pages.setCurrentIndex(row)
            self.shown.emit(self._names[row])

    def _narrow(self, text: str) -> None:
        left = []
        for row, name in enumerate(self._names):
            named = all(word in name.casefold() for word in text.casefold().split())
            page = cast(PreferencePage, self._pages.widget(row))
            fits = page.narrow("" if named else text) or named
            self.list.item(row).setHidden(not fits)
            if fits:
                left.append(row)
        if left and self.list.currentRow() not in left:
            self.list.setCurrentRow(left[0])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._side.setFixedWidth(LIST_WIDTH if self.width() >= WIDE else NARROW_LIST_WIDTH)

    def event(self, event: QEvent) -> bool:
        """Undo and redo are those of this page while it has the keyboard, unless a field has its own."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _way_of(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match _way_of(event):
            case "undo":
                self.undone.emit()
            case "redo":
                self.redone.emit()
            case "find":
                self.search.setFocus()
                self.search.selectAll()
            case _:
                super().keyPressEvent(event)


def _way_of(event: QKeyEvent) -> str:
    return WAYS.get(QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText), "")
