"""The results' cards and the Selection dock: what is chosen in a card is listed, and opened in Replay."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.results.breakdown_columns import (
    BreakdownColumns,
    load_breakdown,
    mask_for,
    pair_rows,
    selection_rows,
    worst_first,
)
from stepscope.app.gui.features.results.breakdown_presenter import pair_counts, parts_of, words_of
from stepscope.app.gui.features.results.results_controller import ResultsController
from stepscope.app.gui.features.results.run_results import Results, still_there
from stepscope.app.gui.features.results.web_breakdown import WebReader
from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import AnnotationsChanged, RunsChanged
from stepscope.app.gui.shell.picture_prefetcher import STEP_THUMBNAIL
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.errors import UsageError, UserError
from stepscope.core.progress import CancelToken
from stepscope.widgets.common import run_letter
from stepscope.widgets.results.breakdown_pages import Breakdown
from stepscope.widgets.results.rule_bar import COMPARE
from stepscope.widgets.scores.breakdown_values import (
    CriterionText,
    Interval,
    ItemPairRow,
    RunScore,
    SelectionDetails,
    SelectionListRow,
)

if TYPE_CHECKING:
    from stepscope.app.gui.features.results.run_results import Baseline, Results
    from stepscope.core.domain.run import Run
    from stepscope.core.scoring.paired_tests import Difference
    from stepscope.core.store.columns import RunColumns
    from stepscope.core.store.engine import Database
    from stepscope.widgets.results.results_view import ResultsView
    from stepscope.widgets.results.selection import SelectionPanel
    from stepscope.widgets.screen import ScreenPicture

KEPT_COLUMNS = 4
"""Runs whose columns stay in memory."""
DOCK = "selection"


class BreakdownController(QObject):
    """`loaded` is what the cards show; `keys` is what is chosen in them."""

    replay_requested = Signal(object)
    """an ItemKey of the current run"""
    export_wanted = Signal(object, str)
    """ids of the selected predictions, and how they were chosen"""
    shown = Signal()
    selected = Signal()
    """something else is chosen in the cards"""

    def __init__(self, context: Context, view: ResultsView, panel: SelectionPanel, results: ResultsController) -> None:
        super().__init__(context)
        self._context, self._results = context, results
        self._view, self._panel = view, panel
        self._kept: OrderedDict[tuple[str, int | None, int], RunColumns] = OrderedDict()
        self._web = WebReader()
        self._request = 0
        self.loaded: BreakdownColumns | None = None
        self.keys: tuple[object, ...] = ()
        self._places: Any = np.zeros(0, np.intp)
        self._order: Any = np.zeros(0, np.intp)
        self._current: ItemKey | None = None
        self._connect()

    def _connect(self) -> None:
        view, panel = self._view, self._panel
        self._results.shown.connect(self.reload)
        view.chosen.connect(self.choose)
        view.opened.connect(self.open)
        view.defects_toggled.connect(self._results.set_without_defects)
        panel.page_wanted.connect(self._read_rows)
        panel.thumbnail_wanted.connect(self._fetch_thumbnail)
        panel.criteria_changed.connect(lambda left: self.select(tuple(one.key for one in left)))
        panel.opened.connect(self.replay_requested)
        panel.shown.connect(self._became_current)
        panel.replay_requested.connect(self._open_first)
        panel.export_requested.connect(self._export)
        panel.compare_requested.connect(lambda: view.show_page(COMPARE))
        panel.closed.connect(lambda: self._context.workspaces.hide_dock(DOCK))
        view.compare.page_wanted.connect(self._read_pairs)
        view.compare.opened.connect(self.replay_requested)
        view.compare.run_chosen.connect(self._results.compare_with)
        view.page_shown.connect(self._compare_others)
        self._context.events.on(RunsChanged, lambda _: self._kept.clear())  # scores may be others than they were
        self._context.events.on(RunsChanged, lambda _: self._web.forget())
        self._context.events.on(AnnotationsChanged, self._annotations_changed)
        view.run_opened.connect(self._results.choose)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"run.compare": self._compare}

    def _compare(self) -> None:
        """The shown run against the next one with a letter."""
        self._context.workspaces.set_workspace("results")
        self._view.show_page(COMPARE)
        self._view.focus_page()

    # Cards -----------------------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """The cards for what the results show now."""
        found = self._results.results
        if found is None:
            return
        self._request += 1
        request = self._request

        def ask(database: Database) -> BreakdownColumns | None:
            try:
                return self._load(database, found)
            except UsageError:
                if still_there(database, found.run.id):
                    raise
                return None  # another program has deleted it

        def answer(loaded: BreakdownColumns | None) -> None:
            if loaded is not None and request == self._request:
                self._show(loaded, found)

        self._context.query("break results down", ask, answer)

    def _load(self, database: Database, found: Results) -> BreakdownColumns:
        """Load the columns in the reader lane: from the store once, then out of memory."""
        columns = self._columns(database, found.run.id, found.scoring_id, found.run.done)
        other, second = None, None
        if found.baseline is not None and found.baseline.comparison is not None:
            scoring = _scoring_of(database, found.baseline.run, found)
            other = self._columns(database, found.baseline.run, scoring, found.baseline.comparison.n_common)
            second = self._letter(found.run, found.baseline.run)
        letters = (self._letter(found.run) or 0, second)
        without = self._results.without_defects

        web = self._web.of(database, found, columns, self._results.letters_of(found.run))
        return load_breakdown(database, found.run, columns, other, without_defects=without, letters=letters, web=web)

    def _columns(self, database: Database, run: str, scoring: int | None, done: int) -> RunColumns:
        from stepscope.core.store.columns import load_columns

        key = (run, scoring, done)
        columns = self._kept.get(key)
        if columns is None:
            columns = self._kept[key] = load_columns(database, run, scoring)
            while len(self._kept) > KEPT_COLUMNS:
                self._kept.popitem(last=False)
        return columns

    def _letter(self, shown: Run, other: str = "") -> int | None:
        """The number of a run's letter beside the shown run, by default of that one."""
        return self._results.letters_of(shown).get(other or shown.id)

    def _show(self, loaded: BreakdownColumns, found: Results) -> None:
        another = self.loaded is None or self.loaded.run.id != loaded.run.id
        self.loaded = loaded
        self._view.set_breakdown(loaded.breakdown)
        self._view.rule_bar.set_defects(loaded.defective, left_out=loaded.left_out)
        if loaded.left_out and not loaded.defective:  # the last defect was taken back
            self._results.set_without_defects(False)
            return
        self._show_comparison(loaded, found)
        self.select(() if another else self.keys, keep=not another)
        self.shown.emit()

    def clear(self) -> None:
        """Show no run."""
        self.loaded = None
        self._view.set_breakdown(Breakdown())
        self.select(())

    # Comparison ------------------------------------------------------------------------------------------------------

    def _show_comparison(self, loaded: BreakdownColumns, found: Results) -> None:
        """The shown run against its baseline, and, while the page is in view, against every other run with a letter."""
        baseline, view = found.baseline, self._view.compare
        if loaded.versus is None or baseline is None or baseline.comparison is None:
            view.set_runs(())
            view.set_counts(None)
            return
        letters = self._letter(found.run) or 0, self._letter(found.run, baseline.run) or 0
        gap = main_gap(found, baseline)
        test = "McNemar's test" if gap.test == "mcnemar" else "paired bootstrap"
        view.set_runs(self._scores(found, baseline))
        view.set_counts(pair_counts(loaded.versus, letters, loaded.noun, test))
        self._order = loaded.versus.by_difference()
        view.set_total(len(self._order))
        self._compare_others(self._view.page)

    def _compare_others(self, page: str) -> None:
        found = self._results.results
        if page != COMPARE or found is None or found.baseline is None or len(self._results.letters_of(found.run)) < 3:
            return
        baseline, without = found.baseline, self._results.without_defects
        if baseline.comparison is None:
            return
        runs = [run for run in self._results.others() if run not in (found.run.id, baseline.run)]

        def ask(database: Database) -> list[Baseline]:
            from stepscope.app.gui.features.results.run_results import baselines
            from stepscope.core.store.repositories import runs as stored

            try:
                with database.reading() as db:
                    base = stored.get(db, baseline.run)
            except UsageError:  # deleted in this moment
                return []
            return list(baselines(database, base, runs, found.scorings[found.rule], without_defects=without))

        def answer(others: list[Baseline]) -> None:
            if self._results.results is found:
                self._view.compare.set_runs(self._scores(found, baseline, others))

        self._context.query("compare runs", ask, answer)

    def _scores(self, found: Results, baseline: Baseline, others: Sequence[Baseline] = ()) -> list[RunScore]:
        """The baseline, then the shown run and the others: each with what it has more than the baseline, as in the
        table of metrics. In `others` the baseline stands first in each comparison."""
        gap, own = main_gap(found, baseline), found.run.id
        lower = bool(found.info and gap.metric in found.info.lower_is_better)

        def row(
            run: str,
            name: str,
            score: float | None,
            difference: float | None = None,
            interval: Interval | None = None,
            p: float | None = None,
        ) -> RunScore:
            letter = self._letter(found.run, run) or 0
            return RunScore(letter, name, score, run, difference, interval, p, lower_is_better=lower)

        rows = [
            row(baseline.run, self._results.name_of(baseline.run), gap.b),
            row(own, self._results.name_of(own), gap.a, gap.difference, gap.ci, gap.p),
        ]
        for one in others:
            if one.comparison is not None:
                gap = main_gap(found, one)
                difference = None if gap.difference is None else -gap.difference
                interval = (-gap.ci[1], -gap.ci[0]) if gap.ci else None
                rows.append(row(one.run, self._results.name_of(one.run), gap.b, difference, interval, gap.p))
        return rows

    def _read_pairs(self, offset: int, limit: int) -> None:
        loaded, model = self.loaded, self._view.compare.model
        if loaded is None or loaded.versus is None:
            return
        generation, wanted = model.generation, self._order[offset : offset + limit]

        def answer(rows: list[ItemPairRow]) -> None:
            self._view.compare.set_page(offset, rows, generation)

        self._context.query("read pairs", lambda database: pair_rows(database, loaded, wanted), answer)

    # Selection -------------------------------------------------------------------------------------------------------

    def choose(self, key: object) -> None:
        """A cell, bar or point was chosen: list the items behind it; the same again lists none."""
        keys = parts_of(key)
        if keys == self.keys:
            self.select(())
            return
        self.select(keys)
        if self._context.workspaces.is_dock_hidden(DOCK):
            self._context.workspaces.show_dock(DOCK)

    def open(self, key: object) -> None:
        """List the items behind a cell, bar or point, and show the first of them in Replay."""
        self.select(parts_of(key))
        self._current = None
        self._open_first()

    def step_of(self, key: ItemKey) -> int:
        """The step at which an item is looked at: of an answer about a whole episode the one of its heaviest
        evidence."""
        loaded = self.loaded
        if key.step >= 0 or loaded is None or loaded.run.spec.task is not Task.FEASIBILITY:
            return key.step
        columns = loaded.columns
        if key.episode not in columns.episodes:
            return key.step
        here = np.flatnonzero(columns.episode == columns.episodes.index(key.episode))
        return int(columns.said.step[here[0]]) if len(here) else key.step

    def select(self, keys: Sequence[object], *, keep: bool = False) -> None:
        """List the items that all the keys stand for; `keep` the place in the list where it is the same selection."""
        if self.keys != tuple(keys):
            self.keys = tuple(keys)
            self.selected.emit()
        loaded = self.loaded
        self._view.set_chosen(_whole(self.keys))
        if loaded is None or not self.keys:
            self._places = np.zeros(0, np.intp)
            self._panel.set_selection(SelectionDetails(noun=loaded.noun if loaded else "episode"))
            return
        places = worst_first(loaded, np.flatnonzero(mask_for(loaded, self.keys)))
        same = keep and np.array_equal(places, self._places)
        self._places = places
        if same:
            self._panel.mark_stale()
            return
        self._panel.set_selection(self._details(loaded))

    def _details(self, loaded: BreakdownColumns) -> SelectionDetails:
        second = self._results.results.baseline if self._results.results else None
        own = run_letter(self._letter(loaded.run) or 0)
        other = self._letter(loaded.run, second.run) if second is not None else None
        letters = (own, run_letter(other) if other is not None else "B")
        criteria = tuple(CriterionText(words, key) for key in self.keys for words in words_of(key, letters)[:1])
        return SelectionDetails(
            total=len(self._places),
            noun=loaded.noun,
            criteria=criteria,
            compare=f"Compare {letters[0]} and {letters[1]}" if other is not None else "",
            confidence="P(infeasible)" if loaded.run.spec.task is Task.FEASIBILITY else "Confidence",
            run=self._letter(loaded.run) or 0,
        )

    def _read_rows(self, offset: int, limit: int) -> None:
        loaded, generation = self.loaded, self._panel.model.generation
        if loaded is None:
            return
        wanted = self._places[offset : offset + limit].tolist()

        def answer(rows: list[SelectionListRow]) -> None:
            self._panel.set_page(offset, rows, generation)

        self._context.query("read selection", lambda database: selection_rows(database, loaded, wanted), answer)

    def _became_current(self, key: ItemKey) -> None:
        self._current = key

    @property
    def current(self) -> ItemKey | None:
        """The item whose row is current in the Selection dock."""
        return self._current if len(self._places) else None

    def _export(self) -> None:
        """The selected items as a file."""
        if self.loaded is not None and len(self._places):
            words = ", ".join(word for key in self.keys for word in words_of(key))
            self.export_wanted.emit(tuple(self.loaded.columns.row[self._places].tolist()), words)

    def spots(self) -> list[AnnotationTarget]:
        """What keys for stars, notes and defects are about in the results: the current row."""
        if self.loaded is None or self.current is None:
            return []
        episode, step = self.current.episode, self.current.step
        return [AnnotationTarget(self.loaded.run.spec.source, episode, step if step >= 0 else None)]

    def _annotations_changed(self, event: AnnotationsChanged) -> None:
        """Read what annotations change again: stars and defects of the rows, and the scores without defects."""
        if self.loaded is None or self.loaded.run.spec.source != event.source:
            return
        self._panel.mark_stale()
        self._results.reload()

    def _open_first(self) -> None:
        """Replay at the current row, or at the first."""
        loaded = self.loaded
        if loaded is None or not len(self._places):
            return
        columns = loaded.columns
        first = int(self._places[0])
        key = self.current or ItemKey(columns.episodes[columns.episode[first]], int(columns.step[first]))
        self.replay_requested.emit(key)

    # Pictures --------------------------------------------------------------------------------------------------------

    def _fetch_thumbnail(self, key: ItemKey) -> None:
        """A small picture of the item's step, out of the open data."""
        source, loaded = self._context.selection.source, self.loaded
        if source is None or loaded is None or str(source.source.path) != loaded.run.spec.source:
            return
        cache, panel = self._context.thumbnails, self._panel

        def small(_token: CancelToken) -> ScreenPicture | None:
            try:
                episode = source.source.read(key.episode)
                picture = episode.shown_at(max(episode.position_of(key.step), 0))
                return cache.get(picture, STEP_THUMBNAIL) if picture is not None else None
            except UserError:
                return None  # told when the person opens it

        def arrived(found: ScreenPicture | None) -> None:
            panel.set_thumbnail(key, found.image if found is not None else None)

        self._context.start("thumbnail", small, arrived, priority=-1)


def main_gap(found: Results, baseline: Baseline) -> Difference:
    """The difference in the metric that stands for the protocol."""
    assert baseline.comparison is not None
    gaps = baseline.comparison.differences
    main = found.info.main_of({gap.metric: gap.a for gap in gaps}) if found.info else ""
    return next((gap for gap in gaps if gap.metric == main), gaps[0])


def _whole(keys: tuple[object, ...]) -> object:
    """The key that a card knows, out of those that can be taken away one by one."""
    from stepscope.core.evaluation.breakdown import ItemSelection

    parts = [key for key in keys if isinstance(key, ItemSelection)]
    if parts and len(parts) == len(keys):
        return ItemSelection(tuple(criterion for part in parts for criterion in part.criteria))
    return keys[0] if len(keys) == 1 else None


def _scoring_of(database: Database, run: str, found: Results) -> int | None:
    """The other run's scores under the rule that is shown; None for its own rule."""
    from stepscope.core.evaluation.rules import stored_scoring

    with database.reading() as db:
        known = stored_scoring(db, run, found.scorings[found.rule])
    return None if known is None or known.own else known.id
