"""The row above the transcript: what is searched and where, and which parts are shown."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import SearchField, SegmentedControl, icon_button
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.plain_words import plain_label, tip_words
from stepscope.widgets.transcript.transcript_values import PART_TITLES, PartKind

HERE, EVERYWHERE = "here", "everywhere"
PROBLEMS = "Problems"
CLEAR = 30
"""Pixels at the right end of the search field for the cross that empties it."""


class _FindField(SearchField):
    """Enter and F3 go to the next hit; with Shift to the one before. How many there are stands in the field, so that
    nothing beside it moves while one types."""

    moved = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Search the transcript", hint="Ctrl+F", name="Search the transcript", parent=parent)
        self.count = ""

    def set_count(self, words: str) -> None:
        self.count = words
        self.setAccessibleDescription(words)
        self.setTextMargins(0, 0, self._count_width() + 6 if words else 0, 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.count:
            painter = QPainter(self)
            painter.setPen(QColor(theme.current().secondary))
            wide = self._count_width()
            place = QRect(self.width() - CLEAR - wide, 0, wide, self.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self.count)
            painter.end()

    def _count_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.count)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.text():
            self._tell()
            self.moved.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)


class SearchRow(QWidget):
    """`moved` gives 1 or -1, to the next hit or the one before."""

    searched = Signal(str)
    moved = Signal(int)
    scope_chosen = Signal(str)
    parts_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "tools")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._flow = FlowLayout(8, self)
        self._flow.setContentsMargins(12, 6, 12, 6)
        self.field = _FindField(self)
        self.field.setFixedWidth(220)
        self.field.settled.connect(self.searched)
        self.field.moved.connect(self.moved)
        self.elsewhere = QLabel("", self)
        self.elsewhere.setProperty("role", "secondary")
        self.elsewhere.hide()
        self.previous, self.next = (
            icon_button("previous", "Previous hit", shortcut="Shift+F3"),
            icon_button("next", "Next hit", shortcut="F3"),
        )
        self.previous.clicked.connect(lambda: self.moved.emit(-1))
        self.next.clicked.connect(lambda: self.moved.emit(1))
        self.scope = SegmentedControl(((HERE, "This episode"), (EVERYWHERE, "All")), "Where to search", self)
        self.scope.chosen.connect(self.scope_chosen)
        self.chips = {kind: self._chip(title) for kind, title in PART_TITLES.items()}
        self.problems = self._chip(PROBLEMS)
        self.problems.setChecked(False)
        self.problems.setToolTip("Only steps that were asked again, made no sense, broke or were cut off")
        find = QWidget(self)
        row = QHBoxLayout(find)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for part in (self.field, self.previous, self.next):
            row.addWidget(part)
        for widget in (find, self.scope, *self.chips.values(), self.problems, self.elsewhere):
            self._flow.addWidget(widget)

    def shown(self) -> frozenset[PartKind]:
        """The kinds of parts that are shown."""
        return frozenset(kind for kind, chip in self.chips.items() if chip.isChecked())

    def set_count(self, here: str, elsewhere: str = "") -> None:
        """How many hits there are in this episode, and in all where all are searched."""
        self.field.set_count(here)
        self.elsewhere.setText(elsewhere)
        self.elsewhere.setVisible(bool(elsewhere))
        self.updateGeometry()

    def set_problems(self, count: int) -> None:
        self.problems.setText(plain_label(f"{PROBLEMS} {count:,}"))
        self.problems.setVisible(count > 0 or self.problems.isChecked())

    def set_all(self, count: int) -> None:
        """How many episodes are filtered."""
        self.scope.setToolTip(tip_words(f"This episode, or all {count:,} that are filtered"))

    def search_for(self) -> None:
        """Put the keyboard into the search."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.field.setFixedWidth(round(220 * max(1.0, self.fontMetrics().height() / 16)))

    def _chip(self, words: str) -> QPushButton:
        chip = QPushButton(plain_label(words), self)
        chip.setProperty("chip", True)
        chip.setCheckable(True)
        chip.setChecked(True)
        chip.setAutoDefault(False)
        chip.setMinimumHeight(self.field.sizeHint().height())
        chip.toggled.connect(lambda _on: self.parts_chosen.emit())
        return chip
