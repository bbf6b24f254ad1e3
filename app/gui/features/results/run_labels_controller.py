"""What people say of runs: names, tags, remarks, pinned, archived. Every change can be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.results.results_controller import NAME, ResultsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.gui.shell.ports import ResultsViews
from stepscope.app.gui.shell.undo import UNDO_OFFERED, Edit, OutdatedError, UndoHistory
from stepscope.core.domain.run import RunLabels
from stepscope.widgets.results.view_names import RUN

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database

PAGE = "settings"


class RunLabelsController(QObject):
    """`in_leaderboard` gives the run whose row in the leaderboard has the keyboard's mark, "" while that is not shown:
    the commands are about it, else about the run that is shown."""

    def __init__(
        self,
        context: Context,
        views: ResultsViews,
        runs: ResultsController,
        history: UndoHistory,
        in_leaderboard: Callable[[], str],
    ) -> None:
        super().__init__(context)
        self._context, self._views, self._runs, self._history = context, views, runs, history
        self._in_leaderboard = in_leaderboard
        views.when_made("runs", self._take_list)
        views.when_made("results", lambda: views.results.settings.about.edited.connect(self._take_edited))

    def _take_list(self) -> None:
        listing = self._views.runs
        listing.renamed.connect(self.rename)
        listing.pin_toggled.connect(self.toggle_pin)
        listing.archive_toggled.connect(self.toggle_archive)
        listing.about_requested.connect(self.show_about)

    def handlers(self) -> dict[str, Callable[[], object]]:
        def of_current(do: Callable[[str], object]) -> Callable[[], object]:
            return lambda: do(run) if (run := self._focused) else None

        return {
            "run.rename": self._begin_rename,
            "run.about": of_current(self.show_about),
            "run.pin": of_current(self.toggle_pin),
            "run.archive": of_current(self.toggle_archive),
        }

    @property
    def _focused(self) -> str:
        return self._in_leaderboard() or (self._runs.current.id if self._runs.current else "")

    def _begin_rename(self) -> None:
        self._context.workspaces.set_workspace(NAME)
        if self._in_leaderboard():
            self._views.results.board.table.begin_rename()
            return
        self._context.workspaces.show_dock("runs")
        self._views.runs.begin_rename()

    def show_about(self, run: str) -> None:
        """Where tags and a remark are written."""
        self._context.workspaces.set_workspace(NAME)
        self._runs.choose(run)
        self._views.results.view_chosen.emit(RUN)
        self._views.results.show_page(PAGE)
        self._views.results.settings.about.tags.setFocus()

    def rename(self, run: str, name: str) -> None:
        """Call a run so; "" by its settings again."""
        self._change(run, lambda labels: replace(labels, name=name), f"rename {self._runs.name_of(run)}")

    def toggle_pin(self, run: str) -> None:
        """Let a run stand first among its like, or no more."""
        self._change(run, lambda labels: replace(labels, pinned=not labels.pinned), f"pin {self._runs.name_of(run)}")

    def toggle_archive(self, run: str) -> None:
        """Put a run away, where nothing shows it until it is taken out again."""
        known = self._runs.run_of(run)
        if known is None:
            return
        if not known.labels.archived:
            self._context.selection.hide_run(run, known.spec.source)
        what = f"archive {self._runs.name_of(run)}"
        self._change(run, lambda labels: replace(labels, archived=not labels.archived), what)
        if not known.labels.archived:
            told = f"Archived {self._runs.name_of(run)}."
            self._context.messages.done(told, ("edit.undo", "Undo"), about=UNDO_OFFERED)

    def _take_edited(self, run: str, labels: RunLabels) -> None:
        self._change(run, lambda _labels: labels, f"write about {self._runs.name_of(run)}")

    def _change(self, run: str, change: Callable[[RunLabels], RunLabels], words: str) -> None:
        known = self._runs.run_of(run)
        if known is None:
            return
        before = known.labels
        try:
            after = change(before).tidied()
        except ValueError as error:
            self._context.messages.warning(str(error))
            self._runs.show_labels(run, before)
            return
        if after == before:
            return
        self._history.make(
            Edit(
                words,
                do=lambda database: _write(database, run, before, after),
                undo=lambda database: _write(database, run, after, before),
                show=lambda done: self._runs.show_labels(run, after if done else before),
                settled=lambda written: None if written else self._context.events.publish(RunsChanged()),
                in_view=lambda: self._context.workspaces.workspace == NAME,
            )
        )


def _write(database: Database, run: str, before: RunLabels, after: RunLabels) -> None:
    """In the writer lane: raises OutdatedError, changing nothing, rather than drop what somebody else said."""
    from stepscope.core.store.repositories import runs

    with database.unit_of_work() as db:
        if runs.get(db, run).labels != before:
            raise OutdatedError("Somebody else has changed what is said of this run. Theirs is shown now.")
        runs.set_labels(db, run, after)
