"""The start page, the tour and the sample as the workbench knows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import Anchors, Library, RunCatalog, StartViews

if TYPE_CHECKING:
    from stepscope.app.gui.features.start.sample_opening import SampleOpening
    from stepscope.app.gui.features.start.start_controller import StartController
    from stepscope.app.gui.features.start.tour_controller import TourController

ABOUT_DATA = ("replay", "compare", "ordering")
"""Workspaces that show nothing while no data is open."""


class StartFeature(LateFeature):
    """The page is built when it is first shown; opening the sample and the tour need nothing of it. It comes by itself
    when the last data is closed in a workspace that is about data, and goes when data is opened."""

    id = "start"
    views = ("start",)
    commands = ("view.start",)
    keys = ("wrong.next",)

    def __init__(
        self,
        context: Context,
        views: StartViews,
        library: Library,
        viewer: EpisodeViewer,
        runs: RunCatalog,
        open_paths: Callable[[Sequence[str]], object],
        locate: Callable[[Path], object],
        anchors: Anchors,
    ) -> None:
        super().__init__(context)
        self._views, self._library, self._viewer, self._runs = views, library, viewer, runs
        self._open_paths, self._locate, self._anchors = open_paths, locate, anchors
        self._bar: CommandBar | None = None
        self._controller: StartController | None = None
        context.selection.source_changed.connect(self._source_changed)

    @cached_property
    def sample(self) -> SampleOpening:
        """Made when the sample is first opened."""
        from stepscope.app.gui.features.start.sample_opening import SampleOpening

        return SampleOpening(self._context, self._library, self._viewer)

    @cached_property
    def tour(self) -> TourController:
        """Made when the tour is first taken."""
        from stepscope.app.gui.features.start.tour_controller import TourController

        assert self._bar is not None
        return TourController(self._context, self._bar, self.sample, self._anchors)

    def handlers(self) -> Handlers:
        return super().handlers() | {"open.sample": lambda: self.sample.open(), "help.tour": lambda: self.tour.begin()}

    def bind(self, bar: CommandBar) -> None:
        self._bar = bar

    def enter(self) -> None:
        self.build()
        assert self._controller is not None
        self._controller.enter()

    def show_where_nothing_is_open(self) -> None:
        """Show the page, unless the person wants none."""
        if self._context.preferences.start_page:
            self._context.workspaces.set_workspace(self.id)

    def _source_changed(self) -> None:
        workspaces = self._context.workspaces
        if self._context.selection.source is None:
            if workspaces.workspace in ABOUT_DATA:
                self.show_where_nothing_is_open()
        elif workspaces.workspace == self.id:
            workspaces.set_workspace("replay")

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.start.start_controller import StartController

        assert self._bar is not None
        controller = self._controller = StartController(
            self._context, self._views.start, self.sample, self._runs, self._bar, self._open_paths, self._locate
        )
        toggle = partial(self._context.workspaces.toggle_page, self.id)
        return {"view.start": toggle}, {"wrong.next": controller.go_to_wrong_step}
