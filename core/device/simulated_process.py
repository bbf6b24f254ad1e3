"""The process behind the simulated phone: starting it, asking it, hearing of its pictures and of its end."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from stepscope.core.device.device import DeviceError, DeviceLost, DeviceTimeout, ScreenGeometry, UITreeUnavailableError
from stepscope.core.device.ring import FrameRing, RingFrame
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError
from stepscope.core.process import children
from stepscope.core.process.conversation import Line, LineConversation, Speaker

START_SECONDS = 60.0
ANSWER_SECONDS = 25.0
"""More than the phone itself waits for its pages."""
_MOST_PIXELS = 1080 * 2400
_MODULE = "stepscope.resources.sample.device_server"
_CLOSED = "The simulated phone was closed."
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
        self.pictures = threading.Condition()
        self.ring = FrameRing(_MOST_PIXELS)
        self._start = start
        self._progress: Callable[[str], object] = lambda words: None
        self._watchers = 0
        self._lock = threading.Lock()
        self._talk = LineConversation(_PHONE, self._hear)

    @property
    def pid(self) -> int | None:
        """The process id while it lives."""
        return self._talk.pid

    @property
    def over(self) -> bool:
        """Whether it has ended, or was closed."""
        return self._talk.over

    def start(self, progress: Callable[[str], object]) -> None:
        """Returns when the home screen stands; `progress` is told in words what goes on, in another thread.

        Raises UnavailableError without a browser, DeviceLost when it ends, DeviceTimeout.
        """
        self._progress = progress
        command = children.command(_MODULE, self.ring.path, json.dumps(self._start))
        try:
            started = self._talk.start(command, self.ring.descriptors, START_SECONDS)
        except TimeoutError:
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
        asked, seconds = time.monotonic(), ANSWER_SECONDS + extra
        try:
            return self._talk.ask(do, seconds, **what)
        except TimeoutError:
            words = f"The simulated phone has not answered for {seconds:g} s"
            if self._talk.heard > asked:
                raise DeviceTimeout(f"{words}.", hint="Try again.") from None
            self._kill(f"{words}, and was ended.")
            raise DeviceLost(self._talk.why) from None

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
        """Stop watching, once for each `watch`; does not wait."""
        with self._lock:
            self._watchers -= 1
            if self._watchers:
                return
        with contextlib.suppress(DeviceLost):
            self._talk.tell(do="watch", on=False)

    def next_picture(self, after: int, ended: Callable[[], bool]) -> RingFrame | None:
        """Wait for a picture with a number above `after`; None when `ended` came first. Raises DeviceLost.

        Whoever changes what `ended` tells notifies `pictures`.
        """
        while True:
            with self.pictures:
                self.pictures.wait_for(lambda: self.frame > after or self.over or ended())
            over = self.over  # looked at first: who stops watching and then ends the process gets no error
            if ended():
                return None
            if over:
                raise DeviceLost(self._talk.why)
            shot = self.ring.newest()
            if shot is not None and shot.number > after:
                return shot

    def close(self) -> None:
        """End the process at once: nothing on it is worth waiting for."""
        self._kill(_CLOSED)

    # ------------------------------------------------------------------------------------------------------------------

    def _kill(self, why: str) -> None:
        self.ring.handed_over()
        self._talk.kill(why)

    def _hear(self, line: Line) -> None:
        """Take an answer, in the reader's thread."""
        if "screen" in line:
            screen = line["screen"]
            self.screen = ScreenGeometry(Size(*screen["size"]), screen["rotation"], screen["on"])
        if "frame" in line:
            with self.pictures:
                self.frame = line["frame"]
                self.pictures.notify_all()
        elif "ended" in line:
            with self.pictures:
                self.pictures.notify_all()
        elif "says" in line:
            self._progress(line["says"])


def _refusal(line: Line) -> UserError:
    kind = line.get("kind")
    if kind == "timeout":
        return DeviceTimeout(f"The simulated phone: {line['error']}.")
    return UITreeUnavailableError(line["error"]) if kind == "off" else DeviceError(line["error"])


_PHONE = Speaker(
    "The simulated phone",
    "The simulated phone",
    "The simulated phone needs a browser",
    "simulated phone",
    DeviceLost,
    _refusal,
)
