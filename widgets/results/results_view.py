"""A run's results: its metrics with intervals, and its items, each a step away from its picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import EmptyState
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.results.breakdown_pages import Breakdown, GroupsPage, StepsPage, SummaryCards
from stepscope.widgets.results.coordinates_page import CoordinatesPage
from stepscope.widgets.results.fixes import FixesView
from stepscope.widgets.results.items_filter import ItemsFilter
from stepscope.widgets.results.items_item_model import ItemsItemModel
from stepscope.widgets.results.items_page import ItemsPage
from stepscope.widgets.results.metrics_item_model import MetricsItemModel
from stepscope.widgets.results.metrics_table import MetricsTable
from stepscope.widgets.results.parts import framed
from stepscope.widgets.results.reasons_page import ReasonsPage
from stepscope.widgets.results.result_rows import FlipCounts, ItemRow, ResultDetails, RuleChoice, RuleRow
from stepscope.widgets.results.rule_bar import (
    APPS,
    COMPARE,
    COORDINATES,
    FIELDS,
    ITEMS,
    LANES,
    ORDERS,
    REASONS,
    RULES,
    SETTINGS,
    STEPS,
    SUMMARY,
    WALKS,
    RuleBar,
)
from stepscope.widgets.results.rules_page import RulesPage
from stepscope.widgets.results.run_title import RunTitle
from stepscope.widgets.results.settings_page import SettingsPage
from stepscope.widgets.results.view_names import LEADERBOARD, RUN
from stepscope.widgets.results.web_page import WebResultsPage
from stepscope.widgets.scores.breakdown_values import Key

if TYPE_CHECKING:
    from stepscope.widgets.results.lanes.ask_lanes_page import AskLanesPage
    from stepscope.widgets.results.leaderboard_view import LeaderboardView
    from stepscope.widgets.results.orders_page import OrdersPage
    from stepscope.widgets.results.walks.walks_page import WalksPage

LEAST_WIDTH = 320


class ResultsView(QWidget):
    """The centre of the Results workspace."""

    item_opened = Signal(str, int)
    """episode, step (-1: the whole episode)"""
    items_filter_changed = Signal(str)
    """an ItemsFilter"""
    page_wanted = Signal(int, int)
    """offset, limit of items; answered by `set_items_page`"""
    run_again_requested = Signal(str)
    export_requested = Signal(str)
    evaluate_requested = Signal()
    rule_chosen = Signal(str)
    score_all_requested = Signal()
    rules_shown = Signal()
    """the page of all rules came into view"""
    coordinates_shown = Signal(bool)
    """the coordinate check has come to the front, or is there no more"""
    walks_shown = Signal(bool)
    """the walks of a roll-out have come to the front, or are there no more"""
    lanes_shown = Signal(bool)
    """the lanes of a run of asking have come to the front, or are there no more"""
    page_shown = Signal(str)
    chosen = Signal(object)
    """the key of a cell, bar or point: the items behind it are wanted"""
    opened = Signal(object)
    """the same after a double click: the first of these items is wanted in Replay"""
    threshold_changed = Signal(float)
    run_opened = Signal(object)
    """id of the run behind a point or a row: its results are wanted"""
    defects_toggled = Signal(bool)
    """whether defective items are to be left out"""
    view_chosen = Signal(str)
    """RUN or LEADERBOARD"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: ResultDetails | None = None
        self._board: LeaderboardView | None = None
        self._view = RUN
        self._broken_down = Breakdown()
        # each part is made inside its parent: what is put there when it is whole has all its own parts styled anew
        self._stack = QStackedWidget(self)
        self._shown = QWidget(self._stack)
        self._pages = pages = QStackedWidget(self._shown)
        self.title, self.rule_bar = RunTitle(self._shown), RuleBar(self._shown)
        self._summary = QScrollArea(pages)
        self._inside = QWidget(self._summary.viewport())
        self.metrics_table, self.items_page, self.rules = MetricsTable(), ItemsPage(pages), RulesPage(pages)
        self._note = QLabel()
        self._note.setProperty("role", "tiny")
        self._note.setWordWrap(True)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setContentsMargins(12, 6, 12, 8)
        self.cards, self.groups, self.steps = SummaryCards(self._inside), GroupsPage(pages), StepsPage(pages)
        self.web, self.compare, self.settings = WebResultsPage(pages), FixesView(pages), SettingsPage(pages)
        self.coordinates, self.reasons = CoordinatesPage(pages), ReasonsPage(pages)
        self._beside = ""
        """the page that has something beside it, and is shown"""
        self._walks: WalksPage | None = None
        self._orders: OrdersPage | None = None
        self._lanes: AskLanesPage | None = None
        self._chosen: Key = None
        self._empty = EmptyState("results", "No run is shown", "Choose one in the list.", [("run", "Evaluate")])
        self._lay_out()
        self._connect()
        self.set_result(None)

    # what the owner tells

    def set_result(self, result: ResultDetails | None) -> None:
        """Show another run's results, or newer numbers of the same; None shows that there is none."""
        self._result = result
        self._show_view()
        if result is None:
            self.items.set_total(0)
            return
        self.title.set_result(result)
        self.metrics_table.set_result(result)
        self._note.setText(straight(result.note))
        self._note.setVisible(bool(result.note))

    def set_items_total(self, shown: int, total: int) -> None:
        """Show another list of items: `shown` of `total` pass the filter."""
        self.items_page.set_total(shown, total)

    def mark_items_stale(self, shown: int, total: int) -> None:
        """Verdicts changed or items came: read again, keep selection and scroll."""
        self.items_page.mark_stale(shown, total)

    def set_items_page(self, offset: int, rows: Sequence[ItemRow], generation: int | None = None) -> None:
        self.items_page.set_page(offset, rows, generation)

    def set_items_filter(self, which: str) -> None:
        """Show a filter as chosen; tells nobody."""
        self.items_page.set_filter(which)

    def set_rules(self, rules: Sequence[RuleChoice], chosen: str) -> None:
        """The protocol box."""
        self.rule_bar.set_rules(rules, chosen)

    def set_coordinates(self, shown: bool) -> None:
        """Whether there is a coordinate check of what is shown."""
        if not shown and self.page == COORDINATES:
            self.show_page(SUMMARY)  # before its tab goes: Qt would take the next one
        self.rule_bar.set_coordinates(shown)

    def set_walks(self, shown: bool) -> None:
        """Whether there are walks of what is shown."""
        if not shown and self.page == WALKS:
            self.show_page(SUMMARY)  # before its tab goes: Qt would take the next one
        self.rule_bar.set_walks(shown)

    @property
    def walks(self) -> WalksPage:
        """The page of walks, made when a roll-out is first shown."""
        if self._walks is None:
            from stepscope.widgets.results.walks.walks_page import WalksPage

            self._walks = WalksPage(self._pages)
            self._page_of[WALKS] = self._walks
            self._pages.addWidget(self._walks)
        return self._walks

    def set_lanes(self, shown: bool) -> None:
        """Whether the run that is shown asks."""
        if not shown and self.page == LANES:
            self.show_page(SUMMARY)  # before its tab goes: Qt would take the next one
        self.rule_bar.set_lanes(shown)

    @property
    def lanes(self) -> AskLanesPage:
        """The page of lanes, made when a run of asking is first looked at there."""
        if self._lanes is None:
            from stepscope.widgets.results.lanes.ask_lanes_page import AskLanesPage

            self._lanes = AskLanesPage(self._pages)
            self._page_of[LANES] = self._lanes
            self._pages.addWidget(self._lanes)
        return self._lanes

    def set_orders(self, shown: bool) -> None:
        """Whether the run that is shown orders steps."""
        if not shown and self.page == ORDERS:
            self.show_page(SUMMARY)  # before its tab goes: Qt would take the next one
        self.rule_bar.set_orders(shown)

    @property
    def orders(self) -> OrdersPage:
        """The page of orders, made when a run of step ordering is first shown."""
        if self._orders is None:
            from stepscope.widgets.results.orders_page import OrdersPage

            self._orders = OrdersPage(self._pages)
            self._page_of[ORDERS] = self._orders
            self._pages.addWidget(self._orders)
            self._orders.set_chosen(self._chosen)
            self._orders.chosen.connect(self.chosen)
            self._orders.opened.connect(self.opened)
        return self._orders

    def set_rule_rows(self, rows: Sequence[RuleRow], chosen: str) -> None:
        """The table of scores under all rules."""
        self.rules.set_rows(rows, chosen)

    def set_flips(self, found: FlipCounts | None) -> None:
        """Show what the rule changes; None while the run's own rule is shown."""
        self.items_page.set_flips(found)

    def set_breakdown(self, found: Breakdown) -> None:
        """Show where the run went wrong; the same again paints nothing."""
        if found == self._broken_down:
            return
        self._broken_down = found
        for part in (self.cards, self.groups, self.steps, self.web, self.reasons):
            part.set_breakdown(found)
        if found.reason_details is None and self.page == REASONS:
            self.show_page(SUMMARY)
        self.rule_bar.set_reasons(found.reason_details is not None)
        if self.page == (APPS if found.web is not None else FIELDS):
            self.show_page(SUMMARY)  # before its tab goes: Qt would take the next one
        self.rule_bar.set_fields(found.web is not None)
        by_step, by_length = bool(found.steps.by_step), bool(found.steps.by_length or found.calibration)
        self.rule_bar.set_steps(by_step=by_step, by_length=by_length)
        if self.page == STEPS and not (by_step or by_length):
            self.show_page(SUMMARY)

    def set_chosen(self, key: Key) -> None:
        """Mark the cell, bar or point with this key on every page; None marks none."""
        self._chosen = key
        for part in (self.cards, self.groups, self.steps, self.web, self.compare, self.reasons):
            part.set_chosen(key)
        if self._orders is not None:
            self._orders.set_chosen(key)

    def show_page(self, page: str) -> None:
        """A key of `PAGES`."""
        self.rule_bar.set_page(page)
        late: dict[str, Callable[[], QWidget]] = {
            WALKS: lambda: self.walks, ORDERS: lambda: self.orders, LANES: lambda: self.lanes,
        }  # fmt: skip
        self._pages.setCurrentWidget(late[page]() if page in late else self._page_of[page])
        self.page_shown.emit(page)
        self._tell_beside()
        if page == RULES:
            self.rules_shown.emit()

    def show_view(self, view: str) -> None:
        """RUN or LEADERBOARD; tells nobody."""
        self._view = view
        self.title.switch.set_value(view)
        if view == LEADERBOARD:
            self.board.switch.set_value(view)
        self._show_view()
        self._tell_beside()

    def _tell_beside(self) -> None:
        """Of a page that has something beside it: first what is there no more, so that it takes nobody's place."""
        told = {COORDINATES: self.coordinates_shown, WALKS: self.walks_shown, LANES: self.lanes_shown}
        now = self.page if self._view != LEADERBOARD and self.page in told else ""
        before, self._beside = self._beside, now
        if now != before:
            if before:
                told[before].emit(False)
            if now:
                told[now].emit(True)

    @property
    def view(self) -> str:
        """RUN or LEADERBOARD."""
        return self._view

    @property
    def board(self) -> LeaderboardView:
        """The leaderboard, made when it is first wanted."""
        if self._board is None:
            from stepscope.widgets.results.leaderboard_view import LeaderboardView

            self._board = LeaderboardView(self._stack)
            self._stack.addWidget(self._board)
            self._board.view_chosen.connect(self.view_chosen)
            self._board.evaluate_requested.connect(self.evaluate_requested)
        return self._board

    def focus_page(self) -> None:
        """The keys go to what the page is about."""
        if self._view == LEADERBOARD:
            self.board.focus_page()
            return
        where = {
            ITEMS: self.items_page.table, RULES: self.rules, COMPARE: self.compare.list,
            COORDINATES: self.coordinates.table, REASONS: self.reasons.confusion.cells,
        }  # fmt: skip
        if self.page == WALKS:
            where[WALKS] = self.walks.graph
        if self.page == ORDERS:
            where[ORDERS] = self.orders.first
        if self.page == LANES:
            where[LANES] = self.lanes.lanes
        where.get(self.page, self.rule_bar.tabs).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def page(self) -> str:
        return self.rule_bar.page

    @property
    def shows_rules(self) -> bool:
        """Whether the page of all rules is in view."""
        return self._pages.currentWidget() is self.rules

    @property
    def items(self) -> ItemsItemModel:
        return self.items_page.model

    @property
    def metrics(self) -> MetricsItemModel:
        return self.metrics_table.metrics

    # inside

    def _show_view(self) -> None:
        shown = self._board if self._view == LEADERBOARD else self._shown
        self._stack.setCurrentWidget(self._empty if self._result is None or shown is None else shown)

    def _lay_out(self) -> None:
        self._pages.setMinimumWidth(LEAST_WIDTH)
        self._page_of = {
            SUMMARY: self._summary,
            FIELDS: self.web,
            APPS: self.groups,
            STEPS: self.steps,
            ITEMS: self.items_page,
            COMPARE: self.compare,
            RULES: self.rules,
            COORDINATES: self.coordinates,
            REASONS: self.reasons,
            SETTINGS: self.settings,
        }
        self._lay_out_summary()
        for page in self._page_of.values():
            self._pages.addWidget(page)
        inside = QVBoxLayout(self._shown)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self.title)
        inside.addWidget(self.rule_bar)
        inside.addWidget(self._pages, 1)
        self._stack.addWidget(self._shown)
        self._stack.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def _lay_out_summary(self) -> None:
        """Metrics, then the cards; scrolls where there is little room."""
        body = QVBoxLayout(self._inside)
        body.setContentsMargins(16, 16, 16, 16)
        body.setSpacing(16)
        body.addWidget(framed(self.metrics_table, self._note))
        body.addWidget(self.cards, 1)
        scroll = self._summary
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._inside)

    def _connect(self) -> None:
        items = self.items_page
        items.page_wanted.connect(self.page_wanted)
        items.filter_chosen.connect(self.items_filter_changed)
        items.flips_wanted.connect(lambda: self._take_filter(ItemsFilter.FLIPS))
        items.opened.connect(self.item_opened)
        self.coordinates.examples.item_opened.connect(self.item_opened)
        self._empty.pressed.connect(lambda _which: self.evaluate_requested.emit())
        self.title.again_requested.connect(lambda: self.run_again_requested.emit(self._shown_id()))
        self.rule_bar.page_chosen.connect(self.show_page)
        self.rule_bar.defects_toggled.connect(self.defects_toggled)
        for part in (self.cards, self.groups, self.steps, self.web, self.compare, self.reasons):
            part.chosen.connect(self.chosen)
        for page in (self.cards, self.groups, self.reasons):
            page.opened.connect(self.opened)
        self.web.run_opened.connect(self.run_opened)
        self.cards.threshold_changed.connect(self.threshold_changed)
        self.rule_bar.rule_chosen.connect(self.rule_chosen)
        self.rule_bar.score_all_requested.connect(self.score_all_requested)
        self.rules.rule_opened.connect(self._open_rule)
        self.title.view_chosen.connect(self.view_chosen)
        self.title.export_requested.connect(lambda: self.export_requested.emit(self._shown_id()))

    def _shown_id(self) -> str:
        return self._result.id if self._result else ""

    def _open_rule(self, rule: str) -> None:
        self.show_page(SUMMARY)
        self.rule_chosen.emit(rule)

    def _take_filter(self, which: ItemsFilter) -> None:
        self.show_page(ITEMS)
        self.set_items_filter(which)
        self.items_filter_changed.emit(which)
