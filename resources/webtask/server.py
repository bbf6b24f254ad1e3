"""Live pages in a process of their own, spoken to by `core.webtask.browser`:
`python -m stepscope.resources.webtask.server FRAMES START`.

`FRAMES` is the file of a `core.device.ring`, `START` a JSON object with `allowed`, the hosts that pages may reach.
Each line on stdin is a JSON object with `do` and what the command needs, and `id` where an answer is wanted: a line
with the same `id` and `value`, or `error` (words) and `kind`. Lines without `id` tell of the process itself:
`unavailable`, `ready`, `crashed`, `refused` and `asked` (of the page whose number `page` is), and while somebody
watches `frame` (its number) for each new picture, `look`, `list`, `submitted`, `pointing`, `copied`, and `hangs`. The
end of stdin ends the process, so that it does not outlive who started it.
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from stepscope.core.device.ring import FrameWriter
from stepscope.core.lazy import lazy_module
from stepscope.resources.child_server import AnswerWriter, end_with_parent, own_stdout, read_orders
from stepscope.resources.webtask.environment import prepare

if TYPE_CHECKING:
    from PySide6 import QtCore, QtGui

    from stepscope.resources.sample import steps
    from stepscope.resources.webtask import request_blocker
    from stepscope.resources.webtask import surface as page_surface
    from stepscope.resources.webtask.request_blocker import BlockedRequests
    from stepscope.resources.webtask.surface import Surface
else:
    QtCore = lazy_module("PySide6.QtCore")
    QtGui = lazy_module("PySide6.QtGui")
    steps = lazy_module("stepscope.resources.sample.steps")
    request_blocker = lazy_module("stepscope.resources.webtask.request_blocker")
    page_surface = lazy_module("stepscope.resources.webtask.surface")

FRAME_SECONDS = 1 / 30
UNAVAILABLE = 3
MOST_ASKED = 200
"""Questions of one page that are told; a page may ask without end."""
MOST_WORDS = 2000
"""Letters of a question that are told."""
COPY_SECONDS = 1.0
"""So long after the keys for copying what the page's clipboard then has was copied by a person (ours)."""
_SOON_MS = 50
_BEAT_MS = 1000


def main() -> int:
    """The exit status: 0, or `UNAVAILABLE` without a browser."""
    answers = AnswerWriter(own_stdout())
    start = json.loads(sys.argv[2])
    prepare(start["allowed"])
    try:
        from PySide6.QtWebEngineWidgets import QWebEngineView  # noqa: F401 - whether it can be loaded
        from PySide6.QtWidgets import QApplication

        register_scheme = request_blocker.register_scheme
    except ImportError as error:
        answers.tell(unavailable=str(error))
        return UNAVAILABLE
    register_scheme()
    application = QApplication(["stepscope"])
    server = PageServer(answers, FrameWriter(sys.argv[1]), start["allowed"])
    end_with_parent(server.inbox)
    read_orders(server.came)
    answers.tell(ready=True)
    return int(application.exec())


