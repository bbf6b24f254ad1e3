"""Review of ambiguous tasks as the workbench knows it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import LooksElsewhere
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.feature import Handlers, LateFeature, SessionPart
from stepscope.app.gui.shell.layouts import LATE_VIEWS_OF
from stepscope.app.gui.shell.ports import AmbiguousViews, Library
from stepscope.app.gui.shell.undo import UndoHistory

if TYPE_CHECKING:
    from stepscope.app.gui.features.ambiguous.make_controller import MakeController
    from stepscope.app.gui.features.ambiguous.review_controller import ReviewController
    from stepscope.app.gui.features.ambiguous.task_controller import TaskController

TEN = 10


class AmbiguousFeature(LateFeature):
    """Its workspace is Review."""

    id = "ambiguous"
    views = LATE_VIEWS_OF[id]
    commands = (
        "ambiguous.make", "ambiguous.review", "ambiguous.export", "ambiguous.accept", "ambiguous.edit",
        "ambiguous.reject", "ambiguous.undo", "ambiguous.next", "ambiguous.previous", "ambiguous.next_open",
        "ambiguous.agreement", "ambiguous.statistics", "ambiguous.shown",
    )  # fmt: skip
    keys = (
        "step.next", "step.previous", "step.next_ten", "step.previous_ten", "step.first", "step.last", "zoom.in",
        "zoom.out", "zoom.fit", "zoom.full",
    )  # fmt: skip
    modules = (
        "stepscope.app.gui.features.ambiguous.review_controller",
        "stepscope.app.gui.features.ambiguous.figures_controller",
        "stepscope.app.gui.features.ambiguous.make_controller",
        "stepscope.app.gui.features.ambiguous.export_tasks_controller",
        "stepscope.widgets.ambiguous.centre",
        "stepscope.widgets.ambiguous.step_side",
        "stepscope.widgets.ambiguous.tasks_panel",
    )

    def __init__(
        self,
        context: Context,
        views: AmbiguousViews,
        viewer: EpisodeViewer,
        library: Library,
        history: UndoHistory,
        exports: ExportWork,
    ) -> None:
        super().__init__(context)
        self._views, self._viewer, self._library = views, viewer, library
        self._history, self._exports = history, exports
        self.looked_at_part = SessionPart(self)
        self._controller: ReviewController | None = None
        self._making: MakeController | None = None

    @property
    def making(self) -> MakeController:
        self.build()
        assert self._making is not None
        return self._making

    @property
    def controller(self) -> ReviewController:
        self.build()
        assert self._controller is not None
        return self._controller

    def enter(self) -> None:
        self.controller.enter()

    def end(self) -> None:
        if self._controller is not None:
            self._controller.end()

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.ambiguous.export_tasks_controller import ExportTasksController
        from stepscope.app.gui.features.ambiguous.figures_controller import FiguresController
        from stepscope.app.gui.features.ambiguous.make_controller import MakeController
        from stepscope.app.gui.features.ambiguous.review_controller import ReviewController
        from stepscope.app.gui.features.ambiguous.task_controller import TaskController

        context, views, history = self._context, self._views, self._history
        task = TaskController(context, views, self._viewer, history)
        review = self._controller = ReviewController(context, views, task, history)
        figures = FiguresController(context, views, review, self._exports)
        making = self._making = MakeController(context, views, review, self._library)
        export = self.export = ExportTasksController(context, views, review, self._library, self._exports)
        review.changed.connect(lambda: context.events.publish(LooksElsewhere()))
        self.looked_at_part.take_over(review.state, review.restore, review.changed)
        commands: Handlers = {
            "ambiguous.make": making.open,
            "ambiguous.review": partial(context.workspaces.set_workspace, self.id),
            "ambiguous.export": export.open,
            "ambiguous.accept": task.accept,
            "ambiguous.edit": task.edit,
            "ambiguous.reject": task.reject,
            "ambiguous.undo": history.undo,
            "ambiguous.next": partial(task.move, 1),
            "ambiguous.previous": partial(task.move, -1),
            "ambiguous.next_open": task.next_open,
            "ambiguous.agreement": partial(figures.open, "agreement"),
            "ambiguous.statistics": partial(figures.open, "statistics"),
            "ambiguous.shown": figures.next_page,
        }
        return commands, self._step_keys(task)

    def _step_keys(self, task: TaskController) -> Handlers:
        """The keys of steps go through the task's episode; those of the zoom belong to its screen."""
        steps, view = task.steps, self._views.ambiguous_step.view
        return {
            "step.next": partial(steps.move, 1),
            "step.previous": partial(steps.move, -1),
            "step.next_ten": partial(steps.move, TEN),
            "step.previous_ten": partial(steps.move, -TEN),
            "step.first": partial(steps.go, 0),
            "step.last": partial(steps.go, -1),
            "zoom.in": view.zoom_in,
            "zoom.out": view.zoom_out,
            "zoom.fit": view.toggle_fit,
            "zoom.full": view.actual_size,
        }
