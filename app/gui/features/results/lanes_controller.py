"""The run of asking that is shown, step by step and in numbers: read when its page is in view, off the GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.results.lanes_task_controller import LanesTaskController, opened
from stepscope.app.gui.features.results.results_controller import ResultsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunState
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.results.rule_bar import LANES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from stepscope.app.gui.features.results import lanes_export, lanes_presenter
    from stepscope.app.services import ask_results
    from stepscope.app.services.ask_results import AskReading, KindUpdate, TaskLanes
    from stepscope.core.domain.run import Run
    from stepscope.core.evaluation import ask_settings
    from stepscope.core.evaluation.ask_settings import AskSwitches
    from stepscope.widgets.results.lanes.ask_lanes_page import AskLanesPage
    from stepscope.widgets.results.lanes.lane_values import LanesTaskRow
    from stepscope.widgets.results.order_values import OrderSheet
    from stepscope.widgets.results.results_view import ResultsView
    from stepscope.widgets.results.selection import SelectionPanel

    Measuring = Callable[[CancelToken], Iterator[AskReading]]
else:
    lanes_export = lazy_module("stepscope.app.gui.features.results.lanes_export")
    lanes_presenter = lazy_module("stepscope.app.gui.features.results.lanes_presenter")
    ask_results = lazy_module("stepscope.app.services.ask_results")
    ask_settings = lazy_module("stepscope.core.evaluation.ask_settings")

MOST_OTHERS = 8
"""Other runs that stand beside the one that is shown."""


class LanesController(QObject):
    """One reading at a time; what was found stays in view until there is something newer of its run."""

    make_wanted = Signal(str)
    """ambiguous tasks are to be made of the data at this path"""

    def __init__(
        self,
        context: Context,
        view: ResultsView,
        selected: SelectionPanel,
        results: ResultsController,
        exports: ExportWork,
    ) -> None:
        super().__init__(context)
        self._context, self._view, self._selected, self._results = context, view, selected, results
        self._exports = exports
        self._page: AskLanesPage | None = None
        self._task: BackgroundTask | None = None
        self._kinds_task: BackgroundTask | None = None
        self._rows_task: BackgroundTask | None = None
        self._next: Measuring | None = None
        """what is to be worked out once the work of now has given way"""
        self._reread = False
        self._run = ""
        self._read: object = None
        """what is in view or on its way"""
        self.switches: AskSwitches | None = None
        self.threshold: float | None = None
        self.found: AskReading | None = None
        self.kinds: Mapping[str, Mapping[int, str]] = {}
        self._shown: LanesTaskController | None = None
        results.shown.connect(self._run_shown)
        view.page_shown.connect(lambda page: self.read() if page == LANES else None)
        view.lanes_shown.connect(self._beside)
        context.selection.letters_changed.connect(self._letters_changed)

    @property
    def page(self) -> AskLanesPage:
        """The page, connected when it is first wanted."""
        if self._page is None:
            self._page = page = self._view.lanes
            self._shown = shown = LanesTaskController(self._context, page, self._results, lambda: self.found)
            page.task_wanted.connect(shown.read)
            page.step_shown.connect(shown.draw_step)
            page.replay_requested.connect(self._results.open_item)
            page.switched.connect(self._switch)
            page.threshold_changed.connect(self.ask_above)
            page.export_chosen.connect(self.ask_export)
            page.make_requested.connect(self._make)
            page.run_wanted.connect(self._setting_chosen)
        return self._page

    @property
    def _tasks(self) -> tuple[BackgroundTask | None, ...]:
        return self._task, self._kinds_task, self._rows_task

    @property
    def task(self) -> TaskLanes | None:
        """The task that is shown."""
        return self._shown.task if self._shown is not None else None

    @property
    def is_working(self) -> bool:
        shown = self._shown is not None and self._shown.is_working
        return shown or any(task is not None for task in self._tasks)

    # What is shown ---------------------------------------------------------------------------------------------------

    def _beside(self, shown: bool) -> None:
        if shown or self._page is not None:
            self._selected.show_panel(self.page.panel if shown else None)

    def _run_shown(self) -> None:
        run = self._results.current
        asks = run is not None and run.spec.task is Task.ASK
        if run is None or run.id != self._run:
            self._forget(run.id if run is not None else "")
        self._view.set_lanes(asks)
        if asks and self._view.page == LANES:
            self.read()

    def _forget(self, run: str) -> None:
        for task in self._tasks:
            if task is not None:
                task.cancel()
        self._task = self._kinds_task = self._rows_task = self._next = None
        self._reread = False
        self._run, self._read, self.threshold, self.switches = run, None, None, None
        self.found, self.kinds = None, {}
        if self._shown is not None:
            self._shown.forget()
        if self._page is not None:
            self._page.filters.clear()
            self._page.set_tasks(())

    def read(self) -> None:
        """Read the run's scores and what follows from them, unless that is in view or on its way."""
        run, shown, database = self._results.current, self._results.results, self._context.database
        if run is None or shown is None or database is None or run.spec.task is not Task.ASK:
            return
        others = self._others(run)
        scoring = shown.scorings[shown.rule]
        wanted = (run.id, run.done, run.state, shown.rule, self._results.without_defects, tuple(others.items()))
        if wanted == self._read:
            return
        ruled = self._read is None or (isinstance(self._read, tuple) and self._read[3] != shown.rule)
        self._read = wanted
        if ruled or self.switches is None:
            self.switches = _switches_of(dict(scoring.options))
        if self.found is None:
            self.page.set_shown()
            self.page.set_said("Reading the run…")
        without, switches, threshold = self._results.without_defects, self.switches, self.threshold

        def work(token: CancelToken) -> Iterator[AskReading]:
            data = ask_results.read_data(database, run, others, scoring, without_defects=without)
            if not token.cancelled and data.asked.names:
                yield from ask_results.measuring(data, switches, threshold, None, token)
            elif not token.cancelled:
                yield ask_results.AskReading(data, ask_results.numbers_of(data, switches, None, draws=0))

        self._begin(work)

    def _others(self, run: Run) -> dict[str, str]:
        """Other whole runs of asking on the same data by their ids: those that are shown, then the latest."""
        letters = self._results.letters_of(run)
        found = [
            one.id
            for one in self._results.runs()
            if one.id != run.id
            and one.spec.task is Task.ASK
            and one.spec.source == run.spec.source
            and one.state is RunState.DONE
            and not one.labels.archived
        ]
        found.sort(key=lambda one: one not in letters)
        return {one: self._results.name_of(one) for one in found[:MOST_OTHERS]}

    def _begin(self, work: Measuring) -> None:
        """One at a time: what is at work gives way."""
        if self._task is not None:
            self._task.cancel()
            self._next = work
            return
        self._next = None
        task = self._context.start(f"Lanes of run {self._run}", work, failed=self._failed, lane="index")
        self._task = task
        task.progressed.connect(lambda found: self._take(task, found))
        task.finished.connect(lambda: self._finished(task))

    def _finished(self, task: BackgroundTask) -> None:
        if task is self._task:
            self._task = None
            if self._next is not None:
                self._begin(self._next)

    def _failed(self, error: Exception) -> None:
        self._read = None
        if isinstance(error, UserError):
            self.page.set_empty("The lanes cannot be shown", error.words_in_window, can_make=False)
        else:
            self._context.messages.failure(error)

    def _take(self, task: BackgroundTask, found: AskReading) -> None:
        run = self._results.current
        if task is not self._task or run is None or self._next is not None:
            return
        another = self.found is None or self.found.data is not found.data
        rows_changed = self.found is None or self.found.numbers.rows != found.numbers.rows
        self.found = found
        if not self._has_anything(found, run):
            return
        self.page.set_shown()
        self._show_numbers(found, run)
        if rows_changed or another:
            self._show_tasks(found, reread=True)
        if another:
            self._read_kinds(found)

    def _has_anything(self, found: AskReading, run: Run) -> bool:
        """Whether there is a task about asking; else the page says what to do."""
        if not found.data.asked.names:
            going = run.state in (RunState.RUNNING, RunState.QUEUED, RunState.PAUSED)
            words = "Lanes come with the first answers." if going else "Score the run again, or resume it."
            self.page.set_empty("No step of this run is scored yet", words, can_make=False)
            return False
        if not found.data.any_due and not ask_results.listed(found.numbers.rows):
            words = "Ambiguous tasks leave something out of their goals, so that there is something to ask for."
            self.page.set_empty("No question is due in this data, and none was asked", words, can_make=True)
            return False
        return True

    def _show_numbers(self, found: AskReading, run: Run) -> None:
        letter, switches = self._letter(run), found.numbers.switches
        letters = self._results.letters_of(run)
        table = lanes_presenter.settings_table(found.data, found.numbers, found.cost, letters)
        self.page.set_settings(table, dual=switches.dual, early=switches.credit)
        if found.cost is not None:
            self.page.set_cost(lanes_presenter.asking_cost(found.data, found.cost, self.threshold, letter))
        going = "" if run.state is RunState.DONE else f"{run.done:,} of {run.total:,} steps so far. "
        self.page.set_said(going + lanes_presenter.said_of(found.data, found.numbers))

    def _show_tasks(self, found: AskReading, *, reread: bool) -> None:
        """The list and the counts, put into words off the GUI thread; `reread`: the task that is shown is another."""
        kinds = self.kinds
        self._reread = self._reread or reread

        def work(_token: CancelToken) -> tuple[list[LanesTaskRow], OrderSheet]:
            rows = lanes_presenter.task_rows(found.data, found.numbers, kinds)
            return rows, lanes_presenter.kind_sheet(found.numbers, kinds, acts=found.data.asked.acts)

        def take(shown: tuple[list[LanesTaskRow], OrderSheet]) -> None:
            if task is not self._rows_task:
                return
            before = self.page.wanted
            self.page.set_tasks(shown[0])
            self.page.set_kinds(shown[1])
            again, self._reread = self._reread and self.page.wanted == before, False
            if again and before and self._shown is not None:
                self._shown.read(before)

        task = self._context.start("Tasks of the run", work, take, priority=1)
        self._rows_task = task
        task.finished.connect(lambda: self._rows_finished(task))

    def _rows_finished(self, task: BackgroundTask) -> None:
        if task is self._rows_task:
            self._rows_task = None

    def _letter(self, run: Run) -> int | None:
        return self._results.letters_of(run).get(run.id)

    def _letters_changed(self) -> None:
        run = self._results.current
        if self._page is not None and self.found is not None and run is not None and self._view.page == LANES:
            self._show_numbers(self.found, run)
            if self._shown is not None:
                self._shown.show()

    # After the fact --------------------------------------------------------------------------------------------------

    def _switch(self) -> None:
        card = self.page.settings
        self.set_switches(dual=card.dual.isChecked(), early=card.early.isChecked())

    def set_switches(self, *, dual: bool, early: bool) -> None:
        """Score the stored answers again under other switches."""
        wanted = ask_settings.AskSwitches(dual=dual, credit=early)
        if wanted != self.switches:
            self.switches = wanted
            self._measure(same_curve=False)

    def ask_above(self, threshold: float) -> None:
        """As if the agent asked where its score is at least that."""
        run = self._results.current
        if self.found is None or run is None or threshold == self.threshold:
            return
        self.threshold = threshold
        if self.found.cost is not None:
            letter = self._letter(run)
            self.page.set_cost(lanes_presenter.asking_cost(self.found.data, self.found.cost, threshold, letter))
        self._measure(same_curve=True)

    def _setting_chosen(self, key: str) -> None:
        """A row of the table: the settings with asking are what `dual` chooses, another run is gone to."""
        found = self.found
        if found is not None and key in found.data.runs:
            self._results.choose(found.data.runs[key])
        if self.switches is not None and key in ("ask", "dual"):
            self.set_switches(dual=key == "dual", early=self.switches.credit)

    def _measure(self, *, same_curve: bool) -> None:
        found, switches = self.found, self.switches
        if found is None or switches is None:
            return
        data, threshold = found.data, self.threshold
        known = found.cost if same_curve and found.is_exact else None

        def work(token: CancelToken) -> Iterator[AskReading]:
            if not token.cancelled:
                yield from ask_results.measuring(data, switches, threshold, known, token, found.numbers)

        self._begin(work)

    # Kinds -----------------------------------------------------------------------------------------------------------

    def _read_kinds(self, found: AskReading) -> None:
        """Kinds of missing values are in the data alone: they come one after the other."""
        database, run = self._context.database, found.data.run
        names = [row.name for row in ask_results.listed(found.numbers.rows) if row.name not in self.kinds]
        if database is None or not names:
            return
        if self._kinds_task is not None:
            self._kinds_task.cancel()
        source = self._context.selection.source_at(run.spec.source)
        known = dict(self.kinds)

        def work(token: CancelToken) -> Iterator[KindUpdate]:
            yield from ask_results.read_kinds(source or opened(database, run), names, token)

        task = self._context.start("Missing values", work, failed=self._kinds_failed, lane="index")
        self._kinds_task = task
        task.progressed.connect(lambda update: self._take_kinds(task, known, update))
        task.finished.connect(lambda: self._kinds_finished(task))

    def _take_kinds(self, task: BackgroundTask, known: Mapping[str, Mapping[int, str]], update: KindUpdate) -> None:
        if task is self._kinds_task and self.found is not None:
            self.kinds = {**known, **update.kinds}
            self._show_tasks(self.found, reread=False)

    def _kinds_finished(self, task: BackgroundTask) -> None:
        if task is self._kinds_task:
            self._kinds_task = None

    def _kinds_failed(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            self._context.messages.failure(error)

    # As a file -------------------------------------------------------------------------------------------------------

    def ask_export(self, kind: str) -> None:
        """Ask where a file goes, or copy."""
        if self.found is not None:
            lanes_export.ask(self, kind, self._context, self._exports, self._results.name_of(self.found.data.run.id))

    def _make(self) -> None:
        run = self._results.current
        if run is not None:
            self.make_wanted.emit(run.spec.source)


def _switches_of(options: dict[str, str]) -> AskSwitches:
    """What the shown rule says."""
    dual = str(options.get("dual", "on")) == "on"
    return ask_settings.AskSwitches(dual=dual, credit=dual and str(options.get("early_ask", "neutral")) == "credit")
