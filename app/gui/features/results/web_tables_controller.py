"""The tables of a run over web tasks as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.results.breakdown_controller import BreakdownController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork, safe_name
from stepscope.core.progress import CancelToken
from stepscope.core.spreadsheet import write_rows

if TYPE_CHECKING:
    from stepscope.widgets.results.results_view import ResultsView


class WebTablesController(QObject):
    """Exports what the page of fields shows as CSV."""

    def __init__(
        self, context: Context, view: ResultsView, breakdown: BreakdownController, exports: ExportWork
    ) -> None:
        super().__init__(context)
        self._breakdown, self._exports = breakdown, exports
        view.web.tables_requested.connect(self._ask)

    def _ask(self) -> None:
        loaded = self._breakdown.loaded
        if loaded is not None:
            self._exports.choose(f"{safe_name(loaded.run.spec.model)}-fields.csv", "CSV (*.csv)", self.write)

    def write(self, path: Path) -> None:
        """All tables one below the other."""
        loaded = self._breakdown.loaded
        if loaded is None or loaded.breakdown.web is None:
            return
        web, run = loaded.breakdown.web, loaded.run

        def work(token: CancelToken) -> int:
            from stepscope.app.gui.shell.web_words import table_lines
            from stepscope.app.services.export.whole_files import whole_text

            lines = list(table_lines(web, run))
            with whole_text(path, token) as text:
                write_rows(text, lines)
            return len(lines) - 1

        self._exports.start(f"Writing {path.name}", work, self._exports.wrote(path, "row"))
