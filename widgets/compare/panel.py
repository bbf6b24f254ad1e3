"""The left dock of a comparison: runs with their scores, two by two, and the steps of the chosen cell."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import (
    Badge,
    ElidedLabel,
    EmptyState,
    LinkButton,
    PanelHeader,
    RunBadge,
    RunNameLabel,
    icon_button,
    run_letter,
)
from stepscope.widgets.common.plain_words import plain_label, straight
from stepscope.widgets.compare.difference_items import DifferenceDelegate, DifferenceItemModel
from stepscope.widgets.compare.filter_words import FilterWords
from stepscope.widgets.compare.run_comparison import CompareMenus, DifferenceRow, MenuEntry
from stepscope.widgets.scores.breakdown_values import Key, PairCounts, RunScore
from stepscope.widgets.scores.keyed_list import KeyedList
from stepscope.widgets.scores.pair_cells import PairCells, ShrinkingScrollArea
from stepscope.widgets.scores.run_scores import RunScores

LEAST_WIDTH = 220


class ComparePanel(QWidget):
    """Runs and pairs go by their keys. `cell_chosen` carries the key of one of the two by two cells."""

    run_added = Signal(object)
    run_removed = Signal(object)
    run_chosen = Signal(object)
    base_chosen = Signal(object)
    pair_chosen = Signal(object)
    cell_chosen = Signal(object)
    rescore_wanted = Signal()
    evaluate_wanted = Signal()
    filter_wanted = Signal()
    """the person wants the episodes filtered by the words over the list"""
    opened = Signal(object)
    """a row's key: Enter or a double click"""
    shown = Signal(object)
    """a row's key: the person made it the current one"""
    page_wanted = Signal(int, int)
    """offset, limit; answered by `set_page`"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._menus = CompareMenus()
        self._noun = "step"
        self.add, self.more = icon_button("plus", "Add a run"), icon_button("more", "Base, pair, take a run away")
        self._header = PanelHeader("Compare", self.add, self.more)
        self.badge = Badge("", "warn", self)
        self.runs = RunScores()
        self.note = QLabel()
        self.rescore = LinkButton("Score under all rules")
        self.title, self.test = ElidedLabel("", "heading"), ElidedLabel("", "tiny")
        self.names = RunNameLabel(), RunNameLabel()
        self._badges = RunBadge(0, 16), RunBadge(1, 16)
        self.other_pair = icon_button("chevron_down", "Another pair")
        self.cells = PairCells()
        self.filter = FilterWords()
        self.model = DifferenceItemModel(self)
        self.list = KeyedList("Steps of the comparison", DifferenceDelegate(), self.model)
        self._none = EmptyState("check", "No step here", "Choose another of the four cells.")
        self._second = EmptyState("results", "Pick a second run", "", [("second", "Choose a run")])
        self._no_runs = EmptyState("results", "No runs yet", "", [("evaluate", "Evaluate")])
        self._apart = EmptyState("info", "Nothing to compare", "", [("rescore", self.rescore.text())])
        self._lay_out()
        self._connect()
        self.show_none("second")

    # what the owner tells

    def set_runs(
        self,
        runs: Sequence[RunScore],
        detail: str = "",
        note: str = "",
        *,
        badge: str = "",
        can_rescore: bool = False,
    ) -> None:
        """The base first, then the runs that are compared with it. `note` says what one should know of the numbers,
        `badge` how to take all of them, those of two by two as well."""
        self.badge.set_words(badge, "warn")
        self._badge_row.setVisible(bool(badge))
        self.runs.set_runs(runs)
        self.runs.setVisible(bool(runs))
        self._header.set_detail(detail)
        self.note.setText(straight(note))
        self.note.setVisible(bool(note))
        self.rescore.setVisible(can_rescore)

    def set_menus(self, menus: CompareMenus) -> None:
        self._menus = menus
        self.add.setEnabled(bool(menus.further))
        self.more.setEnabled(bool(menus.shown))
        self.other_pair.setVisible(len(menus.pairs) > 1)

    def set_counts(self, counts: PairCounts, names: tuple[str, str] = ("", "")) -> None:
        """Two runs on the same steps, and their names; takes away what `show_none` says."""
        a, b = run_letter(counts.a), run_letter(counts.b)
        self._noun = counts.noun
        self.title.setText(f"Same {formats.counted(2, counts.noun).partition(' ')[2]}, {a} and {b}")
        self.test.setText(counts.test)
        for label, badge, number, name in zip(self.names, self._badges, (counts.a, counts.b), names, strict=True):
            badge.set_run(number)
            label.setText(name)
        self.cells.set_counts(counts)
        for part in (self._middle, self.filter):
            part.show()

    def set_steps(self, total: int, words: str, chosen: Key = None) -> None:
        """Show other rows, `total` of them; `words` are the filter by which they were found, `chosen` its cell."""
        self.list.forget()
        self.model.set_total(total)
        self.cells.set_chosen(chosen)
        self.filter.set_words(words, formats.counted(total, self._noun))
        self._none.set_words(f"No {self._noun} here", "Choose another of the four cells.")
        self._stack.setCurrentWidget(self.list if total else self._none)

    def set_page(self, offset: int, rows: Sequence[DifferenceRow], generation: int | None = None) -> None:
        """Answer to `page_wanted`; `generation` (see the model's) drops an answer to an older question."""
        self.model.set_page(offset, rows, generation)

    def choose(self, position: int) -> None:
        """Make a row current and visible without telling; out of range leaves none."""
        self.list.choose(position)

    def show_none(self, what: str, title: str = "", detail: str = "", *, can_rescore: bool = False) -> None:
        """Say why there is no pair: "runs" (none is stored), "second" (fewer than two are shown), "apart" (they cannot
        be compared, for the reason given, which scoring them under all rules would mend where `can_rescore`)."""
        for part in (self._middle, self.filter):
            part.hide()
        self.model.set_total(0)
        if what == "apart":
            self._apart.set_words(title, detail)
            self._apart.set_buttons_shown(can_rescore)
        self._stack.setCurrentWidget({"runs": self._no_runs, "second": self._second, "apart": self._apart}[what])

    def words(self) -> str:
        """What stands where there is no list, for tests and screen readers."""
        page = self._stack.currentWidget()
        return page.words() if isinstance(page, EmptyState) else ""

    def open_add_menu(self) -> None:
        """The runs that can be added, below the button."""
        self._popup(self.add, self.further_menu())

    # menus

    def further_menu(self) -> QMenu:
        menu = self._menu()
        for entry in self._menus.further:
            self._enter(menu, entry, self.run_added)
        return menu

    def more_menu(self) -> QMenu:
        menu = self._menu()
        bases = menu.addMenu("Base")
        for entry in self._menus.bases:
            self._enter(bases, entry, self.base_chosen)
        if len(self._menus.pairs) > 1:
            self._fill_pairs(menu.addMenu("Two by two"))
        menu.addSeparator()
        for entry in self._menus.shown:
            self._enter(menu, MenuEntry(entry.key, f"Take away {entry.words}"), self.run_removed)
        return menu

    def pairs_menu(self) -> QMenu:
        menu = self._menu()
        self._fill_pairs(menu)
        return menu

    def _fill_pairs(self, menu: QMenu) -> None:
        for entry in self._menus.pairs:
            self._enter(menu, entry, self.pair_chosen)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _enter(self, menu: QMenu, entry: MenuEntry, signal: SignalInstance) -> None:
        action = menu.addAction(plain_label(f"{entry.words} ({entry.why})" if entry.why else entry.words))
        action.setEnabled(not entry.why)
        action.setCheckable(entry.chosen)
        action.setChecked(entry.chosen)
        action.triggered.connect(lambda _checked=False: signal.emit(entry.key))

    def _popup(self, button: QToolButton, menu: QMenu) -> None:
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    # inside

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        for page in (self.list, self._none, self._second, self._no_runs, self._apart):
            self._stack.addWidget(page)
        upper = QWidget()
        above = QVBoxLayout(upper)
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        for part in (self._make_badge_row(), self.runs, self._make_note(), self._make_middle()):
            above.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(ShrinkingScrollArea(upper))
        column.addWidget(self.filter)
        column.addWidget(self._stack, 1)

    def _make_badge_row(self) -> QWidget:
        self._badge_row = QWidget(self)
        row = QHBoxLayout(self._badge_row)
        row.setContentsMargins(12, 8, 12, 0)
        row.addWidget(self.badge)
        row.addStretch(1)
        return self._badge_row

    def _make_note(self) -> QWidget:
        self.note.setProperty("role", "dim")
        self.note.setWordWrap(True)
        box = QWidget()
        box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(box)
        column.setContentsMargins(12, 4, 12, 0)
        column.setSpacing(4)
        column.addWidget(self.note)
        column.addWidget(self.rescore)
        return box

    def _make_middle(self) -> QWidget:
        self._middle = QWidget()
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(4)
        head.addWidget(self.title)
        head.addWidget(self.other_pair)
        self.test.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.test.setAlignment(Qt.AlignmentFlag.AlignRight)
        head.addWidget(self.test, 1)
        column = QVBoxLayout(self._middle)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addLayout(head)
        for badge, name in zip(self._badges, self.names, strict=True):
            row = QHBoxLayout()
            row.setSpacing(6)
            row.addWidget(badge)
            row.addWidget(name, 1)
            column.addLayout(row)
        column.addWidget(self.cells)
        return self._middle

    def _connect(self) -> None:
        self.add.clicked.connect(self.open_add_menu)
        self.more.clicked.connect(lambda: self._popup(self.more, self.more_menu()))
        self.other_pair.clicked.connect(lambda: self._popup(self.other_pair, self.pairs_menu()))
        self.runs.chosen.connect(self.run_chosen)
        self.cells.chosen.connect(self.cell_chosen)
        self.rescore.clicked.connect(self.rescore_wanted)
        self.filter.use.clicked.connect(self.filter_wanted)
        self.model.page_wanted.connect(self.page_wanted)
        self.list.opened.connect(self.opened)
        self.list.shown.connect(self.shown)
        self._apart.pressed.connect(lambda _button: self.rescore_wanted.emit())
        self._second.pressed.connect(lambda _button: self.open_add_menu())
        self._no_runs.pressed.connect(lambda _button: self.evaluate_wanted.emit())
