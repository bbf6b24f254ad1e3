"""What is to be done and who does it: the goal, the agent, and how far it may go on its own."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSizePolicy, QSlider, QSpinBox, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common import PanelHeader, SegmentedControl, text_button
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.common.room_row import RoomRow
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.live.agent_combo import AgentCombo
from stepscope.widgets.live.goal_field import GoalField
from stepscope.widgets.live.live_state import NO_AGENT, AgentChoice, AgentPhase, GoalSuggestion, TaskState

APPROVE, OWN = "approve", "own"
USUAL_LIMIT, USUAL_STEPS, MOST_STEPS = 0.6, 20, 500
DATA_ANSWERS_TIP = (
    "An episode of the open data that has this goal answers the agent's questions, so that nobody need be here. "
    "Where it has no answer, the agent is told to go on."
)
MYSELF_WORDS = "You act on the phone yourself. Record (R) keeps every step."


class _QuietSlider(QSlider):
    """A wheel that merely passes over changes nothing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class TaskPanel(QWidget):
    """Values in, signals out; the buttons follow `show_state`."""

    goal_changed = Signal(str)
    agent_chosen = Signal(str)
    mode_chosen = Signal(str)
    limit_changed = Signal(float)
    steps_changed = Signal(int)
    step_requested = Signal()
    start_requested = Signal()
    pause_requested = Signal()
    resume_requested = Signal()
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = TaskState()
        self.goal_field, self.agents = GoalField(), AgentCombo()
        self.modes = SegmentedControl([(APPROVE, "After I approve"), (OWN, "On its own")], "The agent acts")
        self.modes.spread()
        self.slider, self.spin = _QuietSlider(Qt.Orientation.Horizontal), QSpinBox()
        self.data_answers = QCheckBox("The data answers")
        self.data_answers.setToolTip(tip_words(DATA_ANSWERS_TIP))
        self._build_limits()
        self._build_buttons()
        self._words = QLabel()
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setAccessibleName("What the agent does")
        self._lay_out()
        self._connect()
        self._renew()

    # what the owner tells

    def set_goal(self, text: str) -> None:
        self.goal_field.show_text(text)
        self._renew()

    def set_suggestions(self, suggestions: Sequence[GoalSuggestion]) -> None:
        """Goals to choose from: of a campaign, of earlier recordings."""
        self.goal_field.set_suggestions(suggestions)

    def set_agents(self, agents: Sequence[AgentChoice], current: str = "") -> None:
        """The agents to choose from, after "None: I do it myself"."""
        self.agents.set_agents(agents, current)
        self._renew()

    def set_mode(self, mode: str) -> None:
        self.modes.set_value(mode)

    def set_limit(self, limit: float) -> None:
        """Below this confidence (0..1) the agent asks."""
        self.slider.blockSignals(True)
        self.slider.setValue(round(100 * limit))
        self.slider.blockSignals(False)
        self._tell_limit()

    def set_steps(self, steps: int) -> None:
        """Set after how many steps the agent stops."""
        self.spin.blockSignals(True)
        self.spin.setValue(steps)
        self.spin.blockSignals(False)

    def show_state(self, state: TaskState) -> None:
        """Show what the agent does now."""
        if state != self._state:
            self._state = state
            self._renew()

    def focus_goal(self) -> None:
        self.goal_field.setFocus(Qt.FocusReason.OtherFocusReason)

    # what holds

    def goal(self) -> str:
        return self.goal_field.text()

    def agent(self) -> str:
        """Name of the agent, NO_AGENT where the person acts."""
        return self.agents.currentData() or NO_AGENT

    def mode(self) -> str:
        return self.modes.value()

    def limit(self) -> float:
        return self.slider.value() / 100

    def steps(self) -> int:
        return self.spin.value()

    def words(self) -> str:
        """What the panel says of the agent."""
        return self._words.text()

    # inside

    def _build_limits(self) -> None:
        self.slider.setRange(0, 100)
        self.slider.setSingleStep(1)
        self.slider.setPageStep(10)
        self.slider.setProperty("large", True)
        self.slider.setMinimumHeight(20)
        self._limit = QLabel()
        self._limit.setProperty("role", "title")
        self.slider.setValue(round(100 * USUAL_LIMIT))
        self.spin.setRange(1, MOST_STEPS)
        self.spin.setSuffix(" steps")
        self.spin.setValue(USUAL_STEPS)
        calm(self.spin)
        self.spin.setAccessibleName("The agent stops after")
        self._tell_limit()

    def _build_buttons(self) -> None:
        self.start = text_button(" Start agent", primary=True, icon="run")
        self.step = text_button("Step", tip="Let the agent do one step")
        self.pause = text_button(" Pause agent", icon="pause", tip="Pause agent (Ctrl+Space)")
        self.resume = text_button(" Resume agent", icon="run", tip="Resume agent (Ctrl+Space)")
        self.stop = text_button(" Stop", tip="End the agent's attempt; what is recorded stays")
        self.stop.setIcon(icons.icon("stop", lambda: theme.current().miss))
        for button in (self.start, self.step, self.pause, self.resume, self.stop):
            button.setAccessibleName(button.text().strip())
            leads = button in (self.start, self.pause, self.resume)
            policy = QSizePolicy.Policy.Expanding if leads else QSizePolicy.Policy.Preferred
            button.setSizePolicy(policy, QSizePolicy.Policy.Fixed)

    def _lay_out(self) -> None:
        self._acting = QWidget()
        acting = QVBoxLayout(self._acting)
        acting.setContentsMargins(0, 0, 0, 0)
        acting.setSpacing(12)
        acting.addLayout(_labelled("The agent acts", self.modes))
        limit = QHBoxLayout()
        limit.addWidget(_label("Asks below confidence", self.slider), 1)
        limit.addWidget(self._limit)
        sliding = QVBoxLayout()
        sliding.setSpacing(4)
        sliding.addLayout(limit)
        sliding.addWidget(self.slider)
        acting.addLayout(sliding)
        stops = QHBoxLayout()
        stops.addWidget(_label("Stops after", self.spin), 1)
        stops.addWidget(self.spin)
        acting.addLayout(stops)
        acting.addWidget(self.data_answers)
        self._row = RoomRow(self.start, self.pause, self.resume, self.step, self.stop)
        body = QVBoxLayout()
        body.setContentsMargins(12, 12, 12, 12)
        body.setSpacing(12)
        body.addLayout(_labelled("Goal", self.goal_field))
        body.addLayout(_labelled("Agent", self.agents))
        for part in (self._acting, self._words):
            body.addWidget(part)
        body.addWidget(self._row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(PanelHeader("Task"))
        column.addLayout(body)

    def _connect(self) -> None:
        self.goal_field.changed.connect(self.goal_changed)
        self.goal_field.changed.connect(lambda _text: self._renew())
        self.goal_field.submitted.connect(lambda: self.agents.setFocus(Qt.FocusReason.TabFocusReason))
        self.agents.activated.connect(lambda _place: self.agent_chosen.emit(self.agent()))
        self.agents.currentIndexChanged.connect(lambda _place: self._renew())
        self.modes.chosen.connect(self.mode_chosen)
        self.slider.valueChanged.connect(lambda _value: self._tell_limit())
        self.slider.valueChanged.connect(lambda value: self.limit_changed.emit(value / 100))
        self.spin.valueChanged.connect(self.steps_changed)
        self.start.clicked.connect(self.start_requested)
        self.step.clicked.connect(self.step_requested)
        self.pause.clicked.connect(self.pause_requested)
        self.resume.clicked.connect(self.resume_requested)
        self.stop.clicked.connect(self.stop_requested)

    def _tell_limit(self) -> None:
        words = formats.confidence(self.limit())
        self._limit.setText(straight(words))
        self.slider.setAccessibleName(f"Asks below confidence {words}")

    def _problem(self) -> str:
        """What is missing before the agent can begin."""
        if self._state.problem:
            return self._state.problem
        agent = self.agents.agent()
        if agent is not None and agent.why_not:
            return agent.why_not
        return "" if self.goal() else "Write the goal first."

    def _renew(self) -> None:
        """Buttons, fields and words as the state and the fields have them."""
        phase, chosen = self._state.phase, self.agent() != NO_AGENT
        idle, paused = phase is AgentPhase.IDLE, phase is AgentPhase.PAUSED
        self.goal_field.setReadOnly(not idle)
        self.agents.setEnabled(idle)
        self._acting.setVisible(chosen)
        for button, shown in (
            (self.start, idle), (self.step, idle or paused), (self.pause, phase.running), (self.resume, paused),
            (self.stop, not idle),
        ):  # fmt: skip
            button.setVisible(shown and (chosen or not idle))
        problem = self._problem() if idle and chosen else ""
        for button in (self.start, self.step):
            button.setEnabled(not problem)
        self._say(problem or self._state.words or ("" if chosen else MYSELF_WORDS), self._state.attention)

    def _say(self, words: str, attention: bool) -> None:
        self._words.setText(straight(words))
        self._words.setVisible(bool(words))
        for name, value in (("badge", "warn" if attention else None), ("role", None if attention else "secondary")):
            self._words.setProperty(name, value)
        restyle(self._words)


def _label(words: str, buddy: QWidget) -> QLabel:
    label = QLabel(straight(words))
    label.setProperty("role", "secondary")
    label.setWordWrap(True)
    label.setBuddy(buddy)
    return label


def _labelled(words: str, field: QWidget) -> QVBoxLayout:
    """A field below its name."""
    column = QVBoxLayout()
    column.setSpacing(4)
    column.addWidget(_label(words, field))
    column.addWidget(field)
    return column
