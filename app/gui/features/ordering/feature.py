"""Step ordering as the workbench knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import EpisodeJudged
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.layouts import LATE_VIEWS_OF
from stepscope.app.gui.shell.ports import OrderingViews

if TYPE_CHECKING:
    from stepscope.app.gui.features.ordering.ordering_controller import OrderingController


class OrderingFeature(LateFeature):
    """`judged` gives what the shown runs answered about the shown episode, `run_names` the runs' names by letter."""

    id = "ordering"
    views = LATE_VIEWS_OF[id]
    modules = (
        "stepscope.app.gui.features.ordering.ordering_controller",
        "stepscope.widgets.ordering.centre",
    )

    def __init__(
        self,
        context: Context,
        views: OrderingViews,
        viewer: EpisodeViewer,
        judged: Callable[[], JudgedEpisode],
        run_names: Callable[[], list[str]],
    ) -> None:
        super().__init__(context)
        self._views, self._viewer, self._judged, self._run_names = views, viewer, judged, run_names
        self._controller: OrderingController | None = None

    @property
    def controller(self) -> OrderingController:
        self.build()
        assert self._controller is not None
        return self._controller

    def enter(self) -> None:
        self._views.ordering.board.setFocus()

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.ordering.ordering_controller import OrderingController

        ordering = self._controller = OrderingController(
            self._context, self._views.ordering, self._views.orders, self._viewer
        )
        ordering.set_judged(self._judged(), self._run_names())
        self._context.events.while_shown(
            self.id, EpisodeJudged, lambda event: ordering.set_judged(event.judged, self._run_names())
        )
        return {}, {}
