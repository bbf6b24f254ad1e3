"""Evaluations from the menu: runs are queued, worked on one after the other, paused, cancelled, resumed, imported."""

from __future__ import annotations

import importlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, QTimer, Signal

from stepscope.app.gui.features.evaluate import evaluation_work
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunProgressed, RunsChanged
from stepscope.app.gui.shell.ports import EvaluateViews, Library, RunCatalog
from stepscope.app.gui.shell.recordings_question import once_agreed
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.core.domain.model_name import asks_server, split_name
from stepscope.core.domain.prediction import Task as ModelTask
from stepscope.core.domain.run import RunState
from stepscope.core.domain.walk import WalkUnderWay
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import Progress
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.gui.features.evaluate.evaluate_form_controller import EvaluateFormController
    from stepscope.app.gui.shell.selection import OpenSource
    from stepscope.app.services import evaluation, worker
    from stepscope.app.services.cluster.choice import ClusterChoice
    from stepscope.app.services.evaluation import EvaluationRequest, QueuedRun
    from stepscope.app.services.worker import AnswerWords
    from stepscope.core.evaluation.runs import RunUpdate
    from stepscope.core.store.engine import Database
    from stepscope.models.registry import Registry
    from stepscope.widgets.forms.evaluate_choices import EvaluateRequest
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")
    worker = lazy_module("stepscope.app.services.worker")

STEP_MATCHING = "aitw"
"""Task automation under the rules of the step-matching papers begins with this protocol."""
REFRESH_MS = 1000
"""While a run is at work its results are read anew so often."""
SILENT_SECONDS = 60.0
"""A run at work of which nothing was heard for so long is shown as silent."""
TICKED_BY_THEMSELVES = 2
"""So many runs are shown over their data when they begin; further ones wait in the list until somebody ticks them."""
PLACE = "results"
"""The workspace where a run's end is seen."""
NONSENSE = "answers that cannot be read"
"""What the message is about that nothing of what a model answers can be read; with the run's id."""
ENDED = "evaluations that ended"
"""What the message is about that leads to their results."""


@dataclass
class RunningEvaluation:
    """A run of this window over `data`: waiting for its turn (`update` None) or at work. `loads`: its model has weights
    that are loaded before the first item."""

    run: str
    data: str
    task: BackgroundTask
    queued: QueuedRun | None
    loads: bool
    update: RunUpdate | None = None
    told_unreadable: bool = False
    by_cluster: bool = False


