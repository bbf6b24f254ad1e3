"""What the run of step ordering that is shown gets wrong: read when its page is in view, off the GUI thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.results.results_controller import ResultsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork, safe_name
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.services.version import VERSION
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.results.order_values import OrderOther
from stepscope.widgets.results.rule_bar import ORDERS

if TYPE_CHECKING:
    from stepscope.app.gui.features.results import orders_presenter as presenter
    from stepscope.app.services import library, order_results, order_tables
    from stepscope.app.services.order_results import OrderParty, OrderResults, OrderStudy, OrderUpdate
    from stepscope.core.domain.run import Run
    from stepscope.core.sources.source import Source
    from stepscope.core.store.engine import Database
    from stepscope.widgets.results.results_view import ResultsView
else:
    presenter = lazy_module("stepscope.app.gui.features.results.orders_presenter")
    library = lazy_module("stepscope.app.services.library")
    order_results = lazy_module("stepscope.app.services.order_results")
    order_tables = lazy_module("stepscope.app.services.order_tables")

ENDINGS = {"csv": ("csv", "CSV (*.csv)"), "markdown": ("md", "Markdown (*.md)")}


class OrdersController(QObject):
    """One reading at a time; what was found stays in view until there is something newer of its run."""

    def __init__(self, context: Context, view: ResultsView, results: ResultsController, exports: ExportWork) -> None:
        super().__init__(context)
        self._context, self._view, self._results, self._exports = context, view, results, exports
        self._task: BackgroundTask | None = None
        self._run = ""
        self._against: str | None = None
        """what a person chose to compare with, "" for nothing; None: nobody chose"""
        self._people: tuple[OrderParty, ...] = ()
        self._asked: OrderStudy | None = None
        """what is in view or on its way"""
        self.found: OrderResults | None = None
        self._is_connected = False
        results.shown.connect(self._run_shown)
        view.page_shown.connect(self._page_shown)

    @property
    def is_reading(self) -> bool:
        return self._task is not None

    def _run_shown(self) -> None:
        run = self._results.current
        shown = run is not None and run.spec.task is Task.ORDERING
        another = run is None or run.id != self._run
        if another:
            self._forget(run.id if run is not None else "")
        if shown and not self._is_connected:
            self._connect()
        if shown and another:
            self._view.orders.set_sheets(())
            self._view.orders.set_said("")
        self._view.set_orders(shown)
        if shown and self._view.page == ORDERS:
            self.read()

    def _connect(self) -> None:
        self._is_connected = True
        self._view.orders.other_chosen.connect(self.compare_with)
        self._view.orders.export_chosen.connect(self.ask_export)

    def _forget(self, run: str) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._run, self._against, self._people, self._asked, self.found = run, None, (), None, None

    def _page_shown(self, page: str) -> None:
        """People may have ordered more meanwhile."""
        if page == ORDERS:
            self._asked = None
            self.read()

    def compare_with(self, key: str) -> None:
        self._against = key
        self.read()

    def read(self) -> None:
        """Read what the run that is shown gets wrong, unless that is in view or on its way."""
        run, found, database = self._results.current, self._results.results, self._context.database
        if run is None or found is None or database is None or run.spec.task is not Task.ORDERING:
            return
        study = order_results.OrderStudy(
            run, self._party(run), found.scorings[found.rule], without_defects=self._results.without_defects
        )
        asked = self._asked
        if study == asked:
            return
        if self._task is not None:
            if asked is not None and asked.run.id == run.id and replace(study, run=asked.run) == asked:
                return  # the run went on meanwhile: it is read again after this
            self._task.cancel()
        self._asked = study
        source = self._context.selection.source_at(run.spec.source)
        task = self._context.start(
            f"Orders of run {run.id}",
            lambda token: reading(database, study, source, token),
            failed=self._failed,
            lane="index",
        )
        self._task = task
        task.progressed.connect(lambda update: self._progressed(task, update))
        task.finished.connect(lambda: self._finished(task))
        self._show_others(run)
        self._context.query("people who ordered", lambda store: order_results.people_of(store, run), self._take_people)

    def _party(self, run: Run) -> OrderParty | None:
        """What a person chose, else the run that Compare is about."""
        found = self._results.results
        usual = found.baseline.run if found is not None and found.baseline is not None else ""
        wanted = usual if self._against is None else self._against
        return next((one for one in self._parties(run) if one.key == wanted), None)

    def _parties(self, run: Run) -> tuple[OrderParty, ...]:
        runs = (
            order_results.OrderParty(one.id, self._results.name_of(one.id))
            for one in self._results.runs()
            if one.id != run.id and one.spec.task is Task.ORDERING and one.spec.source == run.spec.source
        )
        return (*runs, *self._people)

    def _take_people(self, people: tuple[OrderParty, ...]) -> None:
        run = self._results.current
        if people != self._people and run is not None and run.id == self._run:
            self._people = people
            self._show_others(run)

    def _show_others(self, run: Run) -> None:
        party = self._party(run)
        others = [OrderOther(one.key, one.name) for one in self._parties(run)]
        self._view.orders.set_others(others, party.key if party is not None else "")

    def _progressed(self, task: BackgroundTask, update: OrderUpdate) -> None:
        if task is not self._task:
            return
        if update.result is None:
            self._view.orders.set_progress(update.progress.done, update.progress.total)
            return
        self.found = update.result
        self._view.orders.set_said(presenter.said_of(update.result))
        self._view.orders.set_sheets(presenter.order_sheets(update.result))

    def _failed(self, error: Exception) -> None:
        self._asked = None
        if isinstance(error, UserError):
            self._view.orders.set_sheets(())
            self._view.orders.set_said(error.words_in_window)
        else:
            self._context.messages.failure(error)

    def _finished(self, task: BackgroundTask) -> None:
        if task is self._task:
            self._task = None
            if self._asked is not None and self._view.page == ORDERS:
                self.read()

    # As a file -------------------------------------------------------------------------------------------------------

    def ask_export(self, kind: str) -> None:
        if self.found is not None:
            ending, words = ENDINGS[kind]
            name = f"{safe_name(self.found.run.spec.model)}-orders.{ending}"
            self._exports.choose(name, words, lambda path: self.write(kind, path))

    def write(self, kind: str, path: Path) -> None:
        """All tables as CSV or Markdown."""
        found = self.found
        if found is None:
            return
        name = self._results.name_of(found.run.id)

        def work(token: CancelToken) -> None:
            from stepscope.app.services.export.whole_files import whole_text

            tables = order_tables.order_tables(found)
            about = f"{name}, run {found.run.id}; stepscope {VERSION}"
            text = (
                order_tables.csv_text(tables, found.run.id)
                if kind == "csv"
                else order_tables.markdown_text(tables, about)
            )
            with whole_text(path, token) as stream:
                stream.write(text)

        self._exports.start(f"Writing {path.name}", work, self._exports.wrote(path))


def reading(database: Database, study: OrderStudy, source: Source | None, token: CancelToken) -> Iterator[OrderUpdate]:
    """On the data that is open, or else opened for it; where it is gone, what scores alone tell."""
    yield from order_results.read_orders(database, study, source or opened(database, study.run), token)


def opened(database: Database, run: Run) -> Source | None:
    """The run's data, None where it cannot be read: the page says of how many procedures it is not known."""
    try:
        return library.indexed_source(database, Path(run.spec.source), run.spec.format)
    except UserError:
        return None
