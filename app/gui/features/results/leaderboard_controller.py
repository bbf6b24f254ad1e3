"""The leaderboard of the results: which runs are in it, in which order, what two of them differ in, and as a file.

The numbers are worked out in the background, run by run, and kept for as long as a run's scores are the same; the
window shows what is there and fills in the rest as it comes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from stepscope.app.gui.features.results import leaderboard_presenter as presenter
from stepscope.app.gui.features.results.differences_controller import DifferencesController
from stepscope.app.gui.features.results.leaderboard_presenter import BoardChoices
from stepscope.app.gui.features.results.results_controller import NAME, ResultsController
from stepscope.app.gui.features.results.run_bars_controller import RunBarsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsListed
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.services.export.whole_files import whole_text
from stepscope.app.services.feature_names import feature_names
from stepscope.app.services.leaderboard import below_rules_by_run, seen_group
from stepscope.app.services.provenance import not_a_finding
from stepscope.app.services.version import VERSION
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation import leaderboard_texts
from stepscope.core.evaluation.ablation import FeatureName
from stepscope.core.evaluation.leaderboard import MAIN, Leaderboard, LeaderboardEntry, LeaderboardGroup, LeaderboardRow
from stepscope.core.evaluation.rules import rule_name
from stepscope.core.progress import CancelToken
from stepscope.widgets.common.plain_words import plain_label
from stepscope.widgets.results import leaderboard_panel, leaderboard_view
from stepscope.widgets.results.leaderboard_panel import ARCHIVED, ONE_ROW_FOR_SEEDS, PINNED_FIRST, LeaderboardPanel
from stepscope.widgets.results.leaderboard_values import RowKey, TimeLine
from stepscope.widgets.results.view_names import LEADERBOARD, RUN

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from stepscope.core.store.engine import Database
    from stepscope.widgets.results.leaderboard_view import LeaderboardView
    from stepscope.widgets.results.results_view import ResultsView
    from stepscope.widgets.results.runs_view import RunsView

WRITERS = {
    leaderboard_view.LATEX: (leaderboard_texts.latex_text, "tex", "LaTeX (*.tex)"),
    leaderboard_view.MARKDOWN: (leaderboard_texts.markdown_text, "md", "Markdown (*.md)"),
    leaderboard_view.CSV: (leaderboard_texts.csv_text, "csv", "CSV (*.csv)"),
}
"""By the form: what writes it, the ending of its file, the kind of file in words."""
COPIES = {
    leaderboard_view.COPY_LATEX: leaderboard_texts.latex_text,
    leaderboard_view.COPY_MARKDOWN: leaderboard_texts.markdown_text,
}
SELECTION_DOCK = "selection"
Names = Mapping[str, FeatureName]


class LeaderboardController(QObject):
    """Works while the leaderboard is in view; what changed meanwhile is read when it is looked at again."""

    changed = Signal()
    """the view, the columns or the options are others"""
    renamed = Signal(str, str)
    menu_wanted = Signal(str, object)
    """a run, and where on the screen its menu is wanted"""

    def __init__(
        self, context: Context, view: ResultsView, listing: RunsView, runs: ResultsController, exports: ExportWork
    ) -> None:
        super().__init__(context)
        self._context, self._view, self._listing = context, view, listing
        self._runs, self._exports = runs, exports
        self._board = Leaderboard()
        self._panel: LeaderboardPanel | None = None
        self._task, self._source = Task.AUTOMATION, ""
        self._choices = BoardChoices()
        self._columns: dict[str, tuple[str, ...]] = {}
        self._options = {PINNED_FIRST, ONE_ROW_FOR_SEEDS}
        self._entries: list[LeaderboardEntry] = []
        self._below_rules: Mapping[str, str] = {}
        """by the id of a run where its model is below a rule"""
        self.groups: tuple[LeaderboardGroup, ...] = ()
        self._each: tuple[LeaderboardGroup, ...] = ()
        """the same with a row for each seed"""
        self._request = 0
        self._working: BackgroundTask | None = None
        self._grouping = self._stale_groups = False
        self._scoped = self._hid_selection = False
        self._names: Names = {}
        """by the id of a run what its model reads"""
        self._differences = DifferencesController(context, view)
        self.bars = RunBarsController(context, exports)
        self.bars.opened.connect(self._open)
        self.bars.wanted.connect(self._show_bars)
        view.view_chosen.connect(self.show_view)
        context.events.while_shown(NAME, RunsListed, lambda _: self._refresh_shown())
        context.selection.letters_changed.connect(self._show_shown)
        runs.doubts_changed.connect(lambda _run: self._show_shown())

    @property
    def is_shown(self) -> bool:
        """Whether the leaderboard is what the results show."""
        return self._view.view == LEADERBOARD

    @property
    def view(self) -> LeaderboardView:
        return self._view.board

    @property
    def focused_run(self) -> str:
        """id of the run in the row with the keyboard's mark, "" for none."""
        row = self.view.table.current_run if self.is_shown else None
        return row.key[0] if row is not None else ""

    def toggle_view(self) -> None:
        self._context.workspaces.set_workspace(NAME)
        self.show_view(RUN if self.is_shown else LEADERBOARD)
        self._view.focus_page()

    def show_view(self, view: str) -> None:
        """RUN or LEADERBOARD."""
        if view == LEADERBOARD:
            self._make_parts()
        self._view.show_view(view)
        self._listing.show_panel(self._panel if view == LEADERBOARD else None)
        if view == LEADERBOARD:
            self._give_room()
            if not self._scoped:
                self._look_at_current()
            self.refresh()
        elif self._hid_selection:
            self._hid_selection = False
            self._context.workspaces.show_dock(SELECTION_DOCK)
        self.changed.emit()

    def state(self) -> dict[str, Any]:
        """For the session, in plain JSON values."""
        columns = {task: list(names) for task, names in self._columns.items()}
        bars = self._panel is not None and self.view.shows_bars
        return {"view": self._view.view, "columns": columns, "options": sorted(self._options), "bars": bars}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """What `state` said; what does not fit is left aside."""
        columns, options = saved.get("columns"), saved.get("options")
        if isinstance(columns, dict):
            self._columns = {str(task): tuple(map(str, names)) for task, names in columns.items()}
        if isinstance(options, list):
            self._options = set(options) & set(leaderboard_panel.OPTIONS)
        if saved.get("view") == LEADERBOARD:
            self.show_view(LEADERBOARD)
            if saved.get("bars"):
                self.view.show_form(leaderboard_view.BARS)

    # Parts -----------------------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        if self._panel is not None:
            return
        panel = self._panel = LeaderboardPanel(self._listing.pages)
        view, table = self.view, self.view.table
        panel.scope_chosen.connect(self._choose_scope)
        panel.filter_changed.connect(lambda words: self._choose(filter=words))
        panel.columns_changed.connect(self._choose_columns)
        panel.option_toggled.connect(self._toggle_option)
        panel.sort_wanted.connect(lambda column: self._choose(sorted_by=column, best_first=True))
        panel.left_to_table.connect(table.setFocus)
        table.gave_way.connect(panel.columns.set_without_room)
        panel.columns.set_without_room(table.without_room)
        table.tick_toggled.connect(self.toggle_tick)
        table.group_toggled.connect(self._toggle_group)
        table.run_opened.connect(self._open)
        table.sort_wanted.connect(self._sort)
        table.became_current.connect(self._became_current)
        table.renamed.connect(self.renamed)
        table.menu_wanted.connect(self._offer_menu)
        view.point_chosen.connect(self._choose_point)
        view.differs_wanted.connect(self.show_differences)
        view.compare_wanted.connect(self._open_in_compare)
        view.export_chosen.connect(self.export)
        self.bars.connect_view(view)

    def _look_at_current(self) -> None:
        """Begin with the task and data of the run that is shown."""
        run = self._runs.run_of(self._runs.chosen)
        if run is not None:
            self._task, self._source, self._scoped = run.spec.task, run.spec.source, True

    # Reading ---------------------------------------------------------------------------------------------------------

    def come_to_front(self) -> None:
        """The workspace is entered: the table has the room of the Selection dock."""
        if self.is_shown:
            self._give_room()

    def _give_room(self) -> None:
        workspaces = self._context.workspaces
        self._hid_selection = self._hid_selection or not workspaces.is_dock_hidden(SELECTION_DOCK)
        workspaces.hide_dock(SELECTION_DOCK)

    def _refresh_shown(self) -> None:
        if self.is_shown:
            if not self._scoped:  # the session was brought back before any run was known
                self._look_at_current()
            self.refresh()

    def _show_shown(self) -> None:
        if self.is_shown:
            self._show()

    def refresh(self) -> None:
        """Read which runs there are, and work out what is not known of them."""
        self._request += 1
        request, task, board = self._request, self._task, self._board

        def ask(database: Database) -> tuple[list[LeaderboardEntry], dict[str, str]]:
            entries = board.entries(database, task)
            return entries, below_rules_by_run(entry.run for entry in entries)

        def answer(found: tuple[list[LeaderboardEntry], dict[str, str]]) -> None:
            if request == self._request:
                entries, self._below_rules = found
                self._take(entries)

        self._context.query("leaderboard", ask, answer)

    def _take(self, entries: list[LeaderboardEntry]) -> None:
        self._entries = [self._labelled(entry) for entry in entries]
        self._show_panel()
        self._regroup()
        missing = [entry for entry in self._in_scope() if self._board.known(entry) is None]
        if self._working is not None:
            self._working.cancel()
            self._working = None
        database = self._context.database
        if not missing or database is None:
            return
        board = self._board

        def work(token: CancelToken) -> Generator[int, None, None]:
            for done in board.each(database, missing):
                if token.cancelled:
                    return
                yield done

        task = self._working = self._context.start("work out the leaderboard", work, lane="index", priority=-1)
        task.progressed.connect(lambda _done: self._regroup())
        task.succeeded.connect(lambda _nothing: self._regroup())

    def _labelled(self, entry: LeaderboardEntry) -> LeaderboardEntry:
        """With what people say of the run as the window knows it: what is just being written too."""
        known = self._runs.run_of(entry.run.id)
        return entry if known is None else replace(entry, run=replace(entry.run, labels=known.labels))

    def _in_scope(self) -> list[LeaderboardEntry]:
        return [
            entry
            for entry in self._entries
            if (not self._source or entry.run.spec.source == self._source)
            and (ARCHIVED in self._options or not entry.run.labels.archived)
        ]

    def _regroup(self) -> None:
        """Put the runs into their groups, in the background: at most one at a time, and once more where it is stale."""
        if self._grouping:
            self._stale_groups = True
            return
        self._grouping, self._stale_groups = True, False
        entries, board, fold = self._in_scope(), self._board, ONE_ROW_FOR_SEEDS in self._options

        def ask(_database: Database) -> tuple[tuple[LeaderboardGroup, ...], tuple[LeaderboardGroup, ...], Names]:
            for entry in entries:
                not_a_finding(entry.run)  # looks packages through, once for each model: the window would wait for it
            each = board.groups(entries, fold_seeds=False)
            names = feature_names({entry.run.id: entry.run for entry in entries}.values())
            return (board.groups(entries) if fold else each), each, names

        def answer(found: tuple[tuple[LeaderboardGroup, ...], tuple[LeaderboardGroup, ...], Names]) -> None:
            self._grouping = False
            self.groups, self._each, self._names = found
            self._show()
            if self._stale_groups:
                self._regroup()

        self._context.query("groups of the leaderboard", ask, answer)

    # Showing ---------------------------------------------------------------------------------------------------------

    @property
    def choices(self) -> BoardChoices:
        """How the person wants it, for the task that is shown."""
        columns = self._columns.get(self._task.value)
        return replace(self._choices, columns=columns, pinned_first=PINNED_FIRST in self._options)

    def _doubts(self) -> dict[str, str]:
        """Why runs may be misread, by their ids."""
        every = ((run.id, self._runs.doubt_of(run)) for run in self._runs.runs() if run.id in self._runs.doubts)
        return {run: words for run, words in every if words}

    def _show(self) -> None:
        view, groups, choices = self.view, self.groups, self.choices
        runs = {row.entry.run.id for group in groups for row in group.rows}
        ticked = [key for key in choices.ticked if self._row_of(key) is not None]
        if len(ticked) != len(choices.ticked):
            self._choices = replace(self._choices, ticked=tuple(ticked))
        sample = "sample, not a finding" if groups and all(one.remark for one in self._seen()) else ""
        view.set_title(TASK_TITLES[self._task], presenter.about_words(groups), len(ticked), sample)
        content = presenter.board_content(
            groups, choices, self._context.selection.runs_on, self._runs.new, self._below_rules, self._doubts()
        )
        view.set_content(content, runs=len(runs))
        every = [presenter.board_column(groups, name) for name in presenter.every_column(groups)]
        if self._panel is not None:
            shown = presenter.usual_columns(groups) if choices.columns is None else choices.columns
            self._panel.set_columns(every, shown)
            self._panel.set_sort([content.main, *every], content.sorted_by)
        current = view.table.current_run
        self._show_time(current.key if current is not None else None)
        self._compare_ticked()
        self._show_bars()

    def _show_panel(self) -> None:
        if self._panel is not None:
            self._panel.set_scopes(presenter.scopes(self._runs.runs()), self._task.value, self._source)
            archived = sum(run.labels.archived for run in self._runs.runs())
            self._panel.set_options(self._options, archived)

    def _seen(self) -> list[leaderboard_texts.SeenGroup]:
        return presenter.seen_groups_of(self.groups, self.choices, self._below_rules)

    def _show_time(self, key: RowKey | None) -> None:
        """The group of the row with the keyboard's mark over time."""
        group = next((one for one in self.groups if any(key == row.key for row in one.rows)), None)
        each = next((one for one in self._each if group is not None and one.key == group.key), None)
        if group is None or each is None:
            self.view.set_line(TimeLine())
            return
        seen = seen_group(group, group.rows, self._below_rules)
        letters = self._context.selection.runs_on(group.source)
        self.view.set_line(presenter.time_line(seen, each.rows, letters))
        self.view.set_chosen(key)

    def _show_bars(self) -> None:
        current, runs_on = self.view.table.current_run, self._context.selection.runs_on
        key = current.key if current is not None else None
        self.bars.show(self.groups, self._choices.ticked, key, self._names, runs_on)

    def show_bars(self) -> None:
        """The leaderboard as bars; once more as a table."""
        self._context.workspaces.set_workspace(NAME)
        bars = not self.is_shown or not self.view.shows_bars
        if not self.is_shown:
            self.show_view(LEADERBOARD)
        self.view.show_form(leaderboard_view.BARS if bars else leaderboard_view.TABLE)
        self._show_bars()
        self._view.focus_page()

    def _row_of(self, key: RowKey) -> tuple[LeaderboardGroup, LeaderboardRow] | None:
        """The row that has this run under this rule, alone or with other seeds."""
        for group in self.groups:
            for row in group.rows:
                if any(member.key == key for member in row.members):
                    return group, row
        return None

    # What the person does --------------------------------------------------------------------------------------------

    def _choose(self, **changes: Any) -> None:
        self._choices = replace(self._choices, **changes)
        self._show()

    def _choose_scope(self, task: str, source: str) -> None:
        self._task, self._source, self._scoped = Task(task), source, True
        self._choices = replace(self._choices, ticked=(), sorted_by=MAIN)
        self.refresh()

    def _choose_columns(self, columns: tuple[str, ...]) -> None:
        self._columns[self._task.value] = columns
        self._show()
        self.changed.emit()

    def _toggle_option(self, option: str, on: bool) -> None:
        (self._options.add if on else self._options.discard)(option)
        if option == PINNED_FIRST:
            self._show()
        else:
            self.refresh()
        self.changed.emit()

    def _sort(self, column: str) -> None:
        """By this column, the best first; by the same once more the other way."""
        again = column == self._choices.sorted_by
        self._choose(sorted_by=column, best_first=not (again and self._choices.best_first))

    def _toggle_group(self, group: str) -> None:
        self._choose(closed=self._choices.closed ^ {group})

    def toggle_tick(self, key: RowKey) -> None:
        """Tick a row, or untick it."""
        ticked = self._choices.ticked
        self._choose(ticked=tuple(one for one in ticked if one != key) if key in ticked else (*ticked, key))

    def _became_current(self, key: RowKey) -> None:
        self._show_time(key)

    def _choose_point(self, key: RowKey) -> None:
        found = self._row_of(key)
        if found is not None:
            self.view.set_chosen(found[1].key)

    def _open(self, key: RowKey) -> None:
        """Show a run alone, under the rule of its row."""
        found = self._row_of(key)
        if found is None:
            return
        entry = found[1].entry
        rule = "" if entry.own else rule_name(entry.scoring) or entry.scoring.words
        self._runs.choose(entry.run.id, rule)
        self.show_view(RUN)
        self._view.focus_page()

    def _open_in_compare(self, keys: tuple[RowKey, RowKey]) -> None:
        for run, _scoring in keys:
            known = self._runs.run_of(run)
            if known is not None:
                self._context.selection.show_run(run, known.spec.source)
        self._context.workspaces.set_workspace("compare")

    def _offer_menu(self, key: RowKey, place: QPoint) -> None:
        menu = QMenu(self.view)
        menu.addAction("Open Run", lambda: self._open(key))
        ticked = "Untick" if key in self._choices.ticked else "Tick for What Differs"
        menu.addAction(plain_label(ticked), lambda: self.toggle_tick(key))
        known = self._runs.run_of(key[0])
        if known is not None:
            lettered = key[0] in self._context.selection.runs_on(known.spec.source)
            words = "Take the letter away" if lettered else "Show as next letter"
            toggle = self._context.selection.toggle_run
            menu.addAction(plain_label(words), lambda: toggle(key[0], known.spec.source))
        menu.addSeparator()
        menu.addAction("Rename\tF2", self.view.table.begin_rename)
        menu.popup(place)

    # What differs ----------------------------------------------------------------------------------------------------

    def show_differences(self) -> None:
        """What two ticked runs differ in; with one ticked, it and the row with the keyboard's mark."""
        self._context.workspaces.set_workspace(NAME)
        if not self.is_shown:
            self.show_view(LEADERBOARD)
        current = self.view.table.current_run
        ticked = self._choices.ticked
        if len(ticked) == 1 and current is not None and current.key not in ticked:
            self.toggle_tick(current.key)
        self.view.show_differences()

    def _compare_ticked(self) -> None:
        ticked = self._choices.ticked
        found = [row for key in ticked if (row := self._row_of(key)) is not None]
        self._differences.show(found, len(ticked))

    # As a file -------------------------------------------------------------------------------------------------------

    def ask_export(self) -> None:
        """Offer the forms that a leaderboard can be written in."""
        self.view.open_export_menu()

    def export(self, kind: str) -> None:
        """What is seen, as a file or into the clipboard."""
        if kind in leaderboard_view.BARS_EXPORTS:
            self.bars.export(kind)
            return
        if kind in COPIES:
            QGuiApplication.clipboard().setText(self.text(COPIES[kind]))
            self._context.messages.done("Copied what is seen of the leaderboard.")
            return
        writer, ending, words = WRITERS[kind]
        text = self.text(writer)

        def write(path: Path) -> None:
            def work(token: CancelToken) -> None:
                with whole_text(path, token) as stream:
                    stream.write(text)

            self._exports.start(f"Writing {path.name}", work, self._exports.wrote(path))

        self._exports.choose(f"leaderboard-{self._task.value}.{ending}", words, write)

    def text(self, writer: Callable[..., str]) -> str:
        """What is seen, in a form: open groups, rows in their order, columns in theirs."""
        seen = [one for one in self._seen() if presenter.group_key(one.group) not in self._choices.closed]
        content = self.view.table.board.content
        return writer(seen, [content.main.id, *(column.id for column in content.columns)], f"stepscope {VERSION}")
