"""Calls in a thread of their own, where the caller goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def call_in_thread(work: Callable[[], T], name: str) -> Future[T]:
    """Call `work` in a thread; the future has its result, or what it raised. The thread holds up no program that
    ends."""
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
            result.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return result
