"""Evaluate ▸ Reproduce a Paper's Table: the tables beside what was run here, in a window of their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QVBoxLayout

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.services.provenance import source_title
from stepscope.core.drafts import write_whole
from stepscope.core.lazy import lazy_module
from stepscope.widgets.common.plain_words import window_title
from stepscope.widgets.reports import ReportPage, ReportSection

if TYPE_CHECKING:
    from stepscope.app.gui.features.evaluate import paper_tables_work
    from stepscope.app.gui.features.evaluate.evaluation_work import Work
    from stepscope.app.gui.features.evaluate.paper_tables_work import MadeTable
    from stepscope.app.services.reproduction import planning, tables
    from stepscope.app.services.reproduction.planning import TableChoices, TableData
    from stepscope.app.services.reproduction.tables import PaperRow, ServedRun, TrainedRun
    from stepscope.core.domain.prediction import Task
else:
    paper_tables_work = lazy_module("stepscope.app.gui.features.evaluate.paper_tables_work")
    planning = lazy_module("stepscope.app.services.reproduction.planning")
    tables = lazy_module("stepscope.app.services.reproduction.tables")

TITLE = "Papers' tables"
WIDTH, HEIGHT = 1100, 680
NONE = "none: leave the row out"


class PaperTablesController(QObject):
    """`work` gives the way in which this window works on runs. What was chosen for tables, models of rows and further
    data by its key, holds while it is open."""

    def __init__(self, context: Context, exports: ExportWork, work: Callable[[], Work]) -> None:
        super().__init__(context)
        self._context, self._exports, self._work = context, exports, work
        self._models: dict[str, dict[str, str]] = {}
        self._further: dict[str, tuple[str, ...]] = {}
        self._running: set[str] = set()
        self.page: ReportPage | None = None

    def show(self) -> None:
        """Open the page, or bring it to the front, and look its numbers up."""
        page = self.page or self._make()
        page.window().show()
        page.window().raise_()
        page.window().activateWindow()
        self._look_up()

    def _make(self) -> ReportPage:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(window_title(TITLE))
        dialog.resize(WIDTH, HEIGHT)
        page = self.page = ReportPage(TITLE, open_words="Run This Table…")
        page.close_wanted.connect(dialog.close)
        page.refresh_wanted.connect(self._look_up)
        page.opened.connect(self._opened)
        page.save_wanted.connect(self._save)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page)
        page.search.setFocus()
        dialog.finished.connect(self._closed)
        return page

    def _closed(self) -> None:
        self.page = None

    def _look_up(self) -> None:
        data = self._data()
        chosen = {name: self._choices(name, data) for name in {*self._models, *self._further}}
        self._context.query(
            "papers' tables", lambda database: paper_tables_work.look_up(database, data, chosen), self._told
        )

    def _told(self, sections: list[ReportSection]) -> None:
        if self.page is not None:
            self.page.set_sections(sections)

    def _data(self) -> list[TableData]:
        """The open data sets, the one that is looked at first."""
        looked_at = self._context.selection.source
        found = sorted(self._context.sources, key=lambda one: one is not looked_at)
        return [planning.TableData(Path(one.key), one.source, one.id) for one in found if not one.as_procedures]

    def _choices(self, name: str, data: list[TableData]) -> TableChoices:
        """What was chosen for a table; data that is closed by now is left out."""
        wanted = self._further.get(name, ())
        further = tuple(one for one in data if str(one.path) in wanted)
        return planning.TableChoices(dict(self._models.get(name, {})), train_data=further)

    # Running a table -------------------------------------------------------------------------------------------------

    def _opened(self, key: str) -> None:
        """Run the table of a row; a row behind a server is asked for its model first, one whose encoders are not here
        for other features."""
        name, _line, row_id = key.partition("\n")
        if name in self._running:
            self._context.messages.info("This table is at work already: the chip in the menu row says how far it is.")
            return
        table = tables.find_table(name)
        row = next(row for row in table.rows if row.id == row_id)
        if isinstance(row.run, tables.ServedRun):
            look = partial(_served, table.task, row.run)
            self._context.start("models for a table", look, partial(self._ask_for_model, name, row))
        elif isinstance(row.run, tables.TrainedRun) and row.run.classifier:
            offer = partial(_features, table.task, row.run)
            self._context.start("features for a table", offer, partial(self._ask_for_features, name, row))
        else:
            self._ask_for_further(name)

    def _ask_for_model(self, name: str, row: PaperRow, known: list[str]) -> None:
        chosen = self._models.setdefault(name, {}).pop(row.id, NONE)
        if not known:
            self._context.messages.info(
                "This row is run by a model behind a server, and none has been added.", ("models.servers", "Servers")
            )
            return
        choices = [NONE, *known]
        place = choices.index(chosen) if chosen in choices else 0
        model, taken = QInputDialog.getItem(self.page, TITLE, f"Model for {row.label}:", choices, place, False)
        model = model if taken else chosen
        if model != NONE:
            self._models[name][row.id] = model
        if taken:
            self._ask_for_further(name)

    def _ask_for_features(self, name: str, row: PaperRow, offered: list[str]) -> None:
        """With which features a row is trained whose own encoders are not here; they can be written too."""
        models = self._models.setdefault(name, {})
        if not offered:
            self._ask_for_further(name)
            return
        now = models.get(row.id, offered[0])
        choices = list(dict.fromkeys((NONE, now, *offered)))
        asks = f"Not all encoders of {row.label} are here. Features in their place:"
        words, taken = QInputDialog.getItem(self.page, TITLE, asks, choices, choices.index(now), True)
        if not taken:
            return
        if words == NONE:
            models.pop(row.id, None)
            self._ask_for_further(name)
            return
        self._context.start("features of a row", partial(_checked, name, row, words), self._take_features)

    def _take_features(self, taken: tuple[str, str, str]) -> None:
        name, row_id, words = taken
        self._models[name][row_id] = words
        self._ask_for_further(name)

    def _ask_for_further(self, name: str) -> None:
        """Where rows learn from further data and other data is open, which of it."""
        offered = paper_tables_work.further_data(tables.find_table(name), self._data())
        if not offered or self.page is None:
            self._ask_for_folder(name)
            return
        from stepscope.app.gui.features.evaluate.further_data_dialog import FurtherDataDialog

        titles = [(str(one.path), source_title(one.path)) for one in offered]
        dialog = FurtherDataDialog(self.page, titles, self._further.get(name, ()))
        dialog.accepted.connect(lambda: self._take_further(name, dialog.ticked()))
        dialog.open()

    def _take_further(self, name: str, keys: tuple[str, ...]) -> None:
        self._further[name] = keys
        self._ask_for_folder(name)

    def _ask_for_folder(self, name: str) -> None:
        folder = QFileDialog.getExistingDirectory(self.page, "Folder for the table's files", str(Path.home()))
        if folder:
            self._run(name, Path(folder))

    def _run(self, name: str, folder: Path) -> None:
        database = self._context.database
        if database is None:
            return
        data = self._data()
        chosen = {name: self._choices(name, data)}
        begin = paper_tables_work.begun_elsewhere(self._work(), self._context.places.store_url)
        train = paper_tables_work.trained_elsewhere(self._context.places.store_url)
        self._running.add(name)
        task = self._exports.start(
            f"Reproducing {name}",
            lambda token: paper_tables_work.run_table(database, name, data, chosen, folder, token, begin, train),
            self._made,
            keeps=True,
        )
        task.finished.connect(partial(self._ended, name))

    def _made(self, made: MadeTable) -> None:
        done = sum(not cell.missing for cell in made.result.cells)
        page = made.files[0]
        self._context.messages.wrote(f"Wrote {page.name}: {done} of {len(made.result.cells)} cells are complete.", page)
        for failure in made.failures:
            self._context.messages.warning(failure)

    def _ended(self, name: str) -> None:
        self._running.discard(name)
        self._context.events.publish(RunsChanged())
        if self.page is not None:
            self._look_up()

    def _save(self) -> None:
        page = self.page
        if page is None:
            return
        text = page.as_csv()

        def export(path: Path) -> None:
            self._exports.start(
                "Saving papers' tables", lambda _token: write_whole(path, text.encode()), self._exports.wrote(path)
            )

        self._exports.choose("papers-tables.csv", "Tables (*.csv)", export)


def _features(task: Task, run: TrainedRun, _token: object) -> list[str]:
    return paper_tables_work.features_instead(task, run)


def _checked(name: str, row: PaperRow, words: str, _token: object) -> tuple[str, str, str]:
    """Table, row and features, which the row can be run with. Raises UserError where it cannot."""
    assert isinstance(row.run, tables.TrainedRun)
    paper_tables_work.check_features(tables.find_table(name).task, row.run, words.strip())
    return name, row.id, words.strip()


def _served(task: Task, run: ServedRun, _token: object) -> list[str]:
    """The models behind servers that a row may be run with."""
    from stepscope.models.registry import registry

    known = registry().models.items()
    return [name for name, model in known if name.startswith(run.prefix) and model.info.task is task]
