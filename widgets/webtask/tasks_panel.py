"""The left dock: the web tasks that are open, the shown runs' scores over them, and how far the people are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import Badge, ElidedLabel, EmptyState, LinkButton, PanelHeader, SearchField, icon_button
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.loading_rows import LoadingRows
from stepscope.widgets.common.paged_list import PagedList
from stepscope.widgets.format import count, counted
from stepscope.widgets.inspector.parts import DividerLine
from stepscope.widgets.webtask.score_lines import ScoreLines
from stepscope.widgets.webtask.side_values import PeopleProgress, ScoreLine, TaskOrder, WebTaskRow, none_words
from stepscope.widgets.webtask.tasks_delegate import TasksDelegate
from stepscope.widgets.webtask.tasks_item_model import TasksItemModel

LEAST_WIDTH = 220
ORDERS = {
    TaskOrder.NAME: "Sort by Name",
    TaskOrder.WORST: "Sort by Score, Worst First",
    TaskOrder.SPLIT: "Sort by Split",
}


class TasksPanel(QWidget):
    """Signals fire for what the person does. `task_chosen` and `task_opened` (Enter, double click) carry the task's
    name, `run_chosen` a score line's key."""

    task_chosen = Signal(str)
    task_opened = Signal(str)
    run_chosen = Signal(str)
    order_chosen = Signal(object)
    """a TaskOrder"""
    open_requested = Signal()
    evaluate_requested = Signal()
    annotations_requested = Signal()
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._chosen, self._loading_words = "", ""
        self.more_menu = QMenu(self)
        """The menu of the … button: how to sort, and what the owner adds."""
        self.plus = icon_button("plus", "Open a folder of web tasks", shortcut="Ctrl+Shift+O")
        self.more = icon_button("more", "More for this list")
        self.header = PanelHeader("Web tasks", self.plus, self.more)
        self.filter = SearchField("Filter tasks", icon="filter", hint="/", name="Filter tasks")
        self.filter.setToolTip("Words of the title, split:test, score<0.5; - before it for the opposite")
        self.model = TasksItemModel(self)
        self._delegate = TasksDelegate()
        self.list = PagedList("Web tasks", self._delegate)
        self.list.setModel(self.model)
        self._nothing = EmptyState("folder", "")
        self._no_match = EmptyState("filter", "No task matches", "", [("clear", "Clear filter")])
        self._loading = LoadingRows()
        self._title = ElidedLabel("", "heading")
        self.badge = Badge("", "warn", self)
        self.scores = ScoreLines()
        self.evaluate = LinkButton("Evaluate…")
        self._no_runs = ElidedLabel("No runs yet", "secondary")
        self._people = ElidedLabel("", "secondary")
        self.annotations, self.export = LinkButton("Annotations…"), LinkButton("Export answers…")
        self._lay_out()
        self._fill_menu()
        self._connect()
        self.set_none("")
        self.set_scores(())
        self.set_people(None)
        self._show_state()

    # what the owner tells

    def set_tasks(self, tasks: Sequence[WebTaskRow]) -> None:
        """The tasks that are open; the chosen one stays chosen."""
        self.model.set_tasks(tasks)
        self._show_state()

    def set_run(self, run: int | None) -> None:
        """The run whose scores the rows show: the place of its letter (0 is A), None for the oracle or a person."""
        self._delegate.run = run
        self.list.viewport().update()

    def set_none(self, data: str) -> None:
        """The data in which there are no web tasks, for when there are none; "" nothing is open."""
        self._nothing.set_words(none_words(data), "They are a folder of page templates with their tables of values.")

    def set_scores(self, lines: Sequence[ScoreLine], tasks: int | None = None, badge: str = "") -> None:
        """Scores of the shown runs over `tasks` tasks, and what to compare them with; `badge` says how to take them."""
        self.scores.set_lines(lines)
        self._title.setText("Score" if tasks is None else f"Mean score, {counted(tasks, 'task')}")
        self.badge.set_words(badge, "warn")
        self.badge.setVisible(bool(badge and lines))
        self.scores.setVisible(bool(lines))
        for part in (self._no_runs, self.evaluate):
            part.setVisible(not lines)

    def set_shown_run(self, key: str) -> None:
        """Outline the score line with this key; "" none."""
        self.scores.set_chosen(key or None)

    def set_people(self, progress: PeopleProgress | None) -> None:
        """How far people are with the chosen task; None where nobody has begun."""
        self._people.setText(progress.words if progress is not None else "")
        self._people.setVisible(progress is not None)
        self.export.setEnabled(progress is not None and (progress.mine > 0 or progress.annotators > 0))

    def set_loading(self, words: str) -> None:
        """Words such as "Reading 40 of 158 tasks"; "" when it is done."""
        self._loading_words = words
        self._loading.set_words(words)
        self._show_state()

    def set_order(self, order: TaskOrder) -> None:
        """Sort the list; tells nobody."""
        self._sorts[order].setChecked(True)
        self.model.set_order(order)

    def choose(self, name: str) -> None:
        """Make a task current and visible without telling; an unknown name leaves none."""
        self._chosen = name
        self._select()

    # what may be asked

    def chosen(self) -> str:
        """The name of the task that was chosen last, "" without one; the filter may leave it out."""
        return self._chosen

    def words(self) -> str:
        """What stands where there is no list, for tests and screen readers."""
        page = self._stack.currentWidget()
        return page.words() if isinstance(page, EmptyState) else ""

    # inside

    def _lay_out(self) -> None:
        bar = QVBoxLayout()
        bar.setContentsMargins(12, 8, 12, 8)
        bar.addWidget(self.filter)
        self._stack = QStackedWidget()
        for page in (self.list, self._nothing, self._no_match, self._loading):
            self._stack.addWidget(page)
        self._below = QWidget()
        below = QVBoxLayout(self._below)
        below.setContentsMargins(0, 0, 0, 8)
        below.setSpacing(0)
        below.addWidget(DividerLine())
        below.addLayout(_sides(self._title, self.badge, top=10, bottom=4))
        below.addWidget(self.scores)
        below.addLayout(_sides(self._no_runs, self.evaluate, bottom=4))
        below.addLayout(_sides(self._people, top=6))
        links = FlowLayout(12)
        links.setContentsMargins(12, 4, 12, 0)
        links.addWidget(self.annotations)
        links.addWidget(self.export)
        below.addLayout(links)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(bar)
        column.addWidget(self._stack, 1)
        column.addWidget(self._below)

    def _fill_menu(self) -> None:
        self.more.setMenu(self.more_menu)
        self.more.setPopupMode(self.more.ToolButtonPopupMode.InstantPopup)
        group = QActionGroup(self)
        self._sorts = {}
        for order, words in ORDERS.items():
            action = self.more_menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(order is TaskOrder.NAME)
            action.triggered.connect(lambda _checked=False, wanted=order: self._sort(wanted))
            group.addAction(action)
            self._sorts[order] = action

    def _connect(self) -> None:
        self.plus.clicked.connect(self.open_requested)
        self._no_match.pressed.connect(lambda _which: self.filter.empty())
        self.filter.settled.connect(self._filter)
        self.filter.left_downwards.connect(lambda: self.list.setFocus(Qt.FocusReason.OtherFocusReason))
        # Selection, not the current row: the list makes its first row current when it merely gets the focus.
        self.list.selectionModel().selectionChanged.connect(lambda *_both: self._selection_came())
        self.list.taken.connect(self._open)
        self.list.doubleClicked.connect(self._open)
        self.model.modelReset.connect(self._select)
        self.scores.chosen.connect(lambda key: self.run_chosen.emit(str(key)))
        self.evaluate.clicked.connect(self.evaluate_requested)
        self.annotations.clicked.connect(self.annotations_requested)
        self.export.clicked.connect(self.export_requested)

    def _sort(self, order: TaskOrder) -> None:
        self.model.set_order(order)
        self.order_chosen.emit(order)

    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self._show_state()

    def _selection_came(self) -> None:
        for index in self.list.selectionModel().selectedIndexes():
            task = self.model.task(index.row())
            if task is not None and task.name != self._chosen:
                self._chosen = task.name
                self.task_chosen.emit(task.name)

    def _open(self, index: QModelIndex) -> None:
        task = self.model.task(index.row())
        if task is not None:
            self._chosen = task.name
            self.task_opened.emit(task.name)

    def _select(self) -> None:
        row = self.model.row_of(self._chosen)
        if row < 0:
            self.list.selectionModel().clear()
            return
        index = self.model.index(row, 0)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.list.scrollTo(index)

    def _show_state(self) -> None:
        shown, total = self.model.rowCount(), self.model.total
        page: QWidget = self.list
        if not total:
            page = self._loading if self._loading_words else self._nothing
        elif not shown:
            page = self._no_match
            many = "1 task is" if total == 1 else f"{count(total)} tasks are"
            self._no_match.set_words("No task matches", f"{many} open; the filter leaves none.")
        self._stack.setCurrentWidget(page)
        words = count(total) if shown == total else f"{count(shown)} of {count(total)}"
        self.header.set_detail(words if total else "")
        self.filter.setEnabled(total > 0)
        self._below.setVisible(total > 0)


def _sides(*parts: QWidget, top: int = 0, bottom: int = 0) -> QHBoxLayout:
    """Parts in a row with the panel's margins, the first as wide as there is room."""
    row = QHBoxLayout()
    row.setContentsMargins(12, top, 12, bottom)
    row.setSpacing(8)
    for place, part in enumerate(parts):
        row.addWidget(part, 1 if place == 0 else 0)
    return row
