"""Contents at the left, the page at the right; typing looks through all documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListWidget, QListWidgetItem, QSplitter, QVBoxLayout, QWidget

from stepscope.widgets.common import SearchField
from stepscope.widgets.common.buttons import icon_button
from stepscope.widgets.shell.guide.document_page import DocumentPage
from stepscope.widgets.shell.guide.sections import GuideSection

LIST_WIDTH = 280
DEEPEST = 2
"""Headings below this level stand in the list only where they are searched for."""
_SECTION = int(Qt.ItemDataRole.UserRole)


class GuideView(QWidget):
    """`outside(QUrl)`: a link that leads out of the documentation was pressed."""

    outside = Signal(QUrl)

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sections: tuple[GuideSection, ...] = ()
        self.search = SearchField("Search the guide", name="Search the guide")
        self.list = QListWidget()
        self.page = DocumentPage(folder)
        self._back, self._forward = icon_button("chevron_left", "Back"), icon_button("chevron_right", "Forward")
        self._lay_out()
        self._connect()

    def set_sections(self, sections: Sequence[GuideSection]) -> None:
        """All sections of all documents, in the order of the contents."""
        self._sections = tuple(sections)
        self._list()

    def open(self, file: str, heading: str = "") -> None:
        """Show a document at a heading's slug."""
        self.page.open(file, heading)

    def _lay_out(self) -> None:
        self.list.setAccessibleName("Contents of the guide")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        head = QHBoxLayout()
        head.setSpacing(4)
        for widget, stretch in ((self._back, 0), (self._forward, 0), (self.search, 1)):
            head.addWidget(widget, stretch)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(12, 12, 8, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        split = QSplitter()
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(self.page)
        split.setStretchFactor(1, 1)
        split.setSizes([LIST_WIDTH, 3 * LIST_WIDTH])
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(split)

    def _connect(self) -> None:
        self.search.settled.connect(lambda _words: self._list())
        self.search.returnPressed.connect(lambda: self.page.find_words(self.search.text()))
        self.search.left_downwards.connect(self.list.setFocus)
        self.list.currentItemChanged.connect(self._show)
        self._back.clicked.connect(self.page.backward)
        self._forward.clicked.connect(self.page.forward)
        self.page.backwardAvailable.connect(self._back.setEnabled)
        self.page.forwardAvailable.connect(self._forward.setEnabled)
        self.page.outside.connect(self.outside)
        self.page.shown.connect(lambda _file: self._list())
        for button in (self._back, self._forward):
            button.setEnabled(False)
        for keys, act in (
            ("Alt+Left", self.page.backward),
            ("Alt+Right", self.page.forward),
            ("Ctrl+F", self.search.setFocus),
            ("F3", lambda: self.page.find_words(self.search.text())),
            ("Shift+F3", lambda: self.page.find_words(self.search.text(), backwards=True)),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    def _list(self) -> None:
        """All documents, with the headings of the shown one; while something is searched for, the sections with it."""
        words = tuple(self.search.text().casefold().split())
        here = self.page.file
        self.list.blockSignals(True)
        self.list.clear()
        for section in self._sections:
            wanted = section.has(words) if words else section.level == 1 or (
                section.file == here and section.level <= DEEPEST
            )  # fmt: skip
            if wanted:
                item = QListWidgetItem("    " * (section.level - 1) + section.title)
                item.setData(_SECTION, section)
                self.list.addItem(item)
        self.list.blockSignals(False)

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        section: GuideSection = item.data(_SECTION)
        self.page.open(section.file, section.slug if section.level > 1 else "")
        if self.search.text():
            self.page.find_words(self.search.text())
