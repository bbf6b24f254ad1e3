"""Answers of other threads brought to the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal


class FutureCallbacks(QObject):
    """Hands a future's result to `done`, or its error to `failed`, on the thread of this object. A future that was
    cancelled, and what comes after `silence`, is dropped."""

    _arrived = Signal(object, object, object)

    def __init__(self, failed: Callable[[Exception], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._failed = failed
        self._silent = False
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def when(
        self,
        future: Future[Any],
        done: Callable[[Any], object] = lambda value: None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        future.add_done_callback(lambda ended: None if self._silent else self._arrived.emit(ended, done, failed))

    def silence(self) -> None:
        """Deliver nothing any more."""
        self._silent = True

    def _deliver(
        self, future: Future[Any], done: Callable[[Any], object], failed: Callable[[Exception], object] | None
    ) -> None:
        if self._silent:
            return
        try:
            value = future.result()
        except CancelledError:
            return
        except Exception as error:  # noqa: BLE001 - the border between work and window
            (failed or self._failed)(error)
            return
        done(value)
