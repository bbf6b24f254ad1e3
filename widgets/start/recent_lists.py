"""What was opened and what was run last: a row each, all of it within reach of the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import Badge, ElidedLabel, RunBadge, RunNameLabel, icon_button, text_button
from stepscope.widgets.common.buttons import LinkButton
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.start.card_button import CardButton, Sign, through, two_lines
from stepscope.widgets.start.start_values import RecentDataRow, RecentRunRow

FACT_WIDTH = 104


class RecentDataEntry(CardButton):
    """Data that was opened: Enter opens it, Delete takes it off the list."""

    def __init__(self, row: RecentDataRow, parent: RecentDataList) -> None:
        super().__init__(row.title, line=True, parent=parent)
        self.row_value = row
        gone = "" if row.there else ", not found on this machine"
        facts = ", ".join(filter(None, (row.steps, _runs_words(row), _skipped_words(row), row.when)))
        self.setAccessibleName(f"{row.title}, {row.detail}{gone}")
        self.setAccessibleDescription(facts)
        self.setToolTip(tip_words(row.path))
        kind = "device" if row.is_recording else "folder"
        self.row.addWidget(Sign(kind if row.there else "warning", "secondary" if row.there else "warn", 16, self))
        said = row.detail if row.there else "not found on this machine"
        lines, detail = two_lines(row.title, said, self, dim=not row.there)
        detail.set_tip(row.path)
        self.row.addLayout(lines, 1)
        self._add_facts(row, parent)
        pin = icon_button("pin", f"Unpin {row.title}" if row.pinned else f"Pin {row.title}", checkable=True)
        pin.setParent(self)
        pin.setChecked(row.pinned)
        pin.clicked.connect(lambda: parent.pin_wanted.emit(row.path, not row.pinned))
        self.row.addWidget(pin)
        self.clicked.connect(lambda: (parent.opened if row.there else parent.locate_wanted).emit(row.path))
        self._removed = parent.removed

    def _add_facts(self, row: RecentDataRow, parent: RecentDataList) -> None:
        """Facts in columns: those of all rows stand below each other."""
        self.row.addWidget(_right(row.steps if row.there else "–", 88, self))
        middle = QWidget(self)
        middle.setMinimumWidth(FACT_WIDTH)
        place = QHBoxLayout(middle)
        place.setContentsMargins(0, 0, 0, 0)
        if not row.there:
            locate = text_button("Locate again")
            locate.setProperty("small", True)
            locate.setAccessibleName(f"Locate {row.title} again")
            locate.clicked.connect(lambda: parent.locate_wanted.emit(row.path))
            place.addWidget(locate)
        elif row.skipped:
            place.addWidget(through(Badge(f"⚠ {_skipped_words(row)}", "warn", middle)))
        elif row.runs:
            place.addWidget(through(Badge(_runs_words(row), "neutral", middle)))
        place.addStretch(1)
        if row.there:
            through(middle)
        self.row.addWidget(middle)
        self.row.addWidget(_right(row.when, 92, self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._removed.emit(self.row_value.path)
        else:
            super().keyPressEvent(event)


class RecentRunEntry(CardButton):
    """A run: Enter shows its results."""

    def __init__(self, row: RecentRunRow, parent: RecentRunsList) -> None:
        super().__init__(row.title, line=True, parent=parent)
        told = ", ".join(
            filter(None, (row.title, row.detail, "new" if row.is_new else "", row.doubt, row.value, row.when))
        )
        self.setAccessibleName(told)
        badge = RunBadge(row.letter, 18, self) if row.letter is not None else Sign("results", "dim", 16, self)
        self.row.addWidget(through(badge))
        self.row.addLayout(two_lines(row.title, row.detail, self, label=RunNameLabel)[0], 1)
        if row.doubt:
            self.row.addWidget(Sign("axes", "warn", 14, self))
            self.setToolTip(tip_words(row.doubt))
        if row.is_new:
            self.row.addWidget(through(Badge("new", "neutral", self)))
        if row.resumable:
            resume = text_button("Resume")
            resume.setProperty("small", True)
            resume.setParent(self)
            resume.setAccessibleName(f"Resume {row.title}")
            resume.clicked.connect(lambda: parent.resume_wanted.emit(row.id))
            self.row.addWidget(resume)
        column = QVBoxLayout()
        column.setSpacing(1)
        for words, role in ((row.value, ""), (row.when, "dim")):
            label = ElidedLabel(words, role, self)
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            column.addWidget(through(label))
        self.row.addLayout(column)
        self.clicked.connect(lambda: parent.opened.emit(row.id))


class _RecentList(QWidget):
    """A title with a count over a card of rows; the row that had the keyboard keeps it when the rows are new."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.head = QHBoxLayout()
        self.head.setSpacing(8)
        name = QLabel(title, self)
        name.setProperty("role", "title")
        self._count = QLabel("", self)
        self._count.setProperty("role", "dim")
        self.head.addWidget(name)
        self.head.addWidget(self._count)
        self.head.addStretch(1)
        column.addLayout(self.head)
        self._card = QFrame(self)
        self._card.setProperty("panel", True)
        self._rows = QVBoxLayout(self._card)
        self._rows.setContentsMargins(1, 1, 1, 1)
        self._rows.setSpacing(0)
        column.addWidget(self._card)
        column.addStretch(1)
        self._shown: list[QWidget] = []

    def rows(self) -> list[QWidget]:
        return list(self._shown)

    def _replace(self, makers: Sequence[Callable[[], QWidget]]) -> None:
        focus = QApplication.focusWidget()
        held = next((place for place, row in enumerate(self._shown) if focus and row.isAncestorOf(focus)), None)
        held = held if held is not None else next((n for n, row in enumerate(self._shown) if row is focus), None)
        for row in self._shown:
            row.hide()
            self._rows.removeWidget(row)
            row.deleteLater()
        self._shown = [make() for make in makers]
        for row in self._shown:
            self._rows.addWidget(row)
        self._count.setText(formats.count(len(self._shown)))
        if held is not None and self._shown:
            self._shown[min(held, len(self._shown) - 1)].setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        focus = QApplication.focusWidget()
        if way is None or focus not in self._shown:
            super().keyPressEvent(event)
            return
        self._shown[min(max(self._shown.index(focus) + way, 0), len(self._shown) - 1)].setFocus()


