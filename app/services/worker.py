"""Evaluations, trainings and models on live screens in processes of their own, so that neither loading a model nor
Python-heavy work ever holds up a window, and a model that takes the process down takes nothing else with it.

The window queues a run in the store and hands its id over; the worker claims the run, works, and sends back how far it
is; a training or an export is handed over whole. Pausing and cancelling go the same way in the other direction. Worker
and window are the same program, so they talk in pickles. A worker whose window is gone ends at once: what it had
committed is kept, and the run is interrupted. `app.services.worker_child` is what runs in the process.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.process import children, pickled
from stepscope.core.process.children import Child
from stepscope.core.process.pickled import AnswerReader, TalkEnded, is_last
from stepscope.core.progress import CancelToken
from stepscope.models.runtimes.memory import ENDED as OUTGROWN
from stepscope.models.runtimes.memory import outgrown

if TYPE_CHECKING:
    from stepscope.app.services.agent_trials import AgentTrialRequest
    from stepscope.app.services.ambiguous_tasks import MakingRequest
    from stepscope.app.services.campaigns.pairing_work import PairingRequest
    from stepscope.app.services.checkpoint_tuning import TuningRequest
    from stepscope.app.services.cluster.choice import ClusterChoice
    from stepscope.app.services.model_trials import TrialRequest
    from stepscope.app.services.training import TrainingRequest
    from stepscope.app.services.tuning_curves import CurveRequest
    from stepscope.core.domain.episode import Picture
    from stepscope.core.domain.judgement import TextOrigin
    from stepscope.core.evaluation.predictor import EpisodeRequest, StepRequest

LOADING_PATIENCE, WORKING_PATIENCE = 3.0, 10.0
"""Seconds that a cancelled run gets to say something before the process is ended: nothing is lost while a model loads,
and the item in hand (with what was not committed yet) when one works."""
LESS_URGENT = 10
"""Nice levels below the window's, so that it has the right of way where a model takes every core: beside three threads
that compute on two cores, 12 ms of work took 37 ms without, 19 ms at 5 levels, 14 at 10."""
_POLL_SECONDS = 0.1
_END_SECONDS = 5.0
Order = Literal["pause", "go on", "cancel", "unload"]


@dataclass(frozen=True, slots=True)
class Job:
    """A stored run to work on; `claim` is that of the process which queued it. An empty `run` asks for nothing but to
    be ready. `cluster`: the process only stores what this one works out."""

    store: str = ""
    run: str = ""
    claim: str = ""
    cluster: ClusterChoice | None = None


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """The end of the answer that the model of a `Job` is writing."""

    words: str


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """A training on the data at `path`, on `others`, each with the weight that it has, and on all of `further` data;
    its answers are the events of `app.services.training.train`."""

    store: str
    path: Path
    format: str
    request: TrainingRequest
    weight: float = 1.0
    others: tuple[tuple[Path, float], ...] = ()
    further: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class TuningJob:
    """A checkpoint to be fine-tuned on the data at `path`; its answers are the events of
    `app.services.checkpoint_tuning.tune`."""

    store: str
    path: Path
    format: str
    request: TuningRequest


@dataclass(frozen=True, slots=True)
class CurveJob:
    """The curve of a fine-tuning that learns from, and is measured on, the data at `path`, written into `folder`; its
    answers are the events of `app.services.tuning_curves.draw_curve`."""

    store: str
    path: Path
    format: str
    request: CurveRequest
    folder: Path


@dataclass(frozen=True, slots=True)
class JudgingJob:
    """A judge that goes through the pairs of two origins on the data at `path`, which the store calls `known_as`; its
    answers are how far it is, and last the `goal_judging.JudgingCount`."""

    store: str
    path: Path
    format: str
    known_as: str
    origins: tuple[TextOrigin, TextOrigin]
    judge: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class MakingJob:
    """Ambiguous tasks to be made of the data at `path`, which the store calls `known_as`; its answers are how far it
    is, and last the `ambiguous_tasks.MakingCount`."""

    store: str
    path: Path
    format: str
    known_as: str
    request: MakingRequest


@dataclass(frozen=True, slots=True)
class ExportJob:
    """Write the ONNX file of the trained model in this folder, beside its weights unless `file` says where; the one
    answer is the file's path."""

    folder: Path
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class TextJob:
    """Read the words of these pictures; the answers are those of `models.ocr.screens.read_screens`."""

    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class PairingJob:
    """Pair the goals of a campaign's category with its apps; the answers are those of `campaigns.pairing_work`."""

    request: PairingRequest


