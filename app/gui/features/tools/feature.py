"""The pages of Tools and Help as the workbench knows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import RunCatalog

if TYPE_CHECKING:
    from stepscope.app.gui.features.tools.tools_controller import ToolsController


class ToolsFeature(LateFeature):
    id = "tools"
    commands = (
        "tools.tasks", "tools.defects", "tools.agreement", "tools.performance", "source.problems", "help.licences",
        "help.machine",
    )  # fmt: skip

    def __init__(
        self,
        context: Context,
        viewer: EpisodeViewer,
        runs: RunCatalog,
        again: Callable[[str], object],
        read_again: Callable[[], object],
    ) -> None:
        super().__init__(context)
        self._viewer, self._runs, self._again, self._read_again = viewer, runs, again, read_again
        self._controller: ToolsController | None = None

    @property
    def controller(self) -> ToolsController:
        self.build()
        assert self._controller is not None
        return self._controller

    def source_read(self) -> None:
        """More of a source was read: the page about what is wrong with it says so."""
        if self._controller is not None:
            self._controller.source_read()

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.tools.tools_controller import ToolsController

        self._controller = ToolsController(self._context, self._viewer, self._runs, self._again, self._read_again)
        return self._controller.handlers(), {}
