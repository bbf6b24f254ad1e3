"""Ctrl-C during long work: the first one asks it to stop behind its current item, the second one ends it at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from stepscope.core.progress import CancelToken


@contextmanager
def cancelled_by_signals() -> Iterator[CancelToken]:
    """A token that SIGINT and SIGTERM cancel, also where a shell started us in the background with SIGINT ignored."""
    token = CancelToken()
    if threading.current_thread() is not threading.main_thread():
        yield token
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        if token.cancelled:
            raise KeyboardInterrupt
        token.cancel()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield token
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
