"""Compare as the workbench knows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import EpisodeJudged, LooksElsewhere
from stepscope.app.gui.shell.feature import Handlers, LateFeature, SessionPart
from stepscope.app.gui.shell.key_filter import KeyFilter
from stepscope.app.gui.shell.layouts import LATE_VIEWS_OF
from stepscope.app.gui.shell.ports import CompareViews, RunCatalog, ShowItem
from stepscope.core.domain.run import Run

if TYPE_CHECKING:
    from stepscope.app.gui.features.compare.compare_controller import CompareController
    from stepscope.app.gui.features.compare.compare_rules_controller import CompareRulesController
    from stepscope.app.gui.features.compare.compare_screens_controller import CompareScreensController
    from stepscope.widgets.screen import LayerBar


class CompareFeature(LateFeature):
    """`filter_wanted(words)`: the episodes are to be filtered by this; `judged` gives the shown episode's."""

    id = "compare"
    views = LATE_VIEWS_OF[id]
    keys = (
        "wrong.next", "wrong.previous", "zoom.in", "zoom.out", "zoom.fit", "zoom.full", "zoom.marks", "zoom.loupe",
    )  # fmt: skip
    modules = (
        "stepscope.app.gui.features.compare.compare_controller",
        "stepscope.app.gui.features.compare.compare_screens_controller",
        "stepscope.app.gui.features.compare.compare_rules_controller",
        "stepscope.widgets.compare",
    )

    def __init__(
        self,
        context: Context,
        views: CompareViews,
        layers: LayerBar,
        viewer: EpisodeViewer,
        runs: RunCatalog,
        show_item: ShowItem,
        score_runs: Callable[[Sequence[Run]], object],
        judged: Callable[[], JudgedEpisode],
        filter_episodes: Callable[[str], object],
        keys: KeyFilter,
    ) -> None:
        super().__init__(context)
        self._views, self._layers = views, layers
        self._viewer, self._runs, self._show_item, self._score_runs = viewer, runs, show_item, score_runs
        self._judged, self._filter_episodes, self._keys = judged, filter_episodes, keys
        self.pair, self.screens_looked_at = SessionPart(self), SessionPart(self)
        self._controllers: tuple[CompareController, CompareScreensController, CompareRulesController] | None = None

    @property
    def controllers(self) -> tuple[CompareController, CompareScreensController, CompareRulesController]:
        """The controllers of the comparison, of the screens and of the rules."""
        self.build()
        assert self._controllers is not None
        return self._controllers

    def enter(self) -> None:
        self._views.compare.focus_screen()

    def looked_at(self) -> object:
        return self._controllers[0].state() if self._controllers is not None else None

    def look_at(self, looked_at: object) -> None:
        if isinstance(looked_at, dict):
            self.controllers[0].restore(looked_at)

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.compare.compare_controller import CompareController
        from stepscope.app.gui.features.compare.compare_rules_controller import CompareRulesController
        from stepscope.app.gui.features.compare.compare_screens_controller import CompareScreensController

        context, views = self._context, self._views
        compare = CompareController(context, views.compared, views.compare, self._runs, self._show_item)
        screens = CompareScreensController(context, views.compare, views.aligned, self._layers, self._viewer)
        rules = CompareRulesController(context, views.rules, compare, self._score_runs)
        self._controllers = compare, screens, rules

        def judged(judged: JudgedEpisode) -> None:
            screens.set_judged(judged, compare.names())
            rules.set_judged(judged)

        judged(self._judged())
        context.events.while_shown(self.id, EpisodeJudged, lambda event: judged(event.judged))
        context.events.signal_while_shown(self.id, self._keys.held, screens.set_bare)
        context.events.signal_while_shown(self.id, self._keys.loupe_held, screens.hold_loupe)
        compare.filter_wanted.connect(self._filter_episodes)
        views.compared.rescore_wanted.connect(rules.rescore)
        compare.changed.connect(lambda: self._context.events.publish(LooksElsewhere()))
        self.pair.take_over(compare.state, compare.restore, compare.changed)
        self.screens_looked_at.take_over(screens.state, screens.restore, views.compare.view_options_changed)
        return {}, compare.own_keys()
