"""Whether a run's places would be right in another coordinate space, and the way to read its answers again in it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.coordinates_item_model import TITLE, SpacesItemModel, TurnedStepsItemModel
from stepscope.widgets.results.coordinates_values import CoordinatesState
from stepscope.widgets.results.parts import fit_columns, framed
from stepscope.widgets.results.turned_screen import TurnedScreen

NOTHING = "The stored answers are read again in every coordinate space, and scored; nothing is asked."
WAYS = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
KEEP, WARN_AGAIN = "Keep as it is", "Warn again"


class CoordinatesPage(QWidget):
    read_again_requested = Signal(str)
    """the space in which the answers are to be read again"""
    keep_requested = Signal()
    """lists are to stop, or to begin again, to say that the run may be misread"""
    item_opened = Signal(str, int)
    """episode, step"""
    stop_requested = Signal()
    turn_shown = Signal(int)
    """the row of a step that would turn, -1 for none: its screen is wanted"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: CoordinatesState | None = None
        self.model, self.turned = SpacesItemModel(self), TurnedStepsItemModel(self)
        self.table, self.turns = RowTable("Candidate spaces"), RowTable("Steps that would turn")
        self.table.setModel(self.model)
        self.turns.setModel(self.turned)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.turns.setToolTip("Enter or a double click shows the step")
        self._headline, self._detail = _words("heading"), _words("secondary")
        self.example = TurnedScreen()
        self._footer, self._command, self._examples = _words("tiny"), _words(), _words("dim")
        self._command.setProperty("mono", True)
        tip = "Make a run of the same answers, read in this space"
        self.read = text_button("", primary=True, icon="refresh", tip=tip)
        self.keep = text_button(KEEP, tip="The run is read rightly: no list marks it any more")
        self.stop = text_button("Stop")
        self._busy = QProgressBar()
        self._busy.setTextVisible(False)
        self._busy.setFixedHeight(4)
        self._banner = QFrame()
        self._banner.setProperty("card", True)
        self._lay_out()
        self.read.clicked.connect(self._read)
        self.keep.clicked.connect(self.keep_requested)
        self.stop.clicked.connect(self.stop_requested)
        self.table.selectionModel().currentRowChanged.connect(lambda _now, _before: self._show_choice())
        self.table.opened.connect(lambda _index: self._read())
        self.turns.opened.connect(self._open)
        self.turns.selectionModel().currentRowChanged.connect(lambda now, _before: self.turn_shown.emit(now.row()))
        self.set_state(None)
        self.set_progress(None, None)

    def set_state(self, state: CoordinatesState | None) -> None:
        """What was found; None: nothing yet."""
        self._state = state
        self._headline.setText(straight(state.headline) if state else "Coordinate check")
        self._detail.setText(straight(state.detail) if state else NOTHING)
        self._footer.setText(straight(state.footer) if state else "")
        self._command.setText(straight(state.command) if state else "")
        self.model.set_rows(state.rows if state else ())
        self.turned.set_rows(state.turns if state else ())
        turns = len(state.turns) if state else 0
        words = f"{turns:,} steps would turn in the best space: hollow as read now, filled as then (J, K)"
        self._examples.setText(words if turns else "")
        for part in (self.table, self._footer, self._command):
            part.setVisible(state is not None)
        self.turns.setVisible(turns > 0)
        self.example.setVisible(turns > 0)
        if turns:
            self.turns.setCurrentIndex(self.turned.index(0, 0))
        else:
            self.turn_shown.emit(-1)
        self._examples.setVisible(turns > 0)
        fit_columns(self.table, TITLE)
        fit_columns(self.turns, 0)
        if state is not None and state.rows:
            chosen = [place for place, row in enumerate(state.rows) if row.id == state.winner]
            self.table.setCurrentIndex(self.model.index(chosen[0] if chosen else 0, TITLE))
        self.keep.setVisible(state is not None and bool(state.winner))
        self.keep.setText(WARN_AGAIN if state is not None and state.kept else KEEP)
        self._banner.setProperty("doubt", state is not None and bool(state.winner) and not state.kept)
        self._banner.style().unpolish(self._banner)
        self._banner.style().polish(self._banner)
        self._show_choice()
        self._fit()

    def set_progress(self, done: int | None, total: int | None) -> None:
        """How far the check is; None: nothing goes on."""
        self._busy.setVisible(done is not None)
        self.stop.setVisible(done is not None)
        self._busy.setRange(0, total or 0)
        self._busy.setValue(done or 0)

    def set_trouble(self, words: str) -> None:
        """Why there is nothing to show."""
        self.set_state(None)
        self._detail.setText(straight(words))

    def told(self) -> str:
        """What is said of the run."""
        return f"{self._headline.text()} {self._detail.text()}"

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fit_columns(self.table, TITLE)
        fit_columns(self.turns, 0)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """J and K go through the examples here, whatever they do elsewhere."""
        if event.type() == QEvent.Type.ShortcutOverride and self._way(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = self._way(event)
        if way:
            self._step(way)
        else:
            super().keyPressEvent(event)

    def _way(self, event: QEvent) -> int:
        """Where a key goes among the steps that would turn; 0 for any other key, and while there are none."""
        if not isinstance(event, QKeyEvent) or event.modifiers() or not self.turned.rowCount():
            return 0
        return WAYS.get(Qt.Key(event.key()), 0)

    def _show_choice(self) -> None:
        """The button says in which space the answers would be read."""
        place, state = self.table.currentIndex().row(), self._state
        row = self.model.row(place) if state is not None and 0 <= place < self.model.rowCount() else None
        wanted = row is not None and state is not None and state.can_read and not row.chosen
        self.read.setVisible(wanted)
        if row is not None:
            self.read.setText(f"Read again as {row.title}")

    def _read(self) -> None:
        place = self.table.currentIndex().row()
        if not self.read.isHidden() and 0 <= place < self.model.rowCount():
            self.read_again_requested.emit(self.model.row(place).id)

    def _step(self, way: int) -> None:
        """Go to the next or the previous of the steps that would turn."""
        wanted = self.turns.currentIndex().row() + way
        if 0 <= wanted < self.turned.rowCount():
            self.turns.setCurrentIndex(self.turned.index(wanted, 0))

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            row = self.turned.row(index.row())
            self.item_opened.emit(row.episode, row.step)

    def _fit(self) -> None:
        """The table of spaces is as high as its rows."""
        header = self.table.horizontalHeader()
        wide = sum(header.sectionSize(column) for column in range(self.model.columnCount()))
        bar = self.table.horizontalScrollBar().sizeHint().height() if wide > self.table.viewport().width() else 0
        self.table.setFixedHeight(
            header.sizeHint().height() + self.model.rowCount() * self.table.row_height() + bar + 4
        )

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._headline)
        words.addWidget(self._detail)
        head = QHBoxLayout(self._banner)
        head.setContentsMargins(12, 10, 12, 10)
        head.addLayout(words, 1)
        head.addWidget(self.stop, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.keep, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.read, 0, Qt.AlignmentFlag.AlignTop)
        self._footer.setContentsMargins(12, 6, 12, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self._banner)
        column.addWidget(self._busy)
        column.addWidget(framed(self.table, self._footer))
        column.addWidget(self._examples)
        turned = QHBoxLayout()
        turned.setSpacing(12)
        turned.addWidget(self.turns, 3)
        turned.addWidget(self.example, 2)
        column.addLayout(turned, 1)
        column.addWidget(self._command)
        column.addStretch()


def _words(role: str = "") -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty("role", role)
    return label
