"""What runs in the process of `worker`: evaluations, trainings, exports, one after the other until the window is
gone."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import pickle
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from stepscope.app.services.worker import (
    AgentTrialJob,
    AnswerWords,
    AnyJob,
    CheckJob,
    CurveJob,
    ExportJob,
    IndexJob,
    Job,
    JudgingJob,
    Limits,
    MakingJob,
    ModelLookJob,
    ModelTrialJob,
    PairingJob,
    PredictJob,
    TextJob,
    TrainingJob,
    TuningJob,
)
from stepscope.core import errors, limits
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import Cancellable, Speaking
from stepscope.core.lazy import lazy_module
from stepscope.core.plain_text import calm_logs
from stepscope.core.process.own_streams import own_input, own_output
from stepscope.core.progress import CancelToken, Progress
from stepscope.models.runtimes.memory import bound_models

if TYPE_CHECKING:
    from stepscope.app.services import evaluation, library, training, tuning_lessons
    from stepscope.app.services.ambiguous_tasks import MakingCount
    from stepscope.app.services.checkpoint_tuning import TuningEvent
    from stepscope.app.services.goal_judging import JudgingCount
    from stepscope.app.services.training import Event
    from stepscope.app.services.tuning_curves import CurveEvent
    from stepscope.core.domain.walk import WalkUnderWay
    from stepscope.core.evaluation.predictor import Predictor
    from stepscope.core.evaluation.runs import RunUpdate
    from stepscope.core.store import engine
    from stepscope.models import registry
    from stepscope.models.registry import InstalledModel
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")
    training = lazy_module("stepscope.app.services.training")
    library = lazy_module("stepscope.app.services.library")
    tuning_lessons = lazy_module("stepscope.app.services.tuning_lessons")
    engine = lazy_module("stepscope.core.store.engine")
    registry = lazy_module("stepscope.models.registry")

log = logging.getLogger("stepscope")

KEPT_MODELS = 2
"""Loaded models that stay when a run is done; the one that was used longest ago gives way."""
STORE_PATIENCE_MS = 30_000
"""So long a run waits for another program that writes to its store; no person waits for it here."""
_MOST_WORDS = 300
"""Letters of an answer that are sent while it is written: its end."""
_SEND_SECONDS = 0.05
"""Progress is sent at most so often; every change of state is."""
_HEAVY = ("stepscope.app.services.evaluation", "stepscope.core.scoring.motif", "stepscope.core.scoring.aitw")
"""What a worker that waits has ready."""
_NAMES = {
    Job: "The evaluation",
    TrainingJob: "The training",
    TuningJob: "The tuning",
    CurveJob: "The curve",
    JudgingJob: "The judge",
    MakingJob: "Making tasks",
    ExportJob: "The export",
    TextJob: "Reading the text",
    PairingJob: "Pairing",
    PredictJob: "The model",
    ModelLookJob: "Looking at the model",
    ModelTrialJob: "The trial",
    AgentTrialJob: "The trial",
    IndexJob: "Reading the data",
    CheckJob: "Checking the data",
}
_HINTS = {
    Job: "Resume it to go on.",
    TrainingJob: "Train again with the same settings to go on.",
    TuningJob: "Tune again with the same settings to go on.",
    CurveJob: "Ask for it again with the same settings to go on.",
    MakingJob: "Make them again to go on.",
}


class Models:
    """Loaded models by name, seed, device and runtime, each with what its name stood for when it was loaded."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int, str, str], tuple[InstalledModel, Predictor[Any]]] = OrderedDict()

    def load(self, model: str, *, seed: int, device: str, runtime: str) -> Predictor[Any]:
        """The model as it is now: one that was changed since is loaded anew. Raises as the registry does."""
        key, now = (model, seed, device, runtime), registry.installed_model(model)
        if key in self._kept and not self._kept[key][0].is_same(now):
            _close(self._kept.pop(key)[1])
        if key not in self._kept:
            self._drop(KEPT_MODELS - 1)
            self._kept[key] = now, evaluation.loaded(model, seed=seed, device=device, runtime=runtime)
        self._kept.move_to_end(key)
        return self._kept[key][1]

    def unload(self) -> None:
        self._drop(0)

    def _drop(self, leave: int) -> None:
        while len(self._kept) > leave:
            _close(self._kept.popitem(last=False)[1][1])


def _close(predictor: Predictor[Any]) -> None:
    try:
        getattr(predictor, "close", _nothing)()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the next model is not to suffer for it
        log.warning("%s could not be closed: %s: %s", predictor.info.name, type(error).__name__, error)


def _nothing() -> None:
    """For models that have nothing to give back."""


