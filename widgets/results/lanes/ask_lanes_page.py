"""The page of a run of asking: tasks at the left, a task's lanes, below them the settings, the cost of asking, and
counts by kind of missing value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets.common import Badge, ElidedLabel, EmptyState, text_button
from stepscope.widgets.common.fonts import BASE_PIXELS, derived
from stepscope.widgets.common.plain_words import plain_label, straight
from stepscope.widgets.results.lanes.ask_panel import AskPanel
from stepscope.widgets.results.lanes.cost_card import CostCard
from stepscope.widgets.results.lanes.goal_words import LanesLegend, StruckGoal
from stepscope.widgets.results.lanes.lane_values import (
    GROUP_TITLES,
    AskingCost,
    LanesGroup,
    LanesState,
    LanesTaskRow,
    SettingsTable,
)
from stepscope.widgets.results.lanes.lanes_view import LanesView
from stepscope.widgets.results.lanes.settings_card import SettingsCard
from stepscope.widgets.results.lanes.task_filters import LanesFilters
from stepscope.widgets.results.lanes.task_list import LanesTaskList
from stepscope.widgets.results.order_card import OrderCard
from stepscope.widgets.results.order_values import OrderSheet
from stepscope.widgets.results.parts import framed

LEFT, LEAST_LEFT, WIDE_ENOUGH = 264, 168, 860
"""Pixels of the list, those that it keeps, and from which on the cards stand side by side, with usual text."""
NARROW = 660
"""On a narrower page the list takes no more than it must."""
MAKE = "make"
TABLE_CSV, TABLE_LATEX, TABLE_COPY, CURVE_CSV, CURVE_PNG, CURVE_SVG, LANES_CSV, KINDS_CSV = (
    "table-csv", "table-latex", "table-copy", "curve-csv", "curve-png", "curve-svg", "lanes-csv", "kinds-csv",
)  # fmt: skip
EXPORTS = {
    TABLE_CSV: "Settings as CSV…",
    TABLE_LATEX: "Settings as LaTeX…",
    TABLE_COPY: "Copy settings",
    CURVE_CSV: "Curve as CSV…",
    CURVE_PNG: "Curve as PNG…",
    CURVE_SVG: "Curve as SVG…",
    LANES_CSV: "Lanes as CSV…",
    KINDS_CSV: "Counts by missing value as CSV…",
}
KEYS = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1, Qt.Key.Key_N: 1, Qt.Key.Key_P: -1}
TASK_KEYS = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}


class AskLanesPage(QWidget):
    """`panel` is the step and the talk; it stands elsewhere."""

    task_wanted = Signal(str)
    """the episode whose lanes are to be shown"""
    step_shown = Signal(int)
    """a column: its screen is wanted"""
    replay_requested = Signal(str, int)
    """episode and the step's index"""
    switched = Signal()
    """another `dual` or `early ask`; the switches say which"""
    threshold_changed = Signal(float)
    export_chosen = Signal(str)
    """a key of `EXPORTS`"""
    make_requested = Signal()
    """ambiguous tasks are to be made of the data"""
    run_wanted = Signal(str)
    """a row of the settings table was chosen: its key"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[LanesTaskRow, ...] = ()
        self._state: LanesState | None = None
        self._wanted, self._column, self._is_narrow = "", 0, False
        self.panel = AskPanel(self)
        self.panel.hide()  # whoever has room for it shows it
        # each part is made inside its parent: what is put there when it is whole has all its own parts styled anew
        self._whole = QStackedWidget(self)
        self._split = QSplitter(self._whole)
        self._left, self._stack = QFrame(self._split), QStackedWidget(self._split)
        self._scroll = QScrollArea(self._stack)
        self._inside = inside = QWidget(self._scroll.viewport())
        self.filters, self.tasks = LanesFilters(self._left), LanesTaskList(self._left)
        self.title, self._counted = QLabel("Tasks", self._left), ElidedLabel("", "dim", self._left)
        self.said = QLabel(inside)
        self.said.setWordWrap(True)
        self.said.setProperty("role", "secondary")
        self.goal, self.badge = StruckGoal(inside), Badge(parent=inside)
        self.export = text_button("Export…", icon="export", tip="Table, curve and lanes as files", parent=inside)
        self.legend, self.note = LanesLegend(inside), ElidedLabel("", "dim", inside)
        self.lanes = LanesView()
        self._frame = framed(self.lanes, parent=inside)
        self.settings, self.cost = SettingsCard(inside), CostCard(inside)
        self.kinds = OrderCard("By missing value", inside)
        self.parts = QTabBar(inside)
        make, clear = [(MAKE, "Make ambiguous tasks…")], [("clear", "Clear filter")]
        self._empty = EmptyState("ask", "No question is due in this data", "", make, self._whole)
        self._nothing = EmptyState("filter", "No task is left", "Take a filter away.", clear, self._stack)
        self._lay_out()
        self._connect()
        self.set_tasks(())

    # what the owner tells

    def set_tasks(self, rows: Sequence[LanesTaskRow], current: str = "") -> None:
        """The tasks of the run; `current` stays chosen where it is listed."""
        self._rows = tuple(rows)
        groups = Counter(row.group for row in rows if row.group is not None)
        kinds = Counter(row.kind for row in rows if row.kind)
        self.filters.set_counts(groups, kinds.most_common())
        self._list(current or self._wanted)

    def set_state(self, state: LanesState | None) -> None:
        """The lanes of the task that was wanted; None: they are on their way, or there are none. The same task keeps
        its step."""
        same = state is not None and self._state is not None and state.episode == self._state.episode
        self._state = state
        if state is not None:
            self._column = min(self._column if same else state.start, max(0, len(state.columns) - 1))
            self.goal.set_pieces(state.goal)
            self.legend.set_run(state.run)
            self.note.setText(state.note)
        self.lanes.set_state(state, self._column)
        self.panel.set_state(state)
        self._frame.setVisible(state is not None)
        if state is not None:
            self.panel.show_step(self._column)
            self.step_shown.emit(self._column)

    def set_settings(self, table: SettingsTable, *, dual: bool, early: bool) -> None:
        self.settings.set_table(table)
        self.settings.set_switches(dual=dual, early=early)

    def set_cost(self, cost: AskingCost) -> None:
        self.cost.set_cost(cost)

    def set_kinds(self, sheet: OrderSheet) -> None:
        """Counts by kind of missing value."""
        self.kinds.set_sheet(sheet)

    def set_said(self, words: str) -> None:
        """Words above everything: what goes on, what went wrong, what is left out; "" for none."""
        self.said.setText(straight(words))
        self.said.setVisible(bool(words))

    def set_empty(self, title: str, detail: str, *, can_make: bool) -> None:
        """Nothing can be shown, and why; `can_make` offers ambiguous tasks."""
        self._empty.set_words(title, detail)
        self._empty.set_buttons_shown(can_make)
        self._whole.setCurrentWidget(self._empty)

    def set_shown(self) -> None:
        """There is something to show."""
        self._whole.setCurrentWidget(self._split)

    @property
    def is_empty(self) -> bool:
        return self._whole.currentWidget() is self._empty

    def set_thumbnail(self, column: int, image: QImage) -> None:
        self.lanes.set_thumbnail(column, image)

    @property
    def state(self) -> LanesState | None:
        return self._state

    @property
    def column(self) -> int:
        """The chosen step's column."""
        return self._column

    @property
    def wanted(self) -> str:
        """The chosen task."""
        return self._wanted

    @property
    def shown_rows(self) -> tuple[LanesTaskRow, ...]:
        """The tasks that pass the filters."""
        return self.tasks.tasks.rows

    def choose(self, column: int) -> None:
        """A step: it is marked everywhere and its screen wanted."""
        state = self._state
        if state is not None and 0 <= column < len(state.columns):
            self._column = column
            self.lanes.choose(column)
            self.panel.show_step(column)
            self.step_shown.emit(column)

    def step(self, way: int) -> None:
        self.choose(self._column + way)

    def spot(self, way: int) -> None:
        """The next or the previous step at which something is wrong, asked, due or rescued."""
        spots = self._state.spots() if self._state is not None else ()
        found = [one for one in spots if (one > self._column if way > 0 else one < self._column)]
        if found:
            self.choose(found[0] if way > 0 else found[-1])

    def open_in_replay(self) -> None:
        if self._state is not None and self._state.columns:
            self.replay_requested.emit(self._state.episode, self._state.columns[self._column].step)

    def export_menu(self) -> QMenu:
        menu = QMenu(self)
        for kind, words in EXPORTS.items():
            menu.addAction(plain_label(words), partial(self.export_chosen.emit, kind))
        return menu

    def open_export_menu(self) -> None:
        """Below its button."""
        menu = self.export_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height())))

    # inside

    def _list(self, current: str) -> None:
        group, kind = self.filters.group, self.filters.kind
        rows = [row for row in self._rows if (group is None or row.group is group) and (not kind or row.kind == kind)]
        of = "" if len(rows) == len(self._rows) else f" of {len(self._rows):,}"
        self._counted.setText(f"{len(rows):,}{of}")
        self.tasks.tasks.set_rows(rows)
        if not rows:
            self._wanted = ""
            self.set_state(None)
            self._stack.setCurrentWidget(self._nothing if self._rows else self._scroll)
            return
        self._stack.setCurrentWidget(self._scroll)
        if not self.tasks.choose(current):
            self.tasks.setCurrentIndex(self.tasks.tasks.index(0, 0))

    def _task_changed(self, now: QModelIndex, _before: QModelIndex) -> None:
        """Another task is chosen; the same again in another list is no news."""
        if not now.isValid():
            return
        row = self.tasks.tasks.rows[now.row()]
        if row.episode != self._wanted:
            self._wanted = row.episode
            self.task_wanted.emit(row.episode)
        self._show_badge(row.group)

    def _show_badge(self, group: LanesGroup | None) -> None:
        kinds = {LanesGroup.WHEN_DUE: "hit", LanesGroup.MISSED: "miss", LanesGroup.NOT_WHEN_DUE: "warn"}
        self.badge.setVisible(group is not None)
        if group is not None:
            self.badge.set_words(GROUP_TITLES[group].lower(), kinds.get(group, "neutral"))

    def _step_chosen(self, column: int) -> None:
        self._column = column
        self.panel.show_step(column)
        self.step_shown.emit(column)

    # events

    def event(self, event: QEvent) -> bool:
        """The page's keys are its own here, whatever they do elsewhere."""
        if event.type() == QEvent.Type.ShortcutOverride and self._is_own(event):
            event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """They are in the panel too, which stands elsewhere."""
        if watched is self.panel and self._is_own(event):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                self._go(Qt.Key(event.key()))
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_own(event):
            self._go(Qt.Key(event.key()))
        else:
            super().keyPressEvent(event)

    def _go(self, key: Qt.Key) -> None:
        if key in TASK_KEYS:
            self.tasks.step(TASK_KEYS[key])
        elif key in (Qt.Key.Key_N, Qt.Key.Key_P):
            self.spot(KEYS[key])
        else:
            self.step(KEYS[key])

    def _is_own(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.modifiers():
            return False
        return event.key() in TASK_KEYS or (event.key() in KEYS and self._state is not None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (self.width() < NARROW) != self._is_narrow:
            self._is_narrow = not self._is_narrow
            left = LEAST_LEFT if self._is_narrow else LEFT
            self._split.setSizes([left, max(1, self.width() - left)])
        self._fit()

    def _fit(self) -> None:
        """Cards side by side where there is room, else as tabs."""
        room = self._scroll.viewport().width() if self.isVisible() else self.width() - LEFT
        narrow = room < WIDE_ENOUGH * derived(self.font(), BASE_PIXELS).pixelSize() / BASE_PIXELS
        self.parts.setVisible(narrow)
        part = self.parts.currentIndex()
        for place, card in enumerate((self.settings, self.cost)):
            card.setVisible(not narrow or part == place)
        self.kinds.setVisible(not narrow or part == 2)

    def _connect(self) -> None:
        self.panel.installEventFilter(self)
        self.tasks.selectionModel().currentRowChanged.connect(self._task_changed)
        self.tasks.opened.connect(lambda _index: self.open_in_replay())
        self.filters.changed.connect(lambda: self._list(self._wanted))
        self.lanes.step_chosen.connect(self._step_chosen)
        self.lanes.step_opened.connect(lambda _column: self.open_in_replay())
        self.lanes.task_stepped.connect(self.tasks.step)
        self.panel.replay_requested.connect(self.open_in_replay)
        self.settings.switched.connect(self.switched)
        self.settings.chosen.connect(self.run_wanted)
        self.cost.moved.connect(self.threshold_changed)
        self.export.clicked.connect(self.open_export_menu)
        self.parts.currentChanged.connect(lambda _place: self._fit())
        self._empty.pressed.connect(lambda _button: self.make_requested.emit())
        self._nothing.pressed.connect(lambda _button: self._clear())

    def _clear(self) -> None:
        self.filters.clear()
        self._list(self._wanted)

    def _lay_out(self) -> None:
        self._left.setProperty("bar", "side")
        self._left.setMinimumWidth(LEAST_LEFT)
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        heading = QHBoxLayout()
        heading.setContentsMargins(12, 0, 12, 4)
        self.title.setProperty("role", "heading")
        heading.addWidget(self.title)
        heading.addWidget(self._counted, 1)
        column.addLayout(heading)
        column.addWidget(self.filters)
        column.addWidget(self.tasks, 1)
        self._lay_out_centre()
        self._stack.addWidget(self._scroll)
        self._stack.addWidget(self._nothing)
        self._split.addWidget(self._left)
        self._split.addWidget(self._stack)
        self._split.setStretchFactor(1, 1)
        self._split.setSizes([LEFT, 900])
        self._split.setChildrenCollapsible(False)
        for page in (self._split, self._empty):
            self._whole.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._whole)

    def _lay_out_centre(self) -> None:
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(14, 10, 14, 14)
        column.setSpacing(10)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.goal, 1)
        top.addWidget(self.badge)
        top.addWidget(self.export)
        signs = QHBoxLayout()
        signs.setSpacing(8)
        signs.addWidget(self.legend)
        signs.addWidget(self.note, 1)
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.parts.setDrawBase(False)
        self.parts.setExpanding(False)
        self.parts.setAccessibleName("Card below the lanes")
        for words in ("Four settings", "Cost of asking", "By missing value"):
            self.parts.addTab(plain_label(words))
        cards = QHBoxLayout()
        cards.setSpacing(12)
        cards.addWidget(self.settings, 62)
        cards.addWidget(self.cost, 38)
        column.addWidget(self.said)
        column.addLayout(top)
        column.addLayout(signs)
        column.addWidget(self._frame)
        column.addWidget(self.parts)
        column.addLayout(cards)
        column.addWidget(self.kinds)
        column.addStretch(1)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._inside)
