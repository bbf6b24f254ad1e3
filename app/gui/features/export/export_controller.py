"""Exports: a run as table, report, pictures, predictions, or whole; the data's questions."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork, safe_name
from stepscope.app.gui.shell.ports import ShownResults
from stepscope.app.gui.shell.stored_filters import STORED_FILTER
from stepscope.app.services.export.whole_files import (
    WriteAbandonedError,
    unless_cancelled,
    utf8,
    whole_file,
    whole_text,
)
from stepscope.app.services.provenance import title_of_key
from stepscope.core.domain.run import Run
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.widgets.format import counted
from stepscope.widgets.results.items_filter import ItemsFilter

if TYPE_CHECKING:
    from stepscope.app.services import asks
    from stepscope.app.services.asks import AskExportReport, EpisodesWithAsks
    from stepscope.app.services.export import reports, rules_table
    from stepscope.app.services.export.run_pictures import PictureExportReport
    from stepscope.core.evaluation import export as run_export
    from stepscope.core.store.engine import Database
    from stepscope.core.store.queries import ItemFilter
else:
    asks = lazy_module("stepscope.app.services.asks")
    reports = lazy_module("stepscope.app.services.export.reports")
    rules_table = lazy_module("stepscope.app.services.export.rules_table")
    run_export = lazy_module("stepscope.core.evaluation.export")


@dataclass(frozen=True, slots=True)
class ExportSelection:
    """The exported part of a run: its items by `show`, or exactly the predictions with the ids `rows`, under its own
    rule or another scoring of it. `baseline` is the run it is compared with. `without_defects` leaves defective items
    out of tables and pictures. `words` say how the items were chosen."""

    run: Run
    show: ItemFilter = "all"
    rows: tuple[int, ...] | None = None
    scoring_id: int | None = None
    baseline: str | None = None
    without_defects: bool = False
    words: str = ""


_TABLES = "CSV (*.csv);;Markdown (*.md);;LaTeX (*.tex)"


class ExportController(QObject):
    """Files are written in the background, beside their place first, so that a broken export leaves the old file."""

    def __init__(
        self,
        context: Context,
        shown: Callable[[], ShownResults | None],
        items: Callable[[], ItemsFilter],
        work: ExportWork,
    ) -> None:
        super().__init__(context)
        self._context, self._results, self._items, self._work = context, shown, items, work
        self.chosen: Callable[[], ExportSelection | None] = self._shown_run
        """what is exported; whoever shows other items puts its own here"""

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "export.csv": lambda: self._ask("csv", "CSV (*.csv)", self.csv),
            "export.html": lambda: self._ask("html", "HTML (*.html)", self.html),
            "export.predictions": lambda: self._ask("jsonl", "JSON Lines (*.jsonl)", self.predictions),
            "export.latex": lambda: self._ask("tex", "LaTeX (*.tex)", self.latex),
            "export.rules": lambda: self._ask("csv", _TABLES, self.rules),
            "export.pictures": self._ask_for_folder,
            "export.bundle": lambda: self._ask("bundle", "Run bundle (*.bundle)", self.bundle),
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

        def work(database: Database, chosen: ExportSelection, token: CancelToken) -> Generator[Progress, None, int]:
            with whole_text(path, token) as text:
                return (
                    yield from run_export.csv_steps(
                        database,
                        chosen.run.id,
                        text,
                        token,
                        show=chosen.show,
                        rows=chosen.rows,
                        scoring_id=chosen.scoring_id,
                        without_defects=chosen.without_defects,
                        words=chosen.words,
                        data=title_of_key(chosen.run.spec.source),
                    )
                )

        self._write_long(f"Writing {path.name}", work, self._work.wrote(path, "row"))

    def predictions(self, path: Path) -> None:
        def work(database: Database, chosen: ExportSelection, token: CancelToken) -> Generator[Progress, None, int]:
            with whole_text(path, token) as text:
                return (yield from run_export.prediction_steps(database, chosen.run.id, text, token))

        self._write_long(f"Writing {path.name}", work, self._work.wrote(path, "prediction"))

    def html(self, path: Path) -> None:
        """The self-contained report of the chosen run, with pictures of its wrong items, beside its baseline."""

        def work(database: Database, chosen: ExportSelection, token: CancelToken) -> Generator[Progress, None, None]:
            with whole_text(path, token) as text:
                baseline = chosen.baseline
                steps = reports.report_steps(
                    database, chosen.run.id, token, scoring_id=chosen.scoring_id, baseline=baseline
                )
                text.write((yield from steps))

        self._write_long(f"Writing {path.name}", work, self._work.wrote(path))

    def latex(self, path: Path) -> None:
        def write(database: Database, chosen: ExportSelection) -> str:
            table = reports.latex_of(database, chosen.run.id, scoring_id=chosen.scoring_id)
            with whole_file(path) as stream, utf8(stream) as text:
                text.write(table)
            return f"Wrote {path.name}"

        self._write(write)

    def rules(self, path: Path) -> None:
        """The run under all rules that it was scored by, as the file's ending says."""

        def write(database: Database, chosen: ExportSelection) -> str:
            rules_table.check_suffix(path)
            table = rules_table.rules_text(database, chosen.run.id, path.suffix)
            with whole_file(path) as stream, utf8(stream) as text:
                text.write(table)
            return f"Wrote {path.name}"

        self._write(write)

    def pictures(self, folder: Path) -> None:
        """The items that are shown, one picture each; with a row in the chip."""
        from stepscope.app.services.export.run_pictures import write_pictures

        def work(
            database: Database, chosen: ExportSelection, token: CancelToken
        ) -> Generator[Progress, None, PictureExportReport]:
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

    def _pictures_written(self, folder: Path, written: PictureExportReport) -> None:
        said = f"Wrote {counted(written.pictures, 'picture')} into {folder.name}"
        if not written.problems:
            self._context.messages.wrote(said, folder)
            return
        first = written.problems[0]
        where = first.episode if first.step is None else f"{first.episode}, step {first.step + 1}"
        skipped = counted(len(written.problems), "item")
        self._context.messages.warning(f"{skipped} could not be drawn; {where}: {first.message}", title=f"{said}.")

    def bundle(self, path: Path) -> None:
        """The whole run for another store; with a row in the chip."""
        from stepscope.core.evaluation.bundle import write_bundle

        def work(database: Database, chosen: ExportSelection, token: CancelToken) -> Generator[Progress, None, None]:
            with unless_cancelled(token), whole_file(path) as stream:
                yield from write_bundle(database, chosen.run.id, stream, token=token)
                if token.cancelled:
                    raise WriteAbandonedError

        self._write_long(f"Writing {path.name}", work, self._work.wrote(path))

    # Questions -------------------------------------------------------------------------------------------------------

    def asks(self, asking: EpisodesWithAsks, path: Path) -> None:
        """The questions of the data; with a row in the chip, since every episode with questions is read for it."""
        self._work.start(
            f"Writing {path.name}",
            lambda token: asks.write_asks(asking, path, token),
            partial(self._asks_written, asking, path),
            total=len(asking.places),
        )

    def _asks_written(self, asking: EpisodesWithAsks, path: Path, written: AskExportReport) -> None:
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
            self._context.messages.wrote(said, path)

    def _look_for_asks(self) -> None:
        opened = self._context.selection.source
        if opened is not None:
            self._context.query(
                "questions of the data",
                lambda database: asks.find_asking(database, opened.id, opened.source),
                partial(self._ask_for_asks, opened.title),
            )

    def _ask_for_asks(self, title: str, asking: EpisodesWithAsks) -> None:
        if asking.places:
            self._work.choose(f"{safe_name(title)}-questions.jsonl", "JSON Lines (*.jsonl)", partial(self.asks, asking))
        elif asking.whole:
            self._context.messages.info(f"No episode of {title} has questions.")
        else:
            self._context.messages.info(f"No episode of {title} that has been read so far has questions.")

    # What and where --------------------------------------------------------------------------------------------------

    def _shown_run(self) -> ExportSelection | None:
        """The run of the results workspace with the items and the rule that are shown there."""
        found = self._results()
        if found is None:
            return None
        baseline = found.baseline.run if found.baseline is not None and found.baseline.comparison else None
        show = cast("ItemFilter", STORED_FILTER[self._items()])
        words = f"{show}; without defects" if found.left_out else ""
        return ExportSelection(
            found.run,
            show,
            scoring_id=found.scoring_id,
            baseline=baseline,
            without_defects=found.left_out,
            words=words,
        )

    def _ask(self, suffix: str, kind: str, export: Callable[[Path], None]) -> None:
        chosen = self.chosen()
        if chosen is not None:
            spec = chosen.run.spec
            self._work.choose(f"{safe_name(spec.model)}-{spec.protocol}-{chosen.run.id[:6]}.{suffix}", kind, export)

    def _ask_for_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self._context.dialog_parent, "Folder for the pictures", str(Path.home())
        )
        if folder:
            self.pictures(Path(folder))

    def _write(self, write: Callable[[Database, ExportSelection], str]) -> None:
        chosen, database = self.chosen(), self._context.database
        if chosen is not None and database is not None:
            self._context.start(
                "export", lambda _token: write(database, chosen), self._context.messages.done, failed=self._work.failed
            )

    def _write_long(
        self,
        name: str,
        work: Callable[[Database, ExportSelection, CancelToken], Generator[Progress, None, Any]],
        done: Callable[[Any], object],
        keeps: bool = False,
    ) -> None:
        chosen, database = self.chosen(), self._context.database
        if chosen is not None and database is not None:
            self._work.start(name, lambda token: work(database, chosen, token), done, keeps=keeps)
