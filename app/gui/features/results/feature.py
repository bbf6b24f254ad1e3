"""Results as the workbench knows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from stepscope.app.gui.features.results.results_controller import ResultsController
from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import ResultsViews
from stepscope.core.domain.run import Run

if TYPE_CHECKING:
    from stepscope.app.gui.features.results.breakdown_controller import BreakdownController
    from stepscope.app.gui.features.results.rescoring_controller import RescoringController
    from stepscope.app.gui.features.results.web_tables_controller import WebTablesController


class ResultsFeature(LateFeature):
    """The stored runs are known from the start (`runs`), since others need them; what they consist of is read when the
    workspace is entered first."""

    id = "results"
    views = ("results", "selected")
    commands = ("run.compare", "run.rescore", "run.rescore_all")
    modules = (
        "stepscope.app.gui.features.results.breakdown_controller",
        "stepscope.app.gui.features.results.rescoring_controller",
        "stepscope.app.gui.features.results.web_tables_controller",
        "stepscope.widgets.results.results_view",
        "stepscope.widgets.results.runs_view",
        "stepscope.widgets.results.selection",
    )

    export_wanted = Signal(object, str)
    """ids of the selected predictions, and how they were chosen"""

    def __init__(self, context: Context, views: ResultsViews, exports: ExportWork) -> None:
        super().__init__(context)
        self._views, self._exports = views, exports
        self.runs = ResultsController(context, views)
        self._controllers: tuple[BreakdownController, RescoringController, WebTablesController] | None = None

    @property
    def controllers(self) -> tuple[BreakdownController, RescoringController, WebTablesController]:
        """The controllers of the cards, of other rules, and of the tables of web tasks."""
        self.build()
        assert self._controllers is not None
        return self._controllers

    def handlers(self) -> Handlers:
        return super().handlers() | self.runs.handlers()

    def enter(self) -> None:
        self._views.results.focus_page()

    def score_runs(self, runs: Sequence[Run]) -> None:
        """Score runs of one task under every rule with a short name that they have no scores under."""
        self.controllers[1].score_runs(runs)

    def spots(self) -> list[AnnotationTarget]:
        """What keys for stars, notes and defects are about: the current row."""
        return self._controllers[0].spots() if self._controllers is not None else []

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.results.breakdown_controller import BreakdownController
        from stepscope.app.gui.features.results.rescoring_controller import RescoringController
        from stepscope.app.gui.features.results.web_tables_controller import WebTablesController

        views = self._views
        breakdown = BreakdownController(self._context, views.results, views.selected, self.runs)
        rescoring = RescoringController(self._context, views.results, self.runs)
        tables = WebTablesController(self._context, views.results, breakdown, self._exports)
        breakdown.replay_requested.connect(lambda key: self.runs.open_item(key.episode, key.step))
        breakdown.export_wanted.connect(self.export_wanted)
        self._controllers = breakdown, rescoring, tables
        breakdown.reload()
        return breakdown.handlers() | rescoring.handlers(), {}
