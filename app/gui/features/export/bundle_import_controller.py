"""Runs of another store, brought in as bundles."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import AnnotationsChanged, RunsChanged
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.core.domain.run import Run
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.bundle import BundleUpdate, read_bundle
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.store.repositories import runs
from stepscope.widgets.format import counted


class BundleImportController(QObject):
    """`show_wanted(id)`: the person wants to see the results of an imported run."""

    show_wanted = Signal(str)

    def __init__(self, context: Context, work: ExportWork) -> None:
        super().__init__(context)
        self._context, self._work = context, work

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"import.bundle": self.ask_for_bundle}

    def ask_for_bundle(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self._context.dialog_parent, "Import a run", str(Path.home()), "Run bundles (*.bundle);;All files (*)"
        )
        if chosen:
            self.take(Path(chosen))

    def take(self, path: Path, *, as_new: bool = False) -> None:
        """Enter the run of a bundle, with a row in the chip; `as_new` under an id of its own."""
        database = self._context.database
        if database is None:
            return

        def work(token: CancelToken) -> Generator[Progress, None, tuple[BundleUpdate, Run] | None]:
            for update in read_bundle(database, path, run_id=runs.new_id() if as_new else "", token=token):
                last = update
                yield update.progress
            if last.result == "cancelled":
                return None
            with database.reading() as db:
                return last, runs.get(db, last.run_id)

        self._work.start(f"Importing {path.name}", work, self._ended, failed=partial(self._failed, path))

    def _failed(self, path: Path, error: Exception) -> None:
        if isinstance(error, UsageError):  # there is another run of this id
            again = partial(self.take, path, as_new=True)
            self._context.messages.error(error.words_in_window, (again, "Import as a new run"))
        else:
            self._work.failed(error)

    def _ended(self, ended: tuple[BundleUpdate, Run] | None) -> None:
        if ended is None:  # cancelled
            return
        update, run = ended
        said = f", {counted(update.annotations, 'note')} on its data" if update.annotations else ""
        verb = "Imported" if update.result == "imported" else "There already:"
        self._context.events.publish(RunsChanged())
        if update.annotations:
            self._context.events.publish(AnnotationsChanged(run.spec.source, frozenset()))
        self._context.messages.done(
            f"{verb} {run.labels.name or run.spec.model}, {counted(run.done, 'item')}{said}.",
            (partial(self.show_wanted.emit, run.id), "Show"),
        )
