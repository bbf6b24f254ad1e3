"""Preferences: a list of pages at the left, the chosen page beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets import icons

LIST_WIDTH = 200


class PreferencesView(QWidget):
    """`add_page` puts a page behind the others; `tell` says beside its name what waits there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = QListWidget()
        self.list.setAccessibleName("Pages of preferences")
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self._pages = QStackedWidget()
        self._names: list[str] = []
        title = QLabel("Preferences")
        title.setProperty("role", "heading")
        remark = QLabel("Changes count at once.")
        remark.setProperty("role", "dim")
        side = QVBoxLayout()
        side.setContentsMargins(12, 16, 8, 12)
        side.setSpacing(10)
        side.addWidget(title)
        side.addWidget(self.list, 1)
        side.addWidget(remark)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(side)
        row.addWidget(self._pages, 1)
        self.list.currentRowChanged.connect(self._pages.setCurrentIndex)

    def add_page(self, name: str, icon: str, page: QWidget) -> None:
        """A page under its name; the first one is shown."""
        self.list.addItem(QListWidgetItem(icons.icon(icon), name))
        self._names.append(name)
        self._pages.addWidget(page)
        if self.list.currentRow() < 0:
            self.list.setCurrentRow(0)

    def tell(self, name: str, words: str) -> None:
        """Say what waits on a page ("2 changed"), "" for nothing."""
        item = self.list.item(self._names.index(name))
        item.setText(f"{name}   {words}".rstrip())
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name} {words}".rstrip())
