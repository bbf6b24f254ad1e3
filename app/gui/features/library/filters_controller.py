"""Help with filters: what may be written in them, and those that are kept under a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from stepscope.app.gui.features.library.filter_suggestions import field_suggestions, suggestions
from stepscope.app.gui.features.library.listing_controller import ListController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import AnnotationsChanged, RunsChanged
from stepscope.app.gui.shell.undo import UNDO_OFFERED, Edit, UndoHistory
from stepscope.core.domain.filter import FilterError
from stepscope.core.domain.filter_parser import parse
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.named_rules import MatchingRule
from stepscope.widgets.library import FilterSuggestion, SavedFilter

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.widgets.library import EpisodesView

REST_MS = 300
"""Filters are counted when nothing has changed for this long."""

Kept = tuple[tuple[str, str], ...]
"""Saved filters by name, in the order in which they were saved."""


class FiltersController(QObject):
    """Saved filters are a preference: they hold for all data. Saving, renaming and deleting can be undone. `run_names`
    gives the names of the shown runs by id."""

    changed = Signal()
    """the saved filters, or their counts, are other ones"""

    def __init__(
        self,
        context: Context,
        view: EpisodesView,
        listing: ListController,
        history: UndoHistory,
        run_names: Callable[[], Mapping[str, str]],
    ) -> None:
        super().__init__(context)
        self._context, self._listing, self._history, self._run_names = context, listing, history, run_names
        self._view = view
        self.saved: tuple[SavedFilter, ...] = ()
        self._token = CancelToken()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._count)
        self._connect()
        self._take(context.preferences.saved_filters)

    def _connect(self) -> None:
        view, selection = self._view, self._context.selection
        view.filter.line.set_names(field_suggestions())
        view.filter.line.suggestions_wanted.connect(self._suggest)
        view.saved.chosen.connect(self._use)
        view.saved.save_wanted.connect(self.save)
        view.saved.renamed.connect(self.rename)
        view.saved.replaced.connect(self.save)
        view.saved.deleted.connect(self.delete)
        for changed in (selection.source_changed, selection.runs_changed, selection.rule_changed):
            changed.connect(self.count_soon)
        for kind in (RunsChanged, AnnotationsChanged):
            self._context.events.on(kind, lambda _: self.count_soon())

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"filter.add": self._begin_condition, "filter.save": self._ask_for_name}

    # Typing ----------------------------------------------------------------------------------------------------------

    def _suggest(self, field: str, prefix: str) -> None:
        selection, line = self._context.selection, self._view.filter.line
        source, runs, names = selection.source, selection.runs, self._run_names()
        if source is None:
            return

        def ask(database: Database) -> list[FilterSuggestion]:
            with database.reading() as db:
                return suggestions(db, source.id, field, prefix, runs, names)

        self._context.query("suggest", ask, lambda found: line.set_suggestions(field, prefix, found), priority=1)

    def _begin_condition(self) -> None:
        self._context.workspaces.show_dock("episodes")
        self._view.filter.begin_condition()

    # Saved filters ---------------------------------------------------------------------------------------------------

    def save(self, name: str) -> None:
        """Keep the filter in force under this name, in place of another that had it."""
        text = self._listing.filter_text.strip()
        if not text:
            return
        kept = dict(self._context.preferences.saved_filters)
        kept[name] = text
        self._change(f"save filter “{name}”", tuple(kept.items()))

    def rename(self, old: str, new: str) -> None:
        """Give a saved filter another name; one that had this name gives way."""
        kept = self._context.preferences.saved_filters
        others = tuple(pair for pair in kept if pair[0] in (old,) or pair[0] != new)
        renamed = tuple((new if name == old else name, text) for name, text in others)
        self._change(f"rename filter “{old}”", renamed)

    def delete(self, name: str) -> None:
        kept = self._context.preferences.saved_filters
        self._change(f"delete filter “{name}”", tuple(pair for pair in kept if pair[0] != name))
        told = f"The saved filter “{name}” was deleted."
        self._context.messages.info(told, ("edit.undo", "Undo"), about=UNDO_OFFERED)

    def _use(self, text: str) -> None:
        self._listing.set_filter(text, tell_view=True)

    def _ask_for_name(self) -> None:
        self._context.workspaces.show_dock("episodes")
        self._view.saved.begin_name()

    def _change(self, words: str, after: Kept) -> None:
        before = self._context.preferences.saved_filters
        if after != before:
            self._history.make(
                Edit(
                    words,
                    do=lambda _database: None,
                    undo=lambda _database: None,
                    show=lambda done: self._keep(after if done else before),
                    settled=lambda _written: None,
                )
            )

    def _keep(self, kept: Kept) -> None:
        self._context.prefer(saved_filters=kept)
        self._take(kept)

    def _take(self, kept: Kept) -> None:
        """Show these; what has been counted stays until it is counted anew."""
        counted = {one.text: one for one in self.saved}
        self._show(tuple(replace(counted.get(text, SavedFilter(name, text)), name=name) for name, text in kept))
        self.count_soon()

    def _show(self, saved: tuple[SavedFilter, ...]) -> None:
        self.saved = saved
        self._view.set_saved(saved)
        self.changed.emit()

    # Counting --------------------------------------------------------------------------------------------------------

    def count_soon(self, *_values: object) -> None:
        """Count soon how many episodes each saved filter leaves: it may be another number now."""
        self._rest.start()

    def _count(self) -> None:
        """Count in the background; a count under way is given up."""
        self._token.cancel()
        source, saved = self._context.selection.source, self.saved
        if source is None or not saved:
            return
        token, runs, rule = CancelToken(), self._listing.runs_by_letter(), self._context.selection.rule
        self._token = token

        def ask(database: Database) -> list[SavedFilter]:
            found = []
            for one in saved:
                if not token.cancelled:
                    found.append(_counted(database, source.id, one, runs, rule))
            return found

        def answer(found: list[SavedFilter]) -> None:
            if not token.cancelled and [one.text for one in self.saved] == [one.text for one in found]:
                self._show(tuple(replace(new, name=old.name) for new, old in zip(found, self.saved, strict=True)))

        self._context.query("count saved filters", ask, answer, priority=-2)


def _counted(
    database: Database, source_id: int, saved: SavedFilter, runs: dict[str, str], rule: MatchingRule
) -> SavedFilter:
    from stepscope.app.services.filtering import filter_inputs
    from stepscope.core.store.sorting import listing

    try:
        query = parse(saved.text)
        with database.reading() as db:
            found = listing(db, source_id, query, inputs=filter_inputs(db, query, runs, rule))
    except FilterError as error:
        return replace(saved, count=None, wrong=error.message)
    return replace(saved, count=len(found.ids), wrong="")
