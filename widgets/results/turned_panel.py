"""Steps that would turn in another space, beside the coordinate check: a list, and each on its screen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import ElidedLabel, EmptyState, PanelHeader, text_button
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.coordinates_item_model import TurnedStepsItemModel
from stepscope.widgets.results.coordinates_values import TurnRow
from stepscope.widgets.results.parts import fit_columns
from stepscope.widgets.results.turned_screen import TurnedScreen

WAYS = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
LEGEND = "Hollow: as read now. Filled: as it would be. Box: the target."


class TurnedPanel(QWidget):
    """J and K go from step to step, wherever in it the keyboard is."""

    item_opened = Signal(str, int)
    """episode, step"""
    turn_shown = Signal(int)
    """the row of a step, -1 for none: its screen is wanted"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = TurnedStepsItemModel(self)
        self.table = RowTable("Steps that would turn")
        self.table.setModel(self.model)
        self.example = TurnedScreen()
        self.replay = text_button("Open in Replay", icon="replay", tip="Enter, or a double click in the list")
        self._header = PanelHeader("Examples")
        self._legend = QLabel(LEGEND)
        self._legend.setProperty("role", "tiny")
        self._legend.setWordWrap(True)
        self._keys = ElidedLabel("J K", "dim")
        self._nothing = EmptyState("axes", "No step would turn", "The answers are right and wrong in the same steps.")
        self._lay_out()
        self.table.opened.connect(self._open)
        self.replay.clicked.connect(lambda: self._open(self.table.currentIndex()))
        self.table.selectionModel().currentRowChanged.connect(lambda now, _before: self.turn_shown.emit(now.row()))
        self.set_turns((), 0)

    def set_turns(self, turns: Sequence[TurnRow], of: int) -> None:
        """The first of as many steps that would turn."""
        self.model.set_rows(turns)
        right = sum(turn.better for turn in turns)
        counted = formats.counted(of, "step") + " would turn" if of else ""
        if of == len(turns) and of:
            counted += f", {formats.count(right)} right then"
        self._header.set_detail(counted)
        self._held.setVisible(bool(turns))
        self._nothing.setVisible(not turns)
        fit_columns(self.table, 0)
        if turns:
            self.table.setCurrentIndex(self.model.index(0, 0))
        else:
            self.turn_shown.emit(-1)

    def step(self, way: int) -> bool:
        """Go to the next or the previous step; whether there are any."""
        wanted = self.table.currentIndex().row() + way
        if 0 <= wanted < self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(wanted, 0))
        return self.model.rowCount() > 0

    def way_of(self, event: QEvent) -> int:
        """Where a key goes among the steps; 0 for any other key, and while there are none."""
        if not isinstance(event, QKeyEvent) or event.modifiers() or not self.model.rowCount():
            return 0
        return WAYS.get(Qt.Key(event.key()), 0)

    def event(self, event: QEvent) -> bool:
        """J and K are its own here, whatever they do elsewhere."""
        if event.type() == QEvent.Type.ShortcutOverride and self.way_of(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = self.way_of(event)
        if not way or not self.step(way):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fit_columns(self.table, 0)

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            row = self.model.row(index.row())
            self.item_opened.emit(row.episode, row.step)

    def _lay_out(self) -> None:
        self._held = QWidget()
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 0, 12, 0)
        foot.addWidget(self.replay)
        foot.addStretch(1)
        foot.addWidget(self._keys)
        self._legend.setContentsMargins(12, 0, 12, 0)
        held = QVBoxLayout(self._held)
        held.setContentsMargins(0, 8, 0, 8)
        held.setSpacing(8)
        held.addWidget(self._legend)
        held.addWidget(self.example, 3)
        held.addWidget(self.table, 2)
        held.addLayout(foot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._held, 1)
        column.addWidget(self._nothing, 1)
