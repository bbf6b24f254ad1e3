"""The process behind a live page: starting it, asking it, hearing what it tells, and its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from functools import cached_property
from typing import Any

from stepscope.core.device.ring import FrameRing
from stepscope.core.errors import UnavailableError
from stepscope.core.process import children
from stepscope.core.process.conversation import Line, LineConversation, Speaker
from stepscope.core.webtask.page import PageError, PageFault, PageGone

START_SECONDS = 60.0
MOST_PIXELS = 5120 * 2880
"""What a picture can have. The memory of pictures is taken as far as it is written to."""
_MODULE = "stepscope.resources.webtask.server"


class BrowserProcess:
    """Started by `start`, ended by `kill` (from any thread, at any time). `told` is called in the reader's thread with
    each line that is no answer, and with `{"ended": why}` at last."""

    def __init__(self, allowed: Collection[str], told: Callable[[Line], object]) -> None:
        self._allowed = sorted(allowed)
        self._told = told
        self._talk = LineConversation(_PAGE, self._hear)

    @cached_property
    def ring(self) -> FrameRing:
        return FrameRing(MOST_PIXELS)

    @property
    def pid(self) -> int | None:
        """The process id while it lives."""
        return self._talk.pid

    @property
    def begun(self) -> bool:
        """Whether it was started, or may not be any more."""
        return self._talk.begun

    def start(self) -> None:
        """Returns when pages can be opened. Raises UnavailableError without a browser engine, PageGone."""
        command = children.command(_MODULE, self.ring.path, json.dumps({"allowed": self._allowed}))
        try:
            self._talk.start(command, self.ring.descriptors, START_SECONDS)
        except TimeoutError:
            self.kill(f"The browser has not started within {START_SECONDS:g} s.")
            raise PageGone(self._talk.why, hint="Try again when the machine is less busy.") from None
        except UnavailableError:
            self.kill("There is no browser.")
            raise
        finally:
            self.ring.handed_over()

    def ask(self, do: str, seconds: float, **what: object) -> Any:
        """The answer to a command. A process that does not answer for `seconds` is killed.

        Raises PageError, PageFault, PageGone.
        """
        try:
            return self._talk.ask(do, seconds, **what)
        except TimeoutError:
            self.kill(hangs(seconds))
            raise PageGone(self._talk.why) from None

    def tell(self, **order: object) -> None:
        """A command without an answer. Raises PageGone."""
        self._talk.tell(**order)

    def kill(self, why: str) -> None:
        """End the process and all that it started. Whoever waits gets PageGone with `why`, unless it ended before."""
        self._talk.kill(why)

    def _hear(self, line: Line) -> None:
        if not line.keys() & {"id", "ready", "unavailable"}:
            self._told(line)


def hangs(seconds: float) -> str:
    return f"The page did not answer for {seconds:g} s and was ended: a script of it runs without end."


def _refusal(line: Line) -> Exception:
    if line.get("kind") == "page":
        return PageError(line["error"])
    return PageFault(f"The page's process failed: {line['error']}")


_PAGE = Speaker("The page", "The browser", "Web pages need a browser engine", "web page", PageGone, _refusal)
