"""The start page: fills it when it comes to the front, and does what is pressed there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.start.presenter import data_rows, run_rows, sample_step
from stepscope.app.gui.features.start.tour_steps import TOUR, tour_rows
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsListed
from stepscope.app.gui.shell.ports import RunCatalog
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.gui.features.start import sample_reading
    from stepscope.app.gui.features.start.presenter import ReadSample
    from stepscope.app.gui.features.start.sample_opening import SampleOpening
    from stepscope.app.services import machine, recent
    from stepscope.app.services.machine import Readiness
    from stepscope.app.services.recent import RecentData
    from stepscope.widgets.start import StartPage
else:
    sample_reading = lazy_module("stepscope.app.gui.features.start.sample_reading")
    machine = lazy_module("stepscope.app.services.machine")
    recent = lazy_module("stepscope.app.services.recent")

EVALUATE = "evaluate.automation"


class StartController(QObject):
    """`bar` does the window's commands, `open_paths` opens data, `locate` asks where some is now."""

    def __init__(
        self,
        context: Context,
        page: StartPage,
        sample: SampleOpening,
        runs: RunCatalog,
        bar: CommandBar,
        open_paths: Callable[[Sequence[str]], object],
        locate: Callable[[Path], object],
    ) -> None:
        super().__init__(context)
        self._context, self._page, self._sample, self._runs = context, page, sample, runs
        self._run_command, self._open_paths, self._locate = bar.run, open_paths, locate
        self._request = 0
        self._found: list[RecentData] = []
        page.set_keys({command: bar.key_of(command) for command in page.cards})
        self._connect()

    def _connect(self) -> None:
        page, context = self._page, self._context
        page.action_wanted.connect(self._act)
        page.sample.opened.connect(lambda: self._sample.open())
        page.sample.next_wrong.connect(self.go_to_wrong_step)
        page.data.opened.connect(lambda path: self._open_paths([path]))
        page.data.locate_wanted.connect(lambda path: self._locate(Path(path)))
        page.data.removed.connect(self._remove)
        page.data.pin_wanted.connect(self._pin)
        page.runs.opened.connect(self._show_run)
        page.runs.resume_wanted.connect(self._runs.resume)
        page.runs.all_wanted.connect(lambda: self._run_command("run.manage"))
        page.tour.begun.connect(lambda: self._run_command("help.tour"))
        page.tour.asked_for.connect(lambda shown: context.prefer(start_page=shown))
        context.events.while_shown("start", RunsListed, lambda _event: self._show_recent())
        context.store_opened.connect(self.refresh)

    def enter(self) -> None:
        """The page has come to the front."""
        self.refresh()
        self._page.begin_at_sample()

    def refresh(self) -> None:
        """Show what is known at once; what is to be looked up follows."""
        preferences = self._context.preferences
        self._page.tour.set_shown(preferences.start_page)
        self._page.tour.set_steps(tour_rows(), min(preferences.tour_step, len(TOUR)))
        self._show_recent()
        self._ask_recent()
        self._ask_machine()
        self._context.start("read the sample's step", lambda _token: sample_reading.read_sample(), self._show_sample,
                            failed=self._no_sample)  # fmt: skip

    # The sample ------------------------------------------------------------------------------------------------------

    def _show_sample(self, read: ReadSample) -> None:
        self._page.sample.show_step(sample_step(read))

    def _no_sample(self, error: Exception) -> None:
        """The card stays without its phones; the line at the top says what is missing."""
        if not isinstance(error, UserError):
            raise error

    def go_to_wrong_step(self) -> None:
        """Open the sample, and go on to the next step that a run got wrong."""
        self._sample.open(lambda: self._run_command("wrong.next"))

    # The machine -----------------------------------------------------------------------------------------------------

    def _ask_machine(self) -> None:
        url, database = self._context.places.store_url, self._context.database
        read_only = database is not None and database.read_only

        def show(found: Readiness) -> None:
            problem = "The store is read-only: nothing can be saved" if read_only else found.problem
            self._page.set_ready(" · ".join(("This machine is ready", *found.facts)), problem)

        self._context.start("look at this machine", lambda _token: machine.readiness(url), show, priority=-1)

    # What was opened and run -----------------------------------------------------------------------------------------

    def _ask_recent(self) -> None:
        self._request += 1
        request, paths = self._request, self._context.preferences.recent

        def answer(found: list[RecentData]) -> None:
            if request == self._request:
                self._found = found
                self._show_recent()

        self._context.query("recent data", lambda database: recent.recent_data(database, paths), answer)

    def _show_recent(self) -> None:
        preferences, rows = self._context.preferences, self._runs.rows()
        known = {one.path: one for one in self._found}
        found = [known[path] for path in preferences.recent if path in known]
        data = data_rows(found, dict(preferences.recent_times), preferences.recent_pinned)
        self._page.set_recent(data, run_rows(rows), own_runs=any(not row.shipped for row in rows))

    def _remove(self, path: str) -> None:
        self._context.prefer(**self._context.preferences.without_recent(path).recent_changes())
        self._show_recent()

    def _pin(self, path: str, pinned: bool) -> None:
        others = tuple(other for other in self._context.preferences.recent_pinned if other != path)
        self._context.prefer(recent_pinned=(*others, path) if pinned else others)
        self._show_recent()

    def _show_run(self, run: str) -> None:
        self._runs.choose(run)
        self._context.workspaces.set_workspace("results")

    # Actions ---------------------------------------------------------------------------------------------------------

    def _act(self, command: str) -> None:
        if command != EVALUATE:
            self._run_command(command)
        elif self._context.selection.source is None:
            self._sample.open(lambda: self._run_command(EVALUATE))
        else:
            self._context.workspaces.leave_page()
            self._run_command(EVALUATE)
