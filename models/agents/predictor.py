"""Models behind a server as the engine asks them: the next action, whether to ask, and questions about the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from stepscope.core.domain.action import Action, AskUser
from stepscope.core.domain.model_call import MOST_POINTS, CoordinateSpace, ModelCall, SaidPoint
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import ModelInfo, Request, StepRequest
from stepscope.core.progress import CancelToken
from stepscope.models.agents.adapter import Adapter, ReadAnswer, read_answer
from stepscope.models.agents.question import AgentQuestion, question
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.agents.spaces import Space
from stepscope.models.agents.whole_questions import WholeQuestion
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.calls import of_screens, of_trajectory
from stepscope.models.chat.chat import Chat
from stepscope.models.chat.client import ServerError

SPACES = {
    Space.UNIT: CoordinateSpace.UNIT,
    Space.THOUSAND: CoordinateSpace.THOUSAND,
    Space.NINE99: CoordinateSpace.NINE99,
    Space.RESIZED: CoordinateSpace.SENT,
    Space.ORIGINAL: CoordinateSpace.SCREEN,
}
RequestT = TypeVar("RequestT", bound=Request)
Prepared = TypeVar("Prepared")


class _ServedPredictor(Generic[RequestT, Prepared]):
    """See `BatchPredictor` and `Cancellable`: the questions of a batch are put at once, each from a thread."""

    def __init__(self, info: ModelInfo, chat: Chat, *, parallel: int, pictures: bool, fingerprint: str) -> None:
        """`parallel`: questions that are put at once; `pictures`: whether the model is shown any."""
        self.info, self.batch_size, self.fingerprint = info, parallel, fingerprint
        self._chat, self._pictures = chat, pictures

    def set_token(self, token: CancelToken) -> None:
        self._chat.set_token(token)

    def predict(self, request: RequestT) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def prepare(self, request: RequestT) -> Prepared:
        raise NotImplementedError

    def predict_batch(self, prepared: Sequence[Prepared]) -> list[Prediction]:
        """Nothing is raised for a server's fault: each item is told."""
        if len(prepared) == 1:
            return [self._answered(prepared[0])]
        with ThreadPoolExecutor(len(prepared), "agent") as pool:
            return [*pool.map(self._answered, prepared)]

    def warm_up(self) -> None:
        """A server is warm or is not."""

    def close(self) -> None:
        """Close nothing: no connection is kept between questions."""

    def _answered(self, asked: Prepared) -> Prediction:
        raise NotImplementedError


class AgentPredictor(_ServedPredictor[StepRequest, AgentQuestion]):
    """The next action. A prediction's raw output is the agent's answer as it came, and its call has the picture as sent
    and the places as said: it can be read again in another space."""

    def __init__(self, info: ModelInfo, chat: Chat, settings: AskingSettings, **more: Any) -> None:
        """`more` as for every served predictor."""
        super().__init__(info, chat, **more)
        self._settings = settings

    def prepare(self, request: StepRequest) -> AgentQuestion:
        return question(request, self._settings, pictures=self._pictures)

    def _answered(self, asked: AgentQuestion) -> Prediction:
        request, adapter = asked.request, self._settings.adapter
        found = self._chat.ask(asked.messages, self._settings.tokens)
        call = found.call
        if isinstance(found, ServerError) or (found.status is not PredictionStatus.OK and not found.unended):
            return _unanswered(request.episode, request.step, found, _calls(call, asked))
        read = read_answer(adapter, found.text or found.raw, asked.screen, asked.sent, self._settings.reading)
        answer = prediction_of(request.episode, request.step, read, found.raw)
        if found.unended and read.problem:
            answer = replace(answer, why=f"{found.why} {answer.why}".strip())
        return replace(answer, latency_ms=found.ms, calls=_calls(call, asked, read))


@dataclass(frozen=True, slots=True)
class AskingQuestion:
    """The step as the agent sees it, and, where a question is due, as it sees it with the person's answer."""

    now: AgentQuestion
    after: AgentQuestion | None