class PageServer:
    """One command after the other, hands at once, and pictures whenever the page was painted."""

    def __init__(self, answers: AnswerWriter, writer: FrameWriter, allowed: list[str]) -> None:
        from stepscope.resources.webtask.commands import PageCommands

        class PageInbox(QtCore.QObject):
            came = QtCore.Signal(object)

        self.answers = answers
        self._writer = writer
        self._waiting: deque[dict[str, Any]] = deque()
        self._run: Any = None
        self._watching = False
        self._page = self._asked = 0
        self._drawn = 0.0
        self._copy_until = 0.0
        self.inbox = PageInbox()
        self.inbox.came.connect(self._enqueue)
        self._picture_timer = _timer(QtCore.QTimer(self.inbox), self._picture)
        self._refusal_timer = _timer(QtCore.QTimer(self.inbox), lambda: self._refusals.flush())
        self._surface: Surface
        self._refusals: BlockedRequests
        self._surface, self._refusals = self._made(allowed)
        self._commands = PageCommands(self._surface)
        self._heart = Heartbeat(self.inbox, self._surface, lambda seconds: self.answers.tell(hangs=seconds))

    def _made(self, allowed: list[str]) -> tuple[Surface, BlockedRequests]:
        from stepscope.core.webtask.page import VIEWPORT
        from stepscope.resources.webtask.local.library import answer

        refusals = request_blocker.BlockedRequests(
            lambda many: self.answers.tell(refused=many, page=self._page),
            lambda: self._refusal_timer.isActive() or self._refusal_timer.start(_SOON_MS),
        )
        files = request_blocker.PageFiles(answer, self.inbox)
        wall = request_blocker.RequestBlocker(allowed, answer, refusals, self.inbox)
        surface = page_surface.Surface(files, wall, refusals, VIEWPORT, 1.0)
        surface.repainted.connect(self._repainted)
        surface.told.connect(self._told)
        surface.asked.connect(self._on_asked)
        surface.left.connect(self._on_left)
        surface.crashed.connect(lambda: self.answers.tell(crashed=True))
        surface.pointing.connect(self._on_pointing)
        QtGui.QGuiApplication.clipboard().dataChanged.connect(self._on_copied)
        return surface, refusals

    def came(self, order: dict[str, Any]) -> None:
        """A command, from any thread."""
        self.inbox.came.emit(order)

    # --- commands ------------------------------------------------------------------------------------------------

    def _enqueue(self, order: dict[str, Any]) -> None:
        if order["do"] == "hand":
            if order["kind"] == "key" and _copies(**order["hand"]):
                self._copy_until = time.monotonic() + COPY_SECONDS
            getattr(self._surface, order["kind"])(**order["hand"])
            return
        if order["do"] == "resize" and self._waiting and self._waiting[-1]["do"] == "resize":
            self._waiting.pop()  # a window that is drawn larger has many sizes, of which the last counts
        self._waiting.append(order)
        self._next()

    def _next(self) -> None:
        if self._run is not None or not self._waiting:
            return
        order = self._waiting.popleft()
        if order["do"] == "open":
            self._page, self._asked, self._copy_until = order["page"], 0, 0.0
            self._refusals.clear()
        self._run = steps.GeneratorRun(self._steps(order), lambda value, error: self._done(order, value, error))
        self._run.start()

    def _steps(self, order: dict[str, Any]) -> Any:
        if order["do"] == "watch":
            self._watching = bool(order["on"])
        value = None if order["do"] == "watch" else (yield from self._commands.steps(order))
        if order["do"] in ("watch", "open", "resize") and self._surface.drawable:
            yield from self._surface.call("watch", self._watching)
            self._heart.beat(self._watching)
            if self._watching:
                yield from self._surface.settle()
                self._picture(anew=True)
        return value

    def _done(self, order: dict[str, Any], value: Any, error: Exception | None) -> None:
        self._refusals.flush()
        if error is not None and not isinstance(error, page_surface.SurfaceError):
            import traceback

            traceback.print_exception(error, file=sys.stderr)
        if "id" in order and error is None:
            self.answers.tell(id=order["id"], value=value)
        elif "id" in order:
            self.answers.tell(
                id=order["id"],
                error=str(error),
                kind="page" if isinstance(error, page_surface.SurfaceError) else "fault",
            )
        self._run = None
        self._next()

    # --- what the page does by itself ------------------------------------------------------------------------------

    def _told(self, what: dict[str, Any]) -> None:
        if "said" in what:
            self._on_asked(what["said"])
        elif self._watching or "submitted" in what:
            self.answers.tell(**what)

    def _on_asked(self, words: str) -> None:
        self._asked += 1
        if self._asked <= MOST_ASKED:
            cut = words[:MOST_WORDS] + "…" if len(words) > MOST_WORDS else words
            self.answers.tell(asked=cut, page=self._page)

    def _on_copied(self) -> None:
        """A page may copy at any click: what nobody asked for with keys stays in here."""
        if time.monotonic() > self._copy_until:
            return
        text = QtGui.QGuiApplication.clipboard().text()
        if self._watching and text:
            self.answers.tell(copied=text)

    def _on_pointing(self, shape: str) -> None:
        if self._watching:
            self.answers.tell(pointing=shape)

    def _on_left(self) -> None:
        """A script sent a form by itself: the page's own listeners were not asked."""

        def tell() -> Any:
            values = yield from self._surface.call("values")
            self.answers.tell(submitted=values)

        steps.GeneratorRun(tell(), lambda _value, _error: None).start()

    # --- pictures ------------------------------------------------------------------------------------------------

    def _repainted(self) -> None:
        if self._watching and not self._picture_timer.isActive():
            self._picture_timer.start(max(0, round((self._drawn + FRAME_SECONDS - time.monotonic()) * 1000)))

    def _picture(self, *, anew: bool = False) -> None:
        """Write the picture down, and announce it if it is a new one, or `anew`."""
        if not (self._watching and self._surface.drawable):
            return
        self._drawn = time.monotonic()
        size = self._surface.viewport
        number = self._writer.write(size.width, size.height, self._surface.draw)
        if number is not None:
            self._number = number
        if number is not None or anew:
            self.answers.tell(frame=self._number)


class Heartbeat:
    """Asks the page that somebody looks at whether it is still there. `stopped` is called with how many seconds it has
    not answered."""

    def __init__(self, parent: Any, surface: Surface, stopped: Any) -> None:
        self._surface, self._stopped = surface, stopped
        self._timer = QtCore.QTimer(parent)
        self._timer.timeout.connect(self._ask)
        self._asked: float | None = None

    def beat(self, on: bool) -> None:
        self._asked = None
        if on:
            self._timer.start(_BEAT_MS)
        else:
            self._timer.stop()

    def _ask(self) -> None:
        if self._asked is not None:
            self._stopped(time.monotonic() - self._asked)
            return
        self._asked = time.monotonic()
        steps.GeneratorRun(self._surface.call("state"), self._answered).start()

    def _answered(self, _value: object, _error: Exception | None) -> None:
        self._asked = None


def _copies(what: str, key: int, text: str = "", modifiers: int = 0) -> bool:
    """Whether a person copies or cuts with this key."""
    keys = QtCore.Qt.KeyboardModifier(modifiers) & ~QtCore.Qt.KeyboardModifier.KeypadModifier
    letters = (QtCore.Qt.Key.Key_C, QtCore.Qt.Key.Key_X, QtCore.Qt.Key.Key_Insert)
    with_control = keys == QtCore.Qt.KeyboardModifier.ControlModifier and key in letters
    with_shift = keys == QtCore.Qt.KeyboardModifier.ShiftModifier and key == QtCore.Qt.Key.Key_Delete
    return what == "press" and (with_control or with_shift)


def _timer(timer: Any, call: Any) -> Any:
    timer.setTimerType(QtCore.Qt.TimerType.PreciseTimer)
    timer.setSingleShot(True)
    timer.timeout.connect(call)
    return timer


if __name__ == "__main__":
    sys.exit(main())
