"""One error for memory that runs out, whatever runtime and device it was."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from core.errors import OutOfMemory
from models.runtimes.weights import first_line

R = TypeVar("R")

HINT = "Choose a smaller batch or another device."

_WORDS = re.compile(
    r"out of memory|not enough memory|can't allocate memory|cannot allocate memory|failed to allocate memory"
    r"|bad_?alloc|CUBLAS_STATUS_ALLOC_FAILED|CUDNN_STATUS_ALLOC_FAILED",
    re.IGNORECASE,
)
"""How torch, ONNX Runtime and the libraries below them say it: most raise no class of its own."""


def in_memory(call: Callable[[], R], where: str) -> R:
    """What `call` returns; its running out of memory becomes OutOfMemory, with `where` as the place."""
    try:
        return call()
    except Exception as error:
        if not ran_out(error):
            raise
        why = first_line(error)
    # Not inside the handler: as its context, the runtime's error would keep the frames' arrays in memory.
    raise OutOfMemory(f"the model does not fit into memory: {why}", place=where, hint=HINT)


def ran_out(error: Exception) -> bool:
    """Whether an error of a runtime means that memory ran out."""
    return isinstance(error, MemoryError) or (
        _WORDS.search(str(error)) is not None and not isinstance(error, OutOfMemory)
    )
