"""Models that do in one place what no model should, as a package adds them.

The environment's STEPSCOPE_FAULTS is a folder: the file `mended` in it makes every model sound, and `said` is written
when a model is about to misbehave.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from stepscope.core.errors import UserError
from stepscope.models.automation.noisy_copy import NoisyCopy
from stepscope.models.catalog import NOISY_COPY

SOUND_ITEMS = 40
"""Answers that a model gives before it fails."""


class OwnError(UserError):
    """An error of the package's own, which the window does not know."""

    def __init__(self, message: str, number: int) -> None:
        super().__init__(f"{message} {number}.", hint="Ask its author.")


def raise_(error: BaseException) -> NoReturn:
    raise error


def hang() -> NoReturn:
    while True:
        threading.Event().wait()


def print_and_read() -> None:
    print("loud", "x" * 100_000)
    os.write(1, b"louder\n")
    subprocess.run([sys.executable, "-c", "print('from a child of its own')"], check=True)
    assert sys.stdin.read() == "", "nobody talks to a model"


def start_thread() -> None:
    threading.Thread(target=hang, name="left by a model").start()


def leave_process() -> None:
    """A process that keeps every pipe of ours open, and then the end."""
    left = os.fork()
    if left == 0:
        signal.pause()
    (place() / "left").write_text(str(left))
    os._exit(5)


def scribble() -> None:
    """Write into pipes that are somebody else's."""
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                os.write(number, b"\xff" * 100)
    hang()


DEEDS: dict[str, Callable[[], Any]] = {
    "kills": partial(os.kill, os.getpid(), signal.SIGKILL),
    "segfaults": lambda: ctypes.string_at(0),
    "exits": partial(os._exit, 7),
    "leaves": partial(sys.exit, 3),
    "no-memory": lambda: raise_(MemoryError()),
    "own-error": lambda: raise_(OwnError("It went wrong", 42)),
    "breaks": lambda: raise_(RuntimeError("no such layer")),
    "hangs": hang,
    "prints": print_and_read,
    "threads": start_thread,
    "forks": leave_process,
    "scribbles": scribble,
}


def place() -> Path:
    return Path(os.environ["STEPSCOPE_FAULTS"])


def do(deed: str) -> None:
    if not (place() / "mended").exists():
        (place() / "said").write_text(deed)
        DEEDS[deed]()


class Faulty:
    """The noisy copy, until it has given some answers; `on` is where its deed is done."""

    def __init__(self, deed: str, on: str, seed: int, device: str) -> None:
        self._deed, self._on, self._answered = deed, on, 0
        after = place() / "after"
        self._sound_items = int(after.read_text()) if after.exists() else SOUND_ITEMS
        self._sound = NoisyCopy(seed=seed, device=device)
        self.info = replace(self._sound.info, name=f"{deed}-{on}")
        if on == "load":
            do(deed)

    def predict(self, request: Any) -> Any:
        self._answered += 1
        if self._on == "work" and self._answered > self._sound_items:
            do(self._deed)
        return self._sound.predict(request)

    def close(self) -> None:
        if self._on == "close":
            do(self._deed)


def plug_in(deed: str, on: str) -> tuple[Any, Callable[..., Faulty]]:
    info = replace(NOISY_COPY, name=f"{deed}-{on}", title=f"{deed} at {on}")
    return info, lambda *, seed, device: Faulty(deed, on, seed, device)


for _deed in DEEDS:
    for _on in ("load", "work", "close"):
        globals()[f"{_deed}_{_on}".replace("-", "_")] = partial(plug_in, _deed, _on)
