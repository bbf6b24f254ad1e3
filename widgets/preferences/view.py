"""Preferences: a list of pages at the left, the chosen page beside it."""

from __future__ import annotations

from typing import Protocol, cast

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import icons
from stepscope.widgets.common import SearchField, text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.common.plain_words import tip_words

LIST_WIDTH, NARROW_LIST_WIDTH, WIDE = 236, 196, 1100
LIST_FITS = 1000
"""Pixels of width from which on the pages are a list at the left, at the usual text size; below they are a menu."""
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
        self.menu = ElidedCombo(14, self)
        self.menu.setAccessibleName("Pages of preferences")
        self.menu.activated.connect(lambda place: self.list.setCurrentRow(self.menu.itemData(place)))
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
        self.search.left_downwards.connect(self.setFocus)
        self.setFocusProxy(self.list)

    def _lay_out(self) -> None:
        title = self._title = QLabel("Preferences")
        title.setProperty("role", "subtitle")
        side = self._side = QWidget()
        self.setProperty("ground", "panel")
        column = self._column = QVBoxLayout(side)
        column.setContentsMargins(12, 16, 8, 12)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(self.menu)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addWidget(self.undo, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._remark)
        row = self._row = QHBoxLayout(self)
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
        self._fill_menu()

    def _fill_menu(self) -> None:
        """The menu has what the list has."""
        self.menu.clear()
        for row in range(self.list.count()):
            item = self.list.item(row)
            if not item.isHidden():
                self.menu.addItem(item.icon(), item.text(), row)
        self.menu.setCurrentIndex(self.menu.findData(self.list.currentRow()))

    def tell(self, name: str, words: str) -> None:
        """Say what waits on a page ("2 changed"), "" for nothing; its first word stands beside the name."""
        item = self.list.item(self._names.index(name))
        item.setText(f"{name}   {words.removesuffix(' changed')}".rstrip())
        item.setToolTip(tip_words(words))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name} {words}".rstrip())
        self._fill_menu()

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
            self.menu.setCurrentIndex(self.menu.findData(row))
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
        self._fill_menu()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """Where there is little room the pages are a menu above them."""
        narrow = self.width() < LIST_FITS * pixel_size(self.font()) / BASE_PIXELS
        pages: QWidget = self.menu if narrow else self.list
        had_keyboard = self.list.hasFocus() or self.menu.hasFocus()
        for part in (self._title, self.list, self._remark):
            part.setHidden(narrow)
        self.menu.setVisible(narrow)
        self.setFocusProxy(pages)
        if had_keyboard:
            pages.setFocus()
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._row.setDirection(down if narrow else across)
        self._column.setDirection(across if narrow else down)
        if narrow:
            self._side.setMinimumWidth(0)
            self._side.setMaximumWidth(self.maximumWidth())
        else:
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