class RecentDataList(_RecentList):
    """`opened`, `locate_wanted`, `removed`, `pin_wanted(path, pinned)`."""

    opened = Signal(str)
    locate_wanted = Signal(str)
    removed = Signal(str)
    pin_wanted = Signal(str, bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Recent data", parent)
        hint = ElidedLabel("Pin keeps an entry; Delete takes it off the list, not off the disk", "secondary", self)
        self.head.addWidget(hint)

    def set_rows(self, rows: Sequence[RecentDataRow]) -> None:
        self._replace([lambda row=row: RecentDataEntry(row, self) for row in rows])  # type: ignore[misc]


class RecentRunsList(_RecentList):
    """`opened`, `resume_wanted` (id of the run), `all_wanted()`."""

    opened = Signal(str)
    resume_wanted = Signal(str)
    all_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Recent runs", parent)
        every = LinkButton("All runs", parent=self)
        every.clicked.connect(self.all_wanted)
        self.head.addWidget(every)

    def set_rows(self, rows: Sequence[RecentRunRow]) -> None:
        self._replace([lambda row=row: RecentRunEntry(row, self) for row in rows])  # type: ignore[misc]


def _right(words: str, width: int, parent: QWidget) -> QWidget:
    label = QLabel(words, parent)
    label.setProperty("role", "secondary")
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    label.setMinimumWidth(max(width, QFontMetrics(label.font()).horizontalAdvance(words)))
    return through(label)


def _runs_words(row: RecentDataRow) -> str:
    return formats.counted(row.runs, "run") if row.runs else ""


def _skipped_words(row: RecentDataRow) -> str:
    return f"{formats.count(row.skipped)} skipped" if row.skipped else ""
