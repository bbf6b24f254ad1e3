"""The list of episodes: what the filter leaves, its order and groups, its rows by page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from stepscope.app.gui.features.library.listed_sources import FilteredListing, ListedPart, ListedSources, RowsWanted
from stepscope.app.gui.features.library.presenter import distinct_names, episode_row, group_of
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
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

    from stepscope.core.evaluation import rules
    from stepscope.core.scoring.named_rules import MatchingRule
    from stepscope.core.store import sorting
    from stepscope.core.store.engine import Database
    from stepscope.core.store.filter_search import FilterResult
    from stepscope.core.store.sorting import ListSort
    from stepscope.widgets.library import EpisodesView
else:
    rules = lazy_module("stepscope.core.evaluation.rules")
    sorting = lazy_module("stepscope.core.store.sorting")

SAID = ("star", "checked", "note", "tag", "defect")
"""Fields of the filter that ask for what people said."""
OF_CALLS = ("tokens", "cost", "retries")
"""Fields of the filter that ask what a run's answers took."""
OF_RUNS = ("wrong", "right", "malformed", "unscored", "differs", "conf", "dist", "latency", "flips", "cause", *OF_CALLS)
"""Fields of the filter that ask what shown runs did."""
BY_VERDICTS = (EpisodeSort.FIRST_WRONG, EpisodeSort.DISAGREEMENT)
"""Orders that ask which steps are right and wrong."""


