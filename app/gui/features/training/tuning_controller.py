"""Models ▸ Fine-Tune a Checkpoint: from the form to a model of one's own, in the process of trainings."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import ModelsChanged
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.services.worker import CurveJob, TuningJob, training_worker
from stepscope.core.domain.model_name import LOCAL
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.training.tuning_dialog import BaseChoice, TuningDialog, TuningPreset, TuningWish

if TYPE_CHECKING:
    from stepscope.app.services import checkpoint_tuning, splits, tuning_lessons
    from stepscope.app.services.checkpoint_tuning import TuningRequest
    from stepscope.core.store.engine import Database
    from stepscope.models.agents import asked
    from stepscope.models.checkpoints import checkpoint, lora_settings
else:
    checkpoint_tuning = lazy_module("stepscope.app.services.checkpoint_tuning")
    splits = lazy_module("stepscope.app.services.splits")
    tuning_lessons = lazy_module("stepscope.app.services.tuning_lessons")
    asked = lazy_module("stepscope.models.agents.asked")
    checkpoint = lazy_module("stepscope.models.checkpoints.checkpoint")
    lora_settings = lazy_module("stepscope.models.checkpoints.lora_settings")

ROW = "tuning"
_FOR = {Task.GOAL: "for goals", Task.AUTOMATION: "as an agent", Task.ASK: "as an agent that asks"}
NONE = "Add a vision-language checkpoint first: Models ▸ Add Model."


@dataclass(frozen=True, slots=True)
class _TuningOffer:
    """What the form begins with."""

    bases: tuple[BaseChoice, ...]
    taken: tuple[str, ...]
    episodes: dict[str, int]


def elsewhere(job: TuningJob | CurveJob, token: CancelToken) -> Iterator[Any]:
    """The work's events out of its process, which ends with it and gives back all memory."""
    worker = training_worker()
    try:
        yield from worker.run(job, token)
    finally:
        worker.close()


