"""Recording what is done on a device: begin, pause, undo, the survey at the end, and what an earlier session left
unfinished."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from stepscope.app.gui.features.live.live_controller import LiveController
from stepscope.app.gui.features.live.recording_work import (
    complete_one,
    may_discard,
    remove,
    unfinished_ones,
)
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.strip_pictures import StripPictures
from stepscope.core.device.mirror import MirrorState
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.gui.features.live import presenter
    from stepscope.app.services.live.recording import RecordingSession
    from stepscope.app.services.live.recordings import UnfinishedRecording
    from stepscope.core.device.recorded import RecordingStatus
    from stepscope.core.domain.episode import Step
    from stepscope.widgets.live import SurveyAnswers
else:
    presenter = lazy_module("stepscope.app.gui.features.live.presenter")

CLOCK_MS = 500
RECORDED, UNFINISHED = "the last recording", "a recording without a label"
"""What messages are about."""
NO_GOAL = "Write the goal above first: what was to be done?"


class LiveRecordingController(QObject):
    """`session` is the recording that runs or waits for its label. `changed(RecordingStatus)`; `finished(folder,
    episode id)`: it is on the disk with its label; `begun()`, `ended()`: one runs, none does."""

    changed = Signal(object)
    begun = Signal()
    ended = Signal()
    finished = Signal(object, str)
    open_wanted = Signal(object, str)
    """folder, episode id: show it in Replay"""

    _changed = Signal(object, object)
    _saved = Signal()
    _trouble = Signal(object, object)

    def __init__(self, context: Context, live: LiveController) -> None:
        super().__init__(context)
        self._context, self._live = context, live
        self._bar: CommandBar | None = None
        self.session: RecordingSession | None = None
        self._left: UnfinishedRecording | None = None
        """what an earlier session left, in the label panel now"""
        self._is_running = self._beginning = self._stopping = False
        self._then: SurveyAnswers | None = None
        """what the recording is to be saved with as soon as it has stopped"""
        self._message = ""
        self._last: tuple[Path, str] | None = None
        self._pictures: StripPictures | None = None
        self._end_recording: Callable[[], object] = lambda: None
        self._clock = QTimer(self)
        self._clock.setInterval(CLOCK_MS)
        self._clock.timeout.connect(self._show_clock)
        queued = Qt.ConnectionType.QueuedConnection
        self._changed.connect(self._show_change, queued)
        self._saved.connect(self._ask_for_pictures, queued)
        self._trouble.connect(self._in_trouble, queued)
        live.session_changed.connect(self._device_changed)
        live.state_changed.connect(self._mirror_changed)

    @property
    def is_running(self) -> bool:
        """Actions are being recorded, though perhaps paused."""
        return self._is_running

    def so_far(self) -> tuple[Step, ...]:
        """The steps of the recording that goes on, with the pictures that are written; from any thread."""
        return self.session.steps_with_pictures() if self.session is not None else ()

    def bind(self, bar: CommandBar) -> None:
        self._bar = bar

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "record.toggle": self.toggle,
            "record.pause": self._toggle_pause,
            "record.login": self._toggle_login,
            "record.undo": self._undo,
            "record.redo": self._redo,
            "record.note": lambda: self._live.parts.recording.note.click(),
            "record.open": self._open_last,
        }

    def connect_parts(self) -> None:
        """Join the views; once, when the workspace is first entered."""
        if self._pictures is not None:
            return
        parts = self._live.parts
        self._pictures = StripPictures(self._context, parts.recording, lambda: self.session)
        strip, label = parts.recording, parts.left.label
        parts.centre.title.record_clicked.connect(self.toggle)
        strip.undo_requested.connect(self._undo)
        strip.pause_toggled.connect(lambda _on: self._toggle_pause())
        strip.login_toggled.connect(lambda _on: self._toggle_login())
        strip.note_given.connect(self._note)
        label.save_requested.connect(self.save)
        label.discard_requested.connect(self.discard)
        parts.left.task.goal_changed.connect(self._goal_changed)
        self._context.start("look for recordings", lambda _token: unfinished_ones(), self._offer_unfinished)

    # Begin and end ---------------------------------------------------------------------------------------------------

    def toggle(self) -> None:
        if self._is_running:
            self.stop()
        elif self.session is not None or self._left is not None:
            self._context.messages.info("The last recording waits for its label. Save or discard it first.")
            self._live.parts.left.label.ask_for_label()
        else:
            self.begin()
        self._check()

    def begin(self) -> None:
        """Record from now on."""
        session = self._live.current
        if session is None or self._beginning:
            return
        self._beginning = True
        self.connect_parts()
        goal, annotator = self._live.parts.left.task.goal().strip(), self._context.preferences.annotator

        def begun(facts: dict[str, str]) -> None:
            self._context.start(
                "begin recording",
                lambda _token: self._make(goal, facts, annotator),
                self._begun,
                failed=self._not_begun,
            )

        self._live.answers.when(session.do(lambda device: dict(device.facts())), begun, self._not_begun)

    def _make(self, goal: str, facts: dict[str, str], annotator: str) -> RecordingSession:
        """Make the folder of the recording, in a worker's thread."""
        from stepscope.app.services.live.recording import RecordingSession
        from stepscope.app.services.live.recordings import new_folder

        folder = new_folder(goal)
        return RecordingSession(
            goal,
            device=facts,
            annotator=annotator,
            folder=folder,
            on_change=partial(self._changed.emit, folder),
            on_saved=lambda _steps: self._saved.emit(),
            on_trouble=partial(self._trouble.emit, folder),
        )

    def _begun(self, recording: RecordingSession) -> None:
        self._beginning = False
        device = self._live.current
        if device is None:
            recording.discard()
            return
        self.session, self._is_running, self._message = recording, True, ""
        device.watch_screen = True
        self._end_recording = device.performed.add(recording.record)
        self._context.conditions.set("recording", True)
        self._context.status.put("recording", f"Recording to {recording.folder.name}", str(recording.folder))
        self._clock.start()
        self._show(recording.recorded)
        self._show_clock()
        self._show_label()
        self.begun.emit()
        if recording.trouble is not None:  # it may have been told before there was a session
            self._in_trouble(recording.folder, recording.trouble)

    def _not_begun(self, error: Exception) -> None:
        self._beginning = False
        self._check()
        self._live.failed(error)

    def stop(self) -> None:
        """Take no more steps; the screen as it is now is the last one. Then the label is asked for."""
        recording, device = self.session, self._live.current
        if recording is None or not self._is_running:
            return
        self._rest()
        self._stopping = True
        self._show_label()
        if device is None:
            self._stopped(recording, None)
        else:
            self._live.answers.when(
                device.look(),
                lambda seen: self._stopped(recording, seen),
                lambda _error: self._stopped(recording, None),
            )

    def _rest(self) -> None:
        self._is_running = False
        self._end_recording()
        if self._live.current is not None:
            self._live.current.watch_screen = False
        self._context.conditions.set("recording", False)
        self._context.status.put("recording", "")
        self._clock.stop()
        self._live.parts.centre.title.set_recording(None)
        self._check()

    def _stopped(self, recording: RecordingSession, seen: ScreenSnapshot | None) -> None:
        recording.stop(seen)
        self._stopping = False
        survey, self._then = self._then, None
        if recording is self.session and survey is not None:
            self.ended.emit()
            self.save(survey)
        elif recording is self.session:
            self._show_label()
            self._live.parts.left.label.ask_for_label()
            self.ended.emit()

    def end(self) -> None:
        """The window is closing: what is recorded stays, to be finished at the next start."""
        if self.session is not None:
            if self._is_running:
                self._rest()
            self.session.close()
            self.session = None

    def _device_changed(self) -> None:
        if self._is_running:
            self.stop()

    def _mirror_changed(self, state: MirrorState) -> None:
        if self.session is not None and self._is_running:
            self.session.mirror_state(state)

    # While it runs ---------------------------------------------------------------------------------------------------

    def _toggle_pause(self) -> None:
        if self.session is not None:
            (self.session.resume if self.session.recorded.paused else self.session.pause)()

    def _toggle_login(self) -> None:
        if self.session is not None:
            (self.session.end_login if self.session.recorded.login else self.session.begin_login)()

    def _undo(self) -> None:
        if self.session is not None and self.session.recorded.can_undo:
            self.session.undo()
        elif self._bar is not None:
            self._bar.run("edit.undo")

    def _redo(self) -> None:
        if self.session is not None and self.session.recorded.can_redo:
            self.session.redo()
        elif self._bar is not None:
            self._bar.run("edit.redo")

    def _note(self, place: int, text: str) -> None:
        recording = self.session
        if recording is not None and 0 <= place < len(entries := recording.recorded.entries):
            recording.note(text, entries[place].number)

    def _goal_changed(self, goal: str) -> None:
        if self.session is not None and goal.strip():
            self.session.rename_goal(goal.strip())
        if not self._is_running:
            self._show_label()

    def _in_trouble(self, folder: Path, error: UserError) -> None:
        if self.session is not None and self.session.folder == folder and not self._message:
            self._message = f"{error.message[:1].upper()}{error.message[1:]}. {error.hint}".strip()
            self._live.failed(error)
            self.stop()

    # The label -------------------------------------------------------------------------------------------------------

    def save(self, survey: SurveyAnswers) -> None:
        """Write the final words."""
        goal = self._live.parts.left.task.goal().strip()
        if self.session is not None and not goal:
            self._show_label(NO_GOAL)
            self._live.parts.left.task.focus_goal()
            return
        if self._is_running or self._stopping:
            self._then = survey
            self.stop()
            return
        said = presenter.said_of(survey)
        if self._left is not None:
            folder = self._left.folder
            self._context.start(
                "finish recording", lambda _token: complete_one(folder, said), self._kept, failed=self._not_kept
            )
        elif self.session is not None:
            self.session.rename_goal(goal)
            self._show_label(saving=True)
            self._live.answers.when(self.session.finish(said), self._kept, self._not_kept)

    def _kept(self, folder: Path) -> None:
        self._context.messages.settle(UNFINISHED)
        self.session, self._left = None, None
        self._last = (folder, folder.name)
        self._show(None)
        self._show_label()
        self._context.conditions.set("recorded", True)
        self._context.messages.info(
            "It lies with your recordings.",
            ("record.open", "Open in Replay"),
            title=f"Saved {folder.name}.",
            about=RECORDED,
        )
        self.finished.emit(folder, folder.name)

    def _not_kept(self, error: Exception) -> None:
        self._show_label(str(error) if isinstance(error, UserError) else "")
        self._live.failed(error)

    def discard(self) -> None:
        """Throw the recording away, after asking."""
        steps = len(self.session.recorded.steps) if self.session is not None else self._left.steps if self._left else 0
        if (self.session is None and self._left is None) or (
            steps and not may_discard(self._context.dialog_parent, steps)
        ):
            return
        if self._is_running:
            self._rest()
        self._context.messages.settle(UNFINISHED)
        recording, left = self.session, self._left
        self.session, self._left = None, None
        self._show(None)
        self._show_label()
        self._context.start("discard recording", lambda _token: remove(recording, left), lane="writer")
        self.ended.emit()

    def _offer_unfinished(self, found: tuple[UnfinishedRecording, ...]) -> None:
        """The newest recording that an earlier session left without a label waits in the panel."""
        if not found or self.session is not None:
            return
        self._left = found[-1]
        if not self._live.parts.left.task.goal():
            self._live.parts.left.task.set_goal(self._left.goal)
        self._show_label()
        more = f" {counted(len(found) - 1, 'older one')} will follow." if len(found) > 1 else ""
        self._context.messages.info(
            f"“{self._left.goal or self._left.folder.name}”, {counted(self._left.steps, 'step')}: "
            f"say at the left how it went, or discard it.{more}",
            title="A recording was not finished.",
            about=UNFINISHED,
        )

    # Showing ---------------------------------------------------------------------------------------------------------

    def _show_change(self, folder: Path, recorded: RecordingStatus) -> None:
        if self.session is not None and self.session.folder == folder:
            self._show(recorded)

    def _ask_for_pictures(self) -> None:
        if self._pictures is not None:
            self._pictures.ask_again()

    def _show(self, recorded: RecordingStatus | None) -> None:
        strip = self._live.parts.recording
        strip.set_cells(presenter.cells_of(recorded) if recorded is not None else [])
        strip.set_state(presenter.state_of(recorded, active=self._is_running, message=self._message))
        self._check(recorded)
        if recorded is not None:
            self.changed.emit(recorded)

    def _check(self, recorded: RecordingStatus | None = None) -> None:
        if self._bar is not None:
            self._bar.check("record.toggle", self._is_running)
            self._bar.check("record.pause", recorded is not None and recorded.paused)
            self._bar.check("record.login", recorded is not None and recorded.login)

    def _show_label(self, problem: str = "", *, saving: bool = False) -> None:
        from stepscope.widgets.live import LabelPhase, LabelState

        label = self._live.parts.left.label
        if self._left is not None:
            label.show_state(LabelState(LabelPhase.DUE, self._left.steps, 0, problem, self._left.folder.name))
        elif self.session is None:
            label.show_state(LabelState(LabelPhase.NOTHING))
        else:
            recorded = self.session.recorded
            phase = LabelPhase.SAVING if saving else LabelPhase.RECORDING if self._is_running else LabelPhase.DUE
            asks = sum(entry.ask is not None for entry in recorded.entries)
            label.show_state(LabelState(phase, len(recorded.steps), asks, problem, self.session.folder.name))

    def _show_clock(self) -> None:
        if self.session is not None and self._is_running:
            self._live.parts.centre.title.set_recording(self.session.seconds, paused=self.session.recorded.paused)

    def _open_last(self) -> None:
        if self._last is not None:
            self._context.messages.settle(RECORDED)
            self.open_wanted.emit(*self._last)
