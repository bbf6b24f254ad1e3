"""Step ordering as the workbench knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.commands.ordering import ORDERING_COMMANDS
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import EpisodeJudged
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.layouts import LATE_VIEWS_OF
from stepscope.app.gui.shell.ports import Library, OrderingViews, RunCatalog
from stepscope.app.gui.shell.undo import UndoHistory

if TYPE_CHECKING:
    from stepscope.app.gui.features.ordering.ordering_controller import OrderingController


class OrderingFeature(LateFeature):
    """`judged` gives what the shown runs answered about the shown episode, `run_names` the runs' names by id."""

    id = "ordering"
    views = LATE_VIEWS_OF[id]
    commands = tuple(command.id for command in ORDERING_COMMANDS)
    keys = ("zoom.in", "zoom.out", "zoom.fit", "filter.episodes")
    modules = (
        "stepscope.app.gui.features.ordering.ordering_controller",
        "stepscope.widgets.ordering.centre",
    )

    def __init__(
        self,
        context: Context,
        views: OrderingViews,
        viewer: EpisodeViewer,
        library: Library,
        runs: RunCatalog,
        history: UndoHistory,
        judged: Callable[[], JudgedEpisode],
        run_names: Callable[[], Mapping[str, str]],
    ) -> None:
        super().__init__(context)
        self._views, self._viewer, self._judged, self._run_names = views, viewer, judged, run_names
        self._library, self._runs, self._history = library, runs, history
        self._controller: OrderingController | None = None

    @property
    def controller(self) -> OrderingController:
        self.build()
        assert self._controller is not None
        return self._controller

    def enter(self) -> None:
        self._views.ordering.board.setFocus()

    def end(self) -> None:
        if self._controller is not None:
            self._controller.end()

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.ordering.ordering_controller import OrderingController

        ordering = self._controller = OrderingController(
            self._context, self._views, self._viewer, self._library, self._runs, self._history
        )
        ordering.set_judged(self._judged(), self._run_names())
        self._context.events.while_shown(
            self.id, EpisodeJudged, lambda event: ordering.set_judged(event.judged, self._run_names())
        )
        if ordering.is_in_front:  # one came here while what it stands on was being loaded
            ordering.come_into_view()
        return ordering.handlers(), ordering.keys()
