"""A damaged store: told once, with what to do. What can be read of it is rescued into another, or a new one is begun;
the damaged one is kept. The window then closes and opens again on that store, where it was."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.session_controller import DAMAGED
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.core.errors import StoreError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from collections.abc import Generator

    from stepscope.core.store import replacement
    from stepscope.core.store.rescue import RescueReport, RescueUpdate
else:
    replacement = lazy_module("stepscope.core.store.replacement")

log = logging.getLogger("stepscope")

ROW = "rescue"


class DamagedStoreController(QObject):
    """`found` tells of every error about a damaged store. `another_wanted(store_url, prepare)`: the person chose
    the store to go on with; `busy` says what has to end before."""

    another_wanted = Signal(str, object)

    def __init__(self, context: Context, busy: Callable[[], str]) -> None:
        super().__init__(context)
        self._context, self._busy = context, busy
        self._file: Path | None = None
        self._what = ""
        self._rescued: Path | None = None
        self._task: BackgroundTask | None = None
        context.messages.store_damaged.connect(self.found)
        context.long_work.chip.cancel_requested.connect(self._cancel)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"store.rescue": self.rescue, "store.new": self.begin_anew, "store.use_rescued": self.use_rescued}

    def found(self, error: StoreError) -> None:
        """Tell of the damage by what was met first; what else is met of it is for the log."""
        log.info("told: %s", error)
        if self._file is not None:
            if self._task is None and self._rescued is None:
                self._offer()
            return
        file = replacement.file_of(self._context.places.store_url)
        if file is None:
            self._context.messages.error(str(error))
            return
        self._file = file
        self._context.conditions.set(DAMAGED, True)
        self._what = f"{error.message.removesuffix('.')}. The file stays as it is."
        self._offer()

    def _offer(self) -> None:
        self._context.messages.error(
            self._what, ("store.rescue", "Rescue…"), ("store.new", "Use a new store"), title=f"{self._name}:"
        )

    @property
    def _name(self) -> str:
        return self._file.name if self._file is not None else ""

    # Rescue ----------------------------------------------------------------------------------------------------------

    def rescue(self) -> None:
        """Ask where the new store goes, and copy into it what can be read; with a row in the chip."""
        damaged = self._file
        if damaged is None or self._task is not None or self._is_busy():
            return
        chosen, _ = QtWidgets.QFileDialog.getSaveFileName(
            self._context.dialog_parent,
            "Rescue into a New Store",
            str(replacement.free_name(damaged, "rescued")),
            "Store (*.db)",
        )
        if not chosen:
            self._offer()
            return
        out = Path(chosen)
        task = self._task = self._context.start(
            f"Rescuing {damaged.name}",
            lambda token: _rescue(damaged, out, token),
            partial(self._tell_rescued, out),
            failed=self._not_rescued,
            lane="index",
        )
        task.progressed.connect(self._show)
        task.cancelled.connect(self._cancelled)
        task.finished.connect(self._ended)
        self._show(Progress(0, None))

    def _is_busy(self) -> bool:
        what = self._busy()
        if what:
            self._context.messages.warning(f"{what} Cancel it first: what it saved meanwhile would be lost.")
            self._offer()
        return bool(what)

    def _cancel(self, row: str) -> None:
        if row == ROW and self._task is not None:
            self._task.cancel()

    def _show(self, now: Progress) -> None:
        if self._task is not None:
            row = TaskProgress(
                ROW, self._task.name, now.done, now.total, now.rate, now.seconds_left, can_pause=False, keeps=False
            )
            self._context.long_work.show(ROW, [row])

    def _ended(self) -> None:
        self._task = None
        self._context.long_work.show(ROW, ())

    def _not_rescued(self, error: Exception) -> None:
        self._context.messages.failure(error)
        self._offer()

    def _cancelled(self) -> None:
        self._context.messages.info("Nothing was written.", title="The rescue was cancelled.")
        self._offer()

    def _tell_rescued(self, out: Path, report: RescueReport) -> None:
        """Tell what the new store has, and what not; it is opened when the person says so."""
        self._rescued = out
        self._context.conditions.set("rescued_store", True)
        lost = "All of it was read."
        if not report.whole:
            rows = sum(report.skipped.values()) + report.cells
            parts = [counted(n, noun) for n, noun in ((rows, "row"), (report.pages, "page")) if n]
            items = sum(run.missing or 0 for run in report.runs)
            parts += [f"{counted(items, 'item')} of runs"] if items else []
            lost = f"Left out: {', '.join(parts)}."
        then = "To use it, the window opens again"
        if self._is_beside(out):
            then += "; the damaged store is kept under another name"
        self._context.messages.info(
            f"{counted(len(report.runs), 'run')} in {out}. {lost} {then}.",
            ("store.use_rescued", "Use it"),
            ("store.new", "Use a new store"),
            title="Rescued.",
        )

    def _is_beside(self, out: Path) -> bool:
        return self._file is not None and out.resolve().parent == self._file.resolve().parent

    def use_rescued(self) -> None:
        """Open the window on the rescued store: in the damaged one's place where both lie in one folder."""
        from stepscope.core.settings import store_url

        new, damaged = self._rescued, self._file
        if new is None or damaged is None or self._is_busy():
            return
        if self._is_beside(new):
            self.another_wanted.emit(self._context.places.store_url, lambda: _put_in_place(new, damaged))
        else:
            self.another_wanted.emit(store_url(new), lambda: f"Next time, open it with --store: {new}")

    # A new store -----------------------------------------------------------------------------------------------------

    def begin_anew(self) -> None:
        """Open the window on an empty store in the damaged one's place, when the person is sure."""
        damaged = self._file
        if damaged is None or self._is_busy():
            return
        sure = confirmed(
            self._context.dialog_parent,
            "Use a new, empty store?",
            f"{damaged.name} is kept in its folder under another name, and can still be rescued.",
            "Use a new store",
            destructive=False,
        )
        if sure:
            self.another_wanted.emit(self._context.places.store_url, lambda: _set_aside(damaged))
        elif self._rescued is None:
            self._offer()


def _rescue(damaged: Path, out: Path, token: CancelToken) -> Generator[Progress, None, RescueReport | None]:
    from stepscope.core.store.rescue import rescue

    update: RescueUpdate | None = None
    for update in rescue(damaged, out, token=token):
        yield update.progress
    return update.report if update is not None else None


def _put_in_place(new: Path, damaged: Path) -> str:
    return _told(replacement.put_in_place(new, damaged))


def _set_aside(damaged: Path) -> str:
    return _told(replacement.set_aside(damaged))


def _told(kept: Path) -> str:
    return f"The damaged store is kept: {kept}"
