"""The centre of the compare workspace: title row, two to four screens side by side or all runs on one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from stepscope.core.domain.mark import Mark
from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel, EmptyState, icon_button, text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.compare.run_comparison import RunAtStep
from stepscope.widgets.compare.run_screen import RunScreen, RunThumb
from stepscope.widgets.scores.flow import Flow
from stepscope.widgets.screen import ScreenContent, ScreenView

MOST_LARGE = 4
"""Screens side by side; further runs stand in the row above them."""
APP_FITS = 640
"""Pixels of width from which on the title row names the app."""


class CompareScreens(QWidget):
    """All screens show one step. While they are linked, what is zoomed and panned in one is so in all.

    `large_toggled(int)`: a run of the row is to be large, or not. `replay_wanted(int)`: open a run's step in Replay.
    """

    back_clicked = Signal()
    next_clicked = Signal()
    large_toggled = Signal(int)
    replay_wanted = Signal(int)
    second_wanted = Signal()
    step_painted = Signal(float)
    """milliseconds that a screen took for a step"""
    view_options_changed = Signal()
    """linked or overlaid was switched by the person"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.panes: list[RunScreen] = []
        self.overlay = ScreenView()
        self.overlay.set_beside(False)
        self.overlay.setAccessibleName("Screen of all runs")
        self.linked = icon_button("link", "Zoom and pan together", checkable=True)
        self.linked.setChecked(True)
        self.overlaid = icon_button("overlay", "All runs on one screen", checkable=True)
        self.next = text_button(" Next difference  N", icon="warning", tip="Next difference (N)")
        self._thumbs = Flow()
        self._second = EmptyState("results", "Pick a second run", "", [("second", "Choose a run")])
        self._closed = EmptyState("replay", "No episode is open", "Choose a step in the list.")
        self._lay_out()
        self.next.clicked.connect(self.next_clicked)
        self.linked.clicked.connect(self._link)
        self.overlaid.clicked.connect(lambda: self.set_overlaid(self.overlaid.isChecked(), tell=True))
        self._second.pressed.connect(lambda _button: self.second_wanted.emit())
        self.show_title("", "", "")
        self.show_too_few()

    # what the owner tells

    def show_title(self, goal: str, app: str, step: str) -> None:
        """Show what is open, where, and which step; "" for nothing."""
        self._goal.setText(goal or "No episode is open")
        self._app.setText(app)
        self._step.setText(straight(step))

    def set_runs(self, large: Sequence[RunAtStep], small: Sequence[RunAtStep] = ()) -> None:
        """The runs that have a screen, and all runs when there are more than these."""
        while len(self.panes) < min(len(large), MOST_LARGE):
            self._add_pane()
        numbers = {one.run for one in large}
        self._thumbs.set_parts([self._thumb(one, one.run in numbers) for one in small])
        self._thumbs_row.setVisible(bool(small))
        for place, pane in enumerate(self.panes):
            pane.setVisible(place < len(large))
            if place < len(large):
                pane.set_run(large[place].run, large[place].name)
                pane.show_run(large[place])
        self._stack.setCurrentWidget(self._screens)

    def show_step(self, content: ScreenContent, large: Sequence[RunAtStep], together: tuple[Mark, ...]) -> None:
        """A step's picture with each run's own marks; `together` are those of all runs."""
        self.overlay.show_step(replace(content, marks=together))
        for pane, one in zip(self.panes, large, strict=False):
            pane.view.show_step(replace(content, marks=one.marks))

    def set_marks(self, large: Sequence[RunAtStep], together: tuple[Mark, ...]) -> None:
        """Draw other marks over the same picture."""
        self.overlay.set_marks(together)
        for pane, one in zip(self.panes, large, strict=False):
            pane.view.set_marks(one.marks)

    def each_screen(self) -> list[ScreenView]:
        """All screens, those that are hidden too."""
        return [self.overlay, *(pane.view for pane in self.panes)]

    def set_error(self, title: str, text: str) -> None:
        """Say in the pictures' place what went wrong, until the next step is shown."""
        for screen in self.each_screen():
            screen.set_error(title, text, has_file=False)

    def show_too_few(self) -> None:
        """Say that there are fewer than two runs to show."""
        self._thumbs_row.hide()
        self._stack.setCurrentWidget(self._second)

    def show_no_episode(self) -> None:
        """Say that there is no step to show."""
        self._stack.setCurrentWidget(self._closed)

    def set_linked(self, linked: bool) -> None:
        self.linked.setChecked(linked)

    def set_overlaid(self, overlaid: bool, *, tell: bool = False) -> None:
        """All runs on one screen, or each on its own."""
        had_keys = any(screen.hasFocus() for screen in self.each_screen())
        self.overlaid.setChecked(overlaid)
        self.overlay.setVisible(overlaid)
        self._inside.setStretch(1, 0 if overlaid else 1)
        for pane in self.panes:
            pane.set_screen_shown(not overlaid)
        if had_keys:
            self.focus_screen()
        if tell:
            self.view_options_changed.emit()

    def words(self) -> str:
        """What stands where there are no screens, for tests and screen readers."""
        page = self._stack.currentWidget()
        return page.words() if isinstance(page, EmptyState) else ""

    # zoom

    def active(self) -> ScreenView:
        """The screen that keys zoom: the one with the keyboard, else the first."""
        if self.overlaid.isChecked() or not self.panes:
            return self.overlay
        return next((pane.view for pane in self.panes if pane.view.hasFocus()), self.panes[0].view)

    def focus_screen(self) -> None:
        self.active().setFocus()

    def zoomed(self, how: Callable[[ScreenView], object]) -> None:
        """Zoom or pan one screen; the others follow while they are linked."""
        how(self.active())

    def _follow(self, leader: ScreenView, viewport: Any) -> None:
        if self.linked.isChecked():
            for screen in self.each_screen():
                if screen is not leader:
                    screen.follow(viewport)

    def _link(self) -> None:
        """Linked again: all follow the one that is looked at."""
        leader = self.active()
        self._follow(leader, leader.viewport)
        self.view_options_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the app's room to the goal in a narrow window."""
        super().resizeEvent(event)
        self._app.setVisible(event.size().width() >= APP_FITS)

    # inside

    def _add_pane(self) -> None:
        pane = RunScreen()
        pane.replay_wanted.connect(self.replay_wanted)
        pane.set_screen_shown(not self.overlaid.isChecked())
        self._watch(pane.view)
        if self.panes and self.panes[0].view.content is not None:
            pane.view.show_step(self.panes[0].view.content)
            pane.view.follow(self.panes[0].view.viewport)
        self.panes.append(pane)
        self._row.addWidget(pane, 1)

    def _watch(self, screen: ScreenView) -> None:
        screen.view_changed.connect(lambda viewport: self._follow(screen, viewport))
        screen.step_painted.connect(self.step_painted)

    def _thumb(self, one: RunAtStep, large: bool) -> RunThumb:
        thumb = RunThumb(one, large)
        thumb.clicked.connect(lambda: self.large_toggled.emit(one.run))
        return thumb

    def _lay_out(self) -> None:
        self._screens = _ColumnLines()
        self._row = QHBoxLayout()
        self._row.setSpacing(1)
        self._inside = inside = QVBoxLayout(self._screens)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(1)
        inside.addWidget(self.overlay, 1)
        inside.addLayout(self._row, 1)
        self._watch(self.overlay)
        self.overlay.hide()
        self._thumbs_row = QWidget()
        self._thumbs_row.setProperty("bar", "tools")
        thumbs = QVBoxLayout(self._thumbs_row)
        thumbs.setContentsMargins(12, 6, 12, 6)
        thumbs.addWidget(self._thumbs)
        self._thumbs_row.hide()
        self._stack = QStackedWidget()
        for page in (self._screens, self._second, self._closed):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_title_row())
        column.addWidget(self._thumbs_row)
        column.addWidget(self._stack, 1)

    def _make_title_row(self) -> QWidget:
        row = QWidget()
        row.setProperty("bar", "title")
        line = QHBoxLayout(row)
        line.setContentsMargins(8, 0, 12, 0)
        line.setSpacing(8)
        self.back = icon_button("chevron_left", "Back", shortcut="Alt+Left")
        self.back.clicked.connect(self.back_clicked)
        self._goal, self._app, self._step = ElidedLabel("", "title"), ElidedLabel("", "secondary"), QLabel()
        self._step.setProperty("role", "secondary")
        for widget, stretch in ((self.back, 0), (self._goal, 0), (self._app, 1), (self._step, 0), (self.next, 0)):
            line.addWidget(widget, stretch)
        for button in (self.overlaid, self.linked):
            line.addWidget(button)
        return row


class _ColumnLines(QWidget):
    """Thin lines between the columns."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.current().line))
        painter.end()
