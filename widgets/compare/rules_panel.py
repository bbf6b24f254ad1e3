"""The right dock of a comparison: every rule over the shown runs, what flips, and whether that changes their order."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import format as formats
from stepscope.widgets.common import Badge, EmptyState, PanelHeader, icon_button, run_letter, text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.compare.flip_items import FlipDelegate, FlipItemModel
from stepscope.widgets.compare.rule_tiles import CURRENT, FLIPS, RuleTiles
from stepscope.widgets.compare.run_comparison import FlipRow, FlipTotals, RuleVerdicts
from stepscope.widgets.scores.flow import Flow
from stepscope.widgets.scores.keyed_list import KeyedList

ALL = -1
"""In the place of a run: all of them."""


class RulesPanel(QWidget):
    """`rule_chosen(str)`: make this rule the current one; `flips_chosen(str)`: list what flips under it.
    `run_chosen(int)`: only that run's flips, −1 for all."""

    rule_chosen = Signal(str)
    flips_chosen = Signal(str)
    run_chosen = Signal(int)
    rescore_wanted = Signal()
    explain_wanted = Signal()
    export_flips_wanted = Signal()
    export_table_wanted = Signal()
    opened = Signal(object)
    """a row's key: Enter or a double click"""
    shown = Signal(object)
    """a row's key: the person made it the current one"""
    page_wanted = Signal(int, int)
    """offset, limit; answered by `set_page`"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.tiles = RuleTiles()
        self.explain = icon_button("info", "Rules explained")
        self.export_flips = icon_button("export", "Export these steps as CSV")
        self.badge = Badge("", "warn", self)
        self._header = PanelHeader("Matching rule", self.badge, self.explain)
        self.flips_header = PanelHeader("Steps that flip", self.export_flips)
        self.chips = Flow()
        self.model = FlipItemModel(self)
        self.list = KeyedList("Steps that flip", FlipDelegate(), self.model)
        self._none = EmptyState("results", "Choose a rule", "Its steps that flip are listed here.")
        self._no_rules = EmptyState("info", "No other rule", "")
        self.rescore = text_button("Score under all rules", primary=True)
        self.sentence = QLabel()
        self.export_table = text_button("Export table", icon="export")
        self.explain_more = QPushButton("Rules explained")
        self._lay_out()
        self._connect()
        self.set_rules((), "", title="No runs are shown")
        self.set_badge("")
        self.set_flips(FlipTotals())
        self.set_order("", can_rescore=False)

    # what the owner tells

    def set_rules(
        self, rules: Sequence[RuleVerdicts], current: str, why_none: str = "", title: str = "No other rule"
    ) -> None:
        """Every rule with its numbers; without any, `title` and `why_none` say why."""
        self.tiles.set_rules(rules, current)
        self._no_rules.set_words(title, why_none)
        self._above.setCurrentWidget(self._scroll if rules else self._no_rules)
        self._flips.setVisible(bool(rules))
        self.export_table.setEnabled(bool(rules))

    def set_badge(self, words: str) -> None:
        """How to take all scores here; "" as they are."""
        self.badge.set_words(words, "warn")
        self.badge.setVisible(bool(words))

    def set_flips(self, totals: FlipTotals, run: int = ALL) -> None:
        """Show other rows; `run` is the one whose flips are listed."""
        shown = totals.total if run == ALL else dict(totals.by_run).get(run, 0)
        self.list.forget()
        self.model.set_total(shown)
        self.tiles.set_chosen((FLIPS, totals.other) if totals.other else None)
        words = f"{formats.count(totals.total)}, {totals.current} to {totals.other}" if totals.other else ""
        self.flips_header.set_detail(words)
        self.export_flips.setEnabled(shown > 0)
        self.chips.setVisible(bool(totals.other))
        chips = [self._chip(f"{run_letter(one)} {formats.count(count)}", one, run) for one, count in totals.by_run]
        self.chips.set_parts([*chips, self._chip(f"All {formats.count(totals.total)}", ALL, run)])
        if totals.other:
            self._none.set_words("No step flips", f"{totals.current} and {totals.other} agree on all of these.")
        else:
            self._none.set_words("Choose a rule", "Its steps that flip are listed here.")
        self._stack.setCurrentWidget(self.list if shown else self._none)

    def set_page(self, offset: int, rows: Sequence[FlipRow], generation: int | None = None) -> None:
        """Answer to `page_wanted`; `generation` (see the model's) drops an answer to an older question."""
        self.model.set_page(offset, rows, generation)

    def set_order(self, sentence: str, *, can_rescore: bool) -> None:
        """Whether the order of the runs changes; `can_rescore`: some rules were not put to the runs yet."""
        self.sentence.setText(straight(sentence))
        self._order.setVisible(bool(sentence))
        self.rescore.setVisible(can_rescore)

    def words(self) -> str:
        """What stands in the place of the rules, else in that of the flips, for tests and screen readers."""
        if self._above.currentWidget() is self._no_rules:
            return self._no_rules.words()
        return self._none.words() if self._stack.currentWidget() is self._none else ""

    # inside

    def _chip(self, words: str, run: int, chosen: int) -> QPushButton:
        chip = text_button(words)
        chip.setProperty("chip", True)
        chip.setCheckable(True)
        chip.setChecked(run == chosen)
        chip.clicked.connect(lambda: self.run_chosen.emit(run))
        return chip

    def _lay_out(self) -> None:
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        rows = QVBoxLayout(inner)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.tiles)
        rows.addStretch(1)
        self._scroll.setWidget(inner)
        self._above = QStackedWidget()
        for page in (self._scroll, self._no_rules):
            self._above.addWidget(page)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(self._above)
        self._flips = self._make_flips()
        split.addWidget(self._flips)
        split.setSizes([500, 300])
        split.setStretchFactor(0, 5)
        split.setStretchFactor(1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(split, 1)
        column.addWidget(self._make_foot())

    def _make_flips(self) -> QWidget:
        self._stack = QStackedWidget()
        for page in (self.list, self._none):
            self._stack.addWidget(page)
        chips = QWidget()
        line = QVBoxLayout(chips)
        line.setContentsMargins(12, 6, 12, 6)
        line.addWidget(self.chips)
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.flips_header)
        column.addWidget(chips)
        column.addWidget(self._stack, 1)
        return box

    def _make_foot(self) -> QWidget:
        self._order = QWidget()
        asked = QLabel("Does the order of runs change?")
        asked.setProperty("role", "heading")
        self.sentence.setProperty("role", "secondary")
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        order = QVBoxLayout(self._order)
        order.setContentsMargins(0, 0, 0, 0)
        order.setSpacing(4)
        order.addWidget(asked)
        order.addWidget(self.sentence)
        self.explain_more.setProperty("ghost", True)
        self.explain_more.setAutoDefault(False)
        buttons = Flow()
        buttons.set_parts([self.rescore, self.export_table, self.explain_more])
        self._buttons = buttons
        foot = QWidget()
        foot.setProperty("bar", "foot")
        column = QVBoxLayout(foot)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(8)
        column.addWidget(self._order)
        column.addWidget(buttons)
        return foot

    def _connect(self) -> None:
        self.tiles.chosen.connect(self._take)
        self.tiles.current_changed.connect(self._bring_into_view)
        for button in (self.explain, self.explain_more):
            button.clicked.connect(self.explain_wanted)
        self.rescore.clicked.connect(self.rescore_wanted)
        self.export_flips.clicked.connect(self.export_flips_wanted)
        self.export_table.clicked.connect(self.export_table_wanted)
        self.model.page_wanted.connect(self.page_wanted)
        self.list.opened.connect(self.opened)
        self.list.shown.connect(self.shown)

    def _bring_into_view(self, row: int, column: int) -> None:
        place = self.tiles.tile(row, column).toRect()
        self._scroll.ensureVisible(place.left(), place.center().y(), 0, place.height())

    def _take(self, key: tuple[str, str]) -> None:
        what, rule = key
        (self.rule_chosen if what == CURRENT else self.flips_chosen).emit(rule)
