"""Runs and their results: the list, the letters, metrics with intervals, items, deleting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import EpisodeJudged, RunsChanged, RunsListed
from stepscope.app.gui.shell.ports import ResultsViews
from stepscope.app.gui.shell.run_letters import LETTERS, LetterPassed, RunLetters
from stepscope.app.gui.shell.run_words import names_of, source_name, title_of, when_words
from stepscope.app.gui.shell.stored_filters import STORED_FILTER
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.app.services.provenance import is_made_here, is_shipped
from stepscope.core.domain.run import Run, RunLabels, RunState
from stepscope.core.domain.score import Metrics
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import Progress, WorkerPace
from stepscope.widgets import format as words
from stepscope.widgets.results.items_filter import ItemsFilter

if TYPE_CHECKING:
    from stepscope.app.gui.features.results import presenter, run_doubts, run_results
    from stepscope.app.gui.features.results.run_doubts import RunDoubt
    from stepscope.app.gui.features.results.run_results import MainMetricTexts, Results
    from stepscope.core.domain.walk import WalkUnderWay
    from stepscope.core.store import queries
    from stepscope.core.store.engine import Database
    from stepscope.core.store.queries import RunCounts
    from stepscope.core.store.repositories.coordinate_doubts import Doubt
    from stepscope.widgets.results.result_rows import ItemRow, RunListRow
    from stepscope.widgets.results.results_view import ResultsView
    from stepscope.widgets.results.runs_view import RunsView
else:
    presenter = lazy_module("stepscope.app.gui.features.results.presenter")
    run_results = lazy_module("stepscope.app.gui.features.results.run_results")
    run_doubts = lazy_module("stepscope.app.gui.features.results.run_doubts")
    queries = lazy_module("stepscope.core.store.queries")


NAME = "results"
DRAWN_IN = ("replay", "compare")
"""The workspaces that draw the answers of ticked runs."""
FULL = "eight runs are shown"
"""What the message is about that refuses a ninth."""
OTHER_TASKS = "Other tasks: "
"""Before the heading of runs of other tasks than the one that is looked at."""


def in_order(rows: Sequence[RunListRow]) -> list[RunListRow]:
    """Groups in the order of their latest run, in each the pinned ones first; what is put away behind all."""
    groups = {group: place for place, group in reversed(list(enumerate(row.group for row in rows)))}
    return sorted(rows, key=lambda row: (row.archived, groups[row.group], not row.pinned))


class ResultsController(QObject):
    """`current` is the run whose results are shown; the runs shown over screens are the selection's."""

    resume_requested = Signal(str)
    again_requested = Signal(str)
    shown = Signal()
    """other results than before, or newer ones, are in the view; `results` has them"""
    looked_elsewhere = Signal()
    """another run is chosen, or one is new or new no more"""
    doubts_changed = Signal(str)
    """of this run another thing is known than before"""
    walked = Signal(str)
    """the walk of this roll-out, which is under way, is further than it was, or there is none any more"""
    ended = Signal(str)
    """a run that ended just now"""
    item_wanted = Signal(str, str, int)
    """path of the data, episode, the step's index"""

    def __init__(self, context: Context, views: ResultsViews) -> None:
        super().__init__(context)
        self._context, self._views = context, views
        self._list: RunsView | None = None
        self._view: ResultsView | None = None
        self._counts: dict[str, RunCounts] = {}
        self._names: dict[str, str] = {}
        self.doubts: Mapping[str, RunDoubt] = {}
        """what the coordinate check said of runs, by their ids"""
        self._doubts_asked = self._doubts_taken = 0
        self._main: MainMetricTexts | None = None
        self._main_words: dict[str, str] = {}
        self._progress: dict[str, Progress] = {}
        self._workers: dict[str, tuple[WorkerPace, ...]] = {}
        self._phases: dict[str, str] = {}
        self._writing: dict[str, str] = {}
        self._walks: dict[str, WalkUnderWay] = {}
        self._so_far: dict[str, Metrics] = {}
        self.current: Run | None = None
        self.results: Results | None = None
        self._chosen = ""
        """id of the run that is shown or on its way"""
        self._rule = ""
        self._request = 0
        self.items_filter = ItemsFilter.ALL
        self.without_defects = False
        self._stale = True
        self._against = ""
        self._new: set[str] = set()
        """runs that ended and were shown nowhere since"""
        self._reads = False
        """what the runs consist of is read: not while the window is about to show what it begins with"""
        self._connect()
        views.when_made("runs", self._take_list)
        views.when_made("results", self._take_view)

    def _connect(self) -> None:
        context = self._context
        context.store_opened.connect(self._list_runs)
        context.settled.connect(self._read_first)
        context.workspaces.workspace_changed.connect(self.come_into_view)
        context.events.on(RunsChanged, lambda _: self.reload())
        context.selection.letters_changed.connect(self._letters_changed)
        context.selection.letters_wanting.connect(self._tell_full)
        context.selection.letter_passed.connect(self._tell_passed)
        for workspace in DRAWN_IN:
            context.events.while_shown(workspace, EpisodeJudged, lambda event: self._not_new(event.judged.runs))

    def _take_list(self) -> None:
        """The list's view is made: it shows what is known."""
        listing = self._list = self._views.runs
        listing.run_chosen.connect(self.choose)
        listing.run_toggled.connect(self._toggle)
        listing.resume_requested.connect(self.resume_requested)
        listing.delete_requested.connect(self.delete)
        self._show_list()
        if self._chosen:
            listing.choose(self._chosen)

    def _take_view(self) -> None:
        view = self._view = self._views.results
        view.page_wanted.connect(self._read_items)
        view.items_filter_changed.connect(lambda which: self.set_filter(ItemsFilter(which)))
        view.item_opened.connect(self.open_item)
        view.run_again_requested.connect(self.again_requested)
        if self.results is None:
            view.set_result(None)
        else:
            self._fill_view(self.results, view, every=True, anew=True)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "run.delete": lambda: self.delete(self.current.id if self.current else ""),
            "run.resume": lambda: self.resume_requested.emit(self.current.id if self.current else ""),
        }

    # The list --------------------------------------------------------------------------------------------------------

    @property
    def run_ids(self) -> tuple[str, ...]:
        return tuple(self._counts)

    def state_of(self, run: str) -> RunState | None:
        counts = self._counts.get(run)
        return counts.run.state if counts else None

    def runs(self) -> list[Run]:
        """All stored runs, the latest first."""
        return [counts.run for counts in self._counts.values()]

    def rows(self) -> list[RunListRow]:
        """All stored runs as they are listed, the latest first; those of other tasks than is looked at come last."""
        rows = [self._row(counts) for counts in self._counts.values()]
        return sorted(rows, key=lambda row: row.elsewhere)

    def resume(self, run: str) -> None:
        """Go on with a run that stopped before its end."""
        self.choose(run)
        self.resume_requested.emit(run)

    def run_of(self, run: str) -> Run | None:
        counts = self._counts.get(run)
        return counts.run if counts else None

    def name_of(self, run: str) -> str:
        counts = self._counts.get(run)
        return self._names.get(run) or (title_of(counts.run) if counts else run)

    def refresh(self) -> None:
        """Read the run at work again if it is in view, else when it comes into view."""
        if self._view is not None and self._view.isVisible():
            self.reload()
        else:
            self._stale = True

    def come_into_view(self, workspace: str) -> None:
        self._look_at(self._chosen)
        if workspace == NAME and self._stale:
            self.reload()

    def _list_runs(self) -> None:
        """Which runs there are, and what they are called: the little that is shown beside an episode."""

        def ask(database: Database) -> list[RunCounts]:
            with database.reading() as db:
                return queries.run_list(db)

        def answer(runs: list[RunCounts]) -> None:
            if not self._reads:
                self._know(runs)

        self._context.query("list runs", ask, answer)

    def _read_first(self) -> None:
        """The window has come to rest: read the rest of it, unless somebody has asked for that before."""
        if not self._reads:
            self.reload()

    def reload(self) -> None:
        """Read the list anew, and the results that are shown. A run whose process has ended since is interrupted."""
        if self._context.database is None:
            return  # it is read once there is one
        self._reads, self._stale = True, False
        texts = self._main = self._main or run_results.MainMetricTexts()
        asked = self._ask_doubts()

        def ask(database: Database) -> tuple[list[RunCounts], dict[str, str], Mapping[str, RunDoubt]]:
            from stepscope.core.store.abandoned_runs import mark_interrupted

            mark_interrupted(database)
            with database.reading() as db:
                found = queries.run_list(db)
            return found, texts.words_of(database, found), run_doubts.read_doubts(database)

        self._context.query("list runs", ask, lambda answer: self._take(asked, *answer))

    def _take(self, asked: int, runs: list[RunCounts], main: dict[str, str], doubts: Mapping[str, RunDoubt]) -> None:
        self._main_words = main
        if self._is_newer(asked):
            self.doubts = doubts
        self._know(runs)
        if self._chosen in self._counts:
            self._load(self._chosen)
        elif runs:
            self.choose(runs[0].run.id)
        else:
            self._show_none()

    def _know(self, runs: list[RunCounts]) -> None:
        self._counts = {counts.run.id: counts for counts in runs}
        self._new.intersection_update(self._counts)
        self._name_runs()
        self._context.selection.keep_runs(self._counts)
        self._show_list()
        self._tell_listed()

    def _tell_listed(self) -> None:
        about = {run.id: (run.spec.task, run.spec.source) for run in self.runs()}
        doubts = {run.id: words for run in self.runs() if (words := self.doubt_of(run))}
        self._context.selection.know_tasks({run: task for run, (task, _data) in about.items()})
        self._context.events.publish(RunsListed(dict(self._names), about, doubts))

    def _name_runs(self) -> None:
        """Names that tell the runs of a task on the same data apart."""
        groups: dict[tuple[str, str], list[Run]] = {}
        for run in self.runs():
            groups.setdefault((run.spec.task, run.spec.source), []).append(run)
        self._names = {run: name for group in groups.values() for run, name in names_of(group).items()}

    def show_labels(self, run: str, labels: RunLabels) -> None:
        """Show what people say of a run, before it is read again."""
        counts = self._counts.get(run)
        if counts is None:
            return
        self._counts[run] = replace(counts, run=replace(counts.run, labels=labels))
        self._name_runs()
        if self.results is not None and self.results.run.id == run:
            self.current = replace(self.results.run, labels=labels)
            self.results = replace(self.results, run=self.current)
            if self._view is not None:
                self._view.set_result(
                    presenter.result_details(self.results, self.letters_of(self.current), self._names)
                )
                self._view.settings.about.set_labels(run, labels)
        self._show_list()
        self._tell_listed()

    @property
    def is_scored_by_all(self) -> bool:
        """Whether the shown run has scores under every rule."""
        return self.results is not None and all(rule.scored for rule in self.results.choices)

    def set_progress(
        self, run: str, progress: Progress, metrics: Metrics | None = None, workers: tuple[WorkerPace, ...] = ()
    ) -> None:
        """How far a run at work is, its metrics so far, and the workers of its cluster; shown in its card."""
        self._progress[run] = progress
        self._workers[run] = workers
        if metrics is not None:
            self._so_far[run] = metrics
        self._show_list()

    def set_phase(self, run: str, words: str) -> None:
        """What a run at work does before its first answer; shown in its card, "" once there is one."""
        if self._phases.get(run, "") != words:
            self._phases[run] = words
            self._show_list()

    def set_words(self, run: str, words: str) -> None:
        """The end of what the model of a run at work is writing; shown in its card, "" once it is written."""
        self._writing[run] = words
        if self._list is not None and (card := self._list.progress_of(run)) is not None:
            card.set_words(words)

    def set_walk(self, run: str, walk: WalkUnderWay | None) -> None:
        """How far the walk is that a roll-out at work is on; None: it is on none."""
        before = self._walks.pop(run, None)
        if walk is not None:
            self._walks[run] = walk
        if walk != before:
            self.walked.emit(run)

    def walk_of(self, run: str) -> WalkUnderWay | None:
        """The walk that this roll-out is on now."""
        return self._walks.get(run)

    def _show_list(self) -> None:
        if self._list is not None:
            self._list.set_runs(in_order(self.rows()))

    def doubt_of(self, run: Run) -> str:
        """Why the run's places may be misread, "" where they are not known to be, or nobody looks at the run."""
        known = self.doubts.get(run.id)
        return "" if known is None or run.labels.archived else known.open_words

    def reread_doubts(self) -> None:
        """A check has said something of a run."""
        asked = self._ask_doubts()

        def take(doubts: Mapping[str, RunDoubt]) -> None:
            if self._is_newer(asked):
                self._take_doubts(doubts)

        self._context.query("coordinates", run_doubts.read_doubts, take)

    def _ask_doubts(self) -> int:
        """Number a reading of the doubts: one that was begun earlier and ends later knows less."""
        self._doubts_asked += 1
        return self._doubts_asked

    def _is_newer(self, asked: int) -> bool:
        newer = asked > self._doubts_taken
        self._doubts_taken = max(asked, self._doubts_taken)
        return newer

    def show_doubt(self, run: str, doubt: Doubt) -> None:
        """What a person said of a run's doubt, before it is read again."""
        self._take_doubts({**self.doubts, run: replace(self.doubts[run], doubt=doubt)})

    def _take_doubts(self, doubts: Mapping[str, RunDoubt]) -> None:
        changed = [run for run, one in doubts.items() if self.doubts.get(run) != one]
        self.doubts = doubts
        if changed:
            self._show_list()
            self._tell_listed()
        for run in changed:
            self.doubts_changed.emit(run)

    def _row(self, counts: RunCounts) -> RunListRow:
        from stepscope.widgets.results.result_rows import RunListRow

        run, progress = counts.run, self._progress.get(counts.run.id)
        working = progress if progress and run.state in (RunState.RUNNING, RunState.PAUSED) else None
        main = self._main_words.get(run.id, "")
        elsewhere = self._context.selection.task not in (None, run.spec.task)
        return RunListRow(
            id=run.id,
            name=self._names[run.id],
            group=f"{OTHER_TASKS if elsewhere else ''}{TASK_TITLES[run.spec.task]} · {source_name(run)}",
            elsewhere=elsewhere,
            no_finding=is_made_here(run.spec.source),
            own_name=run.labels.name,
            tags=run.labels.tags,
            remark=run.labels.remark,
            pinned=run.labels.pinned,
            archived=run.labels.archived,
            state=run.state,
            done=working.done if working else run.done,
            total=run.total,
            metric=presenter.so_far_words(run, self._so_far.get(run.id)) if working else main,
            when="shipped, not a finding" if is_shipped(run) else when_words(run.created),
            shipped=is_shipped(run),
            letter=self.letters_of(run).get(run.id),
            rate=working.rate if working else None,
            seconds_left=working.seconds_left if working else None,
            workers=self._workers.get(run.id, ()) if working else (),
            message=run.message,
            is_new=run.id in self._new,
            phase=self._phases.get(run.id, ""),
            writing=self._writing.get(run.id, ""),
            doubt=self.doubt_of(run),
        )

    @property
    def new(self) -> frozenset[str]:
        """The runs that ended and were shown nowhere since."""
        return frozenset(self._new)

    def tell_new(self, run: str) -> None:
        """A run has ended: it stands in the list as new until somebody looks at it, and takes nobody's place."""
        self._new.add(run)
        self.looked_elsewhere.emit()
        self.ended.emit(run)
        if not self._chosen:
            self.choose(run)
        self._show_list()

    def _look_at(self, run: str) -> None:
        if self._context.workspaces.workspace == NAME:
            self._not_new((run,))

    def _not_new(self, runs: Iterable[str]) -> None:
        """These are shown: their numbers here, or their marks on a screen."""
        if not self._new.isdisjoint(runs):
            self._new.difference_update(runs)
            self._show_list()
            self.looked_elsewhere.emit()

    def looked_at(self) -> dict[str, Any]:
        """The chosen run, and those that nobody has looked at, in plain JSON values."""
        return {"chosen": self._chosen, "new": sorted(self._new)}

    def restore_looked_at(self, saved: Mapping[str, Any]) -> None:
        """Bring back what `looked_at` told; a person may have chosen another run meanwhile. The runs may not be listed
        yet, or be deleted."""
        self._new.update(str(run) for run in saved.get("new", ()))
        self._show_list()
        chosen = str(saved.get("chosen", ""))
        if chosen and self._chosen in ("", next(iter(self._counts), "")):
            self.choose(chosen)

    def tell_interrupted(self, runs: list[str]) -> None:
        """Runs whose program ended before they did, found at the start."""
        if runs:
            several = f"{len(runs)} evaluations were" if len(runs) > 1 else "An evaluation was"
            text = f"{several} interrupted. What was scored is kept."
            resume = partial(self.resume_requested.emit, runs[-1])
            self._context.messages.info(text, (resume, "Resume"), about=("run", runs[-1]))
            self.choose(runs[-1])

    def letters_of(self, run: Run) -> RunLetters:
        """The runs that are shown on the same data."""
        return self._context.selection.runs_on(run.spec.source)

    def _toggle(self, run: str) -> None:
        """Show a run over its data, or show it no more."""
        known = self.run_of(run)
        if known is not None:
            self._context.selection.toggle_run(run, known.spec.source)

    def _tell_passed(self, data: str, passed: LetterPassed) -> None:
        about = ("letter", data, passed.number)
        letter, now, before = LETTERS[passed.number], self.name_of(passed.now), self.name_of(passed.before)
        undo = partial(self._context.selection.give_back, data, passed)
        self._context.messages.settle(about)
        told = f"{letter} is now {now}. Before it was {before}."
        self._context.messages.info(told, (undo, "Undo"), about=about)

    def _tell_full(self) -> None:
        told = "Eight runs are shown already, A to H. Untick one of them to show another."
        self._context.messages.warning(told, about=FULL)

    # Results ---------------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> str:
        """id of the run that is shown or on its way, "" for none."""
        return self._chosen

    def when_shown(self, call: Callable[[], object]) -> None:
        """Call once the chosen run's results are here: at once, unless they are on their way."""
        if self.results is None or self.results.run.id == self._chosen:
            call()
        else:
            self.shown.connect(lambda: self.when_shown(call), Qt.ConnectionType.SingleShotConnection)

    @property
    def rule(self) -> str:
        """Key of the rule under which it is shown, "" for its own."""
        return self._rule

    def choose(self, run: str, rule: str | None = None) -> None:
        """Show a run's results, under its own rule when another run was shown before and no rule is named."""
        if self._chosen != run or rule is not None:
            self._chosen, self._rule = run, rule or ""
            self.looked_elsewhere.emit()
        if self._list is not None:
            self._list.choose(run)
        if run in self._new and self._view is not None:
            self._view.show_page("summary")
        self._look_at(run)
        self._load(run)

    def others(self) -> list[str]:
        """The runs that are shown on the chosen run's data; the one that a person chose to compare with comes first."""
        chosen = self.run_of(self._chosen)
        shown = [run for run in self.letters_of(chosen) if run in self._counts] if chosen else []
        return sorted(shown, key=lambda run: run != self._against)

    def compare_with(self, run: str) -> None:
        """Take this run as the one that the shown one is compared with."""
        if run != self._chosen:
            self._against = run
            self._load(self._chosen)

    def show_under(self, rule: str) -> None:
        """Show the current run under the rule of this key; one that it was not scored under shows its own."""
        self._rule = rule
        if self._chosen:
            self._load(self._chosen)

    def _load(self, run: str) -> None:
        if not self._reads:
            return  # it comes with the list
        self._request += 1
        request = self._request

        without = self.without_defects
        rule, others = self._rule, self.others()

        def answer(found: Results | None) -> None:
            if request != self._request:
                return
            if found is None:
                self.reload()
            else:
                self._show(found)

        def ask(database: Database) -> Results | None:
            if request != self._request:
                return None
            try:
                return run_results.load_results(database, run, rule, others, without_defects=without)
            except UsageError:
                if run_results.still_there(database, run):
                    raise
                return None

        self._context.query("load results", ask, answer)

    def set_without_defects(self, without: bool) -> None:
        """Show scores without the items that people called defective, or with them."""
        self.without_defects = without
        if self._chosen:
            self._load(self._chosen)

    def _show(self, found: Results) -> None:
        before = self.results
        run = found.run
        fresh = before is None or self.current is None or before.run.id != run.id
        self.current, self.results = run, found
        self._context.conditions.set("run", True)
        self._context.conditions.set("run_resumable", run.state.resumable)
        if every := fresh or (found.flips is None and self.items_filter is ItemsFilter.FLIPS):
            self.items_filter = ItemsFilter.ALL
        if self._view is not None:
            anew = fresh or before is None or before.rule != found.rule
            self._fill_view(found, self._view, every=every, anew=anew)
        self.shown.emit()

    def _fill_view(self, found: Results, view: ResultsView, *, every: bool, anew: bool) -> None:
        """`every`: all items are shown again; `anew`: they are others than before."""
        view.set_result(presenter.result_details(found, self.letters_of(found.run), self._names))
        view.set_rules(found.choices, found.rule)
        view.set_flips(found.flips)
        view.settings.set_rows(presenter.settings_of(found.run, found.costs))
        view.settings.about.set_labels(found.run.id, found.run.labels)
        if every:
            view.set_items_filter(ItemsFilter.ALL)
        self._list_items(anew)

    def _letters_changed(self) -> None:
        """Find the baseline again: another run may be it now."""
        self._context.messages.settle(FULL)
        self._show_list()
        if self._chosen in self._counts:
            self._load(self._chosen)

    def _show_none(self) -> None:
        self.current, self.results, self._chosen = None, None, ""
        self._context.conditions.set("run", False)
        self._context.conditions.set("run_resumable", False)
        if self._view is not None:
            self._view.set_result(None)

    # Items -----------------------------------------------------------------------------------------------------------

    def set_filter(self, which: ItemsFilter) -> None:
        self.items_filter = which
        self._list_items(True)

    def _list_items(self, fresh: bool) -> None:
        if self.results is None or self._view is None:
            return
        shown, total = self.results.totals[self.items_filter], self.results.run.done
        (self._view.set_items_total if fresh else self._view.mark_items_stale)(shown, total)

    def _read_items(self, offset: int, limit: int) -> None:
        found, view = self.results, self._view
        if found is None or view is None:
            return
        show, generation = STORED_FILTER[self.items_filter], view.items.generation

        def ask(database: Database) -> list[ItemRow]:
            return run_results.read_items(database, found.run.id, show, found.scoring_id, offset, limit)

        def answer(rows: list[ItemRow]) -> None:
            view.set_items_page(offset, rows, generation)

        self._context.query("read items", ask, answer, priority=1)

    def open_item(self, episode: str, step: int) -> None:
        """Show an item's step in the replay workspace, with its run over it."""
        run = self.current
        if run is None:
            return
        self._context.selection.show_run(run.id, run.spec.source)
        self.item_wanted.emit(run.spec.source, episode, max(step, 0))

    # Deleting --------------------------------------------------------------------------------------------------------

    def delete(self, run: str) -> None:
        """Delete a run with its predictions and scores, after asking: there is no way back."""
        counts = self._counts.get(run)
        if counts is None:
            return
        if counts.run.state in (RunState.RUNNING, RunState.QUEUED, RunState.PAUSED):
            self._context.messages.warning("This run is at work. Cancel it first.")
            return
        question = f"Delete {self.name_of(run)} with {words.counted(counts.run.done, 'item')}?"
        detail = "Predictions and scores of this run are lost. The data and other runs stay."
        if confirmed(self._context.dialog_parent, question, detail, "Delete", "Keep", title="Delete run"):
            self.delete_now(run)

    def delete_now(self, run: str) -> None:
        def change(database: Database) -> None:
            from stepscope.core.store.repositories import runs

            with database.unit_of_work() as db:
                runs.remove(db, run)

        self._context.messages.settle(("run", run))
        self._context.write("delete run", change, lambda _nothing: self._context.events.publish(RunsChanged()))