class TuningController(QObject):
    """One tuning at a time; stopped, the same choice goes on. `busy`: a training is at work, in the same process.
    `work` does it."""

    row, command = ROW, "models.tune"

    def __init__(self, context: Context, busy: Callable[[], bool]) -> None:
        super().__init__(context)
        self._context, self._busy = context, busy
        self.work: Callable[[Any, CancelToken], Iterator[Any]] = elsewhere
        self.dialog: TuningDialog | None = None
        self._task: BackgroundTask | None = None
        self._end: object = None
        self._moved = ""
        context.long_work.chip.cancel_requested.connect(lambda row: self.stop() if row == self.row else None)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {self.command: self.open}

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def open(self) -> None:
        """Ask what is to be tuned."""
        source = self._context.selection.source
        if source is None:
            return
        if self.is_running or self._busy():
            self._context.messages.info("A training is at work. Stop it at the top of the window, or wait for its end.")
            return

        def ask(database: Database) -> _TuningOffer:
            return _offer(database, source.id)

        self._context.query("what can be tuned", ask, self._show)

    def stop(self) -> None:
        """End it; what was learned is kept."""
        if self._task is not None:
            self._task.cancel()

    def _show(self, offer: _TuningOffer) -> None:
        source = self._context.selection.source
        if source is None:
            return
        if not offer.bases:
            self._context.messages.info(NONE, title="There is no checkpoint to tune.")
            return
        presets = [
            TuningPreset(name, lora_settings.PRESET_TITLES[name], values)
            for name, values in lora_settings.PRESETS.items()
        ]
        dialog = TuningDialog(
            str(source.source.path), offer.episodes, offer.bases, offer.taken, lora_settings.OPTIONS,
            self._context.dialog_parent, presets=presets, curve_folder=self._curve_folder(),
        )  # fmt: skip
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(self._check)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.open()

    def _closed(self) -> None:
        self.dialog = None

    def _check(self, wish: TuningWish) -> None:
        """What cannot be is told before anything begins."""

        def check(_token: CancelToken) -> Any:
            return self._checked(wish)

        self._context.start("check a tuning", check, self._begin, failed=self._refused)

    def _checked(self, wish: TuningWish) -> Any:
        """What is asked of the work. Raises UserError for what cannot be."""
        request = self._tuning(wish)
        checkpoint_tuning.check_request(request)
        return request

    def _tuning(self, wish: TuningWish, **settings: int) -> TuningRequest:
        return checkpoint_tuning.TuningRequest(
            wish.model, wish.name, wish.split, settings=lora_settings.LoraSettings.of({**wish.values, **settings}),
            device=wish.device, mixture=tuning_lessons.mixture_of(wish.mixture),
        )  # fmt: skip

    def _curve_folder(self) -> str:
        """Where curves are put, where one is asked for."""
        return ""

    def _job(self, request: Any) -> Any:
        """What the process of trainings is given; None where nothing is open any more."""
        source = self._context.selection.source
        if source is None:
            return None
        return TuningJob(self._context.places.store_url, source.source.path, source.source.format, request)

    def _refused(self, error: Exception) -> None:
        if self.dialog is not None and isinstance(error, UserError):
            self.dialog.set_trouble(error.words_in_window)
        else:
            self._context.messages.failure(error)

    def _begin(self, request: Any) -> None:
        job = self._job(request)
        if job is None or self.dialog is None or self.is_running:
            return  # the person thought better of it
        self.dialog.accept()
        events = self.work

        def work(token: CancelToken) -> Generator[Any, None, Any]:
            last = None
            for last in events(job, token):
                yield last
            return last

        self._end, self._moved = None, ""
        name = self._name_of(request)
        self._task = task = self._context.start(f"Tuning {name}", work, self._take, lane="training")
        task.progressed.connect(lambda event: self._tell(name, event))
        task.finished.connect(lambda: self._finished(request, task))
        self._row(name, "Loading the checkpoint", 0, None)

    def _name_of(self, request: Any) -> str:
        return str(request.name)

    def _take(self, event: object) -> None:
        self._end = event

    def _tell(self, name: str, event: Any) -> None:
        if isinstance(event, checkpoint_tuning.TuningRead):
            self._row(name, "reading", event.progress.done, event.progress.total)
        elif isinstance(event, checkpoint_tuning.TuningBegun):
            self._moved = ""
            self._row(name, "", 0, None)
        elif isinstance(event, checkpoint_tuning.TuningPart):
            self._row(name, self._moved, event.progress.done, event.progress.total, event.progress.rate)
        elif isinstance(event, checkpoint_tuning.TuningMoved):
            move = event.move
            loss = "" if move.loss is None else f", loss {move.loss:.3f}"
            self._moved = f"move {move.step:,} of {move.steps:,}{loss}"
            self._row(name, self._moved, event.progress.done, event.progress.total, event.progress.rate)

    def _row(self, name: str, words: str, done: int, total: int | None, rate: float | None = None) -> None:
        left = (total - done) / rate if rate and total else None
        title = f"Tuning {name}" + (f": {words}" if words else "")
        row = TaskProgress(self.row, title, done, total, rate, left, can_pause=False)
        self._context.long_work.show(self.row, (row,))

    def _finished(self, request: Any, task: BackgroundTask) -> None:
        self._task = None
        self._context.long_work.show(self.row, ())
        if not self._ended(request) and task.token.cancelled:
            name = self._name_of(request)
            self._context.messages.info(
                f"{name} was stopped; what it learned is kept, and tuned again so it goes on there."
            )

    def _ended(self, request: Any) -> bool:
        """Tell what came of it; False where nothing did."""
        end = self._end
        if not isinstance(end, checkpoint_tuning.TunedCheckpoint):
            return False
        self._context.events.publish(ModelsChanged(end.model))
        skipped = f" Nothing to learn from {len(end.skipped)} of them." if end.skipped else ""
        first, last = end.losses[0], end.losses[-1]
        told = f"{end.model} is among your models. Loss {first:.3f} at first, {last:.3f} at last.{skipped}"
        self._context.messages.done(told)
        return True


def _offer(database: Database, source_id: int) -> _TuningOffer:
    known = checkpoint.load()
    bases = [
        BaseChoice(found.name, f"{one.name}, {_FOR[task]}", found.offered, task is Task.GOAL, task is Task.ASK)
        for one in known
        if not one.lora
        for task in tuning_lessons.LEARNED
        for found in (asked.asked_model(asked.for_task(f"{LOCAL}{one.name}", task)),)
    ]
    with database.reading() as db:
        episodes = splits.goals_by_split(db, source_id)
    return _TuningOffer(tuple(bases), tuple(one.name for one in known), episodes)
