"""Runs that may be misread: each run of a model that is asked in words is looked into once, when it ends or is shown,
and stands marked in every list until somebody reads it again or says that it is right as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.results.results_controller import NAME, ResultsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import ResultsViews
from stepscope.app.gui.shell.undo import Edit, UndoHistory
from stepscope.core.domain.model_name import is_asked
from stepscope.core.domain.run import Run, RunState
from stepscope.core.lazy import lazy_module
from stepscope.widgets.results.view_names import RUN

if TYPE_CHECKING:
    from stepscope.app.services import coordinate_doubts
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import coordinate_doubts as stored_doubts
    from stepscope.core.store.repositories.coordinate_doubts import Doubt
    from stepscope.widgets.results import rule_bar
else:
    coordinate_doubts = lazy_module("stepscope.app.services.coordinate_doubts")
    stored_doubts = lazy_module("stepscope.core.store.repositories.coordinate_doubts")
    rule_bar = lazy_module("stepscope.widgets.results.rule_bar")


class MisreadController(QObject):
    def __init__(self, context: Context, views: ResultsViews, results: ResultsController, history: UndoHistory) -> None:
        super().__init__(context)
        self._context, self._views, self._results, self._history = context, views, results, history
        self._looked_into: set[str] = set()
        results.ended.connect(self._ended)
        results.shown.connect(self._shown)
        views.when_made("runs", lambda: views.runs.doubt_requested.connect(self.show))
        self._wanted = ""

    def show(self, run: str) -> None:
        """The page on which one sees whether this run is misread."""
        self._context.workspaces.set_workspace(NAME)
        self._views.results.view_chosen.emit(RUN)
        if self._results.current is not None and self._results.current.id == run:
            self._views.results.show_page(rule_bar.COORDINATES)
            return
        self._wanted = run
        self._results.choose(run)

    def keep(self, run: str) -> None:
        """Silence what was found of the run, or let it count again; can be undone."""
        known = self._results.doubts.get(run)
        if known is None:
            return
        doubt = known.doubt
        before, after = doubt.kept, not doubt.kept
        name = self._results.name_of(run)
        self._history.make(
            Edit(
                f"keep {name} as it is" if after else f"doubt how {name} is read",
                do=lambda database: _say(database, run, kept=after),
                undo=lambda database: _say(database, run, kept=before),
                show=lambda done: self._results.show_doubt(run, replace(doubt, kept=after if done else before)),
                settled=lambda _written: None,
                in_view=lambda: self._context.workspaces.workspace == NAME,
            )
        )

    def _ended(self, run: str) -> None:
        def take(found: Run | None) -> None:
            if found is not None:
                self._look_into(found)

        self._context.query("run", lambda database: _stored(database, run), take)

    def _shown(self) -> None:
        run = self._results.current
        if run is not None and run.id not in self._results.doubts:
            self._look_into(run)
        if run is not None and run.id == self._wanted:
            self._wanted = ""
            self._views.results.show_page(rule_bar.COORDINATES)

    def _look_into(self, run: Run) -> None:
        """In the background, once; where the data is gone nothing is said."""
        database = self._context.database
        ended = run.state is RunState.DONE  # one that is shown while it runs is looked into at its end
        if database is None or not ended or not is_asked(run.spec.model) or run.id in self._looked_into:
            return
        self._looked_into.add(run.id)
        source = self._context.selection.source_at(run.spec.source)

        def take(doubt: Doubt | None) -> None:
            if doubt is not None:
                self._results.reread_doubts()

        self._context.start(
            "coordinates",
            lambda token: coordinate_doubts.look_into(database, run, source, token),
            take,
            failed=lambda _error: None,
            lane="index",
            priority=-5,
        )


def _say(database: Database, run: str, *, kept: bool) -> None:
    with database.unit_of_work() as db:
        stored_doubts.keep_as_it_is(db, run, kept=kept)


def _stored(database: Database, run: str) -> Run | None:
    """None for one that was deleted meanwhile."""
    from stepscope.core.store.repositories import runs

    with database.reading() as db:
        return runs.get(db, run) if runs.exists(db, run) else None
