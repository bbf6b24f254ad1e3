"""Evaluations from the menu: the form, the runs at work with progress, pause and cancel, resuming, importing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog

import models.registry
from app.gui.context import Context
from app.gui.controllers.library import LibraryController
from app.gui.controllers.results import ResultsController
from app.gui.tasks import Task
from core.domain.prediction import Task as ModelTask
from core.domain.run import RunState
from core.progress import CancelToken, Progress
from widgets.common import TaskProgress
from widgets.evaluate import PREDICTIONS, DataChoice, EvaluateRequest, ModelChoice

if TYPE_CHECKING:
    from app.evaluation import Prepared
    from core.evaluation.runs import RunUpdate
    from core.sources.predictions import LineProblem
    from core.store.engine import Database

REASONS_TOLD, NUMBERS_TOLD = 3, 40

REFRESH_MS = 1000
"""While a run is at work its results are read anew so often."""

Prepare = Callable[["Database", CancelToken], "Prepared"]


class EvaluateController(QObject):
    """Runs go one after the other in the run lane; all of them are in the menu row's chip until they have ended."""

    run_started = Signal(str)
    run_ended = Signal(str)

    def __init__(self, context: Context, library: LibraryController, results: ResultsController) -> None:
        super().__init__(context)
        self._context, self._library, self._results = context, library, results
        self._form = context.window.evaluate
        self._chip = context.long_work.chip
        self._working: OrderedDict[int, Task] = OrderedDict()
        self._updates: dict[int, RunUpdate] = {}
        self._refresh = QTimer(self)
        self._refresh.setInterval(REFRESH_MS)
        self._refresh.timeout.connect(results.reload)
        self._connect()

    def _connect(self) -> None:
        window, listing = self._context.window, self._context.window.runs
        self._form.run_requested.connect(self.run)
        self._form.closed.connect(window.hide_evaluate)
        self._chip.pause_toggled.connect(self._if_own(self.toggle_pause))
        self._chip.cancel_requested.connect(self._if_own(self.cancel))
        self._chip.clicked.connect(self._show_runs)
        self._results.resume_requested.connect(self.resume)
        self._results.again_requested.connect(self._again)
        for view in (listing, window.results):
            view.evaluate_requested.connect(self.show_form)
        listing.pause_requested.connect(lambda _run: self.toggle_pause())
        listing.cancel_requested.connect(self._cancel_run)
        self._context.selection.source_changed.connect(self._fill_data)
        self._library.listed.connect(self._fill_data)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "evaluate.automation": self.show_form,
            "evaluate.matching": lambda: self.show_form(protocol="aitw"),
            "import.predictions": self._ask_for_predictions,
            "run.pause": self.toggle_pause,
            "run.cancel": self.cancel,
        }

    # The form --------------------------------------------------------------------------------------------------------

    def show_form(self, model: str = "", protocol: str = "") -> None:
        """Open the form in its dock, filled with what there is."""
        # the rules come with the first form, not with the window
        from core.scoring.registry import step_protocols, step_scorer

        known = models.registry.registry()
        choices = [
            ModelChoice(info.name, info.title, info.description, info.stand_in)
            for info in (model.info for model in known.models.values())
            if info.task is ModelTask.AUTOMATION and not info.needs_reference
        ]
        choices += [
            ModelChoice(info.name, f"{info.title} (for tests)", info.description, info.stand_in)
            for info in (model.info for model in known.models.values())
            if info.task is ModelTask.AUTOMATION and info.needs_reference
        ]
        for problem in known.problems:
            self._context.messages.warning(f"The model plug-in {problem.name} is broken: {problem.message}")
        before = self._form.request()
        protocols = [step_scorer(name).info for name in step_protocols()]
        self._form.set_task(ModelTask.AUTOMATION, "task automation", protocols, protocol or before.protocol)
        self._form.set_models(choices, model or (before.model if before.model != PREDICTIONS else ""))
        self._fill_data()
        self._context.window.show_evaluate()
        self._form.setFocus()

    def _fill_data(self) -> None:
        source = self._context.selection.source
        if source is None:
            self._form.set_data([])
            return
        rows = [DataChoice("all", source.title, source.episodes)]
        if self._library.filter_text:
            rows.insert(0, DataChoice("filter", "Current filter", len(self._library.ids)))
        self._form.set_data(rows, self._form.request().data)

    # Running ---------------------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        return bool(self._working)

    def run(self, form: EvaluateRequest) -> None:
        """Start what the form says, behind the runs that are at work."""
        source = self._context.selection.source
        if source is None:
            return
        from app.evaluation import EvaluationRequest, start

        request = EvaluationRequest(
            protocol=form.protocol,
            model="" if form.model == PREDICTIONS else form.model,
            predictions=Path(form.predictions) if form.predictions else None,
            options=tuple((name, str(value)) for name, value in form.options),
            episodes=tuple(self._library.ids) if form.data == "filter" else None,
            limit=form.limit,
            seed=form.seed,
            device=form.device,
            task=form.task,
        )
        name = Path(form.predictions).name if form.predictions else form.model
        self._begin(name, lambda database, token: start(database, source.source, source.id, request, token))

    def resume(self, run: str) -> None:
        """Go on with a stored run behind its last item, or with a paused one that is at work here."""
        from app.evaluation import resume

        for key, update in self._updates.items():
            if update.run_id == run:
                self._working[key].token.resume()
                self._show_chip()
                return
        source = self._context.selection.source
        reader = source.source if source else None
        self._begin(self._results.name_of(run), lambda database, token: resume(database, run, token, reader))

    def import_predictions(self, path: str) -> None:
        """Offer a prediction file in the form: data and protocol are chosen there."""
        if self._context.selection.source is None:
            self._context.messages.warning(
                "Open the episodes first that the predictions are about.", ("open.folder", "Open a folder")
            )
            return
        self.show_form()
        self._form.set_predictions(path)

    def _ask_for_predictions(self) -> None:
        kinds = "Predictions (*.jsonl *.ndjson *.json);;All files (*)"
        window = self._context.window
        chosen, _ = QFileDialog.getOpenFileName(window, "Import predictions", str(Path.home()), kinds)
        if chosen:
            self.import_predictions(chosen)

    def _again(self, _run: str) -> None:
        run = self._results.current
        if run is not None:
            self.show_form(run.spec.model, run.spec.protocol)

    def _begin(self, name: str, prepare: Prepare) -> None:
        database = self._context.database
        if database is None:
            return
        notes: list[str] = []
        task = self._context.start(
            f"Evaluating {name}",
            lambda token: work(database, prepare, token, notes),
            failed=self._context.messages.failure,
            lane="run",
        )
        key = id(task)
        self._working[key] = task
        task.progressed.connect(partial(self._progressed, key, notes))
        task.finished.connect(partial(self._finished, key))
        self._context.conditions.set("run_active", True)
        self._refresh.start()
        self._show_chip()

    def _progressed(self, key: int, notes: list[str], update: RunUpdate) -> None:
        while notes:
            self._context.messages.warning(notes.pop())
        first = key not in self._updates
        self._updates[key] = update
        self._results.set_progress(update.run_id, update.progress)
        if first:
            self._context.runs_changed.emit()
            self._context.selection.show_run(update.run_id)
            self.run_started.emit(update.run_id)
        self._show_chip()

    def _finished(self, key: int) -> None:
        self._working.pop(key, None)
        update = self._updates.pop(key, None)
        if not self._working:
            self._refresh.stop()
            self._context.conditions.set("run_active", False)
        self._show_chip()
        self._context.runs_changed.emit()
        if update is not None:
            self._results.choose(update.run_id)
            self._tell_end(update)
            self.run_ended.emit(update.run_id)

    def _tell_end(self, update: RunUpdate) -> None:
        if update.state is RunState.DONE:
            self._context.window.hide_evaluate()
            self._context.window.set_workspace("results")
            self._context.messages.done(f"Evaluated {update.committed:,} items.")
        elif update.state is RunState.CANCELLED:
            kept = f"{update.committed:,} of {update.progress.total or '?'} items are kept."
            self._context.messages.info(kept, ("run.resume", "Resume"), title="Cancelled.")

    # Pause and cancel ------------------------------------------------------------------------------------------------

    def toggle_pause(self) -> None:
        """Pause the run at work after its current item, or let it go on."""
        task = next(iter(self._working.values()), None)
        if task is not None:
            (task.token.resume if task.token.paused else task.token.pause)()
            self._show_chip()

    def cancel(self) -> None:
        """End the run at work after its current item; its results are kept."""
        task = next(iter(self._working.values()), None)
        if task is not None:
            task.cancel()

    def _if_own(self, do: Callable[[], object]) -> Callable[[str], None]:
        """For the chip's signals: act where the row is an evaluation; the first one is the one at work."""

        def act(row: str) -> None:
            if row in map(str, self._working):
                do()

        return act

    def _show_runs(self) -> None:
        if self.is_running:
            self._context.window.set_workspace("results")

    def _cancel_run(self, run: str) -> None:
        for key, task in self._working.items():
            update = self._updates.get(key)
            if update is not None and update.run_id == run:
                task.cancel()

    def _show_chip(self) -> None:
        """The runs at work and those that wait, in the menu row."""
        rows = []
        for key, task in self._working.items():
            update = self._updates.get(key)
            progress = update.progress if update else Progress(0, None)
            rows.append(
                TaskProgress(
                    id=str(key),
                    name=task.name,
                    done=progress.done,
                    total=progress.total,
                    rate=progress.rate,
                    seconds_left=progress.seconds_left,
                    paused=task.token.paused,
                )
            )
        self._context.long_work.show("evaluations", rows)


def work(database: Database, prepare: Prepare, token: CancelToken, notes: list[str]) -> Iterator[RunUpdate]:
    """The run's updates; `notes` gets a line about what of a prediction file was kept out."""
    prepared = prepare(database, token)
    if prepared.problems:
        notes.append(kept_out(prepared.problems))
    yield from prepared.run.updates()


def kept_out(problems: Sequence[LineProblem]) -> str:
    """Which lines of a prediction file are not scored, each by its number, the first ones with the reason."""
    told = "; ".join(f"line {problem.line}: {problem.message}" for problem in problems[:REASONS_TOLD])
    rest = [str(problem.line) for problem in problems[REASONS_TOLD:NUMBERS_TOLD]]
    more = f"; also lines {', '.join(rest)}" if rest else ""
    beyond = f" and {len(problems) - NUMBERS_TOLD:,} further ones" if len(problems) > NUMBERS_TOLD else ""
    return f"Kept out: {told}{more}{beyond}. All other lines are scored."
