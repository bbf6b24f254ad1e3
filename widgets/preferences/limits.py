"""The limits on what data, servers and pages may take: one line each, written as a person reads it, with its reason.

What is written counts when the field is left or Enter is pressed. Figures come and go as values; what they mean and how
they are written is the caller's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets.common import EmptyState, SearchField, icon_button, text_button
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.preferences.grouped_lines import narrow_lines

FIELD_WIDTH = 120
MARGIN = 16


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit: the group it stands under, what it bounds and why so much; figures are words."""

    name: str
    group: str
    words: str
    reason: str
    value: str
    usual: str
    is_usual: bool


class LimitsPage(QWidget):
    """`written(name, text)`: a person wrote this; answer with `show_rows`, or `refuse(name, why)`. `reset(names)`:
    these are to be as usual again."""

    written = Signal(str, str)
    reset = Signal(tuple)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: dict[str, _LimitLine] = {}
        self._headings: dict[str, QLabel] = {}
        self._outer = ""
        title = QLabel("Limits")
        title.setProperty("role", "subtitle")
        self.told = QLabel()
        self.told.setProperty("role", "dim")
        self.search = SearchField("Find a limit", name="Find a limit")
        self.reset_all = text_button("Reset")
        self._none = EmptyState("search", "No limit is like that", "", [("clear", "Clear search")])
        self._none.pressed.connect(lambda _which: self.search.empty())
        self._none.hide()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lay_out(title)
        self.search.textChanged.connect(lambda _text: self._narrow())
        self.reset_all.clicked.connect(self._reset_all)

    def show_rows(self, rows: Sequence[LimitRow]) -> None:
        """All limits as they are now; lines stay where they are."""
        if list(self._lines) != [row.name for row in rows]:
            self._make_lines(rows)
        for row in rows:
            self._lines[row.name].show_row(row)
        changed = len(self._changed())
        self.told.setText(f"{len(rows)}" + (f", {changed} changed" if changed else ""))
        self.reset_all.setText(f"Reset {changed}" if changed else "Reset")
        self.reset_all.setEnabled(bool(changed))

    def refuse(self, name: str, why: str) -> None:
        """Say under the field why what was written does not count."""
        self._lines[name].refuse(why)

    def field(self, name: str) -> QLineEdit:
        """Where the limit is written."""
        return self._lines[name].field

    def shown(self) -> list[str]:
        """The names of the limits that the search leaves."""
        return [name for name, line in self._lines.items() if line.is_shown]

    def _changed(self) -> tuple[str, ...]:
        return tuple(name for name, line in self._lines.items() if not line.row.is_usual)

    def _make_lines(self, rows: Sequence[LimitRow]) -> None:
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, MARGIN, MARGIN)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        self._lines, self._headings = {}, {}
        for row in rows:
            if row.group not in self._headings:
                heading = self._headings[row.group] = QLabel(row.group)
                heading.setProperty("role", "heading")
                heading.setContentsMargins(0, 14, 0, 4)
                grid.addWidget(heading, grid.rowCount(), 0, 1, 3)
            line = self._lines[row.name] = _LimitLine(grid, row)
            line.field.editingFinished.connect(partial(self._tell, line))
            line.back.clicked.connect(partial(self._reset_one, line))
        grid.setRowStretch(grid.rowCount(), 1)
        self._scroll.setWidget(inside)
        self._narrow()

    def _tell(self, line: _LimitLine) -> None:
        if line.field.text() != line.row.value:
            self.written.emit(line.row.name, line.field.text())

    def _reset_all(self) -> None:
        self._scroll.setFocus()  # the button will rest
        self.reset.emit(self._changed())

    def _reset_one(self, line: _LimitLine) -> None:
        line.field.setFocus()
        self.reset.emit((line.row.name,))

    def narrow(self, text: str) -> bool:
        """Show only what fits these words besides those of the page's own search; whether there is any."""
        self._outer = text
        return self._narrow()

    def _narrow(self) -> bool:
        return narrow_lines(
            self._lines.values(), self._headings, f"{self._outer} {self.search.text()}", self._scroll, self._none
        )

    def _lay_out(self, title: QLabel) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, MARGIN, 0)
        head.setSpacing(8)
        head.addWidget(title)
        head.addWidget(self.told)
        head.addStretch(1)
        head.addWidget(self.reset_all)
        about = QLabel(
            "What data of strangers, servers and pages may take of this machine. What goes beyond is refused with a "
            "message. Raise a limit only for what you trust."
        )
        about.setWordWrap(True)
        about.setProperty("role", "dim")
        about.setContentsMargins(0, 0, MARGIN, 0)
        find = QHBoxLayout()
        find.setContentsMargins(0, 0, MARGIN, 0)
        find.addWidget(self.search)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 12, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(about)
        column.addLayout(find)
        column.addWidget(self._scroll, 1)
        column.addWidget(self._none, 1)


class _LimitLine:
    """A limit: its name and reason at the left, its figure at the right, and a reset button where it was changed."""

    def __init__(self, grid: QGridLayout, row: LimitRow) -> None:
        self.row = row
        self.all_words = f"{row.name} {row.group} {row.words} {row.reason}".casefold()
        self.field = QLineEdit()
        self.field.setFixedWidth(FIELD_WIDTH)
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setAccessibleName(row.words)
        self.field.setAccessibleDescription(row.reason)
        self.field.setToolTip(tip_words(f"On the command line: --limit-{row.name}"))
        self.back = icon_button("back", f"As usual: {row.usual}")
        self._name = QLabel(row.words)
        self._reason = QLabel()
        self._reason.setWordWrap(True)
        self._reason.setProperty("role", "dim")
        self._reason.setContentsMargins(0, 0, 0, 8)
        place = grid.rowCount()
        grid.addWidget(self._name, place, 0)
        grid.addWidget(self.field, place, 1)
        grid.addWidget(self.back, place, 2)
        grid.addWidget(self._reason, place + 1, 0)
        self.field.textEdited.connect(lambda _text: self._say_reason())

    @property
    def group(self) -> str:
        return self.row.group

    @property
    def is_shown(self) -> bool:
        return not self._name.isHidden()

    def show_row(self, row: LimitRow) -> None:
        self.row = row
        self.field.setText(row.value)
        self.back.setEnabled(not row.is_usual)
        self._say_reason()

    def set_shown(self, shown: bool) -> None:
        for part in (self._name, self._reason, self.field, self.back):
            part.setVisible(shown)

    def refuse(self, why: str) -> None:
        self._mark("error")
        self._reason.setText(why)

    def _say_reason(self) -> None:
        self._mark(None)
        usual = "" if self.row.is_usual else f" Usually {self.row.usual}."
        self._reason.setText(f"{self.row.reason}{usual}")

    def _mark(self, state: str | None) -> None:
        if self.field.property("state") != state:
            self.field.setProperty("state", state)
            restyle(self.field)
