"""The process behind a live page: starting it, asking it, hearing what it tells, and its end."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from functools import cached_property
from typing import IO, Any

from stepscope.core.device.ring import FrameRing
from stepscope.core.errors import UnavailableError
from stepscope.core.process import children
from stepscope.core.process.memory import MemoryWatch
from stepscope.core.process.page_bounds import LineTooLong, grows, lines_of, page_watch, speaks
from stepscope.core.webtask.page import PageError, PageFault, PageGone

START_SECONDS = 60.0
_END_SECONDS = 5.0
MOST_PIXELS = 5120 * 2880
"""What a picture can have. The memory of pictures is taken as far as it is written to."""
_MODULE = "stepscope.resources.webtask.server"
_WHO = "The page"


class BrowserProcess:
    """Started by `start`, ended by `kill` (from any thread, at any time). `told` is called in the reader's thread with
    each line that is no answer, and with `{"ended": why}` at last."""

    def __init__(self, allowed: Collection[str], told: Callable[[dict[str, Any]], object]) -> None:
        self.over = False
        self._allowed = sorted(allowed)
        self._told = told
        self._log: IO[bytes] | None = None
        self._ids = itertools.count(1)
        self._pending: dict[int, Future[Any]] = {}
        self._ready: Future[None] = Future()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._memory: MemoryWatch | None = None
        self._why = ""

    @cached_property
    def ring(self) -> FrameRing:
        return FrameRing(MOST_PIXELS)

    @property
    def pid(self) -> int | None:
        """The process id while it lives."""
        process = self._process
        return process.pid if process is not None and not self.over and process.poll() is None else None

    @property
    def begun(self) -> bool:
        """Whether it was started, or may not be any more."""
        return self._process is not None or self.over

    def start(self) -> None:
        """Returns when pages can be opened. Raises UnavailableError without a browser engine, PageGone."""
        with self._lock:
            if self.over:
                raise PageGone(self._why)
            self._log = tempfile.TemporaryFile()  # noqa: SIM115 - the process writes to it as long as it lives
            self._process = self._launched(self.ring)
            self._memory = page_watch(self._process.pid, lambda taken: self.kill(grows(_WHO, taken)))
        self._reader = threading.Thread(target=self._read, args=(self._process,), name="web page", daemon=True)
        self._reader.start()
        try:
            self._ready.result(START_SECONDS)
        except FutureTimeoutError:
            self.kill(f"The browser has not started within {START_SECONDS:g} s.")
            raise PageGone(self._why, hint="Try again when the machine is less busy.") from None
        except UnavailableError:
            self.kill("There is no browser.")
            raise
        finally:
            self.ring.handed_over()

    def ask(self, do: str, seconds: float, **what: object) -> Any:
        """The answer to a command. A process that does not answer for `seconds` is killed.

        Raises PageError, PageFault, PageGone.
        """
        answer: Future[Any] = Future()
        number = next(self._ids)
        with self._lock:
            if self.over:
                raise PageGone(self._why)
            self._pending[number] = answer
        try:
            self.tell(id=number, do=do, **what)
            return answer.result(seconds)
        except FutureTimeoutError:
            self.kill(hangs(seconds))
            raise PageGone(self._why) from None
        finally:
            self._pending.pop(number, None)

    def tell(self, **order: object) -> None:
        """A command without an answer. Raises PageGone."""
        with self._writing:
            process = self._process
            if self.over or process is None or process.stdin is None:
                raise PageGone(self._why or "The browser is not there.")
            with contextlib.suppress(OSError, ValueError):  # its end is noticed by its reader
                process.stdin.write(json.dumps(order) + "\n")
                process.stdin.flush()

    def kill(self, why: str) -> None:
        """It and all processes that it started. Whoever waits gets PageGone with `why`, unless it ended before."""
        with self._lock:
            self._why = self._why or why
            process = self._process
        if process is None:
            self._end()
            return
        _kill_group(process)
        if self._reader is not None and self._reader is not threading.current_thread():
            self._reader.join(_END_SECONDS)
        self._end()
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)

    # ------------------------------------------------------------------------------------------------------------------

    def _launched(self, ring: FrameRing) -> subprocess.Popen[str]:
        return subprocess.Popen(
            children.command(_MODULE, ring.path, json.dumps({"allowed": self._allowed})),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            env=children.environment(),
            pass_fds=ring.descriptors,
            start_new_session=True,  # Ctrl+C in a terminal is for us alone, and its group can be killed as a whole
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as stream:
            try:
                for line in lines_of(stream):
                    try:
                        form = json.loads(line)
                    except (ValueError, RecursionError):  # half a line of a process that was killed, or nonsense
                        continue
                    self._hear(form)
            except LineTooLong:
                self.kill(speaks(_WHO))
        if self._memory is not None:
            self._memory.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        with self._lock:
            self._why = self._why or self._last_words(process)
        self._end()
        if self._log is not None:
            self._log.close()

    def _hear(self, line: dict[str, Any]) -> None:
        if "id" in line:
            if answer := self._pending.get(line["id"]):
                _settle(answer, line)
        elif "ready" in line:
            self._ready.set_result(None)
        elif "unavailable" in line:
            self._ready.set_exception(_unavailable(line["unavailable"]))
        else:
            self._told(line)

    def _end(self) -> None:
        """Whoever waits learns that it is over, once."""
        with self._lock:
            if self.over:
                return
            self.over = True
            waiting = list(self._pending.values())
        for answer in [self._ready, *waiting]:
            if not answer.done():
                answer.set_exception(PageGone(self._why))
        self._told({"ended": self._why})

    def _last_words(self, process: subprocess.Popen[str]) -> str:
        code = process.poll()
        words = ""
        if (log := self._log) is not None:
            log.seek(max(0, os.fstat(log.fileno()).st_size - 2000))
            lines = log.read().decode(errors="replace").split("\n")
            words = next((line.strip() for line in reversed(lines) if line.strip()), "")
        end = f"The browser has ended (exit status {code})"
        return f"{end}: {words}" if words and code not in (0, -9, -15) else f"{end}."


def hangs(seconds: float) -> str:
    return f"The page did not answer for {seconds:g} s and was ended: a script of it runs without end."


def _kill_group(process: subprocess.Popen[str]) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _settle(answer: Future[Any], line: dict[str, Any]) -> None:
    if answer.done():
        return
    if "error" not in line:
        answer.set_result(line["value"])
    elif line["kind"] == "page":
        answer.set_exception(PageError(line["error"]))
    else:
        answer.set_exception(PageFault(f"The page's process failed: {line['error']}"))


def _unavailable(why: str) -> UnavailableError:
    hint = "Install it with: pip install 'stepscope[gui]'"
    if ".so" in why:
        hint = "Install the system library that holds this file (on Debian libnss3, libxkbfile1 and libasound2)."
    return UnavailableError(f"Web pages need a browser engine that is not installed: {why}", hint=hint)
