"""The compare workspace: the shown runs against their base, and the steps on which two of them differ.

Nothing is read while another workspace is in front.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.compare.presenter import (
    apart_words,
    can_rescore,
    counts_of,
    difference_rows,
    filter_words,
    menus_of,
    note_of,
    run_rows,
)
from stepscope.app.gui.features.compare.run_comparison import (
    CELLS,
    DIFFERS,
    BaselineComparison,
    RunPair,
    StepsOf,
    load_compared,
    load_pair,
    summaries,
)
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsChanged, RunsListed
from stepscope.app.gui.shell.ports import RunCatalog, ShowItem
from stepscope.app.gui.shell.run_words import names_of, source_name
from stepscope.app.services.provenance import runs_badge
from stepscope.core.domain.run import ItemKey
from stepscope.widgets import format as words
from stepscope.widgets.compare import DifferenceRow
from stepscope.widgets.screen import ScreenView

if TYPE_CHECKING:
    from stepscope.core.store.columns import RunColumns
    from stepscope.core.store.engine import Database
    from stepscope.widgets.compare import ComparePanel, CompareScreens

NAME = "compare"
KEPT_COLUMNS = 16
"""Columns that stay in memory: eight runs under two rules."""
MANY = 50_000
"""Items from which on everything is shown before the intervals, whose draws take most of the time."""
Found = tuple[BaselineComparison | None, RunPair | None]


class CompareController(QObject):
    """`compared` and `pair` are what is shown, None for nothing."""

    taken = Signal()
    """other runs, or other scores of them, are compared"""
    changed = Signal()
    """the person chose another base, pair or cell"""
    filter_wanted = Signal(str)
    """the episodes are to be filtered by this"""

    def __init__(
        self,
        context: Context,
        panel: ComparePanel,
        centre: CompareScreens,
        runs: RunCatalog,
        show_item: ShowItem,
    ) -> None:
        super().__init__(context)
        self._context, self._runs, self._show_item = context, runs, show_item
        self._panel, self._centre = panel, centre
        self.compared: BaselineComparison | None = None
        self.pair: RunPair | None = None
        self._kept: OrderedDict[tuple[str, int | None, int], RunColumns] = OrderedDict()
        self._base, self._wanted_pair, self._cell = "", ("", ""), DIFFERS
        self._request = 0
        self._stale = True
        self._connect()

    def _connect(self) -> None:
        panel, selection, context = self._panel, self._context.selection, self._context
        context.workspaces.workspace_changed.connect(lambda _name: self._come_into_view())
        context.events.while_shown(
            NAME, RunsChanged, lambda _: self._kept.clear()
        )  # scores may be others than they were
        hear = partial(context.events.signal_while_shown, NAME)
        for changed in (selection.runs_changed, selection.rule_changed):
            hear(changed, self.reload)
        context.events.while_shown(NAME, RunsListed, lambda _: self.reload())
        hear(selection.step_changed, self._mark_row)
        panel.run_added.connect(selection.show_run)
        panel.run_removed.connect(selection.hide_run)
        panel.run_chosen.connect(self._pair_with_base)
        panel.base_chosen.connect(self.set_base)
        panel.pair_chosen.connect(self.set_pair)
        panel.cell_chosen.connect(self.choose_cell)
        panel.shown.connect(self.open_step)
        panel.opened.connect(self._open_and_look)
        panel.page_wanted.connect(self._read_rows)
        panel.filter_wanted.connect(lambda: self.filter_wanted.emit(self.filter_words))
        self._centre.second_wanted.connect(panel.open_add_menu)
        self._centre.next_clicked.connect(lambda: self.difference(1))

    def own_keys(self) -> dict[str, Callable[[], object]]:
        """What keys do while this workspace is in front."""
        centre = self._centre
        return {
            "wrong.next": lambda: self.difference(1),
            "wrong.previous": lambda: self.difference(-1),
            "zoom.in": lambda: centre.zoomed(ScreenView.zoom_in),
            "zoom.out": lambda: centre.zoomed(ScreenView.zoom_out),
            "zoom.fit": lambda: centre.zoomed(ScreenView.toggle_fit),
            "zoom.full": lambda: centre.zoomed(ScreenView.actual_size),
            "zoom.marks": lambda: centre.zoomed(ScreenView.zoom_to_marks),
            "zoom.loupe": lambda: centre.zoomed(lambda screen: screen.pin_loupe(not screen.is_loupe_pinned)),
        }

    @property
    def is_in_front(self) -> bool:
        return self._context.workspaces.workspace == NAME

    @property
    def filter_words(self) -> str:
        """The steps of the list in the filter language."""
        if self.pair is None:
            return ""
        return filter_words(self.pair, self._cell, self._context.selection.runs)

    # Loading ---------------------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Compare the shown runs anew; once the workspace is in front, when it is not."""
        self._stale = True
        if not self.is_in_front or self._context.database is None:
            return
        self._stale = False
        self._request += 1
        request, runs, rule = self._request, self._context.selection.runs, self._context.selection.rule
        self._show_menus()
        if not runs:
            self.compared = self.pair = None
            self._panel.set_runs(())
            self._show_too_few()
            return
        base = self._base if self._base in runs else next(iter(runs))
        wanted, without = self._wanted_pair, self._runs.without_defects

        def ask(database: Database) -> Generator[Found, None, Found]:
            columns_of, load = self.columns_of(database), partial(load_compared, without_defects=without)
            found = load(database, tuple(runs), base, rule, columns_of, draws=0)
            pair = None
            if found is not None and found.others():
                chosen = wanted if set(wanted) <= found.columns.keys() else (base, found.others()[0])
                pair = load_pair(database, found, *sorted(chosen, key=runs.__getitem__))
                if found.columns[base].n >= MANY:
                    yield found, pair
                found = load(database, tuple(runs), base, rule, columns_of)
            return found, pair

        def answer(found: Found) -> None:
            if request == self._request:
                self._take(*found)

        task = self._context.query("compare runs", ask, answer, priority=1)
        if task is not None:
            task.progressed.connect(answer)

    def columns_of(self, database: Database) -> Callable[[str, int | None, int], RunColumns]:
        """Columns from the store once, then out of memory; for the reader lane."""

        def of(run: str, scoring: int | None, done: int) -> RunColumns:
            from stepscope.core.store.columns import load_columns

            key = (run, scoring, done)
            columns = self._kept.get(key)
            if columns is None:
                columns = self._kept[key] = load_columns(database, run, scoring, index=False)
                while len(self._kept) > KEPT_COLUMNS:
                    self._kept.popitem(last=False)
            return columns

        return of

    def _come_into_view(self) -> None:
        left_out = self.compared is not None and self.compared.left_out
        if self.is_in_front and (self._stale or left_out != self._runs.without_defects):
            self.reload()

    def _take(self, compared: BaselineComparison | None, pair: RunPair | None) -> None:
        if compared is not None and pair is not None and pair is self.pair:
            self.compared = compared  # the same once more, with its intervals
            self._show_runs(compared)
            return
        self.compared, self.pair = compared, pair
        if compared is None:
            self._panel.set_runs(())
            self._panel.show_none("apart", "Nothing to compare", "No item of the base is done yet.")
        else:
            self._show_runs(compared)
            if len(compared.standings) < 2:
                self._show_too_few()
                return
            if pair is None:
                why, rule = apart_words(compared, self._context.selection.runs), self._context.selection.rule.id
                can = can_rescore(compared, rule)
                self._panel.show_none("apart", "These runs cannot be compared", why, can_rescore=can)
            else:
                self._show_pair(compared, pair)
        self.taken.emit()

    def _show_too_few(self) -> None:
        self._panel.show_none("second" if self._runs.run_ids else "runs")
        self.taken.emit()

    # Runs ------------------------------------------------------------------------------------------------------------

    def number(self, run: str) -> int:
        """0 for A; runs that are shown no more count as A."""
        return self._context.selection.runs.get(run, 0)

    def names(self) -> dict[str, str]:
        """Names of the shown runs, as far as they are listed yet."""
        shown = [run for run in map(self._runs.run_of, self._context.selection.runs) if run is not None]
        return names_of(shown, short=True)

    def _doubts(self) -> dict[str, str]:
        """Why the places of shown runs may be misread."""
        shown = [run for run in map(self._runs.run_of, self._context.selection.runs) if run is not None]
        return {run.id: self._runs.doubt_of(run) for run in shown}

    def _show_runs(self, compared: BaselineComparison) -> None:
        base, shown = compared.base, self._context.selection.runs
        detail = f"{source_name(base)}, {words.counted(compared.columns[base.id].n, compared.noun)}"
        self._panel.set_runs(
            run_rows(compared, shown, self.names(), self._doubts()),
            detail,
            note_of(compared, shown),
            badge=runs_badge([one.run for one in compared.standings]),
            can_rescore=bool(compared.others()) and can_rescore(compared, self._context.selection.rule.id),
        )

    def _show_menus(self) -> None:
        shown = [run for run in map(self._runs.run_of, self._context.selection.runs) if run is not None]
        base = next((run for run in shown if run.id == self._base), shown[0] if shown else None)
        letters = self._context.selection.runs
        self._panel.set_menus(menus_of(shown, letters, self._runs.runs(), base, self.pair, self._comparable()))

    def _comparable(self) -> list[str]:
        """The runs that stand in the comparison, by letter."""
        found = self.compared.columns if self.compared else {}
        return [run for run in self._context.selection.runs if run in found]

    def set_base(self, run: str) -> None:
        """Hold all others against this run; two by two is about it and what it was compared with."""
        self._base = run
        if run not in self._wanted_pair:
            self._wanted_pair = ("", "")
        self.reload()
        self.changed.emit()

    def set_pair(self, pair: tuple[str, str]) -> None:
        """The runs that two by two is about."""
        self._wanted_pair = pair
        self.reload()
        self.changed.emit()

    def _pair_with_base(self, run: str) -> None:
        if self.compared is not None and run in self.compared.columns and run != self.compared.base.id:
            self.set_pair((self.compared.base.id, run))

    # Two by two ------------------------------------------------------------------------------------------------------

    def _show_pair(self, compared: BaselineComparison, pair: RunPair) -> None:
        names = self.names()
        self._panel.set_counts(
            counts_of(compared, pair, self._context.selection.runs), (names.get(pair.a, ""), names.get(pair.b, ""))
        )
        self._show_menus()
        self._show_steps()

    def choose_cell(self, which: str) -> None:
        """List the steps of a cell; the same again lists all on which the two differ."""
        self._cell = DIFFERS if which == self._cell else which
        self._show_steps()
        self.changed.emit()

    @property
    def steps(self) -> StepsOf | None:
        """The steps of the list."""
        return self.pair.steps(self._cell) if self.pair else None

    def _show_steps(self) -> None:
        steps = self.steps
        if steps is not None:
            self._panel.set_steps(len(steps), self.filter_words, None if self._cell == DIFFERS else self._cell)
            self._mark_row()

    def _read_rows(self, offset: int, limit: int) -> None:
        compared, pair, steps = self.compared, self.pair, self.steps
        if compared is None or pair is None or steps is None:
            return
        generation, panel = self._panel.model.generation, self._panel
        page = range(offset, min(offset + limit, len(steps)))
        shown = [(self.number(run), run) for run in self._comparable()]

        def ask(database: Database) -> list[DifferenceRow]:
            about = summaries(database, compared.base.spec.source, [steps.key(place) for place in page])
            return difference_rows(about, pair, compared.columns, steps, page, shown)

        self._context.query("read differences", ask, lambda rows: panel.set_page(offset, rows, generation), priority=1)

    # Steps -----------------------------------------------------------------------------------------------------------

    def difference(self, way: int) -> None:
        """The next (1) or previous (-1) step of the list, seen from the step that is shown."""
        steps, selection = self.steps, self._context.selection
        if steps is None:
            return
        here = selection.episode.id if selection.episode else ""
        place = steps.next_to(here, selection.step.index if selection.step else -1, way)
        if place < 0:
            self._context.messages.done(f"No difference {'after' if way > 0 else 'before'} this one.")
        else:
            self.open_step(steps.key(place))

    def open_step(self, key: ItemKey) -> None:
        """Show a step of the runs' data here, on all screens."""
        if self.compared is not None:
            self._show_item(self.compared.base.spec.source, key.episode, max(key.step, 0))

    def _open_and_look(self, key: ItemKey) -> None:
        self.open_step(key)
        self._centre.focus_screen()

    def _mark_row(self) -> None:
        """The row of the step that is shown."""
        steps, selection = self.steps, self._context.selection
        if steps is None or not self.is_in_front or selection.episode is None or selection.step is None:
            return
        place = steps.place_of(selection.episode.id, selection.step.index)
        if place != self._panel.list.currentIndex().row():
            self._panel.choose(place)

    # Session ---------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What was compared, in plain JSON values."""
        return {"base": self._base, "pair": list(self._wanted_pair), "cell": self._cell}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Bring back what `state` told; what makes no sense any more is left aside."""
        pair: Sequence[Any] = state.get("pair") or ()
        self._base = str(state.get("base") or "")
        self._wanted_pair = (str(pair[0]), str(pair[1])) if len(pair) == 2 else ("", "")
        self._cell = state["cell"] if state.get("cell") in CELLS else DIFFERS
        self.reload()
