"""Playback: step after step by itself, at the speed that is chosen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.context import Context
from app.gui.controllers.replay import ReplayController
from app.gui.preferences import SPEEDS


class PlaybackController(QObject):
    """Plays the episode that is shown until its last step, or until another one is shown."""

    playing_changed = Signal(bool)

    def __init__(self, context: Context, replay: ReplayController) -> None:
        super().__init__(context)
        self._context, self._replay = context, replay
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._play_on)
        self._connect()

    def _connect(self) -> None:
        window, timeline = self._context.window, self._context.window.timeline
        self._context.selection.episode_changed.connect(self.stop)
        timeline.set_speed(self._context.preferences.speed)
        timeline.play_toggled.connect(lambda _wanted: self.toggle())
        timeline.speed_changed.connect(self.set_speed)
        window.replay.view.space_tapped.connect(self.toggle)
        self.playing_changed.connect(timeline.set_playing)
        self._context.preferences_changed.connect(lambda: timeline.set_speed(self._context.preferences.speed))

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "step.play": self.toggle,
            "speed.slower": lambda: self.change_speed(-1),
            "speed.faster": lambda: self.change_speed(1),
        }

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def toggle(self) -> None:
        """Play from here, from the start when at the end; or stop."""
        if self.playing:
            self.stop()
            return
        selection = self._context.selection
        if selection.episode is None or not selection.episode.steps:
            return
        if selection.step_index == len(selection.episode.steps) - 1:
            self._replay.go(0)
        self._timer.start(round(1000 / self._context.preferences.speed))
        self.playing_changed.emit(True)

    def stop(self) -> None:
        if self.playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def set_speed(self, speed: float) -> None:
        """Steps a second."""
        self._context.prefer(speed=speed)
        if self.playing:
            self._timer.start(round(1000 / speed))

    def change_speed(self, by: int) -> None:
        """The next faster (1) or slower (-1) of SPEEDS."""
        now = min(range(len(SPEEDS)), key=lambda i: abs(SPEEDS[i] - self._context.preferences.speed))
        self.set_speed(SPEEDS[min(max(now + by, 0), len(SPEEDS) - 1)])

    def _play_on(self) -> None:
        selection = self._context.selection
        if selection.episode is None or selection.step_index >= len(selection.episode.steps) - 1:
            self.stop()
        else:
            self._replay.move(1)
