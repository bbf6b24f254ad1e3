"""An agent that acts on the open device: from the task panel over mirror and conversation to the stored run."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from stepscope.app.gui.features.live.live_controller import NAME, LiveController
from stepscope.app.gui.features.live.live_recording_controller import LiveRecordingController
from stepscope.app.gui.shell.choice_keys import ChoiceKeys
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.core.domain.action import Action
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.gui.features.live import agent_choices, agent_talk, data_answering
    from stepscope.app.gui.features.live.agent_talk import Talk
    from stepscope.app.gui.features.live.data_answering import DataAnswering
    from stepscope.app.services.live import agent_events
    from stepscope.app.services.live.agent import AgentRun
    from stepscope.app.services.live.agent_events import ActionProposed, AgentEvent, AgentSettings, QuestionAsked
    from stepscope.app.services.live.agent_store import StoredAgentRun
    from stepscope.core.device import confirmation_policy
    from stepscope.widgets import live as live_views
    from stepscope.widgets.live import AgentChoice
    from stepscope.widgets.live.conversation import PendingQuestion
else:
    agent_choices = lazy_module("stepscope.app.gui.features.live.agent_choices")
    agent_talk = lazy_module("stepscope.app.gui.features.live.agent_talk")
    data_answering = lazy_module("stepscope.app.gui.features.live.data_answering")
    agent_events = lazy_module("stepscope.app.services.live.agent_events")
    confirmation_policy = lazy_module("stepscope.core.device.confirmation_policy")
    live_views = lazy_module("stepscope.widgets.live")

WAITING = "The last recording waits for its label. Save or discard it first."
NO_DEVICE = "No phone is connected. Choose one above."


class LiveAgentController(QObject):
    """`run` is the agent that is at work or has just ended. `stored(run id, folder, episode)`: its recording was
    saved, and its proposals are a run of the store. Other places ask `proposal` for what waits for the person."""

    stored = Signal(str, object, str)

    _told = Signal(object, object)

    def __init__(self, context: Context, live: LiveController, recording: LiveRecordingController) -> None:
        super().__init__(context)
        self._context, self._live, self._recording = context, live, recording
        self.run: AgentRun | None = None
        self.waiting: ActionProposed | QuestionAsked | None = None
        self._choices: tuple[AgentChoice, ...] = ()
        self._talk: Talk | None = None
        self._data: DataAnswering | None = None
        self._began = 0.0
        self._wanted: Callable[[], object] | None = None
        """what is to be done once the recording has begun"""
        self._folder: Path | None = None
        self._title = ""
        self._loading = self._connected = self._paused = False
        self._told.connect(self._take, Qt.ConnectionType.QueuedConnection)
        live.add_interceptor(self._correct)
        live.session_changed.connect(self._device_changed)
        recording.begun.connect(self._recording_began)
        recording.ended.connect(self._recording_ended)
        recording.finished.connect(self._recorded)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "agent.approve": self.approve,
            "agent.reject": self.reject,
            "agent.pause": self.toggle_pause,
            "agent.stop": self.stop,
            "agent.words": self._choose_words,
        }

    def enter(self) -> None:
        """The workspace comes to the front: who can act is looked up anew."""
        if not self._connected:
            self._connected = True
            self._connect()
        self._context.start("list agents", lambda _token: _choices(), self._list)

    def _connect(self) -> None:
        task, talk = self._live.parts.left.task, self._live.parts.side.conversation
        task.start_requested.connect(self.start)
        task.step_requested.connect(self.step)
        task.pause_requested.connect(lambda: self._do(lambda run: run.pause()))
        task.resume_requested.connect(lambda: self._do(lambda run: run.go_on()))
        task.stop_requested.connect(self.stop)
        for changed in (task.mode_chosen, task.limit_changed, task.steps_changed):
            changed.connect(lambda _value: self._change())
        task.data_answers.toggled.connect(lambda on: self._answer_from_data() if on else None)
        talk.answered.connect(self._answer)
        talk.data_answer_requested.connect(self._answer_from_data)
        talk.decide_requested.connect(self._decide)
        talk.take_over_requested.connect(lambda: self._do(lambda run: run.take_over()))
        talk.not_feasible_requested.connect(self._not_feasible)
        self._keys = ChoiceKeys(self._context.dialog_parent, self._offered, self._choose, self._data_has_it)
        self._show_problem()

    def _list(self, choices: tuple[AgentChoice, ...]) -> None:
        task = self._live.parts.left.task
        self._choices = choices
        task.set_agents(choices, task.agent() or self._context.preferences.agent)

    # Commands --------------------------------------------------------------------------------------------------------

    @property
    def is_at_work(self) -> bool:
        """An agent has begun and has not ended."""
        return self.run is not None and self.run.phase is not agent_events.Phase.FINISHED

    def start(self) -> None:
        """Begin, or go on after a pause."""
        self._ready(lambda run: run.go_on())

    def can_help(self) -> bool:
        """Whether an agent could go on with what the person does."""
        return bool(self._helper())

    def help(self) -> None:
        """Let an agent go on from here towards the goal that stands in the panel: the one that is chosen there, else
        the one that was chosen last, else the first that can."""
        self._live.parts.left.task.set_agents(self._choices, self._helper())
        self.start()

    def _helper(self) -> str:
        """The agent that would help, "" where there is none."""
        chosen = self._live.parts.left.task.agent()
        able = [one.name for one in self._choices if not one.why_not]
        return next((one for one in (chosen, self._context.preferences.agent, *able) if one and one in able), "")

    def step(self) -> None:
        self._ready(lambda run: run.step())

    def stop(self) -> None:
        self._wanted = None
        self._do(lambda run: run.stop())

    def toggle_pause(self) -> None:
        paused = self._paused
        self._do(lambda run: run.go_on() if paused else run.pause())

    def approve(self, choice: int = 0) -> None:
        waiting = self.waiting
        if isinstance(waiting, agent_events.ActionProposed):
            self._do(lambda run: run.approve(waiting.number, choice))

    def reject(self) -> None:
        waiting = self.waiting
        if waiting is not None:
            self._do(lambda run: run.reject(waiting.number))

    def _do(self, what: Callable[[AgentRun], object]) -> None:
        if self.run is not None:
            what(self.run)

    def _answer(self, text: str, offer: int) -> None:
        waiting = self.waiting
        if waiting is not None:
            self._do(lambda run: run.answer(waiting.number, text, offer))

    def _answer_from_data(self) -> None:
        waiting, run, data = self.waiting, self.run, self._data
        if isinstance(waiting, agent_events.QuestionAsked) and run is not None and data is not None:
            data.give(run, waiting)

    def _decide(self) -> None:
        waiting = self.waiting
        if waiting is not None:
            self._do(lambda run: run.decide(waiting.number))

    def _not_feasible(self) -> None:
        self._do(lambda run: run.finish(agent_events.AgentOutcome.IMPOSSIBLE))

    def _offered(self) -> int:
        """How many choices the number keys have now."""
        waiting, view = self.waiting, self._live.parts.centre.view
        if waiting is None or view.keys_mode or self._context.workspaces.workspace != NAME:
            return 0
        return len(waiting.offers if isinstance(waiting, agent_events.QuestionAsked) else waiting.choices)

    def _data_has_it(self) -> bool:
        """Whether key 0 gives the data's answer now."""
        at_work = self.waiting is not None and self._context.workspaces.workspace == NAME
        return at_work and self._live.parts.side.conversation.has_data_answer()

    def _choose(self, number: int) -> None:
        if not number:
            self._answer_from_data()
        elif isinstance(self.waiting, agent_events.QuestionAsked):
            self._live.parts.side.conversation.choose_offer(number)
        else:
            self.approve(number - 1)

    def _change(self) -> None:
        self._do(lambda run: run.change(self._settings()))

    def _choose_words(self) -> None:
        from stepscope.app.gui.features.live.confirmation_words_dialog import ConfirmationWordsDialog

        preferences = self._context.preferences
        dialog = ConfirmationWordsDialog(
            self._context.dialog_parent,
            preferences.asking_words or confirmation_policy.DEFAULT_WORDS,
            preferences.asking_apps,
        )

        def chosen() -> None:
            words = dialog.words()
            self._context.prefer(
                asking_words=() if words == confirmation_policy.DEFAULT_WORDS else words, asking_apps=dialog.apps()
            )
            self._change()

        dialog.accepted.connect(chosen)
        dialog.open()

    def _settings(self) -> AgentSettings:
        task, preferences = self._live.parts.left.task, self._context.preferences
        guard = confirmation_policy.ConfirmationPolicy(
            preferences.asking_words or confirmation_policy.DEFAULT_WORDS, preferences.asking_apps
        )
        mode = agent_events.Mode.OWN if task.mode() == live_views.OWN else agent_events.Mode.APPROVE
        return agent_events.AgentSettings(
            mode, task.limit(), task.steps(), question_limit=preferences.question_limit, confirmation=guard
        )

    # Begin -----------------------------------------------------------------------------------------------------------

    def _ready(self, then: Callable[[AgentRun], object]) -> None:
        """Do it with the agent that is there, or with a new one that is recorded."""
        if self.is_at_work and self.run is not None:
            then(self.run)
        elif self._live.current is None or self._loading:
            self._show_problem()
        elif self._recording.is_running:
            self._make(then)
        elif self._recording.session is not None:
            self._context.messages.info(WAITING)
            self._live.parts.left.label.ask_for_label()
        else:
            self._wanted = lambda: self._make(then)
            self._recording.begin()

    def _recording_began(self) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            wanted()

    def _make(self, then: Callable[[AgentRun], object]) -> None:
        task = self._live.parts.left.task
        acts, asks = agent_choices.names_of(task.agent())
        session = self._live.current
        serial = session.device.info.serial if session is not None else ""
        self._loading = True
        self._context.prefer(agent=task.agent())
        look = data_answering.search(self._context, serial, task.goal())
        self._data = data_answering.DataAnswering()

        def load(_token: CancelToken) -> list[Any]:
            from stepscope.app.services.live.predicting import live_model
            from stepscope.app.services.live.replaying import check_replayed

            check_replayed(serial, [name for name in (acts, asks) if name])
            answers = look()
            return [*(live_model(name) if name else None for name in (acts, asks)), answers]

        self._context.start(
            "load agent", load, lambda found: self._made(found, then), failed=lambda error: self._not_made(error, then)
        )

    def _not_made(self, error: Exception, then: Callable[[AgentRun], object]) -> None:
        """Where recordings that are walked as a phone would go to a server, ask the person first."""
        from stepscope.app.gui.shell.recordings_question import ask_to_send
        from stepscope.models.chat.consents import ConsentNeededError

        self._loading = False
        if isinstance(error, ConsentNeededError):
            ask_to_send(self._context, (error,), lambda: self._make(then))
        else:
            self._live.failed(error)

    def _made(self, found: list[Any], then: Callable[[AgentRun], object]) -> None:
        from stepscope.app.services.live.agent import AgentRun

        self._loading = False
        *models, answers = found
        if self._data is not None:
            self._data.data = answers
        session, recording = self._live.current, self._recording.session
        if session is None or recording is None or not self._recording.is_running:
            for model in filter(None, models):
                model.close()
            return
        self._close()
        task = self._live.parts.left.task
        goal, self._title, self._folder = task.goal().strip(), models[0].info.title, recording.folder
        self._talk, self._began = agent_talk.Talk(goal, self._title), time.monotonic()
        self._live.parts.side.conversation.set_turns(self._talk.turns)
        self._live.parts.side.conversation.set_running(True)
        run = AgentRun(
            session,
            models[0],
            goal,
            lambda event: self._told.emit(run, event),  # nothing is told before `then` asks for something
            settings=self._settings(),
            asker=models[1],
            recorder=recording,
            episode=recording.folder.name,
        )
        self.run = run
        self._context.conditions.set("agent", True)
        then(run)

    def _correct(self, action: Action, milliseconds: int | None) -> bool:
        """Take what the person does to the device while an agent is there as a correction of it."""
        if not self.is_at_work or self.run is None:
            return False
        self.run.correct(action, milliseconds)
        return True

    # What it tells ---------------------------------------------------------------------------------------------------

    def _take(self, run: AgentRun, event: AgentEvent) -> None:
        if run is not self.run or self._talk is None:
            return
        parts = self._live.parts
        conversation = parts.side.conversation
        match event:
            case agent_events.ActionProposed() | agent_events.QuestionAsked(waits=True):
                self.waiting = event
            case agent_events.QuestionAnswered():
                pass
            case _:
                self.waiting = None
        self._context.conditions.set("proposal", isinstance(event, agent_events.ActionProposed))
        parts.centre.set_proposal(
            agent_talk.proposal_of(self.waiting, run.settings) if self.waiting is not None else None
        )
        parts.left.task.show_state(agent_talk.task_state(event, run.settings.mode))
        conversation.set_asking(self._asking(run, event) if isinstance(event, agent_events.QuestionAsked) else None)
        if self._talk.take(event, time.monotonic() - self._began):
            conversation.set_turns(self._talk.turns)
        if isinstance(event, agent_events.QuestionAsked):
            parts.side.setCurrentWidget(conversation)
            if parts.left.task.data_answers.isChecked():
                self._answer_from_data()
        if isinstance(event, agent_events.AgentPaused):
            self._live.log("news", event.why)
        if isinstance(event, agent_events.AgentPaused | agent_events.PredictionStarted):
            self._paused = isinstance(event, agent_events.AgentPaused)
        if isinstance(event, agent_events.AgentFinished):
            self._ended(event)

    def _asking(self, run: AgentRun, asked: QuestionAsked) -> PendingQuestion | None:
        """What the conversation offers as answers; nothing for a question that nobody is asked."""
        if not asked.waits:
            return None
        asking = agent_talk.asking_of(asked, run.settings)
        return asking if self._data is None else self._data.offered(asked, asking)

    def _ended(self, event: Any) -> None:
        """The attempt is over: what is recorded waits for its label."""
        self._rest()
        self._live.log("news", event.why)
        if self._recording.is_running:
            self._recording.stop()
        if event.how is agent_events.AgentOutcome.IMPOSSIBLE:
            self._live.parts.left.label.ask_infeasible()

    def _rest(self) -> None:
        """Show that nothing waits for the person any more."""
        self.waiting = None
        self._context.conditions.set("agent", False)
        self._context.conditions.set("proposal", False)
        if self._connected:
            self._live.parts.side.conversation.set_asking(None)
            self._live.parts.side.conversation.set_running(False)
            self._live.parts.centre.set_proposal(None)

    def _recording_ended(self) -> None:
        """End the agent's attempt with its recording."""
        self._wanted = None
        if self.is_at_work:
            self.stop()

    def _device_changed(self) -> None:
        """An agent belongs to the device on which it began."""
        self._wanted = None
        if self.run is not None:
            self._close()
            self._rest()
            if self._connected:
                self._live.parts.left.task.show_state(live_views.TaskState())
        self._show_problem()

    def _show_problem(self) -> None:
        if self._connected and not self.is_at_work:
            problem = "" if self._live.current is not None else NO_DEVICE
            self._live.parts.left.task.show_state(live_views.TaskState(problem=problem))

    def _close(self) -> None:
        """Close the agent and keep what is to be stored of it."""
        if self.run is not None:
            self.run.close()

    def end(self) -> None:
        """The window is closing."""
        self._wanted = None
        self._close()

    # Storing ---------------------------------------------------------------------------------------------------------

    def _recorded(self, folder: Path, episode: str) -> None:
        """The recording has its label: write and score what the agent proposed."""
        run, database = self.run, self._context.database
        if run is None or folder != self._folder or database is None or not run.memory.predictions:
            return
        self._folder = None
        memory, model, note = run.memory, run.model.info.name, _note(run)

        def store(token: CancelToken) -> StoredAgentRun:
            from stepscope.app.services.live.agent_store import keep

            return keep(database, folder, episode, memory, model=model, note=note, token=token)

        self._context.start("store agent", store, self._kept, failed=self._live.failed, lane="writer")

    def _kept(self, stored: StoredAgentRun) -> None:
        self._context.selection.show_run(stored.run, stored.data)
        self._context.events.publish(RunsChanged())
        self._context.messages.info(stored.words, title="The agent's run is stored.")
        self.stored.emit(stored.run, stored.folder, stored.episode)


def _choices() -> tuple[AgentChoice, ...]:
    return agent_choices.agent_choices()


def _note(run: AgentRun) -> str:
    settings = run.settings
    return f"An agent on a device, {settings.mode.value}; asks below {settings.ask_below:.2f}."
