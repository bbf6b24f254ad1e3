"""The list of episodes: what the filter leaves, its order and groups, its rows by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from stepscope.app.gui.features.library.presenter import episode_row, group_of
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import AnnotationsChanged, CausesFound, EpisodesListed, RunsChanged
from stepscope.app.gui.shell.run_letters import LETTERS, RunLetters
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.core.domain.filter import EVERYTHING, FIELDS, FilterError, Query, needs_details, terms
from stepscope.core.domain.filter_parser import parse
from stepscope.core.lazy import lazy_module
from stepscope.widgets.library import EpisodeGroup, EpisodeGrouping, EpisodeListRow, EpisodeSort, ListOrder, RowPart
from stepscope.widgets.library import FilterProblem as ShownFilterError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.core.scoring.named_rules import MatchingRule
    from stepscope.core.store import sorting
    from stepscope.core.store.engine import Database
    from stepscope.core.store.filter_search import FilterResult
    from stepscope.core.store.sorting import ListSort, SortedEpisodes
    from stepscope.widgets.library import EpisodesView
else:
    sorting = lazy_module("stepscope.core.store.sorting")

SAID = ("star", "checked", "note", "tag", "defect")
"""Fields of the filter that ask for what people said."""
OF_CALLS = ("tokens", "cost", "retries")
"""Fields of the filter that ask what a run's answers took."""
OF_RUNS = ("wrong", "right", "malformed", "unscored", "differs", "conf", "dist", "latency", "flips", "cause", *OF_CALLS)
"""Fields of the filter that ask what shown runs did."""


@dataclass(frozen=True, eq=False)
class FilteredListing:
    """The list for a filter, worked out off the GUI thread as far as it goes: the place of each episode, and whether
    the list is `before` with more behind it."""

    filter: str
    listing: SortedEpisodes
    places: dict[str, int]
    before: tuple[str, ...]
    grown: bool


