"""Evaluations as the workbench knows them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from stepscope.app.gui.features.evaluate.evaluate_controller import EvaluateController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.ports import EvaluateViews, Library, RunCatalog

if TYPE_CHECKING:
    from stepscope.app.gui.features.evaluate.paper_tables_controller import PaperTablesController


class EvaluateFeature(Feature):
    """Runs are queued and followed from the start; the form, and the page of papers' tables, are made when they are
    opened."""

    id = "evaluate"

    def __init__(
        self, context: Context, views: EvaluateViews, library: Library, runs: RunCatalog, exports: ExportWork
    ) -> None:
        super().__init__(context)
        self._exports = exports
        self.controller = EvaluateController(context, views, library, runs)

    @cached_property
    def paper_tables(self) -> PaperTablesController:
        from stepscope.app.gui.features.evaluate.paper_tables_controller import PaperTablesController

        return PaperTablesController(self._context, self._exports, lambda: self.controller.work)

    def handlers(self) -> Handlers:
        return self.controller.handlers() | {"evaluate.reproduce": lambda: self.paper_tables.show()}

    def end(self) -> None:
        """End evaluations; what was scored is kept. Raises UserError where that fails."""
        self.controller.end()