class _JobInbox:
    """The window's orders: jobs in their order, everything else at once. An order is for the last job that was sent:
    one that comes too late is for nobody."""

    def __init__(self, asked: BinaryIO) -> None:
        self._asked = asked
        self._jobs: queue.SimpleQueue[tuple[AnyJob | None, CancelToken]] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="window", daemon=True).start()

    def next(self) -> tuple[AnyJob | None, CancelToken]:
        """The next job with its token; None: give models back."""
        return self._jobs.get()

    def _listen(self) -> None:
        token = CancelToken()
        while True:
            try:
                message = pickle.load(self._asked)
            except Exception:  # noqa: BLE001 - the window is gone or out of its mind; its store says so of the run
                os._exit(1)
            if isinstance(message, AnyJob):
                token = CancelToken()
                self._jobs.put((message, token))
            elif isinstance(message, Limits):
                limits.choose(message.chosen)
            elif message == "unload":
                self._jobs.put((None, token))
            else:
                {"pause": token.pause, "go on": token.resume, "cancel": token.cancel}[message]()


Do = Callable[[Any, CancelToken, Models, Callable[[object], None]], None]
"""Does a job, and sends its answers."""


def serve(asked: BinaryIO, answers: IO[bytes], do: Do) -> None:
    """The child: do job after job until the window is gone."""

    sending = threading.Lock()  # a model tells its words in whatever thread it answers

    def send(answer: object) -> None:
        with sending:
            pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()

    inbox, kept = _JobInbox(asked), Models()
    while True:
        job, token = inbox.next()
        if job is None:
            kept.unload()
            continue
        answer: object = None
        try:
            do(job, token, kept, send)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a model or a rule does, the window is told
            answer = _told(error, job)
        with contextlib.suppress(BrokenPipeError):
            send(answer)


def _told(error: BaseException, job: AnyJob) -> UserError:
    """The error in a class that the window has too."""
    if not isinstance(error, UserError):
        return UserError(f"{_NAMES[type(job)]} failed: {type(error).__name__}: {error}", hint=_HINTS.get(type(job), ""))
    if type(error).__module__ == errors.__name__:
        return error
    return UserError(error.message, place=error.place, record=error.record, hint=error.hint)


def _do(job: AnyJob, token: CancelToken, kept: Models, send: Callable[[object], None]) -> None:
    bound_models()  # each time: the window may have chosen another limit
    match job:
        case TrainingJob():
            _report(train_job(job, token), send, lambda event: isinstance(event, training.Stage) and event.doing)
        case TuningJob():
            for moved in tune_job(job, token):
                send(moved)
        case CurveJob():
            _report(curve_job(job, token), send, lambda event: getattr(event, "run", "") or False)
        case JudgingJob():
            for told in judge_job(job, token):
                send(told)
        case MakingJob():
            _report(make_job(job, token), send, lambda told: isinstance(told, Progress))
        case ExportJob():
            send(export_job(job))
        case TextJob():
            from stepscope.models.ocr.screens import read_screens

            for answer in read_screens(job.pictures, token):
                send(answer)
        case PredictJob():
            predictor = kept.load(job.model, seed=job.seed, device=job.device, runtime="auto")
            if isinstance(predictor, Cancellable):
                predictor.set_token(token)
            send(predictor.predict(job.request))
        case PairingJob():
            from stepscope.app.services.campaigns.pairing_work import pair_goals

            for event in pair_goals(job.request, token):
                send(event)
        case ModelLookJob():
            from stepscope.app.services.adding_models import look_at

            send(look_at(job.path))
        case ModelTrialJob():
            from stepscope.app.services.model_trials import try_model

            send(try_model(job.request, token))
        case AgentTrialJob():
            from stepscope.app.services.agent_trials import try_agent

            send(try_agent(job.request, token, send))
        case Job():
            _evaluate(job, token, kept, send)


def train_job(job: TrainingJob, token: CancelToken) -> Iterator[Event]:
    """The events of the training, its data read into the store's index first where it is not there."""
    with engine.Database.open(job.store, busy_timeout_ms=STORE_PATIENCE_MS) as database:
        indexed = library.whole_index(database, job.path, token, job.format)
        others = []
        more = [(path, weight, False) for path, weight in job.others] + [(path, 1.0, True) for path in job.further]
        for path, weight, further in more:
            also = None if token.cancelled else library.whole_index(database, path, token)
            if also is not None:
                others.append(training.TrainingSource(also.source, also.source_id, weight, further))
        if indexed is not None and not token.cancelled:
            first = training.TrainingSource(indexed.source, indexed.source_id, job.weight)
            yield from training.train(database, [first, *others], job.request, token)


def tune_job(job: TuningJob, token: CancelToken) -> Iterator[TuningEvent]:
    """The events of the tuning, its data read into the store's index first where it is not there."""
    from stepscope.app.services.checkpoint_tuning import tune

    with engine.Database.open(job.store, busy_timeout_ms=STORE_PATIENCE_MS) as database:
        indexed = library.whole_index(database, job.path, token, job.format)
        if indexed is not None and not token.cancelled:
            data = tuning_lessons.TuningData(indexed.source, indexed.source_id)
            yield from tune(database, [data], job.request, token)