class ListController(QObject):
    """`listed` fires when the filtered list of ids is new."""

    listed = Signal()

    def __init__(self, context: Context, view: EpisodesView) -> None:
        super().__init__(context)
        self._context, self._view = context, view
        self.query: Query = EVERYTHING
        self.filter_text = self.shown_filter = ""
        """the filter that was asked for last, and that of the list that is shown"""
        self.order = ListOrder()
        self.grouping = EpisodeGrouping.NONE
        self.ids: tuple[str, ...] = ()
        self._groups: tuple[EpisodeGroup, ...] = ()
        self.found: FilterResult | None = None
        """what the filter found, with the steps that it meant"""
        self._place: dict[str, int] = {}
        self._request = 0
        self._gone_at = 0
        """where the shown episode stood when something said about it took it out of the list"""
        self._asking = self._outdated = False
        """a list is on its way; it is not the newest any more"""
        self._connect()

    def _connect(self) -> None:
        view, selection = self._view, self._context.selection
        view.page_wanted.connect(self._read_page)
        view.filter_changed.connect(self.set_filter)
        view.order_changed.connect(self.set_order)
        view.grouping_changed.connect(self.set_grouping)
        selection.runs_changed.connect(self._runs_changed)
        selection.episode_changed.connect(self._mark_current)
        self._context.events.on(AnnotationsChanged, self._annotations_changed)
        self._context.events.on(CausesFound, lambda _event: self.relist() if self._asks_for("cause") else None)
        self._context.events.on(RunsChanged, lambda _: self.refresh_verdicts())
        selection.rule_changed.connect(self.refresh_verdicts)
        self._take_preferences()

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "filter.episodes": self._focus_filter,
            "list.order": self._open_orders,
            "filter.clear": lambda: self.set_filter("", tell_view=True),
            "episode.next": lambda: self._step_episode(1),
            "episode.previous": lambda: self._step_episode(-1),
        }

    # The source ------------------------------------------------------------------------------------------------------

    def begin(self, source: OpenSource | None) -> None:
        """List another source, without a filter."""
        self.query, self.filter_text, self.shown_filter, self._gone_at = EVERYTHING, "", "", 0
        self._view.set_filter("")
        self._context.conditions.set("filtered", False)
        self.ids, self._place, self._groups, self.found = (), {}, (), None
        self._view.set_counts(0, source.episodes if source else 0)

    def grow(self) -> None:
        """List what more is known of the current source."""
        if self._asking:
            self._outdated = True
        else:
            self.relist()

    def complete(self, source: OpenSource) -> None:
        """Rows that are listed already say more, and more may pass a filter over what is inside them."""
        self._view.mark_stale(len(self.ids), source.episodes)
        if needs_details(self.query):
            self.grow()

    # The list --------------------------------------------------------------------------------------------------------

    def runs_by_letter(self) -> dict[str, str]:
        return {LETTERS[number]: run for run, number in self._context.selection.runs.items()}

    def relist(self, first: bool = False) -> None:
        """Ask for the ids that the filter leaves, in order; `first` opens the first episode."""
        source = self._context.selection.source
        if source is None:
            return
        self._request += 1
        request = self._request
        ask = self.question(source)

        def answer(answered: FilteredListing) -> None:
            if request == self._request:
                self._show_list(answered, first)

        def ended() -> None:
            if request == self._request:
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

    def question(self, source: OpenSource) -> Callable[[Database], FilteredListing]:
        """What is asked of the store for the list as it is chosen now."""
        query, text, runs, before = self.query, self.filter_text, self.runs_by_letter(), self.ids
        order, grouping, shown = self.order, self.grouping, self._context.selection.runs

        def ask(database: Database) -> FilteredListing:
            from stepscope.app.services.error_causes import filter_causes
            from stepscope.app.services.prices import filter_prices
            from stepscope.app.services.rescoring import filter_rules

            group: Any = None if grouping is EpisodeGrouping.NONE else grouping.value
            sort = stored_order(order, shown)
            with database.reading() as db:
                rules, prices = filter_rules(query), filter_prices(query)
                causes = filter_causes(query)
                found = sorting.listing(db, source.id, query, sort, runs, rules, group, prices, causes)
            places = {episode: place for place, episode in enumerate(found.ids)}
            return FilteredListing(text, found, places, before, bool(before) and found.ids[: len(before)] == before)

        return ask

    def _show_list(self, answered: FilteredListing, first: bool) -> None:
        source, found = self._context.selection.source, answered.listing
        if source is None:
            return
        grown = answered.grown and answered.before is self.ids
        was_listed = self._is_current_listed
        self.ids, self._place, self.shown_filter = found.ids, answered.places, answered.filter
        self.found = found.found
        self._groups = tuple(group_of(self.grouping, key, count) for key, count in found.groups)
        self._view.set_matched_steps(self._steps_found(), found.found.unread)
        self._view.set_filter_error(None)
        if grown and not first:
            self._view.mark_stale(len(self.ids), source.episodes, self._groups)
        else:
            self._view.set_counts(len(self.ids), source.episodes, self._groups)
        if not grown or first or self._is_current_listed > was_listed:
            self._mark_current()
        self.listed.emit()
        self._context.events.publish(EpisodesListed())

    def steps_of(self, episode: str) -> tuple[int, ...]:
        """Indices of the steps that the filter means in an episode."""
        return self.found.steps_of(episode) if self.found is not None else ()

    def found_steps(self) -> int:
        """How many steps the filter means, 0 where it asks about none."""
        return self._steps_found() or 0

    def _steps_found(self) -> int | None:
        """How many steps the filter meant, if it asks about steps."""
        asked = any(FIELDS[term.field].of_step for term in terms(self.query))
        return self.found.steps if self.found is not None and asked else None

    @property
    def _is_current_listed(self) -> bool:
        episode = self._context.selection.episode
        return episode is not None and episode.id in self._place

    def _mark_current(self) -> None:
        episode = self._context.selection.episode
        if episode is not None:
            self._view.choose(self.position_of(episode.id))

    def position_of(self, episode_id: str) -> int:
        """Place in the list, -1 for an episode that the filter leaves out."""
        return self._place.get(episode_id, -1)

    def _read_page(self, offset: int, limit: int) -> None:
        source, rule = self._context.selection.source, self._context.selection.rule
        if source is None:
            return
        ids, runs = self.ids[offset : offset + limit], self._context.selection.runs
        generation = self._view.model.generation

        def ask(database: Database) -> list[EpisodeListRow]:
            with database.reading() as db:
                return _read_rows(db, source, ids, offset, runs, rule)

        self._context.query("read page", ask, lambda rows: self._view.set_page(offset, rows, generation), priority=1)

    # What changes elsewhere ------------------------------------------------------------------------------------------

    def _annotations_changed(self, event: AnnotationsChanged) -> None:
        """Read rows and filters again after annotations were written: rows show them, and filters may ask for them."""
        current = self._context.selection.source
        if current is not None and current.key == event.source:
            if self._asks_for(*SAID):
                episode = self._context.selection.episode
                place = self.position_of(episode.id) if episode else -1
                self._gone_at = place if place >= 0 else self._gone_at
                self.relist()
            self.refresh_verdicts()

    def refresh_verdicts(self) -> None:
        """Verdicts in the rows may be other ones now."""
        self._view.mark_stale(len(self.ids))

    def _runs_changed(self) -> None:
        self._view.set_runs(tuple(self._context.selection.runs.values()))
        if self.order.key.of_run or self.order.key is EpisodeSort.DISAGREEMENT or self._asks_for(*OF_RUNS):
            self.relist()
        self.refresh_verdicts()

    def _asks_for(self, *fields: str) -> bool:
        return any(term.field in fields for term in terms(self.query))

    # Filter, order, groups, parts ------------------------------------------------------------------------------------

    def set_filter(self, text: str, *, tell_view: bool = False) -> None:
        """Leave only what the filter says; a mistake keeps the last result and is shown in place."""
        if tell_view:
            self._view.set_filter(text)
        try:
            self.query = parse(text) if text.strip() else EVERYTHING
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

    def set_order(self, order: ListOrder) -> None:
        self.order = order
        self._view.set_order(order)
        self.relist()

    def set_grouping(self, grouping: EpisodeGrouping) -> None:
        """Put the list under headings, or take them away; kept for the next start."""
        self.grouping = grouping
        self._view.set_grouping(grouping)
        self._context.prefer(list_groups=grouping.value)
        self.relist()

    def show_part(self, part: RowPart, shown: bool) -> None:
        """Show this in the rows, or do not; kept for the next start."""
        before = set(self._context.preferences.list_parts)
        chosen = before | {part.value} if shown else before - {part.value}
        self._context.prefer(list_parts=tuple(known.value for known in RowPart if known.value in chosen))
        self._view.set_parts(RowPart(one) for one in self._context.preferences.list_parts)

    def fill_menu(self, menu: QMenu) -> None:
        """What the rows show, and folding of groups, for the menu of the list."""
        shown = self._context.preferences.list_parts
        parts = menu.addMenu("Show in the Rows")
        for part in RowPart:
            action = parts.addAction(part.words)
            action.setCheckable(True)
            action.setChecked(part.value in shown)
            action.toggled.connect(lambda on, part=part: self.show_part(part, on))
        if self._groups:
            menu.addAction("Fold All Groups").triggered.connect(lambda: self._view.fold_groups(True))
            menu.addAction("Unfold All Groups").triggered.connect(lambda: self._view.fold_groups(False))

    def _take_preferences(self) -> None:
        preferences = self._context.preferences
        known = [part.value for part in RowPart]
        self._view.set_parts(RowPart(one) for one in preferences.list_parts if one in known)
        if preferences.list_groups in [one.value for one in EpisodeGrouping]:
            self.grouping = EpisodeGrouping(preferences.list_groups)
            self._view.set_grouping(self.grouping)

    def _focus_filter(self) -> None:
        self._context.workspaces.show_dock("episodes")
        self._view.filter.line.setFocus()
        self._view.filter.line.selectAll()

    def _open_orders(self) -> None:
        self._context.workspaces.show_dock("episodes")
        self._view.sorting.open_menu()

    def _step_episode(self, by: int) -> None:
        if self.ids:
            now = self._view.current_position()
            if now < 0:  # the episode that is shown is filtered out: go on where it stood
                now = self._gone_at - (by > 0)
            self._view.go_to(min(max(now + by, 0), len(self.ids) - 1))


