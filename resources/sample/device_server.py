"""The simulated phone as a device in a process of its own, spoken to by `core.device.simulated`:
`python -m stepscope.resources.sample.device_server FRAMES START`.

A browser's flags hold for a whole process, and no page shall ever hold up a window. `FRAMES` is the file of a
`core.device.ring`, `START` a JSON object with what `reset` takes. Each line on stdin is a JSON object with `id`, `do`
and what the command needs; the answer is a line with the same `id` and `value`, or `error` (words) and `kind`. Lines
without `id` tell of the process itself: `says` while it starts, `unavailable`, `ready`, and `frame` (its number) for
each new picture while somebody watches. `screen` in a line is the screen from then on. The end of stdin ends the
process, so that it does not outlive who started it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from stepscope.core.device.ring import FrameWriter
from stepscope.resources.child_server import AnswerWriter, end_with_parent, own_stdout, read_orders
from stepscope.resources.sample.phone import PhoneError, PhoneTimeoutError, prepare_environment

if TYPE_CHECKING:
    from stepscope.resources.sample.device_commands import DeviceCommands

FRAME_SECONDS = 1 / 60
UNAVAILABLE = 3
_SURROUNDINGS = {
    "QT_QPA_PLATFORM": "offscreen",  # whatever the platform of who started it: its window is for nobody
    "QT_SCALE_FACTOR": "1",
    "QT_QUICK_BACKEND": "software",  # the same on every machine, and sooner there with less memory than without a GPU
}


def main() -> int:
    """The exit status: 0, or `UNAVAILABLE` without a browser."""
    answers = AnswerWriter(own_stdout())
    writer = FrameWriter(sys.argv[1])
    answers.tell(says="Starting the browser")
    os.environ.update(_SURROUNDINGS)
    prepare_environment()
    try:
        from PySide6.QtWidgets import QApplication

        from stepscope.resources.sample.device_commands import DeviceCommands
    except ImportError as error:
        answers.tell(unavailable=str(error))
        return UNAVAILABLE
    application = QApplication([])
    server = DeviceServer(answers, writer, DeviceCommands, json.loads(sys.argv[2]))
    end_with_parent(server.inbox)
    read_orders(server.came)
    answers.tell(says="Opening the home screen")
    return int(application.exec())


class DeviceServer:
    """One command after the other, and pictures whenever the page was painted, at most 60 a second."""

    def __init__(
        self, answers: AnswerWriter, writer: FrameWriter, commands: type[DeviceCommands], start: dict[str, Any]
    ) -> None:
        from PySide6.QtCore import QObject, Qt, QTimer, Signal

        class DeviceInbox(QObject):
            came = Signal(object)

        self.answers = answers
        self._writer = writer
        self._waiting: deque[dict[str, Any]] = deque()
        self._run: Any = None
        self._ready = self._watching = False
        self._number = -1
        self._drawn = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._picture)
        self.inbox = DeviceInbox()
        self.inbox.came.connect(self._enqueue)
        self._commands = commands(self._repainted)
        self._commands.phone.left.connect(lambda: self._enqueue({"do": "settle"}))
        self._commands.phone.crashed.connect(self._crashed)
        self._enqueue({**start, "do": "reset"})

    def came(self, order: dict[str, Any]) -> None:
        """A command, from any thread."""
        self.inbox.came.emit(order)

    # --- commands ------------------------------------------------------------------------------------------------

    def _enqueue(self, order: dict[str, Any]) -> None:
        self._waiting.append(order)
        self._next()

    def _crashed(self) -> None:
        self._waiting.appendleft({"do": "reset"})
        if self._run is not None:
            self._run.fail(PhoneError("The app has crashed; the phone starts anew"))
        self._next()

    def _next(self) -> None:
        from stepscope.resources.sample.steps import GeneratorRun

        if self._run is not None or not self._waiting:
            return
        order = self._waiting.popleft()
        self._run = GeneratorRun(self._steps(order), lambda value, error: self._done(order, value, error))
        self._run.start()

    def _steps(self, order: dict[str, Any]) -> Any:
        what = order.get("do")
        if what == "watch":
            self._watching = bool(order["on"])
            if self._watching:
                yield from self._commands.phone.freshen()
                self._picture(anew=True)
            return None
        value = yield from self._commands.steps(order)
        if what == "picture":
            self._picture()
        return value

    def _done(self, order: dict[str, Any], value: Any, error: Exception | None) -> None:
        screen = self._commands.screen()
        if error is not None and not isinstance(error, PhoneError):
            import traceback

            traceback.print_exception(error, file=sys.stderr)
        if not self._ready and order["do"] == "reset":
            self._ready = True
            self.answers.tell(ready=error is None, screen=screen, error=str(error or ""))
        elif "id" in order and error is None:
            self.answers.tell(id=order["id"], value=value, screen=screen)
        elif "id" in order:
            self.answers.tell(id=order["id"], error=str(error), kind=_kind(error), screen=screen)
        self._run = None
        self._next()

    # --- pictures ------------------------------------------------------------------------------------------------

    def _repainted(self) -> None:
        if self._watching and not self._timer.isActive():
            self._timer.start(max(0, round((self._drawn + FRAME_SECONDS - time.monotonic()) * 1000)))

    def _picture(self, *, anew: bool = False) -> None:
        """Write the picture down, and announce it if it is a new one, or `anew`."""
        phone = self._commands.phone
        if not phone.drawable:
            return
        self._drawn = time.monotonic()
        number = self._writer.write(phone.size.width, phone.size.height, phone.draw)
        if number is not None:
            self._number = number
        if self._watching and (number is not None or anew):
            self.answers.tell(frame=self._number, screen=self._commands.screen())


def _kind(error: Exception | None) -> str:
    if isinstance(error, PhoneTimeoutError):
        return "timeout"
    return getattr(error, "kind", "device") if isinstance(error, PhoneError) else "fault"


if __name__ == "__main__":
    sys.exit(main())
