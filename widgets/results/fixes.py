"""Two runs on the same items: how many both have right, who fixed and who broke which, and further runs' scores."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import EmptyState, PanelHeader, run_letter
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.results.pair_items import PairDelegate, PairItemModel
from stepscope.widgets.scores.breakdown_values import ItemPairRow, Key, PairCounts, RunScore
from stepscope.widgets.scores.keyed_list import KeyedList
from stepscope.widgets.scores.pair_cells import PairCells, ShrinkingScrollArea
from stepscope.widgets.scores.run_scores import RunScores


class FixesView(QWidget):
    """The left side of a comparison, from top to bottom: runs, two by two, the items that differ."""

    chosen = Signal(object)
    """the key of one of the two by two cells"""
    run_chosen = Signal(object)
    """a run's key"""
    opened = Signal(object)
    """a row's key: Enter or a double click"""
    shown = Signal(object)
    """a row's key: the person made it the current one"""
    page_wanted = Signal(int, int)
    """offset, limit; answered by `set_page`"""
    second_wanted = Signal()
    """the person wants another run to compare with"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(220)
        self._noun = "step"
        self.runs = RunScores()
        self._title, self._test = QLabel(), QLabel()
        self._title.setProperty("role", "heading")
        self._test.setProperty("role", "tiny")
        for label in (self._title, self._test):
            label.setWordWrap(True)
        self.cells = PairCells()
        self._delegate = PairDelegate()
        self.model = PairItemModel(self)
        self.list = KeyedList("Items on which the runs differ", self._delegate, self.model)
        self._header = PanelHeader("Who fixed, who broke")
        self._none = EmptyState("check", "None", "")
        self._second = EmptyState("results", "Pick a second run", "", [("second", "Choose a run")])
        self._lay_out()
        self._connect()
        self.set_runs(())
        self.set_counts(None)

    # what the owner tells

    def set_runs(self, runs: Sequence[RunScore]) -> None:
        """The baseline first, then the runs that are compared with it."""
        self.runs.set_runs(runs)
        self.runs.setVisible(bool(runs))

    def set_counts(self, counts: PairCounts | None) -> None:
        """Show other runs or newer numbers; None: there is no second run."""
        self._middle.setVisible(counts is not None)
        self._header.setVisible(counts is not None)
        if counts is None:
            self.set_total(0)
            self._stack.setCurrentWidget(self._second)
            return
        a, b = run_letter(counts.a), run_letter(counts.b)
        self._noun = counts.noun
        self._title.setText(straight(f"Same {formats.counted(2, counts.noun).partition(' ')[2]}, {a} and {b}"))
        self._test.setText(straight(counts.test))
        self._test.setVisible(bool(counts.test))
        self.cells.set_counts(counts)
        self.model.runs = self._delegate.runs = (counts.a, counts.b)
        self._show_total()

    def set_total(self, total: int) -> None:
        """Hold other rows, `total` of them, those that differ most first; none is current."""
        self.list.forget()
        self.model.set_total(total)
        self._show_total()

    def set_page(self, offset: int, rows: Sequence[ItemPairRow], generation: int | None = None) -> None:
        """Answer to `page_wanted`; `generation` (see the model's) drops an answer to an older question."""
        self.model.set_page(offset, rows, generation)

    def set_chosen(self, key: Key) -> None:
        """Outline the cell or the run with this key."""
        self.cells.set_chosen(key)
        self.runs.set_chosen(key)

    def choose(self, position: int) -> None:
        """Make a row current and visible without telling; out of range leaves none."""
        self.list.choose(position)

    def words(self) -> str:
        """What stands where there is no list, for tests and screen readers."""
        page = self._stack.currentWidget()
        return page.words() if isinstance(page, EmptyState) else ""

    # inside

    def _show_total(self) -> None:
        total = self.model.rowCount()
        self._header.set_detail(formats.counted(total, self._noun))
        self._none.set_words(f"No {self._noun} here", "Choose another of the four cells.")
        self._stack.setCurrentWidget(self.list if total else self._none)

    def _lay_out(self) -> None:
        self._middle = QWidget()
        middle = QVBoxLayout(self._middle)
        middle.setContentsMargins(12, 10, 12, 12)
        middle.setSpacing(4)
        for part in (self._title, self._test, self.cells):
            middle.addWidget(part)
        self._stack = QStackedWidget()
        for page in (self.list, self._none, self._second):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        upper = QWidget()
        above = QVBoxLayout(upper)
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        above.addWidget(self.runs)
        above.addWidget(self._middle)
        column.addWidget(ShrinkingScrollArea(upper))
        column.addWidget(self._header)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.cells.chosen.connect(self.chosen)
        self.runs.chosen.connect(self.run_chosen)
        self.model.page_wanted.connect(self.page_wanted)
        self.list.opened.connect(self.opened)
        self.list.shown.connect(self.shown)
        self._second.pressed.connect(lambda _button: self.second_wanted.emit())
