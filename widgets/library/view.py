"""The list of episodes with its filter: what is open, what the filter leaves, and where models went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import EmptyState, icon_button, run_letter
from stepscope.widgets.common.loading_rows import LoadingRows
from stepscope.widgets.format import count, counted
from stepscope.widgets.library.bars import MissingBar, PartialBar, ReadingBar
from stepscope.widgets.library.episode_list_rows import (
    EpisodeGroup,
    EpisodeGrouping,
    EpisodeListRow,
    FilterProblem,
    RowPart,
    SavedFilter,
)
from stepscope.widgets.library.episodes_item_model import EpisodesItemModel
from stepscope.widgets.library.episodes_list import EpisodesList
from stepscope.widgets.library.filter_field import FilterField
from stepscope.widgets.library.order import ListOrder
from stepscope.widgets.library.saved_filters import SavedFilters
from stepscope.widgets.library.scope_bar import ScopeBar
from stepscope.widgets.library.sort_row import SortRow

MOST_RUNS = 2
"""Runs whose cells a row shows."""


class EpisodesView(QWidget):
    """Values come through the slots, what the person does goes out through the signals."""

    episode_chosen = Signal(int, str)
    """position in the list, id"""
    page_wanted = Signal(int, int)
    """offset, limit; answered by `set_page`"""
    filter_changed = Signal(str)
    order_changed = Signal(object)
    """a ListOrder"""
    grouping_changed = Signal(object)
    """a Grouping"""
    open_requested = Signal()
    open_folder_requested = Signal()
    problems_requested = Signal()
    stop_requested = Signal()
    locate_wanted = Signal()
    """the data is not there any more, and the person knows where it is"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(220)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)  # the ground of a panel, not that of the window
        self._open = 0
        self._steps: int | None = None
        self._unread = 0
        self._told: tuple[int, str] | None = None
        self._pending: int | None = None
        self.more_menu = QMenu(self)
        """The menu of the … button; the owner adds its actions."""
        self.scope = ScopeBar(self._open_button(), self._more_button())
        self.filter = FilterField()
        self.sorting = SortRow()
        self.saved = SavedFilters()
        self._model = EpisodesItemModel(self)
        self._list = EpisodesList(self._model)
        self._partial, self._missing = PartialBar(), MissingBar()
        self._reading = ReadingBar()
        self._build_states()
        self._lay_out()
        self._connect()
        self._show_state()

    # what the owner tells

    def set_counts(self, shown: int, total: int, groups: Sequence[EpisodeGroup] = ()) -> None:
        """Show another list: `shown` episodes of `total` that are open, perhaps in `groups`. Forgets rows and
        selection."""
        self._open = total
        self._told = self._pending = None
        self._model.set_total(shown, groups)
        self._loading_text = ""
        self._show_state()

    def set_page(self, offset: int, rows: Sequence[EpisodeListRow], generation: int | None = None) -> None:
        """Answer to `page_wanted`; `generation` (see the model's) drops an answer to an older question."""
        self._model.set_page(offset, rows, generation)

    def mark_stale(
        self, shown: int | None = None, total: int | None = None, groups: Sequence[EpisodeGroup] | None = None
    ) -> None:
        """Contents changed (a verdict, more episodes): read again, keep selection and scroll."""
        self._open = self._open if total is None else total
        told, top = self._told, self._list.verticalScrollBar().value()
        self._model.mark_stale(shown, groups)
        if told is not None and not self._list.selectionModel().hasSelection():  # other groups: Qt began anew
            self.choose(told[0])
            self._list.verticalScrollBar().setValue(top)
        self._show_state()

    def set_matched_steps(self, steps: int | None, unread: int = 0) -> None:
        """Show how many steps pass the filter's conditions on steps, None where it has none; and of how many episodes
        it cannot be told, since their steps were not read yet."""
        self._steps, self._unread = steps, unread
        self._tell_counts()

    def set_loading(self, words: str) -> None:
        """Words such as "Reading MoTIF: 1,240 episodes" while a source is read; "" when it is done."""
        self._loading_text = words
        self._loading.set_words(words)
        self._reading.set_words(words)
        self._show_state()

    def set_filter(self, text: str) -> None:
        """The filter in force, as text; tells nobody."""
        self.filter.show_text(text)
        self._show_state()

    def set_filter_error(self, error: FilterProblem | None) -> None:
        self.filter.set_error(error)

    def set_order(self, order: ListOrder) -> None:
        self.sorting.set_order(order)

    def set_grouping(self, grouping: EpisodeGrouping) -> None:
        self.sorting.set_grouping(grouping)

    def set_parts(self, parts: Iterable[RowPart]) -> None:
        """Set what the rows show besides the goal."""
        shown = frozenset(parts)
        if shown != self._list.delegate.parts:
            self._list.delegate.parts = shown
            self._list.viewport().update()

    def set_saved(self, saved: Sequence[SavedFilter]) -> None:
        """The filters that are kept."""
        self.saved.set_saved(saved)

    def set_runs(self, indices: Sequence[int], unjudged: Sequence[int] = ()) -> None:
        """Set which runs are shown (0 is A), and which of them have no scores under the chosen rule: the others are
        those that the rows of cells stand for, top to bottom."""
        judged = [index for index in indices if index not in unjudged]
        legend = " over ".join(map(run_letter, judged[:MOST_RUNS]))
        why = ""
        if unjudged:
            letters = ", ".join(map(run_letter, unjudged))
            legend = "; ".join(filter(None, (legend, f"{letters} not scored under this rule")))
            why = "Score under This Rule, or the rule of the run, on the Step page"
        self.sorting.set_runs(indices, legend, why)

    def set_partial(self, skipped: int, total: int, problems: int = 0) -> None:
        """Show how many of `total` records could not be read, and how many `problems` there are in all; none hides the
        amber bar."""
        self._partial.set_counts(skipped, total, problems)

    def set_missing(self, *, missing: bool) -> None:
        """Show that the data of the list is not there any more."""
        self._missing.setVisible(missing)
        self._list.setEnabled(not missing)

    def choose(self, position: int) -> None:
        """Make an episode current and visible without telling, unfold its group; out of range clears the selection."""
        if not 0 <= position < self._shown():
            self._told = self._pending = None
            self._list.selectionModel().clear()
            return
        row = self._model.peek(position)
        self._told = (position, row.id if row else "")
        self._go_to(position)

    def fold_groups(self, folded: bool) -> None:
        """Hide the episodes of all groups, or show them again."""
        told = self._told
        self._model.fold_all(folded)
        if told is not None:
            self._list.setCurrentIndex(self._model.index(self._model.row_of(told[0]), 0))

    def go_to(self, position: int) -> None:
        """Choose the episode at this position of the list as a person would."""
        if 0 <= position < self._shown():
            self._go_to(position)

    # what may be asked

    @property
    def model(self) -> EpisodesItemModel:
        return self._model

    @property
    def list(self) -> EpisodesList:
        return self._list

    def current_position(self) -> int:
        """The position of the episode that was chosen last, -1 without one; its group may be folded."""
        if self._pending is not None:
            return self._pending
        return self._told[0] if self._told is not None else -1

    # inside

    def _open_button(self) -> QWidget:
        button = icon_button("plus", "Open data", shortcut="Ctrl+O")
        button.clicked.connect(self.open_requested)
        return button

    def _more_button(self) -> QWidget:
        button = icon_button("more", "More for this list")
        button.setMenu(self.more_menu)
        button.setPopupMode(button.ToolButtonPopupMode.InstantPopup)
        return button

    def _build_states(self) -> None:
        self._loading_text = ""
        self._loading = LoadingRows()
        self._no_match = EmptyState("filter", "No episode matches", "", [("clear", "Clear filter")])
        self._no_match.pressed.connect(lambda _which: self.filter.line.empty())
        buttons = [("folder", "Open a folder"), ("file", "Open a file")]
        self._nothing = EmptyState("folder", "Nothing is open", "Open a folder of recorded episodes.", buttons)
        self._nothing.pressed.connect(self._open_from_state)
        self._stack = QStackedWidget()
        for page in (self._list, self._nothing, self._no_match, self._loading):
            self._stack.addWidget(page)

    def _open_from_state(self, which: str) -> None:
        (self.open_folder_requested if which == "folder" else self.open_requested).emit()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for above in (self.scope, self.filter, self.sorting):
            column.addWidget(above)
        column.addWidget(self._stack, 1)
        for below in (self._missing, self._partial, self._reading, self.saved):
            column.addWidget(below)

    def _connect(self) -> None:
        self._model.page_wanted.connect(self.page_wanted)
        self._model.dataChanged.connect(self._row_came)
        self.filter.changed.connect(self.filter_changed)
        self.filter.line.left_downwards.connect(lambda: self._list.setFocus(Qt.FocusReason.OtherFocusReason))
        self.filter.line.textChanged.connect(lambda text: self.saved.set_can_save(bool(text.strip())))
        self.sorting.chosen.connect(self.order_changed)
        self.sorting.grouping_chosen.connect(self.grouping_changed)
        self._partial.pressed.connect(self.problems_requested)
        self._missing.pressed.connect(self.locate_wanted)
        self._reading.stop_pressed.connect(self.stop_requested)
        # Selection, not the current row: the list makes its first row current when it merely gets the focus.
        self._list.selectionModel().selectionChanged.connect(self._selection_came)
        self._list.taken.connect(lambda index: self._choose_row(index, again=True))
        self._list.clicked.connect(self._choose_row)

    def _selection_came(self) -> None:
        for index in self._list.selectionModel().selectedIndexes():
            self._choose_row(index)

    def _choose_row(self, index: QModelIndex, again: bool = False) -> None:
        """Tell the episode once; one that is still being read is told when it comes. A heading tells nothing."""
        self._pending = None
        position = self._model.position_at(index.row())
        if position < 0:
            return
        row = self._model.value(position)
        if row is None:
            self._pending = position
        elif again or self._told is None or self._told[0] != position:
            self._told = (position, row.id)
            self.episode_chosen.emit(position, row.id)

    def _go_to(self, position: int) -> None:
        index = self._model.index(self._model.reveal(position), 0)
        self._list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._list.scrollTo(index)

    def _row_came(self) -> None:
        if self._pending is not None and self._model.peek(self._pending) is not None:
            self._choose_row(self._model.index(self._model.row_of(self._pending), 0))

    def _shown(self) -> int:
        return self._model.total

    def _tell_counts(self) -> None:
        shown = self._shown()
        words = count(shown) if shown == self._open else f"{count(shown)} of {count(self._open)}"
        if self._steps is not None:
            words += f", {counted(self._steps, 'step')}"
        if self._unread:
            words += f", {count(self._unread)} not read yet"
        self.scope.set_detail(words if self._open else "")

    def _show_state(self) -> None:
        page: QWidget = self._list
        if self._shown() == 0:
            page = self._nothing
            if self._loading_text:
                page = self._loading
            elif self._open:
                page = self._no_match
                many = "1 episode is" if self._open == 1 else f"{count(self._open)} episodes are"
                self._no_match.set_words("No episode matches", f"{many} open; the filter leaves none.")
        self._tell_counts()
        self._stack.setCurrentWidget(page)
        for part in (self.filter, self.sorting, self.saved):
            part.setEnabled(page is not self._nothing)
