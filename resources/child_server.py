"""What the browsers' processes have in common: orders in lines on stdin, answers in lines on stdout, and an end with
whoever started them. No Qt before `end_with_parent`.
"""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

from stepscope.core.limits import hint, limit, written_figure
from stepscope.core.process.own_streams import own_output

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

_PARENT_SECONDS = 2.0


class AnswerWriter:
    """Lines of JSON to whoever started this process, none longer than `page-answer-bytes`: a longer answer becomes an
    error that says so, and what nobody asked for is left out. A pipe that nobody reads any more ends the process."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def tell(self, **what: object) -> None:
        """One line."""
        line = json.dumps(what)
        if len(line) >= (most := limit("page-answer-bytes")) - 1:
            if "id" not in what:
                return
            told = f"The page answers with more than {written_figure('bytes', most)}. {hint('page-answer-bytes')}"
            line = json.dumps({"id": what["id"], "error": told, "kind": "page"})
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError:
            os._exit(0)


def own_stdout() -> IO[str]:
    """The real stdout, kept for answers; whatever else prints (the browser does) goes to stderr."""
    return io.TextIOWrapper(own_output(), "utf-8")


def read_orders(came: Callable[[dict[str, Any]], object]) -> None:
    """Hand each line of stdin to `came`, in a thread of its own, so that the end of stdin ends the process whatever
    else it does. Nothing is kept, and the browser's long farewell is for nobody."""

    def read() -> None:
        for line in sys.stdin:
            came(json.loads(line))
        os._exit(0)

    threading.Thread(target=read, name="commands", daemon=True).start()


def end_with_parent(owner: QObject) -> None:
    """A copy of the pipe's other end may live on in some other child of the parent: the parent itself is looked at, as
    long as `owner` lives."""
    if not hasattr(os, "getppid"):
        return
    from PySide6.QtCore import QTimer

    parent = os.getppid()
    timer = QTimer(owner)
    timer.timeout.connect(lambda: os.getppid() == parent or os._exit(0))
    timer.start(round(_PARENT_SECONDS * 1000))
