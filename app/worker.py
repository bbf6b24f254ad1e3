"""Evaluations in a process of their own, so that neither loading a model nor Python-heavy work ever holds up a window,
and a model that takes the process down takes nothing else with it.

The window queues a run in the store and hands its id over; the worker claims the run, works, and sends back how far it
is. Pausing and cancelling go the same way in the other direction. Worker and window are the same program, so they talk
in pickles. A worker whose window is gone ends at once: what it had committed is kept, and the run is interrupted.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Literal

from core.errors import UserError
from core.progress import CancelToken

if TYPE_CHECKING:
    from core.evaluation.predictor import Predictor
    from core.evaluation.runs import RunUpdate

KEPT_MODELS = 2
"""Loaded models that stay when a run is done; the one that was used longest ago gives way."""

_POLL_SECONDS = 0.1
_SEND_SECONDS = 0.05
"""Progress is sent at most so often; every change of state is."""
_ROOT = Path(__file__).parents[1]
_HEAVY = ("app.evaluation", "core.scoring.motif", "core.scoring.aitw")
"""What a worker that waits has ready."""

Order = Literal["pause", "go on", "cancel", "unload"]


@dataclass(frozen=True, slots=True)
class Job:
    """A stored run to work on; `claim` is that of the process which queued it. An empty `run` asks for nothing but to
    be ready."""

    store: str = ""
    run: str = ""
    claim: str = ""


class EvaluationWorker:
    """A child process that works on one run after the other and keeps loaded models. Use it from one thread at a time;
    `close` from any."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._busy = threading.Lock()
        self._writing = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The child's process id while it lives."""
        child = self._process
        return child.pid if child is not None and child.poll() is None else None

    def start(self) -> None:
        """Start the child now, so that the first run need not wait for it."""
        if self.pid is not None:
            return
        self.close()
        room = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "app.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": room},
        )

    def wait_until_ready(self) -> None:
        for _ in self.run(Job(), CancelToken()):
            pass

    def unload(self) -> None:
        """Give back the memory of all loaded models once nothing runs."""
        if self.pid is not None:
            self._send("unload")

    def run(self, job: Job, token: CancelToken) -> Iterator[RunUpdate]:
        """The run's updates, the newest ones where there are many; `outcome` is left out of them.

        Raises what the run raised, and UserError when the child died: the run can then be resumed.
        """
        with self._busy:
            self.start()
            child = self._process
            assert child is not None
            answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
            listener = threading.Thread(target=_listen, args=(child, answers), name="worker's answers", daemon=True)
            self._send(job)
            listener.start()
            try:
                yield from self._answers(child, answers, token)
            finally:
                if child.poll() is not None or listener.is_alive():
                    self.close()
                listener.join()

    def _answers(
        self, child: subprocess.Popen[bytes], answers: queue.SimpleQueue[Any], token: CancelToken
    ) -> Iterator[RunUpdate]:
        paused = cancelled = False
        while True:
            if token.paused != paused and not token.cancelled:
                paused = token.paused
                self._send("pause" if paused else "go on")
            if token.cancelled and not cancelled:
                cancelled = True
                self._send("cancel")
            try:
                answer = answers.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                continue
            if answer is None:
                return
            if isinstance(answer, EOFError):
                raise _died(child)
            if isinstance(answer, BaseException):
                raise answer
            yield answer

    def _send(self, message: Job | Order) -> None:
        child = self._process
        if child is None or child.stdin is None:
            return
        with self._writing, contextlib.suppress(OSError, ValueError):  # a dead child is noticed by its silence
            pickle.dump(message, child.stdin)
            child.stdin.flush()

    def close(self) -> None:
        """End the child, whatever it is doing."""
        child, self._process = self._process, None
        if child is not None:
            child.kill()
            child.wait()
            for stream in (child.stdin, child.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()


def _died(child: subprocess.Popen[bytes]) -> UserError:
    code = child.wait()
    how = f"with exit status {code}"
    if code < 0:
        with contextlib.suppress(ValueError):
            how = f"by {signal.Signals(-code).name}"
    why = " Memory may have run out." if code == -signal.SIGKILL else ""
    message = f"The process that works on the evaluation was ended {how}.{why}"
    return UserError(message, hint="What was scored is kept: resume the run.")


def _listen(child: subprocess.Popen[bytes], answers: queue.SimpleQueue[Any]) -> None:
    """Hand on what the child says until the job is done or it is silent for good."""
    assert child.stdout is not None
    try:
        while True:
            answer = pickle.load(child.stdout)
            answers.put(answer)
            if answer is None or isinstance(answer, BaseException):
                return
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        answers.put(EOFError())


# One worker for the program -------------------------------------------------------------------------------------------

_worker = EvaluationWorker()


def evaluation_worker() -> EvaluationWorker:
    """The program's own; runs go to it one after the other."""
    return _worker


atexit.register(_worker.close)


# The child ------------------------------------------------------------------------------------------------------------


class _Models:
    """Loaded models by name, seed and device."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int, str], Predictor[Any]] = OrderedDict()

    def load(self, model: str, *, seed: int, device: str) -> Predictor[Any]:
        from app.evaluation import loaded

        key = (model, seed, device)
        if key not in self._kept:
            self._drop(KEPT_MODELS - 1)
            self._kept[key] = loaded(model, seed=seed, device=device)
        self._kept.move_to_end(key)
        return self._kept[key]

    def unload(self) -> None:
        self._drop(0)

    def _drop(self, leave: int) -> None:
        while len(self._kept) > leave:
            _, predictor = self._kept.popitem(last=False)
            close = getattr(predictor, "close", None)
            if close is not None:
                close()


class _Inbox:
    """What the window says: jobs in their order, everything else at once."""

    def __init__(self, asked: BinaryIO) -> None:
        self._asked = asked
        self._jobs: queue.SimpleQueue[Job | Literal["unload"]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._token = CancelToken()
        threading.Thread(target=self._listen, name="window", daemon=True).start()

    def next(self) -> Job | Literal["unload"]:
        return self._jobs.get()

    def token(self) -> CancelToken:
        """The token of the job that begins now."""
        with self._lock:
            return self._token

    def done(self) -> None:
        """The job is over: orders that come now are for the next."""
        with self._lock:
            self._token = CancelToken()

    def _listen(self) -> None:
        while True:
            try:
                message = pickle.load(self._asked)
            except (EOFError, OSError, pickle.UnpicklingError):
                os._exit(1)  # the window is gone; its store says so of the run
            if isinstance(message, Job) or message == "unload":
                self._jobs.put(message)
                continue
            with self._lock:
                {"pause": self._token.pause, "go on": self._token.resume, "cancel": self._token.cancel}[message]()


def serve(asked: BinaryIO, answers: IO[bytes]) -> None:
    """The child: do job after job until the window is gone."""

    def send(answer: object) -> None:
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()

    inbox, kept = _Inbox(asked), _Models()
    while True:
        job = inbox.next()
        if job == "unload":
            kept.unload()
            continue
        assert isinstance(job, Job)
        try:
            _do(job, inbox.token(), kept, send)
            answer: object = None
        except UserError as error:
            answer = error
        except Exception as error:  # noqa: BLE001 - whatever a model or a rule does, the window is told
            answer = UserError(f"The evaluation failed: {type(error).__name__}: {error}", hint="Resume it to go on.")
        inbox.done()
        with contextlib.suppress(BrokenPipeError):
            send(answer)


def _do(job: Job, token: CancelToken, kept: _Models, send: Callable[[object], None]) -> None:
    import importlib

    for module in _HEAVY:
        importlib.import_module(module)
    if not job.run:
        return
    from app.evaluation import work_on
    from core.store.engine import Database

    with Database.open(job.store) as database:
        _report(work_on(database, job.run, job.claim, token, kept.load), send)


def _report(updates: Iterator[RunUpdate], send: Callable[[object], None]) -> None:
    """Send updates on, not more of them than anybody can see."""
    state, due = None, 0.0
    for update in updates:
        now = time.monotonic()
        if update.state is not state or now >= due:
            send(replace(update, outcome=None))
            state, due = update.state, now + _SEND_SECONDS


def main() -> None:
    """Serve on the standard streams; whatever else prints goes to the error stream."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # pickles name this module as it is imported, not as it is run
    from app import worker

    with contextlib.suppress(KeyboardInterrupt):
        worker.serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
