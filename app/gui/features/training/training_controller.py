"""Training from the menu: one at a time, in a process of its own, beside evaluations; what was stopped can go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from stepscope.app.gui.features.training import training_work
from stepscope.app.gui.features.training.drawn_words import drawn_batch
from stepscope.app.gui.features.training.presenter import held_out_words, stopped_words
from stepscope.app.gui.features.training.training_form_controller import TrainingFormController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import EpisodeList, TrainingViews
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.core.progress import CancelToken, Progress
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.training import TrainingStatus, TrainRequest

if TYPE_CHECKING:
    from stepscope.app.gui.features.training.training_work import TrainingState
    from stepscope.models.learned.card import ModelCard

ROW = "training"
REFRESH_MS, SILENT_SECONDS = 1000, 60.0


@dataclass(slots=True)
class RunningTraining:
    """A training of this window."""

    request: TrainRequest
    measured: str
    task: BackgroundTask
    state: TrainingState


class TrainingController(QObject):
    """Runs what the Train dock says, and shows how it goes; `form` fills its settings."""

    trained = Signal(object, str)
    """the task and the name of a model that is new"""
    evaluate_wanted = Signal(object, str)

    def __init__(self, context: Context, views: TrainingViews, library: EpisodeList) -> None:
        super().__init__(context)
        self._context, self._views, self._panel = context, views, views.training
        self.form = TrainingFormController(context, self._panel.form, library)
        self._working: RunningTraining | None = None
        self._done: ModelCard | None = None
        self.work: training_work.Events = training_work.elsewhere
        self.clock: Callable[[], float] = time.monotonic
        self._heard = 0.0
        self._refresh = QTimer(self)
        self._refresh.setInterval(REFRESH_MS)
        self._refresh.timeout.connect(self._show)
        self._connect()

    def _connect(self) -> None:
        chip = self._context.long_work.chip
        self._panel.form.run_requested.connect(self.run)
        self._panel.closed.connect(self._views.hide_training)
        self._panel.pause_requested.connect(self.toggle_pause)
        self._panel.stop_requested.connect(self.stop)
        chip.pause_toggled.connect(lambda row: self.toggle_pause() if row == ROW else None)
        chip.cancel_requested.connect(lambda row: self.stop() if row == ROW else None)
        chip.clicked.connect(lambda: self.show() if self.is_running else None)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "models.train": self.show,
            "training.pause": self.toggle_pause,
            "training.stop": self.stop,
            "training.evaluate": self._evaluate,
        }

    def show(self) -> None:
        """Open the dock; while a training is at work, at its curves."""
        self._panel.show_page("curves" if self.is_running else "settings")
        self.form.show()
        self._views.show_training()
        self._panel.form.setFocus()

    # Training --------------------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        return self._working is not None

    def run(self, form: TrainRequest) -> None:
        """Train what the form says; what was stopped before is gone on with."""
        source = self._context.selection.source
        if source is None or self._working is not None:
            return
        self.form.keep(form)
        url, path, kind, work = self._context.places.store_url, source.source.path, source.source.format, self.work

        def states(token: CancelToken) -> Iterator[TrainingState]:
            job = training_work.job_of(url, path, kind, form)
            yield from training_work.states(work(job, token), form.batch)

        task = self._context.start(f"Training {form.name}", states, lane="training")
        self._context.messages.settle(self)
        self._working = RunningTraining(form, self.form.measured(form.recipe), task, training_work.TrainingState())
        self._heard = self.clock()
        task.progressed.connect(self._progressed)
        task.finished.connect(self._finished)
        self._context.conditions.set("training", True)
        self._panel.form.set_blocked(f"{form.name} is being trained. Wait for its end, or stop it.")
        self._panel.show_page("curves")
        self._refresh.start()
        self._show()

    def _progressed(self, state: TrainingState) -> None:
        if self._working is not None:
            self._working.state = state
            self._heard = self.clock()
            self._show()

    def _finished(self) -> None:
        working, self._working = self._working, None
        self._refresh.stop()
        self._context.long_work.show(ROW, ())
        self._context.conditions.set("training", False)
        self._panel.form.set_blocked("")
        if working is None:
            return
        self._panel.set_status(_status(working, running=False))
        if working.state.done is not None:
            self._tell_done(working)
        elif working.task.token.cancelled:
            state = working.state
            epochs = state.stopped.epochs if state.stopped else len(state.points)
            words = stopped_words(
                working.request.name, epochs, in_epoch=state.pace is not None, in_pretraining=state.in_pretraining
            )
            self._context.messages.info(
                words,
                ("models.train", "Show"),
                title="Stopped.",
                about=self,
            )

    def _tell_done(self, working: RunningTraining) -> None:
        assert working.state.done is not None
        card = self._done = working.state.done.trained.card
        self._context.conditions.set("trained", True)
        self.trained.emit(card.task, card.name)
        self._context.messages.info(
            " ".join(held_out_words(card)),
            ("training.evaluate", "Evaluate with it"),
            ("models.train", "Show"),
            title=f"{card.name} is trained.",
            about=self,
        )

    def toggle_pause(self) -> None:
        if self._working is not None:
            token = self._working.task.token
            (token.resume if token.paused else token.pause)()
            self._show()

    def stop(self) -> None:
        """End the training after the batch in hand; what was learned is kept."""
        if self._working is not None:
            self._working.task.cancel()
            self._show()

    def _evaluate(self) -> None:
        if self._done is not None:
            self.evaluate_wanted.emit(self._done.task, self._done.name)

    def _show(self) -> None:
        """The training in the chip and in the dock."""
        working = self._working
        if working is None:
            return
        token = working.task.token
        if token.paused:
            self._heard = self.clock()
        progress = working.state.progress or Progress(0, None)
        row = TaskProgress(
            ROW,
            working.task.name,
            progress.done,
            progress.total,
            progress.rate,
            progress.seconds_left,
            paused=token.paused,
            silent=self.clock() - self._heard >= SILENT_SECONDS,
        )
        self._context.long_work.show(ROW, (row,))
        self._panel.set_status(_status(working, running=True))


def _status(working: RunningTraining, *, running: bool) -> TrainingStatus:
    token, state = working.task.token, working.state
    doing = state.doing
    if not running and state.done is None:
        doing = "Stopped" if token.cancelled else "Ended by an error"
    elif running and token.cancelled:
        doing = "Stopping after the batch in hand"
    elif state.progress is not None and state.progress.total and not state.in_epochs:
        doing = f"{doing}: {state.progress.done:,} of {state.progress.total:,}"
    return TrainingStatus(
        working.request.name,
        doing + (", paused" if running and token.paused else ""),
        working.measured,
        state.points,
        state.notes,
        running,
        token.paused,
        state.pace,
        () if state.done is None else held_out_words(state.done.trained.card),
        state.pretraining,
        None if state.drawn is None else drawn_batch(state.drawn),
    )
