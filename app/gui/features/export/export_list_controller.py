"""The list of episodes as a file: what the filter leaves, in the order that is shown."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork, safe_name
from stepscope.app.gui.shell.ports import ShownList
from stepscope.app.services.export.whole_files import whole_text
from stepscope.app.services.version import VERSION
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress

if TYPE_CHECKING:
    from stepscope.core.evaluation import episode_list
    from stepscope.core.evaluation.episode_list import EpisodeListContent
    from stepscope.core.store.engine import Database
else:
    episode_list = lazy_module("stepscope.core.evaluation.episode_list")

KINDS = "CSV (*.csv);;JSON Lines (*.jsonl)"


class ListExportController(QObject):
    """The file's ending says which of the two forms it has."""

    def __init__(self, context: Context, listing: ShownList, work: ExportWork) -> None:
        super().__init__(context)
        self._context, self._listing, self._work = context, listing, work

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"export.list": self._ask}

    def write(self, path: Path) -> None:
        """The episodes of the list with what the shown runs did; with a row in the chip."""
        ask, ids = self._wanted(), self._listing.ids
        database = self._context.database
        if ask is None or database is None:
            return

        def work(token: CancelToken) -> Generator[Progress, None, int]:
            steps = (
                episode_list.json_list_steps
                if path.suffix.lower() in (".jsonl", ".json")
                else episode_list.csv_list_steps
            )
            with whole_text(path, token) as text:
                return (yield from steps(database, ask(database), text, token))

        self._work.start(f"Writing {path.name}", work, self._work.wrote(path, "episode"), total=len(ids))

    def _ask(self) -> None:
        source = self._context.selection.source
        if source is None:
            return
        if not self._listing.ids:
            self._context.messages.info("No episode matches: there is nothing to write.")
            return
        self._work.choose(f"{safe_name(source.title)}-episodes.csv", KINDS, self.write)

    def _wanted(self) -> Callable[[Database], EpisodeListContent] | None:
        """What is written, as it is shown now; the rest is looked up where it is called."""
        selection, listing = self._context.selection, self._listing
        source, found = selection.source, listing.found
        if source is None or found is None:
            return None
        ids, runs, rule, text = listing.ids, listing.runs_by_letter(), selection.rule, listing.shown_filter

        def ask(database: Database) -> EpisodeListContent:
            from stepscope.core.evaluation.rules import scoring_of, whole_under

            with database.reading() as db:
                under = whole_under(db, runs.values(), scoring_of(rule.protocol, rule.options))
                listed = episode_list.listed_runs(db, runs, under, rule.id)
            return episode_list.EpisodeListContent(source.id, source.key, ids, listed, found.steps_of, text, VERSION)

        return ask
