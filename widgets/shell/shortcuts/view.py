"""All shortcuts on a page, by group, with a search."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets.common import EmptyState, SearchField, text_button


@dataclass(frozen=True, slots=True)
class ShortcutRow:
    """The work of a key; several `keys` do the same. `note` tells where it holds ("Live")."""

    group: str
    title: str
    keys: tuple[str, ...]
    note: str = ""


class ShortcutPage(QWidget):
    """Made from rows; typing narrows it to what fits title, key or group. `change_wanted`: other keys are to be
    given."""

    change_wanted = Signal()

    def __init__(self, rows: Sequence[ShortcutRow] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField("Find a shortcut or what it does", name="Find a shortcut")
        self._lines: list[tuple[ShortcutRow, list[QWidget]]] = []
        self._headings: dict[str, QLabel] = {}
        self._none = EmptyState("search", "No shortcut is like that", "", [("clear", "Clear search")])
        self._none.pressed.connect(lambda _which: self.search.empty())
        self._none.hide()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 0, 0)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 16, 0)
        head.addWidget(self.search)
        self.change = text_button("Change Keys…", icon="key", tip="Give commands other keys, export all as a page")
        self.change.setAutoDefault(False)
        self.change.clicked.connect(self.change_wanted)
        head.addWidget(self.change)
        column.addLayout(head)
        column.addWidget(self._scroll, 1)
        column.addWidget(self._none, 1)
        self.search.textChanged.connect(self._narrow)
        self.set_rows(rows)

    def set_rows(self, rows: Sequence[ShortcutRow]) -> None:
        """All shortcuts, in the order of their groups' first rows."""
        self._lines, self._headings = [], {}
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 16, 16)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        groups: dict[str, list[ShortcutRow]] = {}
        for row in rows:
            groups.setdefault(row.group, []).append(row)
        for group, members in groups.items():
            heading = self._headings[group] = _label(group, "heading")
            heading.setContentsMargins(0, 10, 0, 0)
            grid.addWidget(heading, grid.rowCount(), 0, 1, 3)
            for row in members:
                self._add_line(grid, row)
        grid.setRowStretch(grid.rowCount(), 1)
        self._scroll.setWidget(inside)
        self._narrow(self.search.text())

    def shown(self) -> list[ShortcutRow]:
        """Rows that the search leaves."""
        return [row for row, parts in self._lines if not parts[0].isHidden()]

    def _add_line(self, grid: QGridLayout, row: ShortcutRow) -> None:
        place = grid.rowCount()
        title, note, keys = _label(row.title, ""), _label(row.note, "dim"), _keys(row.keys)
        for words in (title, note):
            words.setWordWrap(True)  # else the longest would push the keys out of sight
        title.setAccessibleName(f"{row.title}: {' or '.join(row.keys)}")
        for column, part in enumerate((title, note, keys)):
            grid.addWidget(part, place, column)
        self._lines.append((row, [title, note, keys]))

    def _narrow(self, text: str) -> None:
        words = text.casefold().split()
        left: set[str] = set()
        for row, parts in self._lines:
            all_words = " ".join((row.title, row.group, row.note, *row.keys)).casefold()
            fits = all(word in all_words for word in words)
            for part in parts:
                part.setVisible(fits)
            if fits:
                left.add(row.group)
        for group, heading in self._headings.items():
            heading.setVisible(group in left)
        self._none.setVisible(bool(self._lines) and not left)
        self._scroll.setVisible(not self._lines or bool(left))


def _label(words: str, role: str) -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        label.setProperty("role", role)
    return label


def _keys(keys: Sequence[str]) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    row.addStretch(1)
    for key in keys:
        label = _label(key, "")
        label.setProperty("kbd", True)
        row.addWidget(label)
    return holder