class EvaluateController(QObject):
    """Runs go one after the other in the run lane; all of them are in the menu row's chip until they have ended."""

    run_started = Signal(str)
    run_ended = Signal(str)

    def __init__(self, context: Context, views: EvaluateViews, library: Library, runs: RunCatalog) -> None:
        super().__init__(context)
        self._context, self._views, self._runs = context, views, runs
        self._library = library
        self._known: Registry | None = None
        """the models as they were looked up once the window had come to rest"""
        self._asked_for_models = False
        self._chip = context.long_work.chip
        self._working: OrderedDict[str, RunningEvaluation] = OrderedDict()
        self._clusters: dict[str, ClusterChoice] = {}
        """what works on a run where it is not this computer, by run: it is resumed there"""
        self._starting = 0
        self._ended = ""
        self._told = ""
        """the message of a run's end that leads to its results"""
        self.work: evaluation_work.Work = evaluation_work.elsewhere
        self.clock: Callable[[], float] = time.monotonic
        self._heard = 0.0
        """When the run at work last said how far it is, or began"""
        self._refresh = QTimer(self)
        self._refresh.setInterval(REFRESH_MS)
        self._refresh.timeout.connect(runs.refresh)
        self._refresh.timeout.connect(self._show_chip)
        self._connect()

    def _connect(self) -> None:
        views = self._views
        self._context.settled.connect(self._look_up_models)
        views.when_made("evaluate", self._take_form)
        views.when_made("runs", self._take_list)
        views.when_made("results", lambda: views.results.evaluate_requested.connect(self.show_form))
        self._chip.pause_toggled.connect(self._if_own(self.toggle_pause))
        self._chip.cancel_requested.connect(self._if_own(self.cancel))
        self._chip.clicked.connect(self._show_runs)
        self._context.workspaces.workspace_changed.connect(self._entered)

    @cached_property
    def forms(self) -> EvaluateFormController:
        """Made with the form."""
        from stepscope.app.gui.features.evaluate.evaluate_form_controller import EvaluateFormController

        self._look_up_models()
        return EvaluateFormController(self._context, self._views, self._library, self._known)

    def work_here(self) -> None:
        """Runs are worked on in this process: nobody else can share the store."""
        self.work = evaluation_work.here

    def _look_up_models(self) -> None:
        """Look up the models before the form is opened, so that it has them then; where it is opened at once, now."""
        if self._asked_for_models:
            return
        self._asked_for_models = True

        def arrived(found: Registry) -> None:
            self._known = found
            if "forms" in self.__dict__:
                self.forms.take_models(found)

        self._context.start("models", evaluation_work.look_up_models, arrived, priority=-9)

    def _take_form(self) -> None:
        form = self._views.evaluate
        form.run_requested.connect(self.run)
        form.closed.connect(self._views.hide_evaluate)

    def _take_list(self) -> None:
        listing = self._views.runs
        listing.evaluate_requested.connect(self.show_form)
        listing.pause_requested.connect(self._toggle_run)
        listing.cancel_requested.connect(self._cancel_run)

    def handlers(self) -> dict[str, Callable[[], object]]:
        def shows(task: ModelTask, protocol: str = "") -> Callable[[], object]:
            return lambda: self.show_form(task, protocol=protocol)

        return {
            "evaluate.feasibility": shows(ModelTask.FEASIBILITY),
            "evaluate.automation": shows(ModelTask.AUTOMATION),
            "evaluate.matching": shows(ModelTask.AUTOMATION, STEP_MATCHING),
            "evaluate.goal": shows(ModelTask.GOAL),
            "evaluate.ordering": shows(ModelTask.ORDERING),
            "evaluate.ask": shows(ModelTask.ASK),
            "evaluate.grounding": shows(ModelTask.GROUNDING),
            "evaluate.rollout": shows(ModelTask.ROLLOUT),
            "evaluate.affordance": shows(ModelTask.AFFORDANCE),
            "evaluate.webtask": shows(ModelTask.WEBTASK),
            "import.predictions": self._ask_for_predictions,
            "run.pause": self.toggle_pause,
            "run.cancel": self.cancel,
            "run.rerun_failed": self._rerun_failed,
            "run.manage": self._manage,
            "run.show_ended": self.show_ended,
            "models.unload": self._unload,
        }

    # The form --------------------------------------------------------------------------------------------------------

    def show_form(self, task: ModelTask = ModelTask.AUTOMATION, model: str = "", protocol: str = "") -> None:
        """Open the form in its dock, filled with what there is."""
        self.forms.show(task, model, protocol)
        if not self.is_running:
            self._context.start("get ready to evaluate", lambda _token: _warm_up(self.work), lane="index", priority=-9)

    def run_again(self, _run: str) -> None:
        run = self._runs.current
        if run is not None:
            self.show_form(run.spec.task, run.spec.model, run.spec.protocol)

    # Running ---------------------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        return bool(self._working) or self._starting > 0

    def run(self, form: EvaluateRequest) -> None:
        """Queue what the form says, one run or two, behind the runs that are at work."""
        source, database = self._context.selection.source, self._context.database
        if source is None or database is None:
            return
        requests = evaluation.by_instructions(self.forms.request(form), form.instructions)
        self.forms.remember(form)
        self._queue_agreed(requests, source, database, self.forms.cluster(form))

    def queue(self, request: EvaluationRequest) -> None:
        """Queue a run over the data that is open, behind those that are at work."""
        source, database = self._context.selection.source, self._context.database
        if source is not None and database is not None:
            self._queue_agreed((request,), source, database)

    def _queue_agreed(
        self,
        requests: Sequence[EvaluationRequest],
        source: OpenSource,
        database: Database,
        cluster: ClusterChoice | None = None,
    ) -> None:
        """Queue them all, where a server is asked only once the person agrees that it gets what they recorded."""

        def queue() -> None:
            for request in requests:
                self._queue(request, source, database, cluster)

        asked = [request.model for request in requests if asks_server(request.model)]
        if not asked:
            queue()
            return
        self._starting += 1
        once_agreed(self._context, source.source, asked, queue).finished.connect(self._queueing_ended)

    def _queue(
        self, request: EvaluationRequest, source: OpenSource, database: Database, cluster: ClusterChoice | None
    ) -> None:
        name = request.predictions.name if request.predictions else request.model

        def write(_token: object) -> tuple[QueuedRun, bool]:
            queued = evaluation.queue(database, source.source, source.id, request, cluster)
            return queued, request.predictions is None and _has_weights(request.model)

        def queued(written: tuple[QueuedRun, bool]) -> None:
            found, loads = written
            if found.problems:
                self._context.messages.warning(evaluation_work.kept_out(found.problems))
            if cluster is not None:
                self._clusters[found.run_id] = cluster
            self._begin(name, found.run_id, source.key, found, loads=loads)

        self._starting += 1
        task = self._context.start(f"Queueing {name}", write, queued)
        task.finished.connect(self._queueing_ended)

    def _queueing_ended(self) -> None:
        self._starting -= 1

    def resume(self, run: str) -> None:
        """Go on with a stored run behind its last item, or with a paused one that is at work here."""
        working = self._working.get(run)
        if working is not None:
            working.task.token.resume()
            self._show_chip()
            return
        self._context.messages.settle(("run", run))
        stored = self._runs.run_of(run)
        data, loads = (stored.spec.source, bool(stored.weights)) if stored is not None else ("", False)
        self._begin(self._runs.name_of(run), run, data, None, loads=loads)

    def _begin(self, name: str, run: str, data: str, queued: QueuedRun | None, *, loads: bool) -> None:
        database = self._context.database
        if database is None:
            return
        cluster, claim = self._clusters.get(run), queued.worker.claim if queued else ""
        job = worker.Job(self._context.places.store_url, run, claim, cluster)
        task = self._context.start(
            f"Evaluating {name}",
            lambda token: self.work(database, job, token),
            failed=self._context.messages.failure,
            lane="run",
        )
        self._working[run] = RunningEvaluation(run, data, task, queued, loads, by_cluster=cluster is not None)
        if len(self._working) == 1:
            self._heard = self.clock()
        task.progressed.connect(partial(self._progressed, run))
        task.finished.connect(partial(self._finished, run))
        self._context.conditions.set("run_active", True)
        self._refresh.start()
        self._context.events.publish(RunsChanged())
        self._show_chip()

    def _progressed(self, run: str, update: RunUpdate | AnswerWords | WalkUnderWay) -> None:
        if isinstance(update, worker.AnswerWords):
            self._heard = self.clock()
            self._runs.set_words(run, update.words)
            return
        if isinstance(update, WalkUnderWay):
            self._heard = self.clock()
            self._runs.set_walk(run, update)
            return
        working = self._working[run]
        before, working.update = working.update, update
        first = before is None
        if before is None or before.committed != update.committed:
            self._context.events.publish(RunProgressed(run, update.committed))
        self._heard = self.clock()
        self._runs.set_progress(run, update.progress, update.metrics, update.workers)
        self._look_for_nonsense(working, update)
        if first:
            self._context.events.publish(RunsChanged())
            selection = self._context.selection
            if len(selection.runs_on(working.data)) < TICKED_BY_THEMSELVES:
                selection.show_run(run, working.data)
            self.run_started.emit(run)
        self._show_chip()

    def _look_for_nonsense(self, working: RunningEvaluation, update: RunUpdate) -> None:
        """Say once that nothing of what a model answers can be read: the rest of the run would be for nothing."""
        if working.told_unreadable or update.metrics is None:
            return
        current = self._runs.run_of(working.run)
        words = "" if current is None else evaluation.unreadable_words(current.spec.model, update.metrics)
        if words:
            working.told_unreadable = True
            pause = partial(self._toggle_run, working.run)
            self._context.messages.warning(words, (pause, "Pause"), about=(NONSENSE, working.run))

    def _finished(self, run: str) -> None:
        working = self._working.pop(run, None)
        self._context.messages.settle((NONSENSE, run))
        self._runs.set_phase(run, "")
        self._runs.set_words(run, "")
        self._runs.set_walk(run, None)
        self._heard = self.clock()
        if not self._working:
            self._refresh.stop()
            self._context.conditions.set("run_active", False)
        self._show_chip()
        if working is None:
            return
        if working.update is None:
            self._never_begun(working)
            return
        self._context.events.publish(RunsChanged())
        if working.update.state not in (RunState.RUNNING, RunState.PAUSED):  # else it broke, or may even be deleted
            self._ended = run
            self._context.conditions.set("run_ended", True)
            self._runs.tell_new(run)
        self._tell_end(working.update)
        self.run_ended.emit(run)

    def _never_begun(self, working: RunningEvaluation) -> None:
        """End an evaluation that never began: it was cancelled while it waited, or could not begin, which has been
        told."""
        if working.queued is None or not working.task.token.cancelled:
            self._context.events.publish(RunsChanged())
            return
        queued = working.queued
        self._context.write(
            "withdraw run",
            lambda database: evaluation_work.withdraw(database, queued),
            lambda _nothing: self._context.events.publish(RunsChanged()),
        )

    def _tell_end(self, update: RunUpdate) -> None:
        if update.state is RunState.DONE:
            told = f"Evaluated {counted(update.committed, 'item')} with {self._runs.name_of(update.run_id)}."
            self._tell_where(f"{told} {update.known}".strip())
            if lacking := evaluation_work.lacking(update):
                self._context.messages.warning(lacking)
        elif update.state is RunState.CANCELLED:
            kept = f"{update.committed:,} of {update.progress.total or '?'} items are kept."
            resume = partial(self.resume, update.run_id)
            self._context.messages.info(kept, (resume, "Resume"), title="Cancelled.", about=("run", update.run_id))

    def _tell_where(self, text: str) -> None:
        """A run is done: say so where the person is, and how to get to its results."""
        messages = self._context.messages
        messages.settle(ENDED)
        self._context.workspaces.mark_workspace(PLACE)
        messages.done(text, ("run.show_ended", "Show"), about=ENDED)

    def _entered(self, workspace: str) -> None:
        if workspace == PLACE:
            self._context.messages.settle(ENDED)

    def show_ended(self) -> None:
        """The results of the run that ended last."""
        self.show_run(self._ended)

    def show_run(self, run: str) -> None:
        """The results of a run."""
        self._context.workspaces.set_workspace(PLACE)
        if run:
            self._runs.choose(run)

    def _rerun_failed(self) -> None:
        """Do the items of the chosen run that ended in an error once more."""
        run = self._runs.current
        if run is None:
            return

        def reopened(count: int) -> None:
            if count:
                self.resume(run.id)
            else:
                self._context.messages.info("No item of this run ended in an error.")

        self._context.write("reopen failed items", lambda db: evaluation_work.reopen_failed(db, run.id), reopened)

    # Predictions made elsewhere --------------------------------------------------------------------------------------

    def import_predictions(self, path: str) -> None:
        """Offer a prediction file in the form: data and protocol are chosen there."""
        if self._context.selection.source is None:
            self._context.messages.warning(
                "Open the episodes first that the predictions are about.", ("open.folder", "Open a folder")
            )
            return

        def show(task: ModelTask) -> None:
            self.show_form(task)
            self._views.evaluate.set_predictions(path)

        self._context.start("look at predictions", lambda _token: _task_of(Path(path)), show)

    def _ask_for_predictions(self) -> None:
        kinds = "Predictions (*.jsonl *.ndjson *.json);;All files (*)"
        window = self._context.dialog_parent
        chosen, _ = QtWidgets.QFileDialog.getOpenFileName(window, "Import predictions", str(Path.home()), kinds)
        if chosen:
            self.import_predictions(chosen)

    # Pause and cancel ------------------------------------------------------------------------------------------------

    def toggle_pause(self) -> None:
        """Pause the run at work after its current item, or let it go on."""
        self._toggle_run(next(iter(self._working), ""))

    def cancel(self) -> None:
        """End the run at work after its current item; its results are kept."""
        self._cancel_run(next(iter(self._working), ""))

    def _toggle_run(self, run: str) -> None:
        working = self._working.get(run)
        if working is not None:
            token = working.task.token
            (token.resume if token.paused else token.pause)()
            self._show_chip()

    def _cancel_run(self, run: str) -> None:
        working = self._working.get(run)
        if working is not None:
            working.task.cancel()

    def end(self) -> None:
        """The window closes and all work has come to rest: give up the runs that were never begun."""
        database = self._context.database
        for working in self._working.values():
            if working.queued is not None and working.update is None and database is not None:
                evaluation_work.withdraw(database, working.queued)

    def _if_own(self, do: Callable[[], object]) -> Callable[[str], None]:
        """Act on a signal of the chip where the row is an evaluation; the first one is the one at work."""

        def act(row: str) -> None:
            if row in self._working:
                do()

        return act

    def _show_runs(self) -> None:
        if self.is_running:
            self._context.workspaces.set_workspace(PLACE)

    def _manage(self) -> None:
        """Show the list of runs, ready for keys."""
        self._context.workspaces.set_workspace(PLACE)
        self._context.workspaces.show_dock("runs")
        self._views.runs.list.setFocus()

    def _unload(self) -> None:
        worker.evaluation_worker().unload()
        self._context.messages.done("Loaded models give their memory back once nothing runs.")

    def _show_chip(self) -> None:
        """The runs at work and those that wait, in the menu row."""
        rows: list[TaskProgress] = []
        if any(working.task.token.paused for working in self._working.values()):
            self._heard = self.clock()  # nobody expects to hear of a run that rests
        silent = self.clock() - self._heard >= SILENT_SECONDS
        for run, working in self._working.items():
            progress = working.update.progress if working.update else Progress(0, None)
            phase = _phase(working, is_first=not rows)
            self._runs.set_phase(run, phase)
            rows.append(
                TaskProgress(
                    id=run,
                    name=working.task.name,
                    done=progress.done,
                    total=progress.total,
                    rate=progress.rate,
                    seconds_left=progress.seconds_left,
                    paused=working.task.token.paused,
                    silent=silent and not rows,
                    phase=phase,
                )
            )
        self._context.long_work.show("evaluations", rows)


def _phase(working: RunningEvaluation, *, is_first: bool) -> str:
    """What a run does that has answered nothing yet, or whose store's server is away."""
    if working.update is not None and working.update.away is not None:
        from stepscope.core.store.absence import words_of_absence

        return words_of_absence(working.update.away)
    if working.update is not None and working.update.progress.done:
        return ""
    if not is_first:
        return "waits for its turn"
    if working.by_cluster:
        return "waits for workers of the cluster"
    return "loading weights" if working.loads else "starting"


def _has_weights(model: str) -> bool:
    """Whether the model is loaded from files before it can answer."""
    from stepscope.models.registry import registry

    models = registry().models
    known = models.get(model) or models.get(split_name(model)[0])
    return known is not None and known.info.weights != "none"


def _warm_up(work: evaluation_work.Work) -> None:
    """Start the process for evaluations while the person reads the form, and load what Run needs here."""
    importlib.import_module("stepscope.app.services.evaluation")
    if work is evaluation_work.elsewhere:
        worker.evaluation_worker().start()


def _task_of(path: Path) -> ModelTask:
    """What a prediction file is about, by its first readable answer."""
    return evaluation.task_of_predictions(path)
