"""Tools ▸ Ambiguous Tasks ▸ Export Ambiguous Tasks: as data that opens, as records, in the layout of Navi-plus."""

from __future__ import annotations

import shlex
from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.features.ambiguous.review_controller import ReviewController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.ports import AmbiguousViews, Library
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.widgets.ambiguous.export_dialog import (
    ExportFormChoice,
    ExportTasksDialog,
    ExportWhichChoice,
    ExportWish,
)
from stepscope.widgets.format import count as counted_number
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.services import ambiguous_export, ambiguous_reviews
    from stepscope.app.services.ambiguous_export import TaskExport
    from stepscope.core.domain.ambiguous_task import AmbiguousTask
    from stepscope.core.sources.source import Source
    from stepscope.core.store.engine import Database
else:
    ambiguous_export = lazy_module("stepscope.app.services.ambiguous_export")
    ambiguous_reviews = lazy_module("stepscope.app.services.ambiguous_reviews")

FORMS = (
    ExportFormChoice(
        "recordings", "Recordings",
        "A folder of recordings with the goal that leaves something out and an ASK step where it is due: it opens, "
        "evaluates and trains as any data.",
        "ambiguous-tasks", folder=True, opens=True,
    ),
    ExportFormChoice(
        "asks", "Ask records (JSON Lines)",
        "One line a task: both goals, the questions that are due, with step and answer.",
        "ambiguous-tasks.jsonl",
    ),
    ExportFormChoice(
        "naviplus", "Layout of Navi-plus",
        "Records with the names of the paper's prompts, pictures, and the keys by which they are read again.",
        "ambiguous-naviplus", folder=True, opens=True,
    ),
)  # fmt: skip
ACCEPTED, EVERY = "accepted", "all"


class ExportTasksController(QObject):
    """The tasks of the open data in the words of the latest edit."""

    def __init__(
        self, context: Context, views: AmbiguousViews, review: ReviewController, library: Library, exports: ExportWork
    ) -> None:
        super().__init__(context)
        self._context, self._review, self._library, self._exports = context, review, library, exports
        self.dialog: ExportTasksDialog | None = None
        self._tasks: dict[str, list[AmbiguousTask]] = {}
        views.ambiguous_list.export_wanted.connect(self.open)
        views.ambiguous.export_wanted.connect(self.open)

    def open(self) -> None:
        """Ask what is to be written."""
        source = self._review.source
        if source and self.dialog is None:
            self._context.query("tasks to be written", lambda database: _wanted(database, source), self._show)

    def _show(self, tasks: dict[str, list[AmbiguousTask]]) -> None:
        if self.dialog is not None:
            return
        if not tasks[EVERY] and not tasks[ACCEPTED]:
            self._context.messages.info("Make some first: Tools ▸ Ambiguous Tasks.", title="There is no task to write.")
            return
        self._tasks = tasks
        which = [
            ExportWhichChoice(ACCEPTED, f"Those that people let stand ({counted_number(len(tasks[ACCEPTED]))})",
                              len(tasks[ACCEPTED])),
            ExportWhichChoice(EVERY, f"All but those that are rejected or fail a check "
                                     f"({counted_number(len(tasks[EVERY]))})", len(tasks[EVERY])),
        ]  # fmt: skip
        dialog = ExportTasksDialog(
            FORMS, which, str(Path.home()), self._browse, self._command, self._context.dialog_parent
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(self._begin)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.open()

    def _closed(self) -> None:
        self.dialog = None

    def _browse(self, form: ExportFormChoice, path: str) -> str:
        """A path that the person chooses: of a folder that is made there, or of a file."""
        parent = self._context.dialog_parent
        if not form.folder:
            return QFileDialog.getSaveFileName(parent, "Export", path, "JSON Lines (*.jsonl)")[0]
        folder = QFileDialog.getExistingDirectory(parent, "In which folder?", str(Path(path).parent))
        return str(Path(folder) / Path(path).name) if folder else ""

    def _command(self, wish: ExportWish) -> str:
        """The equal command."""
        words = ["stepscope", "ambiguous", "export", self._review.source, "--as", wish.form, "--output", wish.path]
        return shlex.join([*words, *(["--accepted"] if wish.which == ACCEPTED else [])])

    def _begin(self, wish: ExportWish) -> None:
        source = self._context.selection.source
        if source is None or self.dialog is None:
            return
        self.dialog.accept()
        self.write(source.source, self._tasks[wish.which], wish)

    def write(self, source: Source, tasks: list[AmbiguousTask], wish: ExportWish) -> None:
        """Write tasks of `source`, with a row in the chip, and open them where that is wished."""
        path = Path(wish.path).expanduser()

        def work(token: CancelToken) -> Generator[Progress, None, TaskExport | None]:
            layout = ambiguous_export.TaskLayout(wish.form)
            return (yield from ambiguous_export.export_tasks(source, tasks, layout, path, token))

        self._exports.start(
            f"Writing {path.name}", work, partial(self._wrote, path, wish), total=len(tasks), failed=self._failed
        )

    def _wrote(self, path: Path, wish: ExportWish, found: TaskExport | None) -> None:
        if found is None:
            return  # cancelled: nothing was left
        if found.failed:
            episode, why = found.failed[0]
            self._context.messages.warning(
                f"{counted(len(found.failed), 'task')} could not be written; {episode}: {why}"
            )
        self._exports.wrote(path, "task")(found.written)
        if wish.opens:
            self._library.open_path(path)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self._context.messages.failure(error)
        else:
            self._exports.failed(error)


def _wanted(database: Database, source: str) -> dict[str, list[AmbiguousTask]]:
    """The tasks of each choice, in the words of the latest edit."""
    listed = ambiguous_reviews.listed_tasks(database, source)
    return {
        ACCEPTED: ambiguous_export.wanted_tasks(listed, accepted=True),
        EVERY: ambiguous_export.wanted_tasks(listed, accepted=False),
    }
