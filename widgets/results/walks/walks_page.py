"""The page of a roll-out: classes and goals at the left, the graph of a goal's walks, and both ways side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from stepscope.core.scoring.rollout import WalkClass
from stepscope.widgets.common import Badge, ElidedLabel, EmptyState, icon_button, text_button
from stepscope.widgets.common.plain_words import plain_label, straight, tip_words
from stepscope.widgets.results.walks.class_bars import ClassBars
from stepscope.widgets.results.walks.goal_list import GoalList
from stepscope.widgets.results.walks.graph_view import WalkGraphView
from stepscope.widgets.results.walks.layout import MOST_SCREENS
from stepscope.widgets.results.walks.steps_table import StepsTable
from stepscope.widgets.results.walks.walk_panel import WalkPanel
from stepscope.widgets.results.walks.walk_values import (
    CLASS_TITLES,
    HUMAN,
    GoalRow,
    WalkLane,
    WalkMove,
    WalkState,
    parting,
)

LEFT = 268
KEYS = {
    Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_N, Qt.Key.Key_P, Qt.Key.Key_U, Qt.Key.Key_F,
    Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3,
}  # fmt: skip
"""Keys that are the page's own, whatever they do elsewhere."""


class WalksPage(QWidget):
    """`panel` is the walk step by step; it stands elsewhere."""

    goal_wanted = Signal(str)
    """the episode whose walks are to be shown"""
    pictures_wanted = Signal(object)
    """names of screens"""
    replay_requested = Signal(str, int)
    """episode and place of a screen"""
    phone_requested = Signal(str)
    """the episode whose goal is to be walked on the simulated phone"""
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[GoalRow, ...] = ()
        self._state: WalkState | None = None
        self._kind: WalkClass | None = None
        self._images: dict[str, QImage] = {}
        self._move: tuple[str, int] = ("", -1)
        self._hidden: set[str] = set()
        self._on_phone: frozenset[str] = frozenset()
        self._wanted, self._lists = "", False
        self.follows = True
        """whether the goal that is being walked comes to the front by itself: not once a person has chosen another"""
        self.panel = WalkPanel(self)
        self.panel.hide()  # whoever has room for it shows it
        self.classes, self.goals = ClassBars(), GoalList()
        self.graph, self.steps = WalkGraphView(), StepsTable()
        self._reached, self._share = QLabel(), QLabel()
        self._goals_title, self._goals_detail = QLabel("Goals"), ElidedLabel("", "dim")
        self.title, self.badge, self.more = ElidedLabel("", "heading"), Badge(), Badge()
        self.lane_buttons = [text_button("") for _ in range(3)]
        self.others = text_button("Unwalked  U", tip="Screens that were recorded and that nobody here walked over (U)")
        self.others.setCheckable(True)
        self.others.setChecked(True)
        self.fit, self.detail = icon_button("fit", "Fit", shortcut="F"), ElidedLabel("", "dim")
        self._empty = EmptyState("walk", "No walk is shown", "Choose a goal in the list.")
        self._waiting = QLabel("Putting the app's screens together …")
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._waiting.setProperty("role", "secondary")
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.set_goals((), "", frozenset())

    # what the owner tells

    def set_goals(self, rows: Sequence[GoalRow], share: str, on_phone: frozenset[str], current: str = "") -> None:
        """The goals of the run; `share` is the interval of those that were reached, in words, `on_phone` are episodes
        that can be walked on the simulated phone. `current` is the goal that is chosen, where it is listed, else the
        first one."""
        self._rows, self._on_phone = tuple(rows), on_phone
        counts = Counter(row.kind for row in rows if row.kind is not None)
        reached = sum(count for kind, count in counts.items() if kind.success)
        walked = sum(counts.values())
        self._reached.setText(f"{reached:,} of {walked:,}")
        self._share.setText(straight(share))
        self.classes.set_counts(counts, walked)
        if self._kind is not None and not counts.get(self._kind):
            self._kind = None
        self.classes.set_chosen(self._kind)
        self._list(current)

    def set_state(self, state: WalkState | None) -> None:
        """The walks of the goal that was wanted; None: they are on their way, or there are none."""
        self._state = state
        self.graph.set_state(state)
        on_phone = state is not None and state.goal.episode in self._on_phone
        self.panel.set_state(state, on_phone=on_phone)
        self.steps.set_lanes(state.lanes if state is not None else ())
        self._stack.setCurrentWidget(self._shown if state is not None else self._empty)
        if state is None:
            return
        self.title.setText(state.goal.goal)
        self.title.setToolTip(tip_words(state.goal.goal))
        kind = state.goal.kind
        self.badge.set_words(
            "under way"
            if state.goal.under_way
            else "not walked"
            if kind is None
            else "reached"
            if kind.success
            else CLASS_TITLES[kind].lower(),
            "neutral" if state.goal.under_way else "hit" if kind is not None and kind.success else "miss",
        )
        beyond = (state.goal.actions or 0) - (state.goal.human or 0)
        self.more.setVisible(beyond > 0 and kind is not None and kind.success)
        self.more.set_words(f"{beyond} actions more" if beyond != 1 else "1 action more", "warn")
        for number, button in enumerate(self.lane_buttons):
            shown = number < len(state.lanes)
            button.setVisible(shown)
            if shown:
                button.setText(plain_label(straight(f"{state.lanes[number].title}  {number + 1}")))
        self._show_lanes()
        lane = state.shown or state.lanes[0]
        number = self._move[1] if self._move[0] == lane.id else 0
        if state.goal.under_way and self.follows:
            number = len(lane.moves) - 1
        self.choose(lane.id, min(max(number, 0), max(0, len(lane.moves) - 1)))

    def set_waiting(self) -> None:
        """The screens of the goal's app are being put together."""
        self._stack.setCurrentWidget(self._waiting)

    def set_image(self, name: str, image: QImage) -> None:
        """The picture of a screen."""
        self._images[name] = image
        self.graph.set_image(name, image)
        self.panel.model.set_image(name, image)
        self._show_step()

    def forget_images(self) -> None:
        """Other data is shown."""
        self._images.clear()
        self.graph.forget_images()
        self.panel.model.images.clear()

    @property
    def state(self) -> WalkState | None:
        return self._state

    @property
    def chosen_step(self) -> tuple[str, int]:
        """Lane and step that are chosen."""
        return self._move

    def choose(self, lane: str, number: int) -> None:
        """A step: its screen is marked everywhere."""
        self._move = lane, number
        self.graph.set_move(lane, number)
        self.steps.choose(lane, number)
        self.panel.choose(lane, number)
        self._show_step()

    # inside

    def _list(self, current: str) -> None:
        rows = [row for row in self._rows if self._kind is None or row.kind is self._kind]
        rows.sort(key=lambda row: (not row.under_way, -(row.actions or 0)))
        self._lists = True
        self.goals.goals.set_rows(rows)
        self._goals_detail.setText(
            f"{len(rows):,} {CLASS_TITLES[self._kind].lower()}" if self._kind else f"{len(rows):,}, longest first"
        )
        place = next((number for number, row in enumerate(rows) if row.episode == current), 0)
        if rows:
            self.goals.setCurrentIndex(self.goals.goals.index(place, 0))
        else:
            self._wanted = ""
            self.set_state(None)
        self._lists = False

    def _goal_changed(self, now: QModelIndex, _before: QModelIndex) -> None:
        """Another goal is chosen, by a person or as its list is made; the same again in another list is no news."""
        if not now.isValid():
            return
        row = self.goals.goals.rows[now.row()]
        if not self._lists:
            self.follows = row.under_way
        if row.episode != self._wanted:
            self._wanted = row.episode
            self.goal_wanted.emit(row.episode)

    def _class_chosen(self, kind: WalkClass | None) -> None:
        self._kind = kind
        self.follows = self.follows and kind is None
        self._list(self._wanted)

    def _show_lanes(self) -> None:
        state = self._state
        if state is None:
            return
        known = {lane.id for lane in state.lanes}
        self._hidden &= known
        for number, button in enumerate(self.lane_buttons[: len(state.lanes)]):
            button.setCheckable(True)
            button.setChecked(state.lanes[number].id not in self._hidden)
        self.graph.set_shown(self._hidden, others=self.others.isChecked())
        drawn, all_ = len(self.graph.screens), len(state.screens)
        near = "near the ways" if all_ > MOST_SCREENS else "of the app"
        self.detail.setText(f"{drawn:,} of {all_:,} screens {near}")

    def _toggle_lane(self, number: int) -> None:
        if self._state is not None and number < len(self._state.lanes):
            self._hidden ^= {self._state.lanes[number].id}
            self._show_lanes()

    def _show_step(self) -> None:
        move = self._chosen_move()
        if move is None or self._state is None:
            self.panel.show_step(None, None, "")
            return
        screen = self._state.screens[move.place]
        words = screen.words if screen.recorded else f"{screen.words}: no demonstration shows this screen"
        self.panel.show_step(move, self._images.get(move.place), words)

    def _chosen_move(self) -> WalkMove | None:
        lane = self._lane()
        return lane.moves[self._move[1]] if lane is not None and 0 <= self._move[1] < len(lane.moves) else None

    def _lane(self) -> WalkLane | None:
        lanes = self._state.lanes if self._state is not None else ()
        return next((lane for lane in lanes if lane.id == self._move[0]), None)

    def _screen_chosen(self, name: str) -> None:
        """A click on a screen: the step that was done there, of the run before the person's; else the screen alone."""
        state = self._state
        if state is None:
            return
        for lane in sorted(state.lanes, key=lambda one: one.id == HUMAN):
            for number, move in enumerate(lane.moves):
                if move.place == name and lane.id not in self._hidden:
                    self.choose(lane.id, number)
                    return
        screen = state.screens[name]
        self.panel.show_step(None, self._images.get(name), screen.words)
        self.panel.tabs.setCurrentIndex(1)

    def step(self, way: int) -> None:
        """Go along the lane."""
        lane = self._lane()
        if lane is not None and 0 <= self._move[1] + way < len(lane.moves):
            self.choose(lane.id, self._move[1] + way)

    def part(self, way: int) -> None:
        """Go to the next or the previous step at which the run leaves the person's way."""
        state = self._state
        if state is None or state.shown is None:
            return
        at = self._move[1] if self._move[0] == state.shown.id else -1
        steps = parting(state.shown, state.lanes[0])
        found = [one for one in steps if (one > at if way > 0 else one < at)]
        if found:
            self.choose(state.shown.id, found[0] if way > 0 else found[-1])

    def open_in_replay(self) -> None:
        """The chosen step's screen, where it was recorded."""
        move = self._chosen_move()
        if move is not None:
            self._open(move.place)

    def _open(self, name: str) -> None:
        if self._state is None:
            return
        episode, _, place = name.rpartition("/")
        if self._state.screens[name].recorded:
            self.replay_requested.emit(episode, int(place))
        else:
            self.replay_requested.emit(self._state.goal.episode, 0)

    # events

    def event(self, event: QEvent) -> bool:
        """The page's letters are its own here, whatever they do elsewhere."""
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
                self._go(event.key())
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_own(event):
            self._go(event.key())
        else:
            super().keyPressEvent(event)

    def _go(self, key: int) -> None:
        match key:
            case Qt.Key.Key_J | Qt.Key.Key_K:
                self.step(1 if key == Qt.Key.Key_J else -1)
            case Qt.Key.Key_N | Qt.Key.Key_P:
                self.part(1 if key == Qt.Key.Key_N else -1)
            case Qt.Key.Key_U:
                self.others.click()
            case Qt.Key.Key_F:
                self.graph.fit()
            case _:
                self._toggle_lane(key - Qt.Key.Key_1)

    def _is_own(self, event: QEvent) -> bool:
        plain = isinstance(event, QKeyEvent) and not event.modifiers() and event.key() in KEYS
        return plain and self._state is not None

    def _connect(self) -> None:
        self.panel.installEventFilter(self)
        self.goals.selectionModel().currentRowChanged.connect(self._goal_changed)
        self.goals.goals.modelReset.connect(
            lambda: self.goals.selectionModel().clearCurrentIndex() if not self.goals.goals.rows else None
        )
        self.classes.chosen.connect(self._class_chosen)
        self.graph.screen_chosen.connect(self._screen_chosen)
        self.graph.screen_opened.connect(self._open)
        self.graph.move_chosen.connect(self.choose)
        self.graph.pictures_wanted.connect(self.pictures_wanted)
        self.steps.move_chosen.connect(self.choose)
        self.steps.opened.connect(lambda _index: self.open_in_replay())
        self.panel.move_chosen.connect(self.choose)
        self.panel.replay_requested.connect(self.open_in_replay)
        self.panel.phone_requested.connect(
            lambda: self.phone_requested.emit(self._state.goal.episode) if self._state is not None else None
        )
        for number, button in enumerate(self.lane_buttons):
            button.clicked.connect(lambda _checked, one=number: self._toggle_lane(one))
        self.others.clicked.connect(lambda _checked: self._show_lanes())
        self.fit.clicked.connect(self.graph.fit)

    def _lay_out(self) -> None:
        left = QFrame()
        left.setProperty("bar", "side")
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        caption = QLabel("Reached")
        caption.setProperty("role", "tiny")
        caption.setContentsMargins(12, 0, 12, 0)
        self._reached.setProperty("role", "title")
        self._share.setProperty("role", "tiny")
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 0)
        row.addWidget(self._reached)
        row.addStretch(1)
        row.addWidget(self._share)
        heading = QHBoxLayout()
        heading.setContentsMargins(12, 4, 12, 4)
        self._goals_title.setProperty("role", "heading")
        heading.addWidget(self._goals_title)
        heading.addWidget(self._goals_detail, 1)
        column.addWidget(caption)
        column.addLayout(row)
        column.addWidget(self.classes)
        column.addLayout(heading)
        column.addWidget(self.goals, 1)
        self._shown = QWidget()
        centre = QVBoxLayout(self._shown)
        centre.setContentsMargins(0, 0, 0, 0)
        centre.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(12, 8, 12, 4)
        top.setSpacing(8)
        top.addWidget(self.title, 1)
        top.addWidget(self.badge)
        top.addWidget(self.more)
        tools = QHBoxLayout()
        tools.setContentsMargins(12, 2, 12, 6)
        tools.setSpacing(6)
        for part in (*self.lane_buttons, self.others):
            tools.addWidget(part)
        tools.addWidget(self.detail, 1)
        tools.addWidget(self.fit)
        centre.addLayout(top)
        centre.addLayout(tools)
        centre.addWidget(self.graph, 1)
        centre.addWidget(self.steps)
        for page in (self._empty, self._waiting, self._shown):
            self._stack.addWidget(page)
        split = QSplitter()
        split.addWidget(left)
        split.addWidget(self._stack)
        split.setStretchFactor(1, 1)
        split.setSizes([LEFT, 900])
        split.setChildrenCollapsible(False)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(split)
