"""Evaluations in a process of their own, so that neither loading a model nor Python-heavy work ever holds up a window,
and a model that takes the process down takes nothing else with it.

The window queues a run in the store and hands its id over; the worker claims the run, works, and sends back how far it
is. Pausing and cancelling go the same way in the other direction. Worker and window are the same program, so they talk
in pickles. A worker whose window is gone ends at once: what it had committed is kept, and the run is interrupted.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import math
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

from core import errors
from core.errors import UserError
from core.progress import CancelToken

if TYPE_CHECKING:
    from core.evaluation.predictor import Predictor
    from core.evaluation.runs import RunUpdate

log = logging.getLogger("stepscope")

KEPT_MODELS = 2
"""Loaded models that stay when a run is done; the one that was used longest ago gives way."""

LOADING_PATIENCE, WORKING_PATIENCE = 3.0, 10.0
"""Seconds that a cancelled run gets to say something before the process is ended: nothing is lost while a model loads,
and the item in hand (with what was not committed yet) when one works."""
STORE_PATIENCE_MS = 30_000
"""So long a run waits for another program that writes to its store; no person waits for it here."""
LESS_URGENT = 5
"""Nice levels below the window's, so that it has the right of way where a model takes every core."""

_POLL_SECONDS = 0.1
_END_SECONDS = 5.0
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
        self._listener: threading.Thread | None = None

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

        Raises what the run raised, and UserError when the child died: the run can then be resumed. A child that does
        not answer to being cancelled is ended: then the last update is none of an end.
        """
        with self._busy:
            self.start()
            child = self._process
            assert child is not None
            answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
            listener = threading.Thread(target=_listen, args=(child, answers), name="worker's answers", daemon=True)
            listener.start()
            self._listener = listener
            self._send(job)
            over = False
            try:
                for answer in self._answers(child, answers, token):
                    over = answer is None or isinstance(answer, BaseException)
                    if isinstance(answer, BaseException):
                        raise answer
                    if answer is not None:
                        yield answer
            finally:
                if not over or child.poll() is not None:
                    self.close()
                listener.join(_END_SECONDS)

    def _answers(
        self, child: subprocess.Popen[bytes], answers: queue.SimpleQueue[Any], token: CancelToken
    ) -> Iterator[Any]:
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
                    raise _died(child) from None
                if time.monotonic() >= due:
                    return
                continue
            if isinstance(answer, EOFError):
                raise _died(child)
            yield answer
            if answer is None or isinstance(answer, BaseException):
                return
            begun = True
            if cancelled:
                due = time.monotonic() + WORKING_PATIENCE

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
            listener = self._listener
            if listener is not None:
                listener.join(_END_SECONDS)  # a process that the child left behind may keep its pipe open
            read = listener is not None and listener.is_alive()
            for stream in (child.stdin, None if read else child.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()


def _died(child: subprocess.Popen[bytes]) -> UserError:
    try:
        code = child.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:  # it lives, but what it says makes no sense
        child.kill()
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
    except Exception:  # noqa: BLE001 - whatever makes no sense (pickles raise anything) is the end of the talk
        answers.put(EOFError())
        with contextlib.suppress(OSError):
            child.stdout.close()


# One worker for the program -------------------------------------------------------------------------------------------

_worker = EvaluationWorker()


def evaluation_worker() -> EvaluationWorker:
    """The program's own; runs go to it one after the other."""
    return _worker


atexit.register(_worker.close)


# The child ------------------------------------------------------------------------------------------------------------


class _Models:
    """Loaded models by name, seed, device and runtime."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int, str, str], Predictor[Any]] = OrderedDict()

    def load(self, model: str, *, seed: int, device: str, runtime: str) -> Predictor[Any]:
        from app.evaluation import loaded

        key = (model, seed, device, runtime)
        if key not in self._kept:
            self._drop(KEPT_MODELS - 1)
            self._kept[key] = loaded(model, seed=seed, device=device, runtime=runtime)
        self._kept.move_to_end(key)
        return self._kept[key]

    def unload(self) -> None:
        self._drop(0)

    def _drop(self, leave: int) -> None:
        while len(self._kept) > leave:
            _, predictor = self._kept.popitem(last=False)
            try:
                getattr(predictor, "close", _nothing)()
            except (Exception, SystemExit) as error:  # noqa: BLE001 - the next model is not to suffer for it
                log.warning("%s could not be closed: %s: %s", predictor.info.name, type(error).__name__, error)


def _nothing() -> None:
    """For models that have nothing to give back."""


class _Inbox:
    """What the window says: jobs in their order, everything else at once. An order is for the last job that was sent:
    one that comes too late is for nobody."""

    def __init__(self, asked: BinaryIO) -> None:
        self._asked = asked
        self._jobs: queue.SimpleQueue[tuple[Job | None, CancelToken]] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="window", daemon=True).start()

    def next(self) -> tuple[Job | None, CancelToken]:
        """The next job with its token; None: give models back."""
        return self._jobs.get()

    def _listen(self) -> None:
        token = CancelToken()
        while True:
            try:
                message = pickle.load(self._asked)
            except Exception:  # noqa: BLE001 - the window is gone or out of its mind; its store says so of the run
                os._exit(1)
            if isinstance(message, Job):
                token = CancelToken()
                self._jobs.put((message, token))
            elif message == "unload":
                self._jobs.put((None, token))
            else:
                {"pause": token.pause, "go on": token.resume, "cancel": token.cancel}[message]()


def serve(asked: BinaryIO, answers: IO[bytes]) -> None:
    """The child: do job after job until the window is gone."""

    def send(answer: object) -> None:
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()

    inbox, kept = _Inbox(asked), _Models()
    while True:
        job, token = inbox.next()
        if job is None:
            kept.unload()
            continue
        answer: object = None
        try:
            _do(job, token, kept, send)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a model or a rule does, the window is told
            answer = _told(error)
        with contextlib.suppress(BrokenPipeError):
            send(answer)


def _told(error: BaseException) -> UserError:
    """The error in a class that the window has too."""
    if not isinstance(error, UserError):
        return UserError(f"The evaluation failed: {type(error).__name__}: {error}", hint="Resume it to go on.")
    if type(error).__module__ == errors.__name__:
        return error
    return UserError(error.message, place=error.place, record=error.record, hint=error.hint)


def _do(job: Job, token: CancelToken, kept: _Models, send: Callable[[object], None]) -> None:
    import importlib

    for module in _HEAVY:
        importlib.import_module(module)
    if not job.run:
        return
    from app.evaluation import work_on
    from core.store.engine import Database

    with Database.open(job.store, busy_timeout_ms=STORE_PATIENCE_MS) as database:
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
    """Serve on the standard streams; whatever else prints goes to the error stream, and whatever else reads finds
    nothing."""
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    # pickles name this module as it is imported, not as it is run
    from app import worker

    if hasattr(os, "nice"):
        os.nice(LESS_URGENT)
    with contextlib.suppress(KeyboardInterrupt):
        worker.serve(asked, answers)


if __name__ == "__main__":
    main()
