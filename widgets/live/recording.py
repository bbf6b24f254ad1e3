"""The recording that is being made: its steps side by side, and what one can do to it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import icons
from stepscope.widgets.common import ElidedLabel, KeyButton, icon_button
from stepscope.widgets.common.buttons import name_button
from stepscope.widgets.live.film import RecordedFilm
from stepscope.widgets.live.live_state import CellKind, RecordedCell, RecordingState

NEXT, PAUSED, LOGIN = "next step", "paused", "logging in, not recorded"
NOTHING = "Nothing is recorded. Record (R) keeps each step with the screen before it."


class _NoteField(QLineEdit):
    """Enter keeps the note, Esc leaves it."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class RecordingStrip(QWidget):
    """Values in, signals out; a place counts the cells from 0."""

    step_chosen = Signal(int)
    thumbnails_wanted = Signal(list)
    undo_requested = Signal()
    pause_toggled = Signal(bool)
    login_toggled = Signal(bool)
    note_given = Signal(int, str)
    """place, the note; "" takes it away"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = RecordingState()
        self.film = RecordedFilm()
        self._title, self._counts = QLabel("This recording"), ElidedLabel("", "secondary")
        self._title.setProperty("role", "heading")
        self._message = ElidedLabel("", "secondary")
        self._message.setProperty("badge", "warn")
        self.note_field = _NoteField()
        self.login = icon_button("login", "Log-in: leave the next steps out", checkable=True)
        self.note = icon_button("note", "Note on this step", checkable=True)
        self.pause = icon_button("pause", "Pause recording", checkable=True)
        self.undo = KeyButton("Undo last step", "Ctrl+Z", "first", ghost=True)
        self._lay_out()
        self._connect()
        self._renew()

    # what the owner tells

    def set_state(self, state: RecordingState) -> None:
        if state != self._state:
            self._state = state
            self._renew()

    def set_cells(self, cells: Sequence[RecordedCell]) -> None:
        """All cells; the newest is current unless the person has chosen an earlier one."""
        self.film.set_cells(cells)
        self._renew()

    def add_cell(self, cell: RecordedCell) -> None:
        self.film.add_cell(cell)
        self._renew()

    def set_cell(self, place: int, cell: RecordedCell) -> None:
        self.film.set_cell(place, cell)

    def remove_last(self) -> None:
        self.film.remove_last()
        self._renew()

    def set_thumbnail(self, place: int, image: QImage) -> None:
        self.film.set_thumbnail(place, image)

    def set_current(self, place: int) -> None:
        self.film.set_current(place)
        self._renew()

    def current(self) -> int:
        return self.film.current()

    def counts(self) -> str:
        """5 actions, 1 question."""
        return self._counts.text()

    # inside

    def _lay_out(self) -> None:
        self._head = QWidget()
        self._head.setProperty("bar", "tools")
        self._head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = self._row = QHBoxLayout(self._head)
        row.setContentsMargins(12, 1, 8, 1)
        self._head.setMinimumHeight(29)
        row.setSpacing(6)
        row.addWidget(self._title)
        row.addWidget(self._counts)
        row.addWidget(self._message)
        row.addStretch(1)
        row.addWidget(self.note_field, 4)
        for button in (self.login, self.note, self.pause):
            button.setFixedSize(26, 26)
            row.addWidget(button)
        row.addWidget(self.undo)
        self.note_field.hide()
        self._head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._empty = QLabel(NOTHING)
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("role", "dim")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self.film, 1)
        column.addWidget(self._empty, 1)

    def _connect(self) -> None:
        self.film.step_chosen.connect(self.step_chosen)
        self.film.step_chosen.connect(lambda _place: self._renew())
        self.film.thumbnails_wanted.connect(self.thumbnails_wanted)
        self.undo.clicked.connect(self.undo_requested)
        self.pause.clicked.connect(self._toggle_pause)
        self.login.clicked.connect(self._toggle_login)
        self.note.clicked.connect(self._open_note)
        self.note_field.returnPressed.connect(self._give_note)
        self.note_field.left.connect(self._close_note)

    def _toggle_pause(self) -> None:
        """Ask for pause or going on; the button shows it once the owner says so."""
        self.pause.setChecked(self._state.paused)
        self.pause_toggled.emit(not self._state.paused)

    def _toggle_login(self) -> None:
        self.login.setChecked(self._state.login)
        self.login_toggled.emit(not self._state.login)

    def _open_note(self, shown: bool) -> None:
        if not shown:
            self._close_note()
            return
        cell = self._cell()
        self.note_field.setText(cell.note if cell else "")
        self.note_field.setPlaceholderText(f"Note on step {cell.number}" if cell and cell.number else "Note")
        self.note_field.setAccessibleName(self.note_field.placeholderText())
        self._renew()
        self.note_field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _give_note(self) -> None:
        self.note_given.emit(self.current(), self.note_field.text().strip())
        self._close_note()

    def _close_note(self) -> None:
        self.note.setChecked(False)
        self._renew()
        self.film.setFocus(Qt.FocusReason.OtherFocusReason)

    def _cell(self) -> RecordedCell | None:
        cells, place = self.film.cells(), self.current()
        return cells[place] if 0 <= place < len(cells) else None

    def _renew(self) -> None:
        """Head and buttons as the state and the cells have them."""
        state, cells = self._state, self.film.cells()
        self.film.set_next(_next_words(state))
        self._counts.setText(_count_words(cells))
        self._message.setText(state.message)
        self._message.setVisible(bool(state.message))
        shown = state.active or bool(cells)
        self.film.setVisible(shown)
        self._empty.setVisible(not shown)
        self.undo.setEnabled(not state.undo_why_not)
        name_button(self.undo, state.undo_why_not or "Undo last step", "" if state.undo_why_not else "Ctrl+Z")
        self.pause.setChecked(state.paused)
        self.pause.setIcon(icons.icon("play" if state.paused else "pause"))
        name_button(self.pause, "Go on recording" if state.paused else "Pause recording")
        self.login.setChecked(state.login)
        name_button(self.login, "End of log-in: record again" if state.login else "Log-in: leave the next steps out")
        cell = self._cell()
        self.note.setEnabled(cell is not None and cell.kind in (CellKind.ACTION, CellKind.ASK))
        self.note.setChecked(self.note.isChecked() and self.note.isEnabled())
        self.note_field.setVisible(self.note.isChecked())
        for button in (self.pause, self.login):
            button.setVisible(state.active)
        self.note.setVisible(shown)
        self.undo.setVisible(shown)
        self._make_room(self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room(event.size().width())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._make_room(self.width())

    def _make_room(self, width: int) -> None:
        """Leave the undo button its icon only where it is narrow."""
        beside = self._title.sizeHint().width() + self._counts.sizeHint().width() + 3 * 32 + 40
        self.undo.set_compact(beside + self.undo.full_width() > width)


def _next_words(state: RecordingState) -> str:
    if not state.active:
        return ""
    return PAUSED if state.paused else LOGIN if state.login else NEXT


def _count_words(cells: Sequence[RecordedCell]) -> str:
    actions = sum(cell.kind is CellKind.ACTION for cell in cells)
    questions = sum(cell.kind is CellKind.ASK for cell in cells)
    if not cells:
        return ""
    asked = formats.counted(questions, "question") if questions else ""
    return ", ".join(filter(None, (formats.counted(actions, "action"), asked)))