@dataclass(frozen=True, slots=True)
class PredictJob:
    """A job that asks the model one request; its one answer is the prediction."""

    model: str
    request: StepRequest | EpisodeRequest
    seed: int = 0
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class ModelLookJob:
    """Look at a model's file or folder; the one answer is its `adding_models.ModelDraft`."""

    path: Path


@dataclass(frozen=True, slots=True)
class ModelTrialJob:
    """Try a model of one's own on one item; the one answer is the `model_trials.ModelTrial`."""

    request: TrialRequest


@dataclass(frozen=True, slots=True)
class AgentTrialJob:
    """Ask an agent about one screen; the answers are its words as they come, and last the `agent_trials.AgentTrial`."""

    request: AgentTrialRequest


@dataclass(frozen=True, slots=True)
class IndexJob:
    """Open the data at `path` and make its index in the store where it has none that is right; its answers are those of
    `indexing.told_index`. An empty `store` asks for nothing but to be ready."""

    store: str = ""
    path: Path = Path()
    again: bool = False
    as_procedures: bool = False


@dataclass(frozen=True, slots=True)
class CheckJob:
    """Read the episodes whole of which the index `source_id` has only the outline; its answers are those of
    `library.check_indexed`."""

    store: str
    source_id: int
    path: Path
    format: str
    as_procedures: bool


@dataclass(frozen=True, slots=True)
class Limits:
    """The figures of `core.limits` that a person chose; they hold from now on."""

    chosen: Mapping[str, int]


AnyJob = (
    Job
    | TrainingJob
    | TuningJob
    | CurveJob
    | JudgingJob
    | MakingJob
    | ExportJob
    | TextJob
    | PairingJob
    | PredictJob
    | ModelLookJob
    | ModelTrialJob
    | AgentTrialJob
    | IndexJob
    | CheckJob
)


class _ChildDiedError(UserError):
    """The process ended while it was asked."""


