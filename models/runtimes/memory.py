"""Memory that runs out: a bound on what models may take, and one error for it, whatever runtime and device it was."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from stepscope.core import limits
from stepscope.core.errors import OutOfMemory
from stepscope.core.process.memory import bound_own_memory, machine_bytes, own_bytes
from stepscope.models.runtimes.driver import gpus
from stepscope.models.runtimes.weights import first_line

R = TypeVar("R")

HINT = "Choose a smaller batch or another device."

_WORDS = re.compile(
    r"out of memory|not enough memory|can't allocate memory|cannot allocate memory|failed to allocate memory"
    r"|bad_?alloc|CUBLAS_STATUS_ALLOC_FAILED|CUDNN_STATUS_ALLOC_FAILED",
    re.IGNORECASE,
)
"""How torch, ONNX Runtime and the libraries below them say it: most raise no class of its own."""


ENDED = 75
"""The exit status of a process whose models took more than they may."""

_SECONDS = 0.2


def bound_models() -> None:
    """Let this process, in which models run, take no more than `model-share` of the machine's memory; said again, it
    follows a limit that was changed.

    Where no GPU is, the system keeps the bound (on Linux): what goes beyond it fails, becomes OutOfMemory, and all
    else goes on. A GPU's driver reserves far more memory than it takes and would be refused it, so there the process
    looks at itself and ends with the status `ENDED` when it has taken more.
    """
    most = machine_bytes() * limits.limit("model-share") // 100
    if not most:
        return
    global _bounded, _watch
    if not gpus().found:
        _bounded = bound_own_memory(most)
    elif _watch is None:
        _watch = threading.Thread(target=_look, name="memory of models", daemon=True)
        _watch.start()


_bounded = False
_watch: threading.Thread | None = None


def _look() -> None:
    while own_bytes(os.getpid()) <= machine_bytes() * limits.limit("model-share") // 100:
        time.sleep(_SECONDS)
    print(f"stepscope: {outgrown()}", file=sys.stderr, flush=True)
    os._exit(ENDED)


def outgrown() -> str:
    """What is said of a process that took more than its models may."""
    return (
        f"The model took more than {limits.limit('model-share')} percent of this machine's memory, and its process was "
        f"ended. {limits.hint('model-share')}"
    )


def in_memory(call: Callable[[], R], where: str, file: Path | None = None) -> R:
    """What `call` returns; its running out of memory becomes OutOfMemory with `file`, or else `where`, as its place."""
    try:
        return call()
    except Exception as error:
        if not ran_out(error):
            raise
        why = f"{first_line(error)} ({where})" if file else first_line(error)
    # Not inside the handler: as its context, the runtime's error would keep the frames' arrays in memory.
    raise OutOfMemory(f"the model does not fit into memory: {why}", place=file or where, hint=_hint())


def _hint() -> str:
    return f"{HINT} {limits.hint('model-share')}" if _bounded else HINT


def ran_out(error: Exception) -> bool:
    """Whether an error of a runtime means that memory ran out."""
    return isinstance(error, MemoryError) or (
        _WORDS.search(str(error)) is not None and not isinstance(error, OutOfMemory)
    )
