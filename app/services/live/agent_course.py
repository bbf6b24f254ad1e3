"""What an agent does next: the states between a look and an action, and how commands, answers and errors move them.

Everything is called in one thread; what is waited for comes back through `when`, and what comes after something else
has begun is dropped. Every action is checked against the screen on which it will be done: it must still hit what it was
proposed for, and what always asks has been asked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any

from stepscope.app.services.live.agent_checks import MustConfirm, PendingProposal, ScreenMoved, check
from stepscope.app.services.live.agent_events import (
    ActionOrigin,
    ActionPerformed,
    ActionProposed,
    ActionStarted,
    AgentEvent,
    AgentFinished,
    AgentOutcome,
    AgentPaused,
    AgentSettings,
    AnswerOrigin,
    Mode,
    PauseReason,
    Phase,
    PredictionStarted,
    QuestionAnswered,
    QuestionAsked,
)
from stepscope.app.services.live.agent_memory import AgentRunRecorder, Memory
from stepscope.app.services.live.agent_screens import choices_of
from stepscope.app.services.live.agent_streams import as_agent
from stepscope.app.services.live.agent_words import (
    DECIDE,
    GO_ON,
    WORDLESS,
    label_of,
    offered,
    said,
    unsure_question,
)
from stepscope.app.services.live.predicting import ScreenFiles, StepModel
from stepscope.core.device.device import DeviceLost
from stepscope.core.device.session import LiveSession, PerformedAction, ScreenSnapshot
from stepscope.core.domain.action import Action, AskUser, Finish, FinishStatus, Say
from stepscope.core.domain.episode import ONE_TOO_MANY, Observation
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Candidate, Prediction
from stepscope.core.errors import UserError

MOST_MOVES = 3
"""Times in a row that a screen may change under a proposal before the agent pauses."""
TAKEN_OVER = AgentPaused(PauseReason.TAKEN_OVER, "You have taken over.")
UNSURE = "unsure"
"""Kind of a recorded question that was put because the model's confidence was low."""
ASKED_ON = "It was told to go on without an answer, and asked again"


