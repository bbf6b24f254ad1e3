"""Whether a run's places would be right in another coordinate space, and the way to read its answers again in it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.coordinates_item_model import BAR, TITLE, SpacesItemModel
from stepscope.widgets.results.coordinates_values import CoordinatesState, SpaceRow
from stepscope.widgets.results.parts import fit_columns, framed
from stepscope.widgets.results.reading_preview import ReadingPreview
from stepscope.widgets.results.said_numbers import SaidNumbers, SpaceEnd
from stepscope.widgets.results.space_delegates import ShareDelegate, SpaceNameDelegate, SpacesHeader
from stepscope.widgets.results.turned_panel import TurnedPanel
from stepscope.widgets.scores.card import ResultCard

NOTHING = "The stored answers are read again in every coordinate space, and scored; nothing is asked."
KEEP, WARN_AGAIN = "Keep as it is", "Warn again"


class CoordinatesPage(QWidget):
    """`examples` are the steps that would turn; they stand elsewhere, and J and K go through them here too."""

    read_again_requested = Signal(str)
    """the space in which the answers are to be read again"""
    keep_requested = Signal()
    """lists are to stop, or to begin again, to say that the run may be misread"""
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: CoordinatesState | None = None
        self._is_bare = False
        """nothing is said, not even a trouble"""
        self._letter: int | None = None
        self.model, self.table = SpacesItemModel(self), RowTable("Candidate spaces")
        self.table.setHorizontalHeader(SpacesHeader())
        self.table.setModel(self.model)
        self.table.setItemDelegateForColumn(TITLE, SpaceNameDelegate(self.table))
        self.table.setItemDelegateForColumn(BAR, ShareDelegate(self.table))
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.examples = TurnedPanel(self)
        self.examples.hide()  # whoever has room for it shows it
        self.preview = ReadingPreview()
        self.said = SaidNumbers("x"), SaidNumbers("y")
        self._numbers, self._said_words = ResultCard("Numbers as said"), _words("tiny")
        self._headline, self._detail = _words("heading"), _words("secondary")
        self._footer, self._command = _words("tiny"), _words()
        self._command.setProperty("mono", True)
        tip = "Read the stored answers in this space, in the run's place: Ctrl+Z brings the former reading back"
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
        self.set_state(None)
        self.set_progress(None, None)

    def set_state(self, state: CoordinatesState | None, letter: int | None = None) -> None:
        """What was found; None: nothing yet. `letter` is the run's, None where it has none."""
        if state is None and self._is_bare:
            return
        self._is_bare = state is None
        self._state, self._letter = state, letter
        self._headline.setText(straight(state.headline) if state else "Coordinate check")
        self._detail.setText(straight(state.detail) if state else NOTHING)
        self._footer.setText(straight(state.footer) if state else "")
        self._command.setText(straight(state.command) if state else "")
        self.model.set_rows(state.rows if state else ())
        self.examples.set_turns(state.turns if state else (), state.turning if state else 0)
        for part in (self._spaces, self._command, self._numbers, self.preview):
            part.setVisible(state is not None)
        count = len(state.said[0]) if state else 0
        self._numbers.detail.setText(f"{count:,} points, before any reading")
        self._said_words.setText(straight(state.said_words) if state else "")
        if state is not None and state.rows:
            chosen = [place for place, row in enumerate(state.rows) if row.id == state.winner]
            self.table.setCurrentIndex(self.model.index(chosen[0] if chosen else 0, TITLE))
        self.keep.setVisible(state is not None and bool(state.winner))
        self.keep.setText(WARN_AGAIN if state is not None and state.kept else KEEP)
        self._banner.setProperty("doubt", state is not None and bool(state.winner) and not state.kept)
        restyle(self._banner)
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
        self._is_bare = False
        self._detail.setText(straight(words))

    def told(self) -> str:
        """What is said of the run."""
        return f"{self._headline.text()} {self._detail.text()}"

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """J and K go through the examples here, whatever they do elsewhere."""
        if event.type() == QEvent.Type.ShortcutOverride and self.examples.way_of(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = self.examples.way_of(event)
        if not way or not self.examples.step(way):
            super().keyPressEvent(event)

    def _row(self) -> SpaceRow | None:
        """The space that a person has chosen."""
        place = self.table.currentIndex().row()
        return self.model.row(place) if self._state is not None and 0 <= place < self.model.rowCount() else None

    def _show_choice(self) -> None:
        """The button says in which space the answers would be read, the cards what that would change."""
        row, state = self._row(), self._state
        self.read.setVisible(row is not None and state is not None and state.can_read and not row.chosen)
        if row is None or state is None:
            return
        self.read.setText(f"Read again as {row.title}")
        now = next((one for one in state.rows if one.chosen), None)
        self.preview.set_rows(now, row, state.episodes)
        for axis, numbers in enumerate(self.said):
            shown = [] if row.ends is None else [SpaceEnd(row.ends[axis], row.title, better=True)]
            if now is not None and now.ends is not None and now is not row:
                shown.append(SpaceEnd(now.ends[axis], now.title))
            numbers.set_numbers(state.said[axis], shown, self._letter)

    def _read(self) -> None:
        row = self._row()
        if row is not None and not self.read.isHidden():
            self.read_again_requested.emit(row.id)

    def _fit(self) -> None:
        """The table of spaces is as high as its rows; its bars go where there is no room for them."""
        self.table.setColumnHidden(BAR, False)
        fit_columns(self.table, BAR)
        header = self.table.horizontalHeader()
        wide = sum(header.sectionSize(column) for column in range(self.model.columnCount()))
        if wide > self.table.viewport().width():
            self.table.setColumnHidden(BAR, True)
            fit_columns(self.table, TITLE)
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
        for button in (self.stop, self.keep, self.read):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._footer.setContentsMargins(12, 6, 12, 8)
        self._spaces = framed(self.table, self._footer)
        for numbers in self.said:
            self._numbers.body.addWidget(numbers, 1)
        self._numbers.body.addWidget(self._said_words)
        self.preview.body.addWidget(self._command)
        cards = QHBoxLayout()
        cards.setSpacing(12)
        cards.addWidget(self._numbers, 1)
        cards.addWidget(self.preview, 1)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self._banner)
        column.addWidget(self._busy)
        column.addWidget(self._spaces)
        column.addLayout(cards)
        column.addStretch()
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setProperty("page", True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)


def _words(role: str = "") -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty("role", role)
    return label
