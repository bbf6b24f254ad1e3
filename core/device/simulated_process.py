"""The process behind the simulated phone: starting it, asking it, hearing of its pictures and of its end."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import IO, Any

from stepscope.core.device.device import DeviceError, DeviceLost, DeviceTimeout, ScreenGeometry, UITreeUnavailableError
from stepscope.core.device.ring import FrameRing, RingFrame
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.process import children
from stepscope.core.process.memory import MemoryWatch
from stepscope.core.process.page_bounds import LineTooLong, grows, lines_of, page_watch, speaks

START_SECONDS = 60.0
ANSWER_SECONDS = 25.0
"""More than the phone itself waits for its pages."""
_END_SECONDS = 5.0
_MOST_PIXELS = 1080 * 2400
_MODULE = "stepscope.resources.sample.device_server"
_WHO = "The simulated phone"
_UPRIGHT = ScreenGeometry(Size(1080, 2400))


class PhoneProcess:
    """Started by `start`, ended by `close` (from any thread, at any time); used from several threads. `start` is what
    the phone begins with: `seed`, `theme`, `app`.

    `pictures` is notified for every new picture and at the end; `frame` is the number of the newest one, -1 at first.
    """

    def __init__(self, **start: object) -> None:
        self.started = False
        self.screen = _UPRIGHT
        self.frame = -1
        self.over = False
        self.pictures = threading.Condition()
        self.ring = FrameRing(_MOST_PIXELS)
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - the process writes to it as long as it lives
        self._start = start
        self._watchers = 0
        self._ids = itertools.count(1)
        self._pending: dict[int, Future[Any]] = {}
        self._ready: Future[dict[str, Any]] = Future()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._memory: MemoryWatch | None = None
        self._closed = False
        self._heard = 0.0
        self._end_words = ""

    @property
    def pid(self) -> int | None:
        """The process id while it lives."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self, progress: Callable[[str], object]) -> None:
        """Returns when the home screen stands; `progress` is told in words what goes on, in another thread.

        Raises UnavailableError without a browser, DeviceLost when it ends, DeviceTimeout.
        """
        with self._lock:
            if self._closed:
                raise DeviceLost("The simulated phone was closed.")
            self._process = self._launched()
            self._memory = page_watch(self._process.pid, lambda taken: self._end_with(grows(_WHO, taken)))
        self._reader = threading.Thread(target=self._read, args=(self._process, progress), daemon=True)
        self._reader.name = "simulated phone"
        self._reader.start()
        try:
            started = self._ready.result(START_SECONDS)
        except FutureTimeoutError:
            self.close()
            raise DeviceTimeout(
                f"The simulated phone has not started within {START_SECONDS:g} s.",
                hint="Try again when the machine is less busy.",
            ) from None
        self.ring.handed_over()
        if not started["ready"]:
            self.close()
            raise DeviceLost(f"The simulated phone shows no home screen: {started['error']}.")
        self.started = True

    def ask(self, do: str, *, extra: float = 0.0, **what: object) -> Any:
        """The answer to one command, which takes `extra` seconds longer than others. A process that says nothing at all
        in this time is ended.

        Raises DeviceError, DeviceLost, DeviceTimeout, NoTree.
        """
        answer: Future[Any] = Future()
        number = next(self._ids)
        self._pending[number] = answer
        asked = time.monotonic()
        try:
            self._send({"id": number, "do": do, **what})
            return answer.result(ANSWER_SECONDS + extra)
        except FutureTimeoutError:
            words = f"The simulated phone has not answered for {ANSWER_SECONDS + extra:g} s"
            if self._heard > asked:
                raise DeviceTimeout(f"{words}.", hint="Try again.") from None
            self._end_with(f"{words}, and was ended.")
            raise DeviceLost(self._end_words) from None
        finally:
            self._pending.pop(number, None)

    def watch(self) -> int:
        """Pictures are told from now on until `unwatch`; the number of the present one."""
        with self._lock:
            self._watchers += 1
        try:
            self.ask("watch", on=True)
        except UserError:
            self.unwatch()
            raise
        return self.frame

    def unwatch(self) -> None:
        """Once for each `watch`; does not wait."""
        with self._lock:
            self._watchers -= 1
            if self._watchers:
                return
        with contextlib.suppress(DeviceLost):
            self._send({"do": "watch", "on": False})

    def next_picture(self, after: int, ended: Callable[[], bool]) -> RingFrame | None:
        """Wait for a picture with a number above `after`; None when `ended` came first. Raises DeviceLost.

        Whoever changes what `ended` tells notifies `pictures`.
        """
        while True:
            with self.pictures:
                self.pictures.wait_for(lambda: self.frame > after or self.over or ended())
            if ended():
                return None
            if self.over:
                raise DeviceLost(self._why())
            shot = self.ring.newest()
            if shot is not None and shot.number > after:
                return shot

    def close(self) -> None:
        """Whatever it does: nothing on it is worth waiting for."""
        with self._lock:
            self._closed = True
            process = self._process
        self.ring.handed_over()
        if process is None:
            self._log.close()
            self._end()
            return
        process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        if self._reader is not None and self._reader is not threading.current_thread():
            self._reader.join(_END_SECONDS)
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        self._log.close()

    # ------------------------------------------------------------------------------------------------------------------

    def _end_with(self, words: str) -> None:
        """End it; whoever waits is told so in these words."""
        self._end_words = self._end_words or words
        self.close()

    def _send(self, order: dict[str, object]) -> None:
        with self._writing:
            process = self._process
            if self.over or self._closed or process is None or process.stdin is None:
                raise DeviceLost(self._why())
            with contextlib.suppress(OSError, ValueError):  # its end is noticed by its reader
                process.stdin.write(json.dumps(order) + "\n")
                process.stdin.flush()

    def _launched(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            children.command(_MODULE, self.ring.path, json.dumps(self._start)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            env=children.environment(),
            pass_fds=self.ring.descriptors,
            start_new_session=True,  # Ctrl+C in a terminal is for us alone
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def _read(self, process: subprocess.Popen[str], progress: Callable[[str], object]) -> None:
        assert process.stdout is not None
        with process.stdout as stream:
            try:
                for line in lines_of(stream):
                    try:
                        self._hear(json.loads(line), progress)
                    except (ValueError, RecursionError):  # half a line of a process that was killed, or nonsense
                        continue
            except LineTooLong:
                self._end_with(speaks(_WHO))
        if self._memory is not None:
            self._memory.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        self._end()

    def _hear(self, line: dict[str, Any], progress: Callable[[str], object]) -> None:
        self._heard = time.monotonic()
        if "screen" in line:
            screen = line["screen"]
            self.screen = ScreenGeometry(Size(*screen["size"]), screen["rotation"], screen["on"])
        if "frame" in line:
            with self.pictures:
                self.frame = line["frame"]
                self.pictures.notify_all()
        elif "id" in line:
            answer = self._pending.get(line["id"])
            if answer is not None:
                _settle(answer, line)
        elif "ready" in line:
            self._ready.set_result(line)
        elif "says" in line:
            progress(line["says"])
        elif "unavailable" in line:
            self._ready.set_exception(_unavailable(line["unavailable"]))

    def _end(self) -> None:
        """Whoever waits learns that it is over."""
        with self._lock:
            self.over = True
            waiting = list(self._pending.values())
        for answer in [self._ready, *waiting]:
            if not answer.done():
                answer.set_exception(DeviceLost(self._why()))
        with self.pictures:
            self.pictures.notify_all()

    def _why(self) -> str:
        if self._end_words:
            return self._end_words
        code = self._process.poll() if self._process is not None else None
        if self._closed or code is None:
            return "The simulated phone was closed."
        if code in (0, -9, -15) or not (last := self._last_words()):  # killed: it had no word in that
            return f"The simulated phone has ended (exit status {code})."
        return f"The simulated phone has ended (exit status {code}): {last}"

    def _last_words(self) -> str:
        """The last line that it left behind."""
        with contextlib.suppress(OSError, ValueError):
            size = os.fstat(self._log.fileno()).st_size
            self._log.seek(max(0, size - 2000))
            lines = self._log.read().decode(errors="replace").split("\n")
            return next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ""


def _settle(answer: Future[Any], line: dict[str, Any]) -> None:
    if answer.done():
        return
    if "error" not in line:
        answer.set_result(line["value"])
    elif line["kind"] == "timeout":
        answer.set_exception(DeviceTimeout(f"The simulated phone: {line['error']}."))
    elif line["kind"] == "off":
        answer.set_exception(UITreeUnavailableError(line["error"]))
    else:
        answer.set_exception(DeviceError(line["error"]))


def _unavailable(why: str) -> UnavailableError:
    hint = "Install it with: pip install 'stepscope[gui]'"
    if ".so" in why:
        hint = "Install the system library that holds this file (on Debian libnss3, libxkbfile1 and libasound2)."
    return UnavailableError(f"The simulated phone needs a browser that is not installed: {why}", hint=hint)
