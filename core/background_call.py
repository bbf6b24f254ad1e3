"""One piece of work in a thread of its own, where the one who began it goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def call_in_thread(work: Callable[[], T], name: str) -> Future[T]:
    """The work's result, or what it raised. The thread ends with it, and holds up no program that ends."""
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
            result.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return result
