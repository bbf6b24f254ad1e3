"""Starting modules of this program as processes of their own, and ending them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

import stepscope
from stepscope.core.bundled import CHILD, is_bundle, look_into_own_folder

_ROOT = Path(stepscope.__file__).parents[1]
_LAST_BYTES = 2000
_CREATION_FLAGS: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)

Child = subprocess.Popen[bytes]

_for_a_window = False


def work_for_a_window() -> None:
    """This process has a window, which goes before children that are launched from now on."""
    global _for_a_window
    _for_a_window = True


def _let_the_window_go_first(child: Child, levels: int) -> None:
    """Put a child that was just launched so many nice levels below the window, if there is one and the system has such.
    Said from here, for a child that said it itself would have imported what it needs before."""
    if _for_a_window and hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # it has ended already
            os.setpriority(os.PRIO_PROCESS, child.pid, os.getpriority(os.PRIO_PROCESS, 0) + levels)


def command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of this program. `-P`: Python would look for modules in the current folder first,
    so that a `queue.py` among somebody's data would be run. The self-contained program only has its own."""
    if is_bundle():
        return [sys.executable, CHILD, module, *arguments]
    return [sys.executable, "-P", "-m", module, *arguments]


def environment(places: Iterable[str] | None = None) -> dict[str, str]:
    """Our own environment, in which the child finds this program and what lies at `places` (None: PYTHONPATH)."""
    known = (os.environ.get("PYTHONPATH", ""),) if places is None else tuple(places)
    searched = os.pathsep.join(filter(None, (str(_ROOT), *known)))
    return os.environ | {"PYTHONPATH": searched} | look_into_own_folder()


def launch(
    arguments: Sequence[str],
    *,
    errors: IO[bytes] | int | None = None,
    own_session: bool = False,
    descriptors: Sequence[int] = (),
    places: Iterable[str] | None = None,
    levels: int = 0,
) -> Child:
    """Start a child with pipes to it and from it. Its error stream is ours, or `errors`. A child in a session of its
    own hears no Ctrl+C from a terminal, and `kill_group` ends it with all that it started. It inherits `descriptors`
    and finds modules at `places`, as in `environment`. A window goes before it by so many nice `levels`. Raises
    OSError."""
    child = subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=environment(places),
        pass_fds=descriptors,
        start_new_session=own_session,
        creationflags=_CREATION_FLAGS if own_session else 0,
    )
    if levels:
        _let_the_window_go_first(child, levels)
    return child


def kill_group(child: Child) -> None:
    """Kill a child that was launched in a session of its own, and all processes in it."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()


def end(child: Child, reader: threading.Thread | None = None, seconds: float | None = None) -> None:
    """Kill the child and close the pipes, once its `reader` has read what is left in them. Waits `seconds` for the
    reader (None: to its end): a process that the child left behind may keep the pipe open, which is then the reader's
    to close."""
    child.kill()
    child.wait()
    if reader is not None:
        reader.join(seconds)
    close_pipes(child, output=reader is None or not reader.is_alive())


def close_pipes(child: Child, *, output: bool = True) -> None:
    """Say nothing more to the child, and with `output` hear nothing more."""
    for stream in (child.stdin, child.stdout if output else None):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def last_line(log: IO[bytes]) -> str:
    """The last line with anything in it among the last bytes that a child wrote to the file; "" without one."""
    log.seek(max(0, os.fstat(log.fileno()).st_size - _LAST_BYTES))
    lines = log.read().decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
