"""The goal while it happens: what models on the picture take it for, told in the conversation, and help offered once
one has settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.live.live_agent_controller import LiveAgentController
from stepscope.app.gui.features.live.live_controller import LiveController
from stepscope.app.gui.features.live.live_overlay_controller import LETTERS, LiveOverlayController
from stepscope.app.gui.features.live.live_recording_controller import LiveRecordingController
from stepscope.app.gui.shell.context import Context
from stepscope.app.services.live.goal_guesses import GoalGuess, GoalGuesses
from stepscope.core.domain.prediction import GoalAnswer
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.gui.features.live import presenter
    from stepscope.app.services.live.overlay import OverlayPrediction
    from stepscope.core.device.recorded import RecordingStatus
    from stepscope.widgets.live.conversation import Turn
else:
    presenter = lazy_module("stepscope.app.gui.features.live.presenter")  # it stands on the views

GO_ON, NOTE, DECLINE = "Go on from here", "Only note the goal", "No, it is something else"


class LiveGoalController(QObject):
    """`guesses` are those of the recording that goes on; `offer` is the one with which help is offered now."""

    def __init__(
        self,
        context: Context,
        live: LiveController,
        recording: LiveRecordingController,
        agent: LiveAgentController,
        overlay: LiveOverlayController,
    ) -> None:
        super().__init__(context)
        self._context, self._live, self._agent, self._overlay = context, live, agent, overlay
        self.guesses = GoalGuesses()
        self._recorded: RecordingStatus | None = None
        self.offer: GoalGuess | None = None
        self._connected = self._agent_talked = False
        overlay.answered.connect(self._take)
        recording.changed.connect(self._show_recorded)
        recording.begun.connect(self._begin)
        recording.ended.connect(self._withdraw)

    def enter(self) -> None:
        """The workspace comes to the front."""
        if not self._connected:
            self._connected = True
            self._live.parts.side.conversation.answered.connect(self._answer)
            self._live.parts.left.task.goal_changed.connect(lambda _goal: self._offer_help())

    def _begin(self) -> None:
        self.guesses, self._recorded, self._agent_talked = GoalGuesses(), None, False
        self._withdraw()

    def _show_recorded(self, recorded: RecordingStatus) -> None:
        """Tell in the conversation what the person does, where there is no agent, and what is made of it. The talk of
        an agent that has ended stays."""
        self._recorded = recorded
        self._agent_talked = self._agent_talked or self._agent.is_at_work
        self.guesses.keep_to(len(recorded.steps))
        self._offer_help()

    def _take(self, told: OverlayPrediction) -> None:
        """A model on the picture has looked at what was done so far."""
        answer = told.prediction.answer
        if not isinstance(answer, GoalAnswer) or self._recorded is None or told.steps > len(self._recorded.steps):
            return
        guess = GoalGuess(told.letter, told.steps, answer.text, told.prediction.confidence)
        if told.steps and self.guesses.take(guess):
            self._offer_help()

    def _offer_help(self) -> None:
        """Tell what is done and guessed, and offer help with a guess that has settled, as long as the person has not
        written the goal."""
        if self._recorded is None or self._agent.is_at_work or not self._connected:
            return
        written = self._live.parts.left.task.goal().strip()
        offer = None if written else self.guesses.offered()
        if offer != self.offer:
            self.offer = offer
            asking = presenter.help_question(self._offers()) if offer is not None else None
            self._live.parts.side.conversation.set_asking(asking)
        if not self._agent_talked:
            self._live.parts.side.conversation.set_turns(self._turns(self._recorded))

    def _offers(self) -> tuple[str, ...]:
        return (GO_ON, NOTE, DECLINE) if self._agent.can_help() else (NOTE, DECLINE)

    def _turns(self, recorded: RecordingStatus) -> list[Turn]:
        turns = presenter.with_guesses(presenter.turns_of(recorded), self.guesses.told(), LETTERS)
        if self.offer is not None:
            turns.append(presenter.help_turn(self.offer, self._overlay.title_of(self.offer.letter), LETTERS))
        return turns

    def _withdraw(self) -> None:
        """Nothing is offered any more."""
        if self.offer is not None:
            self.offer = None
            if not self._agent.is_at_work:
                self._live.parts.side.conversation.set_asking(None)
                if self._recorded is not None and not self._agent_talked:
                    self._live.parts.side.conversation.set_turns(self._turns(self._recorded))

    def _answer(self, words: str, place: int) -> None:
        """What the person says to an offer of help; words of their own are the goal."""
        offer = self.offer
        if offer is None or self._agent.is_at_work:
            return
        offers = self._offers()
        said = offers[place] if 0 <= place < len(offers) else ""
        if said == DECLINE:
            self.guesses.decline(offer.text)
            self._offer_help()
            return
        self._withdraw()
        task = self._live.parts.left.task
        task.set_goal(offer.text if said else words.strip())
        task.goal_changed.emit(task.goal())
        if said == GO_ON:
            self._agent.help()
