"""A page of tables under headings, with a search; rows can lead somewhere, and all is copied or saved as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel, EmptyState, SearchField, icon_button, text_button
from stepscope.widgets.common.plain_words import straight, tip_words

MARGIN = 16
_KeyRole = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class ReportRow:
    """The words of a row by column. `key` is what opening it tells ("": it leads nowhere), `state` one of "good",
    "warn", "bad", and `again` says that it can be done once more."""

    cells: tuple[str, ...]
    key: str = ""
    state: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A table under its heading; `empty` stands where it has no rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[ReportRow, ...]
    about: str = ""
    empty: str = "None."


class ReportPage(QWidget):
    """`opened(key)`: a row was double-clicked or entered. `again(key)`: it is to be done once more. `save_wanted`: all
    of it is to be written as a file (`as_csv`). `refresh_wanted`: look it up anew. `close_wanted`: the button, or Esc
    while nothing is searched."""

    opened = Signal(str)
    again = Signal(str)
    save_wanted = Signal()
    refresh_wanted = Signal()
    close_wanted = Signal()

    def __init__(
        self, title: str, *, open_words: str = "", refresh_words: str = "Refresh", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sections: tuple[ReportSection, ...] = ()
        self.tables: list[QTableWidget] = []
        self._parts: list[tuple[QLabel, QLabel, QTableWidget]] = []
        self.search = SearchField("Find in this page", name="Find in this page")
        self.told = _label("", "dim")
        self.open_button = text_button(open_words or "Open")
        self.open_button.setVisible(False)
        self.again_button = text_button("Run Again", icon="repeat")
        self.again_button.setVisible(False)
        self._opens = bool(open_words)
        copy, save = text_button("Copy", icon="copy"), text_button("Save as CSV…", icon="save")
        refresh = text_button(refresh_words, icon="refresh")
        self.close_button = icon_button("clear", "Close", shortcut="Esc")
        self.heading = ElidedLabel(title, "title")
        self._inside = QWidget()
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(MARGIN, 0, MARGIN, MARGIN)
        self._column.setSpacing(6)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(self._inside)
        self._none = EmptyState("search", "Nothing here is like that", "", [("clear", "Clear search")])
        self._none.pressed.connect(lambda _which: self.search.empty())
        self._none.hide()
        title_row = QHBoxLayout()
        title_row.setContentsMargins(MARGIN, 12, 12, 0)
        title_row.setSpacing(8)
        title_row.addWidget(self.heading, 1)
        title_row.addWidget(self.told)
        title_row.addWidget(self.close_button)
        head = QHBoxLayout()
        head.setContentsMargins(MARGIN, 8, MARGIN, 0)
        head.setSpacing(8)
        head.addWidget(self.search, 1)
        for button in (self.open_button, self.again_button, refresh, copy, save):
            button.setAutoDefault(False)
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(title_row)
        column.addLayout(head)
        column.addWidget(scroll, 1)
        column.addWidget(self._none, 1)
        self._scroll = scroll
        self.search.textChanged.connect(lambda _text: self._narrow())
        self.open_button.clicked.connect(lambda: self._tell(self.opened))
        self.again_button.clicked.connect(lambda: self._tell(self.again))
        refresh.clicked.connect(self.refresh_wanted)
        copy.clicked.connect(self.copy)
        save.clicked.connect(self.save_wanted)
        self.close_button.clicked.connect(self.close_wanted)

    def set_heading(self, words: str) -> None:
        self.heading.setText(words)

    def set_sections(self, sections: Sequence[ReportSection], told: str = "") -> None:
        """All tables, in place of those of before; `told` is a summary."""
        chosen = self.current_key()
        self._sections = tuple(sections)
        self.told.setText(told)
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.tables, self._parts = [], []
        for section in self._sections:
            self._add(section)
        self._column.addStretch(1)
        self._narrow()
        if chosen:
            self.choose(chosen)
        self._row_chosen()

    def current_key(self) -> str:
        """What opening the chosen row would tell, "" where none is chosen."""
        row = self._chosen()
        return row.key if row is not None else ""

    def choose(self, key: str) -> None:
        """Choose the row of this key, where there is one."""
        for table in self.tables:
            for place in range(table.rowCount()):
                if self._row(table, place).key == key:
                    table.selectRow(place)
                    return

    def shown(self) -> list[ReportRow]:
        """The rows that the search leaves."""
        return [
            self._row(table, place)
            for table in self.tables
            for place in range(table.rowCount())
            if not table.isRowHidden(place)
        ]

    def as_csv(self) -> str:
        """All tables, each under its heading."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        for section in self._sections:
            writer.writerow(["", section.title])
            writer.writerow(["", *section.columns])
            writer.writerows(["", *row.cells] for row in section.rows)
        return out.getvalue()

    def copy(self) -> None:
        """Put all of it on the clipboard, as a person pastes it into a message."""
        lines = []
        for section in self._sections:
            lines += [section.title, *("\t".join(row.cells) for row in section.rows), ""]
        QGuiApplication.clipboard().setText("\n".join([self.heading.text(), "", *lines]).rstrip() + "\n")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes the search back first, wherever the keyboard is."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.search.text():
            self.search.empty()
        else:
            self.close_wanted.emit()

    def _add(self, section: ReportSection) -> None:
        heading = _label(section.title, "heading")
        heading.setContentsMargins(0, 12, 0, 0)
        about = _label(section.about or ("" if section.rows else section.empty), "dim")
        about.setWordWrap(True)
        table = _SectionTable(section)
        table.itemSelectionChanged.connect(lambda: self._row_chosen(table))
        table.entered_row.connect(lambda: self._tell(self.opened))
        for part in (heading, about, table):
            self._column.addWidget(part)
        about.setVisible(bool(about.text()))
        table.setVisible(bool(section.rows))
        self.tables.append(table)
        self._parts.append((heading, about, table))

    def _narrow(self) -> None:
        words = self.search.text().casefold().split()
        left = 0
        for table, (heading, about, _table) in zip(self.tables, self._parts, strict=True):
            shown = 0
            for place in range(table.rowCount()):
                text = " ".join((heading.text(), *self._row(table, place).cells)).casefold()
                fits = all(word in text for word in words)
                table.setRowHidden(place, not fits)
                shown += fits
            heading.setVisible(bool(shown) or not words)
            about.setVisible((bool(shown) or not words) and bool(about.text()))
            table.setVisible(bool(shown))
            table.updateGeometry()
            left += shown
        self._none.setVisible(bool(words) and not left)
        self._scroll.setVisible(bool(left) or not words)

    def _row_chosen(self, changed: QTableWidget | None = None) -> None:
        """One row of all tables is chosen at most."""
        if changed is not None and changed.selectedItems():
            for table in self.tables:
                if table is not changed:
                    table.clearSelection()
        row = self._chosen()
        self.open_button.setVisible(self._opens and any(one.key for s in self._sections for one in s.rows))
        self.open_button.setEnabled(row is not None and bool(row.key))
        self.again_button.setVisible(any(one.again for s in self._sections for one in s.rows))
        self.again_button.setEnabled(row is not None and row.again)

    def _chosen(self) -> ReportRow | None:
        for table in self.tables:
            if table.selectedItems():
                return self._row(table, table.selectedItems()[0].row())
        return None

    def _tell(self, signal: SignalInstance) -> None:
        if key := self.current_key():
            signal.emit(key)

    def _row(self, table: QTableWidget, place: int) -> ReportRow:
        item = table.item(place, 0)
        assert item is not None
        row: ReportRow = item.data(_KeyRole)
        return row


