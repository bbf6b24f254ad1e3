"""Exports: a run as table, report, pictures, predictions, or whole; the step on the screen; the data's questions."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.gui.context import Context
from app.gui.controllers.results import STORED_FILTER, ResultsController
from app.gui.tasks import Task
from app.whole_files import Abandoned, unless_cancelled, utf8, whole_file, whole_text
from core.domain.episode import Picture
from core.domain.run import Run
from core.errors import UserError
from core.imaging.draw import encode_png, render_step
from core.progress import CancelToken, Progress
from widgets.common import TaskProgress
from widgets.format import counted
from widgets.results import ItemsFilter

if TYPE_CHECKING:
    from app.asks import Asking, AsksWritten
    from app.run_pictures import PicturesWritten
    from core.store.engine import Database
    from core.store.queries import ItemFilter


@dataclass(frozen=True, slots=True)
class Chosen:
    """What of a run is exported: its items by `show`, or exactly the predictions with the ids `rows`, under its own
    rule or another scoring of it. `baseline` is the run it is compared with. `without_defects` leaves defective items
    out of tables and pictures. `words` say how the items were chosen."""

    run: Run
    show: ItemFilter = "all"
    rows: tuple[int, ...] | None = None
    scoring_id: int | None = None
    baseline: str | None = None
    without_defects: bool = False
    words: str = ""


class ExportController(QObject):
    """Files are written in the background, beside their place first, so that a broken export leaves the old file."""

    def __init__(self, context: Context, results: ResultsController) -> None:
        super().__init__(context)
        self._context, self._results = context, results
        self.chosen: Callable[[], Chosen | None] = self._shown_run
        """what is exported; whoever shows other items puts its own here"""
        self._show, self._filtered = ItemsFilter.ALL, ""
        """the filter over the items, and the run that it was chosen for"""
        self._working: dict[str, tuple[Task, Progress, bool]] = {}
        """long exports under way by the id of their row in the chip, and whether a cancel keeps what is done"""
        context.window.results.items_filter_changed.connect(self._take_filter)
        results.shown.connect(self._check_filter)
        context.long_work.chip.cancel_requested.connect(self._cancel)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "export.csv": lambda: self._ask("csv", "CSV (*.csv)", self.csv),
            "export.html": lambda: self._ask("html", "HTML (*.html)", self.html),
            "export.predictions": lambda: self._ask("jsonl", "JSON Lines (*.jsonl)", self.predictions),
            "export.latex": lambda: self._ask("tex", "LaTeX (*.tex)", self.latex),
            "export.pictures": self._ask_for_folder,
            "export.bundle": lambda: self._ask("bundle", "Run bundle (*.bundle)", self.bundle),
            "export.picture": self._ask_for_picture,
            "export.asks": self._look_for_asks,
        }

    # A run ---------------------------------------------------------------------------------------------------------

    def ask_for_selection(self, rows: tuple[int, ...], words: str) -> None:
        """These predictions of the shown run as CSV; `words` say how they were chosen."""
        shown = self._shown_run()
        if shown is None or not rows:
            return
        self.chosen = lambda: replace(shown, show="all", rows=rows, without_defects=False, words=words)
        try:
            self._ask("csv", "CSV (*.csv)", self.csv)
        finally:
            self.chosen = self._shown_run

    def csv(self, path: Path) -> None:
        """The items that are shown, under the rule that is shown."""
        from core.evaluation.export import csv_steps

        def work(database: Database, chosen: Chosen, token: CancelToken) -> Generator[Progress, None, int]:
            with whole_text(path, token) as text:
                return (
                    yield from csv_steps(
                        database,
                        chosen.run.id,
                        text,
                        token,
                        show=chosen.show,
                        rows=chosen.rows,
                        scoring_id=chosen.scoring_id,
                        without_defects=chosen.without_defects,
                        words=chosen.words,
                    )
                )

        self._write_long(f"Writing {path.name}", work, self._wrote(path, "row"))

    def predictions(self, path: Path) -> None:
        from core.evaluation.export import prediction_steps

        def work(database: Database, chosen: Chosen, token: CancelToken) -> Generator[Progress, None, int]:
            with whole_text(path, token) as text:
                return (yield from prediction_steps(database, chosen.run.id, text, token))

        self._write_long(f"Writing {path.name}", work, self._wrote(path, "prediction"))

    def html(self, path: Path) -> None:
        """The self-contained report of the chosen run, with pictures of its wrong items, beside its baseline."""
        from app.reports import report_steps

        def work(database: Database, chosen: Chosen, token: CancelToken) -> Generator[Progress, None, None]:
            with whole_text(path, token) as text:
                baseline = chosen.baseline
                steps = report_steps(database, chosen.run.id, token, scoring_id=chosen.scoring_id, baseline=baseline)
                text.write((yield from steps))

        self._write_long(f"Writing {path.name}", work, self._wrote(path))

    def latex(self, path: Path) -> None:
        from app.reports import latex_of

        def write(database: Database, chosen: Chosen) -> str:
            table = latex_of(database, chosen.run.id, scoring_id=chosen.scoring_id)
            with whole_file(path) as stream, utf8(stream) as text:
                text.write(table)
            return f"Wrote {path.name}"

        self._write(write)

    def pictures(self, folder: Path) -> None:
        """The items that are shown, one picture each; with a row in the chip."""
        from app.run_pictures import write_pictures

        def work(database: Database, chosen: Chosen, token: CancelToken) -> Generator[Progress, None, PicturesWritten]:
            return write_pictures(
                database,
                chosen.run.id,
                folder,
                token,
                show=chosen.show,
                rows=chosen.rows,
                scoring_id=chosen.scoring_id,
                without_defects=chosen.without_defects,
            )

        self._write_long(f"Drawing into {folder.name}", work, partial(self._pictures_written, folder), keeps=True)

    def _pictures_written(self, folder: Path, written: PicturesWritten) -> None:
        said = f"Wrote {counted(written.pictures, 'picture')} into {folder.name}"
        if not written.problems:
            self._context.messages.done(said)
            return
        first = written.problems[0]
        where = first.episode if first.step is None else f"{first.episode}, step {first.step + 1}"
        skipped = counted(len(written.problems), "item")
        self._context.messages.warning(f"{skipped} could not be drawn; {where}: {first.message}", title=f"{said}.")

    def bundle(self, path: Path) -> None:
        """The whole run for another store; with a row in the chip."""
        from core.evaluation.bundle import write_bundle

        def work(database: Database, chosen: Chosen, token: CancelToken) -> Generator[Progress, None, None]:
            with unless_cancelled(token), whole_file(path) as stream:
                yield from write_bundle(database, chosen.run.id, stream, token=token)
                if token.cancelled:
                    raise Abandoned

        self._write_long(f"Writing {path.name}", work, self._wrote(path))

    # A step ----------------------------------------------------------------------------------------------------------

    def _shown(self) -> Picture | None:
        selection = self._context.selection
        return selection.episode.shown_at(selection.step_index) if selection.episode else None

    def picture(self, path: Path) -> None:
        """The step as the screen shows it, at full size."""
        step, content = self._context.selection.step, self._context.window.replay.view.content
        if step is None or content is None or (picture := self._shown()) is None:
            self._context.messages.warning("This step has no picture.")
            return
        marks = content.marks

        def write(_token: object) -> str:
            from core.imaging.decode import decode

            with whole_file(path) as stream:
                stream.write(encode_png(render_step(decode(picture), marks)))
            return f"Wrote {path.name}"

        self._context.start("export picture", write, self._context.messages.done, failed=self._failed)

    # Questions -------------------------------------------------------------------------------------------------------

    def asks(self, asking: Asking, path: Path) -> None:
        """The questions of the data; with a row in the chip, since every episode with questions is read for it."""
        from app.asks import write_asks

        task = self._context.start(
            f"Writing {path.name}",
            lambda token: write_asks(asking, path, token),
            partial(self._asks_written, asking, path),
            failed=self._failed,
            lane="index",
        )
        self._show_long(task, len(asking.places))

    def _asks_written(self, asking: Asking, path: Path, written: AsksWritten) -> None:
        said = f"Wrote {path.name}, {counted(written.records, 'record')}"
        remarks = []
        if written.problems:
            first = written.problems[0]
            unread = counted(len(written.problems), "episode")
            remarks.append(f"{unread} could not be read; {first.episode}: {first.message}.")
        if not asking.whole:
            remarks.append("The data was still being read: export again when all of it is there.")
        if remarks:
            self._context.messages.warning(" ".join(remarks), title=f"{said}.")
        else:
            self._context.messages.done(said)

    def _look_for_asks(self) -> None:
        from app.asks import find_asking

        opened = self._context.selection.source
        if opened is not None:
            self._context.query(
                "questions of the data",
                lambda database: find_asking(database, opened.id, opened.source),
                partial(self._ask_for_asks, opened.title),
            )

    def _ask_for_asks(self, title: str, asking: Asking) -> None:
        if asking.places:
            self._choose(f"{title}-questions.jsonl", "JSON Lines (*.jsonl)", partial(self.asks, asking))
        elif asking.whole:
            self._context.messages.info(f"No episode of {title} has questions.")
        else:
            self._context.messages.info(f"No episode of {title} that has been read so far has questions.")

    # Long work in the chip -------------------------------------------------------------------------------------------

    def _wrote(self, path: Path, noun: str = "") -> Callable[[Any], None]:
        """Tells the end of a file, with how many of `noun` are in it."""

        def tell(number: Any) -> None:
            self._context.messages.done(f"Wrote {path.name}" + (f", {counted(number, noun)}" if noun else ""))

        return tell

    def _show_long(self, task: Task, total: int | None, keeps: bool = False) -> None:
        """Give the work a row in the chip until it ends."""
        row = f"export {id(task)}"
        self._working[row] = (task, Progress(0, total), keeps)
        task.progressed.connect(partial(self._progressed, row))
        task.finished.connect(partial(self._finished, row))
        self._show_working()

    def _progressed(self, row: str, progress: Progress) -> None:
        task, _before, keeps = self._working[row]
        self._working[row] = (task, progress, keeps)
        self._show_working()

    def _finished(self, row: str) -> None:
        del self._working[row]
        self._show_working()

    def _cancel(self, row: str) -> None:
        if row in self._working:
            self._working[row][0].cancel()

    def _show_working(self) -> None:
        rows = [
            TaskProgress(row, task.name, now.done, now.total, now.rate, now.seconds_left, can_pause=False, keeps=keeps)
            for row, (task, now, keeps) in self._working.items()
        ]
        self._context.long_work.show("exports", rows)

    # What and where --------------------------------------------------------------------------------------------------

    def _shown_run(self) -> Chosen | None:
        """The run of the results workspace with the items and the rule that are shown there."""
        found = self._results.results
        if found is None:
            return None
        baseline = found.baseline.run if found.baseline is not None and found.baseline.comparison else None
        show = cast("ItemFilter", STORED_FILTER[self._show])
        words = f"{show}; without defects" if found.left_out else ""
        return Chosen(
            found.run,
            show,
            scoring_id=found.scoring_id,
            baseline=baseline,
            without_defects=found.left_out,
            words=words,
        )

    def _take_filter(self, which: str) -> None:
        self._show, self._filtered = ItemsFilter(which), self._run_id()

    def _check_filter(self) -> None:
        """Another run is shown with all its items, and so is one without a rule under which items could flip."""
        found = self._results.results
        gone = self._show is ItemsFilter.FLIPS and (found is None or found.flips is None)
        if gone or self._run_id() != self._filtered:
            self._show, self._filtered = ItemsFilter.ALL, self._run_id()

    def _run_id(self) -> str:
        return self._results.current.id if self._results.current else ""

    def _ask(self, suffix: str, kind: str, export: Callable[[Path], None]) -> None:
        chosen = self.chosen()
        if chosen is not None:
            spec = chosen.run.spec
            self._choose(f"{_safe(spec.model)}-{spec.protocol}-{chosen.run.id[:6]}.{suffix}", kind, export)

    def _ask_for_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self._context.window, "Folder for the pictures", str(Path.home()))
        if folder:
            self.pictures(Path(folder))

    def _ask_for_picture(self) -> None:
        place = self._context.selection.place
        if place is not None:
            self._choose(f"{_safe(place.episode)}-step-{place.step + 1}.png", "PNG (*.png)", self.picture)

    def _choose(self, name: str, kind: str, export: Callable[[Path], None]) -> None:
        chosen, _ = QFileDialog.getSaveFileName(self._context.window, "Export", str(Path.home() / name), kind)
        if chosen:
            export(Path(chosen))

    def _write(self, write: Callable[[Database, Chosen], str]) -> None:
        chosen, database = self.chosen(), self._context.database
        if chosen is not None and database is not None:
            self._context.start(
                "export", lambda _token: write(database, chosen), self._context.messages.done, failed=self._failed
            )

    def _write_long(
        self,
        name: str,
        work: Callable[[Database, Chosen, CancelToken], Generator[Progress, None, Any]],
        done: Callable[[Any], object],
        keeps: bool = False,
    ) -> None:
        chosen, database = self.chosen(), self._context.database
        if chosen is not None and database is not None:
            task = self._context.start(
                name, lambda token: work(database, chosen, token), done, failed=self._failed, lane="index"
            )
            self._show_long(task, None, keeps)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, OSError):
            where = Path(error.filename).name if error.filename else "the file"
            error = UserError(f"{where} cannot be written: {error.strerror}.", hint="Choose another place.")
        self._context.messages.failure(error)


def _safe(name: str) -> str:
    """An id as a part of a file's name."""
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in name)[-40:]
