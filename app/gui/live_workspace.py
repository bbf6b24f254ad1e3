"""The Live workspace's controllers, joined."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from app.gui.commands.bar import CommandBar
from app.gui.context import Context
from app.gui.controllers.library import LibraryController
from app.gui.controllers.live import LiveController
from app.gui.controllers.live_devices import LiveDevicesController
from app.gui.controllers.live_recording import LiveRecordingController
from app.gui.controllers.live_screen import LiveScreenController
from app.gui.controllers.replay import ReplayController

AGENT = ("agent.approve", "agent.reject", "agent.pause", "agent.stop")


class LiveWorkspace(QObject):
    """Makes no view before it is entered."""

    def __init__(self, context: Context, library: LibraryController, replay: ReplayController) -> None:
        super().__init__(context)
        self._context, self._library, self._replay = context, library, replay
        self.device = LiveController(context)
        self.list = LiveDevicesController(context, self.device)
        self.screen = LiveScreenController(context, self.device)
        self.recording = LiveRecordingController(context, self.device)
        self.recording.open_wanted.connect(self._open_recording)

    def handlers(self) -> dict[str, Callable[[], object]]:
        handlers: dict[str, Callable[[], object]] = dict.fromkeys(AGENT, lambda: None)
        for controller in (self.device, self.list, self.screen, self.recording):
            handlers |= controller.handlers()
        return handlers

    def bind(self, bar: CommandBar) -> None:
        self.recording.bind(bar)

    def enter(self) -> None:
        """The workspace comes to the front."""
        self.screen.enter()
        self.recording.connect_parts()
        self.list.enter()
        self.device.parts.centre.view.setFocus()

    def end(self) -> None:
        """The window is closing: what is recorded is kept, all threads end."""
        self.recording.end()
        self.screen.end()
        self.list.end()
        self.device.end()

    def _open_recording(self, folder: Path, episode: str) -> None:
        """Show a recording in Replay, among the others that lie beside it."""

        def show() -> None:
            self._context.window.set_workspace("replay")
            self._replay.open_episode(episode)

        self._library.opening.open_path(folder.parent, show, again=True)