class _SectionTable(QTableWidget):
    """As high as its rows. `entered_row`: Enter or a double click on a row."""

    entered_row = Signal()

    def __init__(self, section: ReportSection) -> None:
        super().__init__(len(section.rows), len(section.columns))
        self.setAccessibleName(section.title)
        self.setHorizontalHeaderLabels([straight(name) for name in section.columns])
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.verticalHeader().hide()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        for place, row in enumerate(section.rows):
            for column, words in enumerate(row.cells):
                item = QTableWidgetItem(straight(words))
                item.setToolTip(tip_words(words))
                if column == 0:
                    item.setData(_KeyRole, row)
                if row.state and column == len(row.cells) - 1:
                    colours = theme.current()
                    colour = {"good": colours.hit, "warn": colours.warn, "bad": colours.miss}[row.state]
                    item.setForeground(QColor(colour))
                self.setItem(place, column, item)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        self.resizeColumnsToContents()
        for column in range(len(section.columns)):
            self.setColumnWidth(column, min(self.columnWidth(column) + 16, 420))
        self.cellDoubleClicked.connect(lambda *_place: self.entered_row.emit())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        rows = sum(self.rowHeight(row) for row in range(self.rowCount()) if not self.isRowHidden(row))
        hint.setHeight(self.horizontalHeader().sizeHint().height() + rows + 6)
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Long words take as many lines as they need."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.resizeRowsToContents()
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_row.emit()
        else:
            super().keyPressEvent(event)


def _label(words: str, role: str) -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    return label
