"""A talk with the process of a browser, in lines of JSON: orders go to it, answers and news come from it."""

from __future__ import annotations

import contextlib
import itertools
import json
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import IO, Any

from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import hint, limit, written_figure
from stepscope.core.process import children
from stepscope.core.process.children import Child
from stepscope.core.process.memory import MemoryWatch

_END_SECONDS = 5.0

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Speaker:
    """The other end of a conversation, in words for a person: what stands behind the process, the process itself, what
    it needs that is not installed. `lost` makes the error of one that is gone out of why, `refusal` that of an order
    that it answers with an error. `thread` is the name of who reads."""

    who: str
    process: str
    needs: str
    thread: str
    lost: Callable[[str], UserError]
    refusal: Callable[[Line], Exception]


class LineConversation:
    """Begun by `start`, ended by `kill` (from any thread, at any time); used from several threads.

    `told` is called in the reader's thread with every line, answers included, before whoever waits for them; and with
    `{"ended": why}` at last, once. A child that takes more memory than `page-memory`, or says a longer line than
    `page-answer-bytes`, is killed.
    """

    def __init__(self, speaker: Speaker, told: Callable[[Line], object]) -> None:
        self.over = False
        self.why = ""  # what was said first holds
        self.heard = 0.0
        """When it said something last, in seconds of `time.monotonic`."""
        self._speaker, self._told = speaker, told
        self._ids = itertools.count(1)
        self._pending: dict[int, Future[Any]] = {}
        self._ready: Future[Line] = Future()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._child: Child | None = None
        self._log: IO[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._memory: MemoryWatch | None = None

    @property
    def pid(self) -> int | None:
        """The process id while it lives."""
        child = self._child
        return child.pid if child is not None and not self.over and child.poll() is None else None

    @property
    def begun(self) -> bool:
        """Whether it was started, or may not be any more."""
        return self._child is not None or self.over

    def start(self, command: Sequence[str], descriptors: Sequence[int], seconds: float) -> Line:
        """Start the child and return what it says when it is ready. Raises UnavailableError when it lacks something,
        the speaker's `lost` when it ends before, and TimeoutError: then it lives on, and whoever called kills it."""
        with self._lock:
            if self.why:
                raise self._speaker.lost(self.why)
            log = tempfile.TemporaryFile()  # noqa: SIM115 - the process writes to it as long as it lives
            try:
                child = children.launch(command, errors=log, own_session=True, descriptors=descriptors)
            except OSError:
                log.close()
                raise
            self._child, self._log = child, log
            self._memory = MemoryWatch(child.pid, limit("page-memory"), self._outgrown)
            self._reader = threading.Thread(target=self._read, args=(child,), name=self._speaker.thread, daemon=True)
            self._reader.start()  # within the lock: whoever kills the child waits for its reader
        return self._ready.result(seconds)

    def ask(self, do: str, seconds: float, **what: object) -> Any:
        """The answer to an order. Raises the speaker's `refusal` and `lost`, and TimeoutError: then the question is
        given up, an answer that comes later is for nobody, and the child lives on."""
        answer: Future[Any] = Future()
        number = next(self._ids)
        with self._lock:
            if self.over:
                raise self._speaker.lost(self.why)
            self._pending[number] = answer
        try:
            self.tell(id=number, do=do, **what)
            return answer.result(seconds)
        finally:
            self._pending.pop(number, None)

    def tell(self, **order: object) -> None:
        """An order without an answer. Raises the speaker's `lost`."""
        with self._writing:
            child = self._child
            if self.over or child is None or child.stdin is None:
                raise self._speaker.lost(self.why or f"{self._speaker.process} is not there.")
            with contextlib.suppress(OSError, ValueError):  # its end is noticed by its reader
                child.stdin.write(json.dumps(order).encode() + b"\n")
                child.stdin.flush()

    def kill(self, why: str) -> None:
        """End the process and all that it started. Whoever waits gets `lost` with `why`, unless it ended before."""
        with self._lock:
            self.why = self.why or why
            child = self._child
        if child is None:
            self._end()
            return
        children.kill_group(child)
        if self._reader is not None and self._reader is not threading.current_thread():
            self._reader.join(_END_SECONDS)
        self._end()
        children.close_pipes(child, output=False)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_END_SECONDS)

    # --- in the reader's thread ----------------------------------------------------------------------------------

    def _read(self, child: Child) -> None:
        assert child.stdout is not None
        with child.stdout as stream:
            try:
                for line in _lines(stream):
                    self._hear(line)
            except _LineTooLong:
                most = written_figure("bytes", limit("page-answer-bytes"))
                many = f"{self._speaker.who} told more than {most} at once and was ended."
                self.kill(f"{many} {hint('page-answer-bytes')}")
        if self._memory is not None:
            self._memory.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_END_SECONDS)
        with self._lock:
            self.why = self.why or self._last_words(child)
        self._end()
        if self._log is not None:
            self._log.close()

    def _hear(self, text: bytes) -> None:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):  # half a line of a process that was killed, or nonsense
            return
        if not isinstance(line, dict):
            return
        self.heard = time.monotonic()
        self._told(line)
        if "id" in line:
            answer = self._pending.get(line["id"])
            if answer is None or answer.done():
                return
            if "error" in line:
                answer.set_exception(self._speaker.refusal(line))
            elif "value" in line:
                answer.set_result(line["value"])
        elif self._ready.done():
            return
        elif "ready" in line:
            self._ready.set_result(line)
        elif "unavailable" in line:
            self._ready.set_exception(_unavailable(self._speaker.needs, line["unavailable"]))

    # --- its end -------------------------------------------------------------------------------------------------

    def _outgrown(self, taken: int) -> None:
        most = written_figure("bytes", limit("page-memory"))
        much = f"took more than {most} of memory ({written_figure('bytes', taken)}) and was ended."
        self.kill(f"{self._speaker.who} {much} {hint('page-memory')}")

    def _end(self) -> None:
        """Tell everyone who waits that it is over, once."""
        with self._lock:
            if self.over:
                return
            self.over = True
            waiting = list(self._pending.values())
        for answer in [self._ready, *waiting]:
            if not answer.done():
                answer.set_exception(self._speaker.lost(self.why))
        self._told({"ended": self.why})

    def _last_words(self, child: Child) -> str:
        code = child.poll()
        end = f"{self._speaker.process} has ended (exit status {code})"
        words = "" if self._log is None or code in (0, -9, -15) else children.last_line(self._log)
        return f"{end}: {words}" if words else f"{end}."  # one that was killed had no word in that


class _LineTooLong(Exception):  # noqa: N818 - it ends a talk and is told in other words
    """A line is longer than `page-answer-bytes`."""


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """What a process says in lines. Raises _LineTooLong before it keeps more than `page-answer-bytes` of one."""
    most = limit("page-answer-bytes")
    while line := stream.readline(most):
        if len(line) == most:
            raise _LineTooLong
        yield line


def _unavailable(needs: str, why: str) -> UnavailableError:
    missing = "Install it with: pip install 'stepscope[gui]'"
    if ".so" in why:
        missing = "Install the system library that holds this file (on Debian libnss3, libxkbfile1 and libasound2)."
    return UnavailableError(f"{needs} that is not installed: {why}", hint=missing)
