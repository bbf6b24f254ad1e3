"""The results' page of a run over web tasks: its fields by type and by task, beside other runs and papers.

A page takes what is to be shown when it comes into view (`breakdown_pages`); its plots are made when there is first
something for them and their library is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.core.lazy import lazy_module
from stepscope.widgets import format as formats
from stepscope.widgets.common import text_button
from stepscope.widgets.common.fonts import BASE_PIXELS, derived
from stepscope.widgets.plot_library import plot_library
from stepscope.widgets.results.breakdown_pages import Breakdown, BreakdownPage
from stepscope.widgets.results.web_scores import ScoreList
from stepscope.widgets.results.web_values import WebResults
from stepscope.widgets.scores.breakdown_values import Key

if TYPE_CHECKING:
    from stepscope.widgets.results import web_plots
    from stepscope.widgets.results.web_plots import DemosCard, PlaneCard
else:
    web_plots = lazy_module("stepscope.widgets.results.web_plots")

WIDE_ENOUGH = 820
"""From this width on cards stand side by side, with text as it is at first."""
ABOUT = (
    "Means over fields; a task's are over the fields of all its pages. Whiskers are 95 % intervals, marks are other "
    "runs over the same pages."
)


class WebResultsPage(BreakdownPage):
    """`chosen` carries the key of a type or task, `run_opened` the id of the run behind a point."""

    run_opened = Signal(object)
    tables_requested = Signal()
    """the person wants the tables as a file"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.types, self.known = ScoreList("Mean by type of field"), ScoreList("Score beside others")
        self.tasks = ScoreList("Mean by task", sortable=True)
        self.demos: DemosCard | None = None
        self.plane: PlaneCard | None = None
        self.export = text_button("Export tables…", icon="export", tip="Write these numbers as CSV")
        about = QLabel(ABOUT)
        about.setProperty("role", "tiny")
        about.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(about, 1)
        head.addWidget(self.export, 0, Qt.AlignmentFlag.AlignTop)
        self._upper, self._plots = (QBoxLayout(QBoxLayout.Direction.LeftToRight) for _ in range(2))
        for card, stretch in ((self.types, 2), (self.known, 3)):
            self._upper.addWidget(card, stretch)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 12, 16, 16)
        column.setSpacing(16)
        column.addLayout(head)
        for row in (self._upper, self._plots):
            row.setSpacing(16)
        column.addLayout(self._upper)
        column.addWidget(self.tasks, 1)
        column.addLayout(self._plots)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(inside)
        whole = QGridLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._scroll)
        self.export.clicked.connect(self.tables_requested)
        for card in (self.types, self.tasks):
            card.chosen.connect(self.chosen)
        self.known.chosen.connect(self.run_opened)

    def renew(self, found: Breakdown) -> None:
        web = found.web or WebResults()
        fields = sum(row.amount for row in web.types)
        self.types.set_rows(web.types, formats.counted(fields, "field") if web.types else "")
        self.known.set_rows(web.known)
        self.tasks.set_rows(web.tasks, formats.counted(len(web.tasks), "task") if web.tasks else "")
        self.export.setEnabled(bool(web.tasks))
        if not plot_library().is_ready:
            plot_library().begin()
            return
        if self.plane is None:
            self._make_plane().set_plane(web.plane, web.plane_note, web.run)
            self.renew_soon()  # each plot takes its time to be made
            return
        self.plane.set_plane(web.plane, web.plane_note, web.run)
        (self.demos or self._make_demos()).set_lines(web.lines, web.lines_note, web.run)

    def set_chosen(self, key: Key) -> None:
        self._chosen = key
        for card in (self.types, self.tasks, self.plane):
            if card is not None:
                card.set_chosen(key)

    def resizeEvent(self, event: object) -> None:
        wide = WIDE_ENOUGH * derived(self.font(), BASE_PIXELS).pixelSize() / BASE_PIXELS
        way = QBoxLayout.Direction.LeftToRight if self.width() >= wide else QBoxLayout.Direction.TopToBottom
        for row in (self._upper, self._plots):
            row.setDirection(way)

    def _make_plane(self) -> PlaneCard:
        self.plane = web_plots.PlaneCard()
        self.plane.chosen.connect(self.chosen)
        self.plane.set_chosen(self._chosen)
        self._plots.insertWidget(0, self.plane, 1)
        return self.plane

    def _make_demos(self) -> DemosCard:
        self.demos = web_plots.DemosCard()
        self.demos.opened.connect(self.run_opened)
        self._plots.addWidget(self.demos, 1)
        return self.demos
