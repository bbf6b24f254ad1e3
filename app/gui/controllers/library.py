"""The current source: its list of episodes by page, filter and order, and what could not be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from app.gui.context import Context
from app.gui.controllers.opening import OpeningController
from app.gui.episode_rows import read_rows
from app.gui.selection import LETTERS, OpenSource
from app.provenance import SAMPLE
from core.domain.episode import Problem
from core.domain.filter import EVERYTHING, FIELDS, FieldKind, FilterError, Query, terms
from core.domain.filter_parser import parse
from widgets import format as words
from widgets.episodes import EpisodeRow, EpisodeSort, ProblemRow
from widgets.episodes import FilterError as ShownFilterError

if TYPE_CHECKING:
    from core.store.engine import Database


SAID = ("star", "checked", "note", "defect")
"""Fields of the filter that ask for what people said."""

NOT_STORED = ("tau", "key", "text", "target", "typed")
"""Fields of the language that no store can look up yet; they are not offered."""

TITLES = 4
"""Sources that the status line names; it counts the others."""


class LibraryController(QObject):
    """`opened(source)` fires when a source has become the current one and its rows can be asked for."""

    opened = Signal(object)
    listed = Signal()
    """the filtered list of ids is new"""
    place_kept = Signal(str, int)
    """episode and step that were shown before the source was read anew"""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self.opening = OpeningController(context)
        self._view = context.window.episodes
        self._query: Query = EVERYTHING
        self.filter_text = ""
        self.sort = EpisodeSort.DATA
        self.ids: list[str] = []
        self._place: dict[str, int] = {}
        self._list_request = 0
        self._gone_at = 0
        """where the shown episode stood when something said about it took it out of the list"""
        self._asking = self._outdated = False
        """a list is on its way; it is not the newest any more"""
        self._connect()

    def _connect(self) -> None:
        view, window = self._view, self._context.window
        view.filter.line.set_names(field_names())
        view.page_wanted.connect(self._read_page)
        view.filter_changed.connect(self.set_filter)
        view.sort_changed.connect(lambda order: self.set_sort(EpisodeSort(order)))
        view.open_requested.connect(self.opening.ask_for_file)
        view.open_folder_requested.connect(self.opening.ask_for_folder)
        view.stop_requested.connect(self.opening.stop)
        view.problems_requested.connect(self.show_problems)
        view.more_menu.aboutToShow.connect(self._fill_more_menu)
        window.paths_dropped.connect(self.opening.open_paths)
        self.opening.taken.connect(self._make_current)
        self.opening.grown.connect(self._grow)
        self.opening.completed.connect(self._complete)
        self.opening.ended.connect(self._finish)
        self._context.selection.runs_changed.connect(self._runs_changed)
        self._context.selection.episode_changed.connect(self._mark_current)
        self._context.runs_changed.connect(self.refresh_verdicts)
        self._context.selection.rule_changed.connect(self.refresh_verdicts)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **self.opening.handlers(),
            "source.close": self.close_current,
            "source.rescan": self.rescan,
            "source.problems": self.show_problems,
            "filter.episodes": self._focus_filter,
            "filter.clear": lambda: self.set_filter("", tell_view=True),
            "episode.next": lambda: self._step_episode(1),
            "episode.previous": lambda: self._step_episode(-1),
        }

    # What is open ----------------------------------------------------------------------------------------------------

    def open_path(
        self, path: Path, then: Callable[[], object] | None = None, *, again: bool = False, remember: bool = True
    ) -> None:
        """Open one path in the background (see `OpeningController.open_path`)."""
        self.opening.open_path(path, then, again=again, remember=remember)

    def _make_current(self, source: OpenSource | None) -> None:
        self._query, self.filter_text, self._gone_at = EVERYTHING, "", 0
        self._view.set_filter("")
        self._context.conditions.set("filtered", False)
        self._context.window.docks["problems"].hide()  # it told of the source before
        self._context.conditions.set("source", source is not None)
        self.ids, self._place = [], {}
        self._context.selection.set_source(source)
        self._show_partial(source)
        self._view.set_counts(0, source.episodes if source else 0)
        self._show_title()
        if source is not None:
            self.relist(first=True)

    def _grow(self, old: OpenSource, fresh: OpenSource) -> None:
        """More of a source is known."""
        context = self._context
        if context.selection.source is old:
            context.selection.source = fresh
            self._show_partial(fresh)
            if self._asking:
                self._outdated = True
            else:
                self.relist()
        self._show_title()

    def _complete(self, old: OpenSource, fresh: OpenSource) -> None:
        """Rows that are listed already say more."""
        if self._context.selection.source is old:
            self._context.selection.source = fresh
            self._show_partial(fresh)
            self._view.mark_stale(len(self.ids), fresh.episodes)

    def _show_partial(self, source: OpenSource | None) -> None:
        if source is None:
            self._view.set_partial(0, 0)
        else:
            self._view.set_partial(source.skipped, source.episodes + source.skipped, source.problems)

    def _finish(self, path: Path) -> None:
        source = self._context.selection.source
        if source is not None and source.source.path == path.resolve():
            self.opened.emit(source)

    def rescan(self) -> None:
        """Read the current source anew and go back to the step that was shown; its pictures may be other ones."""
        source, place, text = self._context.selection.source, self._context.selection.place, self.filter_text

        def ended() -> None:
            current = self._context.selection.source
            if current is None or source is None or current.id != source.id:
                return  # the person went to another data set meanwhile
            if text:
                self.set_filter(text, tell_view=True)
            if place is not None:
                self.place_kept.emit(place.episode, place.step)

        if source is not None:
            self._context.cache.clear()
            self._context.thumbnails.clear()
            self.opening.stop_for(source)
            self.opening.open_path(
                source.source.path, ended, again=True, remember=False, as_procedures=source.as_procedures
            )

    def close_current(self) -> None:
        """Take the current source away; the last opened one of the others becomes current."""
        context = self._context
        current = context.selection.source
        if current is not None:
            self.opening.stop_for(current)
        context.sources = [source for source in context.sources if source is not current]
        self._make_current(context.sources[-1] if context.sources else None)

    def choose_source(self, source: OpenSource) -> None:
        if source is not self._context.selection.source:
            self._make_current(source)

    # The list --------------------------------------------------------------------------------------------------------

    def runs_by_letter(self) -> dict[str, str]:
        return dict(zip(LETTERS, self._context.selection.runs, strict=False))

    def relist(self, first: bool = False) -> None:
        """Ask for the ids that the filter leaves, in order; `first` opens the first episode."""
        from app.rescoring import filter_rules
        from core.store.queries import matching

        source = self._context.selection.source
        if source is None:
            return
        self._list_request += 1
        request, query, sort, runs = self._list_request, self._query, self._stored_sort(), self.runs_by_letter()

        def ask(database: Database) -> list[str]:
            with database.reading() as db:
                return matching(db, source.id, query, sort, runs, filter_rules(query))

        def answer(ids: list[str]) -> None:
            if request == self._list_request:
                self._show_list(ids, first)

        def ended() -> None:
            if request == self._list_request:
                self._asking = False
                if self._outdated:
                    self.relist()

        self._outdated = False
        task = self._context.query("list episodes", ask, answer, priority=1)
        if task is not None:
            self._asking = True
            task.finished.connect(ended)
            task.failed.disconnect()
            task.failed.connect(self._filter_failed)

    def _show_list(self, ids: list[str], first: bool) -> None:
        source = self._context.selection.source
        if source is None:
            return
        grown = ids[: len(self.ids)] == self.ids and self.ids != []
        self.ids = ids
        self._place = {episode: place for place, episode in enumerate(ids)}
        self._view.set_filter_error(None)
        if grown and not first:
            self._view.mark_stale(len(ids), source.episodes)
        else:
            self._view.set_counts(len(ids), source.episodes)
            self._mark_current()
        self.listed.emit()

    def _mark_current(self) -> None:
        episode = self._context.selection.episode
        if episode is not None:
            self._view.choose(self.position_of(episode.id))

    def _stored_sort(self) -> Any:
        from core.store.queries import Sort

        runs = self._context.selection.runs
        return {
            EpisodeSort.DATA: Sort(),
            EpisodeSort.GOAL: Sort("goal"),
            EpisodeSort.APP: Sort("app"),
            EpisodeSort.STEPS: Sort("steps", descending=True),
            EpisodeSort.FIRST_WRONG: Sort("first_wrong", run=runs[0] if runs else ""),
        }[self.sort]

    def position_of(self, episode_id: str) -> int:
        """Place in the list, -1 for an episode that the filter leaves out."""
        return self._place.get(episode_id, -1)

    def _read_page(self, offset: int, limit: int) -> None:
        source, rule = self._context.selection.source, self._context.selection.rule
        if source is None:
            return
        ids, runs = self.ids[offset : offset + limit], self._context.selection.runs
        generation = self._view.model.generation

        def ask(database: Database) -> list[EpisodeRow]:
            with database.reading() as db:
                return read_rows(db, source, ids, offset, runs, rule)

        self._context.query("read page", ask, lambda rows: self._view.set_page(offset, rows, generation), priority=1)

    def annotations_changed(self, source: str) -> None:
        """Somebody said something about data: rows show it, and filters may ask for it."""
        current = self._context.selection.source
        if current is not None and current.key == source:
            if any(term.field in SAID for term in terms(self._query)):
                episode = self._context.selection.episode
                place = self.position_of(episode.id) if episode else -1
                self._gone_at = place if place >= 0 else self._gone_at
                self.relist()
            self.refresh_verdicts()

    def refresh_verdicts(self) -> None:
        """Verdicts in the rows may be other ones now."""
        self._view.mark_stale(len(self.ids))

    def _runs_changed(self) -> None:
        self._view.set_runs(range(len(self._context.selection.runs)))
        if self.sort is EpisodeSort.FIRST_WRONG or "wrong" in self.filter_text or "right" in self.filter_text:
            self.relist()
        self.refresh_verdicts()

    # Filter ----------------------------------------------------------------------------------------------------------

    def set_filter(self, text: str, *, tell_view: bool = False) -> None:
        """Leave only what the filter says; a mistake keeps the last result and is shown in place."""
        if tell_view:
            self._view.set_filter(text)
        try:
            self._query = parse(text) if text.strip() else EVERYTHING
        except FilterError as error:
            self._filter_failed(error)
            return
        self.filter_text, self._gone_at = text, 0
        self._context.conditions.set("filtered", bool(text.strip()))
        self.relist()

    def _filter_failed(self, error: Exception) -> None:
        if not isinstance(error, FilterError):
            self._context.messages.failure(error)
            return
        shown = ShownFilterError(error.message, error.position, error.length, error.suggestion, len(self.ids))
        self._view.set_filter_error(shown)

    def set_sort(self, order: EpisodeSort) -> None:
        self.sort = order
        self._view.set_sort(order)
        self.relist()

    def _focus_filter(self) -> None:
        self._context.window.show_dock("episodes")
        self._view.filter.line.setFocus()
        self._view.filter.line.selectAll()

    def _step_episode(self, by: int) -> None:
        if self.ids:
            now = self._view.current_position()
            if now < 0:  # the episode that is shown is filtered out: go on where it stood
                now = self._gone_at - (by > 0)
            self._view.list.setCurrentIndex(self._view.model.index(min(max(now + by, 0), len(self.ids) - 1), 0))

    # Problems and titles ---------------------------------------------------------------------------------------------

    def show_problems(self) -> None:
        """List what could not be read, in the bottom dock."""
        from core.store.repositories.sources import problems

        source = self._context.selection.source
        if source is None:
            return

        def ask(database: Database) -> list[Problem]:
            with database.reading() as db:
                return problems(db, source.id)

        def answer(found: list[Problem]) -> None:
            rows = [_problem_row(problem) for problem in found]
            self._context.window.problems.set_problems(rows, source.skipped, source.episodes + source.skipped)
            self._context.window.show_dock("problems")

        self._context.query("problems", ask, answer)

    def _fill_more_menu(self) -> None:
        menu = self._view.more_menu
        menu.clear()
        for source in self._context.sources:
            action = QAction(f"{source.title}  ({words.counted(source.episodes, 'episode')})", menu)
            action.setCheckable(True)
            action.setChecked(source is self._context.selection.source)
            action.triggered.connect(lambda _checked=False, chosen=source: self.choose_source(chosen))
            menu.addAction(action)
        if not self._context.sources:
            menu.addAction("Nothing is open").setEnabled(False)

    def _show_title(self) -> None:
        context = self._context
        shown = context.sources[-TITLES:]
        text = " · ".join(f"{source.title} {words.count(source.episodes)}" for source in shown)
        if more := len(context.sources) - len(shown):
            text = f"{words.count(more)} more · {text}"
        context.window.status.put("sources", text)
        current = context.selection.source
        context.window.setWindowTitle(f"{current.title} – Stepscope" if current else "Stepscope")
        sample = current is not None and current.source.path == SAMPLE
        context.window.status.put(
            "sample", "Sample data" if sample else "", "Made by this project; scores on it are no findings"
        )


def field_names() -> list[str]:
    """What is offered while a filter is typed: bare names, and with a colon those that take a value."""
    known = [field for name, field in FIELDS.items() if name not in NOT_STORED]
    bare = [field.name for field in known if field.bare]
    return sorted([*bare, *(f"{field.name}:" for field in known if field.kind is not FieldKind.FLAG)])


def _problem_row(problem: Problem) -> ProblemRow:
    step = "" if problem.step is None else f"step {problem.step + 1}"
    return ProblemRow(problem.file, ", ".join(filter(None, (problem.episode, step))), problem.field, problem.message)
