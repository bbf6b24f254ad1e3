"""The Web task workspace's controllers, joined."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from PySide6.QtCore import QObject

from stepscope.app.gui.features.webtask.webtask_annotators_controller import WebTaskAnnotatorsController
from stepscope.app.gui.features.webtask.webtask_controller import NAME, WebTaskController
from stepscope.app.gui.features.webtask.webtask_fields_controller import WebTaskFieldsController
from stepscope.app.gui.features.webtask.webtask_files_controller import WebTaskFilesController
from stepscope.app.gui.features.webtask.webtask_keep_controller import WebTaskKeepController
from stepscope.app.gui.features.webtask.webtask_list_controller import WebTaskListController
from stepscope.app.gui.features.webtask.webtask_log_controller import WebTaskLogController
from stepscope.app.gui.features.webtask.webtask_page_controller import WebTaskPageController
from stepscope.app.gui.features.webtask.webtask_people_controller import WebTaskPeopleController
from stepscope.app.gui.features.webtask.webtask_solving_controller import WebTaskSolvingController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.ports import Library, ShowForm, WebTaskViews


class WebTaskWorkspace(QObject):
    """Makes no view before it is entered."""

    def __init__(
        self,
        context: Context,
        views: WebTaskViews,
        library: Library,
        replay: EpisodeViewer,
        show_form: ShowForm,
        exports: ExportWork,
    ) -> None:
        super().__init__(context)
        self._context = context
        self.page = WebTaskPageController(context, views)
        self.task = WebTaskController(context, self.page)
        self.fields = WebTaskFieldsController(context, self.task)
        self.log = WebTaskLogController(context, self.task)
        self.people = WebTaskPeopleController(context, self.task, self.fields, replay)
        self.list = WebTaskListController(context, self.task, library, replay)
        self.solving = WebTaskSolvingController(context, self.task, show_form)
        self.files = WebTaskFilesController(context, self.task, self.people, exports)
        self.annotators = WebTaskAnnotatorsController(context, self.task, self.people, self.list, self.files)
        self.keep = WebTaskKeepController(context, self.task, self.list, library, replay, exports)
        self.log.done_by_hand.connect(self.people.did)
        self.log.undo_wanted.connect(self.people.undo)
        self.log.start_anew_wanted.connect(self.people.start_anew)
        self.list.worst_wanted.connect(self.fields.seek_worst)
        self._connected = self._ready = False

    def handlers(self) -> dict[str, Callable[[], object]]:
        return (
            self.people.handlers()
            | self.solving.handlers()
            | self.files.handlers()
            | self.list.handlers()
            | self.keep.handlers()
            | self.annotators.handlers()
            | {"webtask.picture": self.log.save_picture}
        )

    def own_keys(self) -> dict[str, Callable[[], object]]:
        """Commands that mean the open page while it is in front."""
        return {
            "step.next": lambda: self.log.step(1),
            "step.previous": lambda: self.log.step(-1),
            "step.first": lambda: self.task.scrub(0),
            "step.last": lambda: self.task.scrub(len(self.task.log)),
            "wrong.next": lambda: self.fields.next_wrong(1),
            "wrong.previous": lambda: self.fields.next_wrong(-1),
            "layer.reference": lambda: self.page.parts.centre.tools.toggle_fields(),
            "layer.tree": lambda: self.page.parts.centre.tools.toggle_elements(),
            "zoom.in": lambda: self.page.parts.centre.view.step_zoom(1),
            "zoom.out": lambda: self.page.parts.centre.view.step_zoom(-1),
            "zoom.fit": lambda: self.page.parts.centre.view.set_zoom(None),
        }

    def enter(
        self, open_folder: Callable[[], object], open_sample: Callable[[], object], evaluate: Callable[[], object]
    ) -> None:
        """The workspace comes to the front."""
        parts = self.page.parts
        if not self._connected:
            self._connected = True
            for controller in (self.fields, self.log, self.list, self.solving, self.files, self.annotators):
                controller.connect_parts(parts)
            parts.tasks.open_requested.connect(open_folder)
            parts.centre.open_wanted.connect(open_folder)
            parts.centre.sample_wanted.connect(open_sample)
            parts.tasks.evaluate_requested.connect(evaluate)
            title = parts.centre.title
            title.submit_wanted.connect(self.people.submit)
            title.reset_wanted.connect(self.people.start_anew)
            self.task.who_changed.emit()
            self.task.shown_changed.emit()
            self._context.start("get ready for pages", lambda _token: _get_ready(), lambda _: self._begin())
        elif self._ready:
            self._begin()
        parts.centre.view.setFocus()

    def _begin(self) -> None:
        """Show the page once what it needs is loaded; the workspace may have been left meanwhile."""
        self._ready = True
        if self.is_in_front:
            self.task.enter()
            self.list.enter()

    def show_run(self, run: str) -> None:
        """The next page that is opened shows what this run left there, its worst field first."""
        self.task.show_next(run)
        self.fields.seek_worst()

    def end(self) -> None:
        """The window is closing: drafts are kept, the page's process ends."""
        self.solving.stop()
        try:
            self.people.end()
        finally:
            self.page.end()

    @property
    def is_in_front(self) -> bool:
        return self._context.workspaces.workspace == NAME


def _get_ready() -> None:
    """Load what lives behind a page, so that the window's thread does not."""
    import_module("stepscope.app.services.webtask.live_page")
    import_module("stepscope.core.webtask.program")
