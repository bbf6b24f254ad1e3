"""Runs and their results: the list, the letters, metrics with intervals, items, deleting."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox

from app.gui.context import Context
from app.gui.controllers.details import verdict_of
from app.provenance import is_sample, is_stand_in
from core.domain.run import Outcome, Run, RunState
from core.domain.score import Metrics
from core.progress import Progress
from widgets import format as words
from widgets.common.action_words import action_words
from widgets.results import ItemRow, ItemsFilter, MetricRow, ResultDetails, RunRow

if TYPE_CHECKING:
    from core.store.engine import Database
    from core.store.queries import Page, RunCounts

DRAWS = 1000
"""Bootstrap draws of an interval, over whole episodes; the seed is 0."""

STORED_FILTER = {
    ItemsFilter.ALL: "all",
    ItemsFilter.WRONG: "wrong",
    ItemsFilter.RIGHT: "right",
    ItemsFilter.MALFORMED: "malformed",
    ItemsFilter.UNSCORED: "unscored",
    ItemsFilter.ERRORS: "error",
}
MAIN_METRICS = {"aitw": "step_accuracy", "motif": "both_partial"}


class ResultsController(QObject):
    """`current` is the run whose results are shown; the runs shown over screens are the selection's."""

    resume_requested = Signal(str)
    again_requested = Signal(str)
    item_wanted = Signal(str, str, int)
    """path of the data, episode, the step's index"""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self._list, self._view = context.window.runs, context.window.results
        self._counts: dict[str, RunCounts] = {}
        self._progress: dict[str, Progress] = {}
        self._main: dict[str, float | None] = {}
        self.current: Run | None = None
        self._request = 0
        self._items_total = 0
        self._filter = ItemsFilter.ALL
        self._connect()

    def _connect(self) -> None:
        listing, view, context = self._list, self._view, self._context
        context.store_opened.connect(self.reload)
        context.runs_changed.connect(self.reload)
        context.selection.runs_changed.connect(self._show_list)
        listing.run_chosen.connect(self.choose)
        listing.run_toggled.connect(context.selection.toggle_run)
        listing.resume_requested.connect(self.resume_requested)
        listing.delete_requested.connect(self.delete)
        view.page_wanted.connect(self._read_items)
        view.items_filter_changed.connect(lambda which: self.set_filter(ItemsFilter(which)))
        view.item_opened.connect(self._open_item)
        view.run_again_requested.connect(self.again_requested)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "run.delete": lambda: self.delete(self.current.id if self.current else ""),
            "run.resume": lambda: self.resume_requested.emit(self.current.id if self.current else ""),
        }

    # The list --------------------------------------------------------------------------------------------------------

    @property
    def run_ids(self) -> tuple[str, ...]:
        return tuple(self._counts)

    def state_of(self, run: str) -> RunState | None:
        counts = self._counts.get(run)
        return counts.run.state if counts else None

    def shown_names(self) -> list[str]:
        """Names of the runs shown as A, B, …"""
        return [self.name_of(run) for run in self._context.selection.runs]

    def name_of(self, run: str) -> str:
        counts = self._counts.get(run)
        return title_of(counts.run) if counts else run

    def reload(self) -> None:
        """Read the list anew, and the results that are shown."""

        def ask(database: Database) -> list[RunCounts]:
            from core.store.queries import run_list

            with database.reading() as db:
                return run_list(db)

        self._context.query("list runs", ask, self._take)
        if self.current is not None:
            self._load(self.current.id)

    def _take(self, runs: list[RunCounts]) -> None:
        self._counts = {counts.run.id: counts for counts in runs}
        gone = [run for run in self._context.selection.runs if run not in self._counts]
        if gone:
            kept = tuple(run for run in self._context.selection.runs if run in self._counts)
            self._context.selection.set_runs(kept)
        if self.current is not None and self.current.id not in self._counts:
            self._show_none()
        if self.current is None and runs:
            self.choose(runs[0].run.id)
        self._show_list()

    def set_progress(self, run: str, progress: Progress) -> None:
        """How far a run at work is; shown in its card."""
        self._progress[run] = progress
        self._show_list()

    def _show_list(self) -> None:
        self._list.set_runs([self._row(counts) for counts in self._counts.values()])

    def _row(self, counts: RunCounts) -> RunRow:
        run, progress = counts.run, self._progress.get(counts.run.id)
        selection = self._context.selection
        share = f"{counts.right / counts.scored:.3f} right" if counts.scored else ""
        letter = selection.runs.index(run.id) if run.id in selection.runs else None
        working = progress if progress and run.state in (RunState.RUNNING, RunState.PAUSED) else None
        return RunRow(
            id=run.id,
            name=title_of(run),
            group=f"Task automation · {source_name(run)}",
            state=run.state,
            done=working.done if working else run.done,
            total=run.total,
            metric=share,
            when=when_words(run.created),
            letter=letter,
            rate=working.rate if working else None,
            seconds_left=working.seconds_left if working else None,
            message=run.message,
        )

    # Results ---------------------------------------------------------------------------------------------------------

    def choose(self, run: str) -> None:
        """Show a run's results."""
        self._list.choose(run)
        self._load(run)

    def _load(self, run: str) -> None:
        self._request += 1
        request = self._request

        def ask(database: Database) -> tuple[Run, Metrics, RunCounts]:
            return load_results(database, run)

        def answer(found: tuple[Run, Metrics, RunCounts]) -> None:
            if request == self._request:
                self._show(*found)

        self._context.query("load results", ask, answer)

    def _show(self, run: Run, metrics: Metrics, counts: RunCounts) -> None:
        fresh = self.current is None or self.current.id != run.id
        self.current = run
        self._context.conditions.set("run", True)
        self._context.conditions.set("run_resumable", run.state.resumable)
        self._view.set_result(result_details(run, metrics, counts, self._letter(run)))
        self._items_total = run.done
        if fresh:
            self._filter = ItemsFilter.ALL
            self._view.set_items_filter(ItemsFilter.ALL)
        self._list_items(counts, fresh)

    def _letter(self, run: Run) -> int | None:
        runs = self._context.selection.runs
        return runs.index(run.id) if run.id in runs else None

    def _show_none(self) -> None:
        self.current = None
        self._context.conditions.set("run", False)
        self._context.conditions.set("run_resumable", False)
        self._view.set_result(None)

    # Items -----------------------------------------------------------------------------------------------------------

    def set_filter(self, which: ItemsFilter) -> None:
        self._filter = which
        if self.current is not None:
            self._list_items(self._counts.get(self.current.id), True)

    def _list_items(self, counts: RunCounts | None, fresh: bool) -> None:
        if counts is None:
            return
        shown = {
            ItemsFilter.ALL: counts.run.done,
            ItemsFilter.WRONG: counts.scored - counts.right,
            ItemsFilter.RIGHT: counts.right,
            ItemsFilter.MALFORMED: counts.malformed,
            ItemsFilter.UNSCORED: counts.unscored,
            ItemsFilter.ERRORS: counts.errors,
        }[self._filter]
        if fresh:
            self._view.set_items_total(shown, counts.run.done)
        else:
            self._view.mark_items_stale(shown, counts.run.done)

    def _read_items(self, offset: int, limit: int) -> None:
        from core.store.queries import items

        if self.current is None:
            return
        run, show, generation = self.current.id, STORED_FILTER[self._filter], self._view.items.generation

        def ask(database: Database) -> Page[Outcome]:
            with database.reading() as db:
                return items(db, run, show=show, offset=offset, limit=limit)  # type: ignore[arg-type]

        def answer(page: Page[Outcome]) -> None:
            rows = [item_row(offset + place, outcome) for place, outcome in enumerate(page.rows)]
            self._view.set_items_page(offset, rows, generation)

        self._context.query("read items", ask, answer, priority=1)

    def _open_item(self, episode: str, step: int) -> None:
        """Show an item's step in the replay workspace, with its run over it."""
        run = self.current
        if run is None:
            return
        self._context.selection.show_run(run.id)
        self.item_wanted.emit(run.spec.source, episode, max(step, 0))

    # Deleting --------------------------------------------------------------------------------------------------------

    def delete(self, run: str) -> None:
        """Delete a run with its predictions and scores, after asking: there is no way back."""
        counts = self._counts.get(run)
        if counts is None:
            return
        if counts.run.state in (RunState.RUNNING, RunState.QUEUED, RunState.PAUSED):
            self._context.messages.warning("This run is at work. Cancel it first.")
            return
        box = QMessageBox(self._context.window)
        box.setWindowTitle("Delete run")
        box.setText(f"Delete {title_of(counts.run)} with {words.counted(counts.run.done, 'item')}?")
        box.setInformativeText("Predictions and scores of this run are lost. The data and other runs stay.")
        delete = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
        box.exec()
        box.deleteLater()
        if box.clickedButton() is delete:
            self.delete_now(run)

    def delete_now(self, run: str) -> None:
        def change(database: Database) -> None:
            from core.store.repositories import runs

            with database.unit_of_work() as db:
                runs.remove(db, run)

        self._context.write("delete run", change, lambda _nothing: self._context.runs_changed.emit())


