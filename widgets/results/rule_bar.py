"""The row above a run's results: which page, with or without defective items, and under which rule."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QSizePolicy, QTabBar, QWidget

from stepscope.widgets.common import SegmentedControl, text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.format import count
from stepscope.widgets.results.result_rows import RuleChoice

SUMMARY, FIELDS, WALKS, LANES, REASONS, ORDERS, APPS, STEPS, ITEMS, COMPARE, RULES, COORDINATES, SETTINGS = (
    "summary", "fields", "walks", "lanes", "reasons", "orders", "apps", "steps", "items", "compare", "rules",
    "coordinates", "settings",
)  # fmt: skip
PAGES = {
    SUMMARY: "Summary",
    FIELDS: "Fields",
    WALKS: "Walks",
    LANES: "Lanes",
    REASONS: "Reasons",
    ORDERS: "Orders",
    APPS: "By app",
    STEPS: "By step",
    ITEMS: "Items",
    COMPARE: "Compare",
    RULES: "All rules",
    COORDINATES: "Coordinates",
    SETTINGS: "Settings used",
}
HEIGHT = 36
SIDES = 20
EXCLUDED, INCLUDED = "excluded", "included"
LEAST_LETTERS, RULE_WIDTH = 8, 440
"""The protocol box shows at least so many letters, and takes so many pixels where there is room."""
BOX_FRAME = 44
"""Pixels of the protocol box beside its words."""


class RuleBar(QWidget):
    """Signals fire for what the person does, not for what the program sets."""

    page_chosen = Signal(str)
    """a key of `PAGES`"""
    rule_chosen = Signal(str)
    score_all_requested = Signal()
    defects_toggled = Signal(bool)
    """whether defective items are to be left out"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "tools")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self._told: tuple[tuple[RuleChoice, ...], str] | None = None
        """the rules that are offered, and the chosen one"""
        self._told_defects: tuple[int, bool] | None = None
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setAccessibleName("Page of the results")
        for name, words in PAGES.items():
            self.tabs.setTabData(self.tabs.addTab(words), name)
        self._defects_label = _label("Defects")
        self.defects = SegmentedControl([(EXCLUDED, "Excluded"), (INCLUDED, "Included")], "Defective items")
        self.defects.setToolTip("Items whose reference or picture somebody called defective")
        self.defects.set_value(INCLUDED)
        label = _label("Protocol")
        self._rules = ElidedCombo(LEAST_LETTERS)
        self._rules.setAccessibleName("Protocol")
        self._rules.setToolTip("Put another rule to the stored predictions; no model runs")
        self._rules.setMaximumWidth(RULE_WIDTH)
        self._rules.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        label.setBuddy(self._rules)
        self._all = text_button(
            " Score under all rules", icon="refresh", tip="Put every rule to the stored predictions"
        )
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(4, 0, 12, 0)
        self._row.setSpacing(4)
        self._row.addWidget(self.tabs)
        self._controls = QHBoxLayout()
        self._controls.setContentsMargins(8, 4, 0, 4)
        self._controls.setSpacing(8)
        self._controls.addStretch(1)
        for part in (self._all, label, self._rules, self._defects_label, self.defects):
            self._controls.addWidget(part, 1000 if part is self._rules else 0)
        self._row.addLayout(self._controls, 1)
        self.tabs.currentChanged.connect(lambda place: self.page_chosen.emit(self.tabs.tabData(place)))
        self._rules.currentIndexChanged.connect(lambda _place: self._arrange())
        self._rules.activated.connect(self._choose_rule)
        self._all.clicked.connect(self.score_all_requested)
        self.defects.chosen.connect(self._toggle_defects)
        self.set_defects(0, left_out=False)
        self.set_fields(False)
        self.set_coordinates(False)
        self.set_walks(False)
        self.set_lanes(False)
        self.set_reasons(False)
        self.set_orders(False)

    def set_rules(self, rules: Sequence[RuleChoice], chosen: str) -> None:
        """The rules that can be put to the run; those that have no scores yet say so."""
        if (told := (tuple(rules), chosen)) == self._told:
            return
        self._told = told
        self._rules.clear()
        for rule in rules:
            note = " (this run's own)" if rule.own else "" if rule.scored else " – not scored yet"
            self._rules.addItem(f"{rule.title}{note}", rule.id)
        self._rules.setCurrentIndex(max(0, self._rules.findData(chosen)))
        self._show_all(self.page == RULES)
        self._rules.setEnabled(len(rules) > 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """No wider than the controls in a row of their own."""
        return QSize(self._controls.minimumSize().width() + 16, self.sizeHint().height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width(), max(HEIGHT, hint.height()))

    def _arrange(self) -> None:
        """Pages and controls side by side where both have room, else one above the other."""
        self.tabs.updateGeometry()  # the chosen one is bold, and wider
        tabs = sum(self.tabs.tabRect(place).width() for place in range(self.tabs.count()))
        words = self._rules.fontMetrics().horizontalAdvance(self._rules.currentText()) + BOX_FRAME
        beyond = max(0, min(words, RULE_WIDTH) - self._rules.minimumSizeHint().width())
        fits = tabs + self._controls.minimumSize().width() + beyond + SIDES <= self.width()
        way = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if way != self._row.direction():
            self._row.setDirection(way)
            self.updateGeometry()

    def set_page(self, page: str) -> None:
        """Show a page as chosen; tells nobody."""
        self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(list(PAGES).index(page))
        self.tabs.blockSignals(False)
        self._show_all(page == RULES)

    def set_steps(self, *, by_step: bool, by_length: bool) -> None:
        """Whether the items have a step, or a length only; without both the page is not there."""
        place, words = list(PAGES).index(STEPS), PAGES[STEPS] if by_step or not by_length else "By length"
        if self.tabs.tabText(place) != words:
            self.tabs.setTabText(place, words)
            self._arrange()
        self._show_tab(STEPS, by_step or by_length)

    def set_fields(self, shown: bool) -> None:
        """Whether the items are web pages: these have a page of their fields in place of that of apps."""
        self._show_tab(FIELDS, shown)
        self._show_tab(APPS, not shown)

    def set_coordinates(self, shown: bool) -> None:
        """Whether the run's answers have places that could be read in another space."""
        self._show_tab(COORDINATES, shown)

    def set_walks(self, shown: bool) -> None:
        """Whether the run is a roll-out, whose walks can be looked at."""
        self._show_tab(WALKS, shown)

    def set_reasons(self, shown: bool) -> None:
        """Whether the run is about feasibility, which has reasons."""
        self._show_tab(REASONS, shown)

    def set_lanes(self, shown: bool) -> None:
        """Whether the run asks."""
        self._show_tab(LANES, shown)

    def set_orders(self, shown: bool) -> None:
        """Whether the run orders steps."""
        self._show_tab(ORDERS, shown)

    def set_busy(self, busy: bool) -> None:
        """Take no other request while scores are made anew."""
        self._told = None
        self._rules.setEnabled(not busy)
        self._all.setEnabled(not busy)

    def set_defects(self, defective: int, *, left_out: bool) -> None:
        """Set how many of the run's items are defective; without any there is nothing to choose."""
        if (told := (defective, left_out)) == self._told_defects:
            return
        self._told_defects = told
        for part in (self._defects_label, self.defects):
            part.setVisible(defective > 0 or left_out)
        self._defects_label.setText(f"{count(defective)} defective")
        self.defects.set_value(EXCLUDED if left_out else INCLUDED)
        self._arrange()

    @property
    def rule(self) -> str:
        return self._rules.currentData() or ""

    @property
    def page(self) -> str:
        return self.tabs.tabData(self.tabs.currentIndex()) or SUMMARY

    def _toggle_defects(self, which: str) -> None:
        self._told_defects = None  # until the owner says what is shown then
        self.defects_toggled.emit(which == EXCLUDED)

    def _choose_rule(self, place: int) -> None:
        self._told = None  # until the owner says what is shown then
        self.rule_chosen.emit(self._rules.itemData(place))

    def _show_tab(self, page: str, shown: bool) -> None:
        place = list(PAGES).index(page)
        if self.tabs.isTabVisible(place) != shown:
            self.tabs.setTabVisible(place, shown)
            self._arrange()

    def _show_all(self, shown: bool) -> None:
        """Scoring under all rules stands where their table does."""
        missing = any("not scored yet" in self._rules.itemText(place) for place in range(self._rules.count()))
        self._all.setVisible(shown and missing)
        self._arrange()


def _label(words: str) -> QLabel:
    label = QLabel(words)
    label.setProperty("role", "secondary")
    return label
