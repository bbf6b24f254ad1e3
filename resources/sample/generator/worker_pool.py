"""The workers of a build: processes with a simulated phone each, handed one episode's number after the other.

A worker that dies or hangs is started anew and gets the same number again. Nothing here imports Qt.
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import IO, Any

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.process import children
from stepscope.core.process.children import Child
from stepscope.core.progress import CancelToken

TRIES = 3
"""So many workers may die over one episode before it is left out."""
PATIENCE_SECONDS = 300.0
"""A worker that takes longer over one episode, all its draws together, hangs."""
_END_SECONDS = 5.0
_POLL_SECONDS = 0.2
COMMAND = children.command("stepscope.resources.sample.generator.worker")


@dataclass(frozen=True, slots=True)
class WorkerAnswer:
    """What a worker said of episode `number`: `made` as `perform.EpisodeResult` has it, None when workers died over
    it."""

    number: int
    made: dict[str, Any] | None


class GeneratorWorker:
    """One process with a phone. Use it from one thread; `kill` from any."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = order
        self._process: Child | None = None
        self._complaints: IO[bytes] | None = None
        self._killed = False

    def perform(self, number: int) -> dict[str, Any] | None:
        """What came of the episode, None when the process died over it. Raises UserError when none can be started
        and when the disk refuses the episode."""
        process = self._started()
        watch = threading.Timer(PATIENCE_SECONDS, process.kill)
        watch.start()
        try:
            line = _told(process, str(number))
        finally:
            watch.cancel()
        if not line:
            self.end()
            return None
        answer: dict[str, Any] = json.loads(line)
        if "trouble" in answer:
            hint = "The same command goes on when that is mended."
            raise UserError(f"cannot be written: {answer['trouble']}.", place=self._order["into"], hint=hint)
        return answer

    def end(self) -> None:
        """Let the process go; one that does not is ended."""
        process, self._process = self._process, None
        if process is None:
            return
        children.close_pipes(process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        children.end(process)
        if self._complaints is not None:
            self._complaints.close()

    def kill(self) -> None:
        self._killed = True
        if self._process is not None:
            self._process.kill()

    def _started(self) -> Child:
        if self._killed:
            raise InterruptedError
        if self._process is not None:
            return self._process
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        # Ctrl-C is for the builder, which lets its workers finish
        self._process = children.launch(COMMAND, errors=self._complaints, own_session=True)
        if not _told(self._process, json.dumps(self._order)):
            why = children.last_line(self._complaints) or "its process ended"
            self.end()
            if self._killed:
                raise InterruptedError
            hint = "'stepscope doctor' tells what is missing."
            raise UserError(f"the simulated phone cannot be started: {why}", hint=hint)
        return self._process


def _told(process: Child, line: str) -> bytes:
    """The process's answer to the line, empty when it is gone."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        return answer if answer.endswith(b"\n") else b""
    except (OSError, ValueError):
        return b""


@dataclass
class WorkerPool:
    """`size` workers under one order (what the worker reads first)."""

    order: dict[str, Any]
    size: int
    _answers: queue.SimpleQueue[WorkerAnswer | BaseException | None] = field(default_factory=queue.SimpleQueue)
    _numbers: Iterator[int] = field(default_factory=lambda: iter(()))
    _drawing: threading.Lock = field(default_factory=threading.Lock)

    def perform(self, numbers: Sequence[int], token: CancelToken) -> Iterator[WorkerAnswer]:
        """An answer for each number, in the order in which they are done; cancelling lets those under work end."""
        self._numbers = iter(numbers)
        workers = [GeneratorWorker(self.order) for _ in range(min(self.size, len(numbers)))]
        threads = [threading.Thread(target=self._drive, args=(worker, token), daemon=True) for worker in workers]
        for thread in threads:
            thread.start()
        over = False
        try:
            yield from self._collected(len(threads))
            over = True
        finally:
            if not over:
                for worker in workers:
                    worker.kill()
            for thread in threads:
                thread.join(2 * _END_SECONDS)

    def _collected(self, running: int) -> Iterator[WorkerAnswer]:
        while running:
            try:
                answer = self._answers.get(
                    timeout=_POLL_SECONDS
                )  # a wait without end would not notice Ctrl-C everywhere
            except queue.Empty:
                continue
            if isinstance(answer, BaseException):
                raise answer
            if answer is None:
                running -= 1
            else:
                yield answer

    def _drive(self, worker: GeneratorWorker, token: CancelToken) -> None:
        """Thread: one number after the other through one worker; None in the queue says that it is over."""
        try:
            while (number := self._next(token)) is not None:
                made = None
                for _ in range(TRIES):
                    made = worker.perform(number)
                    if made is not None or token.cancelled:
                        break
                if made is not None or not token.cancelled:
                    self._answers.put(WorkerAnswer(number, made))
        except InterruptedError:
            pass
        except BaseException as error:  # noqa: BLE001 - raised again where the answers are read
            self._answers.put(error)
        finally:
            worker.end()
            self._answers.put(None)

    def _next(self, token: CancelToken) -> int | None:
        with self._drawing:
            return None if token.cancelled else next(self._numbers, None)
