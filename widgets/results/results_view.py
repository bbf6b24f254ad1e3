"""A run's results: its metrics with intervals, and its items, each a step away from its picture."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from widgets import format as formats
from widgets.common import Badge, ElidedLabel, EmptyState, LinkButton, RunBadge, run_letter, text_button
from widgets.common.row_table import RowTable
from widgets.results.breakdown_pages import Breakdown, GroupsPage, StepsPage, SummaryCards
from widgets.results.breakdown_values import Key
from widgets.results.fixes import FixesView
from widgets.results.interval_delegate import IntervalDelegate
from widgets.results.items_item_model import EPISODE, PREDICTED, REFERENCE, SCORE, STEP, VERDICT, ItemsItemModel
from widgets.results.metrics_item_model import PLOT, MetricsItemModel
from widgets.results.parts import framed
from widgets.results.rule_bar import APPS, COMPARE, ITEMS, RULES, SETTINGS, STEPS, SUMMARY, RuleBar
from widgets.results.rules_page import RulesPage
from widgets.results.settings_page import SettingsPage
from widgets.results.values import FlipCounts, ItemRow, ItemsFilter, ResultDetails, RuleChoice, RuleRow

NAME_WIDTH = 140
LEAST_WIDTH = 320
ROOM_FOR_DATA, ROOM_FOR_ZEROS = 700, 1100
"""From this width on counts of nothing are told too."""
COUNT_TIPS = {
    "unscored": "Items without a usable reference: they are in no metric",
    "malformed": "Answers that make no sense: they count as wrong",
    "null": "No answer at all: counts as wrong",
    "errors": "Items on which the model or the rule broke: they are in no metric",
}
TEXT_HEIGHT = 17
"""Height of a line at the text size for which the columns were measured."""
COLUMN_WIDTHS = {EPISODE: 220, STEP: 52, VERDICT: 150, SCORE: 64, PREDICTED: 170, REFERENCE: 170}


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
    page_shown = Signal(str)
    chosen = Signal(object)
    """the key of a cell, bar or point: the items behind it are wanted"""
    threshold_changed = Signal(float)
    defects_toggled = Signal(bool)
    """whether defective items are to be left out"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: ResultDetails | None = None
        self._broken_down = Breakdown()
        self._metrics = MetricsItemModel(self)
        self._items = ItemsItemModel(self)
        self._build_title()
        self._build_tables()
        self._build_items_bar()
        self.rule_bar, self.rules = RuleBar(), RulesPage()
        self.cards, self.groups, self.steps = SummaryCards(), GroupsPage(), StepsPage()
        self.compare, self.settings = FixesView(), SettingsPage()
        self._empty = EmptyState("results", "No run is shown", "Choose one in the list.", [("run", "Evaluate")])
        self._lay_out()
        self._connect()
        self.set_result(None)

    # what the owner tells

    def set_result(self, result: ResultDetails | None) -> None:
        """Another run's results, or newer numbers of the same; None shows that there is none."""
        self._result = result
        self._stack.setCurrentWidget(self._empty if result is None else self._shown)
        if result is None:
            self._items.set_total(0)
            return
        self._show_title(result)
        self._plot.run = result.letter or 0
        self._plot.paper = not result.stand_in
        self._plot.baseline = result.baseline
        baseline = "" if result.baseline is None else run_letter(result.baseline)
        self._metrics.set_metrics(result.metrics, paper=not result.stand_in, baseline=baseline)
        self._fit_metrics()
        self._note.setText(result.note)
        self._note.setVisible(bool(result.note))

    def set_items_total(self, shown: int, total: int) -> None:
        """Another list of items: `shown` of `total` pass the filter."""
        self._items.set_total(shown)
        self._tell_items(shown, total)

    def mark_items_stale(self, shown: int, total: int) -> None:
        """Verdicts changed or items came: read again, keep selection and scroll."""
        self._items.mark_stale(shown)
        self._tell_items(shown, total)

    def _tell_items(self, shown: int, total: int) -> None:
        every = formats.count(total)
        self._count.setText(every if shown == total else f"{formats.count(shown)} of {every}")
        self._none.setVisible(shown == 0)
        self._none.setText("No items yet." if total == 0 else "No item is like that.")

    def set_items_page(self, offset: int, rows: Sequence[ItemRow], generation: int | None = None) -> None:
        self._items.set_page(offset, rows, generation)

    def set_items_filter(self, which: str) -> None:
        """Show a filter as chosen; tells nobody."""
        self._filter.setCurrentIndex(self._filter.findData(ItemsFilter(which)))

    def set_rules(self, rules: Sequence[RuleChoice], chosen: str) -> None:
        """The protocol box."""
        self.rule_bar.set_rules(rules, chosen)

    def set_rule_rows(self, rows: Sequence[RuleRow], chosen: str) -> None:
        """The table of scores under all rules."""
        self.rules.set_rows(rows, chosen)

    def set_flips(self, found: FlipCounts | None) -> None:
        """What the shown rule changes; None while the run's own rule is shown."""
        self._flips.setVisible(found is not None)
        place = self._filter.findData(ItemsFilter.FLIPS)
        if found is None and place >= 0:
            self._filter.removeItem(place)
        elif found is not None and place < 0:
            self._filter.addItem(ItemsFilter.FLIPS.value.capitalize(), ItemsFilter.FLIPS)
        if found is not None:
            self._flips.setText(_flip_words(found))
            self._flips.setEnabled(found.flips > 0)

    def set_breakdown(self, found: Breakdown) -> None:
        """Where the run went wrong; the same again paints nothing."""
        if found == self._broken_down:
            return
        self._broken_down = found
        self.cards.set_breakdown(found)
        self.groups.set_breakdown(found)
        self.steps.set_breakdown(found)

    def set_chosen(self, key: Key) -> None:
        """Mark the cell, bar or point with this key on every page; None marks none."""
        for part in (self.cards, self.groups, self.steps, self.compare):
            part.set_chosen(key)

    def show_page(self, page: str) -> None:
        """A key of `PAGES`."""
        self.rule_bar.set_page(page)
        self._pages.setCurrentWidget(self._page_of[page])
        self.page_shown.emit(page)
        if page == RULES:
            self.rules_shown.emit()

    def focus_page(self) -> None:
        """The keys go to what the page is about."""
        where = {ITEMS: self.items_table, RULES: self.rules, COMPARE: self.compare.list}
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
        return self._items

    @property
    def metrics(self) -> MetricsItemModel:
        return self._metrics

    # inside

    def _build_title(self) -> None:
        self._title = QWidget()
        self._title.setProperty("bar", "title")
        self._title.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._letter = RunBadge(0)
        self._name, self._data = ElidedLabel("", "title"), ElidedLabel("", "dim")
        self._badges = {kind: Badge() for kind in ("unscored", "malformed", "null", "errors", "stand_in")}
        self._again = text_button(" Run again…", icon="refresh", tip="Evaluate with the same settings")
        self._export = text_button(" Export", icon="export", tip="Export (Ctrl+E)")
        self._zeros = ElidedLabel("", "dim")
        self._name.setMinimumWidth(NAME_WIDTH)
        row = QHBoxLayout(self._title)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        for part in (self._letter, self._name, self._data, *self._badges.values(), self._zeros):
            row.addWidget(part)
        row.addStretch(1)
        row.addWidget(self._again)
        row.addWidget(self._export)

    def _show_title(self, result: ResultDetails) -> None:
        self._letter.setVisible(result.letter is not None)
        if result.letter is not None:
            self._letter.set_run(result.letter)
        self._name.setText(result.name)
        self._data.setText(" · ".join(filter(None, (result.data, formats.counted(result.items, "item")))))
        counts = {
            "unscored": (result.unscored, "unscored", "neutral"),
            "malformed": (result.malformed - result.null, "malformed", "warn"),
            "null": (result.null, "no answer", "warn"),
            "errors": (result.errors, "error" if result.errors == 1 else "errors", "miss"),
        }
        for kind, (number, word, colour) in counts.items():
            loud = number > 0 and kind != "unscored"
            sign = "⚠ " if loud else ""
            self._badges[kind].set_words(f"{sign}{formats.count(number)} {word}", colour if loud else "neutral")
            self._badges[kind].setToolTip(COUNT_TIPS[kind])
            self._badges[kind].setVisible(number > 0)
        none = [word for number, word, _ in counts.values() if not number]
        self._zeros.setText(f"0 {', '.join(none)}" if none else "")
        self._zeros.setVisible(bool(none) and self.width() >= ROOM_FOR_ZEROS)
        self._badges["stand_in"].set_words("stand-in model, not a finding", "warn")
        self._badges["stand_in"].setVisible(result.stand_in)

    def _build_tables(self) -> None:
        self.metrics_table = RowTable("Metrics")
        self.metrics_table.setModel(self._metrics)
        self._plot = IntervalDelegate(self)
        self.items_table = RowTable("Items")
        self.items_table.setModel(self._items)
        self.metrics_table.setItemDelegateForColumn(PLOT, self._plot)
        self.metrics_table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._size_columns()
        self.items_table.horizontalHeader().setStretchLastSection(True)

    def _build_items_bar(self) -> None:
        self._count = ElidedLabel("", "dim")
        self._filter = QComboBox()
        self._filter.setAccessibleName("Items shown")
        self._filter.setToolTip("Items shown")
        for which in ItemsFilter:
            self._filter.addItem(which.value.capitalize(), which)
        self._none = QLabel("No items yet.")
        self._none.setProperty("role", "secondary")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._note = QLabel()
        self._note.setProperty("role", "tiny")
        self._note.setWordWrap(True)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setContentsMargins(12, 6, 12, 8)
        self._items_bar = QHBoxLayout()
        self._items_bar.setSpacing(8)
        heading = QLabel("Items")
        heading.setProperty("role", "heading")
        for part in (heading, self._count):
            self._items_bar.addWidget(part)
        self._flips = LinkButton("")
        self._flips.setToolTip("Show the flipped items")
        self._items_bar.addStretch(1)
        self._items_bar.addWidget(self._flips)
        self._items_bar.addWidget(self._filter)

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        self._pages.setMinimumWidth(LEAST_WIDTH)
        self._page_of = {
            SUMMARY: self._make_summary(),
            APPS: self.groups,
            STEPS: self.steps,
            ITEMS: self._make_items(),
            COMPARE: self.compare,
            RULES: self.rules,
            SETTINGS: self.settings,
        }
        for page in self._page_of.values():
            self._pages.addWidget(page)
        self._shown = QWidget()
        inside = QVBoxLayout(self._shown)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self._title)
        inside.addWidget(self.rule_bar)
        inside.addWidget(self._pages, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._shown)
        self._stack.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def _make_summary(self) -> QWidget:
        """Metrics, then the cards; scrolls where there is little room."""
        inside = QWidget()
        body = QVBoxLayout(inside)
        body.setContentsMargins(16, 16, 16, 16)
        body.setSpacing(16)
        body.addWidget(framed(self.metrics_table, self._note))
        body.addWidget(self.cards, 1)
        scroll = QScrollArea()
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        return scroll

    def _make_items(self) -> QWidget:
        page = QWidget()
        body = QVBoxLayout(page)
        body.setContentsMargins(16, 16, 16, 16)
        body.setSpacing(8)
        body.addLayout(self._items_bar)
        body.addWidget(framed(self.items_table, self._none), 1)
        return page

    def _connect(self) -> None:
        self._items.page_wanted.connect(self.page_wanted)
        self._filter.activated.connect(lambda place: self.items_filter_changed.emit(self._filter.itemData(place)))
        self.items_table.opened.connect(self._open)
        self._empty.pressed.connect(lambda _which: self.evaluate_requested.emit())
        self._again.clicked.connect(lambda: self.run_again_requested.emit(self._shown_id()))
        self.rule_bar.page_chosen.connect(self.show_page)
        self.rule_bar.defects_toggled.connect(self.defects_toggled)
        for part in (self.cards, self.groups, self.steps, self.compare):
            part.chosen.connect(self.chosen)
        self.cards.threshold_changed.connect(self.threshold_changed)
        self.rule_bar.rule_chosen.connect(self.rule_chosen)
        self.rule_bar.score_all_requested.connect(self.score_all_requested)
        self.rules.rule_opened.connect(self._open_rule)
        self._flips.clicked.connect(lambda: self._take_filter(ItemsFilter.FLIPS))
        self._export.clicked.connect(lambda: self.export_requested.emit(self._shown_id()))

    def _shown_id(self) -> str:
        return self._result.id if self._result else ""

    def _open_rule(self, rule: str) -> None:
        self.show_page(SUMMARY)
        self.rule_chosen.emit(rule)

    def _take_filter(self, which: ItemsFilter) -> None:
        self.show_page(ITEMS)
        self.set_items_filter(which)
        self.items_filter_changed.emit(which)

    def _open(self, index: QModelIndex) -> None:
        row = self._items.peek(index.row()) if index.isValid() else None
        if row is not None:
            self.item_opened.emit(row.episode, -1 if row.step is None else row.step)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._zeros.setVisible(bool(self._zeros.text()) and self.width() >= ROOM_FOR_ZEROS)
        self._data.setVisible(self.width() >= ROOM_FOR_DATA)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._size_columns()
            QTimer.singleShot(0, self, self._fit_metrics)  # the table hears of it after its parent

    def _size_columns(self) -> None:
        """Columns of the items grow with the text."""
        scale = self.fontMetrics().height() / TEXT_HEIGHT
        for column, width in COLUMN_WIDTHS.items():
            self.items_table.setColumnWidth(column, round(width * scale))

    def _fit_metrics(self) -> None:
        """The table is as high as its rows; the plot takes what width is left."""
        header = self.metrics_table.horizontalHeader()
        for column in range(self._metrics.columnCount()):
            stretch = self._metrics.shows(column) == PLOT
            mode = QHeaderView.ResizeMode.Stretch if stretch else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(column, mode)
        rows = self._metrics.rowCount()
        self.metrics_table.setFixedHeight(header.sizeHint().height() + rows * self.metrics_table.row_height() + 2)


def _flip_words(found: FlipCounts) -> str:
    if not found.flips:
        words = f"No item flips against {found.own}"
    else:
        words = f"{formats.counted(found.flips, 'item')} flip{'s' if found.flips == 1 else ''} against {found.own}: "
        words += f"{formats.count(found.now_right)} now right, {formats.count(found.now_wrong)} now wrong"
    apart = found.only_before + found.only_after
    return words if not apart else f"{words}; {formats.count(apart)} judged by one of them only"
