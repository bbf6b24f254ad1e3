"""An agent let act on a device without a window: recorded from its first look to its last words, its questions answered
by whoever is there.

One thread hears what the agent tells and decides; whoever answers may block it.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from stepscope.app.services.live.agent import AgentRun
from stepscope.app.services.live.agent_events import (
    ActionPerformed,
    ActionProposed,
    AgentEvent,
    AgentFinished,
    AgentOutcome,
    AgentPaused,
    AgentSettings,
    AnswerOrigin,
    PauseReason,
    QuestionAnswered,
    QuestionAsked,
)
from stepscope.app.services.live.agent_memory import Memory
from stepscope.app.services.live.agent_store import write_predictions
from stepscope.app.services.live.data_answers import DataAnswers
from stepscope.app.services.live.predicting import StepModel
from stepscope.app.services.live.recording import RecordingSession
from stepscope.core.device.device import Device
from stepscope.core.device.session import LiveSession, ScreenSnapshot
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken

_LOOK_SECONDS = 60.0
_POLL_SECONDS = 0.2
"""How soon a cancelled session notices."""
NOBODY = "Nobody answers."
NOT_CONFIRMED = "Nobody was there to confirm it."


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer: words, the place of the offered element that is meant (-1 for none), and whose it is."""

    text: str
    offer: int = -1
    by: AnswerOrigin = AnswerOrigin.PERSON


class AgentCompany(Protocol):
    """Who is there while the agent acts."""

    def answer(self, asked: QuestionAsked) -> GivenAnswer | str:
        """The answer, or why there is none."""
        ...

    def confirm(self, proposed: ActionProposed) -> bool:
        """Whether an action may be done that a person has to see first."""
        ...


class NoCompany:
    """Nobody: no question is answered, nothing is confirmed."""

    def answer(self, asked: QuestionAsked) -> GivenAnswer | str:
        return NOBODY

    def confirm(self, proposed: ActionProposed) -> bool:
        return False


class DataCompany(NoCompany):
    """The data answers as far as it can; a question that is not the agent's own but the workbench's it leaves alone."""

    def __init__(self, data: DataAnswers) -> None:
        self.data = data

    def answer(self, asked: QuestionAsked) -> GivenAnswer | str:
        if asked.unsure:
            return NOBODY
        found = self.data.nearest(asked.step, asked.question)
        if found is None:
            return self.data.why_not()
        self.data = self.data.having_answered(asked.step, asked.question)
        return GivenAnswer(found.answer, by=AnswerOrigin.DATA)


@dataclass(frozen=True, slots=True)
class AgentReport:
    """What came of it: `how` None where the agent did not come to an end (paused at its limit, stuck, cancelled), with
    `why`; `steps` were done, `questions` put by the agent itself, of which `answered` had an answer."""

    folder: Path
    how: AgentOutcome | None
    why: str
    steps: int
    questions: int
    answered: int


def let_act(
    device: Device,
    models: tuple[StepModel, StepModel | None],
    goal: str,
    folder: Path,
    company: AgentCompany,
    *,
    settings: AgentSettings,
    app: str | None = None,
    tell: Callable[[AgentEvent], object] = lambda event: None,
    token: CancelToken | None = None,
    durable: bool = True,
    rest: float | None = None,
) -> AgentReport:
    """Let the models (one that acts, one that says when to ask) act on `device` until the agent ends or needs somebody
    who is not there; everything is recorded in `folder`, with what it proposed beside it. Closes device and models.
    Raises UserError where the recording cannot be written."""
    trouble: list[UserError] = []
    session = LiveSession(device) if rest is None else LiveSession(device, rest=rest)
    session.watch_screen = True
    heard: queue.SimpleQueue[AgentEvent] = queue.SimpleQueue()
    run: AgentRun | None = None
    recording: RecordingSession | None = None

    def stop(error: UserError) -> None:
        """Nothing more can be written: nothing more is done."""
        trouble.append(error)
        if run is not None:
            run.stop()

    try:
        recording = RecordingSession(
            goal, app=app, device=device.facts(), folder=folder, on_trouble=stop, durable=durable
        )
        session.performed.add(recording.record)
        session.start()
        run = AgentRun(
            session, models[0], goal, heard.put, settings=settings, asker=models[1], recorder=recording,
            episode=folder.name, app=app,
        )  # fmt: skip
        report = _Course(run, company, heard, tell, token or CancelToken()).report(folder)
        run.close()
        recording.stop(_last_look(session))
        with suppress(UserError):  # told as trouble
            recording.finish(None).result(_LOOK_SECONDS)
        if trouble:
            raise trouble[0]
        _write(folder, run.memory, models[0], settings)
        return report
    finally:
        for model in models:
            if model is not None:
                model.close()
        if run is not None:
            run.close()
        session.close()
        if recording is not None:
            recording.close()


class _Course:
    """Hears the agent and has the company decide."""

    def __init__(
        self,
        run: AgentRun,
        company: AgentCompany,
        heard: queue.SimpleQueue[AgentEvent],
        tell: Callable[[AgentEvent], object],
        token: CancelToken,
    ) -> None:
        self._run, self._company, self._heard, self._tell, self._token = run, company, heard, tell, token
        self._done = self._questions = self._answered = 0

    def report(self, folder: Path) -> AgentReport:
        """Have it act to the end."""
        self._run.go_on()
        while True:
            event = self._next()
            if event is None:
                return self._report(folder, None, "It was interrupted.")
            self._tell(event)
            match event:
                case ActionPerformed():
                    self._done += 1
                case QuestionAsked():
                    self._questions += bool(event.count)
                    self._answer(event)
                case QuestionAnswered(by=by) if by in (AnswerOrigin.PERSON, AnswerOrigin.DATA):
                    self._answered += 1
                case ActionProposed():
                    if not self._company.confirm(event):
                        why = f"{'. '.join(event.reasons)}. {NOT_CONFIRMED}"
                        return self._report(folder, None, why)
                    self._run.approve(event.number)
                case AgentPaused(stop, why) if stop is not PauseReason.STEP:
                    return self._report(folder, None, why)
                case AgentFinished(how, _steps, why):
                    return self._report(folder, how, why)
                case _:
                    pass

    def _answer(self, asked: QuestionAsked) -> None:
        if not asked.waits:
            return
        given = self._company.answer(asked)
        if isinstance(given, str):
            self._run.leave_unanswered(asked.number, given)
        else:
            self._run.answer(asked.number, given.text, given.offer, given.by)

    def _next(self) -> AgentEvent | None:
        """What it tells next; None once the session is cancelled."""
        while not self._token.cancelled:
            with suppress(queue.Empty):
                return self._heard.get(timeout=_POLL_SECONDS)
        return None

    def _report(self, folder: Path, how: AgentOutcome | None, why: str) -> AgentReport:
        return AgentReport(folder, how, why, self._done, self._questions, self._answered)


def _last_look(session: LiveSession) -> ScreenSnapshot | None:
    try:
        return session.look().result(_LOOK_SECONDS)
    except Exception:  # noqa: BLE001 - a device fails in all ways, and the recording says that the screen is missing
        return None


def _write(folder: Path, memory: Memory, model: StepModel, settings: AgentSettings) -> None:
    if memory.predictions:
        note = f"An agent on a device, {settings.mode.value}."
        write_predictions(
            folder, folder.name, memory.predictions, model=model.info.name, note=note, questions=memory.questions
        )
