"""Evaluations as the workbench knows them."""

from __future__ import annotations

from stepscope.app.gui.features.evaluate.evaluate_controller import EvaluateController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.ports import EvaluateViews, Library, RunCatalog


class EvaluateFeature(Feature):
    """Runs are queued and followed from the start; the form is made when it is opened."""

    id = "evaluate"

    def __init__(self, context: Context, views: EvaluateViews, library: Library, runs: RunCatalog) -> None:
        super().__init__(context)
        self.controller = EvaluateController(context, views, library, runs)

    def handlers(self) -> Handlers:
        return self.controller.handlers()

    def end(self) -> None:
        """End evaluations; what was scored is kept. Raises UserError where that fails."""
        self.controller.end()
