"""Answers of people as tables: out of the store, and into it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.features.webtask.webtask_controller import WebTaskController
from stepscope.app.gui.features.webtask.webtask_people_controller import WebTaskPeopleController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork, safe_name
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.services.webtask.answer_imports import AnswerImport
    from stepscope.core.store.engine import Database
    from stepscope.widgets.webtask.parts import WebTaskParts

TABLES = "Mechanical Turk's results (*.csv);;TurkingBench's table (*.csv)"


class WebTaskFilesController(QObject):
    """Both act on the task that is open."""

    def __init__(
        self, context: Context, task: WebTaskController, people: WebTaskPeopleController, exports: ExportWork
    ) -> None:
        super().__init__(context)
        self._context, self._task, self._people, self._exports = context, task, people, exports
        self._connected = False

    def connect_parts(self, parts: WebTaskParts) -> None:
        if not self._connected:
            self._connected = True
            parts.tasks.export_requested.connect(self.export)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"webtask.export": self.export, "webtask.import": self.import_}

    def export(self) -> None:
        """Write what people submitted for the open task, as the crowd platform writes it."""
        read, selected, database = self._task.read, self._context.selection.source, self._context.database
        if read is None or selected is None or database is None:
            return
        name = f"{safe_name(read.task.name)}.csv"
        chosen, kind = QFileDialog.getSaveFileName(
            self._context.dialog_parent, "Export Answers", str(Path.home() / name), TABLES
        )
        if not chosen:
            return
        path, known = Path(chosen), self._people.source
        plain, task = kind.startswith("TurkingBench"), read.task.name

        def work(_token: object) -> int:
            from stepscope.app.services.webtask.annotations import listed
            from stepscope.app.services.webtask.answer_files import AnswerTableLayout, export_file

            layout = AnswerTableLayout.TURKINGBENCH if plain else AnswerTableLayout.MTURK
            answers = listed(database, known, task=task, drafts=False)
            return export_file(Path(known), task, answers, path, layout)

        self._exports.start("Export answers", work, self._exports.wrote(path, "answer"))

    def import_(self) -> None:
        """Answers that other annotators gave to the open task."""
        read, selected, known = self._task.read, self._context.selection.source, self._people.source
        if read is None or selected is None:
            return
        chosen, _ = QFileDialog.getOpenFileName(self._context.dialog_parent, "Import Answers", "", "Tables (*.csv)")
        if not chosen:
            return
        path, task = Path(chosen), read.task.name

        def work(database: Database) -> AnswerImport:
            from stepscope.app.services.webtask.answer_imports import import_file

            return import_file(database, Path(known), task, path, path.stem)

        self._context.write("import answers", work, self._imported)

    def _imported(self, found: AnswerImport) -> None:
        self._people.answers_changed.emit()
        words = f"{counted(len(found.change.after), 'answer')} came in."
        if found.problems:
            first = found.problems[0]
            words += f" {counted(len(found.problems), 'row')} kept out; row {first.row}: {first.message}"
            self._context.messages.warning(words)
        else:
            self._context.messages.done(words)
