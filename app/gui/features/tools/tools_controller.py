"""The pages of Tools and Help: each in a window of its own beside the work, looked up when it is opened and anew."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QVBoxLayout

from stepscope.app.gui.features.tools import presenter
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.feature import Handlers
from stepscope.app.gui.shell.ports import RunCatalog
from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.drafts import reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.process.memory import resident_bytes
from stepscope.core.sources.source import ProcedureSource
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations as said
from stepscope.core.store.repositories import sources
from stepscope.widgets.common.plain_words import window_title
from stepscope.widgets.format import counted
from stepscope.widgets.reports import ReportPage, ReportSection

WIDTH, HEIGHT = 980, 680


CHECK = "Check Source"


class ToolsController(QObject):
    """`again` does a run once more, or goes on with it; `read_again` reads the current source anew."""

    def __init__(
        self,
        context: Context,
        viewer: EpisodeViewer,
        runs: RunCatalog,
        again: Callable[[str], object],
        read_again: Callable[[], object],
    ) -> None:
        super().__init__(context)
        self._context, self._viewer, self._runs = context, viewer, runs
        self._again, self._read_again = again, read_again
        self.pages: dict[str, ReportPage] = {}
        """those that are open, by their titles"""
        context.selection.source_changed.connect(self.source_read)

    def handlers(self) -> Handlers:
        return {
            "tools.tasks": lambda: self._open("Tasks", self._tasks, "Show", self._show_run),
            "tools.defects": lambda: self._open("Defects", self._defects, "Show in Replay", self._show_spot),
            "tools.agreement": lambda: self._open("Agreement", self._agreement),
            "tools.performance": lambda: self._open("Performance", self._performance),
            "source.problems": lambda: self._open(CHECK, self._problems, again=("Check Again", self._read_again)),
            "help.licences": lambda: self._open("Licences", self._licences),
            "help.machine": lambda: self._open("This machine", self._machine),
        }

    def _open(
        self,
        title: str,
        look_up: Callable[[], object],
        open_words: str = "",
        opened: Callable[[str], object] | None = None,
        *,
        again: tuple[str, Callable[[], object]] | None = None,
    ) -> None:
        """`look_up` tells the page what it shows. `again`: what its button for that is called and does, where it is
        more than looking up."""
        page = self.pages.get(title)
        if page is None:
            words, refresh = again or ("Refresh", look_up)
            page = self._make(title, open_words, words)
            page.refresh_wanted.connect(lambda: refresh())
            if opened is not None:
                page.opened.connect(opened)
        page.window().show()
        page.window().raise_()
        page.window().activateWindow()
        look_up()

    def _make(self, title: str, open_words: str, refresh_words: str) -> ReportPage:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(window_title(title))
        dialog.resize(WIDTH, HEIGHT)
        page = self.pages[title] = ReportPage(title, open_words=open_words, refresh_words=refresh_words)
        page.close_wanted.connect(dialog.close)
        page.again.connect(self._again)
        page.save_wanted.connect(lambda: self._save(title, page))
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page)
        page.search.setFocus()
        dialog.finished.connect(lambda: self.pages.pop(title, None))
        return page

    def _told(self, title: str, sections: Sequence[ReportSection], about: str = "") -> None:
        """The answer has come; the page may have been closed meanwhile. `about` names the data that it is about, where
        that changes with what is looked at."""
        if (page := self.pages.get(title)) is not None:
            page.set_heading(f"{title}: {about}" if about else title)
            page.set_sections(sections)

    # Tasks -----------------------------------------------------------------------------------------------------------

    def _tasks(self) -> None:
        tasks = self._context.tasks
        working = [(task.name, task.age) for task in tasks.tasks]
        runs = [(run, self._runs.name_of(run.id)) for run in self._runs.runs()]
        self._told("Tasks", presenter.task_sections(working, tasks.history.ended(), runs))

    def _show_run(self, run: str) -> None:
        self._runs.choose(run)
        self._context.workspaces.set_workspace("results")
        self._front()

    # What people said ------------------------------------------------------------------------------------------------

    def _defects(self) -> None:
        source = self._context.selection.source
        if source is None:
            self._told("Defects", [ReportSection("Defects", ("",), (), empty="Nothing is open.")])
            return

        def ask(database: Database) -> list[ReportSection]:
            with database.reading() as db:
                found = said.of_source(db, source.key, AnnotationKind.DEFECT)
            return presenter.defect_sections(found, source.title)

        self._context.query("list defects", ask, lambda sections: self._told("Defects", sections))

    def _show_spot(self, key: str) -> None:
        episode, _line, step = key.partition("\n")
        self._context.workspaces.set_workspace("replay")
        self._viewer.open_step(episode, int(step or 0))
        self._front()

    def _agreement(self) -> None:
        source = self._context.selection.source
        if source is None:
            self._told("Agreement", [ReportSection("Agreement", ("",), (), empty="Nothing is open.")])
            return

        def ask(database: Database) -> list[ReportSection]:
            from stepscope.app.services import agreement

            judged = agreement.of_judgements(database, source.key)
            data, ordered = source.source, []
            if isinstance(data, ProcedureSource):
                ordered = agreement.of_orders(database, source.key, data)
            return presenter.agreement_sections(judged, ordered)

        self._context.query("compare people", ask, lambda sections: self._told("Agreement", sections))

    # The source ------------------------------------------------------------------------------------------------------

    def source_read(self) -> None:
        """Another source is looked at, or more of it was read."""
        if CHECK in self.pages:
            self._problems()

    def _problems(self) -> None:
        source = self._context.selection.source
        if source is None:
            self._told(CHECK, [ReportSection("What is wrong", ("",), (), empty="Nothing is open.")])
            return

        def ask(database: Database) -> list[ReportSection]:
            with database.reading() as db:
                return presenter.check_sections(source, sources.problems(db, source.id))

        def answer(sections: list[ReportSection]) -> None:
            if self._context.selection.source is not None and self._context.selection.source.key == source.key:
                self._told(CHECK, sections, source.title)

        self._context.query("problems", ask, answer)

    # The program -----------------------------------------------------------------------------------------------------

    def _performance(self) -> None:
        used, steps = self._context.cache.statistics, self._context.step_times.sorted()
        self._told("Performance", presenter.performance_sections(steps, used, resident_bytes([os.getpid()])))

    def _licences(self) -> None:
        def ask(_token: object) -> list[ReportSection]:
            from stepscope.app.services.licences import library_licences

            return presenter.licence_sections(library_licences())

        self._context.start("look up licences", ask, lambda sections: self._told("Licences", sections))

    def _machine(self) -> None:
        url = self._context.places.store_url

        def ask(_token: object) -> list[ReportSection]:
            from stepscope.app.services import machine

            return presenter.machine_sections(machine.examine(url))

        self._context.start("check this machine", ask, lambda sections: self._told("This machine", sections))

    # Files -----------------------------------------------------------------------------------------------------------

    def _save(self, title: str, page: ReportPage) -> None:
        usual, text = f"{title.casefold().replace(' ', '-')}.csv", page.as_csv()
        name, _filter = QFileDialog.getSaveFileName(page, f"Save {title}", usual, "Tables (*.csv)")
        if not name:
            return

        def write(_token: object) -> None:
            try:
                write_whole(Path(name), text.encode())
            except OSError as error:
                raise UserError(
                    f"cannot be written: {reason(error)}", place=Path(name), hint="Choose another folder."
                ) from error

        rows = counted(sum(table.rowCount() for table in page.tables), "row")
        self._context.start("save a page", write, lambda _none: self._context.messages.done(f"{rows} are in {name}."))

    def _front(self) -> None:
        self._context.dialog_parent.activateWindow()
        self._context.dialog_parent.raise_()
