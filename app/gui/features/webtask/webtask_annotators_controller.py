"""The people who fill in the open web tasks: a window of their own, and a line below the list of tasks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout

from stepscope.app.gui.features.webtask.webtask_controller import WebTaskController
from stepscope.app.gui.features.webtask.webtask_files_controller import WebTaskFilesController
from stepscope.app.gui.features.webtask.webtask_list_controller import WebTaskListController
from stepscope.app.gui.features.webtask.webtask_people_controller import WebTaskPeopleController
from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import Context
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.services.webtask import annotations as web_annotations
    from stepscope.core.store.engine import Database
    from stepscope.widgets.webtask.annotators import PeoplePage
    from stepscope.widgets.webtask.parts import WebTaskParts
    from stepscope.widgets.webtask.people_values import PageDeliveryOptions, PeopleView
    from stepscope.widgets.webtask.side_values import PeopleProgress
else:
    web_annotations = lazy_module("stepscope.app.services.webtask.annotations")

WIDTH, HEIGHT = 680, 720
"""Pixels at the usual text size; the tables need as much more room as their words."""


class WebTaskAnnotatorsController(QObject):
    """Reads again whenever somebody submitted something, and when another page is opened."""

    def __init__(
        self,
        context: Context,
        task: WebTaskController,
        people: WebTaskPeopleController,
        tasks: WebTaskListController,
        files: WebTaskFilesController,
    ) -> None:
        super().__init__(context)
        self._context, self._task, self._people, self._tasks, self._files = context, task, people, tasks, files
        self._parts: WebTaskParts | None = None
        self.page: PeoplePage | None = None
        people.answers_changed.connect(self.reload)
        task.page_changed.connect(self.reload)

    def connect_parts(self, parts: WebTaskParts) -> None:
        """Once, when the workspace is first entered."""
        self._parts = parts
        parts.tasks.annotations_requested.connect(self.open)
        self.reload()

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"webtask.people": self.open}

    def open(self) -> None:
        """The window; to the front when it is open."""
        from stepscope.widgets.webtask.annotators import PeoplePage

        if self.page is not None:
            self.page.window().raise_()
            self.page.window().activateWindow()
            return
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("People")
        larger = max(1.0, self._context.preferences.text_percent / 100)
        dialog.resize(round(WIDTH * larger), HEIGHT)

        page = self.page = PeoplePage()
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page)
        page.habits_changed.connect(self._prefer)
        page.opened.connect(lambda task, _annotator: self._tasks.open_task(task))
        page.delete_requested.connect(self._delete)
        page.export_requested.connect(self._files.export)
        page.import_requested.connect(self._files.import_)
        dialog.finished.connect(self._closed)
        self.reload()
        dialog.show()

    def _closed(self) -> None:
        self.page = None

    @property
    def habits(self) -> PageDeliveryOptions:
        from stepscope.widgets.webtask.people_values import PageDeliveryOptions

        preferences, order = self._context.preferences, self._people.order
        return PageDeliveryOptions(self._people.annotator, order.seed, order.enough, preferences.annotation_blind)

    def reload(self) -> None:
        """Read how far everybody is, and while the window is open how far they agree on the open task."""
        selected, read = self._context.selection.source, self._task.read
        if selected is None or self._parts is None:
            return
        key, source, habits, wide = selected.id, self._people.source, self.habits, self.page is not None
        task = read.task.name if read is not None else ""

        def ask(database: Database) -> tuple[PeopleProgress | None, PeopleView | None]:
            from stepscope.app.gui.features.webtask.presenter import people_progress, people_view
            from stepscope.app.services.webtask.people import agreement_of
            from stepscope.core.store.web_tasks import task_rows

            with database.reading() as db:
                instances = {row.name: row.instances for row in task_rows(db, key)}
            everybody = web_annotations.progress(database, source, instances)
            line = people_progress(habits.annotator, task, everybody, instances.get(task, 0))
            if not wide:
                return line, None
            found = web_annotations.listed(database, source, task=task, drafts=False) if task else []
            agreed = agreement_of(Path(source), task, found) if found else None
            return line, people_view(habits, web_annotations.annotators(database), everybody, agreed)

        def arrived(found: tuple[PeopleProgress | None, PeopleView | None]) -> None:
            line, view = found
            if self._people.source != source or self._parts is None:
                return
            if (self._task.read.task.name if self._task.read is not None else "") == task:
                self._parts.tasks.set_people(line)
            if view is not None and self.page is not None:
                self.page.set_view(view)

        self._context.query("people's answers", ask, arrived)

    def _prefer(self, habits: PageDeliveryOptions) -> None:
        """Take another person, or deliver other pages next."""
        seed = -1 if habits.seed is None else habits.seed
        self._context.prefer(annotation_seed=seed, annotation_enough=habits.enough, annotation_blind=habits.blind)
        try:
            self._people.set_annotator(web_annotations.checked_name(habits.annotator))
        except UserError as error:
            self._context.messages.failure(error)
        self.reload()

    def _delete(self, rows: tuple[tuple[str, str], ...]) -> None:
        """Forget the answers of these people to these tasks, drafts too."""
        if not rows or self.page is None:
            return
        question = f"Delete the answers of {counted(len(rows), 'row')}?"
        if not confirmed(self.page, question, "They are gone for good: export them first to keep them.", "Delete"):
            return
        source = self._people.source

        def work(database: Database) -> int:
            several = [web_annotations.listed(database, source, task=task, annotator=who) for task, who in rows]
            gone = web_annotations.delete(database, [one for some in several for one in some])
            return len(gone.before)

        def done(count: int) -> None:
            self._context.messages.done(f"{counted(count, 'answer')} deleted.")
            self._people.answers_changed.emit()

        self._context.write("delete answers", work, done)
