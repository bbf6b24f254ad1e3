"""Work off the GUI thread.

A `BackgroundTask` lives on the GUI thread and owns the signals; the runnable only reports. Exactly one of `succeeded`,
`failed`, `cancelled` fires for every task, then `finished`. Values that a generator yields arrive through `progressed`,
newest first: when the GUI is slower than the work, older ones are skipped (they are progress, not results).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any, cast

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal, SignalInstance

from stepscope.app.gui.shell.task_history import TaskHistory
from stepscope.core.progress import CancelToken

Work = Callable[[CancelToken], Any]

LANES = {"urgent": 1, "reader": 2, "writer": 1, "run": 1, "training": 1, "trial": 1, "index": 4}
"""Threads by lane."""

KEPT_LANE = "writer"
"""What a person has changed is written though everything else is stopped."""


class BackgroundTask(QObject):
    """A piece of work under way. `token` cancels and pauses it; `name` is what a person reads."""

    progressed = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    finished = Signal()

    _wake = Signal()

    def __init__(self, name: str, parent: QObject | None = None, lane: str = "") -> None:
        super().__init__(parent)
        self.name, self.lane = name, lane
        self.token = CancelToken()
        self._begun = time.perf_counter()
        self._lock = threading.Lock()
        self._newest: Any = None
        self._pending = False
        self._wake.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def age(self) -> float:
        """Seconds since it was asked for."""
        return time.perf_counter() - self._begun

    def cancel(self) -> None:
        """Ask the work to stop after its current item."""
        self.token.cancel()

    def post(self, value: Any) -> None:
        """Called by the worker: keep the newest value and wake the GUI thread once."""
        with self._lock:
            self._newest = value
            if self._pending:
                return
            self._pending = True
        self._wake.emit()

    def _deliver(self) -> None:
        with self._lock:
            value, self._newest = self._newest, None
            had, self._pending = self._pending, False
        if had:
            self.progressed.emit(value)

    def conclude(self, how: str, value: Any) -> None:
        """Tell how it ended; the last progress comes before."""
        self._deliver()
        if how == "succeeded":
            self.succeeded.emit(value)
        elif how == "failed":
            self.failed.emit(value)
        else:
            self.cancelled.emit()
        self.finished.emit()


class _Runnable(QRunnable):
    """Tells the end by the runner's signal, which outlives every thread: the GUI thread may have heard of it and
    deleted the task before `emit` is through, and a signal of the task's own would then lose its sender midway."""

    def __init__(self, task: BackgroundTask, work: Work, ended: SignalInstance) -> None:
        super().__init__()
        self._task, self._work, self._ended = task, work, ended

    def run(self) -> None:
        how, value = run_to_end(self._work, self._task.token, self._task.post)
        with suppress(RuntimeError):  # the window was deleted meanwhile, and with it who would hear of this
            self._ended.emit(self._task, how, value)


def run_to_end(work: Work, token: CancelToken, post: Callable[[Any], None]) -> tuple[str, Any]:
    """Run `work`, which returns a value or is a generator of progress; returns how it ended and with what.

    Whatever the work raises is an outcome here, not lost: it is handed to whoever started the task.
    """
    try:
        if token.cancelled:
            return "cancelled", None
        value = work(token)
        if isinstance(value, Generator):
            value = _drain(value, post)
    except Exception as error:  # noqa: BLE001 - the border between work and window
        return "failed", error
    return ("cancelled", None) if token.cancelled else ("succeeded", value)


def _drain(steps: Generator[Any, None, Any], post: Callable[[Any], None]) -> Any:
    while True:
        try:
            post(next(steps))
        except StopIteration as stop:
            return stop.value


class TaskRunner(QObject):
    """Starts tasks in named lanes and keeps them alive until they have ended.

    Lanes: `urgent` (the picture a person waits for), `reader` (decode, parse, query), `writer` (one thread: all small
    writes to the store), `index` (waiting for the processes that read data sets, exports of a whole data set), `run`
    (evaluations, one after another), `training` (waiting for the process that trains or exports).
    """

    changed = Signal()

    _ended = Signal(object, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ended.connect(self._conclude, Qt.ConnectionType.QueuedConnection)
        self._pools: dict[str, QThreadPool] = {}
        self._tasks: list[BackgroundTask] = []
        self.history = TaskHistory()
        for lane, threads in LANES.items():
            pool = QThreadPool(self)
            pool.setMaxThreadCount(threads)
            pool.setExpiryTimeout(-1)
            self._pools[lane] = pool

    def start(self, name: str, work: Work, *, lane: str = "reader", priority: int = 0) -> BackgroundTask:
        """Queue `work(token)`; connect to the task's signals before returning to the event loop."""
        task = BackgroundTask(name, self, lane)
        self._tasks.append(task)
        task.finished.connect(self._forget)
        self._pools[lane].start(_Runnable(task, work, self._ended), priority)
        self.changed.emit()
        return task

    @property
    def tasks(self) -> tuple[BackgroundTask, ...]:
        return tuple(self._tasks)

    def stop_all(self) -> None:
        """Cancel everything but the small writes and wait until every thread has come to rest (its item's end)."""
        for task in self._tasks:
            if task.lane != KEPT_LANE:
                task.cancel()
        for pool in self._pools.values():
            pool.waitForDone()

    def _conclude(self, task: BackgroundTask, how: str, value: Any) -> None:
        error = str(value) if how == "failed" else ""
        self.history.add(task.name, task.lane, task.age, how, error)
        task.conclude(how, value)

    def _forget(self) -> None:
        task = cast(BackgroundTask, self.sender())
        if task in self._tasks:
            self._tasks.remove(task)
            task.deleteLater()
        self.changed.emit()
