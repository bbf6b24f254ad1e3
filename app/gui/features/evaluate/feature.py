"""Evaluations as the workbench knows them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from stepscope.app.gui.features.evaluate.evaluate_controller import EvaluateController
from stepscope.app.gui.shell.annotations import AnnotationBook
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.ports import EvaluateViews, Library, RunCatalog
from stepscope.app.gui.shell.undo import UndoHistory

if TYPE_CHECKING:
    from stepscope.app.gui.features.evaluate.paper_tables_controller import PaperTablesController
    from stepscope.app.gui.features.evaluate.references_controller import ReferencesController


class EvaluateFeature(Feature):
    """Runs are queued and followed from the start; the form is made while the window rests, and the pages of papers'
    tables and of checked references when they are opened."""

    id = "evaluate"
    modules = (
        "stepscope.app.gui.features.evaluate.evaluate_form_controller",
        "stepscope.widgets.evaluate.form",
        "stepscope.core.evaluation.tasks",
        "stepscope.core.scoring.registry",
    )

    def __init__(
        self,
        context: Context,
        views: EvaluateViews,
        library: Library,
        runs: RunCatalog,
        exports: ExportWork,
        viewer: EpisodeViewer,
        book: AnnotationBook,
        history: UndoHistory,
    ) -> None:
        super().__init__(context)
        self._exports, self._viewer, self._book, self._history = exports, viewer, book, history
        self.controller = EvaluateController(context, views, library, runs)

    @cached_property
    def paper_tables(self) -> PaperTablesController:
        from stepscope.app.gui.features.evaluate.paper_tables_controller import PaperTablesController

        return PaperTablesController(self._context, self._exports, lambda: self.controller.work)

    @cached_property
    def references(self) -> ReferencesController:
        from stepscope.app.gui.features.evaluate.references_controller import ReferencesController

        return ReferencesController(self._context, self._viewer, self._book, self._history)

    def handlers(self) -> Handlers:
        return self.controller.handlers() | {
            "evaluate.reproduce": lambda: self.paper_tables.show(),
            "evaluate.references": lambda: self.references.show(),
        }

    def end(self) -> None:
        """End evaluations; what was scored is kept. Raises UserError where that fails."""
        self.controller.end()
