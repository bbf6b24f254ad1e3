"""Fields, action log and raw output one below the other, as the right dock shows them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from stepscope.core.webtask.exchange import Exchange
from stepscope.core.webtask.page import ExecutedCall
from stepscope.widgets.inspector.parts import ScrolledColumn
from stepscope.widgets.webtask.action_form import ActionForm
from stepscope.widgets.webtask.action_log import ActionLogPanel
from stepscope.widgets.webtask.fields_panel import FieldsPanel
from stepscope.widgets.webtask.raw_output import RawOutputPanel

LEAST_WIDTH = 272
FIELDS_SHARE, LOG_SHARE = 5, 3
"""Of the height that is free; the person moves the line between them."""


class WebTaskSide(QScrollArea):
    """Scrolls where there is not room for all. Somebody who fills the page in has the actions' form instead of the raw
    output."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # each part is made inside its parent: what is put there when it is whole has all its own parts styled anew
        self._inside = ScrolledColumn(self.viewport())
        self._split = QSplitter(Qt.Orientation.Vertical, self._inside)
        self.fields, below = FieldsPanel(self._split), QWidget(self._split)
        self.log, self.form, self.raw = ActionLogPanel(below), ActionForm(below), RawOutputPanel(below)
        self.setAccessibleName("Fields, actions and raw output")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.log, 1)
        column.addWidget(self.form)
        column.addWidget(self.raw)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.setStretchFactor(0, FIELDS_SHARE)
        self._split.setStretchFactor(1, LOG_SHARE)
        whole = QVBoxLayout(self._inside)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._split)
        self.setWidget(self._inside)
        self.set_by_hand(False)
        self.fields.field_chosen.connect(self.form.set_field)
        self.log.scrubbed.connect(lambda _position: self._light())

    def set_by_hand(self, by_hand: bool) -> None:
        """Whether a person fills the page in, rather than looking at what a run did to it."""
        self.form.setVisible(by_hand)
        self.raw.setVisible(not by_hand)

    def show_run(
        self,
        lines: Sequence[ExecutedCall],
        exchanges: Sequence[Exchange] = (),
        *,
        seconds: float | None = None,
        position: int | None = None,
    ) -> None:
        """What was done to the page and what the model said; the page stands after `position` actions, by default after
        all."""
        self.log.set_lines(lines, seconds, position)
        self.raw.set_exchanges(exchanges)
        self._light()

    def set_position(self, position: int) -> None:
        """The page is shown after so many actions: the log and the raw output follow; tells nobody."""
        self.log.set_position(position)
        self._light()

    def choose_field(self, name: str) -> None:
        """A field was chosen elsewhere; tells nobody."""
        self.fields.choose(name)
        self.form.set_field(name)

    def minimumSizeHint(self) -> QSize:
        """Width that the widest panel needs at this text size, beside the scroll bar."""
        frame = 2 * self.frameWidth() + self.verticalScrollBar().sizeHint().width()
        return QSize(max(self._inside.minimumSizeHint().width() + frame, LEAST_WIDTH), 200)

    def _light(self) -> None:
        """Light the output's piece of the current action; equal pieces belong to equal actions in their order."""
        place = self.log.position() - 1
        lines = self.log.model.lines
        if not 0 <= place < len(lines):
            self.raw.set_current("")
            return
        raw = lines[place].raw
        self.raw.set_current(raw, sum(line.raw == raw for line in lines[:place]))