class WorkProcess:
    """A child process that does one job after the other and keeps loaded models. Use it from one thread at a time;
    `close` from any. `work` and `kept` are words for a person whose child died: what it was at, and what to do.
    `module` is what runs in it, so many nice `levels` below the window."""

    def __init__(
        self,
        work: str = "the evaluation",
        kept: str = "What was scored is kept: resume the run.",
        module: str = "stepscope.app.services.worker_child",
        levels: int = LESS_URGENT,
    ) -> None:
        self._work, self._kept, self._module, self._levels = work, kept, module, levels
        self._process: Child | None = None
        self._busy = threading.Lock()
        self._writing = threading.Lock()
        self._listener: AnswerReader | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id while it lives."""
        child = self._process
        return child.pid if child is not None and child.poll() is None else None

    def start(self) -> None:
        """Start the child now, from any thread, so that the first run need not wait for it; a run that is under way has
        its own."""
        if self._busy.acquire(blocking=False):
            try:
                self._start()
            finally:
                self._busy.release()

    def _start(self) -> None:
        if self.pid is not None:
            return
        self.close()
        self._process = children.launch(children.command(self._module), levels=self._levels)

    def wait_until_ready(self, job: AnyJob = Job()) -> None:  # noqa: B008 - it cannot be changed
        """Wait until the child has done a job that asks for nothing."""
        for _ in self.run(job, CancelToken()):
            pass

    def unload(self) -> None:
        """Give back the memory of all loaded models once nothing runs."""
        if self.pid is not None:
            self._send("unload")

    def run(self, job: AnyJob, token: CancelToken) -> Iterator[Any]:
        """The answers to the job. For a run these are its `RunUpdate`s, the newest ones where there are many, without
        `outcome`, and between them the `AnswerWords` of a model that tells them and the `WalkUnderWay` of a roll-out.

        Raises what the job raised, and UserError when the child died: a run can then be resumed. A child that does
        not answer to being cancelled is ended: then the last update is none of an end. One that was dying since the job
        before (which is noticed late where much memory is given back) and said nothing to this one is replaced.
        """
        with self._busy:
            idle, begun = self.pid, False
            try:
                for answer in self._run(job, token):
                    begun = True
                    yield answer
            except _ChildDiedError:
                if idle is None or begun or token.cancelled:
                    raise
                yield from self._run(job, token)

    def _run(self, job: AnyJob, token: CancelToken) -> Iterator[Any]:
        self._start()
        child = self._process
        assert child is not None
        listener = AnswerReader(child, "worker's answers")
        listener.start()
        self._listener = listener
        self._send(Limits(limits.chosen_limits()))
        self._send(job)
        over = False
        try:
            for answer in self._answers(child, listener.answers, token):
                over = is_last(answer)
                if isinstance(answer, BaseException):
                    raise answer
                if answer is not None:
                    yield answer
        finally:
            if not over or child.poll() is not None:
                self.close()
            listener.join(_END_SECONDS)

    def _answers(self, child: Child, answers: queue.SimpleQueue[Any], token: CancelToken) -> Iterator[Any]:
        """All that the child says, None or an exception at the end; less when it does not answer to being cancelled."""
        paused = cancelled = begun = False
        due = math.inf
        while True:
            if token.paused != paused and not token.cancelled:
                paused = token.paused
                self._send("pause" if paused else "go on")
            if token.cancelled and not cancelled:
                cancelled = True
                self._send("cancel")
                due = time.monotonic() + (WORKING_PATIENCE if begun else LOADING_PATIENCE)
            gone = child.poll() is not None
            try:
                answer = answers.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                if gone:
                    raise self._died(child) from None
                if time.monotonic() >= due:
                    return
                continue
            if isinstance(answer, TalkEnded):
                raise self._died(child)
            yield answer
            if is_last(answer):
                return
            begun = True
            if cancelled:
                due = time.monotonic() + WORKING_PATIENCE

    def _send(self, message: AnyJob | Limits | Order) -> None:
        if (child := self._process) is not None:
            with self._writing:
                pickled.send(child, message)

    def _died(self, child: Child) -> _ChildDiedError:
        try:
            code = child.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:  # it lives, but what it says makes no sense
            child.kill()
            code = child.wait()
        if code == OUTGROWN:
            return _ChildDiedError(outgrown(), hint=self._kept)
        how = f"with exit status {code}"
        if code < 0:
            with contextlib.suppress(ValueError):
                how = f"by {signal.Signals(-code).name}"
        why = " Memory may have run out." if code == -signal.SIGKILL else ""
        return _ChildDiedError(f"The process that works on {self._work} was ended {how}.{why}", hint=self._kept)

    def close(self) -> None:
        """End the child, whatever it is doing."""
        child, self._process = self._process, None
        if child is not None:
            children.end(child, self._listener, _END_SECONDS)


# The program's own ----------------------------------------------------------------------------------------------------

_evaluating = WorkProcess()
_training = WorkProcess(
    "the training", "Its finished epochs are kept: train again with the same settings to go on from there."
)
_reading = WorkProcess("the text", "What was read is kept: try again.")
_predicting = WorkProcess("the model on the live screen", "Nothing was done on the device: go on to ask it again.")
_making = WorkProcess("the ambiguous tasks", "What was made is kept: make them again to go on from there.")
_trying = WorkProcess("the model that is tried", "Nothing was added. Try it again, or choose another file.")


def evaluation_worker() -> WorkProcess:
    """Runs go to it one after the other."""
    return _evaluating


def training_worker() -> WorkProcess:
    """Trainings go to it one after the other, beside evaluations."""
    return _training


def reading_worker() -> WorkProcess:
    """Pictures whose words are to be read go to it one after the other, beside all else."""
    return _reading


def predicting_worker() -> WorkProcess:
    """Models that look at a live screen go to it, so that no evaluation makes a person wait."""
    return _predicting


def making_worker() -> WorkProcess:
    """Ambiguous tasks are made in it, by rules or by a model."""
    return _making


def trying_worker() -> WorkProcess:
    """Files that are looked at and tried before they are added go to it: whatever they do, nothing else suffers."""
    return _trying


for _worker in (_evaluating, _training, _reading, _predicting, _making, _trying):
    atexit.register(_worker.close)
