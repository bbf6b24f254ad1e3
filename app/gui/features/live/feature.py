"""Live devices as the workbench knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import Library, LiveViews

if TYPE_CHECKING:
    from stepscope.app.gui.features.live.live_workspace import LiveWorkspace


class LiveFeature(LateFeature):
    id = "live"
    commands = (
        "device.back", "device.home", "device.recents", "device.power", "device.rotate", "device.keys",
        "device.freeze", "device.reconnect", "device.disconnect", "device.connect", "device.simulated",
        "device.refresh", "device.replay", "device.screenshot", "device.save_screen", "device.install",
        "device.models",
        "record.toggle", "record.pause", "record.login", "record.undo", "record.redo", "record.note", "record.open",
        "agent.approve", "agent.reject", "agent.pause", "agent.stop", "agent.words",
    )  # fmt: skip
    keys = (
        "layer.tree", "layer.labels", *(f"layer.{letter}" for letter in "abcdefgh"),
        "zoom.in", "zoom.out", "zoom.fit", "find.element",
    )  # fmt: skip
    modules = (
        "stepscope.app.gui.features.live.live_workspace",
        "stepscope.app.gui.features.live.agent_choices",
        "stepscope.app.services.live.devices",
        "stepscope.app.services.live.recordings",
        "stepscope.core.store.suggestions",
        "stepscope.widgets.live.parts",
    )

    def __init__(self, context: Context, views: LiveViews, library: Library, viewer: EpisodeViewer) -> None:
        super().__init__(context)
        self._views, self._library, self._viewer = views, library, viewer
        self._bar: CommandBar | None = None
        self._workspace: LiveWorkspace | None = None

    @property
    def workspace(self) -> LiveWorkspace:
        self.build()
        assert self._workspace is not None
        return self._workspace

    def bind(self, bar: CommandBar) -> None:
        self._bar = bar

    def enter(self) -> None:
        self.workspace.enter()

    def end(self) -> None:
        """End all threads; what is recorded is kept."""
        if self._workspace is not None:
            self._workspace.end()

    def take_task(self, goal: str, package: str) -> None:
        """A task of a campaign: see `LiveWorkspace.take_task`."""
        self.workspace.take_task(goal, package)

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.live.live_workspace import LiveWorkspace

        self._workspace = LiveWorkspace(self._context, self._views, self._library, self._viewer)
        if self._bar is not None:
            self._workspace.bind(self._bar)
        return self._workspace.handlers(), self._workspace.own_keys()
