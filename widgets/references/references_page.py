"""Recorded actions that fail against themselves, rule by rule, and the way to call them defective."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import format as formats
from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.references.references_item_model import (
    RULE,
    WHY,
    CheckedRulesItemModel,
    DoubtfulReferencesItemModel,
)
from stepscope.widgets.references.references_values import DoubtfulReference, ReferencesState
from stepscope.widgets.results.parts import fit_columns, framed

ABOUT = (
    "Every recorded action is scored against itself under every rule. One that fails is wrong, or the rule is odd "
    "about it; either way every model loses it. Sources stay as they are: defects are left out of scores where that is "
    "asked."
)


class ReferencesPage(QWidget):
    check_wanted = Signal()
    stop_wanted = Signal()
    close_wanted = Signal()
    undo_wanted = Signal()
    redo_wanted = Signal()
    opened = Signal(str, int)
    """episode, index of the step"""
    defects_wanted = Signal(object, str)
    """rows, the reason"""

    def __init__(self, reasons: Sequence[str], parent: QWidget | None = None) -> None:
        """`reasons` are the words of defects, the usual one first."""
        super().__init__(parent)
        self._state: ReferencesState | None = None
        self.rules, self.rows = CheckedRulesItemModel(self), DoubtfulReferencesItemModel(self)
        self.rule_table, self.table = RowTable("Rules"), RowTable("References that fail")
        self.rule_table.setModel(self.rules)
        self.table.setModel(self.rows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setToolTip("Enter or a double click shows the step")
        self._told, self._command = _words("heading"), _words()
        self._command.setProperty("mono", True)
        self._chosen = _words("dim")
        self._busy = QProgressBar()
        self._busy.setTextVisible(False)
        self._busy.setFixedHeight(4)
        self._progress = _words("secondary")
        self.check = text_button("Check Again", icon="refresh")
        self.stop = text_button("Stop")
        self.reason = QComboBox()
        self.reason.setAccessibleName("Reason of the defect")
        self.reason.addItems([*reasons])
        self.mark = text_button("Call Defective", primary=True, icon="flag", tip="One change, undone with Ctrl+Z")
        for button in (self.check, self.stop, self.mark):
            button.setAutoDefault(False)
        self.check.clicked.connect(self.check_wanted)
        self.stop.clicked.connect(self.stop_wanted)
        self.mark.clicked.connect(self._mark)
        self.rule_table.selectionModel().currentRowChanged.connect(lambda _now, _before: self._show_rule())
        self.table.selectionModel().selectionChanged.connect(lambda _now, _before: self._tell_choice())
        self.table.opened.connect(self._open)
        self._lay_out()
        self.set_state(None)
        self.set_progress(None, None, "")

    def set_state(self, state: ReferencesState | None) -> None:
        """What was found; None: nothing yet."""
        self._state = state
        self._told.setText(straight(state.told) if state else "References against themselves")
        self._command.setText(straight(state.command) if state else "")
        self.rules.set_rows(state.rules if state else ())
        self._parts.setVisible(state is not None)
        fit_columns(self.rule_table, RULE)
        if state is not None and state.rules:
            self.rule_table.setCurrentIndex(self.rules.index(0, RULE))
        self._show_rule()

    def set_trouble(self, words: str) -> None:
        """Why there is nothing to show."""
        self.set_state(None)
        self._told.setText(straight(words))

    def set_defects(self, defects: Mapping[tuple[str, int], str]) -> None:
        """What people said of steps, by episode and step."""
        self.rows.set_defects(defects)
        self._tell_choice()

    def set_progress(self, done: int | None, total: int | None, words: str) -> None:
        """How far the check is; None: nothing goes on."""
        for part in (self._busy, self.stop, self._progress):
            part.setVisible(done is not None)
        self.check.setEnabled(done is None)
        self._busy.setRange(0, total or 0)
        self._busy.setValue(done or 0)
        self._progress.setText(straight(words))

    def told(self) -> str:
        return self._told.text()

    def chosen(self) -> list[DoubtfulReference]:
        """The selected rows, or all that are listed where none is, without those that are called defective already."""
        places = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        places = places or [*range(self.rows.rowCount())]
        return [self.rows.row(place) for place in places if not self.rows.defect(place)]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo_wanted.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fit_columns(self.rule_table, RULE)
        fit_columns(self.table, WHY)

    def _show_rule(self) -> None:
        place, state = self.rule_table.currentIndex().row(), self._state
        rule = self.rules.row(place).id if state is not None and 0 <= place < self.rules.rowCount() else None
        self.rows.set_rows(state.rows.get(rule, ()) if state is not None and rule is not None else ())
        fit_columns(self.table, WHY)
        self._tell_choice()

    def _tell_choice(self) -> None:
        chosen, some = len(self.chosen()), self.table.selectionModel().hasSelection()
        which = "chosen" if some else "listed"
        self._chosen.setText(f"{formats.counted(chosen, 'reference')} {which} that {_is(chosen)} not called defective")
        for part in (self.mark, self.reason):
            part.setEnabled(chosen > 0)

    def _mark(self) -> None:
        self.defects_wanted.emit(self.chosen(), self.reason.currentText())

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            row = self.rows.row(index.row())
            self.opened.emit(row.episode, row.step)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._told)
        words.addWidget(_words("secondary", ABOUT))
        words.addWidget(self._progress)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addLayout(words, 1)
        for button in (self.stop, self.check):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self._chosen, 1)
        foot.addWidget(self.reason)
        foot.addWidget(self.mark)
        lower = QWidget()
        column = QVBoxLayout(lower)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(framed(self.table), 1)
        column.addLayout(foot)
        column.addWidget(self._command)
        self._parts = QSplitter(Qt.Orientation.Vertical)
        self._parts.setChildrenCollapsible(False)
        upper: QFrame = framed(self.rule_table)
        self._parts.addWidget(upper)
        self._parts.addWidget(lower)
        self._parts.setStretchFactor(0, 2)
        self._parts.setStretchFactor(1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self._busy)
        column.addWidget(self._parts, 1)
        column.addStretch()


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _words(role: str = "", text: str = "") -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
