"""The Live workspace's controllers, joined."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.live.live_agent_controller import LiveAgentController
from stepscope.app.gui.features.live.live_controller import LiveController
from stepscope.app.gui.features.live.live_devices_controller import LiveDevicesController
from stepscope.app.gui.features.live.live_goal_controller import LiveGoalController
from stepscope.app.gui.features.live.live_overlay_controller import LiveOverlayController
from stepscope.app.gui.features.live.live_recording_controller import LiveRecordingController
from stepscope.app.gui.features.live.live_screen_controller import LiveScreenController
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import Library, LiveViews
from stepscope.core.domain.action import OpenApp
from stepscope.core.domain.layers import Layer, run_layer

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database


class LiveWorkspace(QObject):
    """Makes no view before it is entered."""

    def __init__(self, context: Context, views: LiveViews, library: Library, replay: EpisodeViewer) -> None:
        super().__init__(context)
        self._context, self._library, self._replay = context, library, replay
        self.device = LiveController(context, views)
        self.list = LiveDevicesController(context, self.device)
        self.screen = LiveScreenController(context, self.device)
        self.recording = LiveRecordingController(context, self.device)
        self.agent = LiveAgentController(context, self.device, self.recording)
        self.overlay = LiveOverlayController(context, self.device, self.recording.so_far)
        self.goals = LiveGoalController(context, self.device, self.recording, self.agent, self.overlay)
        self.recording.open_wanted.connect(self._open_recording)
        self.recording.changed.connect(lambda _recorded: self.overlay.more_done())
        context.selection.source_changed.connect(self._offer_goals)
        self._app_wanted = ""
        """package of a campaign's task that waits for a phone"""
        self.device.session_changed.connect(self._open_wanted_app)

    def handlers(self) -> dict[str, Callable[[], object]]:
        handlers: dict[str, Callable[[], object]] = {}
        for controller in (self.device, self.list, self.screen, self.recording, self.agent, self.overlay):
            handlers |= controller.handlers()
        return handlers

    def own_keys(self) -> dict[str, Callable[[], object]]:
        """Commands that mean the live screen while it is in front."""
        toggled = {"layer.tree": Layer.TREE, "layer.labels": Layer.LABELS}
        toggled |= {f"layer.{'abcdefgh'[run]}": run_layer(run) for run in range(8)}
        return {command: partial(self._toggle_layer, layer) for command, layer in toggled.items()} | {
            "zoom.in": lambda: self.device.parts.centre.view.zoom_in(),
            "zoom.out": lambda: self.device.parts.centre.view.zoom_out(),
            "zoom.fit": lambda: self.device.parts.centre.view.fit(),
            "find.element": self._find_element,
        }

    def _toggle_layer(self, layer: Layer) -> None:
        self.device.parts.centre.tools.toggle(layer)

    def _find_element(self) -> None:
        side = self.device.parts.side
        side.setCurrentWidget(side.tree)
        side.tree.focus_search()

    def bind(self, bar: CommandBar) -> None:
        self.recording.bind(bar)
        bar.give_keys("mirror", self.device.parts.centre)

    def _offer_goals(self) -> None:
        """The goals of the open data can be pursued here too."""
        from stepscope.widgets.live import GoalSuggestion

        source = self._context.selection.source
        if source is None or self._context.workspaces.workspace != "live":
            return
        key, title = source.id, source.title

        def ask(database: Database) -> list[str]:
            from stepscope.core.store.suggestions import goals

            with database.reading() as db:
                return goals(db, key)

        def arrived(found: list[str]) -> None:
            offered = [GoalSuggestion(goal, f"A goal of {title}") for goal in found]
            self.device.parts.left.task.set_suggestions(offered)

        self._context.query("goals", ask, arrived, priority=-1)

    def enter(self) -> None:
        """The workspace comes to the front."""
        self._offer_goals()
        self.screen.enter()
        self.recording.connect_parts()
        self.agent.enter()
        self.overlay.enter()
        self.goals.enter()
        self.list.enter()
        self.device.parts.centre.view.setFocus()

    def end(self) -> None:
        """The window is closing: what is recorded is kept, all threads end."""
        self.overlay.end()
        self.agent.end()
        self.recording.end()
        self.screen.end()
        self.list.end()
        self.device.end()

    def take_task(self, goal: str, package: str) -> None:
        """A task of a campaign: its goal stands in the panel, and its app is opened on the phone, now or when one is
        connected."""
        self._context.workspaces.set_workspace("live")
        self.device.parts.left.task.set_goal(goal)
        self._app_wanted = package
        if self.device.current is None:
            self._context.messages.info("Choose a phone at the left; the app is opened there.", title=f"“{goal}”")
        self._open_wanted_app()

    def _open_wanted_app(self) -> None:
        session, package = self.device.current, self._app_wanted
        if session is not None and package:
            self._app_wanted = ""
            self.device.answers.when(session.act(OpenApp(package)))

    def _open_recording(self, folder: Path, episode: str) -> None:
        """Show a recording in Replay, among the others that lie beside it."""

        self._context.workspaces.set_workspace("replay")
        self._library.open_path(folder.parent, lambda: self._replay.open_episode(episode), again=True)
