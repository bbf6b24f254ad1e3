"""The tour: a bubble beside what each step is about, in the real window, until one has done it or goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from stepscope.app.gui.features.start.tour_steps import TOUR
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import Anchors
from stepscope.widgets.start.tour_bubble import TourBubble

if TYPE_CHECKING:
    from stepscope.app.gui.features.start.sample_opening import SampleOpening
    from stepscope.app.gui.shell.commands.bar import CommandBar


class TourController(QObject):
    """Takes no keys but Esc, which leaves: every other key does in the tour what it does without it. Where it was left
    is a preference."""

    def __init__(self, context: Context, bar: CommandBar, sample: SampleOpening, anchors: Anchors) -> None:
        super().__init__(context)
        self._context, self._bar, self._sample, self._anchors = context, bar, sample, anchors
        self._window: QWidget = context.dialog_parent
        self._at = 0
        self.bubble = TourBubble(self._window)
        self.bubble.next_wanted.connect(self._next)
        self.bubble.back_wanted.connect(lambda: self._show(self._at - 1))
        self.bubble.left.connect(self.leave)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self._window)
        self._escape.setEnabled(False)
        self._escape.activated.connect(self.leave)
        self._placing = QTimer(self)
        self._placing.setSingleShot(True)
        self._placing.setInterval(0)
        self._placing.timeout.connect(self._place)
        self._window.installEventFilter(self)
        context.workspaces.workspace_changed.connect(lambda _name: self._placing.start())
        for place, step in enumerate(TOUR):
            for command in step.commands:
                bar.actions[command].triggered.connect(lambda _checked=False, done=place: self._was_done(done))

    @property
    def is_on(self) -> bool:
        return self._escape.isEnabled()

    def begin(self) -> None:
        """Begin, or go on where it was left; on the sample where nothing with a run is shown."""
        at = self._context.preferences.tour_step
        at = at if 0 <= at < len(TOUR) else 0
        selection = self._context.selection
        if selection.step is None or not selection.runs:
            self._sample.open(lambda: self._show(at))
            return
        self._context.workspaces.set_workspace(TOUR[at].workspace)
        self._show(at)

    def leave(self) -> None:
        """Take the bubble away; the tour can be taken up again here."""
        self._escape.setEnabled(False)
        had_focus = self.bubble.isAncestorOf(self._window.focusWidget() or self._window)
        self.bubble.hide()
        if had_focus:
            self._window.setFocus()

    def _was_done(self, place: int) -> None:
        if self.is_on and place == self._at:
            self._next()

    def _next(self) -> None:
        if self._at + 1 < len(TOUR):
            self._show(self._at + 1)
            return
        self._context.prefer(tour_step=len(TOUR))
        self.leave()
        self._context.messages.done("That was the tour. Help > Tour takes it again.")

    def _show(self, at: int) -> None:
        self._at = max(at, 0)
        if self._context.preferences.tour_step != self._at:
            self._context.prefer(tour_step=self._at)
        step = TOUR[self._at]
        words = step.words.format(key=self._bar.key_of(step.commands[0]) or self._bar.actions[step.commands[0]].text())
        self.bubble.show_step(self._at + 1, len(TOUR), step.title, words)
        self._escape.setEnabled(True)
        self._placing.start()

    def _place(self) -> None:
        if self.is_on:
            self.bubble.point_at(self._anchors(TOUR[self._at].anchor))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self.is_on:
            self._placing.start()
        return False