def stored_order(order: ListOrder, shown: RunLetters) -> ListSort:
    """The store's order among these runs."""
    key: Any = order.key.value
    every = order.key is EpisodeSort.DISAGREEMENT
    runs = tuple(run for run, number in shown.items() if every or number == order.run)
    match order.key:
        case EpisodeSort.DATA:
            return sorting.ListSort("position", order.turned)
        case EpisodeSort.STEPS | EpisodeSort.LABEL | EpisodeSort.DISAGREEMENT:
            return sorting.ListSort(key, not order.turned, runs)
        case _:
            return sorting.ListSort(key, order.turned, runs)


def _read_rows(
    db: Session, source: OpenSource, ids: Sequence[str], first: int, runs: RunLetters, rule: MatchingRule
) -> list[EpisodeListRow]:
    """Rows of these episodes, the first of which stands at place `first` of the list. Verdicts are those under the rule
    that is chosen where a run has such scores, else under the run's own."""
    from stepscope.core.evaluation.rules import scoring_of, whole_under
    from stepscope.core.store.queries import episodes, verdicts
    from stepscope.core.store.repositories.annotations import of_episodes

    found = episodes(db, source.id, ids)
    said = of_episodes(db, source.key, ids)
    scorings = whole_under(db, tuple(runs), scoring_of(rule.protocol, rule.options))
    judged = verdicts(db, tuple(runs), ids, scorings) if runs else {}
    return [
        episode_row(place, entry, runs, judged.get(entry.id, {}), said.get(entry.id, []), source.source.format)
        for place, entry in enumerate(found, start=first)
    ]
