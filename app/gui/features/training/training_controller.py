"""Training from the menu: one at a time, in a process of its own, beside evaluations; what was stopped can go on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

import stepscope.models.registry
from stepscope.app.gui.features.training import training_work
from stepscope.app.gui.shell.compute_choices import compute_choices
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import EpisodesListed
from stepscope.app.gui.shell.ports import EpisodeList, TrainingViews
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.services.worker import TrainingJob
from stepscope.core.domain.prediction import Task as ModelTask
from stepscope.core.own_files import parsed_json
from stepscope.core.progress import CancelToken, Progress
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.format import counted, score, signed
from stepscope.widgets.forms.evaluate_choices import DataChoice, TaskChoice
from stepscope.widgets.training import RecipeChoice, TrainingStatus, TrainRequest

if TYPE_CHECKING:
    from stepscope.app.gui.features.training.training_work import TrainingState
    from stepscope.core.store.engine import Database
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
    """Fills the Train dock and runs what it says."""

    trained = Signal(object, str)
    """the task and the name of a model that is new"""
    evaluate_wanted = Signal(object, str)

    def __init__(self, context: Context, views: TrainingViews, library: EpisodeList) -> None:
        super().__init__(context)
        self._context, self._views, self._library = context, views, library
        self._panel, self._form = views.training, views.training.form
        self._recipes: tuple[RecipeChoice, ...] = ()
        self._task = ModelTask.FEASIBILITY
        self._working: RunningTraining | None = None
        self._done: ModelCard | None = None
        self._shown = False
        self.work: training_work.Events = training_work.elsewhere
        self.clock: Callable[[], float] = time.monotonic
        self._heard = 0.0
        self._refresh = QTimer(self)
        self._refresh.setInterval(REFRESH_MS)
        self._refresh.timeout.connect(self._show)
        self._connect()

    def _connect(self) -> None:
        chip = self._context.long_work.chip
        self._form.run_requested.connect(self.run)
        self._form.task_chosen.connect(self.choose_task)
        self._panel.closed.connect(self._views.hide_training)
        self._panel.pause_requested.connect(self.toggle_pause)
        self._panel.stop_requested.connect(self.stop)
        chip.pause_toggled.connect(lambda row: self.toggle_pause() if row == ROW else None)
        chip.cancel_requested.connect(lambda row: self.stop() if row == ROW else None)
        chip.clicked.connect(lambda: self.show() if self.is_running else None)
        self._context.selection.source_changed.connect(self._source_changed)
        self._context.events.on(EpisodesListed, lambda _: self._fill_data())

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "models.train": self.show,
            "training.pause": self.toggle_pause,
            "training.stop": self.stop,
            "training.evaluate": self._evaluate,
        }

    # The form --------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Open the dock; while a training is at work, at its curves."""
        self._panel.show_page("curves" if self.is_running else "settings")
        if not self._shown:
            self._shown = True
            self._context.start("recipes", lambda _token: training_work.recipes(), self._take_recipes)
            self._context.start("devices", lambda _token: compute_choices()[0], self._take_devices)
        self._context.start("models", lambda _token: _taken(), self._form.set_taken, priority=-9)
        self._fill_data()
        self._ask_offer()
        self._views.show_training()
        self._form.setFocus()

    def choose_task(self, task: ModelTask) -> None:
        """The task's recipes, with what was trained last for it."""
        self._task = task
        self._form.set_recipes([one for one in self._recipes if one.task is task])
        last = self._last(task)
        if last is not None and any(one.name == last.recipe for one in self._recipes):
            self._form.fill(last)
        self._ask_offer()

    def _take_recipes(self, found: tuple[tuple[RecipeChoice, ...], str]) -> None:
        self._recipes, lack = found
        self._form.set_lack(lack)
        self.choose_task(self._task)

    def _take_devices(self, found: tuple[Any, ...]) -> None:
        self._form.set_compute(found, self._context.preferences.device)

    def _fill_data(self) -> None:
        source = self._context.selection.source
        rows = [] if source is None else [DataChoice("all", source.title, source.episodes)]
        if source is not None and self._library.filter_text:
            rows.append(DataChoice("filter", "Current filter", len(self._library.ids), self._library.filter_text))
        self._form.set_data(rows)

    def _source_changed(self) -> None:
        self._fill_data()
        if self._shown:
            self._ask_offer()

    def _ask_offer(self) -> None:
        """What fits the open data, and its splits."""
        source = self._context.selection.source
        if source is None:
            self._take_offer(({}, ()))
            return

        def ask(database: Database) -> tuple[dict[ModelTask, str], tuple[str, ...]]:
            from stepscope.app.services.evaluation import fitting
            from stepscope.core.store import queries

            with database.reading() as db:
                splits = tuple(queries.splits(db, source.id))
            return fitting(database, source.id), splits

        self._context.query("what can be trained", ask, self._take_offer)

    def _take_offer(self, offer: tuple[dict[ModelTask, str], tuple[str, ...]]) -> None:
        why_not, splits = offer
        rows = [TaskChoice(task, TASK_TITLES[task], why_not.get(task, "")) for task in training_work.TRAINABLE]
        self._form.set_tasks(rows, self._task)
        self._form.set_splits(splits)
        last = self._last(self._task)
        if last is not None and {last.train, last.validation, last.held_out} <= {*splits, ""}:
            now = self._form.request()
            splits_of_last = {"train": last.train, "validation": last.validation, "held_out": last.held_out}
            self._form.fill(replace(now, **splits_of_last))  # type: ignore[arg-type]

    def _last(self, task: ModelTask) -> TrainRequest | None:
        """What was trained last for the task, so that it can be gone on with after a restart too."""
        try:
            form = parsed_json(str(self._context.layout.value(f"training/{task.value}", "")))
            return TrainRequest(**{**form, "task": task, "seeds": tuple(map(int, form["seeds"]))})
        except (ValueError, TypeError, KeyError):
            return None

    # Training --------------------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        return self._working is not None

    def run(self, form: TrainRequest) -> None:
        """Train what the form says; what was stopped before is gone on with."""
        source = self._context.selection.source
        if source is None or self._working is not None:
            return
        self._context.layout.setValue(f"training/{form.task.value}", json.dumps(asdict(form)))
        url, path, kind, work = self._context.places.store_url, source.source.path, source.source.format, self.work

        def states(token: CancelToken) -> Iterator[TrainingState]:
            job = TrainingJob(url, path, kind, training_work.request_of(form))
            yield from training_work.states(work(job, token))

        task = self._context.start(f"Training {form.name}", states, lane="training")
        measured = next((one.measured for one in self._recipes if one.name == form.recipe), "")
        self._context.messages.settle(self)
        self._working = RunningTraining(form, measured, task, training_work.TrainingState())
        self._heard = self.clock()
        task.progressed.connect(self._progressed)
        task.finished.connect(self._finished)
        self._context.conditions.set("training", True)
        self._form.set_blocked(f"{form.name} is being trained. Wait for its end, or stop it.")
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
        self._form.set_blocked("")
        if working is None:
            return
        self._panel.set_status(_status(working, running=False))
        if working.state.done is not None:
            self._tell_done(working)
        elif working.task.token.cancelled:
            stopped = working.state.stopped
            kept = counted(stopped.epochs if stopped else len(working.state.points), "epoch")
            self._context.messages.info(
                f"What {working.request.name} learned in {kept} is kept. Train with the same settings to go on.",
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
            held_out_words(card),
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
    elif state.progress is not None and state.progress.total and not doing.startswith("Seed"):
        doing = f"{doing}: {state.progress.done:,} of {state.progress.total:,}"
    return TrainingStatus(
        working.request.name,
        doing + (", paused" if running and token.paused else ""),
        working.measured,
        state.points,
        state.notes,
        running,
        token.paused,
    )


def held_out_words(card: ModelCard) -> str:
    """The protocol's metric on episodes that the model never saw, with its interval and what it is above baselines."""
    found = card.held_out
    if not found:
        return "Nothing was held out, so there are no numbers on episodes that it never saw."
    name = found["metric"]
    low_high = found["ci"].get(name)
    value = score(found["metrics"].get(name)) + (f" ({score(low_high[0])} – {score(low_high[1])})" if low_high else "")
    words = [f"On held-out episodes {name.replace('_', ' ')} is {value}, n {found['n']:,}."]
    for baseline, one in found["against"].items():
        if one["difference"] is not None:
            words.append(f"{signed(one['difference'])} against {baseline}.")
    return " ".join(words)


def _taken() -> tuple[str, ...]:
    """Names of all models that are not the person's own."""
    known = stepscope.models.registry.registry().models.items()
    return tuple(name for name, model in known if model.trained is None or model.trained.shipped)