def load_results(database: Database, run: str) -> tuple[Run, Metrics, RunCounts]:
    """The run, its metrics with intervals, its counts; everything computed from the stored scores."""
    from core.scoring.options import parse_options
    from core.scoring.registry import step_metrics, step_scorer
    from core.scoring.rule import ScoredItem
    from core.store.queries import run_counts, scores

    with database.reading() as db:
        counts = run_counts(db, run)
        rows = scores(db, run)
    spec = counts.run.spec
    scorer = step_scorer(spec.protocol)
    options = parse_options(scorer.info, dict(spec.options))
    metrics = step_metrics(scorer, [ScoredItem(*row) for row in rows], options, bootstrap=DRAWS)
    return counts.run, metrics, counts


def result_details(run: Run, metrics: Metrics, counts: RunCounts, letter: int | None) -> ResultDetails:
    intervals = dict(metrics.intervals)
    clusters = min((n for _name, n in metrics.counts), default=metrics.n)
    main = MAIN_METRICS.get(run.spec.protocol, "")
    rows = tuple(
        MetricRow(
            name.replace("_", " ").capitalize(),
            value,
            intervals.get(name) if clusters > 1 else None,  # one episode says nothing about its like
            metrics.n_of(name),
            main=name == main,
        )
        for name, value in metrics.values
    )
    options = ", ".join(f"{name}={value}" for name, value in run.spec.options)
    state = "" if run.state is RunState.DONE else f"{run.state.value}: {run.done} of {run.total or '?'} items."
    note = f"Bootstrap over episodes, {DRAWS:,} draws, seed 0."
    return ResultDetails(
        id=run.id,
        name=title_of(run),
        data=source_name(run),
        letter=letter,
        items=run.done,
        unscored=counts.unscored,
        malformed=counts.malformed,
        errors=counts.errors,
        stand_in=is_stand_in(run),
        metrics=rows,
        note=" ".join(filter(None, (state, run.message, note, options))),
    )


def item_row(position: int, outcome: Outcome) -> ItemRow:
    prediction = outcome.prediction
    said = action_words(prediction.action).exact if prediction.action else f"({prediction.status})"
    step = None if outcome.key.step < 0 else outcome.key.step
    return ItemRow(
        position, outcome.key.episode, step, verdict_of(outcome.score), outcome.score.value, outcome.score.why, said,
        outcome.reference.replace("_", " "),
    )  # fmt: skip


def title_of(run: Run) -> str:
    return f"{run.spec.model} · {run.spec.protocol}"


def source_name(run: Run) -> str:
    return "Sample" if is_sample(run.spec.source) else Path(run.spec.source).name


def when_words(moment: datetime) -> str:
    """today 14:02, or the date."""
    local, now = moment.astimezone(), datetime.now().astimezone()
    return f"today {local:%H:%M}" if local.date() == now.date() else f"{local.day} {local:%b}"