class ListController(QObject):
    """`listed` fires when the filtered list of ids is new. The list is that of the current source, or, `together`, of
    all that are open, one behind the other; `ids` are always those of the current source."""

    listed = Signal()

    def __init__(self, context: Context, view: EpisodesView) -> None:
        super().__init__(context)
        self._context, self._view = context, view
        self.query: Query = EVERYTHING
        self.filter_text = self.shown_filter = ""
        """the filter that was asked for last, and that of the list that is shown"""
        self.order = ListOrder()
        self.grouping = EpisodeGrouping.NONE
        self.together = False
        self.listed_sources = ListedSources()
        self._groups: tuple[EpisodeGroup, ...] = ()
        self._request = 0
        self._gone_at = 0
        """where the shown episode stood when something said about it took it out of the list"""
        self._asking = self._outdated = False
        """a list is on its way; it is not the newest any more"""
        self._growing = Debouncer(self, self._grow, light=True)
        self._connect()

    def _connect(self) -> None:
        view, selection = self._view, self._context.selection
        view.page_wanted.connect(self._read_page)
        view.filter_changed.connect(self.set_filter)
        view.order_changed.connect(self.set_order)
        view.grouping_changed.connect(self.set_grouping)
        selection.runs_changed.connect(self._runs_changed)
        selection.episode_changed.connect(self.mark_current)
        self._context.events.on(AnnotationsChanged, self._annotations_changed)
        self._context.events.on(CausesFound, lambda _event: self.relist() if self._asks_for("cause") else None)
        self._context.events.on(RunsChanged, lambda _: self._scores_changed())
        selection.rule_changed.connect(self._scores_changed)
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

    def _scope(self) -> tuple[OpenSource, ...]:
        """The sources that are listed."""
        current = self._context.selection.source
        if self.together and len(self._context.sources) > 1:
            return tuple(self._context.sources)
        return (current,) if current is not None else ()

    @property
    def is_together(self) -> bool:
        """Whether more than one source is listed."""
        return len(self._scope()) > 1

    def set_together(self, together: bool) -> None:
        """List all that is open, or the current source alone; the filter stays."""
        if together != self.together:
            self.together = together
            self.relist()

    @property
    def _part(self) -> ListedPart | None:
        """What is listed of the current source."""
        current = self._context.selection.source
        return self.listed_sources.of(current.key) if current is not None else None

    @property
    def ids(self) -> tuple[str, ...]:
        """The episodes of the current source that the filter leaves, in order."""
        return self._part.listing.ids if self._part is not None else ()

    @property
    def found(self) -> FilterResult | None:
        """What the filter found in the current source, with the steps that it meant."""
        return self._part.listing.found if self._part is not None else None

    def lists(self, source: OpenSource) -> bool:
        """Whether a source is part of the list that is shown, as it is now: one that was read anew is not yet."""
        part = self.listed_sources.of(source.key)
        return self.is_together and part is not None and part.source is source

    def begin(self, source: OpenSource | None) -> None:
        """List another source, without a filter; the list of all keeps its own."""
        if self.is_together and source is not None:
            return
        self.query, self.filter_text, self.shown_filter, self._gone_at = EVERYTHING, "", "", 0
        self._view.set_filter("")
        self._context.conditions.set("filtered", False)
        self.listed_sources, self._groups = ListedSources(), ()
        self._view.set_counts(0, source.episodes if source else 0)

    @property
    def is_asking(self) -> bool:
        """Whether a list is on its way from the store."""
        return self._asking or self._growing.is_waiting

    def grow(self) -> None:
        """List what more is known of the current source, not more often than anybody can see."""
        self._growing.ask()

    def _grow(self) -> None:
        if self._asking:
            self._outdated = True
        else:
            self.relist()

    def complete(self, source: OpenSource) -> None:
        """Rows that are listed already say more, and more may pass a filter over what is inside them."""
        self.listed_sources = self.listed_sources.with_fresh(source)
        self._view.mark_stale(self.listed_sources.total, self._open_episodes())
        if needs_details(self.query):
            self.grow()

    # The list --------------------------------------------------------------------------------------------------------

    def runs_by_letter(self) -> dict[str, str]:
        """The runs that are shown on the current source, by letter."""
        return _by_letter(self._context.selection.runs)

    def _open_episodes(self) -> int:
        return sum(source.episodes for source in self._scope())

    def relist(self, first: bool = False) -> None:
        """Ask for the ids that the filter leaves, in order; `first` opens the first episode."""
        questions = [(source, self.question(source)) for source in self._scope()]
        if not questions:
            return
        self._request += 1
        request = self._request

        def ask(database: Database) -> list[tuple[OpenSource, FilteredListing]]:
            return [(source, question(database)) for source, question in questions]

        def answer(answered: list[tuple[OpenSource, FilteredListing]]) -> None:
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
        shown = self._context.selection.shown_on(source.key)
        query, text, runs, rule = self.query, self.filter_text, _by_letter(shown), self._context.selection.rule
        part, order = self.listed_sources.of(source.key), self.order
        before = part.listing.ids if part is not None else ()
        grouping = EpisodeGrouping.NONE if self.is_together else self.grouping

        def ask(database: Database) -> FilteredListing:
            from stepscope.app.services.filtering import filter_inputs

            group: Any = None if grouping is EpisodeGrouping.NONE else grouping.value
            sort = stored_order(order, shown)
            with database.reading() as db:
                found = sorting.listing(db, source.id, query, sort, filter_inputs(db, query, runs, rule), group)
            places = {episode: place for place, episode in enumerate(found.ids)}
            return FilteredListing(text, found, places, before, bool(before) and found.ids[: len(before)] == before)

        return ask

    def _show_list(self, answered: list[tuple[OpenSource, FilteredListing]], first: bool) -> None:
        if self._context.selection.source is None:
            return
        alone = answered[0][1] if len(answered) == 1 else None
        grown = alone is not None and alone.grown and alone.before is self.ids
        was_listed = self._is_current_listed
        fresh = {source.key: source for source in self._context.sources}
        self.listed_sources = ListedSources(
            [(fresh[source.key], listing) for source, listing in answered if source.key in fresh]
        )
        self.shown_filter = answered[0][1].filter
        self._groups = self._groups_of(alone)
        unread = sum(listing.found.unread for _source, listing in answered)
        self._view.set_matched_steps(self._steps_found(), unread)
        self._view.set_filter_error(None)
        if grown and not first:
            self._view.mark_stale(self.listed_sources.total, self._open_episodes(), self._groups)
        else:
            self._view.set_counts(self.listed_sources.total, self._open_episodes(), self._groups)
        if not grown or first or self._is_current_listed > was_listed:
            self.mark_current()
        self.listed.emit()
        self._context.events.publish(EpisodesListed())

    def _groups_of(self, alone: FilteredListing | None) -> tuple[EpisodeGroup, ...]:
        """The headings: of the one source those that were chosen, else the sources."""
        if alone is not None:
            return tuple(group_of(self.grouping, key, count) for key, count in alone.listing.groups)
        names = distinct_names(self._context.sources)
        return tuple(
            EpisodeGroup(part.source.key, names[part.source.key], len(part.listing.ids))
            for part in self.listed_sources.parts
        )

    def steps_of(self, episode: str) -> tuple[int, ...]:
        """Indices of the steps that the filter means in an episode."""
        return self.found.steps_of(episode) if self.found is not None else ()

    def found_steps(self) -> int:
        """How many steps the filter means, 0 where it asks about none."""
        return self._steps_found() or 0

    def _steps_found(self) -> int | None:
        """How many steps the filter meant, if it asks about steps."""
        asked = any(FIELDS[term.field].of_step for term in terms(self.query))
        parts = self.listed_sources.parts
        return sum(part.listing.found.steps for part in parts) if parts and asked else None

    @property
    def _is_current_listed(self) -> bool:
        episode = self._context.selection.episode
        return episode is not None and self.position_of(episode.id) >= 0

    def mark_current(self) -> None:
        """The episode that is shown has the list's mark."""
        episode, part = self._context.selection.episode, self._part
        if episode is not None:
            place = self.position_of(episode.id)
            self._view.choose(place + part.first if part is not None and place >= 0 else -1)

    def position_of(self, episode_id: str) -> int:
        """Place among the current source's, -1 for an episode that the filter leaves out."""
        return self._part.listing.places.get(episode_id, -1) if self._part is not None else -1

    def _read_page(self, offset: int, limit: int) -> None:
        selection, rule = self._context.selection, self._context.selection.rule
        wanted = [(rows, selection.shown_on(rows.source.key)) for rows in self.listed_sources.rows(offset, limit)]
        generation = self._view.model.generation

        def ask(database: Database) -> list[EpisodeListRow]:
            with database.reading() as db:
                return [row for rows, runs in wanted for row in _read_rows(db, rows, runs, rule)]

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

    def _scores_changed(self) -> None:
        """What is right and wrong may be other now: by another rule, or scored again."""
        if self.order.key in BY_VERDICTS or self._asks_for(*OF_RUNS):
            self.grow()
        self._tell_runs()
        self.refresh_verdicts()

    def refresh_verdicts(self) -> None:
        """Verdicts in the rows may be other ones now."""
        self._view.mark_stale(self.listed_sources.total)

    def _tell_runs(self) -> None:
        """Which runs the rows have cells of, and which have no scores under the rule."""
        runs, rule = dict(self._context.selection.runs), self._context.selection.rule
        if not runs:
            self._view.set_runs(())
            return

        def ask(database: Database) -> set[str]:
            with database.reading() as db:
                return set(rules.scores_under(db, runs, rules.scoring_of(rule.protocol, rule.options)))

        def answer(judged: set[str]) -> None:
            if (runs, rule) == (dict(self._context.selection.runs), self._context.selection.rule):
                unjudged = [number for run, number in runs.items() if run not in judged]
                self._view.set_runs(tuple(runs.values()), unjudged)

        self._context.query("rules of runs", ask, answer, priority=1)

    def _runs_changed(self) -> None:
        self._view.set_runs(tuple(self._context.selection.runs.values()))
        self._tell_runs()
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
        if self._take_filter(text):
            self.relist()

    def _take_filter(self, text: str) -> bool:
        try:
            self.query = parse(text) if text.strip() else EVERYTHING
        except FilterError as error:
            self._filter_failed(error)
            return False
        self.filter_text, self._gone_at = text, 0
        self._context.conditions.set("filtered", bool(text.strip()))
        return True

    def begin_with(self, order: ListOrder, text: str) -> None:
        """The list that is about to be asked for is in this order and leaves what this filter says."""
        self.order = order
        self._view.set_order(order)
        self._view.set_filter(text)
        self._take_filter(text)

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
        if self.listed_sources.total:
            now = self._view.current_position()
            if now < 0:  # the episode that is shown is filtered out: go on where it stood
                now = self._gone_at - (by > 0)
            self._view.go_to(min(max(now + by, 0), self.listed_sources.total - 1))


def _by_letter(shown: RunLetters) -> dict[str, str]:
    return {LETTERS[number]: run for run, number in shown.items()}


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


def _read_rows(db: Session, wanted: RowsWanted, runs: RunLetters, rule: MatchingRule) -> list[EpisodeListRow]:
    """Rows of episodes of one source. Verdicts of actions are those under the rule that is chosen; a run without such
    scores has none here, as on the timeline none by another rule."""
    from stepscope.core.store.queries import episodes, verdicts
    from stepscope.core.store.repositories.annotations import of_episodes

    source, ids = wanted.source, wanted.ids
    found = episodes(db, source.id, ids)
    said = of_episodes(db, source.key, ids)
    scored = rules.scores_under(db, runs, rules.scoring_of(rule.protocol, rule.options))
    others = {run: scoring for run, scoring in scored.items() if scoring is not None}
    judged = verdicts(db, tuple(scored), ids, others) if scored else {}
    return [
        episode_row(place, entry, runs, judged.get(entry.id, {}), said.get(entry.id, []), source.source.format)
        for place, entry in enumerate(found, start=wanted.first)
    ]