class AskingPredictor(AgentPredictor):
    """Whether the agent asks at a step, and what it does: the first stream without the person's answer, and where a
    question is due the second one with it (Navi-plus, section 4). An agent asks by the word for it that its adapter
    has."""

    def prepare(self, request: StepRequest) -> Any:
        alone = replace(request, reply=None)
        return AskingQuestion(super().prepare(alone), super().prepare(request) if request.reply else None)

    def _answered(self, asked: Any) -> Prediction:
        first = super()._answered(asked.now)
        if first.action is None:
            return first
        second = None if asked.after is None else super()._answered(asked.after)
        asks = first.action if isinstance(first.action, AskUser) else None
        answer = AskAnswer(
            None if asks is None else asks.text,
            action=None if asks is not None else first.action,
            after=None if second is None else _acted(second.action),
        )
        calls = first.calls + (second.calls if second is not None else ())
        return replace(first, answer=answer, calls=calls)


class WholePredictor(_ServedPredictor[Any, WholeQuestion]):
    """Feasibility and order: one question about the whole."""

    def __init__(
        self, info: ModelInfo, chat: Chat, ask: Callable[..., WholeQuestion], *, tokens: int, **more: Any
    ) -> None:
        """`ask` makes the question of a request. `more` as for every served predictor."""
        super().__init__(info, chat, **more)
        self._ask, self._tokens = ask, tokens

    def prepare(self, request: Any) -> WholeQuestion:
        return self._ask(request, pictures=self._pictures)

    def _answered(self, asked: WholeQuestion) -> Prediction:
        if asked.messages is None:
            return Prediction(asked.name, None, None, PredictionStatus.EMPTY, why="The trajectory has no steps.")
        found = self._chat.ask(asked.messages, self._tokens)
        calls = () if found.call is None else (of_trajectory(found.call, asked.steps),)
        if isinstance(found, ServerError) or found.status is not PredictionStatus.OK:
            return _unanswered(asked.name, None, found, calls)
        return replace(asked.read(found.text), latency_ms=found.ms, raw=found.raw, calls=calls)


def prediction_of(episode: str, step: int | None, read: ReadAnswer, raw: str) -> Prediction:
    """What was read of a raw output as the prediction of a step: of several actions the first counts, which is told."""
    if read.problem:
        place = f" (at character {read.stopped + 1})" if read.stopped else ""
        why = f"{read.problem[:1].upper()}{read.problem[1:]}{place}."
        return Prediction(episode, step, None, PredictionStatus.MALFORMED, raw=raw, why=why)
    more = len(read.actions) - 1
    why = "" if not more else f"It said {more + 1} actions; the first counts."
    return Prediction(episode, step, ActionAnswer(read.actions[0]), raw=raw, why=why)


def model_version(adapter: Adapter) -> str:
    """Changes whenever the same agent may be asked or read otherwise: adapter and prompt with their content."""
    prompts = "/".join(one.version for one in (adapter.prompt, adapter.prompt_web) if one is not None)
    return f"{adapter.version}, prompt {prompts or 'none'} ({adapter.digest})"


def _unanswered(
    name: str, step: int | None, found: ChatAnswer | ServerError, calls: tuple[ModelCall, ...]
) -> Prediction:
    """What is booked where there is no answer to read."""
    if isinstance(found, ServerError):
        return Prediction(name, step, None, PredictionStatus.FAILED, why=str(found), calls=calls)
    return Prediction(name, step, None, found.status, latency_ms=found.ms, raw=found.raw, why=found.why, calls=calls)


def _acted(action: Action | None) -> Action | None:
    """What was done, where it was no question."""
    return None if isinstance(action, AskUser) else action


def _calls(call: ModelCall | None, asked: AgentQuestion, read: ReadAnswer | None = None) -> tuple[ModelCall, ...]:
    if call is None:
        return ()
    said = () if read is None else read.said[:MOST_POINTS]
    places = tuple(SaidPoint(x, y, SPACES[read.space]) for x, y in said) if read is not None else ()
    return (replace(of_screens(call, asked.places), said=places),)
