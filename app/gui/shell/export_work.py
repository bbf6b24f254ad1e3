"""Long exports in the chip of the menu row: how far they are, and the end of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6 import QtWidgets
from PySide6.QtCore import QObject

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.tasks import BackgroundTask, Work
from stepscope.core.drafts import advice, reason
from stepscope.core.errors import UserError
from stepscope.core.progress import Progress
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.format import counted


class ExportWork(QObject):
    """One for all exports of the window. `failed` tells what went wrong with a file."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self._working: dict[str, tuple[BackgroundTask, Progress, bool]] = {}
        """long exports under way by the id of their row in the chip, and whether a cancel keeps what is done"""
        context.long_work.chip.cancel_requested.connect(self._cancel)

    def start(
        self,
        name: str,
        work: Work,
        done: Callable[[Any], object],
        *,
        total: int | None = None,
        keeps: bool = False,
        failed: Callable[[Exception], object] | None = None,
    ) -> BackgroundTask:
        """Begin work that has a row in the chip until it ends; `keeps`: cancelled, it keeps what is done. `failed`
        tells what went wrong in another way."""
        task = self._context.start(name, work, done, failed=failed or self.failed, lane="index")
        row = f"export {id(task)}"
        self._working[row] = (task, Progress(0, total), keeps)
        task.progressed.connect(partial(self._progressed, row))
        task.finished.connect(partial(self._finished, row))
        self._show()
        return task

    def choose(self, name: str, kind: str, export: Callable[[Path], None]) -> None:
        """Ask where the file goes, and export it there."""
        window, proposed = self._context.dialog_parent, str(Path.home() / name)
        chosen, _ = QtWidgets.QFileDialog.getSaveFileName(window, "Export", proposed, kind)
        if chosen:
            export(Path(chosen))

    def wrote(self, path: Path, noun: str = "") -> Callable[[Any], None]:
        """Tells the end of a file, with how many of `noun` are in it."""

        def tell(number: Any) -> None:
            self._context.messages.wrote(f"Wrote {path.name}" + (f", {counted(number, noun)}" if noun else ""), path)

        return tell

    def failed(self, error: Exception) -> None:
        if isinstance(error, OSError):
            where = Path(error.filename).name if error.filename else "the file"
            error = UserError(f"{where} cannot be written: {reason(error)}.", hint=advice(error))
        self._context.messages.failure(error)

    def _progressed(self, row: str, progress: Progress) -> None:
        task, _before, keeps = self._working[row]
        self._working[row] = (task, progress, keeps)
        self._show()

    def _finished(self, row: str) -> None:
        del self._working[row]
        self._show()

    def _cancel(self, row: str) -> None:
        if row in self._working:
            self._working[row][0].cancel()

    def _show(self) -> None:
        rows = [
            TaskProgress(row, task.name, now.done, now.total, now.rate, now.seconds_left, can_pause=False, keeps=keeps)
            for row, (task, now, keeps) in self._working.items()
        ]
        self._context.long_work.show("exports", rows)


def safe_name(name: str) -> str:
    """An id as a part of a file's name."""
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in name)[-40:]
