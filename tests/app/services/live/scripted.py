"""A model that answers from a script, and an agent with a phone in memory: what the tests of agents have in common."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from stepscope.app.services.live.agent import AgentRun
from stepscope.app.services.live.agent_events import AgentEvent, AgentSettings, Mode
from stepscope.core.device.confirmation_policy import ConfirmationPolicy
from stepscope.core.device.session import LiveSession
from stepscope.core.domain.action import Action, Tap, Target
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Candidate, Prediction, PredictionStatus, Task
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from tests.core.device.fake import FakeDevice

E = TypeVar("E")
UNGUARDED = AgentSettings(confirmation=ConfirmationPolicy(()))
ALONE = AgentSettings(mode=Mode.OWN, confirmation=ConfirmationPolicy(()))
SECONDS = 20.0

Said = Prediction | Exception | Callable[[StepRequest], Prediction]


def info(task: Task = Task.AUTOMATION, **changes: Any) -> ModelInfo:
    given = {"name": "scripted", "title": "Scripted"} | changes
    return ModelInfo(task=task, description="For tests.", source="Ours", **given)


@dataclass
class Script:
    """A model: one answer after the other, then nothing usable. `held`: answers wait for `release`."""

    answers: list[Said] = field(default_factory=list)
    info: ModelInfo = field(default_factory=info)
    held: bool = False
    closed: bool = False

    def __post_init__(self) -> None:
        self.requests: list[StepRequest] = []
        self._waiting: queue.SimpleQueue[tuple[StepRequest, Future[Prediction]]] = queue.SimpleQueue()
        self._asked = threading.Semaphore(0)

    def ask(self, request: StepRequest) -> Future[Prediction]:
        self.requests.append(request)
        self._asked.release()
        future: Future[Prediction] = Future()
        if self.held:
            self._waiting.put((request, future))
        else:
            self._answer(request, future)
        return future

    def wait(self) -> None:
        """Until it has been asked once more."""
        assert self._asked.acquire(timeout=SECONDS)

    def release(self) -> None:
        self._answer(*self._waiting.get(timeout=SECONDS))

    def close(self) -> None:
        self.closed = True

    def _answer(self, request: StepRequest, future: Future[Prediction]) -> None:
        said = self.answers.pop(0) if self.answers else nothing("the script is over")
        if isinstance(said, Exception):
            future.set_exception(said)
        elif isinstance(said, Prediction):
            future.set_result(said)
        else:
            future.set_result(said(request))


def does(*actions: Action, confidence: float | None = None) -> Callable[[StepRequest], Prediction]:
    """It would do the first; the others are what else it weighed."""

    def answer(request: StepRequest) -> Prediction:
        weighed = tuple(Candidate(one, 1 / place) for place, one in enumerate(actions, start=1))
        return Prediction(request.episode, request.step, ActionAnswer(actions[0], weighed), confidence=confidence)

    return answer


def taps(*texts: str, confidence: float | None = None) -> Callable[[StepRequest], Prediction]:
    """It would tap the element with that text."""
    return lambda request: does(*(tap(request, text) for text in texts), confidence=confidence)(request)


def tap(request: StepRequest, text: str) -> Tap:
    assert request.observation.tree is not None
    element = next(e for e in request.observation.tree if e.text == text)
    return Tap(element.box.centre, Target(element.box, element.label, element.resource_id))


def asks(question: str | None) -> Callable[[StepRequest], Prediction]:
    return lambda request: Prediction(request.episode, request.step, AskAnswer(question))


def nothing(why: str) -> Callable[[StepRequest], Prediction]:
    return lambda request: Prediction(request.episode, request.step, None, PredictionStatus.MALFORMED, why=why)


class Told:
    """The events of a run in order."""

    def __init__(self) -> None:
        self.events: list[AgentEvent] = []
        self._coming: queue.SimpleQueue[AgentEvent] = queue.SimpleQueue()

    def __call__(self, event: AgentEvent) -> None:
        self._coming.put(event)

    def next(self, kind: type[E]) -> E:
        """The next event of the kind; those before it are passed over."""
        while True:
            event = self._coming.get(timeout=SECONDS)
            self.events.append(event)
            if isinstance(event, kind):
                return event


@dataclass
class Scene:
    phone: FakeDevice
    session: LiveSession
    agent: AgentRun
    told: Told
    model: Script

    @property
    def texts(self) -> list[str]:
        """What was tapped, in words."""
        return [one.target.text for one in self.phone.done if isinstance(one, Tap) and one.target]


@contextmanager
def scene(
    *answers: Said,
    phone: FakeDevice | None = None,
    settings: AgentSettings = UNGUARDED,
    asker: Script | None = None,
    model: Script | None = None,
    goal: str = "buy a kettle",
    **more: Any,
) -> Iterator[Scene]:
    phone, told, model = phone or FakeDevice(), Told(), model or Script(list(answers))
    session = LiveSession(phone, rest=0.01)
    session.start()
    agent = AgentRun(session, model, goal, told, settings=settings, asker=asker, **more)
    try:
        yield Scene(phone, session, agent, told, model)
    finally:
        agent.close()
        session.close()