def curve_job(job: CurveJob, token: CancelToken) -> Iterator[CurveEvent]:
    """The events of the curve, its data read into the store's index first where it is not there, and its files written
    at the end."""
    from stepscope.app.services.tuning_curves import draw_curve, write_curve
    from stepscope.core.evaluation.tuning_curve import TuningCurve

    with engine.Database.open(job.store, busy_timeout_ms=STORE_PATIENCE_MS) as database:
        indexed = library.whole_index(database, job.path, token, job.format)
        if indexed is None or token.cancelled:
            return
        data = tuning_lessons.TuningData(indexed.source, indexed.source_id)
        for event in draw_curve(database, [data], data, job.request, token):
            if isinstance(event, TuningCurve):
                write_curve(event, job.folder)
            yield event


def judge_job(job: JudgingJob, token: CancelToken) -> Iterator[Progress | JudgingCount]:
    """How far the judge is, and last what it did; the judge is loaded first."""
    from stepscope.app.services.goal_judging import ask_judge
    from stepscope.models.goal.judges.named import judge_named

    judge = judge_named(job.judge)
    with engine.Database.open(job.store, busy_timeout_ms=STORE_PATIENCE_MS) as database:
        indexed = library.whole_index(database, job.path, token, job.format)
        if indexed is not None and not token.cancelled:
            count = yield from ask_judge(
                database, indexed.source_id, indexed.source, job.known_as, job.origins, judge, again=job.again,
                token=token,
            )  # fmt: skip
            yield count


def make_job(job: MakingJob, token: CancelToken) -> Iterator[Progress | MakingCount]:
    """How far the tasks are, and last what was made; the data is read into the store's index first where it is not
    there."""
    from stepscope.app.services.ambiguous_tasks import make_tasks

    with engine.Database.open(job.store, busy_timeout_ms=STORE_PATIENCE_MS) as database:
        indexed = library.whole_index(database, job.path, token, job.format)
        if indexed is not None and not token.cancelled:
            yield (yield from make_tasks(database, indexed.source_id, indexed.source, job.known_as, job.request, token))


def export_job(job: ExportJob) -> Path:
    """The file that was written. Raises what the export raises."""
    from stepscope.models.learned.card import read_card
    from stepscope.models.learned.model_folders import TrainedModel
    from stepscope.models.learned.recipes import recipe_of
    from stepscope.models.training.save import export

    trained = TrainedModel(job.folder, read_card(job.folder))
    return export(trained, recipe_of(trained.card), job.file)


def _evaluate(job: Job, token: CancelToken, kept: Models, send: Callable[[object], None]) -> None:
    for module in _HEAVY:
        importlib.import_module(module)
    if not job.run:
        return
    with engine.Database.open(job.store, busy_timeout_ms=STORE_PATIENCE_MS) as database:
        listener = AnswerListener(kept.load, send)
        updates = evaluation.work_on(
            database, job.run, job.claim, token, listener.load, WalkTeller(send).tell, job.cluster
        )
        try:
            _report(map(listener.after, updates), send, lambda update: update.state)
        finally:
            listener.leave()


class WalkTeller:
    """Sends how far a roll-out's walk is, not more often than anybody can see."""

    def __init__(self, send: Callable[[object], None]) -> None:
        self._send, self._due = send, 0.0

    def tell(self, walk: WalkUnderWay) -> None:
        now = time.monotonic()
        if now >= self._due:
            self._due = now + _SEND_SECONDS
            self._send(walk)


class AnswerListener:
    """Sends the end of the answer that a model is writing, not more often than anybody can see."""

    def __init__(self, load: Callable[..., Predictor[Any]], send: Callable[[object], None]) -> None:
        self._load, self._send = load, send
        self._speaking: Speaking | None = None
        self._words, self._due = "", 0.0

    def load(self, model: str, **more: Any) -> Predictor[Any]:
        """The predictor, listened to where it tells its words."""
        predictor = self._load(model, **more)
        if isinstance(predictor, Speaking):
            self._speaking = predictor
            predictor.listen(self._hear)
        return predictor

    def after(self, update: RunUpdate) -> RunUpdate:
        """An answer is written: the next one begins anew. What goes to the window has no outcome."""
        self._words = ""
        return replace(update, outcome=None)

    def leave(self) -> None:
        """Listen no more: the model may be kept for another run."""
        if self._speaking is not None:
            self._speaking.listen(None)

    def _hear(self, piece: str) -> None:
        self._words = (self._words + piece)[-_MOST_WORDS:]
        now = time.monotonic()
        if now >= self._due:
            self._due = now + _SEND_SECONDS
            self._send(AnswerWords(self._words))


def _report(updates: Iterable[Any], send: Callable[[object], None], kind_of: Callable[[Any], object]) -> None:
    """Send updates on; of those of one kind that follow on each other not more than anybody can see, of those of no
    kind (False) all."""
    kind, due = None, 0.0
    for update in updates:
        now, this = time.monotonic(), kind_of(update)
        if this is False or this != kind or now >= due:
            send(update)
            kind, due = this, now + _SEND_SECONDS


def main() -> None:
    """Serve on the standard streams; whatever else prints goes to the error stream, and whatever else reads finds
    nothing."""
    asked, answers = own_input(), own_output()
    calm_logs()
    with contextlib.suppress(KeyboardInterrupt):
        serve(asked, answers, _do)


if __name__ == "__main__":
    main()
