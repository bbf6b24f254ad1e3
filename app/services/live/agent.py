"""An agent on a device: it looks, proposes, is approved, corrected, answered or stopped, acts, and looks again.

One thread takes commands, looks, answers of models and ends of actions in the order in which they come, so nothing is
waited for and a person can pause or stop at any time.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from stepscope.app.services.live.agent_course import TAKEN_OVER, AgentLoop
from stepscope.app.services.live.agent_events import (
    AgentEvent,
    AgentOutcome,
    AgentPaused,
    AgentSettings,
    AnswerOrigin,
    PauseReason,
    Phase,
)
from stepscope.app.services.live.agent_memory import AgentRunRecorder, Memory
from stepscope.app.services.live.predicting import StepModel
from stepscope.core.device.session import LiveSession
from stepscope.core.domain.action import Action

log = logging.getLogger("stepscope")


class AgentRun:
    """`model` acts; `asker` may say before each step that a question is due. `tell` is called in the agent's thread.

    All commands may be called from any thread and return at once; one that does not fit what the agent does is ignored.
    It begins paused. `memory` is for reading when it is paused or has finished.
    """

    def __init__(
        self,
        session: LiveSession,
        model: StepModel,
        goal: str,
        tell: Callable[[AgentEvent], object],
        *,
        settings: AgentSettings | None = None,
        asker: StepModel | None = None,
        recorder: AgentRunRecorder | None = None,
        episode: str = "live",
        app: str | None = None,
    ) -> None:
        self.model, self.asker = model, asker
        self.memory = Memory(goal, episode, app)
        self._told = tell
        self._closed = False
        self._inbox: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._course = AgentLoop(
            session, model, asker, self.memory, settings or AgentSettings(), recorder, self._tell, self._when
        )
        self._thread = threading.Thread(target=self._run, name="agent", daemon=True)
        self._thread.start()

    @property
    def phase(self) -> Phase:
        return Phase.FINISHED if self._closed else self._course.phase

    @property
    def settings(self) -> AgentSettings:
        return self._course.settings

    # Commands ---------------------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Start, or continue after a pause; where the limit on steps was reached, as many again."""
        self._inbox.put(lambda: self._course.go_on(False))

    def step(self) -> None:
        """One action, then pause."""
        self._inbox.put(lambda: self._course.go_on(True))

    def pause(self) -> None:
        """Do nothing more until told; an action that is on its way is done first."""
        self._inbox.put(lambda: self._course.halt(AgentPaused(PauseReason.PERSON, "Paused.")))

    def take_over(self) -> None:
        """The person acts, through `correct`; `go_on` hands back."""
        self._inbox.put(lambda: self._course.halt(TAKEN_OVER))

    def stop(self) -> None:
        self._inbox.put(lambda: self._course.finish(AgentOutcome.STOPPED, "Stopped."))

    def finish(self, how: AgentOutcome) -> None:
        """The person says how it ended."""
        self._inbox.put(lambda: self._course.finish(how, "You ended it."))

    def change(self, settings: AgentSettings) -> None:
        """Use other settings from the next proposal on."""
        self._inbox.put(lambda: self._course.change(settings))

    def approve(self, number: int, choice: int = 0) -> None:
        """Do the proposal of that number, or another of its choices; one that always asks is proposed first."""
        self._inbox.put(lambda: self._course.approve(number, choice))

    def reject(self, number: int) -> None:
        """Reject the proposal: the next choice is proposed; without one the agent pauses."""
        self._inbox.put(lambda: self._course.reject(number))

    def correct(self, action: Action, milliseconds: int | None = None) -> None:
        """The person does this instead, now; while the agent is paused it stays so."""
        self._inbox.put(lambda: self._course.correct(action, milliseconds))

    def answer(self, number: int, text: str = "", offer: int = -1, by: AnswerOrigin = AnswerOrigin.PERSON) -> None:
        """Answer the question of that number in words, with one of the elements that were offered, or both: then the
        offer is done, unless it is one that always asks."""
        self._inbox.put(lambda: self._course.answer(number, text.strip(), offer, by))

    def leave_unanswered(self, number: int, why: str = "Nobody answers.") -> None:
        """Have the agent go on without an answer; if it asks again at this step, its run ends."""
        self._inbox.put(lambda: self._course.leave_unanswered(number, why))

    def decide(self, number: int) -> None:
        """Leave the answer to the agent."""
        self._inbox.put(lambda: self._course.decide(number))

    def close(self) -> None:
        """End thread and models; nothing is told any more."""
        self._closed = True
        self._inbox.put(None)
        for model in (self.model, self.asker):
            if model is not None:
                model.close()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    # The thread ------------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while (work := self._inbox.get()) is not None and not self._closed:
            try:
                work()
            except Exception as error:
                log.exception("the agent failed")
                self._course.trouble(error)
        self._course.close()

    def _tell(self, event: AgentEvent) -> None:
        if not self._closed:
            self._told(event)

    def _when(self, future: Future[Any], arrived: Callable[[], object]) -> None:
        """Call `arrived` in the agent's thread once the future is done."""
        future.add_done_callback(lambda _ended: self._inbox.put(arrived))
