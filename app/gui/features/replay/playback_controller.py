"""Playback: step after step by itself, at the speed that is chosen or as it was recorded, once or over and over."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import ReplayViews
from stepscope.widgets import format as words
from stepscope.widgets.timeline import SPEEDS, durations, has_times

if TYPE_CHECKING:
    from stepscope.widgets.replay.centre import ReplayCentre

SHORTEST = 0.01
"""Seconds that a step stays at least, however close together they were recorded."""
SPEED_COMMANDS = {f"speed.{speed:g}": speed for speed in SPEEDS}


class PlaybackController(QObject):
    """Plays the episode that is shown until its last step, or until another one is shown; with a `loop`, its steps
    (first, last) over and over. A step that was painted late does not put off the next ones."""

    playing_changed = Signal(bool)

    def __init__(self, context: Context, replay: EpisodeViewer, views: ReplayViews) -> None:
        super().__init__(context)
        self._context, self._replay, self._timeline = context, replay, views.timeline
        self._bar: CommandBar | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._play_on)
        self._due = 0.0
        """when the next step is to be shown, by the clock that never goes back"""
        self._took: tuple[float, ...] | None = None
        """seconds that each step took when it was recorded"""
        self.loop: tuple[int, int] | None = None
        self._loop_start: int | None = None
        self._connect(views.centre)

    def _connect(self, centre: ReplayCentre) -> None:
        timeline = self._timeline
        self._context.selection.episode_changed.connect(self._episode_changed)
        timeline.play_toggled.connect(lambda _wanted: self.toggle())
        timeline.speed_changed.connect(self.set_speed)
        timeline.by_time_changed.connect(self.set_by_time)
        timeline.loop_changed.connect(self._set_loop)
        centre.view.space_tapped.connect(self.toggle)
        self.playing_changed.connect(timeline.set_playing)
        self._context.preferences_changed.connect(self._show_preferences)
        self._show_preferences()

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "step.play": self.toggle,
            "step.loop": self.toggle_loop,
            "step.by_time": lambda: self.set_by_time(not self._context.preferences.by_time),
            "speed.slower": lambda: self.change_speed(-1),
            "speed.faster": lambda: self.change_speed(1),
            **{command: partial(self.set_speed, speed) for command, speed in SPEED_COMMANDS.items()},
        }

    def bind(self, bar: CommandBar) -> None:
        """Take the commands whose check marks this keeps."""
        self._bar = bar
        self._show_preferences()

    def _show_preferences(self) -> None:
        preferences, timeline = self._context.preferences, self._timeline
        timeline.set_speed(preferences.speed)
        timeline.set_by_time(preferences.by_time)
        if self._bar is not None:
            self._bar.check("step.by_time", preferences.by_time)
            for command, speed in SPEED_COMMANDS.items():
                self._bar.check(command, speed == preferences.speed)

    def _episode_changed(self) -> None:
        self.stop()
        self._set_loop(None)
        episode = self._context.selection.episode
        times = [step.observation.time for step in episode.steps] if episode else []
        self._took = durations(times) if has_times(times) else None
        self._context.conditions.set("timed", self._took is not None)

    # Play ------------------------------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def toggle(self) -> None:
        """Play from here, from the start when at the end or outside of the loop; or stop."""
        if self.playing:
            self.stop()
            return
        selection = self._context.selection
        if selection.episode is None or not selection.episode.steps:
            return
        first, last = self._range()
        if not first <= selection.step_index < last:
            self._replay.go(first)
        self._due = time.monotonic()
        self._wait()
        self.playing_changed.emit(True)

    def stop(self) -> None:
        if self.playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def _range(self) -> tuple[int, int]:
        """The first and the last step that are played."""
        episode = self._context.selection.episode
        return self.loop or (0, max(len(episode.steps) - 1, 0) if episode else 0)

    def _wait(self) -> None:
        """Wait until the shown step has been there for its time."""
        now = time.monotonic()
        self._due = max(self._due + self._stay(), now)
        self._timer.start(round(1000 * (self._due - now)))

    def _stay(self) -> float:
        """Seconds that the step shown now is to stay."""
        preferences = self._context.preferences
        recorded = self._took[self._context.selection.step_index] if preferences.by_time and self._took else 1.0
        return max(recorded / preferences.speed, SHORTEST)

    def _play_on(self) -> None:
        first, last = self._range()
        here = self._context.selection.step_index
        if here < last:
            self._replay.move(1)
        elif self.loop is not None:
            self._replay.go(first)
        else:
            self.playing_changed.emit(False)
            return
        self._wait()

    # How -------------------------------------------------------------------------------------------------------------

    def set_speed(self, speed: float) -> None:
        """Steps a second, or times the recorded speed."""
        self._context.prefer(speed=speed)
        self._begin_anew()

    def change_speed(self, by: int) -> None:
        """The next faster (1) or slower (-1) of SPEEDS."""
        now = min(range(len(SPEEDS)), key=lambda i: abs(SPEEDS[i] - self._context.preferences.speed))
        self.set_speed(SPEEDS[min(max(now + by, 0), len(SPEEDS) - 1)])

    def set_by_time(self, by_time: bool) -> None:
        """Whether steps stay, and are as wide in the timeline, as long as they took."""
        self._context.prefer(by_time=by_time)
        self._begin_anew()

    def _begin_anew(self) -> None:
        """The step that is shown stays as long as one does now."""
        if self.playing:
            self._due = time.monotonic()
            self._wait()

    # The loop --------------------------------------------------------------------------------------------------------

    def toggle_loop(self) -> None:
        """Once: from this step on; at another step: as far as here; once more: no loop."""
        here, tell = self._context.selection.step_index, self._context.messages.done
        if self.loop is not None or self._loop_start == here:
            self._set_loop(None)
            tell("No steps are played over and over any more.")
        elif self._loop_start is None:
            self._set_loop(None)
            self._loop_start = here
            self._timeline.set_loop((here, here))
            key = self._bar.key_of("step.loop") if self._bar else ""
            tell(f"The loop begins at step {words.count(here + 1)}. Go to its other end and press {key} again.")
        else:
            first, last = sorted((self._loop_start, here))
            self._set_loop((first, last))
            tell(f"Steps {words.count(first + 1)} to {words.count(last + 1)} are played over and over.")

    def leave_loop(self) -> None:
        self._set_loop(None)

    def _set_loop(self, loop: tuple[int, int] | None) -> None:
        self.loop, self._loop_start = loop, None
        self._timeline.set_loop(loop)
        if self._bar is not None:
            self._bar.check("step.loop", loop is not None)