class AgentLoop:
    """`phase` may be read from any thread; all else is the agent's thread's."""

    def __init__(
        self,
        session: LiveSession,
        model: StepModel,
        asker: StepModel | None,
        memory: Memory,
        settings: AgentSettings,
        recorder: AgentRunRecorder | None,
        tell: Callable[[AgentEvent], object],
        when: Callable[[Future[Any], Callable[[], object]], object],
    ) -> None:
        self.phase, self.settings = Phase.PAUSED, settings
        self._session, self._model, self._asker = session, model, asker
        self._memory, self._recorder, self._tell, self._when = memory, recorder, tell, when
        self._screens = ScreenFiles(pictures=any("screens" in one.info.inputs for one in (model, asker) if one))
        self._numbers = itertools.count(1)
        self._turn = 0
        self._looked_at: tuple[ScreenSnapshot, Observation] | None = None
        self._offer: PendingProposal | None = None
        self._due: str | None = None
        self._allowed = settings.step_limit
        self._single = self._stay = False
        self._after: AgentPaused | None = None
        """the pause that follows when the action on its way is done"""
        self._then: tuple[Action, int | None] | None = None
        self._moves = 0

    def close(self) -> None:
        """Give back what models looked at."""
        self._turn += 1
        self._screens.close()

    def _await(self, phase: Phase, future: Future[Any], then: Callable[[Any], object]) -> None:
        """Call `then` with the result, in this thread, unless another turn has begun by then; an error pauses."""
        self.phase = phase
        self._turn += 1
        turn = self._turn

        def arrived() -> None:
            if turn != self._turn:
                return
            try:
                value = future.result()
            except (Exception, CancelledError) as error:  # noqa: BLE001 - devices and models fail in all ways
                self._failed(error)
            else:
                then(value)

        self._when(future, arrived)

    def _failed(self, error: BaseException) -> None:
        """An action was stopped by its check, or something broke. What broke is never tried again by itself."""
        acting, offer = self.phase is Phase.ACTING, self._offer
        if acting and not isinstance(error, DeviceLost):
            self._memory.undone(self._step)
        stopped = isinstance(error, ScreenMoved | MustConfirm)
        if stopped and self._then is not None:
            self._do_next()
        elif stopped and self._after is not None:
            self._pause(self._after)
        elif isinstance(error, ScreenMoved) and self._moves < MOST_MOVES:
            self._moves += 1
            self._memory.new_screen()
            self._look()
        elif isinstance(error, MustConfirm) and offer is not None:
            self._propose(offer.prediction, offer.choices, error.reasons, offer.seen)
        else:
            self.trouble(error)

    def trouble(self, error: BaseException) -> None:
        words = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
        words = f"{words[:1].upper()}{words[1:]}".rstrip(".")
        if self.phase is Phase.ACTING and isinstance(error, DeviceLost):
            words += ". Whether the action was done is not known"
        self._pause(AgentPaused(PauseReason.PROBLEM, f"{words}."))

    def _pause(self, event: AgentPaused) -> None:
        if self.phase is Phase.FINISHED:
            return
        self._turn += 1
        self.phase, self._offer, self._single, self._after, self._then = Phase.PAUSED, None, False, None, None
        self._tell(event)

    # Commands --------------------------------------------------------------------------------------------

    def go_on(self, single: bool) -> None:
        if self.phase not in (Phase.PAUSED, Phase.ACTING):
            return
        self._single, self._moves = single, 0
        if self.phase is Phase.ACTING:  # what was to pause it afterwards is called off
            self._stay, self._after = False, None
            return
        self._memory.forgive()
        self._memory.new_screen()
        if self._memory.steps >= self._allowed:
            self._allowed = self._memory.steps + self.settings.step_limit
        self._look()

    def halt(self, event: AgentPaused) -> None:
        if self.phase is Phase.ACTING:
            self._after = event
        elif self.phase is not Phase.PAUSED or event.stop is PauseReason.TAKEN_OVER:
            self._pause(event)

    def finish(self, how: AgentOutcome, why: str) -> None:
        if self.phase is not Phase.FINISHED:
            self._turn += 1
            self.phase, self._offer = Phase.FINISHED, None
            self._tell(AgentFinished(how, self._memory.steps, why))

    def change(self, settings: AgentSettings) -> None:
        self._allowed += settings.step_limit - self.settings.step_limit
        self.settings = settings

    def _waiting(self, phase: Phase, number: int) -> PendingProposal | None:
        offer = self._offer
        return offer if self.phase is phase and offer is not None and offer.number == number else None

    def approve(self, number: int, choice: int) -> None:
        offer = self._waiting(Phase.PROPOSED, number)
        if offer is not None and 0 <= choice < len(offer.choices):
            self._take(offer, choice)

    def _take(self, offer: PendingProposal, choice: int) -> None:
        """Do what a person chose; what always asks is proposed first, unless it is what was proposed."""
        chosen = offer.choices[choice]
        reasons = self._reasons(chosen.action, offer.seen)
        if reasons and (choice or offer.question):
            others = [one for one in offer.choices if one is not chosen]
            self._propose(offer.prediction, (chosen, *others), reasons, offer.seen)
        else:
            self._act(chosen.action, ActionOrigin.APPROVED, offer)

    def reject(self, number: int) -> None:
        offer = self._waiting(Phase.PROPOSED, number)
        if offer is not None:
            self._memory.rejected.append(offer.choices[0].action)
            self._settle(offer.prediction, offer.choices, offer.seen, sure=True)

    def correct(self, action: Action, milliseconds: int | None) -> None:
        if self.phase is Phase.ACTING:
            self._then = action, milliseconds
        elif self.phase is not Phase.FINISHED:
            paused = self.phase is Phase.PAUSED
            self._act(action, ActionOrigin.PERSON, None, milliseconds, stay=paused)

    def answer(self, number: int, text: str, choice: int, by: AnswerOrigin) -> None:
        offer = self._waiting(Phase.ASKING, number)
        if offer is None:
            return
        chosen = 0 <= choice < len(offer.choices)
        text = text or (label_of(offer.choices[choice].action) if chosen else "")
        if text:
            self._keep_answer(offer.question, text, by)
            if chosen:
                self._memory.proposed(offer.prediction)
                self._take(offer, choice)
            else:
                self._think()

    def decide(self, number: int) -> None:
        offer = self._waiting(Phase.ASKING, number)
        if offer is None:
            return
        self._keep_answer(offer.question, DECIDE, AnswerOrigin.LEFT_TO_AGENT)
        if offer.unsure:
            self._memory.proposed(offer.prediction)
            self._settle(offer.prediction, offer.choices, offer.seen, sure=True)
        else:
            self._think()

    def leave_unanswered(self, number: int, why: str) -> None:
        offer = self._waiting(Phase.ASKING, number)
        if offer is None:
            return
        if offer.unsure:
            self.decide(number)
        else:
            self._nobody_answers(offer.question, why)

    def _nobody_answers(self, question: str, why: str) -> None:
        """Have it go on without an answer."""
        self._keep_answer(question, GO_ON, AnswerOrigin.NOBODY, why)
        self._memory.told_to_go_on = True
        self._think()

    def _keep_answer(self, question: str, text: str, by: AnswerOrigin, why: str = "") -> None:
        self._memory.answered(question, text)
        if self._recorder is not None:
            self._recorder.answer(text)
        self._tell(QuestionAnswered(self._step, question, text, by, why))

    # Looking, thinking, acting ----------------------------------------------------------------------------------------

    @property
    def _step(self) -> int:
        """The index of the next step; a question is a step as an action is."""
        return len(self._recorder.recorded.steps) if self._recorder is not None else self._memory.index

    def _look(self) -> None:
        self._offer = None
        self._tell(PredictionStarted(self._step))
        self._await(Phase.LOOKING, self._session.look(), self._looked)

    def _looked(self, seen: ScreenSnapshot) -> None:
        still = self._memory.still(seen)
        if still >= self.settings.stuck_after:
            self._pause(AgentPaused(PauseReason.STUCK, f"Its last {still} actions changed nothing on the screen."))
            return
        self._due = None
        self._looked_at = seen, self._screens.observation(seen)
        if self._asker is None or self._memory.reply is not None:
            self._think()
        else:
            self._ask_model(self._asker, self._is_due)

    def _ask_model(self, model: StepModel, then: Callable[[Prediction], object]) -> None:
        assert self._looked_at is not None
        request = self._memory.request(model.info, self._looked_at[1], self._step)
        self._await(Phase.THINKING, model.ask(request), then)

    def _is_due(self, prediction: Prediction) -> None:
        self._memory.asked(prediction)
        if isinstance(prediction.answer, AskAnswer):
            self._due = prediction.answer.question
            self._think()
        else:
            self._unusable(self._asker, prediction)

    def _think(self) -> None:
        self._offer = None
        self._ask_model(self._model, self._thought)

    def _thought(self, prediction: Prediction) -> None:
        assert self._looked_at is not None
        prediction = as_agent(prediction, replied=self._memory.reply is not None)
        self._memory.proposed(prediction)
        answer, seen = prediction.answer, self._looked_at[0]
        if not isinstance(answer, ActionAnswer):
            self._unusable(self._model, prediction)
            return
        choices = choices_of(prediction, answer.action, answer.candidates, seen.size)
        if isinstance(answer.action, AskUser):
            self._put_own(prediction, answer.action.text, choices[1:], seen)
        elif self._due is not None and self._memory.reply is None:
            self._put_own(prediction, self._due, choices, seen)
        elif self._is_unsure(prediction) and self._memory.reply is None:
            self._put(prediction, None, choices, seen)
        else:
            self._settle(prediction, choices, seen)

    def _unusable(self, model: StepModel | None, prediction: Prediction) -> None:
        name = model.info.title if model is not None else "The model"
        self._pause(
            AgentPaused(
                PauseReason.PROBLEM,
                f"{name} gave no usable answer: {str(prediction.why or prediction.status).rstrip('.')}.",
            )
        )

    def _is_unsure(self, prediction: Prediction) -> bool:
        return prediction.confidence is not None and prediction.confidence < self.settings.ask_below

    def _reasons(self, action: Action, seen: ScreenSnapshot) -> tuple[str, ...]:
        return self.settings.confirmation.reasons(action, seen.tree, seen.activity)

    def _put_own(self, prediction: Prediction, words: str, choices: Sequence[Candidate], seen: ScreenSnapshot) -> None:
        """Put a question of the agent's own; behind the limit nobody answers, and one more ends the run."""
        question = words.strip() or WORDLESS
        if self._memory.waits_with(question):
            self._put(prediction, question, choices, seen, wordless=not words.strip())
            return
        if self._memory.told_to_go_on:
            self.finish(AgentOutcome.ASKED_ON, f"{ASKED_ON}: “{question}”")
            return
        why = self._memory.too_many(self.settings.question_limit)
        self._memory.count_question()
        self._put(prediction, question, choices, seen, wordless=not words.strip(), kind=ONE_TOO_MANY if why else "")
        if why:
            self._nobody_answers(question, f"{why} It is told to go on without an answer.")

    def _put(
        self,
        prediction: Prediction,
        question: str | None,
        choices: Sequence[Candidate],
        seen: ScreenSnapshot,
        *,
        wordless: bool = False,
        kind: str = "",
    ) -> None:
        """Put the question, ours where it is None."""
        offers = offered(choices)
        unsure = question is None
        words = unsure_question(offers) if question is None else question
        number, step = next(self._numbers), self._step
        if self._memory.asks(step, words, prediction, offers) and self._recorder is not None:
            self._recorder.ask(seen, words, UNSURE if unsure else kind)
        self.phase = Phase.ASKING
        self._offer = PendingProposal(number, prediction, offers, seen, question=words, unsure=unsure)
        count = 0 if unsure else self._memory.questions_put
        self._tell(
            QuestionAsked(number, step, words, offers, unsure, prediction.confidence, seen, wordless, count, not kind)
        )

    def _settle(
        self, prediction: Prediction, weighed: Sequence[Candidate], seen: ScreenSnapshot, *, sure: bool = False
    ) -> None:
        """Act, or propose where a person has to see it first. `sure`: a person has dealt with the confidence."""
        choices = [one for one in weighed if one.action not in self._memory.rejected]
        if not choices:
            why = "It has nothing else to offer here. Show it what to do, then let it go on."
            self._pause(AgentPaused(PauseReason.REJECTED, why))
            return
        action = choices[0].action
        if self._memory.repeats(action, seen) >= self.settings.stuck_after:
            self._pause(
                AgentPaused(PauseReason.STUCK, f"It would do the same again on the same screen: {said(action)}.")
            )
            return
        reasons = self._reasons(action, seen)
        if self._is_unsure(prediction) and not sure:
            limit = self.settings.ask_below
            reasons += (f"It is still not sure ({prediction.confidence:.2f}, limit {limit:.2f})",)
        if reasons or self.settings.mode is Mode.APPROVE:
            self._propose(prediction, choices, reasons, seen)
        else:
            self._act(
                action, ActionOrigin.AGENT, PendingProposal(next(self._numbers), prediction, tuple(choices), seen)
            )

    def _propose(
        self, prediction: Prediction, choices: Sequence[Candidate], reasons: tuple[str, ...], seen: ScreenSnapshot
    ) -> None:
        number = next(self._numbers)
        self._turn += 1
        self.phase = Phase.PROPOSED
        self._offer = PendingProposal(number, prediction, tuple(choices), seen, reasons)
        self._tell(ActionProposed(number, self._step, prediction, tuple(choices), reasons, seen))

    def _act(
        self,
        action: Action,
        by: ActionOrigin,
        offer: PendingProposal | None,
        milliseconds: int | None = None,
        *,
        stay: bool = False,
    ) -> None:
        """Do it; `offer` None: the person chose it freely. `stay`: paused before, paused behind."""
        step = self._step
        self._memory.begin(step, action, offer.seen if offer is not None else None)
        self._offer, self._stay = offer, stay
        if isinstance(action, Finish):
            how = AgentOutcome.COMPLETE if action.status is FinishStatus.COMPLETE else AgentOutcome.IMPOSSIBLE
            self.finish(
                how,
                "It says that the goal is reached." if how is AgentOutcome.COMPLETE else "It says it cannot be done.",
            )
            return
        self._tell(ActionStarted(step, action, by))
        done: Future[PerformedAction] = Future()
        if isinstance(action, Say):
            if self._recorder is not None and offer is not None:
                self._recorder.say(offer.seen, action.text)
            done.set_result(PerformedAction(action, None, 0.0))
        else:
            checked = partial(check, offer, self.settings.confirmation) if offer is not None else None
            done = self._session.act(action, milliseconds=milliseconds, check=checked)
        self._await(Phase.ACTING, done, partial(self._acted, step, by))

    def _acted(self, step: int, by: ActionOrigin, acted: PerformedAction) -> None:
        self._memory.done(acted.action)
        self._moves = 0
        self._tell(ActionPerformed(step, acted.action, by))
        if self._then is not None:
            self._do_next()
        elif self._stay or self._after is not None:
            self._pause(self._after or TAKEN_OVER)
        elif self._single:
            self._pause(AgentPaused(PauseReason.STEP, "One step was done."))
        elif self._memory.steps >= self._allowed:
            done = "1 step was" if self._memory.steps == 1 else f"{self._memory.steps} steps were"
            self._pause(AgentPaused(PauseReason.LIMIT, f"{done} done, which is the limit."))
        else:
            self._look()

    def _do_next(self) -> None:
        """What the person wanted while another action was on its way."""
        assert self._then is not None
        (action, milliseconds), self._then = self._then, None
        self._act(action, ActionOrigin.PERSON, None, milliseconds, stay=self._stay)
