"""A list of named sessions: Enter opens one, Delete asks to be rid of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets.common import EmptyState, text_button
from stepscope.widgets.common.plain_words import straight, tip_words


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session: its name, what data it has open, and when it was saved; `missing` data is not there any more."""

    name: str
    data: str
    when: str
    missing: bool = False


class SessionsView(QWidget):
    """`opened(name)`, `deleted(name)`: what a person wants of a session."""

    opened = Signal(str)
    deleted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = _SessionList()
        self.list.setAccessibleName("Saved sessions")
        self.open_button = text_button("Open", primary=True)
        self.delete_button = text_button("Delete…", icon="trash")
        for button in (self.open_button, self.delete_button):
            button.setAutoDefault(False)
        self._none = EmptyState("save", "No session was saved yet", "File ▸ Save Session As… keeps what is open.")
        buttons = QHBoxLayout()
        buttons.addWidget(self.delete_button)
        buttons.addStretch(1)
        buttons.addWidget(self.open_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(self.list, 1)
        column.addWidget(self._none, 1)
        column.addLayout(buttons)
        self.list.entered_row.connect(self._open)
        self.list.itemDoubleClicked.connect(lambda *_place: self._open())
        self.list.delete_wanted.connect(self._delete)
        self.list.itemSelectionChanged.connect(self._chosen)
        self.open_button.clicked.connect(self._open)
        self.delete_button.clicked.connect(self._delete)
        self.set_lines(())

    def set_lines(self, lines: Sequence[SessionLine]) -> None:
        """All named sessions; the chosen one stays."""
        chosen = self.current()
        self.list.clear()
        for line in lines:
            data = f"{line.data} (not there)" if line.missing else line.data
            item = QTreeWidgetItem(self.list, [straight(line.name), straight(data), line.when])
            item.setData(0, Qt.ItemDataRole.UserRole, line.name)
            item.setToolTip(1, tip_words(data))
            if line.name == chosen or not chosen:
                self.list.setCurrentItem(item)
                chosen = chosen or line.name
        self.list.setVisible(bool(lines))
        self._none.setVisible(not lines)
        self._chosen()

    def current(self) -> str:
        """The name of the chosen session, "" where there is none."""
        item = self.list.currentItem()
        return str(item.data(0, Qt.ItemDataRole.UserRole)) if item is not None else ""

    def _chosen(self) -> None:
        for button in (self.open_button, self.delete_button):
            button.setEnabled(bool(self.current()))

    def _open(self) -> None:
        if name := self.current():
            self.opened.emit(name)

    def _delete(self) -> None:
        if name := self.current():
            self.deleted.emit(name)


class _SessionList(QTreeWidget):
    """`entered_row`: Enter; `delete_wanted`: Delete."""

    entered_row = Signal()
    delete_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderLabels(["Session", "Data", "Saved"])
        self.setRootIsDecorated(False)
        self.setColumnWidth(0, 220)
        self.setColumnWidth(1, 300)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_row.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)
